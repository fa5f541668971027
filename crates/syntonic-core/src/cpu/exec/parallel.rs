//! When a second thread is worth it, and how work is cut.

use crate::cpu::threads::{self, share_ranges};
use crate::error::{Error, Result};
use crate::interrupt;
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

/// Waking helpers costs about 10 microseconds, so work below this is done by the caller.
const WORTH_IT_TENTHS: usize = 400_000;
/// The most time of a piece, two milliseconds: work is told to stop between two pieces, and times are rough.
const MOST_TENTHS: usize = 20_000_000;
/// Pieces per thread, so that an unlucky thread does not hold up the rest.
const PIECES: usize = 4;
/// Elements of one byte in a line of memory.
const LINE: usize = 64;

/// Runs `body(from, to)` over disjoint ranges that cover the items. What fails comes out, also that the caller
/// [stopped](interrupt) the work, and the ranges that nobody has begun are then left.
pub(crate) fn for_ranges(
    work: Work,
    body: impl Fn(usize, usize) -> Result<()> + Sync,
) -> Result<()> {
    if work.items == 0 {
        return Ok(());
    }
    let time = work.items.saturating_mul(work.tenths_of_ns);
    if time < WORTH_IT_TENTHS {
        return alone(work.items, body);
    }
    let threads = threads::count();
    if threads < 2 && time < MOST_TENTHS {
        return alone(work.items, body);
    }
    try_ranges(work.items, piece(work, threads), body)
}

/// All items on this thread, in one go. A body that asks for itself may have ended early.
fn alone(items: usize, body: impl Fn(usize, usize) -> Result<()>) -> Result<()> {
    body(0, items)?;
    Ok(interrupt::check()?)
}

/// [`share_ranges`] with a body that may fail: one of the errors comes out, and the ranges that nobody has begun are left.
pub(crate) fn try_ranges(
    items: usize,
    piece: usize,
    body: impl Fn(usize, usize) -> Result<()> + Sync,
) -> Result<()> {
    let failed: OnceLock<Error> = OnceLock::new();
    let outcome = share_ranges(items, piece, |from, to| {
        if failed.get().is_none()
            && let Err(error) = body(from, to)
        {
            // Of several errors any one will do.
            let _ = failed.set(error);
        }
    });
    match failed.into_inner() {
        Some(error) => Err(error),
        None => Ok(outcome?),
    }
}

/// Items per piece. Pieces of many small items begin at whole lines of memory; an item of a few large
/// ones is worth a thread by itself.
fn piece(work: Work, threads: usize) -> usize {
    let most = MOST_TENTHS / work.tenths_of_ns.max(1);
    let fair = work.items.div_ceil(threads * PIECES);
    let least = fair.min(most).max(work.at_least).max(1);
    if least < LINE {
        least
    } else {
        least.next_multiple_of(LINE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

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

    #[test]
    fn no_piece_is_long() {
        let work = |tenths_of_ns| Work {
            items: 1 << 40,
            tenths_of_ns,
            at_least: 1,
        };
        assert_eq!(piece(work(MOST_TENTHS * 2), 1), 1);
        assert_eq!(piece(work(MOST_TENTHS / 10), 1), 10);
        assert!(piece(work(3), 1) * 3 <= MOST_TENTHS + 64 * 3);
    }

    #[test]
    fn an_error_and_a_stop_come_out_and_leave_the_rest() {
        for threads in [1, 3] {
            let team = threads::Threads::new(threads);
            let begun = AtomicUsize::new(0);
            let body = |from: usize, _: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                if from < 10 {
                    return Ok(());
                }
                Err(Error::value("test", "refused"))
            };
            let failed = team.install(|| try_ranges(100_000, 1, body));
            assert_eq!(failed.unwrap_err().to_string(), "test: refused");
            assert!(begun.into_inner() <= 10 + threads);

            let begun = AtomicUsize::new(0);
            let slow = |_: usize, _: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(1));
                Ok(())
            };
            let stopped = team.install(|| {
                interrupt::heeding(|| interrupt::Answer::Stop, || try_ranges(100_000, 1, slow))
            });
            assert!(matches!(stopped, Err(Error::Interrupted { .. })));
            assert!(begun.into_inner() < 100_000);
        }
    }

    #[test]
    fn work_that_ended_early_on_one_thread_is_no_result() {
        let short = Work {
            items: 8,
            tenths_of_ns: 1,
            at_least: 1,
        };
        let stopped = interrupt::heeding(
            || interrupt::Answer::Stop,
            || {
                for_ranges(short, |_, _| {
                    while interrupt::poll().is_ok() {
                        std::hint::spin_loop();
                    }
                    Ok(())
                })
            },
        );
        assert!(matches!(stopped, Err(Error::Interrupted { .. })));
    }
}
