//! Writing through a view, which every other view sees. The engine refuses views whose elements share memory.

use crate::copies::Host;
use crate::enter::enter;
use crate::errors::raise;
use crate::graph::Function;
use pyo3::prelude::*;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply_in_place, fill_in_place};
use syntonic_core::ops::index::{self, IndexItem};
use syntonic_core::{Error, Graph, Single, Tensor};
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

/// `target = prim(target, other)` of few elements in host memory, at once; says whether that was the way.
#[inline]
pub(crate) fn apply(py: Python<'_>, prim: Prim, target: &Tensor, other: Arg<'_>) -> PyResult<bool> {
    // SAFETY: as in `assign`.
    enter(py, 0, || unsafe { apply_in_place(prim, target, other) })
}

/// Writes a number over few elements of host memory; says whether that was the way.
#[inline]
pub(crate) fn fill(py: Python<'_>, target: &Tensor, value: Single) -> PyResult<bool> {
    // SAFETY: as in `assign`.
    enter(py, 0, || unsafe { fill_in_place(target, value) })
}

/// Writes a number over the element at a position of host memory; says whether that was the way.
#[inline]
pub(crate) fn put_single(target: &Tensor, position: &[i64], value: Single) -> PyResult<bool> {
    // SAFETY: as in `assign`.
    unsafe { target.put_single(position, value) }.map_err(raise)
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
