//! Barriers that lie in shared memory and count arrivals and bytes.

use crate::machine::context::{Context, lanes};
use crate::machine::fault::Trouble;
use crate::machine::op::{Exec, NONE, Op};
use crate::machine::reach::{At, Deed, Strength, Touch, flags};
use crate::machine::rows::LANES;

/// A barrier's word, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Barrier {
    /// The parity of the phase that is not complete yet.
    phase: bool,
    /// Arrivals of a phase.
    expected: u64,
    /// Arrivals that this phase still waits for.
    pending: u64,
    /// Bytes that this phase still waits for, those that came too early being negative.
    bytes: i64,
}

/// Says that a word is a barrier.
const VALID: u64 = 0b10;
const COUNT: u64 = (1 << 20) - 1;

impl Barrier {
    fn pack(self) -> u64 {
        VALID
            | u64::from(self.phase)
            | self.expected << 2
            | self.pending << 22
            | ((self.bytes as u64) & ((1 << 22) - 1)) << 42
    }

    fn unpack(word: u64) -> Option<Self> {
        (word & VALID != 0).then_some(Self {
            phase: word & 1 != 0,
            expected: word >> 2 & COUNT,
            pending: word >> 22 & COUNT,
            bytes: word as i64 >> 42,
        })
    }

    /// Starts the next phase if this one lacks nothing.
    fn settle(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.phase = !self.phase;
            self.pending = self.expected;
        }
    }
}

/// Changes the barrier at a lane's address; its word before the change.
fn change(
    context: &mut Context,
    op: &Op,
    lane: usize,
    space: u32,
    address: u64,
    f: impl FnOnce(&mut Barrier) -> Result<(), &'static str>,
) -> Option<u64> {
    let touch = Touch {
        bytes: 8,
        align: 8,
        deed: Deed::Atomic,
        strength: Strength::Strong,
    };
    let at = context
        .place(op, lane, space, address, touch)?
        .cast::<u64>();
    // SAFETY: `place` found eight bytes of shared memory there, which only this host thread accesses.
    let word = unsafe { at.read() };
    let result = match Barrier::unpack(word) {
        None => Err("not an initialised mbarrier"),
        Some(mut barrier) => f(&mut barrier).map(|()| {
            // What comes after a phase is ordered after what came before its end.
            if u64::from(barrier.phase) != word & 1 {
                context.shadow.met_all();
            }
            // SAFETY: as above.
            unsafe { at.write(barrier.pack()) };
        }),
    };
    if let Err(what) = result {
        context.fail(
            op,
            lane,
            Trouble::Unsupported(format!("{what} at {address:#x}")),
        );
        return None;
    }
    Some(word)
}

/// The address of one lane.
fn address(context: &Context, at: At, lane: usize) -> u64 {
    if at.flags & flags::NARROW != 0 {
        u64::from(
            context
                .lane::<u32>(at.row, lane)
                .wrapping_add(at.offset as u32),
        )
    } else {
        context
            .lane::<u64>(at.row, lane)
            .wrapping_add(at.offset as u64)
    }
}

/// Counts bytes that came for a barrier.
pub(crate) fn complete(
    context: &mut Context,
    op: &Op,
    lane: usize,
    space: u32,
    address: u64,
    bytes: u32,
) {
    change(context, op, lane, space, address, |barrier| {
        barrier.bytes -= i64::from(bytes);
        barrier.settle();
        Ok(())
    });
}

/// What is done for every lane: `operand` is `r[1]`, or `otherwise` where that is absent.
fn for_lanes(
    context: &mut Context,
    op: &Op,
    otherwise: u32,
    f: impl Fn(&mut Barrier, u32) -> Result<(), &'static str>,
) {
    let at = At::of(op);
    let mut states = [0u64; LANES];
    for lane in lanes(context.mask) {
        let operand = if op.r[1] == NONE {
            otherwise
        } else {
            context.lane::<u32>(op.r[1], lane)
        };
        let address = address(context, at, lane);
        match change(
            context,
            op,
            lane,
            at.flags & flags::SPACE,
            address,
            |barrier| f(barrier, operand),
        ) {
            Some(word) => states[lane] = word,
            None => return,
        }
    }
    context.put_some(op.r[0], states);
}

fn take(barrier: &mut Barrier, count: u32) -> Result<(), &'static str> {
    let count = u64::from(count);
    if count > barrier.pending {
        return Err("more arrivals than the mbarrier expects");
    }
    barrier.pending -= count;
    Ok(())
}

fn init(context: &mut Context, op: &Op) {
    let at = At::of(op);
    for lane in lanes(context.mask) {
        let count = u64::from(context.lane::<u32>(op.r[1], lane)) & COUNT;
        let barrier = Barrier {
            phase: false,
            expected: count,
            pending: count,
            bytes: 0,
        };
        write(context, op, at, lane, barrier.pack());
    }
}

