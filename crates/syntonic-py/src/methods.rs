//! Methods of State that are functions of the package under the names of NumPy's arrays. Each hands over to its function.

use crate::elementwise::{Formula, call};
use crate::enter::enter;
use crate::errors::raise;
use crate::manipulation;
use crate::memory::object;
use crate::operand::{self, Compares, Operand};
use crate::ordering;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
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
    round Round "The nearest integers; halves go to the even one.";
}

#[pymethods]
impl State {
    /// Puts the elements along an axis in order, in place; NaN last.
    #[pyo3(signature = (axis=None, *, descending=None), text_signature = "($self, axis=-1, *, descending=False)")]
    fn sort(
        slf: &Bound<'_, State>,
        axis: Object<'_, '_>,
        descending: Object<'_, '_>,
    ) -> PyResult<()> {
        slf.get().tensor.check_writable("sort").map_err(raise)?;
        let sorted = ordering::sort(slf, axis, descending)?;
        slf.get().write(slf.py(), &sorted.tensor)
    }

    /// The positions that put the elements along an axis in order; equal elements keep theirs.
    #[pyo3(signature = (axis=None, *, descending=None), text_signature = "($self, axis=-1, *, descending=False)")]
    fn argsort(
        slf: &Bound<'_, State>,
        axis: Object<'_, '_>,
        descending: Object<'_, '_>,
    ) -> PyResult<State> {
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
    #[pyo3(signature = (axis=None, dtype=None))]
    fn cumsum<'py>(
        slf: &Bound<'py, State>,
        axis: Object<'_, 'py>,
        dtype: Object<'_, 'py>,
    ) -> PyResult<State> {
        let (x, axis) = in_one_axis(slf, axis)?;
        ordering::cumulative_sum(&x, axis.as_ref(), dtype, None)
    }

    /// The running product along an axis; without one, of the elements in row-major order.
    #[pyo3(signature = (axis=None, dtype=None))]
    fn cumprod<'py>(
        slf: &Bound<'py, State>,
        axis: Object<'_, 'py>,
        dtype: Object<'_, 'py>,
    ) -> PyResult<State> {
        let (x, axis) = in_one_axis(slf, axis)?;
        ordering::cumulative_prod(&x, axis.as_ref(), dtype, None)
    }

    /// min(max(x, low), high); without a bound there is none on that side. The result goes to `out` if that is given.
    #[pyo3(signature = (min=None, max=None, *, out=None))]
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

    /// The elements at these positions along an axis; without one, of the elements in row-major order.
    #[pyo3(signature = (indices, axis=None))]
    fn take(
        slf: &Bound<'_, State>,
        indices: &Bound<'_, PyAny>,
        axis: Object<'_, '_>,
    ) -> PyResult<State> {
        manipulation::take(slf, indices, axis)
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

    /// The sum of a diagonal of the last two axes.
    #[pyo3(signature = (offset=None, *, dtype=None), text_signature = "($self, offset=0, *, dtype=None)")]
    fn trace(
        slf: &Bound<'_, State>,
        offset: Object<'_, '_>,
        dtype: Object<'_, '_>,
    ) -> PyResult<State> {
        crate::linalg::trace(slf, offset, dtype)
    }
}

/// The axis, or all elements in one axis where none is given.
fn in_one_axis<'py>(
    x: &Bound<'py, State>,
    axis: Object<'_, 'py>,
) -> PyResult<(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
    match axis {
        Some(axis) => Ok((x.clone().into_any(), Some(axis.clone()))),
        None => Ok((State::ravel(x.get(), x.py())?.into_any(), None)),
    }
}
