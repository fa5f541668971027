//! The memory pool of a GPU: freed blocks wait here for the next request of their size.
//!
//! Requests go to the driver's stream-ordered allocator. A block is returned without waiting for the work that uses it: its
//! next user works on the same stream, or waits for that one first.
//!
//! A block serves its own size class only, so repeated work allocates nothing after its first round: each class then holds
//! its peak number of blocks. When the classes in use change, waiting blocks could pile up. The pool bounds that: before it
//! holds much more than its peak use, it gives waiting blocks back to the driver, which coalesces them.

use crate::driver::fault::{Checked, fault};
use cudarc::driver::sys::{self, CUresult};
use std::collections::BTreeMap;
use std::sync::Mutex;
use syntonic_core::device::MemoryStats;
use syntonic_core::fork::{Locked, lock};
use syntonic_core::{DeviceId, Error, Result};

/// Sizes are multiples of this, so that nearly equal temporaries share blocks.
const GRAIN: usize = 512;
/// The slack of the pool over its peak use; an eighth of that where it is more.
const SPARE: usize = 256 << 20;

/// No request is larger, so that sizes can be rounded up.
const MOST: usize = isize::MAX as usize / 2;

/// Waiting blocks by size, and the counts.
#[derive(Debug, Default)]
struct Blocks {
    free: BTreeMap<usize, Vec<u64>>,
    /// Size of every block that the driver gave, in use or waiting. It changes only when one comes or goes, so that taking
    /// and giving back a block that waits moves no more than one number.
    known: BTreeMap<u64, usize>,
    stats: MemoryStats,
    limit: Option<usize>,
    /// Bytes being allocated from the driver.
    coming: usize,
}

/// Waits for all work on the GPU.
type Idle<'a> = &'a dyn Fn() -> Result<()>;

/// The allocator of one GPU.
#[derive(Debug)]
pub(crate) struct Pool {
    device: DeviceId,
    blocks: Mutex<Blocks>,
}

/// The size of the block that serves a request.
fn class(bytes: usize) -> usize {
    let bytes = bytes.max(1);
    let step = (bytes.next_power_of_two() / 16).clamp(GRAIN, 2 << 20);
    bytes.div_ceil(step) * step
}

/// Why the pool may not allocate more from the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Objection {
    /// The limit that was set.
    Limit,
    /// Too many blocks wait in unused classes.
    Gathered,
}

impl Blocks {
    fn take(&mut self, size: usize) -> Option<u64> {
        let waiting = self.free.get_mut(&size)?;
        let block = waiting.pop()?;
        self.stats.cached -= size;
        Some(block)
    }

    /// Why `size` more bytes may not be allocated while blocks wait, if so.
    fn objection(&self, size: usize) -> Option<Objection> {
        let held = self.stats.in_use + self.stats.cached + self.coming + size;
        if self.limit.is_some_and(|limit| held > limit) {
            return Some(Objection::Limit);
        }
        let most = self.stats.peak.max(self.stats.in_use + size);
        let gathered = self.stats.cached > 0 && held > most + SPARE.max(most / 8);
        gathered.then_some(Objection::Gathered)
    }

    /// Reserves `size` bytes for a request, so that concurrent requests stay below the limit together.
    fn promise(&mut self, size: usize) -> std::result::Result<(), Objection> {
        match self.objection(size) {
            Some(objection) => Err(objection),
            None => {
                self.coming += size;
                Ok(())
            }
        }
    }

    /// Adds a block of the driver's and hands it out.
    fn arrive(&mut self, block: u64, size: usize) {
        self.known.insert(block, size);
        self.hand_out(size);
    }

    fn hand_out(&mut self, size: usize) {
        self.stats.in_use += size;
        self.stats.peak = self.stats.peak.max(self.stats.in_use);
    }

    fn take_back(&mut self, block: u64, size: usize) {
        self.stats.in_use -= size;
        self.stats.cached += size;
        self.free.entry(size).or_default().push(block);
    }

    fn drain(&mut self) -> Vec<u64> {
        self.stats.cached = 0;
        let waiting: Vec<u64> = std::mem::take(&mut self.free)
            .into_values()
            .flatten()
            .collect();
        for block in &waiting {
            self.known.remove(block);
        }
        waiting
    }
}

