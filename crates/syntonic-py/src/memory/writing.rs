//! Writing through a view, which every other view sees. The engine refuses views whose elements share memory.

use crate::copies::Host;
use crate::enter::enter;
use crate::graph::Function;
use pyo3::prelude::*;
use syntonic_core::ops::index::{self, IndexItem};
use syntonic_core::{Error, Graph, Tensor};
use syntonic_cuda::copies;

/// Writes `values`, broadcast, over every element of `target`.
pub(crate) fn assign(py: Python<'_>, target: &Tensor, values: &Tensor) -> PyResult<()> {
    let size = target.numel().max(values.numel());
    // SAFETY: the caller's own care, as with any array of Python, keeps other threads from the memory during the call; large
    // arrays are written without the interpreter's lock, and some interpreters have none.
    enter(py, size, || unsafe { target.assign_aliased(values) })
}

/// As [`assign`], of values that are not needed otherwise: with one handle they are not read again, see [`Tensor::assign_last`].
pub(crate) fn assign_last(
    py: Python<'_>,
    target: &Tensor,
    values: &Tensor,
    handles: usize,
) -> PyResult<()> {
    let size = target.numel().max(values.numel());
    // SAFETY: as in `assign`.
    enter(py, size, || unsafe { target.assign_last(values, handles) })
}

/// As [`assign`], between any two devices.
pub(crate) fn copy(py: Python<'_>, target: &Tensor, values: &Tensor, host: Host) -> PyResult<()> {
    // Another device may take long, however few the elements are.
    enter(py, usize::MAX, || match host {
        // SAFETY: as in `assign`.
        Host::GoesOn => unsafe { copies::assign_aliased(target, values) },
        // SAFETY: as in `assign`.
        Host::Waits => unsafe { target.assign_aliased(&values.to(target.device())?) },
    })
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

/// Replays a graph, and writes the inputs that its function writes in place.
pub(crate) fn replay(py: Python<'_>, graph: &Graph, inputs: &[&Tensor]) -> PyResult<Vec<Tensor>> {
    // Always without the interpreter: another thread may be replaying, and need it to look for signals.
    // SAFETY: as in `assign`.
    enter(py, usize::MAX, || unsafe { graph.replay_aliased(inputs) })
}

/// Captures a function over the memory of its inputs.
pub(crate) fn bind(inputs: &[&Tensor], function: Function<'_>) -> Result<Graph, Error> {
    // SAFETY: as in `assign`, at each replay.
    unsafe { Graph::capture_bound(inputs, function) }
}
