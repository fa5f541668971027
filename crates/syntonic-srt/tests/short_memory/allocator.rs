//! An allocator that refuses, and the run of a call under it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use syntonic_core::{Error, cpu};

/// Blocks from this size on count: what is smaller does not grow with the data.
const LARGE: usize = 24 << 10;

/// Bytes of large blocks that are in use, the most there were since [`granted`] began, and the most there may be.
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static BUDGET: AtomicUsize = AtomicUsize::new(usize::MAX);

struct Refusing;

/// Counts a block in, unless it is one too many.
fn grants(size: usize) -> bool {
    if size < LARGE {
        return true;
    }
    let with_it = IN_USE.fetch_add(size, Ordering::SeqCst) + size;
    if with_it > BUDGET.load(Ordering::SeqCst) {
        release(size);
        return false;
    }
    PEAK.fetch_max(with_it, Ordering::SeqCst);
    true
}

fn release(size: usize) {
    if size >= LARGE {
        IN_USE.fetch_sub(size, Ordering::SeqCst);
    }
}

// SAFETY: every block is the system's; that there is none is an answer an allocator may give.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if grants(layout.size()) {
            // SAFETY: the caller's promise.
            unsafe { System.alloc(layout) }
        } else {
            std::ptr::null_mut()
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        release(layout.size());
        // SAFETY: the caller's promise; the block came from the system.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if grants(layout.size()) {
            // SAFETY: the caller's promise.
            unsafe { System.alloc_zeroed(layout) }
        } else {
            std::ptr::null_mut()
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !grants(size) {
            return std::ptr::null_mut();
        }
        release(layout.size());
        // SAFETY: the caller's promise; the block came from the system.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// What a call says with so many bytes more than are in use, and the most it used.
fn granted(bytes: usize, call: &dyn Fn() -> Result<(), Error>) -> (Result<(), Error>, usize) {
    cpu().trim();
    let before = IN_USE.load(Ordering::SeqCst);
    PEAK.store(before, Ordering::SeqCst);
    BUDGET.store(before.saturating_add(bytes), Ordering::SeqCst);
    let outcome = call();
    BUDGET.store(usize::MAX, Ordering::SeqCst);
    (outcome, PEAK.load(Ordering::SeqCst) - before)
}

/// What a call says that may use so many bytes more than are in use.
pub(crate) fn within(bytes: usize, call: &dyn Fn() -> Result<(), Error>) -> Result<(), Error> {
    granted(bytes, call).0
}

/// How many amounts of memory are tried for one call.
const AMOUNTS: usize = 40;

/// Runs a call with ever more memory, up to all it asks for; says how often it was refused. With less it must say that there
/// is no memory, or do with less, and with all of it come to its end.
pub(crate) fn refusals(name: &str, call: &dyn Fn() -> Result<(), Error>) -> usize {
    let (outcome, needed) = granted(usize::MAX, call);
    outcome.unwrap_or_else(|e| panic!("{name} is no valid call: {e}"));
    let mut refused = 0;
    for part in 0..AMOUNTS {
        match granted(needed * part / AMOUNTS, call).0 {
            Ok(()) => {}
            Err(Error::OutOfMemory { requested, .. }) => {
                assert!(requested > 0, "{name} asked for nothing");
                refused += 1;
            }
            Err(other) => panic!("{name} with {part}/{AMOUNTS} of its memory: {other}"),
        }
    }
    let (outcome, _) = granted(usize::MAX, call);
    outcome.unwrap_or_else(|e| panic!("{name} does not recover: {e}"));
    refused
}
