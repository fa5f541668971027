//! From the addresses of 32 lanes to the host's: every access is checked here.

// Lanes are counted: what they do is written for one lane, and several rows are indexed alike.
#![allow(clippy::needless_range_loop)]

use std::sync::Arc;

use super::context::{Context, lanes};
use super::fault::Trouble;
use super::op::Op;
use super::rows::{ALL, LANES};
use crate::memory::Region;

/// Generic addresses of shared memory have this bit; below it are a block of the cluster and an offset.
pub(crate) const SHARED_TAG: u64 = 1 << 48;
/// Generic addresses of local memory have this bit; below it is an offset.
pub(crate) const LOCAL_TAG: u64 = 1 << 49;
/// Above the offset in shared memory comes the number of the block in its cluster plus one, or 0 for the own one.
pub(crate) const RANK_SHIFT: u32 = 24;
/// The first offset in shared memory that a variable may have: what lies below belongs to the system.
pub(crate) const SHARED_START: u32 = 1024;

/// Spaces as the operand `flags` has them.
pub(crate) mod flags {
    /// Global memory, constants and parameters.
    pub(crate) const GLOBAL: u32 = 0;
    /// Shared memory, the own block's or another's.
    pub(crate) const SHARED: u32 = 1;
    /// Memory of the thread.
    pub(crate) const LOCAL: u32 = 2;
    /// Whichever the address says.
    pub(crate) const GENERIC: u32 = 3;
    /// The bits of the space.
    pub(crate) const SPACE: u32 = 3;
    /// The address is in a 32-bit register.
    pub(crate) const NARROW: u32 = 4;
    /// The access shows what other threads do meanwhile.
    pub(crate) const STRONG: u32 = 8;
}

/// Where an instruction's addresses are.
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// The row of addresses.
    pub(crate) row: u32,
    /// What kind of addresses they are.
    pub(crate) flags: u32,
    /// What is added to each.
    pub(crate) offset: i64,
}

impl At {
    /// The address operand of most instructions.
    #[inline(always)]
    pub(crate) fn of(op: &Op) -> Self {
        Self {
            row: op.r[4],
            flags: op.r[5],
            offset: op.imm as i64,
        }
    }
}

/// What an instruction does at its addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Load,
    Store,
    Atomic,
}

impl Deed {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Store => "store",
            Self::Atomic => "atomic",
        }
    }
}

/// What an access has to do with those of other threads, in PTX's words: two strong ones of the same place have an order, whoever makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    Weak,
    Strong,
}

impl Strength {
    /// Of a load or store with these `flags`.
    #[inline(always)]
    pub(crate) fn of(flags: u32) -> Self {
        if flags & flags::STRONG == 0 {
            Self::Weak
        } else {
            Self::Strong
        }
    }
}

/// How many bytes a lane accesses, and to what end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) bytes: u32,
    pub(crate) align: u32,
    pub(crate) deed: Deed,
    pub(crate) strength: Strength,
}

/// How the lanes' host addresses lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// No lane may go on.
    Nothing,
    /// One after another; all lanes run.
    Run,
    /// All the same.
    Same,
    /// Each anywhere; lanes that do not run have a running lane's.
    Each,
}

/// The number that stands for the parameters among the regions.
const PARAMS: u32 = u32::MAX;

/// How many instructions' regions are remembered.
const WAYS: usize = 128;

/// The allocations of the card, and which of them instructions found last.
pub(crate) struct Regions {
    list: Arc<[Region]>,
    params: Region,
    found: [(u64, u64, u32); WAYS],
}

impl Regions {
    /// The allocations, and the parameters of the launch.
    pub(crate) fn new(list: Arc<[Region]>, params: Region) -> Self {
        Self {
            list,
            params,
            found: [(u64::MAX, 0, 0); WAYS],
        }
    }

    /// Start, end and number of the region that this instruction found last.
    #[inline(always)]
    fn last(&self, key: usize) -> (u64, u64, u32) {
        self.found[key >> 3 & (WAYS - 1)]
    }

    /// The region that holds `low..high`.
    #[inline(always)]
    pub(crate) fn find(&mut self, key: usize, low: u64, high: u64) -> Option<u32> {
        let (start, end, index) = self.last(key);
        if start <= low && high <= end {
            return Some(index);
        }
        self.search(key, low, high)
    }

    #[cold]
    fn search(&mut self, key: usize, low: u64, high: u64) -> Option<u32> {
        let index = if self.params.start <= low && low < self.params.end {
            PARAMS
        } else {
            self.list
                .partition_point(|region| region.start <= low)
                .checked_sub(1)? as u32
        };
        let region = self.region(index);
        if high > region.end || high < low {
            return None;
        }
        self.found[key >> 3 & (WAYS - 1)] = (region.start, region.end, index);
        Some(index)
    }

