//! Writing through a view, which every other view sees. The engine refuses views whose elements share memory.

use crate::enter::enter;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_core::ops::index::{self, IndexItem};

/// Writes `values`, broadcast, over every element of `target`.
pub(crate) fn assign(py: Python<'_>, target: &Tensor, values: &Tensor) -> PyResult<()> {
    let size = target.numel().max(values.numel());
    // SAFETY: the interpreter's lock, or the caller's own care as with any array of Python, keeps
    // other threads from the memory during the call.
    enter(py, size, || unsafe { target.assign_aliased(values) })
}

/// Writes `values`, broadcast, where the items point.
pub(crate) fn put(
    py: Python<'_>,
    target: &Tensor,
    items: &[IndexItem],
    values: &Tensor,
) -> PyResult<()> {
    // SAFETY: as in `assign`.
    enter(py, target.numel(), || unsafe {
        index::set_aliased(target, items, values)
    })
}
