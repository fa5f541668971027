//! Copies of boxes of a tensor between global and shared memory. They are complete as soon as they are issued, as other
//! asynchronous copies are.

use super::copy::{Spaces, address, destination};
use super::mbarrier;
use crate::machine::context::{Context, lanes};
use crate::machine::fault::Trouble;
use crate::machine::op::{NONE, Op};
use crate::machine::reach::{Deed, Strength, Touch, flags};
use crate::machine::swizzle::Swizzle;
use crate::machine::tensor_map::{BYTES, MOST, TensorMap};

/// What shared memory's side of a box is a multiple of.
const ALIGN: u32 = 128;

fn touch(bytes: usize, align: u32, deed: Deed) -> Touch {
    Touch {
        bytes: bytes as u32,
        align,
        deed,
        strength: Strength::Weak,
    }
}

/// Leaves coordinates for the copy that follows: one for each of `r` up to `imm`.
pub(crate) fn coordinates(context: &mut Context, op: &Op) {
    for axis in 0..(op.imm as usize).min(MOST) {
        context.scratch.coordinates[axis] = context.get::<i32>(op.r[axis]);
    }
}

/// The map at a lane's address, of as many dimensions as the instruction says.
fn map_at(context: &mut Context, op: &Op, lane: usize, space: u32) -> Option<TensorMap> {
    let at = address(context, op.r[0], space, lane);
    let found = context.place(
        op,
        lane,
        space & flags::SPACE,
        at,
        touch(BYTES, 64, Deed::Load),
    )?;
    // SAFETY: `place` found so many bytes there, in live memory.
    let bytes = unsafe { found.cast::<[u8; BYTES]>().read() };
    let what = match TensorMap::decode(&bytes) {
        None => "no tensor map that the driver made".to_owned(),
        Some(map) if map.rank as u64 != op.imm => {
            format!("a tensor map of {} dimensions", map.rank)
        }
        // CUDA's guide asks for room for the whole width then, and does not say where the rows lie in it.
        Some(map)
            if map.swizzle != Swizzle::None && map.row_bytes() as u64 != map.swizzle.span() =>
        {
            format!(
                "rows of {} bytes in a swizzle of {}",
                map.row_bytes(),
                map.swizzle.span()
            )
        }
        Some(map) => return Some(map),
    };
    context.fail(op, lane, Trouble::Unsupported(format!("{what} at {at:#x}")));
    None
}

/// The part of a box's row that lies in the tensor.
struct Stretch {
    address: u64,
    /// Bytes of the row before it.
    skipped: usize,
    bytes: usize,
}

/// What of row number `row` of the box at `start` lies in the tensor.
fn stretch(map: &TensorMap, start: [i32; MOST], row: usize) -> Option<Stretch> {
    let (mut left, mut address) = (row, u128::from(map.address));
    for (axis, first) in start.iter().enumerate().take(map.rank).skip(1) {
        let count = map.count(axis);
        let at = i64::from(*first) + (left % count) as i64 * i64::from(map.steps[axis]);
        left /= count;
        let at = u64::try_from(at)
            .ok()
            .filter(|at| *at < map.extents[axis])?;
        address += u128::from(at) * u128::from(map.strides[axis - 1]);
    }
    let extent = map.extents[0] as i64;
    let first = i64::from(start[0]);
    let from = first.clamp(0, extent);
    let to = (first + map.count(0) as i64).clamp(0, extent);
    if from >= to {
        return None;
    }
    let bytes = map.element.bytes()?;
    address += u128::from(from as u64 * bytes);
    Some(Stretch {
        // What no address is outside of every allocation.
        address: u64::try_from(address).unwrap_or(u64::MAX - u64::from(u16::MAX)),
        skipped: (from - first) as usize * bytes as usize,
        bytes: (to - from) as usize * bytes as usize,
    })
}

/// Reads the box at `start` from global memory; whether all of it could be read.
fn gather(
    context: &mut Context,
    op: &Op,
    lane: usize,
    map: &TensorMap,
    start: [i32; MOST],
    bytes: &mut Vec<u8>,
) -> bool {
    let length = map.row_bytes();
    bytes.clear();
    bytes.resize(length * map.rows(), 0);
    if map.nan
        && let (Some(nan), Some(size)) = (map.element.nan(), map.element.bytes())
    {
        for element in bytes.chunks_exact_mut(size as usize) {
            element.copy_from_slice(&nan.to_le_bytes()[..size as usize]);
        }
    }
    for (row, to) in bytes.chunks_exact_mut(length).enumerate() {
        let Some(found) = stretch(map, start, row) else {
            continue;
        };
        let touch = touch(found.bytes, 1, Deed::Load);
        let Some(from) =
            context.place_asynchronously(op, lane, flags::GLOBAL, found.address, touch)
        else {
            return false;
        };
        let to = &mut to[found.skipped..found.skipped + found.bytes];
        // SAFETY: `place` found so many bytes there, in live memory of the card, which is not the vector's.
        unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), found.bytes) };
    }
    true
}

