//! The CPU executor: typed programs, block by block.
//!
//! A program is a list of lane kernels. `map` runs programs without folds. With folds, `rows` takes
//! one row at a time (or cuts a few long rows into chunks), and `columns` takes many rows side by
//! side where the row's elements are not neighbours in memory. Which one is taken depends on shapes
//! and strides alone, never on the number of threads, so results are the same everywhere.

mod ahead;
mod code;
mod columns;
mod extremes;
mod fold;
mod map;
pub(crate) mod parallel;
mod phases;
mod rows;
pub(crate) mod scratch;
mod space;
mod transpose;

use crate::error::Result;
use crate::fuse::Task;

/// Runs a task.
///
/// # Safety
/// As [`crate::Device::run`].
pub(crate) unsafe fn run(task: &Task<'_>) -> Result<()> {
    // SAFETY: the caller's promise is passed on.
    unsafe {
        if task.has_rows() {
            if columns::suits(task) {
                columns::run(task)
            } else {
                rows::run(task)
            }
        } else if transpose::suits(task) {
            transpose::run(task)
        } else {
            map::run(task)
        }
    }
}

/// As [`crate::Device::overwrites`].
pub(crate) fn overwrites(task: &Task<'_>) -> bool {
    !task.has_rows() && !transpose::suits(task) && map::overwrites(task)
}

/// Runs a task without folds on the calling thread: a part of something that is shared out already.
///
/// # Safety
/// As [`crate::Device::run`].
pub(crate) unsafe fn run_here(task: &Task<'_>) -> Result<()> {
    // SAFETY: the caller's promise is passed on.
    unsafe { map::run_here(task) }
}
