//! The index space of a sweep: kept axes and folded axes in the order that suits memory, and how each operand is read there.

use super::super::params::OPERANDS;
use crate::plan::walked::{Access, Reached, moves};
use crate::walk::{AXES, Space};
use std::ops::Range;
use syntonic_core::DType;
use syntonic_core::fuse::Task;
use syntonic_core::layout::{Dims, Strides};

/// The axes among which the vector axis is: its elements are neighbours in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) enum Side {
    /// Kept: threads side by side own neighbouring rows.
    Kept,
    /// Folded: threads side by side share a row.
    Folded,
}

/// How an operand or result lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Reach {
    /// How the elements of one vector are read or written.
    pub(in super::super) access: Access,
    /// A bit for each kept axis along which it moves, the innermost first.
    pub(in super::super) kept: u8,
    /// The same for folded axes.
    pub(in super::super) folded: u8,
    /// The first operand or result with the same strides over the folded axes.
    pub(in super::super) like: u8,
}

impl Reach {
    pub(super) const NONE: Reach = Reach {
        access: Access::Point,
        kept: 0,
        folded: 0,
        like: 0,
    };
}

/// The space of a task.
pub(super) struct Layout {
    pub(super) side: Side,
    /// Elements per vector.
    pub(super) lanes: usize,
    /// Kept axes, and strides and bases of every operand and result over them.
    pub(super) kept: Space,
    /// The same for folded axes.
    pub(super) folded: Space,
    /// The address of each operand and result where the walk begins.
    pub(super) addresses: Vec<u64>,
    pub(super) reach: [Reach; OPERANDS],
    /// Whether an operand's neighbours lie along an axis of the other side.
    pub(super) is_turned: bool,
}

/// An operand or result of the task.
struct Operand {
    address: u64,
    size: usize,
    /// False of an index.
    in_memory: bool,
    /// Over kept and then folded axes, in the task's order.
    strides: Strides,
    /// Bytes of its elements.
    bytes: usize,
}

impl Layout {
    /// The space of a task whose vectors have at most `most` elements, and lie on this side if on one; nothing where it has too many
    /// axes, or positions.
    pub(super) fn of(
        task: &Task<'_>,
        dtypes: &[DType],
        most: usize,
        side: Option<Side>,
    ) -> Option<Layout> {
        let dims: Dims = task.outer.iter().chain(&task.row).copied().collect();
        let operands: Vec<Operand> = task
            .slots()
            .zip(dtypes)
            .enumerate()
            .map(|(k, (slot, dtype))| {
                let in_memory = !task.program.is_index(k);
                let strides: Strides = slot.outer.iter().chain(&slot.row).copied().collect();
                let moves = dims.iter().zip(&strides).filter(|(_, s)| **s != 0);
                let elements: usize = moves.map(|(n, _)| n).product();
                Operand {
                    address: slot.address as u64,
                    size: if in_memory { dtype.size() } else { 1 },
                    in_memory,
                    strides,
                    bytes: if in_memory {
                        elements * dtype.size()
                    } else {
                        0
                    },
                }
            })
            .collect();
        // Complex numbers may lie at multiples of their parts' size, which no load of both takes.
        if operands
            .iter()
            .any(|o| !o.address.is_multiple_of(o.size as u64))
        {
            return None;
        }
        let kept_axes = task.outer.len();
        let [of_kept, of_folded] = [0..kept_axes, kept_axes..dims.len()]
            .map(|axes| contiguous_axis(&dims, &operands, axes));
        let mut addresses: Vec<u64> = operands.iter().map(|o| o.address).collect();
        let sizes: Vec<usize> = operands.iter().map(|o| o.size).collect();
        let mut ordered = |axes: Range<usize>, inner: Contiguous| -> Space {
            let space = in_order(&dims, &operands, axes, inner.axis);
            for ((address, base), size) in addresses.iter_mut().zip(&space.bases).zip(&sizes) {
                *address = address.wrapping_add_signed((base * *size as isize) as i64);
            }
            space
        };
        let kept = ordered(0..kept_axes, of_kept);
        let folded = ordered(kept_axes..dims.len(), of_folded);
        let narrow = kept.is_narrow_beside(&folded);
        if kept.dims.len() > AXES || folded.dims.len() > AXES || !narrow {
            return None;
        }
        let side = side.unwrap_or(match of_kept.bytes > of_folded.bytes {
            true => Side::Kept,
            false => Side::Folded,
        });
        let (inner, other) = match side {
            Side::Kept => (&kept, &folded),
            Side::Folded => (&folded, &kept),
        };
        let all: Vec<Strides> = (inner.strides.iter().zip(&other.strides))
            .map(|(inner, other)| other.iter().chain(inner).copied().collect())
            .collect();
        let reached: Vec<Reached<'_>> = (addresses.iter().zip(&sizes).zip(&all))
            .map(|((&address, &size), strides)| Reached {
                address,
                size,
                strides,
            })
            .collect();
        let in_memory = || operands.iter().map(|o| o.in_memory);
        let read = reached.iter().zip(in_memory()).filter(|(_, there)| *there);
        let read: Vec<&Reached<'_>> = read.map(|(t, _)| t).collect();
        let lanes = lanes(&read, inner.dims.last().copied().unwrap_or(1), most);
        let mut reach = [Reach::NONE; OPERANDS];
        for (k, (to, tensor)) in reach.iter_mut().zip(&reached).enumerate() {
            let same = |j: &usize| folded.strides[*j] == folded.strides[k];
            *to = Reach {
                access: match tensor.access(lanes) {
                    // Where an index begins makes no other kernel.
                    Access::Vector if !operands[k].in_memory => Access::Neighbours,
                    access => access,
                },
                kept: moves(&kept.strides[k]),
                folded: moves(&folded.strides[k]),
                like: (0..k).find(same).unwrap_or(k) as u8,
            };
        }
        let turned = |k: usize| {
            let last = other.strides[k].last();
            operands[k].in_memory
                && reach[k].access == Access::Apart
                && last.is_some_and(|s| s.unsigned_abs() == 1)
        };
        let is_turned = (0..operands.len()).any(turned);
        Some(Layout {
            is_turned,
            side,
            lanes,
            kept,
            folded,
            addresses,
            reach,
        })
    }
}

