//! The elements of a State as plain bytes.

use super::{foreign, made};
use crate::enter::enter;
use crate::flags::is_fortran;
use crate::state::State;
use crate::views::Order;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use syntonic_core::cpu;

#[pymethods]
impl State {
    /// The bytes of the elements, row by row; with `order="F"` column by column, and with "A" as they lie, if they lie so.
    #[pyo3(signature = (order=None), text_signature = "($self, order='C')")]
    fn tobytes<'py>(
        &self,
        py: Python<'py>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut t = self.tensor.stop_gradient();
        let as_it_lies = matches!(order, Some(order) if order.eq("A")? || order.eq("K")?);
        let lies_by_columns = as_it_lies && is_fortran(&t) && !t.is_contiguous();
        if Order::read("tobytes", order)? == Order::Columns || lies_by_columns {
            t.reverse_axes();
        }
        let work = t.numel().max(t.waiting());
        let here = enter(py, work, || t.to(&cpu())?.contiguous()?.eval())?;
        foreign::bytes(py, &here)
    }

    /// As of NumPy's arrays the bytes of the elements, but of an integer without axes so many zeros, as of any integer.
    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let t = &self.tensor;
        if t.ndim() > 0 || !t.dtype().is_integer() {
            return self.tobytes(py, None);
        }
        let count = made::number(py, self.one(py)?)?;
        let made = py.get_type::<PyBytes>().call1((count,))?;
        Ok(made.cast_into::<PyBytes>()?)
    }

    /// The memory as Python sees it: `memoryview(x)`.
    #[getter]
    fn data<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyMemoryView>> {
        PyMemoryView::from(slf.as_any())
    }

    /// The memory as `ctypes` takes it, of the array over it that `numpy()` is.
    #[getter]
    fn ctypes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        State::numpy(slf)?.getattr("ctypes")
    }
}