impl Pool {
    /// A pool for `device`; keeps the driver's own pool from releasing memory at every synchronisation.
    pub(crate) fn new(device: DeviceId, handle: sys::CUdevice) -> Result<Pool> {
        let mut keep = u64::MAX;
        // SAFETY: the device exists, and the attribute is a 64-bit number.
        unsafe {
            let pool = cudarc::driver::result::device::get_default_mem_pool(handle)
                .during("memory pool", device)?;
            sys::cuMemPoolSetAttribute(
                pool,
                sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                (&raw mut keep).cast(),
            )
            .during("memory pool", device)?;
        }
        Ok(Pool {
            device,
            blocks: Mutex::default(),
        })
    }

    fn lock(&self) -> Locked<'_, Blocks> {
        lock(&self.blocks)
    }

    /// A waiting block of at least `bytes` bytes, without a driver call, if there is one.
    pub(crate) fn waiting(&self, bytes: usize) -> Option<u64> {
        if bytes > MOST {
            return None;
        }
        let size = class(bytes);
        let mut blocks = self.lock();
        let block = blocks.take(size)?;
        blocks.hand_out(size);
        Some(block)
    }

    /// A block of at least `bytes` bytes, usable by work on `stream`.
    ///
    /// # Safety
    /// The context is current, and `stream` is one of its streams.
    pub(crate) unsafe fn allocate(
        &self,
        bytes: usize,
        stream: sys::CUstream,
        idle: Idle<'_>,
    ) -> Result<u64> {
        if bytes > MOST {
            return Err(self.refuse(bytes));
        }
        let size = class(bytes);
        let promised = self.lock().promise(size);
        if promised.is_err() {
            // SAFETY: the caller's promise.
            unsafe { self.give_back(stream, idle)? };
            let again = self.lock().promise(size);
            match again {
                Ok(()) => {}
                Err(Objection::Limit) => return Err(self.refuse(bytes)),
                // Other threads returned blocks meanwhile.
                Err(Objection::Gathered) => self.lock().coming += size,
            }
        }
        // SAFETY: the caller's promise.
        let taken = unsafe { self.fetch(bytes, size, stream, idle) };
        let mut blocks = self.lock();
        blocks.coming -= size;
        let block = taken?;
        blocks.arrive(block, size);
        Ok(block)
    }

    /// Allocates memory, and releases all waiting blocks if it has to.
    ///
    /// # Safety
    /// The context is current, and `stream` is one of its streams.
    unsafe fn fetch(
        &self,
        bytes: usize,
        size: usize,
        stream: sys::CUstream,
        idle: Idle<'_>,
    ) -> Result<u64> {
        // SAFETY: the caller's promise.
        let block = match unsafe { fresh(size, stream) } {
            Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY) => {
                // SAFETY: the caller's promise.
                unsafe {
                    self.trim(stream, idle)?;
                    fresh(size, stream)
                }
            }
            other => other,
        };
        match block {
            Ok(block) => Ok(block),
            Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY) => Err(self.refuse(bytes)),
            Err(code) => Err(fault("allocate", self.device, code)),
        }
    }

    /// Takes a block back. Its next stream may still have work pending on it.
    pub(crate) fn release(&self, block: u64) {
        let mut blocks = self.lock();
        let Some(&size) = blocks.known.get(&block) else {
            tracing::error!(block, "released memory that this pool never gave");
            return;
        };
        blocks.take_back(block, size);
    }

    /// Gives waiting blocks back to the driver, whose own pool coalesces neighbours and serves other sizes from them.
    ///
    /// # Safety
    /// The context is current, and `stream` is one of its streams.
    unsafe fn give_back(&self, stream: sys::CUstream, idle: Idle<'_>) -> Result<()> {
        let waiting = self.lock().drain();
        // SAFETY: these blocks came from the driver's allocator and belong to nobody; the first wait makes sure that no
        // work uses them, the second that the driver has them again.
        unsafe {
            idle()?;
            for block in waiting {
                sys::cuMemFreeAsync(block, stream).during("trim", self.device)?;
            }
            cudarc::driver::result::stream::synchronize(stream).during("trim", self.device)
        }
    }

    /// Gives waiting blocks back to the driver, and the driver's to the system.
    ///
    /// # Safety
    /// The context is current, and `stream` is one of its streams.
    pub(crate) unsafe fn trim(&self, stream: sys::CUstream, idle: Idle<'_>) -> Result<()> {
        // SAFETY: the caller's promise; the pool is the current device's own.
        unsafe {
            self.give_back(stream, idle)?;
            let mut handle = 0;
            sys::cuCtxGetDevice(&mut handle).during("trim", self.device)?;
            let pool = cudarc::driver::result::device::get_default_mem_pool(handle)
                .during("trim", self.device)?;
            cudarc::driver::result::mem_pool::trim_to(pool, 0).during("trim", self.device)
        }
    }

    /// The block that holds an address. All foreign memory counts as one block, since its block bounds are unknown.
    pub(crate) fn block_of(&self, address: u64) -> u64 {
        let blocks = self.lock();
        let below = blocks.known.range(..=address).next_back();
        below
            .filter(|(start, size)| address < *start + **size as u64)
            .map_or(0, |(&start, _)| start)
    }

    /// Counts of this moment.
    pub(crate) fn stats(&self) -> MemoryStats {
        self.lock().stats
    }

    /// Limits the pool to `bytes` bytes; `None` leaves it to the card.
    pub(crate) fn set_limit(&self, bytes: Option<usize>) {
        self.lock().limit = bytes;
    }

    fn refuse(&self, requested: usize) -> Error {
        let stats = self.stats();
        Error::OutOfMemory {
            device: self.device,
            requested,
            in_use: stats.in_use,
            cached: stats.cached,
        }
    }
}

