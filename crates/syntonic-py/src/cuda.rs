//! GPUs as a whole: which there are, and their memory.

use crate::arguments::parameter;
use crate::device::{self, default_gpu};
use crate::enter::enter;
use crate::errors::{Class, error};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use syntonic_core::{Device, DeviceId};
use syntonic_cuda::Cuda;

/// A call of the driver may take long.
const LONG: usize = usize::MAX;

/// The GPU an argument names: a number, a device, or the default one.
pub(crate) fn gpu(py: Python<'_>, named: Option<&Bound<'_, PyAny>>) -> PyResult<Arc<Cuda>> {
    let id = match named.filter(|n| !n.is_none()) {
        None => DeviceId::Cuda(default_gpu()),
        Some(named) => device::read(named)?,
    };
    device::usable(py, id)?;
    match id {
        DeviceId::Cuda(ordinal) => enter(py, LONG, || syntonic_cuda::open(ordinal)),
        other => Err(error(
            Class::Device,
            format!("{other} is no GPU; hint: a number, or \"cuda:0\""),
        )),
    }
}

/// Where the kernels of this package lie as machine code, if it brought any along.
#[pyfunction]
pub(crate) fn _use_cubins(folder: std::path::PathBuf) {
    syntonic_cuda::cubins::use_folder(folder);
}

/// How many kernels came as machine code, how many the driver assembled, and how many of both were made at run time.
#[pyfunction]
pub(crate) fn cuda_kernel_sources() -> (usize, usize, usize) {
    let sources = syntonic_cuda::kernel_sources();
    (sources.cubins, sources.ptx, sources.made)
}

/// Why no GPU can be used, or nothing where one can.
#[pyfunction]
pub(crate) fn cuda_why_unavailable(py: Python<'_>) -> Option<String> {
    py.detach(|| syntonic_cuda::why_unavailable().map(|reason| reason.to_string()))
}

/// How many GPUs there are.
#[pyfunction]
pub(crate) fn cuda_device_count(py: Python<'_>) -> usize {
    py.detach(syntonic_cuda::device_count)
}

/// The name of a GPU.
#[pyfunction]
#[pyo3(signature = (device=None))]
pub(crate) fn cuda_device_name(
    py: Python<'_>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let gpu = gpu(py, device)?;
    enter(py, LONG, || gpu.context().name())
}

/// Bytes of our pool on a GPU, and of the whole card.
#[pyfunction]
#[pyo3(signature = (device=None))]
pub(crate) fn cuda_memory_stats(
    py: Python<'_>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<BTreeMap<&'static str, usize>> {
    let gpu = gpu(py, device)?;
    let (free, total) = enter(py, LONG, || gpu.context().free_and_total())?;
    let ours = gpu.stats();
    Ok(BTreeMap::from([
        ("in_use", ours.in_use),
        ("peak", ours.peak),
        ("cached", ours.cached),
        ("free", free),
        ("total", total),
    ]))
}

/// Gives the memory that waits for its next use back to the driver.
#[pyfunction]
#[pyo3(signature = (device=None))]
pub(crate) fn cuda_empty_cache(py: Python<'_>, device: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let gpu = gpu(py, device)?;
    enter(py, LONG, || {
        gpu.trim();
        Ok(())
    })
}

/// No more than so many bytes are held at once on a GPU; nothing lifts the limit.
#[pyfunction]
#[pyo3(signature = (bytes, device=None))]
pub(crate) fn cuda_set_memory_limit(
    py: Python<'_>,
    bytes: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let read = |b| parameter("set_memory_limit", "bytes").size(b);
    let bytes = bytes.map(read).transpose()?;
    gpu(py, device)?.set_memory_limit(bytes);
    Ok(())
}

/// Waits for everything that this thread asked of a GPU.
#[pyfunction]
#[pyo3(signature = (device=None))]
pub(crate) fn cuda_synchronize(py: Python<'_>, device: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let gpu = gpu(py, device)?;
    enter(py, LONG, || gpu.synchronize())
}
