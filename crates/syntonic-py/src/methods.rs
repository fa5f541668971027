//! Methods of State that are functions of the package under the names of NumPy's arrays. Each hands over to its function.

use crate::arguments::parameter;
use crate::elementwise::{Formula, call};
use crate::enter::enter;
use crate::errors::{Class, raise};
use crate::linalg;
use crate::manipulation::{self, Outside};
use crate::memory::object;
use crate::operand::{self, Compares, Operand};
use crate::ordering;
use crate::rounding;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use syntonic_core::Tensor;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::clip;
use syntonic_core::ops::order::Side;

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Element-wise functions of the State alone.
macro_rules! alone {
    ($($name:ident $prim:ident $doc:literal;)*) => {
        #[pymethods]
        impl State {
            $(
                #[doc = $doc]
                fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, State>> {
                    object::new(py, call(py, Formula::Prim(Prim::$prim), &[Operand::State(&self.tensor)])?)
                }
            )*
        }
    };
}

alone! {
    conj Conj "The complex conjugates; real numbers as they are.";
    conjugate Conj "The complex conjugates; real numbers as they are.";
}

#[pymethods]
impl State {
    /// Rounded to so many decimals, halves to even; of a negative number of decimals to tens, hundreds and so on.
    #[pyo3(signature = (decimals=None, out=None), text_signature = "($self, decimals=0, out=None)")]
    pub(crate) fn round<'py>(
        &self,
        py: Python<'py>,
        decimals: Object<'_, 'py>,
        out: Object<'_, 'py>,
    ) -> PyResult<Bound<'py, State>> {
        let t = &self.tensor;
        let decimals = decimals.map_or(Ok(0), |d| parameter("round", "decimals").integer(d))?;
        let out = State::target("round", out)?;
        let rounded = enter(py, t.numel(), || rounding::round(t, decimals))?;
        State::deliver(py, "round", rounded, out)
    }

    /// Puts the elements along an axis in order, in place; NaN last. Every kind of sort that NumPy names is this stable one.
    #[pyo3(
        signature = (axis=None, kind=None, order=None, *, stable=None, descending=None),
        text_signature = "($self, axis=-1, kind=None, order=None, *, stable=None, descending=False)"
    )]
    fn sort(
        slf: &Bound<'_, State>,
        axis: Object<'_, '_>,
        kind: Object<'_, '_>,
        order: Object<'_, '_>,
        stable: Object<'_, '_>,
        descending: Object<'_, '_>,
    ) -> PyResult<()> {
        check_sort("sort", kind, order, stable)?;
        slf.get().tensor.check_writable("sort").map_err(raise)?;
        let sorted = ordering::sort(slf, axis, descending)?;
        slf.get().write(slf.py(), &sorted.tensor)
    }

    /// The positions that put the elements along an axis in order; equal elements keep theirs.
    #[pyo3(
        signature = (axis=None, kind=None, order=None, *, stable=None, descending=None),
        text_signature = "($self, axis=-1, kind=None, order=None, *, stable=None, descending=False)"
    )]
    fn argsort(
        slf: &Bound<'_, State>,
        axis: Object<'_, '_>,
        kind: Object<'_, '_>,
        order: Object<'_, '_>,
        stable: Object<'_, '_>,
        descending: Object<'_, '_>,
    ) -> PyResult<State> {
        check_sort("argsort", kind, order, stable)?;
        ordering::argsort(slf, axis, descending)
    }

    /// Where each element of `values` belongs in this sorted vector: before equal ones, or after them.
    #[pyo3(signature = (values, side=None, sorter=None), text_signature = "($self, values, side='left', sorter=None)")]
    fn searchsorted(
        slf: &Bound<'_, State>,
        values: &Bound<'_, PyAny>,
        side: Object<'_, '_>,
        sorter: Object<'_, '_>,
    ) -> PyResult<State> {
        match side {
            Some(side) => ordering::searchsorted(slf, values, side, sorter),
            None => ordering::search(slf, values, Side::Left, sorter),
        }
    }

    /// The running sum along an axis; without one, of the elements in row-major order.
    #[pyo3(signature = (axis=None, dtype=None, out=None))]
    fn cumsum<'py>(
        slf: &Bound<'py, State>,
        axis: Object<'_, 'py>,
        dtype: Object<'_, 'py>,
        out: Object<'_, 'py>,
    ) -> PyResult<Bound<'py, State>> {
        let out = State::target("cumsum", out)?;
        let (x, axis) = in_one_axis(slf, axis)?;
        let made = ordering::cumulative_sum(&x, axis.as_ref(), dtype, None)?;
        State::deliver(slf.py(), "cumsum", made.tensor.clone(), out)
    }

    /// The running product along an axis; without one, of the elements in row-major order.
    #[pyo3(signature = (axis=None, dtype=None, out=None))]
    fn cumprod<'py>(
        slf: &Bound<'py, State>,
        axis: Object<'_, 'py>,
        dtype: Object<'_, 'py>,
        out: Object<'_, 'py>,
    ) -> PyResult<Bound<'py, State>> {
        let out = State::target("cumprod", out)?;
        let (x, axis) = in_one_axis(slf, axis)?;
        let made = ordering::cumulative_prod(&x, axis.as_ref(), dtype, None)?;
        State::deliver(slf.py(), "cumprod", made.tensor.clone(), out)
    }

    /// min(max(x, low), high); without a bound there is none on that side. The result goes to `out` if that is given.
    #[pyo3(signature = (min=None, max=None, out=None))]
    fn clip<'py>(
        &self,
        py: Python<'py>,
        min: Object<'_, 'py>,
        max: Object<'_, 'py>,
        out: Object<'_, 'py>,
    ) -> PyResult<Bound<'py, State>> {
        let out = State::target("clip", out)?;
        let given: Vec<Operand<'_>> = [min, max]
            .into_iter()
            .flatten()
            .map(Operand::from_any)
            .collect::<PyResult<_>>()?;
        if self.tensor.dtype().is_complex() || given.iter().any(Operand::is_complex) {
            // In the order that operators compare complex numbers in.
            let x = object::new(py, self.tensor.clone())?;
            let made = py
                .import("syntonic._numpy_orders")?
                .call_method1("clipped", (x, min, max))?;
            let made = made.cast_into::<State>()?;
            return State::deliver(py, "clip", made.get().tensor.clone(), out);
        }
        let common = operand::common_dtype(&given);
        let common = common.map_or(self.tensor.dtype(), |d| d.promote(self.tensor.dtype()));
        let met: Vec<Operand<'_>> = given
            .iter()
            // A bound that no element reaches only says on which side of them it lies.
            .map(|b| b.among("clip", Compares::Yes, self.tensor.device(), Some(common)))
            .collect::<PyResult<_>>()?;
        let mut bounds = met.iter().map(Operand::arg);
        let low = min.and_then(|_| bounds.next());
        let high = max.and_then(|_| bounds.next());
        let size = met
            .iter()
            .map(Operand::numel)
            .fold(self.tensor.numel(), usize::max);
        let result = enter(py, size, || clip(&self.tensor, low, high))?;
        State::deliver(py, "clip", result, out)
    }

    /// The elements at these positions along an axis; without one, of the elements in row-major order. Positions that are not
    /// there are an error, unless `mode` is "wrap" or "clip".
    #[pyo3(signature = (indices, axis=None, out=None, mode=None), text_signature = "($self, indices, axis=None, out=None, mode='raise')")]
    fn take<'py>(
        slf: &Bound<'py, State>,
        indices: &Bound<'py, PyAny>,
        axis: Object<'_, 'py>,
        out: Object<'_, 'py>,
        mode: Object<'_, 'py>,
    ) -> PyResult<Bound<'py, State>> {
        let out = State::target("take", out)?;
        let outside = mode.map_or(Ok(Outside::Refused), |m| Outside::read("take", m))?;
        let made = match outside {
            Outside::Refused => manipulation::take(slf, indices, axis)?,
            outside => manipulation::take_any(slf, indices, axis, outside)?,
        };
        State::deliver(slf.py(), "take", made.tensor.clone(), out)
    }

    /// Puts values at these positions of the elements in row-major order, in place.
    #[pyo3(name = "put", signature = (indices, values, mode=None), text_signature = "($self, indices, values, mode='raise')")]
    fn put_flat<'py>(
        slf: &Bound<'py, State>,
        indices: &Bound<'py, PyAny>,
        values: &Bound<'py, PyAny>,
        mode: Object<'_, 'py>,
    ) -> PyResult<()> {
        let outside = mode.map_or(Ok(Outside::Refused), |m| Outside::read("put", m))?;
        manipulation::put(slf, indices, values, outside)
    }

    /// Each element so many times in a row, along an axis or of the elements in row-major order.
    #[pyo3(signature = (repeats, axis=None))]
    fn repeat(
        slf: &Bound<'_, State>,
        repeats: &Bound<'_, PyAny>,
        axis: Object<'_, '_>,
    ) -> PyResult<State> {
        manipulation::repeat(slf, repeats, axis)
    }

    /// The positions of the elements that are not zero, one State for each axis.
    fn nonzero<'py>(slf: &Bound<'py, State>) -> PyResult<Bound<'py, PyTuple>> {
        Ok(manipulation::nonzero(slf)?.to_tuple())
    }

    /// The sum of a diagonal: of the last two axes, or of those that are named.
    #[pyo3(
        signature = (offset=None, axis1=None, axis2=None, dtype=None, out=None),
        text_signature = "($self, offset=0, axis1=None, axis2=None, dtype=None, out=None)"
    )]
    fn trace<'py>(
        slf: &Bound<'py, State>,
        offset: Object<'_, 'py>,
        axis1: Object<'_, 'py>,
        axis2: Object<'_, 'py>,
        dtype: Object<'_, 'py>,
        out: Object<'_, 'py>,
    ) -> PyResult<Bound<'py, State>> {
        let out = State::target("trace", out)?;
        let t: &Tensor = &slf.get().tensor;
        let axes = match (axis1, axis2) {
            (None, None) => None,
            (first, second) => {
                let read = |name, given: Object<'_, 'py>, default| {
                    given.map_or(Ok(default), |x| parameter("trace", name).integer(x))
                };
                Some((read("axis1", first, 0)?, read("axis2", second, 1)?))
            }
        };
        let moved = match axes {
            None => t.clone(),
            Some((first, second)) => linalg::last_two(t, first, second).map_err(raise)?,
        };
        let moved = object::new(slf.py(), moved)?;
        let made = linalg::trace(&moved, offset, dtype)?;
        State::deliver(slf.py(), "trace", made.tensor.clone(), out)
    }

    /// The product with `b` as NumPy's `dot` has it: over the last axis of this State and the one before the last of `b`.
    #[pyo3(signature = (b, out=None))]
    fn dot<'py>(
        slf: &Bound<'py, State>,
        b: &Bound<'py, PyAny>,
        out: Object<'_, 'py>,
    ) -> PyResult<Bound<'py, State>> {
        let out = State::target("dot", out)?;
        let made = linalg::dot(slf, b)?;
        State::deliver(slf.py(), "dot", made, out)
    }
}

/// What NumPy's sorts take besides: the kind of algorithm, which has no effect on the result of a stable one, and the fields
/// of a structured type, which no State has.
fn check_sort(
    op: &'static str,
    kind: Object<'_, '_>,
    order: Object<'_, '_>,
    stable: Object<'_, '_>,
) -> PyResult<()> {
    if let Some(kind) = kind {
        let kinds = ["quicksort", "mergesort", "heapsort", "stable"].map(|kind| (kind, ()));
        parameter(op, "kind").word(kind, &kinds)?;
    }
    if let Some(stable) = stable {
        parameter(op, "stable").flag(stable)?;
    }
    match order {
        None => Ok(()),
        Some(order) => Err(parameter(op, "order").refuse(
            Class::Argument,
            order,
            "None: a State has no fields to be sorted by",
        )),
    }
}

/// The axis, or all elements in one axis where none is given.
fn in_one_axis<'py>(
    x: &Bound<'py, State>,
    axis: Object<'_, 'py>,
) -> PyResult<(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
    match axis {
        Some(axis) => Ok((x.clone().into_any(), Some(axis.clone()))),
        None => Ok((State::ravel(x.get(), x.py(), None)?.into_any(), None)),
    }
}
