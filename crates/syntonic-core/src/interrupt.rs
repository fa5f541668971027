//! Stopping long work: whoever waits for it may say that nobody wants it any more.
//!
//! A caller brings a question, `ask`, that the engine puts to it on the caller's own thread, between two
//! pieces of work and every tenth of a second at most. Where the answer is "stop", no further piece is begun, on
//! any thread, and the operation ends with [`Error::Interrupted`]. Its operands are as they were, and
//! what it had made is released; only a write into memory that exists has written some elements and others not.

mod abandon;

pub(crate) use abandon::{abandonable, after_fork};

use crate::error::Error;
use crate::room;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time between two questions: asking may mean to wait for a lock that others hold.
const INTERVAL: Duration = Duration::from_millis(100);

/// What a caller answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The work goes on.
    GoOn,
    /// It ends as soon as it can.
    Stop,
}

/// The work was stopped by its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped by the caller")]
pub struct Interrupted;

/// Done, or stopped on the way.
pub type Outcome = Result<(), Interrupted>;

impl From<Interrupted> for Error {
    fn from(_: Interrupted) -> Error {
        Error::Interrupted {
            op: "work".to_owned(),
        }
    }
}

/// Set once the work that shares it shall stop; never unset.
pub(crate) type Stop = Arc<AtomicBool>;

