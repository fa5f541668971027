//! An allocator that refuses, and the run of a call under it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use syntonic_core::{Error, cpu};

/// Blocks from this size on count: what is smaller does not grow with the data.
const LARGE: usize = 24 << 10;

/// Large blocks asked for, and how many of them are granted.
static ASKED: AtomicUsize = AtomicUsize::new(0);
static GRANTED: AtomicUsize = AtomicUsize::new(usize::MAX);

struct Refusing;

fn grants(size: usize) -> bool {
    size < LARGE || ASKED.fetch_add(1, Ordering::SeqCst) < GRANTED.load(Ordering::SeqCst)
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
        if grants(size) {
            // SAFETY: the caller's promise; the block came from the system.
            unsafe { System.realloc(block, layout, size) }
        } else {
            std::ptr::null_mut()
        }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// What a call says with so many large blocks granted and not one more, and how many it asked for.
fn granted(blocks: usize, call: &dyn Fn() -> Result<(), Error>) -> (Result<(), Error>, usize) {
    cpu().trim();
    ASKED.store(0, Ordering::SeqCst);
    GRANTED.store(blocks, Ordering::SeqCst);
    let outcome = call();
    GRANTED.store(usize::MAX, Ordering::SeqCst);
    (outcome, ASKED.load(Ordering::SeqCst))
}

/// The most numbers of granted blocks that are tried for one call.
const MOST: usize = 48;

/// Runs a call with ever more memory, until it has all it asks for; says how often it was refused. With less it must say that
/// there is no memory, and with all of it come to its end.
pub(crate) fn refusals(name: &str, call: &dyn Fn() -> Result<(), Error>) -> usize {
    // Threads, and working memory that threads keep, are there from now on or are not: each number of blocks is tried.
    let (outcome, needed) = granted(usize::MAX, call);
    outcome.unwrap_or_else(|e| panic!("{name} is no valid call: {e}"));
    let step = (needed / MOST).max(1);
    let mut refused = 0;
    for blocks in (0..needed).step_by(step) {
        match granted(blocks, call).0 {
            Ok(()) => {}
            Err(Error::OutOfMemory { requested, .. }) => {
                assert!(requested > 0, "{name} asked for nothing");
                refused += 1;
            }
            Err(other) => panic!("{name} with {blocks} blocks: {other}"),
        }
    }
    let (outcome, _) = granted(usize::MAX, call);
    outcome.unwrap_or_else(|e| panic!("{name} does not recover: {e}"));
    refused
}