/// Exchanges a box with the shared memory at `at`, whose host address is `base`. `exchange` takes a unit's number and where
/// it lies.
fn units(
    swizzle: Swizzle,
    at: u64,
    base: *mut u8,
    bytes: usize,
    exchange: impl Fn(usize, *mut u8),
) {
    let at = at & 0xFF_FFFF;
    for unit in 0..bytes / 16 {
        let linear = at + 16 * unit as u64;
        let moved = swizzle.place(linear).wrapping_sub(at);
        exchange(unit, base.wrapping_add(moved as usize));
    }
}

/// `cp.async.bulk.tensor` to shared memory: `r` are map, nothing, barrier, the blocks that take a copy, the target; `imm` is
/// the number of dimensions.
pub(crate) fn load(context: &mut Context, op: &Op) {
    let spaces = Spaces::of(op);
    let mut bytes = std::mem::take(&mut context.scratch.box_bytes);
    for lane in lanes(context.mask) {
        let start = std::array::from_fn(|axis| context.scratch.coordinates[axis][lane]);
        let Some(map) = map_at(context, op, lane, spaces.source) else {
            break;
        };
        if !gather(context, op, lane, &map, start, &mut bytes) {
            break;
        }
        let to = address(context, op.r[4], spaces.target, lane);
        let barrier = (op.r[2] != NONE).then(|| address(context, op.r[2], spaces.barrier, lane));
        let blocks = (op.r[3] != NONE).then(|| context.lane::<u16>(op.r[3], lane));
        for rank in 0..16 {
            let Some(moved) = destination(blocks, rank) else {
                continue;
            };
            let to = moved.map_or(to, |moved| to & 0xFF_FFFF | moved);
            let touch = touch(bytes.len(), ALIGN, Deed::Store);
            let Some(base) =
                context.place_asynchronously(op, lane, spaces.target & flags::SPACE, to, touch)
            else {
                break;
            };
            units(map.swizzle, to, base, bytes.len(), |unit, place| {
                let from = bytes[16 * unit..16 * unit + 16].as_ptr();
                // SAFETY: `place` found room for the box there; units change places within rows, which are as long as that.
                unsafe { std::ptr::copy_nonoverlapping(from, place, 16) };
            });
            // All of a box counts, also what lies outside of the tensor.
            if let Some(barrier) = barrier {
                let barrier = moved.map_or(barrier, |moved| barrier & 0xFF_FFFF | moved);
                let (space, count) = (spaces.barrier & flags::SPACE, bytes.len() as u32);
                mbarrier::complete(context, op, lane, space, barrier, count);
            }
        }
    }
    context.scratch.box_bytes = bytes;
}

/// `cp.async.bulk.tensor` to global memory: `r` are map, nothing, nothing, nothing, the source; `imm` is the number of
/// dimensions.
pub(crate) fn store(context: &mut Context, op: &Op) {
    let spaces = Spaces::of(op);
    let mut bytes = std::mem::take(&mut context.scratch.box_bytes);
    for lane in lanes(context.mask) {
        let start = std::array::from_fn(|axis| context.scratch.coordinates[axis][lane]);
        let Some(map) = map_at(context, op, lane, spaces.target) else {
            break;
        };
        if !take(context, op, lane, &map, spaces.source, &mut bytes)
            || !scatter(context, op, lane, &map, start, &bytes)
        {
            break;
        }
    }
    context.scratch.box_bytes = bytes;
}

/// Reads a box from shared memory; whether it is there.
fn take(
    context: &mut Context,
    op: &Op,
    lane: usize,
    map: &TensorMap,
    space: u32,
    bytes: &mut Vec<u8>,
) -> bool {
    bytes.clear();
    bytes.resize(map.row_bytes() * map.rows(), 0);
    let from = address(context, op.r[4], space, lane);
    let touch = touch(bytes.len(), ALIGN, Deed::Load);
    let Some(base) = context.place_asynchronously(op, lane, space & flags::SPACE, from, touch)
    else {
        return false;
    };
    let to = bytes.as_mut_ptr();
    units(map.swizzle, from, base, bytes.len(), |unit, place| {
        // SAFETY: `place` found the box there; units change places within rows. The vector has as many units.
        unsafe { std::ptr::copy_nonoverlapping(place, to.add(16 * unit), 16) };
    });
    true
}

/// Writes a box to global memory, but for what lies outside of the tensor; whether all of it could be written.
fn scatter(
    context: &mut Context,
    op: &Op,
    lane: usize,
    map: &TensorMap,
    start: [i32; MOST],
    bytes: &[u8],
) -> bool {
    for (row, from) in bytes.chunks_exact(map.row_bytes()).enumerate() {
        let Some(found) = stretch(map, start, row) else {
            continue;
        };
        let touch = touch(found.bytes, 1, Deed::Store);
        let Some(to) = context.place_asynchronously(op, lane, flags::GLOBAL, found.address, touch)
        else {
            return false;
        };
        let from = &from[found.skipped..found.skipped + found.bytes];
        // SAFETY: `place` found so many bytes there, in live memory of the card, which is not the vector's.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, found.bytes) };
    }
    true
}
