//! Methods of State that are functions of the package under the names of NumPy's arrays. Each hands over to its function.

use crate::elementwise::{Formula, call};
use crate::manipulation;
use crate::memory::object;
use crate::operand::Operand;
use crate::ordering;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites;

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
    #[pyo3(signature = (axis=-1, *, descending=false), text_signature = "($self, axis=-1, *, descending=False)")]
    fn sort(slf: &Bound<'_, State>, axis: isize, descending: bool) -> PyResult<()> {
        let sorted = ordering::sort(slf, axis, descending)?;
        slf.get().write(slf.py(), &sorted.tensor)
    }

    /// The positions that put the elements along an axis in order; equal elements keep theirs.
    #[pyo3(signature = (axis=-1, *, descending=false), text_signature = "($self, axis=-1, *, descending=False)")]
    fn argsort(slf: &Bound<'_, State>, axis: isize, descending: bool) -> PyResult<State> {
        ordering::argsort(slf, axis, descending)
    }

    /// Where each element of `values` belongs in this sorted vector: before equal ones, or after them.
    #[pyo3(signature = (values, side="left", sorter=None))]
    fn searchsorted(
        slf: &Bound<'_, State>,
        values: &Bound<'_, PyAny>,
        side: &str,
        sorter: Object<'_, '_>,
    ) -> PyResult<State> {
        ordering::searchsorted(slf, values, ordering::is_right(side)?, sorter)
    }

    /// The running sum along an axis; without one, of the elements in row-major order.
    #[pyo3(signature = (axis=None, dtype=None))]
    fn cumsum(
        slf: &Bound<'_, State>,
        axis: Option<isize>,
        dtype: Object<'_, '_>,
    ) -> PyResult<State> {
        let (x, axis) = in_one_axis(slf, axis)?;
        ordering::cumulative_sum(&x, Some(axis), dtype, false)
    }

    /// The running product along an axis; without one, of the elements in row-major order.
    #[pyo3(signature = (axis=None, dtype=None))]
    fn cumprod(
        slf: &Bound<'_, State>,
        axis: Option<isize>,
        dtype: Object<'_, '_>,
    ) -> PyResult<State> {
        let (x, axis) = in_one_axis(slf, axis)?;
        ordering::cumulative_prod(&x, Some(axis), dtype, false)
    }

    /// min(max(x, low), high); without a bound there is none on that side. The result goes to `out` if that is given.
    #[pyo3(signature = (min=None, max=None, *, out=None))]
    fn clip<'py>(
        &self,
        py: Python<'py>,
        min: Object<'_, 'py>,
        max: Object<'_, 'py>,
        out: Option<&Bound<'py, State>>,
    ) -> PyResult<Bound<'py, State>> {
        let x = Operand::State(&self.tensor);
        let result = match (min, max) {
            (Some(low), Some(high)) => {
                let clip = Formula::Composite(&composites::CLIP);
                call(
                    py,
                    clip,
                    &[x, Operand::from_any(low)?, Operand::from_any(high)?],
                )?
            }
            (Some(low), None) => call(py, Formula::Prim(Prim::Max), &[x, Operand::from_any(low)?])?,
            (None, Some(high)) => {
                call(py, Formula::Prim(Prim::Min), &[x, Operand::from_any(high)?])?
            }
            (None, None) => crate::enter::enter(py, self.tensor.numel(), || self.tensor.copy())?,
        };
        State::deliver(py, "clip", result, out)
    }

    /// The elements at these positions along an axis; without one, of the elements in row-major order.
    #[pyo3(signature = (indices, axis=None))]
    fn take(
        slf: &Bound<'_, State>,
        indices: &Bound<'_, PyAny>,
        axis: Option<isize>,
    ) -> PyResult<State> {
        manipulation::take(slf, indices, axis)
    }

    /// Each element so many times in a row, along an axis or of the elements in row-major order.
    #[pyo3(signature = (repeats, axis=None))]
    fn repeat(
        slf: &Bound<'_, State>,
        repeats: &Bound<'_, PyAny>,
        axis: Option<isize>,
    ) -> PyResult<State> {
        manipulation::repeat(slf, repeats, axis)
    }

    /// The positions of the elements that are not zero, one State for each axis.
    fn nonzero<'py>(slf: &Bound<'py, State>) -> PyResult<Bound<'py, PyTuple>> {
        Ok(manipulation::nonzero(slf)?.to_tuple())
    }

    /// The sum of a diagonal of the last two axes.
    #[pyo3(signature = (offset=0, *, dtype=None))]
    fn trace(slf: &Bound<'_, State>, offset: isize, dtype: Object<'_, '_>) -> PyResult<State> {
        crate::linalg::trace(slf, offset, dtype)
    }
}

/// The axis, or all elements in one axis where none is given.
fn in_one_axis<'py>(
    x: &Bound<'py, State>,
    axis: Option<isize>,
) -> PyResult<(Bound<'py, PyAny>, isize)> {
    match axis {
        Some(axis) => Ok((x.clone().into_any(), axis)),
        None => Ok((State::ravel(x.get(), x.py())?.into_any(), 0)),
    }
}
