//! Copies that outlive the process, and copies that do not.

use crate::dtype::{self, PyDType};
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::memory::foreign;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// What [`_restore`] takes: the type, the shape and the elements' bytes.
type Parts<'py> = (Py<PyDType>, Vec<usize>, Bound<'py, PyBytes>);

/// A State of the bytes of its elements, row-major and little-endian.
#[pyfunction]
pub(crate) fn _restore(dtype: &PyDType, shape: Vec<usize>, bytes: &[u8]) -> PyResult<State> {
    let count = syntonic_core::layout::count("pickle", &shape).map_err(raise)?;
    if count.checked_mul(dtype.0.size()) != Some(bytes.len()) {
        return Err(error(
            Class::File,
            format!("pickle: {} bytes are not {}{shape:?}", bytes.len(), dtype.0),
        ));
    }
    foreign::from_bytes(bytes, &shape, dtype.0).map(State::from)
}

#[pymethods]
impl State {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let here = enter(py, self.tensor.numel(), || self.tensor.contiguous()?.eval())?;
        let bytes = foreign::bytes(py, &here)?;
        let restore = py.import("syntonic._core")?.getattr("_restore")?;
        Ok((
            restore,
            (
                dtype::object(py, here.dtype())?,
                here.shape().to_vec(),
                bytes,
            ),
        ))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<State> {
        Ok(enter(py, self.tensor.numel(), || self.tensor.copy())?.into())
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyDict>) -> PyResult<State> {
        self.__copy__(py)
    }
}
