//! Copies that outlive the process, and copies that do not.

use crate::device;
use crate::dtype::{self, PyDType};
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::memory::foreign;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use syntonic_core::{DeviceId, cpu};

/// What [`_restore`] takes: the type, the shape, the elements' bytes and the device.
type Parts<'py> = (Py<PyDType>, Vec<usize>, Bound<'py, PyBytes>, String);

/// A State of the bytes of its elements, row-major and little-endian, on the device it was on.
#[pyfunction]
#[pyo3(signature = (dtype, shape, bytes, device=None))]
pub(crate) fn _restore(
    py: Python<'_>,
    dtype: &PyDType,
    shape: Vec<usize>,
    bytes: &[u8],
    device: Option<&str>,
) -> PyResult<State> {
    let count = syntonic_core::layout::count("pickle", &shape).map_err(raise)?;
    if count.checked_mul(dtype.0.size()) != Some(bytes.len()) {
        return Err(error(
            Class::File,
            format!("pickle: {} bytes are not {}{shape:?}", bytes.len(), dtype.0),
        ));
    }
    let here = enter(py, bytes.len(), || {
        foreign::from_bytes(bytes, &shape, dtype.0)
    })?;
    let home = device.and_then(device::named).unwrap_or(DeviceId::Cpu);
    if home == DeviceId::Cpu {
        return Ok(here.into());
    }
    let home = device::usable(py, home).map_err(|cause| {
        let why = format!("pickle: the State was pickled on {home}, which cannot be used here; hint: pickle x.cpu()");
        let refused = error(Class::Device, why);
        refused.set_cause(py, Some(cause));
        refused
    })?;
    Ok(enter(py, here.numel(), || here.to(&home))?.into())
}

#[pymethods]
impl State {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let t = &self.tensor;
        let work = t.numel().max(t.waiting());
        let here = enter(py, work, || t.to(&cpu())?.contiguous()?.eval())?;
        let bytes = foreign::bytes(py, &here)?;
        let restore = py.import("syntonic._core")?.getattr("_restore")?;
        Ok((
            restore,
            (
                dtype::object(py, here.dtype())?,
                here.shape().to_vec(),
                bytes,
                t.device_id().to_string(),
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
