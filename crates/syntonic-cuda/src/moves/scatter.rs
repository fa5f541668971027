//! Scatter: writing elements to where offsets point; of several values for one element the last wins.

use super::{BLOCK, address, blocks, cell, further, over, part, rounds, whole};
use crate::context::{Context, Scratch};
use crate::contract::{Contract, contract};
use crate::walk::{Space, Wide};
use syntonic_core::Result;
use syntonic_core::device::Launch;
use syntonic_core::layout::{Strides, row_major};

contract! {
    "scatter":
    /// Elements are written where offsets lead.
    pub(crate) struct Scatter<S> as "Scatter" {
        /// Target, values, offsets, keep.
        space: S,
        count: u64,
        to: u64,
        from: u64,
        index: u64,
        /// 0: every position.
        keep: u64,
    }
}

contract! {
    "scatter":
    /// The last position of each target is found in a hash table.
    pub(crate) struct Claim as "Claim" {
        /// Target, offsets, over the axes that decide who meets.
        space: Wide<2>,
        count: u64,
        index: u64,
        table: u64,
        mask: u64,
        keep: u64,
    }
}

/// Bytes of a slot of the hash table of claims, and the byte that marks a free one.
const SLOT: usize = 16;
const FREE: u8 = 0x80;

/// The operands of an index space for writing.
const TARGET: usize = 0;
const OFFSETS: usize = 2;

/// The axes along which positions may collide, or none if no two do: those with target stride 0, and those along which
/// offsets vary. Colliding positions differ along no other axis.
pub(super) fn meeting_axes(space: &Space) -> Vec<usize> {
    let axes = 0..space.dims.len();
    let still = |a: usize| space.dims[a] > 1 && space.strides[TARGET][a] == 0;
    if !axes.clone().any(still) {
        return Vec::new();
    }
    let varies = |a: usize| space.strides[OFFSETS][a] != 0;
    axes.filter(|&a| still(a) || varies(a)).collect()
}

/// `target[p · strides + offsets[p]] = values[p]`.
///
/// # Safety
/// As [`syntonic_core::ops::moves::SCATTER`] says.
pub(crate) unsafe fn scatter(context: &Context, args: &Launch) -> Result<()> {
    let (values, offsets, target) = (&args.inputs[0], &args.inputs[1], &args.outputs[0]);
    let mut space = over(&[target, values, offsets]);
    if space.len() == 0 {
        return Ok(());
    }
    let axes = meeting_axes(&space);
    let kept = if axes.is_empty() {
        None
    } else {
        // SAFETY: the caller's promise.
        Some(unsafe { last_ones(context, &space, &axes, address(offsets))? })
    };
    space.strides.push(spread(&space, &axes));
    space.bases.push(0);
    let keep = kept.as_ref().map_or(0, Scratch::address);
    let size = target.dtype.size();
    for piece in space.pieces() {
        let at = |k: usize, address: u64, size: usize| further(address, piece.bases[k], size);
        let keep = if keep == 0 { 0 } else { at(3, keep, 1) };
        let places = [
            at(0, address(target), size),
            at(1, address(values), size),
            at(2, address(offsets), 8),
            keep,
        ];
        // SAFETY: the caller's promise; the marks have a byte for each position of the colliding axes.
        unsafe { write(context, size, &piece, places)? };
    }
    Ok(())
}

/// Strides of a row-major array over some axes of a space, 0 along the others.
fn spread(space: &Space, axes: &[usize]) -> Strides {
    let dims: Vec<usize> = axes.iter().map(|&a| space.dims[a]).collect();
    let mut out = Strides::from_elem(0, space.dims.len());
    for (&axis, &stride) in axes.iter().zip(&row_major(&dims)) {
        out[axis] = stride;
    }
    out
}

unsafe fn write(
    context: &Context,
    size: usize,
    space: &Space,
    [to, from, index, keep]: [u64; 4],
) -> Result<()> {
    let count = space.len() as u64;
    let geometry = blocks(space.len(), 4 * BLOCK as usize);
    let name = format!("scatter_{}", cell(size));
    // SAFETY: the caller's promise; the structs are those of the kernels.
    unsafe {
        if space.is_narrow() {
            let params = Scatter {
                space: space.narrow::<4>(),
                count,
                to,
                from,
                index,
                keep,
            };
            params.launch(context, &name, geometry)
        } else {
            let params = Scatter {
                space: space.wide::<4>(),
                count,
                to,
                from,
                index,
                keep,
            };
            params.launch(context, &(name + "_wide"), geometry)
        }
    }
}

/// A byte for each position of the colliding axes: 1 for the last of those with the same target.
///
/// # Safety
/// The offsets are live and fit the space.
unsafe fn last_ones<'a>(
    context: &'a Context,
    space: &Space,
    axes: &[usize],
    offsets: u64,
) -> Result<Scratch<'a>> {
    let keys = whole("scatter", part(space, axes, &[TARGET, OFFSETS]))?;
    let slots = (2 * keys.len()).next_power_of_two();
    let table = context.scratch(slots * SLOT)?;
    let keep = context.scratch(keys.len())?;
    let params = Claim {
        space: keys.wide(),
        count: keys.len() as u64,
        index: offsets,
        table: table.address(),
        mask: slots as u64 - 1,
        keep: keep.address(),
    };
    let geometry = rounds(context, keys.len());
    // SAFETY: the table has all slots, free, and the marks a byte for each position.
    unsafe {
        context.set_bytes(table.address(), FREE, slots * SLOT)?;
        for entry in ["scatter_claim", "scatter_settle"] {
            params.launch(context, entry, geometry)?;
        }
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_meet_along_their_own_axis_only() {
        // target[index[i], j] = values[i, j]
        let rows = Space::new(&[10, 7], &[&[0, 1], &[7, 1], &[1, 0]]);
        assert_eq!(meeting_axes(&rows), [0]);
        assert_eq!(spread(&rows, &[0])[..], [1, 0]);
        // target[i, index[i, j]] = values[i, j]
        let along = Space::new(&[10, 7], &[&[9, 0], &[7, 1], &[7, 1]]);
        assert_eq!(meeting_axes(&along), [0, 1]);
        assert_eq!(spread(&along, &[0, 1])[..], [7, 1]);
        // target[i, index] = values[i]: every position has a row of its own.
        let apart = Space::new(&[10], &[&[9], &[1], &[0]]);
        assert_eq!(meeting_axes(&apart), [0usize; 0]);
    }
}
