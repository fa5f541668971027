//! Memory of the card: allocations of the host, each with room around it that no kernel may touch.
//!
//! A device pointer is the host's address.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What allocations start at a multiple of.
const ALIGNMENT: usize = 512;
/// Bytes before and after an allocation that belong to nobody.
const RED_ZONE: usize = 512;
/// Fresh memory up to this size is filled with a pattern, so that what reads it before it is written shows. Larger
/// memory is fresh from the system: zeros, of which a page costs nothing before it is used.
const FILLED: usize = 32 << 20;
/// Floats of this pattern are NaN, and integers are far from any index.
const PATTERN: u8 = 0xFF;

/// One bit for every byte of an allocation: whether anything was written there.
#[derive(Debug)]
pub(crate) struct Written(Box<[AtomicU64]>);

impl Written {
    /// Of so many bytes that hold nothing.
    pub(crate) fn new(bytes: usize) -> Self {
        Self((0..bytes.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Notes that the bytes of `range` hold values.
    pub(crate) fn set(&self, range: Range<usize>) {
        for (word, bits) in words(range) {
            if let Some(word) = self.0.get(word)
                && word.load(Ordering::Relaxed) & bits != bits
            {
                word.fetch_or(bits, Ordering::Relaxed);
            }
        }
    }

    /// Whether all bytes of `range` hold values.
    pub(crate) fn all(&self, range: Range<usize>) -> bool {
        words(range).all(|(word, bits)| {
            self.0
                .get(word)
                .is_none_or(|word| word.load(Ordering::Relaxed) & bits == bits)
        })
    }
}

/// The words that hold the bits of `range`, with the bits of each.
fn words(range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let Range { start, end } = range;
    (start / 64..end.div_ceil(64)).map(move |word| {
        let first = start.saturating_sub(word * 64).min(64);
        let last = (end - word * 64).min(64);
        (
            word,
            (u64::MAX >> (64 - last)) & u64::MAX.checked_shl(first as u32).unwrap_or(0),
        )
    })
}

/// Memory that ends with its last holder.
#[derive(Debug)]
struct Owned {
    base: *mut u8,
    layout: Layout,
}

// SAFETY: nothing but `drop` uses `base`, and that happens once.
unsafe impl Send for Owned {}
// SAFETY: as above; a shared `Owned` does nothing.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: `base` came from `alloc` with this layout, and only here is it given back.
        unsafe { dealloc(self.base, self.layout) };
    }
}

/// A stretch of memory that kernels may access.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// Its first byte.
    pub(crate) start: u64,
    /// The byte after its last.
    pub(crate) end: u64,
    written: Arc<OnceLock<Written>>,
    /// Adopted memory belongs to someone else and counts as written.
    owned: Option<Arc<Owned>>,
}

impl Region {
    /// Memory that someone else owns.
    pub(crate) fn foreign(start: u64, bytes: usize) -> Self {
        Self {
            start,
            end: start + bytes as u64,
            written: Arc::default(),
            owned: None,
        }
    }

    /// Which bytes hold values; `None` where all do.
    pub(crate) fn written(&self) -> Option<&Written> {
        self.owned.as_ref()?;
        Some(
            self.written
                .get_or_init(|| Written::new((self.end - self.start) as usize)),
        )
    }
}

/// The allocations of one card.
#[derive(Debug, Default)]
pub struct Memory {
    regions: Mutex<BTreeMap<u64, Region>>,
    /// The same in order, made when a launch asks for it and dropped when it changes.
    listed: Mutex<Option<Arc<[Region]>>>,
}

