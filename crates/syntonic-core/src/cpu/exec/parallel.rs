//! When a second thread is worth it, and how work is cut.

use rayon::prelude::*;

/// A quantity of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// How many items there are.
    pub(crate) items: usize,
    /// Time of one item on one thread, in tenths of a nanosecond.
    pub(crate) tenths_of_ns: usize,
    /// A piece has at least this many items.
    pub(crate) at_least: usize,
}

/// Waking the pool costs about 10 microseconds, so work below this is done by the caller.
const WORTH_IT_TENTHS: usize = 400_000;
/// Pieces per thread, so that an unlucky thread does not hold up the rest.
const PIECES: usize = 4;

/// Runs `body(from, to)` over disjoint ranges that cover the items.
pub(crate) fn for_ranges(work: Work, body: impl Fn(usize, usize) + Sync) {
    if work.items == 0 {
        return;
    }
    let threads = rayon::current_num_threads();
    if threads < 2 || work.items.saturating_mul(work.tenths_of_ns) < WORTH_IT_TENTHS {
        return body(0, work.items);
    }
    let piece = work
        .items
        .div_ceil(threads * PIECES)
        .max(work.at_least)
        .next_multiple_of(64);
    (0..work.items.div_ceil(piece))
        .into_par_iter()
        .with_max_len(1)
        .for_each(|k| {
            body(k * piece, ((k + 1) * piece).min(work.items));
        });
}