    pub(crate) fn region(&self, index: u32) -> &Region {
        if index == PARAMS {
            &self.params
        } else {
            &self.list[index as usize]
        }
    }
}

/// What is known of the lanes' addresses.
struct Survey {
    reach: Reach,
    /// All bits that any has.
    union: u64,
    /// Whether all are within the bounds.
    inside: bool,
}

/// Bounds of addresses: the first, and how far the last may be from it. No distance has the topmost bit.
#[derive(Clone, Copy)]
struct Bounds {
    start: u64,
    room: u64,
}

impl Bounds {
    fn new(start: u64, end: u64, bytes: u64) -> Self {
        // Where nothing fits, no distance is right.
        let room = end.wrapping_sub(start).wrapping_sub(bytes);
        let fits = start <= end && end - start >= bytes && room >> 63 == 0;
        if fits {
            Self { start, room }
        } else {
            Self {
                start: 1 << 63,
                room: 0,
            }
        }
    }

    /// A number whose topmost bit says that an address is out of bounds.
    #[inline(always)]
    fn beyond(self, address: u64) -> u64 {
        let distance = address.wrapping_sub(self.start);
        distance | self.room.wrapping_sub(distance)
    }
}

impl Context {
    /// Leaves the addresses that `of` gives the lanes in `host`, and looks at them. Lanes that do not run get a running
    /// lane's.
    #[inline(always)]
    fn survey(&mut self, bytes: u64, bounds: Bounds, of: impl Fn(usize) -> u64) -> Survey {
        let mask = self.mask;
        let (mut union, mut beyond, mut apart, mut off) = (0, 0, 0, 0);
        if mask == ALL {
            let first = of(0);
            for lane in 0..LANES {
                let address = of(lane);
                self.host[lane] = address;
                union |= address;
                beyond |= bounds.beyond(address);
                apart |= address ^ first;
                off |= address ^ first.wrapping_add(lane as u64 * bytes);
            }
        } else {
            let first = of(mask.trailing_zeros() as usize % LANES);
            for lane in 0..LANES {
                let address = if mask >> lane & 1 != 0 {
                    of(lane)
                } else {
                    first
                };
                self.host[lane] = address;
                union |= address;
                beyond |= bounds.beyond(address);
                apart |= address ^ first;
            }
            off = 1;
        }
        let reach = match (apart, off) {
            (0, _) => Reach::Same,
            (_, 0) => Reach::Run,
            _ => Reach::Each,
        };
        Survey {
            reach,
            union,
            inside: beyond >> 63 == 0,
        }
    }

    /// Checks an access of all running lanes and leaves host addresses in `host`.
    #[inline(always)]
    pub(crate) fn reach(&mut self, op: &Op, at: At, touch: Touch) -> Reach {
        if self.mask == 0 {
            return Reach::Nothing;
        }
        let bytes = u64::from(touch.bytes);
        let shared = at.flags & flags::SPACE == flags::SHARED;
        let (start, end, region) = match shared {
            true => (u64::from(SHARED_START), self.windows[self.rank].end, 0),
            false => self.regions.last(std::ptr::from_ref(op) as usize),
        };
        let bounds = Bounds::new(start, end, bytes);
        let found = if at.flags & flags::NARROW != 0 {
            let row = self.row::<u32>(at.row);
            let offset = at.offset as u32;
            self.survey(
                bytes,
                bounds,
                #[inline(always)]
                |lane| u64::from(row.at(lane).wrapping_add(offset)),
            )
        } else {
            let row = self.row::<u64>(at.row);
            let offset = at.offset as u64;
            self.survey(
                bytes,
                bounds,
                #[inline(always)]
                |lane| row.at(lane).wrapping_add(offset),
            )
        };
        if found.union & u64::from(touch.align - 1) != 0 {
            return self.misaligned(op, touch);
        }
        if at.flags & flags::SPACE == flags::LOCAL || !found.inside {
            return self.reach_rarely(op, at.flags & flags::SPACE, touch, found);
        }
        if touch.deed != Deed::Load {
            self.progress = true;
        }
        if shared {
            self.reach_shared(op, touch, found.reach)
        } else if self.shadow.checks_global() {
            self.inspect_global(op, region, touch, found.reach)
        } else {
            found.reach
        }
    }

    #[inline(always)]
    fn reach_shared(&mut self, op: &Op, touch: Touch, reach: Reach) -> Reach {
        let window = self.windows[self.rank];
        if self.shadow.checks_shared() && !self.inspect_shared(op, self.rank, touch) {
            return Reach::Nothing;
        }
        let used = if reach == Reach::Each { LANES } else { 1 };
        for address in &mut self.host[..used] {
            *address += window.base as u64;
        }
        reach
    }

