//! From indices to offsets, with the check that every index lies inside its axis.

use super::{address, further, integer, over, rounds};
use crate::context::Context;
use crate::contract::{Contract, contract};
use crate::ptx::name::entry_name;
use crate::walk::{Space, Wide};
use syntonic_core::device::{Arg, Launch};
use syntonic_core::{DType, Error, Result};

contract! {
    "index":
    /// Offsets of indices along an axis of `len` elements.
    pub(crate) struct IndexOffsets as "IndexOffsets" {
        /// Output, indices.
        space: Wide<2>,
        count: u64,
        to: u64,
        from: u64,
        bad: u64,
        len: i64,
        stride: i64,
    }
}

/// `out[p] = wrap(index[p]) · stride`.
///
/// # Safety
/// As [`syntonic_core::ops::moves::INDEX_OFFSETS`] says.
pub(crate) unsafe fn index_offsets(context: &Context, args: &Launch) -> Result<()> {
    let (index, out) = (&args.inputs[0], &args.outputs[0]);
    let (len, stride) = (integer(args, 0), integer(args, 1));
    if !index.dtype.is_integer() {
        return Err(Error::value(
            "index_offsets",
            format!("{} is no integer type", index.dtype),
        ));
    }
    let entry = entry_name("index_offsets", &[index.dtype], "");
    let bad = context.scratch(8)?;
    for piece in over(&[out, index]).pieces().filter(|p| p.len() > 0) {
        let from = further(address(index), piece.bases[1], index.dtype.size());
        let params = IndexOffsets {
            space: piece.wide(),
            count: piece.len() as u64,
            to: further(address(out), piece.bases[0], 8),
            from,
            bad: bad.address(),
            len,
            stride,
        };
        // SAFETY: the scratch holds a word; the rest is the caller's promise.
        let found = unsafe {
            context.set_bytes(bad.address(), 0xFF, 8)?;
            params.launch(context, &entry, rounds(context, piece.len()))?;
            context.read::<u64>(bad.address())?
        };
        if found != u64::MAX {
            let at = further(from, offset(&piece, 1, found as usize), index.dtype.size());
            // SAFETY: the position lies in the index space.
            let index = unsafe { value(context, index, at)? };
            return Err(Error::Index {
                op: "index",
                index,
                axis: 0,
                len: len as usize,
            });
        }
    }
    Ok(())
}

/// The offset of operand `k` at position `at` in row-major order.
fn offset(space: &Space, k: usize, mut at: usize) -> isize {
    let mut offset = 0;
    for (&len, &stride) in space.dims.iter().zip(&space.strides[k]).rev() {
        offset += (at % len) as isize * stride;
        at /= len;
    }
    offset
}

/// The index at an address, as errors show it.
///
/// # Safety
/// An element of the operand's type lies there.
unsafe fn value(context: &Context, index: &Arg, at: u64) -> Result<i64> {
    // SAFETY: the caller's promise.
    unsafe {
        Ok(match index.dtype {
            DType::I8 => context.read::<i8>(at)?.into(),
            DType::I16 => context.read::<i16>(at)?.into(),
            DType::I32 => context.read::<i32>(at)?.into(),
            DType::U8 => context.read::<u8>(at)?.into(),
            DType::U16 => context.read::<u16>(at)?.into(),
            DType::U32 => context.read::<u32>(at)?.into(),
            DType::U64 => i64::try_from(context.read::<u64>(at)?).unwrap_or(i64::MAX),
            _ => context.read::<i64>(at)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_leads_to_its_offset() {
        let space = Space::new(&[3, 4, 5], &[&[20, 5, 1], &[-1, 30, 7]]);
        assert_eq!(offset(&space, 0, 33), 33);
        // 33 = (1 · 4 + 2) · 5 + 3
        assert_eq!(offset(&space, 1, 33), -1 + 2 * 30 + 3 * 7);
    }
}
