//! The CPU's memory: aligned blocks, and a small cache so that large temporaries do not make the
//! system hand out and clear the same pages again and again.

use super::pages;
use crate::device::{DeviceId, MemoryStats};
use crate::error::{Error, Result};
use crate::fork::lock;
use std::alloc::{Layout, alloc, dealloc};
use std::cell::RefCell;
use std::ptr::NonNull;
use std::sync::Mutex;

/// Alignment of every block, in bytes: a cache line, and the widest vector.
pub(crate) const ALIGN: usize = 64;
/// Blocks below this are no business of the shared cache.
const SMALLEST_CACHED: usize = 64 << 10;
/// Blocks up to this are kept by the thread that gives them back: they are gone and wanted again within
/// a microsecond, and the system's allocator is slow with aligned blocks.
const LARGEST_KEPT: usize = 8 << 10;
/// How many blocks of each size a thread keeps.
const KEPT: usize = 4;
/// The cache keeps at most this many bytes.
const MOST_CACHED: usize = 512 << 20;

/// No block is larger: beyond it, rounding a size up would leave the address space.
const LARGEST: usize = isize::MAX as usize / 2;

/// Blocks given back and not yet handed out again.
#[derive(Debug, Default)]
struct Cache {
    blocks: Vec<(usize, Address)>,
    stats: MemoryStats,
}

/// Small blocks that a thread keeps, by their size in units of [`ALIGN`].
struct Kept {
    blocks: [[*mut u8; KEPT]; LARGEST_KEPT / ALIGN],
    counts: [u8; LARGEST_KEPT / ALIGN],
}

thread_local! {
    static SMALL: RefCell<Kept> = const {
        RefCell::new(Kept {
            blocks: [[std::ptr::null_mut(); KEPT]; LARGEST_KEPT / ALIGN],
            counts: [0; LARGEST_KEPT / ALIGN],
        })
    };
}

impl Kept {
    fn take(&mut self, size: usize) -> Option<*mut u8> {
        let class = size / ALIGN - 1;
        let count = self.counts[class].checked_sub(1)?;
        self.counts[class] = count;
        Some(self.blocks[class][count as usize])
    }

    /// Keeps a block, unless there are enough of its size.
    fn put(&mut self, block: *mut u8, size: usize) -> bool {
        let class = size / ALIGN - 1;
        let count = self.counts[class] as usize;
        if count == KEPT {
            return false;
        }
        self.blocks[class][count] = block;
        self.counts[class] += 1;
        true
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        for class in 0..self.counts.len() {
            let size = (class + 1) * ALIGN;
            while let Some(block) = self.take(size) {
                // SAFETY: kept blocks were allocated with this size and belong to nobody.
                unsafe { free(block, size) };
            }
        }
    }
}

/// A block that nobody has, so that the cache may move between threads.
#[derive(Clone, Copy, Debug)]
struct Address(*mut u8);

// SAFETY: the block belongs to the cache alone.
unsafe impl Send for Address {}

/// The CPU's allocator.
#[derive(Debug, Default)]
pub(crate) struct Memory(Mutex<Cache>);

/// Sizes are rounded up so that nearly equal temporaries share blocks: to a 16th of a power of two.
fn class(bytes: usize) -> usize {
    if bytes <= LARGEST_KEPT {
        return bytes.max(1).next_multiple_of(ALIGN);
    }
    if bytes < SMALLEST_CACHED {
        return bytes;
    }
    let step = (bytes.next_power_of_two() / 16).max(4096);
    bytes.div_ceil(step) * step
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, ALIGN).ok()
}

