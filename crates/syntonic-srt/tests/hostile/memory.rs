//! An allocator that counts, thread by thread, what is taken.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    /// Bytes taken and not given back, and the most there were.
    static TAKEN: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: isize) {
    // A thread that ends has no counter any more.
    let _ = TAKEN.try_with(|taken| {
        let (now, most) = taken.get();
        let now = now + bytes;
        taken.set((now, most.max(now)));
    });
}

// SAFETY: every call goes to the system's allocator as it came; counting takes no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller says.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller says.
        unsafe { System.dealloc(address, layout) }
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: as the caller says.
        unsafe { System.realloc(address, layout, size) }
    }
}

/// What `work` gives, and the most bytes that this thread held more than before while it ran.
pub(crate) fn growth<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = TAKEN.with(|taken| {
        let (now, _) = taken.get();
        taken.set((now, now));
        now
    });
    let out = work();
    let (_, most) = TAKEN.with(Cell::get);
    (out, (most - before) as u64)
}

#[test]
fn growth_is_counted() {
    let (_, none) = growth(|| 3);
    assert_eq!(none, 0);
    let (kept, grown) = growth(|| {
        drop(vec![1u8; 1000]);
        vec![1u8; 300]
    });
    assert_eq!((kept.len(), grown), (300, 1000));
}