    /// Addresses of a region other than the last time, and those that are looked at one by one.
    #[inline(never)]
    fn reach_rarely(&mut self, op: &Op, space: u32, touch: Touch, found: Survey) -> Reach {
        let is_global = space == flags::GLOBAL || space == flags::GENERIC && found.union >> 48 == 0;
        if !is_global {
            return self.reach_each(op, space, touch);
        }
        let low = self.host.iter().copied().min().unwrap_or(0);
        let high = self
            .host
            .iter()
            .copied()
            .max()
            .unwrap_or(0)
            .wrapping_add(u64::from(touch.bytes));
        match self
            .regions
            .find(std::ptr::from_ref(op) as usize, low, high)
        {
            None => self.reach_each(op, flags::GLOBAL, touch),
            Some(region) => {
                self.progress |= touch.deed != Deed::Load;
                if self.shadow.checks_global() {
                    return self.inspect_global(op, region, touch, found.reach);
                }
                found.reach
            }
        }
    }

    /// Lane by lane: addresses of several regions, blocks or spaces, and those that are wrong.
    #[inline(never)]
    fn reach_each(&mut self, op: &Op, space: u32, touch: Touch) -> Reach {
        let address = self.host;
        let mut host = [0; LANES];
        let first = self.first();
        for lane in lanes(self.mask) {
            match self.place(op, lane, space, address[lane], touch) {
                Some(found) => host[lane] = found as u64,
                None => return Reach::Nothing,
            }
        }
        for lane in lanes(!self.mask) {
            host[lane] = host[first];
        }
        self.host = host;
        Reach::Each
    }

    #[cold]
    fn misaligned(&mut self, op: &Op, touch: Touch) -> Reach {
        let address = self.host;
        let wrong = |lane: &usize| address[*lane] & u64::from(touch.align - 1) != 0;
        let lane = lanes(self.mask).find(wrong).unwrap_or(0);
        let trouble = Trouble::Misaligned {
            what: touch.deed.name(),
            address: address[lane],
            align: touch.align,
        };
        self.fail(op, lane, trouble);
        Reach::Nothing
    }

    /// The host address for one lane's access.
    pub(crate) fn place(
        &mut self,
        op: &Op,
        lane: usize,
        space: u32,
        address: u64,
        touch: Touch,
    ) -> Option<*mut u8> {
        let bytes = u64::from(touch.bytes);
        let space = match (space, address >> 48) {
            (flags::GENERIC, 0) => flags::GLOBAL,
            (flags::GENERIC, 1) => flags::SHARED,
            (flags::GENERIC, 2) => flags::LOCAL,
            (space, _) => space,
        };
        if address & u64::from(touch.align - 1) != 0 {
            let trouble = Trouble::Misaligned {
                what: touch.deed.name(),
                address,
                align: touch.align,
            };
            self.fail(op, lane, trouble);
            return None;
        }
        let found = match space {
            flags::GLOBAL => self.place_global(op, lane, address, touch),
            flags::SHARED => self.place_shared(op, lane, address & (SHARED_TAG - 1), touch),
            flags::LOCAL => {
                let offset = address & (LOCAL_TAG - 1);
                let fits = offset
                    .checked_add(bytes)
                    .is_some_and(|end| end <= self.local.end);
                let at = lane as u64 * self.local.end + offset;
                fits.then(|| self.local.base.wrapping_add(at as usize))
            }
            _ => None,
        };
        if found.is_none() {
            let space = ["global", "shared", "local", "any"][space as usize & 3];
            let trouble = Trouble::OutOfBounds {
                space,
                what: touch.deed.name(),
                address,
                bytes: touch.bytes,
            };
            self.fail(op, lane, trouble);
        } else if touch.deed != Deed::Load && space != flags::LOCAL {
            self.progress = true;
        }
        found
    }

    fn place_global(
        &mut self,
        op: &Op,
        lane: usize,
        address: u64,
        touch: Touch,
    ) -> Option<*mut u8> {
        let end = address.checked_add(u64::from(touch.bytes))?;
        let region = self
            .regions
            .find(std::ptr::from_ref(op) as usize, address, end)?;
        if self.shadow.checks_global() {
            self.inspect_place(op, lane, region, address, touch);
        }
        Some(address as *mut u8)
    }

    fn place_shared(
        &mut self,
        op: &Op,
        lane: usize,
        address: u64,
        touch: Touch,
    ) -> Option<*mut u8> {
        let offset = address & ((1 << RANK_SHIFT) - 1);
        let rank = match (address >> RANK_SHIFT) as usize {
            0 => self.rank,
            other => other - 1,
        };
        let window = *self.windows.get(rank)?;
        if offset < u64::from(SHARED_START) || offset + u64::from(touch.bytes) > window.end {
            return None;
        }
        if self.shadow.checks_shared() {
            self.inspect_window(op, lane, rank, offset, touch);
        }
        Some(window.base.wrapping_add(offset as usize))
    }
}
