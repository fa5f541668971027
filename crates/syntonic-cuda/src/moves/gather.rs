//! Reading elements from where offsets point, and copies that follow memory.

use super::{BLOCK, address, blocks, cell, further};
use crate::context::Context;
use crate::contract::{Contract, contract};
use crate::plan::Carrier;
use crate::walk::{Space, Wide};
use syntonic_core::Result;
use syntonic_core::device::Launch;

contract! {
    "gather":
    /// Elements are read where offsets lead.
    pub(crate) struct Gather<S> as "Gather" {
        /// Output, source, offsets.
        space: S,
        count: u64,
        to: u64,
        from: u64,
        /// 0: no offsets.
        index: u64,
    }
}

contract! {
    "gather":
    /// Runs of neighbours are read where offsets lead.
    pub(crate) struct GatherRuns as "GatherRuns" {
        /// The axes outside a run: output, source, offsets.
        space: Wide<3>,
        count: u64,
        to: u64,
        from: u64,
        index: u64,
        len: u64,
        piece: u64,
        pieces: u64,
        lanes: u32,
        pad: u32,
    }
}

/// Addresses of output and source, and of the offsets or 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) to: u64,
    pub(super) from: u64,
    pub(super) index: u64,
}

/// Shorter runs are moved one element per thread.
const SHORT_RUN: usize = 256;
/// Bytes of a run that a group of threads copies at a time.
const PIECE: usize = 16 << 10;

/// `out[p] = source[p · strides + offsets[p]]`.
///
/// # Safety
/// As [`syntonic_core::ops::moves::GATHER`] says.
pub(crate) unsafe fn gather(context: &Context, args: &Launch) -> Result<()> {
    let (source, offsets, out) = (&args.inputs[0], &args.inputs[1], &args.outputs[0]);
    let strides = [out, source, offsets].map(|a| a.layout.strides());
    let space = Space::sorted(out.layout.shape(), &strides, 0);
    let places = Places {
        to: address(out),
        from: address(source),
        index: address(offsets),
    };
    // SAFETY: the caller's promise.
    unsafe { along(context, out.dtype.size(), &space, places) }
}

/// Whether the innermost axis is one run of memory in output and source, with one offset, and long.
pub(super) fn has_runs(space: &Space, size: usize) -> bool {
    let last = space.dims.len() - 1;
    let steps = [0, 1, 2].map(|k| space.strides[k][last]);
    steps == [1, 1, 0] && space.dims[last] * size >= SHORT_RUN
}

/// Moves the elements of `space`, whose operands are output, source and offsets, the innermost axis by
/// runs where it is one in memory.
///
/// # Safety
/// As [`gather`], for these places.
pub(super) unsafe fn along<C: Carrier>(
    carrier: &C,
    size: usize,
    space: &Space,
    places: Places,
) -> Result<()> {
    if space.len() == 0 {
        return Ok(());
    }
    let in_runs = has_runs(space, size);
    for piece in space.pieces() {
        let places = Places {
            to: further(places.to, piece.bases[0], size),
            from: further(places.from, piece.bases[1], size),
            index: if places.index == 0 {
                0
            } else {
                further(places.index, piece.bases[2], 8)
            },
        };
        // SAFETY: the caller's promise, for a piece of the space.
        unsafe {
            if in_runs {
                runs(carrier, size, &piece, places)?;
            } else {
                each(carrier, size, &piece, places)?;
            }
        }
    }
    Ok(())
}

/// One element per thread.
unsafe fn each<C: Carrier>(carrier: &C, size: usize, space: &Space, at: Places) -> Result<()> {
    let (count, Places { to, from, index }) = (space.len() as u64, at);
    let geometry = blocks(space.len(), 4 * BLOCK as usize);
    let name = format!("gather_{}", cell(size));
    // SAFETY: the caller's promise; the structs are those of the kernels.
    unsafe {
        if space.is_narrow() {
            let space = space.narrow::<3>();
            let params = Gather {
                space,
                count,
                to,
                from,
                index,
            };
            params.launch(carrier, &name, geometry)
        } else {
            let space = space.wide::<3>();
            let params = Gather {
                space,
                count,
                to,
                from,
                index,
            };
            params.launch(carrier, &(name + "_wide"), geometry)
        }
    }
}

/// How a run is split: elements of a piece, pieces of a run, and threads per piece.
fn share(len: usize, size: usize) -> (usize, usize, u32) {
    let piece = PIECE / size;
    // Four vectors in flight per thread are enough.
    let shares = (len.min(piece) * size).div_ceil(64);
    let lanes = shares.next_power_of_two().clamp(4, BLOCK as usize);
    (piece, len.div_ceil(piece), lanes as u32)
}

/// Whole runs, a group of threads each.
unsafe fn runs<C: Carrier>(carrier: &C, size: usize, space: &Space, at: Places) -> Result<()> {
    let last = space.dims.len() - 1;
    let len = space.dims[last];
    let rest: Vec<usize> = (0..last).collect();
    let rows = super::part(space, &rest, &[0, 1, 2]);
    let (piece, pieces, lanes) = share(len, size);
    let params = GatherRuns {
        space: rows.wide(),
        count: rows.len() as u64,
        to: at.to,
        from: at.from,
        index: at.index,
        len: len as u64,
        piece: piece as u64,
        pieces: pieces as u64,
        lanes,
        pad: 0,
    };
    let geometry = blocks(rows.len() * pieces, (BLOCK / lanes) as usize);
    let entry = format!("gather_{}_runs", cell(size));
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(carrier, &entry, geometry) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_shared_by_groups_that_divide_a_block() {
        for (len, size) in [(64, 1), (100, 4), (5000, 4), (1 << 20, 16), (4, 16)] {
            let (piece, pieces, lanes) = share(len, size);
            assert!(piece * pieces >= len && piece * (pieces - 1) < len);
            assert!(BLOCK.is_multiple_of(lanes) && lanes.is_power_of_two());
            assert_eq!(piece * size % 16, 0);
        }
        assert_eq!(share(64, 1).2, 4);
        assert_eq!(share(1 << 20, 4).2, BLOCK);
    }
}