impl Memory {
    /// A card without allocations.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn regions(&self) -> MutexGuard<'_, BTreeMap<u64, Region>> {
        self.regions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self) -> MutexGuard<'_, BTreeMap<u64, Region>> {
        let regions = self.regions();
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = None;
        regions
    }

    /// Allocates `bytes`; 0 where the host has no such memory.
    #[must_use]
    pub fn allocate(&self, bytes: usize) -> u64 {
        let Some(total) = bytes
            .checked_next_multiple_of(ALIGNMENT)
            .and_then(|body| body.checked_add(2 * RED_ZONE))
        else {
            return 0;
        };
        let Ok(layout) = Layout::from_size_align(total, ALIGNMENT) else {
            return 0;
        };
        // SAFETY: the layout is not empty: it has two red zones.
        let base = unsafe { alloc(layout) };
        if base.is_null() {
            return 0;
        }
        if bytes <= FILLED {
            // SAFETY: `base` was just allocated with `total` bytes.
            unsafe { base.write_bytes(PATTERN, total) };
        }
        let start = base as u64 + RED_ZONE as u64;
        let owned = Some(Arc::new(Owned { base, layout }));
        let region = Region {
            start,
            end: start + bytes as u64,
            written: Arc::default(),
            owned,
        };
        self.change().insert(start, region);
        start
    }

    /// Ends the allocation that starts at `address`; whether there was one. A kernel that runs may go on using it.
    pub fn free(&self, address: u64) -> bool {
        self.change().remove(&address).is_some()
    }

    /// Start and length of the allocation that holds `address`.
    #[must_use]
    pub fn size_of(&self, address: u64) -> Option<(u64, usize)> {
        let regions = self.regions();
        let (&start, region) = regions.range(..=address).next_back()?;
        (address < region.end || address == start).then(|| (start, (region.end - start) as usize))
    }

    /// Lets kernels access `bytes` of the host's memory from `host` on, until `free` is called with its address.
    pub fn adopt(&self, host: *mut u8, bytes: usize) {
        let start = host as u64;
        self.change().insert(start, Region::foreign(start, bytes));
    }

    /// Notes that the host wrote these addresses.
    pub fn mark_written(&self, range: Range<u64>) {
        let regions = self.regions();
        let Some((_, region)) = regions.range(..=range.start).next_back() else {
            return;
        };
        if range.start >= region.end {
            return;
        }
        if let Some(written) = region.written() {
            written.set(
                (range.start - region.start) as usize
                    ..(range.end.min(region.end) - region.start) as usize,
            );
        }
    }

    /// Writes to an allocation; what does not fit is left out.
    pub(crate) fn write(&self, address: u64, bytes: &[u8]) {
        let regions = self.regions();
        let Some(region) = regions.get(&address) else {
            return;
        };
        let length = bytes.len().min((region.end - region.start) as usize);
        // SAFETY: the allocation is live while the lock is held, and has `length` bytes.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, length) };
        drop(regions);
        self.mark_written(address..address + length as u64);
    }

    /// Notes that the host copied `bytes` from one place to another: the copy holds values where the original does.
    pub fn mark_copied(&self, from: u64, to: u64, bytes: usize) {
        let holds: Option<Vec<bool>> = {
            let regions = self.regions();
            regions
                .range(..=from)
                .next_back()
                .filter(|(_, region)| from < region.end)
                .and_then(|(_, region)| {
                    let written = region.written()?;
                    let first = (from - region.start) as usize;
                    Some(
                        (first..first + bytes)
                            .map(|byte| written.all(byte..byte + 1))
                            .collect(),
                    )
                })
        };
        match holds {
            None => self.mark_written(to..to + bytes as u64),
            Some(holds) => {
                for (byte, _) in holds.iter().enumerate().filter(|(_, holds)| **holds) {
                    self.mark_written(to + byte as u64..to + byte as u64 + 1);
                }
            }
        }
    }

    /// All allocations in the order of their addresses. Their memory lasts as long as the list.
    pub(crate) fn list(&self) -> Arc<[Region]> {
        let regions = self.regions();
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(listed.get_or_insert_with(|| regions.values().cloned().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allocation_is_found_by_any_address_in_it() {
        let memory = Memory::new();
        let start = memory.allocate(100);
        assert_eq!(start % 512, 0);
        assert_eq!(memory.size_of(start + 99), Some((start, 100)));
        assert_eq!(memory.size_of(start + 100), None);
        assert!(memory.free(start));
        assert!(!memory.free(start));
    }

    #[test]
    fn what_was_written_is_known_byte_by_byte() {
        let written = Written::new(200);
        written.set(60..131);
        assert!(written.all(60..131));
        assert!(!written.all(59..61));
        assert!(!written.all(130..132));
        assert!(written.all(64..64));
    }

    #[test]
    fn a_copy_holds_values_where_its_original_does() {
        let memory = Memory::new();
        let (a, b) = (memory.allocate(64), memory.allocate(64));
        memory.mark_written(a + 4..a + 8);
        memory.mark_copied(a, b, 16);
        let list = memory.list();
        let region = list.iter().find(|region| region.start == b).unwrap();
        assert!(region.written().unwrap().all(4..8));
        assert!(!region.written().unwrap().all(3..8));
    }
}