/// The axis along which most bytes are contiguous, if any are, and how many.
#[derive(Clone, Copy, Debug, Default)]
struct Contiguous {
    axis: Option<usize>,
    bytes: usize,
}

fn contiguous_axis(dims: &[usize], operands: &[Operand], axes: Range<usize>) -> Contiguous {
    let bytes = |axis: usize| -> usize {
        let there = operands
            .iter()
            .filter(|o| o.strides[axis].unsigned_abs() == 1);
        there.map(|o| o.bytes).sum()
    };
    let long = axes.filter(|&a| dims[a] > 1);
    let axis = long.max_by_key(|&a| bytes(a)).filter(|&a| bytes(a) > 0);
    Contiguous {
        axis,
        bytes: axis.map_or(0, bytes),
    }
}

/// The axes in the order of the strides of the largest operand that moves along them, `inner` innermost, and those merged that
/// continue each other. Axes that operand runs backwards along are turned round.
fn in_order(
    dims: &[usize],
    operands: &[Operand],
    axes: Range<usize>,
    inner: Option<usize>,
) -> Space {
    let leading = |axis: usize| {
        let moving = operands.iter().filter(|o| o.strides[axis] != 0);
        moving
            .max_by_key(|o| o.bytes)
            .map_or(0, |o| o.strides[axis])
    };
    let mut axes: Vec<usize> = axes.filter(|&a| dims[a] != 1).collect();
    axes.sort_by_key(|&a| {
        (
            Some(a) == inner,
            std::cmp::Reverse(leading(a).unsigned_abs()),
        )
    });
    let lengths: Vec<usize> = axes.iter().map(|&a| dims[a]).collect();
    let mut bases = Vec::with_capacity(operands.len());
    let turned: Vec<Strides> = operands
        .iter()
        .map(|o| {
            let mut base = 0;
            let strides = axes.iter().map(|&a| {
                if leading(a) >= 0 {
                    return o.strides[a];
                }
                base += o.strides[a] * (dims[a] as isize - 1);
                -o.strides[a]
            });
            let strides: Strides = strides.collect();
            bases.push(base);
            strides
        })
        .collect();
    let views: Vec<&[isize]> = turned.iter().map(|s| &s[..]).collect();
    Space {
        bases,
        ..Space::new(&lengths, &views)
    }
}

/// Elements per vector: 16 bytes of the widest operand that is contiguous along the vector axis, of `length` elements, where most bytes
/// come in whole vectors.
fn lanes(reached: &[&Reached<'_>], length: usize, most: usize) -> usize {
    let beside = || reached.iter().filter(|t| t.inner() == 1);
    let widest = beside().map(|t| t.size).max().unwrap_or(16);
    let fits = |lanes: &usize| {
        let whole = beside().filter(|t| t.is_whole(*lanes)).count();
        *lanes <= most
            && *lanes * widest <= 16
            && length.is_multiple_of(*lanes)
            && 2 * whole >= beside().count()
    };
    [8, 4, 2].into_iter().find(fits).unwrap_or(1)
}
