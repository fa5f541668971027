//! The GPU's memory: blocks that were given back wait here for the next request of their size.
//!
//! Requests go to the driver's stream-ordered allocator. A block comes back without waiting for the
//! work that uses it: whoever gets it next works on the same stream, or waits for that one first.

use crate::fault::{Checked, fault};
use cudarc::driver::sys::{self, CUresult};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use syntonic_core::device::MemoryStats;
use syntonic_core::{DeviceId, Error, Result};

/// Sizes are multiples of this, so that nearly equal temporaries share blocks.
const GRAIN: usize = 512;
/// Above this, a block may be this much larger than the request it serves.
const SLACK: usize = 8;

/// Blocks that wait, by size, and the counts.
#[derive(Debug, Default)]
struct Blocks {
    free: BTreeMap<usize, Vec<u64>>,
    /// Size of every live block.
    live: BTreeMap<u64, usize>,
    stats: MemoryStats,
    limit: Option<usize>,
}

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

impl Blocks {
    fn take(&mut self, size: usize) -> Option<(u64, usize)> {
        let (&found, waiting) = self.free.range_mut(size..=size + size / SLACK).next()?;
        let block = waiting.pop()?;
        if waiting.is_empty() {
            self.free.remove(&found);
        }
        self.stats.cached -= found;
        Some((block, found))
    }

    fn hand_out(&mut self, block: u64, size: usize) {
        self.live.insert(block, size);
        self.stats.in_use += size;
        self.stats.peak = self.stats.peak.max(self.stats.in_use);
    }

    fn drain(&mut self) -> Vec<u64> {
        self.stats.cached = 0;
        std::mem::take(&mut self.free)
            .into_values()
            .flatten()
            .collect()
    }
}

impl Pool {
    /// A pool for `device`; keeps the driver's own pool from giving memory back at every wait.
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

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block of at least `bytes` bytes, usable by work on `stream`.
    ///
    /// # Safety
    /// The context is current, and `stream` is one of its streams.
    pub(crate) unsafe fn allocate(&self, bytes: usize, stream: sys::CUstream) -> Result<u64> {
        if bytes > isize::MAX as usize / 2 {
            return Err(self.refuse(bytes));
        }
        let size = class(bytes);
        {
            let mut blocks = self.lock();
            if let Some((block, found)) = blocks.take(size) {
                blocks.hand_out(block, found);
                return Ok(block);
            }
            let held = blocks.stats.in_use + blocks.stats.cached;
            if blocks.limit.is_some_and(|limit| held + size > limit) {
                drop(blocks);
                // SAFETY: the caller's promise.
                unsafe { self.trim(stream)? };
                let blocks = self.lock();
                if blocks
                    .limit
                    .is_some_and(|limit| blocks.stats.in_use + size > limit)
                {
                    drop(blocks);
                    return Err(self.refuse(bytes));
                }
            }
        }
        // SAFETY: the caller's promise.
        let block = match unsafe { fresh(size, stream) } {
            Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY) => {
                // SAFETY: the caller's promise.
                unsafe {
                    self.trim(stream)?;
                    fresh(size, stream)
                }
            }
            other => other,
        };
        match block {
            Ok(block) => {
                self.lock().hand_out(block, size);
                Ok(block)
            }
            Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY) => Err(self.refuse(bytes)),
            Err(code) => Err(fault("allocate", self.device, code)),
        }
    }

    /// Takes a block back. Work that uses it may still be under way on the stream that uses it next.
    pub(crate) fn release(&self, block: u64) {
        let mut blocks = self.lock();
        let Some(size) = blocks.live.remove(&block) else {
            tracing::error!(block, "released memory that this pool never gave");
            return;
        };
        blocks.stats.in_use -= size;
        blocks.stats.cached += size;
        blocks.free.entry(size).or_default().push(block);
    }

    /// Gives waiting blocks back to the driver, and the driver's to the system.
    ///
    /// # Safety
    /// The context is current, and `stream` is one of its streams.
    pub(crate) unsafe fn trim(&self, stream: sys::CUstream) -> Result<()> {
        let waiting = self.lock().drain();
        // SAFETY: these blocks came from the driver's allocator and belong to nobody; the wait makes
        // sure that no work uses them.
        unsafe {
            cudarc::driver::result::ctx::synchronize().during("trim", self.device)?;
            for block in waiting {
                sys::cuMemFreeAsync(block, stream).during("trim", self.device)?;
            }
            cudarc::driver::result::stream::synchronize(stream).during("trim", self.device)?;
            let mut handle = 0;
            sys::cuCtxGetDevice(&mut handle).during("trim", self.device)?;
            let pool = cudarc::driver::result::device::get_default_mem_pool(handle)
                .during("trim", self.device)?;
            cudarc::driver::result::mem_pool::trim_to(pool, 0).during("trim", self.device)
        }
    }

    /// The block that holds an address. All memory of others counts as one block, since nobody told us where theirs
    /// begin and end.
    pub(crate) fn block_of(&self, address: u64) -> u64 {
        let blocks = self.lock();
        let below = blocks.live.range(..=address).next_back();
        below
            .filter(|(start, size)| address < *start + **size as u64)
            .map_or(0, |(&start, _)| start)
    }

    /// Counts of this moment.
    pub(crate) fn stats(&self) -> MemoryStats {
        self.lock().stats
    }

    /// No more than `bytes` bytes are held at once from now on; `None` leaves it to the card.
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

    #[test]
    fn a_waiting_block_serves_a_request_that_nearly_fills_it() {
        let mut blocks = Blocks::default();
        blocks.stats.cached = 4096;
        blocks.free.insert(4096, vec![7]);
        assert_eq!(blocks.take(2048), None);
        assert_eq!(blocks.take(4000), Some((7, 4096)));
        assert_eq!(blocks.stats.cached, 0);
        assert_eq!(blocks.take(4000), None);
    }
}