/// New memory from the driver.
///
/// # Safety
/// The context is current, and `stream` is one of its streams.
unsafe fn fresh(size: usize, stream: sys::CUstream) -> std::result::Result<u64, CUresult> {
    let mut block = 0;
    // SAFETY: the caller's promise; the driver writes one address.
    match unsafe { sys::cuMemAllocAsync(&mut block, size, stream) } {
        CUresult::CUDA_SUCCESS => Ok(block),
        code => Err(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_waste_little() {
        for bytes in [
            0,
            1,
            511,
            512,
            513,
            10_000,
            1 << 20,
            (64 << 20) + 1,
            3 << 30,
        ] {
            let size = class(bytes);
            assert!(size >= bytes && size.is_multiple_of(GRAIN), "{bytes}");
            assert!(size - bytes <= (bytes / 8).max(GRAIN), "{bytes} -> {size}");
        }
    }

    /// A pool without a driver: what it would take from one is counted.
    fn serve(blocks: &mut Blocks, size: usize, taken: &mut usize) -> u64 {
        if let Some(block) = blocks.take(size) {
            blocks.hand_out(size);
            return block;
        }
        *taken += size;
        let block = *taken as u64;
        blocks.arrive(block, size);
        block
    }

    #[test]
    fn a_second_round_of_the_same_work_takes_no_new_memory() {
        let mut blocks = Blocks::default();
        let (mut taken, mut after_one) = (0, 0);
        for round in 0..3 {
            let mut live = std::collections::VecDeque::new();
            for step in 0..1000usize {
                let size = class((step * step * 7919) % (1 << (10 + step % 14)));
                live.push_back((serve(&mut blocks, size, &mut taken), size));
                if step % 3 != 0 || live.len() > 40 {
                    let (block, size) = live.pop_front().expect("one was pushed");
                    blocks.take_back(block, size);
                }
            }
            for (block, size) in live {
                blocks.take_back(block, size);
            }
            if round == 0 {
                after_one = taken;
            }
        }
        assert_eq!(taken, after_one);
    }

    #[test]
    fn blocks_in_classes_that_nobody_asks_for_are_given_back() {
        let mut blocks = Blocks::default();
        let one = 64 << 20;
        let mut taken = 0;
        let mut objected = false;
        for count in 0..32 {
            let size = one + count * (2 << 20);
            if blocks.objection(size).is_some() {
                assert!(blocks.stats.cached > SPARE / 2, "{:?}", blocks.stats);
                objected = true;
                break;
            }
            let block = serve(&mut blocks, size, &mut taken);
            blocks.take_back(block, size);
        }
        assert!(objected, "{:?}", blocks.stats);
        let waiting = blocks.known.len();
        assert_eq!(blocks.drain().len(), waiting);
        assert!(blocks.known.is_empty());
        assert_eq!(blocks.objection(one), None);
    }

    #[test]
    fn what_is_promised_counts() {
        let mut blocks = Blocks {
            limit: Some(1000),
            ..Blocks::default()
        };
        assert_eq!(blocks.promise(600), Ok(()));
        assert_eq!(blocks.promise(600), Err(Objection::Limit));
        assert_eq!(blocks.promise(400), Ok(()));
        assert_eq!(blocks.coming, 1000);
    }

    #[test]
    fn the_limit_stands_above_everything() {
        let blocks = Blocks {
            limit: Some(1000),
            ..Blocks::default()
        };
        assert_eq!(blocks.objection(1000), None);
        assert_eq!(blocks.objection(1001), Some(Objection::Limit));
    }
}
