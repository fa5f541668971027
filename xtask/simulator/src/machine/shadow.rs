//! Checks beyond bounds: loads of what nothing wrote, races on shared memory, and fences of proxies.

use super::context::{Context, lanes};
use super::fault::Trouble;
use super::op::Op;
use super::proxy::Writes;
use super::reach::{Deed, Reach, Strength, Touch};
use super::rows::LANES;
use crate::memory::Written;

/// Which checks to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Loads of memory that nothing was written to.
    pub init: bool,
    /// Accesses of shared memory by threads of a block with no barrier between them.
    pub race: bool,
    /// Asynchronous reads of shared memory that a thread wrote, with no fence between them.
    pub proxy: bool,
}

/// Threads that read: one of them, several of one warp, or several warps'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readers {
    One(u16),
    Warp(u16),
    Many(u16),
}

/// Who read a byte since the last barrier, and when last.
#[derive(Clone, Copy, Debug)]
struct Reads {
    readers: Readers,
    last: Moment,
}

/// Who accessed a byte last, and when.
#[derive(Clone, Copy, Debug)]
struct Cell {
    writer: u16,
    /// How it was written.
    strength: Strength,
    written: Moment,
    /// By [`Strength`], since strong writes race with weak reads alone.
    reads: [Reads; 2],
}

/// A time between barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Barriers of the block before it; 0 stands for never.
    pub(super) block: u32,
    /// Barriers of the warp before it.
    pub(super) warp: u32,
    /// Which instruction it was.
    pub(super) instruction: u64,
}

const NEVER: Moment = Moment {
    block: 0,
    warp: 0,
    instruction: 0,
};
const UNTOUCHED: Cell = Cell {
    writer: 0,
    strength: Strength::Weak,
    written: NEVER,
    reads: [Reads {
        readers: Readers::One(0),
        last: NEVER,
    }; 2],
};

/// What is known of one block's shared memory.
pub(crate) struct Shadow {
    written: Written,
    cells: Vec<Cell>,
    writes: Writes,
    epoch: u32,
}

impl Shadow {
    /// Of so many bytes to which nothing was written.
    pub(crate) fn new(checks: Checks, bytes: usize) -> Self {
        let cells = if checks.race {
            vec![UNTOUCHED; bytes]
        } else {
            Vec::new()
        };
        Self {
            written: Written::new(if checks.init { bytes } else { 0 }),
            cells,
            writes: Writes::new(if checks.proxy { bytes } else { 0 }),
            epoch: 1,
        }
    }
}

/// What is known of the shared memory of a cluster.
#[derive(Default)]
pub(crate) struct Shadows {
    checks: Checks,
    /// Of each block.
    pub(crate) blocks: Vec<Shadow>,
    /// Barriers of warps, of all that this host thread ran.
    warp_epoch: u32,
    instruction: u64,
    /// Whether what is accessed is so by an asynchronous operation.
    pub(super) asynchronous: bool,
}

impl Shadows {
    /// For these checks.
    pub(crate) fn new(checks: Checks) -> Self {
        Self {
            checks,
            ..Self::default()
        }
    }

    #[inline(always)]
    pub(crate) fn checks_global(&self) -> bool {
        self.checks.init
    }

    #[inline(always)]
    pub(crate) fn checks_shared(&self) -> bool {
        self.checks.init | self.checks.race | self.checks.proxy
    }

    /// A barrier of the block was completed.
    pub(crate) fn met(&mut self, rank: usize) {
        if let Some(shadow) = self.blocks.get_mut(rank) {
            shadow.epoch += 1;
        }
    }

    /// A barrier that may be any block's was completed.
    pub(crate) fn met_all(&mut self) {
        self.blocks.iter_mut().for_each(|shadow| shadow.epoch += 1);
    }

    /// Does something with what is known of each block's writes, which is an instruction of its own.
    pub(super) fn each_block(&mut self, f: impl Fn(&mut Writes, Moment)) {
        self.instruction += 1;
        for shadow in &mut self.blocks {
            let now = Moment {
                block: shadow.epoch,
                warp: self.warp_epoch,
                instruction: self.instruction,
            };
            f(&mut shadow.writes, now);
        }
    }

    /// Lanes of the running warp met.
    #[inline(always)]
    pub(crate) fn met_warp(&mut self) {
        self.warp_epoch = self.warp_epoch.wrapping_add(1);
    }
}

/// Whether what `thread` did at `then` has no order with what `other` does `now`.
fn unordered(thread: u16, then: Moment, other: u16, now: Moment) -> bool {
    thread != other
        && then.block == now.block
        && (thread / LANES as u16 != other / LANES as u16 || then.warp == now.warp)
        && then.instruction != now.instruction
}

impl Reads {
    /// The reader that a write by `thread` races with, if any.
    fn rival(&self, thread: u16, now: Moment) -> Option<u16> {
        if self.last.block != now.block || self.last.instruction == now.instruction {
            return None;
        }
        match self.readers {
            Readers::One(reader) => unordered(reader, self.last, thread, now).then_some(reader),
            Readers::Warp(reader) => {
                let same = reader / LANES as u16 == thread / LANES as u16;
                (!same || self.last.warp == now.warp).then_some(reader)
            }
            Readers::Many(reader) => Some(reader),
        }
    }

    fn note(&mut self, thread: u16, now: Moment) {
        let warp = |thread: u16| thread / LANES as u16;
        self.readers = match self.readers {
            _ if self.last.block != now.block => Readers::One(thread),
            Readers::One(other) if other == thread => Readers::One(thread),
            Readers::One(other) | Readers::Warp(other) if warp(other) == warp(thread) => {
                Readers::Warp(thread)
            }
            Readers::One(other) | Readers::Warp(other) | Readers::Many(other) => {
                Readers::Many(other)
            }
        };
        self.last = now;
    }
}

