//! Devices as Python objects that equal their names, and the device that new States go to.

use crate::enter::enter;
use crate::errors::{Class, error, raise};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyInt, PyString, PyType};
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use syntonic_core::{Device, DeviceId, Error, cpu};

/// Opening a GPU takes some tenths of a second, in which another Python thread may run.
const LONG: usize = usize::MAX;

/// The name of a device: equal to the string "cpu", "cuda:0", ... `with` makes it the one that new States go to.
#[pyclass(frozen, name = "Device", module = "syntonic")]
pub(crate) struct PyDevice(pub(crate) DeviceId);

thread_local! {
    /// The devices that this thread has entered and not left.
    static ENTERED: RefCell<Vec<DeviceId>> = const { RefCell::new(Vec::new()) };
}

/// The GPU that new States of the process go to, or -1.
static CHOSEN: AtomicI64 = AtomicI64::new(-1);

/// Where this thread's new States go: the device whose block it is in, else that of the process.
pub(crate) fn default_id() -> DeviceId {
    let entered = ENTERED.with_borrow(|entered| entered.last().copied());
    entered.unwrap_or_else(|| {
        let ordinal = u32::try_from(CHOSEN.load(Ordering::Relaxed));
        ordinal.map_or(DeviceId::Cpu, DeviceId::Cuda)
    })
}

/// Chooses the device that new States of the process go to, outside of blocks `with syntonic.device(...)`.
///
///     >>> import syntonic
///     >>> syntonic.set_default_device("cpu")
///     >>> syntonic.default_device()
///     Device('cpu')
#[pyfunction]
#[pyo3(signature = (device, /))]
pub(crate) fn set_default_device(device: &Bound<'_, PyAny>) -> PyResult<()> {
    let id = read(device)?;
    usable(device.py(), id)?;
    let ordinal = match id {
        DeviceId::Cuda(ordinal) => i64::from(ordinal),
        _ => -1,
    };
    CHOSEN.store(ordinal, Ordering::Relaxed);
    Ok(())
}

/// The GPU meant where none is named: the default device if it is one, else the first.
pub(crate) fn default_gpu() -> u32 {
    match default_id() {
        DeviceId::Cuda(ordinal) => ordinal,
        _ => 0,
    }
}

/// The device an object names; `None` is the default.
pub(crate) fn parse(py: Python<'_>, obj: Option<&Bound<'_, PyAny>>) -> PyResult<Arc<dyn Device>> {
    match obj.filter(|o| !o.is_none()) {
        None => usable(py, default_id()),
        Some(obj) => usable(py, read(obj)?),
    }
}

/// The device of this name, opened if it is a GPU that nobody has used yet.
pub(crate) fn usable(py: Python<'_>, id: DeviceId) -> PyResult<Arc<dyn Device>> {
    match id {
        DeviceId::Cpu => Ok(cpu()),
        DeviceId::Cuda(ordinal) => {
            show_packages(py);
            enter(py, LONG, || syntonic_cuda::device(ordinal))
        }
        other => Err(unknown(&other.to_string())),
    }
}

/// Shows the folders of Python packages with NVIDIA's libraries to the search for them, once.
fn show_packages(py: Python<'_>) {
    static SHOWN: PyOnceLock<()> = PyOnceLock::new();
    let show = || {
        // Where there is no such package there is nothing to show, and the search goes on without it.
        for place in packages(py).unwrap_or_default() {
            if let Some(folder) = place.parent() {
                syntonic_cuda::search_packages(folder);
            }
        }
    };
    SHOWN.get_or_init(py, show);
}

/// The folders that make up the package `nvidia`.
fn packages(py: Python<'_>) -> PyResult<Vec<PathBuf>> {
    py.import("importlib.util")?
        .call_method1("find_spec", ("nvidia",))?
        .getattr("submodule_search_locations")?
        .try_iter()?
        .map(|place| place?.extract())
        .collect()
}

/// The name an object gives: a device, a number of a GPU, or whatever reads as a name.
pub(crate) fn read(obj: &Bound<'_, PyAny>) -> PyResult<DeviceId> {
    if let Ok(device) = obj.cast::<PyDevice>() {
        return Ok(device.get().0);
    }
    if obj.is_instance_of::<PyInt>() && !obj.is_instance_of::<PyBool>() {
        return match obj.extract::<u32>() {
            Ok(ordinal) => Ok(DeviceId::Cuda(ordinal)),
            Err(_) => Err(unknown(&obj.str()?.to_string_lossy())),
        };
    }
    let name = obj.str()?.to_string_lossy().into_owned();
    named(&name).ok_or_else(|| unknown(&format!("{name:?}")))
}

/// The device of a name such as "cpu", "cuda" or "cuda:1".
pub(crate) fn named(name: &str) -> Option<DeviceId> {
    match name {
        "cpu" => Some(DeviceId::Cpu),
        "cuda" => Some(DeviceId::Cuda(default_gpu())),
        other => {
            let digits = other.strip_prefix("cuda:")?;
            let plain = digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse().ok().filter(|_| plain).map(DeviceId::Cuda)
        }
    }
}

fn unknown(name: &str) -> PyErr {
    raise(Error::NoDevice {
        device: name.to_owned(),
        reason: "no device has this name; hint: \"cpu\", \"cuda\" or \"cuda:0\"".into(),
    })
}

#[pymethods]
impl PyDevice {
    #[new]
    fn new(device: &Bound<'_, PyAny>) -> PyResult<PyDevice> {
        read(device).map(PyDevice)
    }

    /// "cpu" or "cuda".
    #[getter]
    #[pyo3(name = "type")]
    fn kind(&self) -> &'static str {
        match self.0 {
            DeviceId::Cpu => "cpu",
            _ => "cuda",
        }
    }

    /// Which GPU; None for the CPU.
    #[getter]
    fn index(&self) -> Option<u32> {
        match self.0 {
            DeviceId::Cuda(ordinal) => Some(ordinal),
            _ => None,
        }
    }

    /// New States of this thread go to the device until the block ends.
    fn __enter__(slf: Py<Self>, py: Python<'_>) -> PyResult<Py<Self>> {
        let id = slf.get().0;
        usable(py, id)?;
        ENTERED.with_borrow_mut(|entered| entered.push(id));
        Ok(slf)
    }

    #[pyo3(signature = (kind, error, trace, /))]
    fn __exit__(
        &self,
        kind: &Bound<'_, PyAny>,
        error: &Bound<'_, PyAny>,
        trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = (kind, error, trace);
        let left = ENTERED.with_borrow_mut(Vec::pop);
        left.map(|_| ())
            .ok_or_else(|| PyRuntimeError::new_err("device: left a block that was not entered"))
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

/// The device that new States of this thread go to.
#[pyfunction]
pub(crate) fn default_device() -> PyDevice {
    PyDevice(default_id())
}

/// Host memory of a State, asked for by something that would have to move it there unasked.
pub(crate) fn elsewhere(what: &str, id: DeviceId) -> PyErr {
    error(
        Class::Transfer,
        format!("{what}: the State is on {id}, and nothing is moved unasked; hint: .cpu() first"),
    )
}
