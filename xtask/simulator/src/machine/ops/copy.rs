//! Asynchronous copies. They are complete as soon as they are issued, which is one of the times they may be.

use super::mbarrier;
use crate::machine::context::{Context, lanes};
use crate::machine::fault::Trouble;
use crate::machine::op::{NONE, Op};
use crate::machine::reach::{Deed, RANK_SHIFT, Strength, Touch, flags};

/// The spaces of a copy's addresses in `r[5]`, four bits each: of the target, the source and the barrier.
#[derive(Clone, Copy)]
pub(crate) struct Spaces {
    pub(crate) target: u32,
    pub(crate) source: u32,
    pub(crate) barrier: u32,
}

impl Spaces {
    pub(crate) fn pack(self) -> u32 {
        self.target | self.source << 4 | self.barrier << 8
    }

    pub(super) fn of(op: &Op) -> Self {
        Self {
            target: op.r[5] & 15,
            source: op.r[5] >> 4 & 15,
            barrier: op.r[5] >> 8 & 15,
        }
    }
}

pub(super) fn address(context: &Context, row: u32, flags: u32, lane: usize) -> u64 {
    if flags & flags::NARROW != 0 {
        u64::from(context.lane::<u32>(row, lane))
    } else {
        context.lane::<u64>(row, lane)
    }
}

/// How much is copied, how much is written, and what both addresses are multiples of.
#[derive(Clone, Copy)]
struct Size {
    bytes: u32,
    room: u32,
    align: u32,
    /// Whether the asynchronous proxy makes it.
    is_bulk: bool,
}

/// Copies `bytes` from one lane's source to its target, and fills the target up to `room` with zeros.
fn copy(
    context: &mut Context,
    op: &Op,
    lane: usize,
    from: (u32, u64),
    to: (u32, u64),
    size: Size,
) -> bool {
    let Size {
        bytes,
        room,
        align,
        is_bulk,
    } = size;
    let place = if is_bulk {
        Context::place_asynchronously
    } else {
        Context::place
    };
    let source = if bytes == 0 {
        std::ptr::null_mut()
    } else {
        match place(
            context,
            op,
            lane,
            from.0 & flags::SPACE,
            from.1,
            Touch {
                bytes,
                align,
                deed: Deed::Load,
                strength: Strength::Weak,
            },
        ) {
            Some(found) => found,
            None => return false,
        }
    };
    let touch = Touch {
        bytes: room,
        align,
        deed: Deed::Store,
        strength: Strength::Weak,
    };
    let Some(target) = place(context, op, lane, to.0 & flags::SPACE, to.1, touch) else {
        return false;
    };
    // SAFETY: `place` found `bytes` at the source and `room`, which is no less, at the target, in live memory.
    unsafe {
        if bytes > 0 {
            std::ptr::copy(source, target, bytes as usize);
        }
        target
            .add(bytes as usize)
            .write_bytes(0, (room - bytes) as usize);
    }
    true
}

/// `cp.async`: `r` are source, bytes to copy if not all, nothing, a predicate that leaves the source out, the target.
/// `imm` is the number of bytes.
pub(crate) fn small(context: &mut Context, op: &Op) {
    let spaces = Spaces::of(op);
    let room = op.imm as u32;
    let ignored = if op.r[3] == NONE {
        0
    } else {
        context.predicate(op.r[3])
    };
    for lane in lanes(context.mask) {
        let from = address(context, op.r[0], spaces.source, lane);
        let to = address(context, op.r[4], spaces.target, lane);
        let bytes = if op.r[1] == NONE {
            room
        } else {
            context.lane::<u32>(op.r[1], lane).min(room)
        };
        let bytes = if ignored >> lane & 1 != 0 { 0 } else { bytes };
        let size = Size {
            bytes,
            room,
            align: room,
            is_bulk: false,
        };
        if !copy(
            context,
            op,
            lane,
            (spaces.source, from),
            (spaces.target, to),
            size,
        ) {
            return;
        }
    }
}

/// `cp.async.bulk`: `r` are source, bytes, barrier, the blocks that take a copy, the target.
pub(crate) fn bulk(context: &mut Context, op: &Op) {
    let spaces = Spaces::of(op);
    for lane in lanes(context.mask) {
        let from = address(context, op.r[0], spaces.source, lane);
        let to = address(context, op.r[4], spaces.target, lane);
        let bytes = context.lane::<u32>(op.r[1], lane);
        if !bytes.is_multiple_of(16) {
            context.fail(
                op,
                lane,
                Trouble::Unsupported(format!("a bulk copy of {bytes} bytes: no multiple of 16")),
            );
            return;
        }
        let barrier = (op.r[2] != NONE).then(|| address(context, op.r[2], spaces.barrier, lane));
        let blocks = (op.r[3] != NONE).then(|| context.lane::<u16>(op.r[3], lane));
        for rank in 0..16 {
            let Some(moved) = destination(blocks, rank) else {
                continue;
            };
            let to = moved.map_or(to, |moved| to & 0xFF_FFFF | moved);
            let size = Size {
                bytes,
                room: bytes,
                align: 16,
                is_bulk: true,
            };
            if bytes > 0
                && !copy(
                    context,
                    op,
                    lane,
                    (spaces.source, from),
                    (spaces.target, to),
                    size,
                )
            {
                return;
            }
            if let Some(barrier) = barrier {
                let barrier = moved.map_or(barrier, |moved| barrier & 0xFF_FFFF | moved);
                mbarrier::complete(
                    context,
                    op,
                    lane,
                    spaces.barrier & flags::SPACE,
                    barrier,
                    bytes,
                );
            }
        }
    }
}

/// Whether block `rank` takes a copy, and if addresses have to be moved to it, by what.
pub(super) fn destination(blocks: Option<u16>, rank: u32) -> Option<Option<u64>> {
    match blocks {
        None => (rank == 0).then_some(None),
        Some(blocks) => (blocks >> rank & 1 != 0).then(|| Some(u64::from(rank + 1) << RANK_SHIFT)),
    }
}