impl Cell {
    /// The thread that `thread`'s access races with, if any.
    fn rival(&self, thread: u16, touch: Touch, now: Moment) -> Option<u16> {
        let strong = touch.strength == Strength::Strong;
        let both_strong = strong && self.strength == Strength::Strong;
        if !both_strong && unordered(self.writer, self.written, thread, now) {
            return Some(self.writer);
        }
        if touch.deed == Deed::Load {
            return None;
        }
        let [weak, of_strong] = &self.reads;
        let found = weak.rival(thread, now);
        if strong {
            return found;
        }
        found.or_else(|| of_strong.rival(thread, now))
    }

    fn note(&mut self, thread: u16, touch: Touch, now: Moment) {
        if touch.deed == Deed::Load {
            self.reads[touch.strength as usize].note(thread, now);
            return;
        }
        self.writer = thread;
        self.strength = touch.strength;
        self.written = now;
    }
}

impl Context {
    /// Looks at an access of global memory by all running lanes, at the addresses in `host`.
    pub(crate) fn inspect_global(
        &mut self,
        op: &Op,
        region: u32,
        touch: Touch,
        reach: Reach,
    ) -> Reach {
        let address = self.host;
        match reach {
            Reach::Run => {
                let whole = Touch {
                    bytes: touch.bytes * LANES as u32,
                    ..touch
                };
                if !self.is_written(region, address[0], whole) {
                    lanes(self.mask).for_each(|lane| {
                        self.inspect_place(op, lane, region, address[lane], touch)
                    });
                }
            }
            _ => lanes(self.mask)
                .for_each(|lane| self.inspect_place(op, lane, region, address[lane], touch)),
        }
        if self.failure.is_some() {
            Reach::Nothing
        } else {
            reach
        }
    }

    /// Notes a store; of a load, whether all of it was written.
    fn is_written(&mut self, region: u32, address: u64, touch: Touch) -> bool {
        let region = self.regions.region(region);
        let Some(written) = region.written() else {
            return true;
        };
        let start = (address - region.start) as usize;
        let range = start..start + touch.bytes as usize;
        match touch.deed {
            Deed::Store => {
                written.set(range);
                true
            }
            Deed::Load | Deed::Atomic => written.all(range),
        }
    }

    /// Looks at one lane's access of global memory.
    pub(crate) fn inspect_place(
        &mut self,
        op: &Op,
        lane: usize,
        region: u32,
        address: u64,
        touch: Touch,
    ) {
        if !self.is_written(region, address, touch) {
            let trouble = Trouble::Uninitialised {
                space: "global",
                address,
                bytes: touch.bytes,
            };
            self.fail(op, lane, trouble);
        }
    }

    /// Looks at an access of shared memory by all running lanes, at the offsets in `host`; whether it is right.
    pub(crate) fn inspect_shared(&mut self, op: &Op, rank: usize, touch: Touch) -> bool {
        self.shadow.instruction += 1;
        for lane in lanes(self.mask) {
            self.inspect_bytes(op, lane, rank, self.host[lane] as usize, touch);
        }
        self.failure.is_none()
    }

    /// Looks at one lane's access of shared memory.
    pub(crate) fn inspect_window(
        &mut self,
        op: &Op,
        lane: usize,
        rank: usize,
        offset: u64,
        touch: Touch,
    ) {
        self.shadow.instruction += 1;
        self.inspect_bytes(op, lane, rank, offset as usize, touch);
    }

    fn inspect_bytes(&mut self, op: &Op, lane: usize, rank: usize, offset: usize, touch: Touch) {
        let thread = (self.rank * 1024 + self.warp as usize * LANES + lane) as u16;
        let Shadows {
            checks,
            blocks,
            warp_epoch,
            instruction,
            asynchronous,
        } = &mut self.shadow;
        let Some(shadow) = blocks.get_mut(rank) else {
            return;
        };
        let range = offset..offset + touch.bytes as usize;
        let mut trouble = None;
        if checks.init {
            if touch.deed == Deed::Store {
                shadow.written.set(range.clone());
            } else if !shadow.written.all(range.clone()) {
                let (address, bytes) = (offset as u64, touch.bytes);
                trouble = Some(Trouble::Uninitialised {
                    space: "shared",
                    address,
                    bytes,
                });
            }
        }
        let now = Moment {
            block: shadow.epoch,
            warp: *warp_epoch,
            instruction: *instruction,
        };
        for byte in range.clone().filter(|_| checks.proxy) {
            match (touch.deed, *asynchronous) {
                (Deed::Load, false) => {}
                (Deed::Load, true) => {
                    if let Some(writer) = shadow.writes.unfenced(byte) {
                        let (address, writer) = (byte as u64, u32::from(writer) % 1024);
                        trouble.get_or_insert(Trouble::Proxy { address, writer });
                    }
                }
                (_, by_copy) => {
                    let by = (!by_copy).then_some(thread);
                    shadow.writes.note(byte, by, now);
                }
            }
        }
        for byte in range.filter(|_| checks.race) {
            let Some(cell) = shadow.cells.get_mut(byte) else {
                break;
            };
            if let Some(rival) = cell.rival(thread, touch, now) {
                let (first, second) = (u32::from(rival) % 1024, u32::from(thread) % 1024);
                trouble.get_or_insert(Trouble::Race {
                    address: byte as u64,
                    first,
                    second,
                });
            }
            cell.note(thread, touch, now);
        }
        if let Some(trouble) = trouble {
            self.fail(op, lane, trouble);
        }
    }
}
