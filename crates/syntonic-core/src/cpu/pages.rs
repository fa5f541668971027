//! Large blocks, mapped in large pages where the system has them. With small pages, the rows of a
//! large matrix lie in more pages than the processor remembers the addresses of.

use super::memory::ALIGN;
use memmap2::{MmapMut, MmapOptions};
use std::ptr::NonNull;

/// A large page of the usual processors. Blocks are mapped from this size on.
pub(super) const PAGE: usize = 2 << 20;

/// A block of `size` bytes at the beginning of a large page, or nothing if the system has no room.
pub(super) fn map(size: usize) -> Option<NonNull<u8>> {
    let room = size.checked_add(PAGE)?;
    let mut map = MmapOptions::new().len(room).map_anon().ok()?;
    let start = map.as_mut_ptr();
    // Maps begin at a small page, so there is at least one before the block.
    let before = (start as usize + ALIGN).next_multiple_of(PAGE) - start as usize;
    // Advice: where it is not taken, the block is as good as any other.
    #[cfg(target_os = "linux")]
    let _ = map.advise_range(memmap2::Advice::HugePage, before, size);
    let block = start.wrapping_add(before);
    // SAFETY: the line before the block belongs to the map, and is aligned for it.
    unsafe { owner(block).write(map) };
    NonNull::new(block)
}

/// Gives a block back to the system.
///
/// # Safety
/// `block` came from [`map`], and nobody uses it any more.
pub(super) unsafe fn unmap(block: *mut u8) {
    // SAFETY: `map` wrote the owner there, and it is read out once.
    drop(unsafe { owner(block).read() });
}

/// Where the owner of a block is kept: in the line before it.
fn owner(block: *mut u8) -> *mut MmapMut {
    const { assert!(size_of::<MmapMut>() <= ALIGN && align_of::<MmapMut>() <= ALIGN) };
    block.wrapping_sub(ALIGN).cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_block_is_ours_and_zero() {
        for size in [PAGE, PAGE + 4096, 3 * PAGE] {
            let block = map(size).unwrap().as_ptr();
            assert_eq!(block as usize % PAGE, 0);
            // SAFETY: the block has `size` bytes, and the system cleared them.
            let bytes = unsafe { std::slice::from_raw_parts_mut(block, size) };
            assert!(bytes.iter().all(|&b| b == 0));
            bytes.fill(255);
            // SAFETY: the block came from `map`, and `bytes` is not used again.
            unsafe { unmap(block) };
        }
    }

    #[test]
    fn no_room_is_no_block() {
        assert!(map(usize::MAX / 4).is_none());
        assert!(map(usize::MAX).is_none());
    }
}