impl Memory {
    pub(crate) fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        if bytes > LARGEST {
            return Err(self.refuse(bytes));
        }
        let size = class(bytes);
        if size <= LARGEST_KEPT {
            let kept = SMALL.try_with(|kept| kept.try_borrow_mut().ok()?.take(size));
            return match kept {
                Ok(Some(block)) => Ok(block),
                _ => self.fresh(bytes, size),
            };
        }
        if size < SMALLEST_CACHED {
            return self.fresh(bytes, size);
        }
        let mut cache = lock(&self.0);
        let found = cache.blocks.iter().rposition(|&(s, _)| s == size);
        if let Some(at) = found {
            let (_, Address(address)) = cache.blocks.swap_remove(at);
            cache.stats.cached -= size;
            cache.account(size);
            return Ok(address);
        }
        drop(cache);
        let address = self.fresh(bytes, size)?;
        lock(&self.0).account(size);
        Ok(address)
    }

    fn fresh(&self, requested: usize, size: usize) -> Result<*mut u8> {
        let block = block(size).or_else(|| {
            self.trim();
            block(size)
        });
        block
            .map(NonNull::as_ptr)
            .ok_or_else(|| self.refuse(requested))
    }

    fn refuse(&self, requested: usize) -> Error {
        let stats = self.stats();
        Error::OutOfMemory {
            device: DeviceId::Cpu,
            requested,
            in_use: stats.in_use,
            cached: stats.cached,
        }
    }

    /// # Safety
    /// `address` came from `allocate(bytes)`, and is given back once.
    pub(crate) unsafe fn release(&self, address: *mut u8, bytes: usize) {
        let size = class(bytes);
        if size <= LARGEST_KEPT {
            let put = |kept: &RefCell<Kept>| {
                kept.try_borrow_mut()
                    .is_ok_and(|mut k| k.put(address, size))
            };
            if SMALL.try_with(put).unwrap_or(false) {
                return;
            }
        }
        if size >= SMALLEST_CACHED {
            let mut cache = lock(&self.0);
            cache.stats.in_use -= size;
            if cache.stats.cached + size <= MOST_CACHED {
                cache.stats.cached += size;
                cache.blocks.push((size, Address(address)));
                return;
            }
        }
        // SAFETY: the caller vouches for the address; the layout is the one it was allocated with.
        unsafe { free(address, size) };
    }

    pub(crate) fn stats(&self) -> MemoryStats {
        lock(&self.0).stats
    }

    pub(crate) fn trim(&self) {
        let blocks = {
            let mut cache = lock(&self.0);
            cache.stats.cached = 0;
            std::mem::take(&mut cache.blocks)
        };
        for (size, Address(address)) in blocks {
            // SAFETY: cached blocks were allocated with this size and belong to nobody.
            unsafe { free(address, size) };
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.trim();
    }
}

impl Cache {
    fn account(&mut self, size: usize) {
        self.stats.in_use += size;
        self.stats.peak = self.stats.peak.max(self.stats.in_use);
    }
}

/// Whether a block of this size is mapped. An interpreter maps nothing.
fn is_mapped(size: usize) -> bool {
    size >= pages::PAGE && !cfg!(miri)
}

/// A block that belongs to nobody else, if there is room; `size` is not zero (see [`class`]).
fn block(size: usize) -> Option<NonNull<u8>> {
    if is_mapped(size) {
        return pages::map(size);
    }
    // SAFETY: the size is not zero.
    layout(size).and_then(|l| NonNull::new(unsafe { alloc(l) }))
}

/// # Safety
/// `address` is a [`block`] of exactly `size` bytes that nobody uses any more.
unsafe fn free(address: *mut u8, size: usize) {
    if is_mapped(size) {
        // SAFETY: as the caller says; a block of this size came from there.
        unsafe { pages::unmap(address) };
    } else if let Some(l) = layout(size) {
        // SAFETY: as the caller says, with the alignment every block has.
        unsafe { dealloc(address, l) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_blocks_come_back() {
        let memory = Memory::default();
        let a = memory.allocate(1 << 20).unwrap();
        // SAFETY: `a` came from this allocator with this size.
        unsafe { memory.release(a, 1 << 20) };
        assert_eq!(memory.stats().cached, 1 << 20);
        let b = memory.allocate((1 << 20) - 8).unwrap();
        assert_eq!(b, a);
        assert_eq!(
            memory.stats(),
            MemoryStats {
                in_use: 1 << 20,
                peak: 1 << 20,
                cached: 0
            }
        );
        // SAFETY: `b` came from this allocator with this size.
        unsafe { memory.release(b, (1 << 20) - 8) };
    }

    #[test]
    fn impossible_sizes_are_errors() {
        let memory = Memory::default();
        let largest = isize::MAX as usize;
        for bytes in [
            largest / 2,
            largest - 4096,
            largest,
            largest + 2,
            usize::MAX,
        ] {
            assert!(matches!(
                memory.allocate(bytes),
                Err(Error::OutOfMemory { requested, .. }) if requested == bytes
            ));
        }
    }
}