fn inval(context: &mut Context, op: &Op) {
    let at = At::of(op);
    for lane in lanes(context.mask) {
        write(context, op, at, lane, 0);
    }
}

fn write(context: &mut Context, op: &Op, at: At, lane: usize, word: u64) {
    let touch = Touch {
        bytes: 8,
        align: 8,
        deed: Deed::Store,
        strength: Strength::Weak,
    };
    let address = address(context, at, lane);
    if let Some(found) = context.place(op, lane, at.flags & flags::SPACE, address, touch) {
        // SAFETY: `place` found eight bytes of shared memory there, which only this host thread accesses.
        unsafe { found.cast::<u64>().write(word) };
    }
}

fn arrive(context: &mut Context, op: &Op) {
    for_lanes(context, op, 1, |barrier, count| {
        take(barrier, count)?;
        barrier.settle();
        Ok(())
    });
}

fn arrive_expect(context: &mut Context, op: &Op) {
    for_lanes(context, op, 0, |barrier, bytes| {
        barrier.bytes += i64::from(bytes);
        take(barrier, 1)?;
        barrier.settle();
        Ok(())
    });
}

fn arrive_drop(context: &mut Context, op: &Op) {
    for_lanes(context, op, 1, |barrier, count| {
        barrier.expected = barrier.expected.saturating_sub(u64::from(count));
        take(barrier, count)?;
        barrier.settle();
        Ok(())
    });
}

fn expect(context: &mut Context, op: &Op) {
    for_lanes(context, op, 0, |barrier, bytes| {
        barrier.bytes += i64::from(bytes);
        Ok(())
    });
}

fn complete_bytes(context: &mut Context, op: &Op) {
    for_lanes(context, op, 0, |barrier, bytes| {
        barrier.bytes -= i64::from(bytes);
        barrier.settle();
        Ok(())
    });
}

/// An arrival for copies that are complete already: it must not complete more than was counted for it.
fn arrive_counted(context: &mut Context, op: &Op) {
    for_lanes(context, op, 1, |barrier, count| {
        barrier.pending += u64::from(count);
        take(barrier, count)?;
        barrier.settle();
        Ok(())
    });
}

/// `r`: whether the phase is complete, and what tells the phase: its parity (`imm` bit 63) or a state.
fn wait(context: &mut Context, op: &Op, by_parity: bool) {
    let at = At::of(op);
    let mut done = 0u32;
    for lane in lanes(context.mask) {
        let phase = match by_parity {
            true => context.lane::<u32>(op.r[1], lane) & 1 != 0,
            false => context.lane::<u64>(op.r[1], lane) & 1 != 0,
        };
        let address = address(context, at, lane);
        let before = context.progress;
        let Some(word) = change(context, op, lane, at.flags & flags::SPACE, address, |_| {
            Ok(())
        }) else {
            return;
        };
        context.progress = before;
        done |= u32::from((word & 1 != 0) != phase) << lane;
    }
    context.watched = true;
    context.yields |= done != context.mask;
    context.put_predicate(op.r[0], done);
}

fn pending_count(context: &mut Context, op: &Op) {
    let states = context.get::<u64>(op.r[1]);
    context.put(op.r[0], states.map(|state| (state >> 22 & COUNT) as u32));
}

/// What runs `mbarrier` with this verb.
pub(crate) fn find(verb: &str) -> Option<Exec> {
    Some(match verb {
        "init" => init as Exec,
        "inval" => inval,
        "arrive" => arrive,
        "arrive.expect_tx" => arrive_expect,
        "arrive_drop" => arrive_drop,
        "arrive.counted" => arrive_counted,
        "expect_tx" => expect,
        "complete_tx" => complete_bytes,
        "wait" => |context, op| wait(context, op, false),
        "wait.parity" => |context, op| wait(context, op, true),
        "pending_count" => pending_count,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_holds_a_barrier() {
        for bytes in [-5, 0, 1 << 20] {
            let barrier = Barrier {
                phase: true,
                expected: 7,
                pending: 3,
                bytes,
            };
            assert_eq!(Barrier::unpack(barrier.pack()), Some(barrier));
        }
        assert_eq!(Barrier::unpack(0), None);
    }

    #[test]
    fn a_phase_waits_for_arrivals_and_bytes() {
        let mut barrier = Barrier {
            phase: false,
            expected: 1,
            pending: 1,
            bytes: 16,
        };
        take(&mut barrier, 1).unwrap();
        barrier.settle();
        assert!(!barrier.phase);
        barrier.bytes -= 16;
        barrier.settle();
        assert!(barrier.phase);
        assert_eq!(barrier.pending, 1);
    }
}
