//! Unified memory of a GPU and the host.

use crate::arguments::parameter;
use crate::cuda::gpu;
use crate::device;
use crate::dtype;
use crate::enter::enter;
use crate::errors::Class;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::{DType, DeviceId};
use syntonic_cuda::managed::{self, Advice};

/// Asking for memory takes long, however little it is.
const LONG: usize = usize::MAX;

/// Unified memory of zeros.
#[pyfunction]
#[pyo3(signature = (shape, dtype=None, device=None))]
pub(crate) fn cuda_managed_empty(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let shape = parameter("managed_empty", "shape").lengths(shape)?;
    let dtype = dtype::parse_optional(dtype)?.unwrap_or(DType::F64);
    let gpu = gpu(py, device)?;
    Ok(enter(py, LONG, || managed::zeros(&gpu, &shape, dtype))?.into())
}

/// The values of a State in unified memory.
#[pyfunction]
#[pyo3(signature = (x, device=None))]
pub(crate) fn cuda_managed(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let x = parameter("managed", "x").state(x)?;
    let tensor = &x.tensor;
    let gpu = match (device.filter(|d| !d.is_none()), tensor.device_id()) {
        (None, DeviceId::Cuda(ordinal)) => enter(py, LONG, || syntonic_cuda::open(ordinal))?,
        (device, _) => gpu(py, device)?,
    };
    Ok(enter(py, LONG, || managed::from_tensor(&gpu, tensor))?.into())
}

/// Whether a State lies in unified memory.
#[pyfunction]
pub(crate) fn cuda_is_managed(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(managed::is_managed(
        &parameter("is_managed", "x").state(x)?.tensor,
    ))
}

/// Moves the pages of a State in unified memory to a device.
#[pyfunction]
pub(crate) fn cuda_prefetch_to(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    device: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let x = parameter("prefetch_to", "x").state(x)?;
    let to = device::read(device)?;
    let tensor = &x.tensor;
    enter(py, LONG, || managed::prefetch(tensor, to))
}

/// Says how a State in unified memory is going to be used, or takes that back.
#[pyfunction]
#[pyo3(signature = (x, advice, device=None, withdraw=None))]
pub(crate) fn cuda_advise(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    advice: &Bound<'_, PyAny>,
    device: Option<&Bound<'_, PyAny>>,
    withdraw: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let x = parameter("advise", "x").state(x)?;
    let withdraw = withdraw
        .map(|w| parameter("advise", "withdraw").flag(w))
        .transpose()?;
    let tensor = &x.tensor;
    let whose = match device.filter(|d| !d.is_none()) {
        Some(device) => device::read(device)?,
        None => tensor.device_id(),
    };
    let word: Option<String> = advice.extract().ok();
    let advice = match word.as_deref() {
        Some("read_mostly") => Advice::ReadMostly,
        Some("preferred_location") => Advice::PreferredLocation(whose),
        Some("accessed_by") => Advice::AccessedBy(whose),
        _ => {
            let words = "\"read_mostly\", \"preferred_location\" or \"accessed_by\"";
            return Err(parameter("advise", "advice").refuse(Class::Argument, advice, words));
        }
    };
    enter(py, LONG, || match withdraw {
        Some(true) => managed::withdraw(tensor, advice),
        _ => managed::advise(tensor, advice),
    })
}