thread_local! {
    /// Whom this thread asks.
    static ASK: Cell<Option<fn() -> Answer>> = const { Cell::new(None) };
    /// When it asked last, or began to count.
    static LAST: Cell<Option<Instant>> = const { Cell::new(None) };
    /// What tells the others who do pieces of the same work; made when there are some.
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// The thread's place, given back when this is dropped.
struct Place {
    ask: Option<fn() -> Answer>,
    last: Option<Instant>,
    stop: Option<Stop>,
}

impl Place {
    fn take(ask: Option<fn() -> Answer>, stop: Option<Stop>) -> Place {
        Place {
            ask: ASK.replace(ask),
            last: LAST.replace(None),
            stop: STOP.replace(stop),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        ASK.set(self.ask.take());
        LAST.set(self.last.take());
        STOP.replace(self.stop.take());
    }
}

/// Runs `work`; long operations in it end with an error soon after `ask` says [`Answer::Stop`].
///
/// `ask` may itself use the engine. A question inside the work of another takes its place meanwhile.
///
/// ```
/// use syntonic_core::interrupt::{Answer, heeding};
/// use syntonic_core::prelude::*;
///
/// let sum = heeding(|| Answer::GoOn, || Tensor::from([1, 2]).sum(..)?.to_scalar::<i64>())?;
/// assert_eq!(sum, 3);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn heeding<T>(ask: fn() -> Answer, work: impl FnOnce() -> T) -> T {
    let _place = Place::take(Some(ask), None);
    work()
}

/// Runs `work` to its end: for what must not be left half done, and for what holds a lock.
///
/// ```
/// use syntonic_core::interrupt::{Answer, check, heeding, regardless};
///
/// let done = heeding(|| Answer::Stop, || regardless(|| check().is_ok()));
/// assert!(done);
/// ```
pub fn regardless<T>(work: impl FnOnce() -> T) -> T {
    let _place = Place::take(None, None);
    work()
}

/// Runs a piece of work of somebody who would set `stop`.
pub(crate) fn on_behalf<T>(stop: Stop, work: impl FnOnce() -> T) -> T {
    let _place = Place::take(None, Some(stop));
    work()
}

/// What tells helpers to stop, if this thread's work can be stopped.
pub(crate) fn stop() -> Option<Stop> {
    let made = |stop: &RefCell<Option<Stop>>| {
        let mut stop = stop.borrow_mut();
        if stop.is_none() && ASK.get().is_some() {
            *stop = Some(Stop::default());
        }
        stop.clone()
    };
    STOP.try_with(made).ok().flatten()
}

/// Whether there is somebody who may say stop.
#[doc(hidden)]
pub fn is_asked() -> bool {
    ASK.get().is_some()
        || STOP
            .try_with(|stop| stop.borrow().is_some())
            .unwrap_or(false)
}

/// An error if this thread's work was told to stop; asks nobody. For the end of work that asked on its way: a loop that
/// runs on one thread [polls](poll).
///
/// ```
/// use syntonic_core::interrupt;
///
/// // Nobody has told this thread to stop.
/// assert!(interrupt::check().is_ok());
/// ```
pub fn check() -> Outcome {
    let told = |stop: &RefCell<Option<Stop>>| {
        let stop = stop.borrow();
        stop.as_ref().is_some_and(|s| s.load(Ordering::Relaxed))
    };
    // A thread that ends works for nobody.
    if STOP.try_with(told).unwrap_or(false) {
        Err(Interrupted)
    } else {
        Ok(())
    }
}

/// Asks, if it is time to, whether this thread's work shall go on. For loops between pieces of at least some
/// microseconds: it reads a clock.
///
/// ```
/// use std::time::Duration;
/// use syntonic_core::interrupt::{Answer, heeding, poll};
///
/// let stopped = heeding(|| Answer::Stop, || loop {
///     if let Err(stopped) = poll() {
///         return stopped;
///     }
///     std::thread::sleep(Duration::from_millis(1));
/// });
/// assert_eq!(stopped.to_string(), "stopped by the caller");
/// ```
pub fn poll() -> Outcome {
    check()?;
    let Some(ask) = ASK.get() else {
        return Ok(());
    };
    let now = Instant::now();
    match LAST.get() {
        Some(last) if now.duration_since(last) >= INTERVAL => {}
        Some(_) => return Ok(()),
        None => {
            LAST.set(Some(now));
            return Ok(());
        }
    }
    let answer = {
        // What the caller does meanwhile is no part of the work.
        let _place = Place::take(None, None);
        ask()
    };
    LAST.set(Some(Instant::now()));
    if answer == Answer::Stop {
        if let Some(stop) = stop() {
            stop.store(true, Ordering::Relaxed);
        }
        return Err(Interrupted);
    }
    Ok(())
}

/// How many launches go by between two polls: those that are longer than some microseconds poll by themselves.
const LAUNCHES: u32 = 64;

/// [`poll`], now and then. Every program and every kernel passes here on its way to the device, so that no loop of short
/// ones is deaf.
#[inline]
pub(crate) fn at_launch() -> Outcome {
    thread_local! {
        static COUNT: Cell<u32> = const { Cell::new(0) };
    }
    let count = COUNT.get().wrapping_add(1);
    COUNT.set(count);
    match count % LAUNCHES {
        0 => poll(),
        _ => Ok(()),
    }
}

/// Bytes that are moved or filled before the caller is asked.
const PART: usize = 1 << 22;

/// Elements of a part.
const fn part<T>() -> usize {
    match size_of::<T>() {
        0 => PART,
        size => PART / size + 1,
    }
}

/// `to` becomes `from`, with [`poll`] now and then; both have one length.
pub(crate) fn copy<T: Copy>(to: &mut [T], from: &[T]) -> Outcome {
    in_pieces(to.len(), part::<T>(), |begin, end| {
        to[begin..end].copy_from_slice(&from[begin..end]);
    })
}

/// `to` becomes the value throughout, with [`poll`] now and then.
pub(crate) fn fill<T: Copy>(to: &mut [T], value: T) -> Outcome {
    in_pieces(to.len(), part::<T>(), |begin, end| {
        to[begin..end].fill(value)
    })
}

/// Calls `body(from, to)` for ranges of `piece` items that cover `0..items`, one after the other, and
/// [polls](poll) between them.
pub(crate) fn in_pieces(items: usize, piece: usize, mut body: impl FnMut(usize, usize)) -> Outcome {
    let mut from = 0;
    while from < items {
        if from > 0 {
            poll()?;
        }
        let to = (from + piece).min(items);
        body(from, to);
        from = to;
    }
    check()
}

/// `value(i)` for each `i` below `len`, in order, with [`poll`] after every `piece` of them. An error too where they have
/// no room.
pub(crate) fn collected<T>(
    len: usize,
    piece: usize,
    value: impl Fn(usize) -> T,
) -> crate::Result<Vec<T>> {
    let mut all = room::empty(len)?;
    in_pieces(len, piece, |from, to| all.extend((from..to).map(&value)))?;
    Ok(all)
}

/// Asks now and then in a loop whose steps are too short to ask at each.
pub(crate) struct Pace {
    next: usize,
    every: usize,
}

impl Pace {
    /// For a loop that begins at `from`: asks each time it has come `every` further.
    pub(crate) fn new(from: usize, every: usize) -> Pace {
        Pace {
            next: from.saturating_add(every),
            every,
        }
    }

    /// Whether the loop, which has come to `here`, shall end. Whoever waits for the whole work hears of it too, so
    /// that nobody reads what is left behind.
    #[inline(always)]
    pub(crate) fn stops(&mut self, here: usize) -> bool {
        here >= self.next && self.ask(here)
    }

    #[cold]
    fn ask(&mut self, here: usize) -> bool {
        self.next = here.saturating_add(self.every);
        poll().is_err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static ASKED: Cell<usize> = const { Cell::new(0) };
    }

    fn go_on() -> Answer {
        ASKED.set(ASKED.get() + 1);
        Answer::GoOn
    }

    fn stop_now() -> Answer {
        ASKED.set(ASKED.get() + 1);
        Answer::Stop
    }

    #[test]
    fn nobody_is_asked_without_a_question_or_too_often() {
        assert_eq!(poll(), Ok(()));
        ASKED.set(0);
        heeding(go_on, || {
            let start = Instant::now();
            while start.elapsed() < 3 * INTERVAL {
                assert_eq!(poll(), Ok(()));
            }
        });
        assert!((1..=3).contains(&ASKED.get()), "{}", ASKED.get());
    }

    #[test]
    fn a_stop_stays_until_the_work_is_over() {
        ASKED.set(0);
        heeding(stop_now, || {
            while poll().is_ok() {
                std::hint::spin_loop();
            }
            assert_eq!(check(), Err(Interrupted));
            assert_eq!(poll(), Err(Interrupted));
            heeding(go_on, || assert_eq!(check(), Ok(())));
            assert_eq!(check(), Err(Interrupted));
        });
        assert_eq!(ASKED.get(), 1);
        assert_eq!(check(), Ok(()));
    }
}
