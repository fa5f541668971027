//! Where a mask is true.

use super::{address, integer, whole};
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use crate::walk::{Space, Wide};
use syntonic_core::Result;
use syntonic_core::device::Launch;
use syntonic_core::ops::moves::MASK_BLOCK;

contract! {
    "index":
    /// Positions where a mask is true.
    pub(crate) struct Mask as "Mask" {
        /// Mask, output of the offsets.
        space: Wide<2>,
        count: u64,
        mask: u64,
        /// Counts to write, or starts to read, and then the end of the last block.
        starts: u64,
        to: u64,
        /// 1: the mask is contiguous and aligned to 16 bytes.
        packed: u64,
    }
}

/// What both kernels are told; the second operand of the space are the offsets.
fn params(space: &Space, mask: u64, starts: u64, to: u64) -> Mask {
    Mask {
        space: space.wide(),
        count: space.len() as u64,
        mask,
        starts,
        to,
        packed: u64::from(space.is_contiguous(0) && mask.is_multiple_of(16)),
    }
}

fn geometry(context: &Context, space: &Space) -> Geometry {
    let most = u64::from(context.multiprocessors()) * 32;
    Geometry::line(
        (space.len().div_ceil(MASK_BLOCK) as u64).min(most),
        super::BLOCK,
    )
}

/// How many positions of each block are true.
///
/// # Safety
/// As [`syntonic_core::ops::moves::MASK_COUNT`] says.
pub(crate) unsafe fn mask_count(context: &Context, args: &Launch) -> Result<()> {
    let (mask, out) = (&args.inputs[0], &args.outputs[0]);
    let space = Space::new(mask.layout.shape(), &[mask.layout.strides()]);
    if space.len() == 0 {
        return Ok(());
    }
    let space = whole("mask_count", space)?;
    let params = params(&space, address(mask), address(out), 0);
    let entry = "mask_count";
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(context, entry, geometry(context, &space)) }
}

/// The offsets of the true positions, for each output's strides.
///
/// # Safety
/// As [`syntonic_core::ops::moves::MASK_OFFSETS`] says.
pub(crate) unsafe fn mask_offsets(context: &Context, args: &Launch) -> Result<()> {
    let (mask, starts) = (&args.inputs[0], &args.inputs[1]);
    let ndim = mask.layout.ndim();
    let entry = "mask_offsets";
    for (k, out) in args.outputs.iter().enumerate() {
        let strides: Vec<isize> = (0..ndim)
            .map(|a| integer(args, k * ndim + a) as isize)
            .collect();
        let space = Space::new(mask.layout.shape(), &[mask.layout.strides(), &strides]);
        if space.len() == 0 {
            continue;
        }
        let space = whole("mask_offsets", space)?;
        let params = params(&space, address(mask), address(starts), address(out));
        // SAFETY: the caller's promise; the struct is the kernel's.
        unsafe { params.launch(context, entry, geometry(context, &space))? };
    }
    Ok(())
}
