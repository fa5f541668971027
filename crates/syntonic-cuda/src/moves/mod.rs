//! Operators that move elements: copies of any layout, gathering and scattering, masks, ramps.

mod add;
mod copy;
pub(crate) mod count;
mod gather;
mod index;
mod mask;
mod ramp;
mod scatter;

pub(crate) use add::{scatter_add, summed_as};
pub(crate) use copy::{Strided, copy};
pub(crate) use gather::gather;
pub(crate) use index::index_offsets;
pub(crate) use mask::{mask_count, mask_offsets};
pub(crate) use ramp::{positions, ramp};
pub(crate) use scatter::scatter;

use crate::context::{Context, Geometry};
use crate::contract::{Contract, Declaration};
use crate::walk::{AXES, Narrow, Space, Wide};
use syntonic_core::device::{Arg, Launch};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::ops::moves::MASK_BLOCK;
use syntonic_core::{Error, Result};

/// Threads per block.
pub(crate) const BLOCK: u32 = 256;

/// How the kernels that only move elements call those of this size.
fn cell(size: usize) -> &'static str {
    match size {
        1 => "b1",
        2 => "b2",
        4 => "b4",
        8 => "b8",
        _ => "b16",
    }
}

/// The address of an operand's first element.
pub(crate) fn address(arg: &Arg) -> u64 {
    arg.address() as u64
}

/// The same, null where there are no elements.
pub(crate) fn address_or_null(arg: &Arg) -> u64 {
    match arg.layout.numel() {
        0 => 0,
        _ => address(arg),
    }
}

/// The address `elements` further on; views never leave their memory, so the sum does not wrap.
pub(crate) fn further(address: u64, elements: isize, size: usize) -> u64 {
    address.wrapping_add_signed(elements as i64 * size as i64)
}

/// A parameter as an integer.
fn integer(args: &Launch, at: usize) -> i64 {
    args.params.get(at).map_or(0, |p| p.to_i128() as i64)
}

/// A block per `per` items; kernels are grid-stride loops where a grid cannot have as many.
pub(crate) fn blocks(items: usize, per: usize) -> Geometry {
    Geometry::line(items.div_ceil(per).max(1) as u64, BLOCK)
}

/// A grid that fills the GPU a few times over, capped by the items.
pub(crate) fn rounds(context: &Context, items: usize) -> Geometry {
    rounds_of(context.multiprocessors(), items)
}

/// [`rounds`] on a card of so many multiprocessors.
fn rounds_of(multiprocessors: u32, items: usize) -> Geometry {
    let most = multiprocessors as usize * 32;
    blocks(items.min(most * BLOCK as usize), BLOCK as usize)
}

/// The index space of operands of one shape, in row-major order.
fn over(args: &[&Arg]) -> Space {
    let strides: Vec<&[isize]> = args.iter().map(|a| a.layout.strides()).collect();
    Space::new(args[0].layout.shape(), &strides)
}

/// The space, for a kernel that has to walk it in one piece.
pub(crate) fn whole(op: &'static str, space: Space) -> Result<Space> {
    if space.dims.len() <= AXES {
        return Ok(space);
    }
    Err(Error::value(
        op,
        format!(
            "an index of {} axes that do not merge is more than the {AXES} of the GPU's kernel; \
             hint: make the operands contiguous first",
            space.dims.len()
        ),
    ))
}

/// Some axes of a space for some of its operands.
fn part(space: &Space, axes: &[usize], operands: &[usize]) -> Space {
    let dims: Dims = axes.iter().map(|&a| space.dims[a]).collect();
    let strides: Vec<Strides> = operands
        .iter()
        .map(|&k| axes.iter().map(|&a| space.strides[k][a]).collect())
        .collect();
    let views: Vec<&[isize]> = strides.iter().map(|s| &s[..]).collect();
    Space::new(&dims, &views)
}

/// The parameters of the kernels here.
pub(crate) fn contracts() -> Vec<Declaration> {
    vec![
        // few: one a struct.
        add::ScatterAdd::declaration(),
        add::AddKeys::declaration(),
        add::AddGroups::declaration(),
        copy::Transpose::declaration(),
        count::Bins::declaration(),
        gather::Gather::<Narrow<3>>::declaration(),
        gather::Gather::<Wide<3>>::declaration(),
        gather::GatherRuns::declaration(),
        index::IndexOffsets::declaration(),
        mask::Mask::declaration(),
        ramp::Ramp::declaration(),
        scatter::Scatter::<Narrow<4>>::declaration(),
        scatter::Scatter::<Wide<4>>::declaration(),
        scatter::Claim::declaration(),
        Declaration::constant("index", "MASK_BLOCK", MASK_BLOCK as u32),
        Declaration::constant("search", "FEW_BINS", count::FEW as u32),
    ]
}
