//! Shared memory that threads wrote themselves and that an asynchronous operation reads: a fence has to lie between both, since
//! either goes its own way to memory (the manual's generic and asynchronous proxies).
//!
//! The fence may be the writer's own, or of a thread that a barrier put after the write.

use std::collections::HashMap;

use super::context::{Context, lanes};
use super::op::Op;
use super::reach::Touch;
use super::rows::LANES;
use super::shadow::Moment;

/// When the lanes of a warp made such a fence last.
struct Fences {
    last: Moment,
    /// By the number of an instruction.
    lanes: [u64; LANES],
}

/// What is known of a block's shared memory.
#[derive(Default)]
pub(super) struct Writes {
    /// The thread that wrote a byte last, and when.
    bytes: Vec<Option<(u16, Moment)>>,
    /// Of each warp.
    fences: HashMap<u16, Fences>,
    /// Barriers of the block before the last fence.
    fenced: u32,
}

impl Writes {
    /// Of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            bytes: vec![None; bytes],
            ..Self::default()
        }
    }

    /// A thread writes a byte, or an asynchronous operation does.
    pub(super) fn note(&mut self, byte: usize, by: Option<u16>, now: Moment) {
        if let Some(cell) = self.bytes.get_mut(byte) {
            *cell = by.map(|thread| (thread, now));
        }
    }

    /// Lanes of the warp that starts with thread `first` make a fence.
    fn fence(&mut self, first: u16, mask: u32, now: Moment) {
        let warp = self.fences.entry(first / LANES as u16).or_insert(Fences {
            last: now,
            lanes: [0; LANES],
        });
        warp.last = now;
        for lane in lanes(mask) {
            warp.lanes[lane] = now.instruction;
        }
        self.fenced = now.block;
    }

    /// The thread that wrote this byte with no fence after it, if one did.
    pub(super) fn unfenced(&self, byte: usize) -> Option<u16> {
        let (writer, written) = (*self.bytes.get(byte)?)?;
        let by_warp = self
            .fences
            .get(&(writer / LANES as u16))
            .is_some_and(|warp| {
                let own = warp.lanes[writer as usize % LANES] > written.instruction;
                let others = warp.last.warp != written.warp;
                own || others && warp.last.instruction > written.instruction
            });
        (!by_warp && self.fenced <= written.block).then_some(writer)
    }
}

impl Context {
    /// As `place`, for an asynchronous operation.
    pub(crate) fn place_asynchronously(
        &mut self,
        op: &Op,
        lane: usize,
        space: u32,
        address: u64,
        touch: Touch,
    ) -> Option<*mut u8> {
        self.shadow.asynchronous = true;
        let found = self.place(op, lane, space, address, touch);
        self.shadow.asynchronous = false;
        found
    }

    /// The running lanes put what was written before what asynchronous operations do after.
    pub(crate) fn fence_proxy(&mut self) {
        let first = (self.rank * 1024 + self.warp as usize * LANES) as u16;
        let mask = self.mask;
        self.shadow
            .each_block(|writes, now| writes.fence(first, mask, now));
    }
}
