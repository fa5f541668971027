//! The GPUs of one process, and States on all of them.

use crate::arguments::parameter;
use crate::cuda::gpu;
use crate::device::PyDevice;
use crate::enter::enter;
use crate::errors::Class;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::Arc;
use syntonic_core::{Device, Error, Tensor};
use syntonic_cuda::Cuda;
use syntonic_cuda::collectives::{DeviceGroup, Reduction, Transport};

const OP: &str = "DeviceGroup";
/// A call may open a library, or wait for it.
const LONG: usize = usize::MAX;

/// By the names that users call them by.
const TRANSPORTS: [(&str, Transport); 2] =
    [("copies", Transport::Copies), ("nccl", Transport::Nccl)];
const REDUCTIONS: [(&str, Reduction); 5] = [
    ("sum", Reduction::Sum),
    ("mean", Reduction::Mean),
    ("prod", Reduction::Prod),
    ("max", Reduction::Max),
    ("min", Reduction::Min),
];

/// Some GPUs of this process in an order, each once.
#[pyclass(frozen, name = "DeviceGroup", module = "syntonic.cuda")]
pub(crate) struct PyDeviceGroup(DeviceGroup);

/// Whether kernels and copies of one GPU reach the memory of another.
#[pyfunction]
pub(crate) fn cuda_can_access_peer(
    py: Python<'_>,
    device: &Bound<'_, PyAny>,
    peer: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let (from, to) = (gpu(py, Some(device))?, gpu(py, Some(peer))?);
    enter(py, LONG, || from.reaches(&to))
}

/// The parts of all GPUs and what becomes of them.
fn reduced(
    op: &'static str,
    parts: &Bound<'_, PyAny>,
    reduction: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<Tensor>, Reduction)> {
    let parts = parameter(op, "parts").tensors(parts)?;
    let read = |given| parameter(op, "reduction").word(given, &REDUCTIONS);
    Ok((parts, reduction.map_or(Ok(Reduction::Sum), read)?))
}

fn axis(op: &'static str, given: Option<&Bound<'_, PyAny>>) -> PyResult<isize> {
    given.map_or(Ok(0), |given| parameter(op, "axis").integer(given))
}

/// States of what a call returned, one for each GPU.
fn states(
    py: Python<'_>,
    work: impl FnOnce() -> Result<Vec<Tensor>, Error> + Send,
) -> PyResult<Vec<State>> {
    let all = enter(py, LONG, work)?;
    Ok(all.into_iter().map(State::from).collect())
}

#[pymethods]
impl PyDeviceGroup {
    #[new]
    #[pyo3(signature = (devices, transport=None), text_signature = "(devices, transport='copies')")]
    fn new(
        py: Python<'_>,
        devices: &Bound<'_, PyAny>,
        transport: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyDeviceGroup> {
        let read = |t| parameter(OP, "transport").word(t, &TRANSPORTS);
        let transport = transport.map_or(Ok(Transport::Copies), read)?;
        let named = devices.try_iter().ok();
        let Some(named) = named.filter(|_| !devices.is_instance_of::<PyString>()) else {
            let wanted = "a sequence of GPUs, such as [\"cuda:0\", \"cuda:1\"]";
            return Err(parameter(OP, "devices").refuse(Class::ArgumentType, devices, wanted));
        };
        // few: as many as the caller names; a GPU that comes twice is an error.
        let gpus: Vec<Arc<Cuda>> = named
            .map(|device| gpu(py, Some(&device?)))
            .collect::<PyResult<_>>()?;
        let group = enter(py, LONG, || DeviceGroup::new(&gpus, transport))?;
        Ok(PyDeviceGroup(group))
    }

    /// The GPUs, in their order.
    #[getter]
    fn devices(&self) -> Vec<PyDevice> {
        self.0.gpus().iter().map(|gpu| PyDevice(gpu.id())).collect()
    }

    /// What carries the States.
    #[getter]
    fn transport(&self) -> &'static str {
        let known = TRANSPORTS
            .iter()
            .find(|(_, known)| *known == self.0.transport());
        known.map_or("copies", |(word, _)| word)
    }

    fn __len__(&self) -> usize {
        self.0.gpus().len()
    }

    fn broadcast(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<Vec<State>> {
        let x = operand::tensor(x)?;
        states(py, || self.0.broadcast(&x))
    }

    fn all_gather(&self, py: Python<'_>, parts: &Bound<'_, PyAny>) -> PyResult<Vec<State>> {
        let parts = parameter("all_gather", "parts").tensors(parts)?;
        states(py, || self.0.all_gather(&parts))
    }

    #[pyo3(signature = (parts, reduction=None), text_signature = "($self, parts, reduction='sum')")]
    fn all_reduce(
        &self,
        py: Python<'_>,
        parts: &Bound<'_, PyAny>,
        reduction: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<State>> {
        let (parts, how) = reduced("all_reduce", parts, reduction)?;
        states(py, || self.0.all_reduce(&parts, how))
    }

    #[pyo3(signature = (parts, reduction=None), text_signature = "($self, parts, reduction='sum')")]
    fn reduce_scatter(
        &self,
        py: Python<'_>,
        parts: &Bound<'_, PyAny>,
        reduction: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<State>> {
        let (parts, how) = reduced("reduce_scatter", parts, reduction)?;
        states(py, || self.0.reduce_scatter(&parts, how))
    }

    #[pyo3(signature = (x, axis=None), text_signature = "($self, x, axis=0)")]
    fn scatter(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        axis: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<State>> {
        let (x, axis) = (operand::tensor(x)?, self::axis("scatter", axis)?);
        states(py, || self.0.scatter(&x, axis))
    }

    #[pyo3(signature = (parts, axis=None, device=None), text_signature = "($self, parts, axis=0, device=None)")]
    fn gather(
        &self,
        py: Python<'_>,
        parts: &Bound<'_, PyAny>,
        axis: Option<&Bound<'_, PyAny>>,
        device: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<State> {
        let op = "gather";
        let (parts, axis) = (
            parameter(op, "parts").tensors(parts)?,
            self::axis(op, axis)?,
        );
        let to = match device.filter(|d| !d.is_none()) {
            Some(named) => gpu(py, Some(named))?,
            None => self.0.gpus()[0].clone(),
        };
        Ok(enter(py, LONG, || self.0.gather(&parts, axis, &to))?.into())
    }

    fn __repr__(&self) -> String {
        // few: one for each GPU.
        let names: Vec<String> = self.0.gpus().iter().map(|g| g.id().to_string()).collect();
        format!("DeviceGroup({}, {})", names.join(", "), self.transport())
    }
}
