//! Writing through a view, which every other view sees.

use crate::enter::enter;
use crate::errors::{Class, error};
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_core::ops::index::{self, IndexItem};

/// True where one element of memory stands for several of the tensor, as in a broadcast view.
pub(crate) fn repeats(t: &Tensor) -> bool {
    t.shape()
        .iter()
        .zip(t.strides())
        .any(|(&len, &stride)| len > 1 && stride == 0)
}

fn check(target: &Tensor) -> PyResult<()> {
    if !repeats(target) {
        return Ok(());
    }
    Err(error(
        Class::Argument,
        "assign: one element of a broadcast view stands for many; hint: write to a .copy() of it",
    ))
}

/// Writes `values`, broadcast, over every element of `target`.
pub(crate) fn assign(py: Python<'_>, target: &Tensor, values: &Tensor) -> PyResult<()> {
    check(target)?;
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
    check(target)?;
    // SAFETY: as in `assign`.
    enter(py, target.numel(), || unsafe {
        index::set_aliased(target, items, values)
    })
}
