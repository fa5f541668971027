//! From the addresses of 32 lanes to the host's: every access is checked here.

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

/// How many bytes a lane accesses, and to what end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) bytes: u32,
    pub(crate) align: u32,
    pub(crate) deed: Deed,
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

/// The allocations of the card, and which of them instructions found last.
pub(crate) struct Regions {
    list: Arc<[Region]>,
    params: Region,
    found: [(u64, u64, u32); 64],
}

impl Regions {
    /// The allocations, and the parameters of the launch.
    pub(crate) fn new(list: Arc<[Region]>, params: Region) -> Self {
        Self {
            list,
            params,
            found: [(u64::MAX, 0, 0); 64],
        }
    }

    /// The region that holds `low..high`.
    #[inline(always)]
    pub(crate) fn find(&mut self, key: usize, low: u64, high: u64) -> Option<u32> {
        let (start, end, index) = self.found[key >> 6 & 63];
        if start <= low && high <= end {
            return Some(index);
        }
        self.search(key, low, high)
    }

    #[cold]
    fn search(&mut self, key: usize, low: u64, high: u64) -> Option<u32> {
        if self.params.start <= low && high <= self.params.end && low <= high {
            return Some(PARAMS);
        }
        let index = self
            .list
            .partition_point(|region| region.start <= low)
            .checked_sub(1)?;
        let region = &self.list[index];
        if high > region.end || high < low {
            return None;
        }
        self.found[key >> 6 & 63] = (region.start, region.end, index as u32);
        Some(index as u32)
    }

    pub(crate) fn region(&self, index: u32) -> &Region {
        if index == PARAMS {
            &self.params
        } else {
            &self.list[index as usize]
        }
    }
}

/// The lanes' addresses, and what is known of them.
struct Addresses {
    at: [u64; LANES],
    reach: Reach,
    low: u64,
    high: u64,
    /// All bits that any has.
    union: u64,
}

impl Addresses {
    /// Looks at the addresses that `of` gives the lanes; those of lanes that do not run are a running lane's.
    #[inline(always)]
    fn of(mask: u32, bytes: u64, of: impl Fn(usize) -> u64) -> Self {
        let mut at = [0u64; LANES];
        let mut union = 0;
        let mut off = 0;
        if mask == ALL {
            let first = of(0);
            for lane in 0..LANES {
                at[lane] = of(lane);
                union |= at[lane];
                off |= at[lane] ^ first.wrapping_add(lane as u64 * bytes);
            }
            if off == 0 {
                return Self {
                    at,
                    reach: Reach::Run,
                    low: first,
                    high: at[LANES - 1],
                    union,
                };
            }
        } else {
            let first = of(mask.trailing_zeros() as usize % LANES);
            for lane in 0..LANES {
                at[lane] = if mask >> lane & 1 != 0 {
                    of(lane)
                } else {
                    first
                };
                union |= at[lane];
            }
        }
        let (mut low, mut high) = (at[0], at[0]);
        for &address in &at {
            low = low.min(address);
            high = high.max(address);
        }
        Self {
            at,
            reach: if low == high {
                Reach::Same
            } else {
                Reach::Each
            },
            low,
            high,
            union,
        }
    }
}

impl Context {
    /// Checks an access of all running lanes and leaves host addresses in `host`.
    #[inline(always)]
    pub(crate) fn reach(&mut self, op: &Op, at: At, touch: Touch) -> Reach {
        if self.mask == 0 {
            return Reach::Nothing;
        }
        let bytes = u64::from(touch.bytes);
        let found = if at.flags & flags::NARROW != 0 {
            let row = self.row::<u32>(at.row);
            let offset = at.offset as u32;
            Addresses::of(
                self.mask,
                bytes,
                #[inline(always)]
                |lane| u64::from(row.at(lane).wrapping_add(offset)),
            )
        } else {
            let row = self.row::<u64>(at.row);
            let offset = at.offset as u64;
            Addresses::of(
                self.mask,
                bytes,
                #[inline(always)]
                |lane| row.at(lane).wrapping_add(offset),
            )
        };
        if found.union & u64::from(touch.align - 1) != 0 {
            return self.misaligned(op, &found.at, touch);
        }
        match at.flags & flags::SPACE {
            flags::GLOBAL => self.reach_global(op, &found, touch),
            flags::SHARED if found.union >> RANK_SHIFT == 0 => self.reach_shared(op, &found, touch),
            flags::GENERIC if found.union >> 48 == 0 => self.reach_global(op, &found, touch),
            space => self.reach_each(op, &found.at, space, touch),
        }
    }

    /// Leaves the addresses plus `base` in `host`; only the first counts where it tells the others.
    #[inline(always)]
    fn leave(&mut self, found: &Addresses, base: u64) {
        if found.reach == Reach::Each {
            for lane in 0..LANES {
                self.host[lane] = base.wrapping_add(found.at[lane]);
            }
        } else {
            self.host[0] = base.wrapping_add(found.at[0]);
        }
    }

    #[inline(always)]
    fn reach_global(&mut self, op: &Op, found: &Addresses, touch: Touch) -> Reach {
        let key = std::ptr::from_ref(op) as usize;
        let end = found.high.wrapping_add(u64::from(touch.bytes));
        let Some(region) = self.regions.find(key, found.low, end) else {
            return self.reach_each(op, &found.at, flags::GLOBAL, touch);
        };
        self.leave(found, 0);
        if touch.deed != Deed::Load {
            self.progress = true;
        }
        if self.shadow.checks_global() {
            return self.inspect_global(op, region, &found.at, touch, found.reach);
        }
        found.reach
    }

    #[inline(always)]
    fn reach_shared(&mut self, op: &Op, found: &Addresses, touch: Touch) -> Reach {
        let window = self.windows[self.rank];
        if found.low < u64::from(SHARED_START) || found.high + u64::from(touch.bytes) > window.end {
            return self.reach_each(op, &found.at, flags::SHARED, touch);
        }
        self.leave(found, window.base as u64);
        if touch.deed != Deed::Load {
            self.progress = true;
        }
        if self.shadow.checks_shared() {
            return self.inspect_shared(op, self.rank, &found.at, touch, found.reach);
        }
        found.reach
    }

    /// Lane by lane: addresses of several regions, blocks or spaces, and those that are wrong.
    #[inline(never)]
    fn reach_each(&mut self, op: &Op, address: &[u64; LANES], space: u32, touch: Touch) -> Reach {
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
    fn misaligned(&mut self, op: &Op, address: &[u64; LANES], touch: Touch) -> Reach {
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
