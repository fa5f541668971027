//! When a second thread is worth it, and how work is cut.

use crate::cpu::team::share_ranges;
use crate::error::{Error, Result};
use std::sync::OnceLock;

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
/// Elements of one byte in a line of memory.
const LINE: usize = 64;

/// Runs `body(from, to)` over disjoint ranges that cover the items. What fails comes out, and the ranges that nobody has
/// begun are then left.
pub(crate) fn for_ranges(
    work: Work,
    body: impl Fn(usize, usize) -> Result<()> + Sync,
) -> Result<()> {
    if work.items == 0 {
        return Ok(());
    }
    let threads = rayon::current_num_threads();
    if threads < 2 || work.items.saturating_mul(work.tenths_of_ns) < WORTH_IT_TENTHS {
        return body(0, work.items);
    }
    try_ranges(work.items, piece(work, threads), body)
}

/// [`share_ranges`] with a body that may fail: one of the errors comes out, and the ranges that nobody has begun are left.
pub(crate) fn try_ranges(
    items: usize,
    piece: usize,
    body: impl Fn(usize, usize) -> Result<()> + Sync,
) -> Result<()> {
    let failed: OnceLock<Error> = OnceLock::new();
    share_ranges(items, piece, |from, to| {
        if failed.get().is_none()
            && let Err(error) = body(from, to)
        {
            // Of several errors any one will do.
            let _ = failed.set(error);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// Items per piece. Pieces of many small items begin at whole lines of memory; an item of a few large
/// ones is worth a thread by itself.
fn piece(work: Work, threads: usize) -> usize {
    let least = work.items.div_ceil(threads * PIECES).max(work.at_least);
    if least < LINE {
        least
    } else {
        least.next_multiple_of(LINE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_large_items_are_shared_out() {
        let work = |items, at_least| Work {
            items,
            tenths_of_ns: 1,
            at_least,
        };
        assert_eq!(piece(work(64, 1), 2), 8);
        assert_eq!(piece(work(3, 1), 2), 1);
        assert_eq!(piece(work(1000, 1), 2), 128);
        assert_eq!(piece(work(100_000, 16384), 2), 16384);
        assert_eq!(piece(work(2000, 1500), 8), 1536);
    }
}
