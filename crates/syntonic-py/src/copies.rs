//! Copies between the host and GPUs that need not wait, and the page-locked memory that they need.

use crate::arguments::parameter;
use crate::cuda::gpu;
use crate::dtype;
use crate::enter::enter;
use crate::memory::writing;
use crate::state::State;
use pyo3::prelude::*;
use std::sync::Arc;
use syntonic_core::{DType, Device, DeviceId, Error, Tensor};
use syntonic_cuda::{copies, pinned};

/// Locking pages takes long, however few they are.
const LONG: usize = usize::MAX;

/// Whether the host waits for a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    Waits,
    GoesOn,
}

impl Host {
    /// What the argument `non_blocking` says.
    pub(crate) fn read(
        op: &'static str,
        non_blocking: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Host> {
        let goes_on = non_blocking.map(|n| parameter(op, "non_blocking").flag(n));
        Ok(match goes_on.transpose()? {
            Some(true) => Host::GoesOn,
            _ => Host::Waits,
        })
    }

    /// The values on another device.
    pub(crate) fn bring(self, x: &Tensor, device: &Arc<dyn Device>) -> Result<Tensor, Error> {
        match (self, x.device_id(), device.id()) {
            (Host::GoesOn, _, DeviceId::Cuda(ordinal)) => {
                copies::upload(&syntonic_cuda::open(ordinal)?, x)
            }
            (Host::GoesOn, DeviceId::Cuda(_), DeviceId::Cpu) => copies::download(x),
            _ => x.to(device),
        }
    }
}

/// Page-locked memory of zeros.
#[pyfunction]
#[pyo3(signature = (shape, dtype=None, device=None))]
pub(crate) fn cuda_pinned_empty(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let shape = parameter("pinned_empty", "shape").lengths(shape)?;
    let dtype = dtype::parse_optional(dtype)?.unwrap_or(DType::F64);
    let gpu = gpu(py, device)?;
    Ok(enter(py, LONG, || pinned::zeros(&gpu, &shape, dtype))?.into())
}

#[pymethods]
impl State {
    /// The same values in page-locked memory of the CPU; itself if they lie there already, row-major.
    #[pyo3(signature = (device=None))]
    fn pin_memory<'py>(
        slf: &Bound<'py, Self>,
        device: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, State>> {
        let (py, tensor) = (slf.py(), &slf.get().tensor);
        if pinned::is_pinned(tensor) && tensor.is_contiguous() {
            return Ok(slf.clone());
        }
        let gpu = gpu(py, device)?;
        let out = enter(py, LONG, || pinned::pin(&gpu, tensor))?;
        Bound::new(py, State::from(out))
    }

    /// Whether the elements lie in page-locked memory that `pin_memory` or `cuda.pinned_empty` gave.
    #[getter]
    fn is_pinned(&self) -> bool {
        pinned::is_pinned(&self.tensor)
    }

    /// Writes the values of another State, broadcast and cast, on whichever device either is, and returns this one.
    #[pyo3(signature = (values, non_blocking=None), text_signature = "($self, values, non_blocking=False)")]
    fn copy_<'py>(
        slf: &Bound<'py, Self>,
        values: &Bound<'py, PyAny>,
        non_blocking: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, State>> {
        let host = Host::read("copy_", non_blocking)?;
        let values = parameter("copy_", "values").state(values)?;
        writing::copy(slf.py(), &slf.get().tensor, &values.tensor, host)?;
        Ok(slf.clone())
    }
}
