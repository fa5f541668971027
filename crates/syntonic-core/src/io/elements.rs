//! Elements as bytes, in little-endian order, and back.

use super::stream::PART;
use crate::cpu::cpu;
use crate::dtype::DType;
use crate::error::Result;
use crate::graph::session;
use crate::interrupt::in_pieces;
use crate::layout::count;
use crate::room;
use crate::scalar::Element;
use crate::tensor::Tensor;
use crate::with_element;

/// Calls `visit` with the elements in row-major, little-endian order.
pub(crate) fn with_bytes<R>(t: &Tensor, visit: impl FnOnce(&[u8]) -> R) -> Result<R> {
    with_element!(t.dtype(), T => {
        let values = t.host_slice::<T>()?;
        let values: &[T] = &values;
        // SAFETY: elements have no padding, so they are `size_of_val` initialised bytes.
        let bytes = unsafe {
            std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values))
        };
        if cfg!(target_endian = "big") {
            let mut swapped = room::copied(bytes)?;
            swap(&mut swapped, <T as Element>::DTYPE.align());
            return Ok(visit(&swapped));
        }
        Ok(visit(bytes))
    })
}

/// Bytes of `shape`, or `None` where that overflows.
pub(crate) fn size(dtype: DType, shape: &[usize]) -> Option<usize> {
    count("load", shape).ok()?.checked_mul(dtype.size())
}

/// A new tensor whose bytes `fill` writes, then turned to the order of this machine.
///
/// `Ok(Err(..))` is what `fill` said or, in the inner error's words, that a truth value is neither 0 nor 1.
pub(crate) fn from_fill<E>(
    op: &'static str,
    dtype: DType,
    shape: &[usize],
    order: Order,
    fill: impl FnOnce(&mut [u8]) -> std::result::Result<(), E>,
    bad_bool: impl FnOnce(usize, u8) -> E,
) -> Result<std::result::Result<Tensor, E>> {
    // Filled here and now, also where a graph is captured: the file is no part of that.
    let out = session::outside(|| Tensor::uninit(op, shape, dtype, &cpu()))?;
    let buffer = out.buffer()?;
    let (first, len) = (buffer.address(), buffer.bytes());
    // SAFETY: the buffer is fresh, ours alone, and zeroed before it is seen as initialised bytes.
    let bytes = unsafe {
        in_pieces(len, PART, |from, to| {
            first.wrapping_add(from).write_bytes(0, to - from);
        })?;
        std::slice::from_raw_parts_mut(first, len)
    };
    let filled = fill(bytes).and_then(|()| {
        if let Some(at) = bad_truth(dtype, bytes) {
            let value = std::mem::replace(&mut bytes[at], 0);
            return Err(bad_bool(at, value));
        }
        if order != Order::NATIVE {
            swap(bytes, dtype.align());
        }
        Ok(())
    });
    Ok(filled.map(|()| out))
}

/// Position of the first byte that is no truth value.
fn bad_truth(dtype: DType, bytes: &[u8]) -> Option<usize> {
    if dtype.is_bool() {
        bytes.iter().position(|&b| b > 1)
    } else {
        None
    }
}

/// Which byte of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

impl Order {
    pub(crate) const NATIVE: Order = if cfg!(target_endian = "big") {
        Order::Big
    } else {
        Order::Little
    };
}

/// Turns each number of `width` bytes around.
fn swap(bytes: &mut [u8], width: usize) {
    if width > 1 {
        for number in bytes.chunks_exact_mut(width) {
            number.reverse();
        }
    }
}
