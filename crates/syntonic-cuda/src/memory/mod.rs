//! Memory of a GPU: its pool, copies to the host and to other GPUs, the host's memory for them, memory that both share, and what is lent to other libraries.

pub mod copies;
pub(crate) mod lending;
pub mod managed;
pub(crate) mod peer;
pub mod pinned;
pub(crate) mod pool;
pub(crate) mod staging;

use syntonic_core::layout::count;
use syntonic_core::{DType, Error, Result};

/// Bytes of elements in memory whose size is rounded up: an error where that would be beyond any memory.
fn bytes(op: &'static str, shape: &[usize], dtype: DType) -> Result<usize> {
    let bytes = count(op, shape)?.checked_mul(dtype.size());
    bytes
        .filter(|&b| b <= isize::MAX as usize / 2)
        .ok_or_else(|| Error::SizeOverflow {
            op,
            shape: shape.to_vec(),
        })
}
