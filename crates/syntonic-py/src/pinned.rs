//! Page-locked memory of the host, which GPUs copy from and to by themselves.

use crate::arguments::parameter;
use crate::cuda::gpu;
use crate::dtype;
use crate::enter::enter;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::DType;
use syntonic_cuda::pinned;

/// Locking pages takes long, however few they are.
const LONG: usize = usize::MAX;

/// Page-locked memory with the numbers that it happens to hold.
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
    Ok(enter(py, LONG, || pinned::empty(&gpu, &shape, dtype))?.into())
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
}
