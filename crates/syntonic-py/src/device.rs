//! Devices as Python objects that equal their names.

use crate::errors::raise;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyType};
use std::sync::Arc;
use syntonic_core::{Device, DeviceId, Error, cpu};

/// The name of a device: equal to the string "cpu", "cuda:0", ...
#[pyclass(frozen, name = "Device", module = "syntonic")]
pub(crate) struct PyDevice(pub(crate) DeviceId);

/// The device an object names; `None` is the CPU.
pub(crate) fn parse(obj: Option<&Bound<'_, PyAny>>) -> PyResult<Arc<dyn Device>> {
    let Some(obj) = obj.filter(|o| !o.is_none()) else {
        return Ok(cpu());
    };
    match read(obj)? {
        DeviceId::Cpu => Ok(cpu()),
        other => Err(unavailable(&other.to_string())),
    }
}

fn read(obj: &Bound<'_, PyAny>) -> PyResult<DeviceId> {
    if let Ok(device) = obj.cast::<PyDevice>() {
        return Ok(device.get().0);
    }
    let name = obj.str()?.to_string_lossy().into_owned();
    match name.as_str() {
        "cpu" => Ok(DeviceId::Cpu),
        "cuda" => Ok(DeviceId::Cuda(0)),
        other => other
            .strip_prefix("cuda:")
            .and_then(|index| index.parse().ok())
            .map(DeviceId::Cuda)
            .ok_or_else(|| {
                raise(Error::NoDevice {
                    device: format!("{name:?}"),
                    reason: "no device has this name; hint: \"cpu\" or \"cuda:0\"".into(),
                })
            }),
    }
}

fn unavailable(name: &str) -> PyErr {
    let reason = match syntonic_cuda::why_unavailable() {
        Some(reason) => reason.to_string(),
        None => "this build has no kernels for it yet".to_owned(),
    };
    raise(Error::NoDevice {
        device: name.to_owned(),
        reason,
    })
}

#[pymethods]
impl PyDevice {
    #[new]
    fn new(device: &Bound<'_, PyAny>) -> PyResult<PyDevice> {
        read(device).map(PyDevice)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let same = if let Ok(device) = other.cast::<PyDevice>() {
            device.get().0 == self.0
        } else if let Ok(name) = other.cast::<PyString>() {
            *name == *self.0.to_string()
        } else {
            return Ok(py.NotImplemented());
        };
        Ok(PyBool::new(py, same).to_owned().into_any().unbind())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.0.to_string()).hash()
    }

    fn __repr__(&self) -> String {
        format!("Device('{}')", self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyType>, (String,)) {
        (py.get_type::<PyDevice>().unbind(), (self.0.to_string(),))
    }
}
