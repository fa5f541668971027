//! Which parts of the program a file has reached, where the program was compiled to tell.
//!
//! `cargo xtask hostile --guided` has the compiler put a counter into every branch. A damaged file that reaches a branch
//! no file reached before is kept, and damaged further: so damage finds its way through one check after the other.

use std::slice;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Parts of the program that were compiled by themselves; each has its own counters.
const MOST_PARTS: usize = 4096;

static STARTS: [AtomicPtr<u8>; MOST_PARTS] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; MOST_PARTS];
static LENGTHS: [AtomicUsize; MOST_PARTS] = [const { AtomicUsize::new(0) }; MOST_PARTS];
static PARTS: AtomicUsize = AtomicUsize::new(0);

/// Called by every part before the program begins, with the place of its counters.
// SAFETY: nothing else has this name, which is the compiler's for this purpose.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, end: *mut u8) {
    let part = PARTS.fetch_add(1, Ordering::Relaxed);
    if part < MOST_PARTS {
        STARTS[part].store(start, Ordering::Relaxed);
        LENGTHS[part].store(end.addr() - start.addr(), Ordering::Relaxed);
    }
}

/// What files have reached so far.
#[derive(Default)]
pub(crate) struct Reached {
    /// For each counter the sizes it has had, a bit for each power of two.
    seen: Vec<Vec<u8>>,
}

impl Reached {
    /// Whether something was reached since the last call that never was before. Without counters nothing ever is.
    pub(crate) fn news(&mut self) -> bool {
        let mut news = false;
        let parts = PARTS.load(Ordering::Relaxed).min(MOST_PARTS);
        for part in 0..parts {
            let length = LENGTHS[part].load(Ordering::Relaxed);
            let start = STARTS[part].load(Ordering::Relaxed);
            // SAFETY: the compiler's counters live as long as the program. Other threads may count too, on the side of
            // the machine and not of the language; one test runs at a time where there are counters.
            let counters = unsafe { slice::from_raw_parts_mut(start, length) };
            if self.seen.len() == part {
                self.seen.push(vec![0; length]);
            }
            for (counter, seen) in counters.iter_mut().zip(&mut self.seen[part]) {
                if *counter != 0 {
                    let size = 1 << counter.ilog2();
                    news |= *seen & size == 0;
                    *seen |= size;
                    *counter = 0;
                }
            }
        }
        news
    }

    /// Counters that were reached, and how many there are.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let all = self.seen.iter().flatten();
        (all.clone().filter(|seen| **seen != 0).count(), all.count())
    }
}
