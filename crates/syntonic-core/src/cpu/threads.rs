//! Work on several threads: the one door to them. Whoever needs threads asks here, and goes on alone where the
//! system gives none.

use super::pool::STARTED;
use super::team::Team;
use crate::fork::lock;
use crate::interrupt::{self, Outcome};
use std::cell::RefCell;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex};

/// The team of this process; made by whoever needs it first, and again in a forked child. Never freed: threads and
/// references to it last as long as the process.
static PROCESS: AtomicPtr<Arc<Team>> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    /// The team that this thread works with instead.
    static CHOSEN: RefCell<Option<Arc<Team>>> = const { RefCell::new(None) };
}

/// Threads of one's own: a caller and its helpers.
///
/// Operations within [`Threads::install`] use them and no others. What an operation computes does not depend on
/// their number.
///
/// ```
/// use syntonic_core::cpu::threads::{Threads, count};
///
/// assert_eq!(Threads::new(1).install(count), 1);
/// ```
#[derive(Debug)]
pub struct Threads(Arc<Team>);

impl Threads {
    /// A caller with `count - 1` helpers, or with as many as the system gives.
    ///
    /// ```
    /// use syntonic_core::cpu::threads::{Threads, count};
    ///
    /// assert_eq!(Threads::new(1).install(count), 1);
    /// ```
    pub fn new(count: usize) -> Threads {
        Threads(Team::of(count))
    }

    /// Runs `work` on the calling thread, with these helpers.
    ///
    /// ```
    /// use syntonic_core::cpu::threads::Threads;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::linspace(0.0, 1.0, 100_001)?;
    /// let sum = || x.sum(..)?.to_scalar::<f64>();
    /// // Results do not depend on how many threads there are.
    /// assert_eq!(Threads::new(1).install(sum)?, Threads::new(2).install(sum)?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn install<T>(&self, work: impl FnOnce() -> T) -> T {
        choosing(Some(self.0.clone()), work)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// How many threads work together here, the caller among them. 1 where the system gives no second one.
///
/// The environment variable `RAYON_NUM_THREADS` says how many a process has; 0 or no number leaves it to the
/// machine.
///
/// ```
/// use syntonic_core::cpu::threads::count;
///
/// assert!(count() >= 1);
/// ```
pub fn count() -> usize {
    with_team(|team| team.threads())
}

/// Runs `body` for the pieces `0..pieces`, each once, on the caller and on helpers that have nothing else to do;
/// returns when all are done. A panic of a piece goes on in the caller.
///
/// # Errors
/// [`Interrupted`](crate::interrupt::Interrupted) if the caller stopped the work; some pieces are not run then. A piece whose own shared work is
/// stopped may simply return.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use syntonic_core::cpu::threads::share;
///
/// let sum = AtomicUsize::new(0);
/// share(10, |piece| { sum.fetch_add(piece, Ordering::Relaxed); }).unwrap();
/// assert_eq!(sum.into_inner(), 45);
/// ```
pub fn share(pieces: usize, body: impl Fn(usize) + Sync) -> Outcome {
    with_team(|team| team.share(pieces, &body))
}

/// Runs `body(from, to)` over the ranges of `piece` items that cover `0..items`, the last of them shorter, as
/// [`share`] runs pieces. A range has at least one item.
///
/// # Errors
/// As [`share`].
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use syntonic_core::cpu::threads::share_ranges;
///
/// let longest = AtomicUsize::new(0);
/// share_ranges(10, 4, |from, to| { longest.fetch_max(to - from, Ordering::Relaxed); }).unwrap();
/// assert_eq!(longest.into_inner(), 4);
/// ```
pub fn share_ranges(items: usize, piece: usize, body: impl Fn(usize, usize) + Sync) -> Outcome {
    let piece = piece.max(1);
    share(items.div_ceil(piece), |k| {
        let from = k * piece;
        body(from, from + piece.min(items - from));
    })
}

/// Runs `body(start, chunk)` over chunks of `len` elements, the last of them shorter, as [`share`] runs pieces. A chunk has at
/// least one element.
///
/// # Errors
/// As [`share`]; elements of chunks that were not run are as they were.
///
/// ```
/// use syntonic_core::cpu::threads::share_chunks;
///
/// let mut all = [0; 5];
/// share_chunks(&mut all, 2, |start, chunk| chunk.fill(start)).unwrap();
/// assert_eq!(all, [0, 0, 2, 2, 4]);
/// ```
pub fn share_chunks<T: Send>(
    all: &mut [T],
    len: usize,
    body: impl Fn(usize, &mut [T]) + Sync,
) -> Outcome {
    struct First<T>(*mut T);
    // SAFETY: the elements may be sent, and no two pieces share one.
    unsafe impl<T: Send> Sync for First<T> {}
    impl<T> First<T> {
        fn at(&self, k: usize) -> *mut T {
            self.0.wrapping_add(k)
        }
    }
    let (first, items) = (First(all.as_mut_ptr()), all.len());
    share_ranges(items, len, |from, to| {
        // SAFETY: ranges are disjoint and lie inside the slice, which is borrowed until all are done.
        let chunk = unsafe { std::slice::from_raw_parts_mut(first.at(from), to - from) };
        body(from, chunk);
    })
}

/// Runs both, on two threads where there are some.
///
/// # Errors
/// As [`share`].
///
/// ```
/// use syntonic_core::cpu::threads::join;
///
/// let (mut a, mut b) = (0, 0);
/// join(|| a = 1, || b = 2).unwrap();
/// assert_eq!((a, b), (1, 2));
/// ```
pub fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) -> Outcome {
    let (a, b) = (Mutex::new(Some(a)), Mutex::new(Some(b)));
    share(2, |k| {
        if k == 0 {
            once(&a);
        } else {
            once(&b);
        }
    })
}

fn once<F: FnOnce()>(work: &Mutex<Option<F>>) {
    let work = lock(work).take();
    if let Some(work) = work {
        work();
    }
}

/// Has every helper call `handler` with its number, counted from 1, when it starts; for instance to pin
/// it to a processor. `false` if the helpers run already, or somebody else has asked.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
/// use syntonic_core::cpu::when_helpers_start;
/// use syntonic_core::prelude::*;
///
/// static LAST: AtomicUsize = AtomicUsize::new(0);
///
/// // At the beginning of a program: the operating system may be asked for a processor of one's own here.
/// assert!(when_helpers_start(|number| {
///     LAST.fetch_max(number, Relaxed);
/// }));
/// assert!(Tensor::ones(&[1 << 22], DType::F64)?.exp()?.sum(..)?.to_scalar::<f64>()? > 1e7);
/// println!("{} helpers came", LAST.load(Relaxed));
/// assert!(!when_helpers_start(|_| ())); // once a process
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn when_helpers_start(handler: fn(usize)) -> bool {
    PROCESS.load(Ordering::Acquire).is_null() && crate::fork::set(&STARTED, handler).is_ok()
}

/// In a forked child: threads do not survive a fork, so the helpers that the parent had are only a memory of helpers. The child
/// starts its own when it needs them.
#[cfg(unix)]
pub(crate) fn after_fork() {
    interrupt::after_fork();
    PROCESS.store(std::ptr::null_mut(), Ordering::Release);
    // Nobody may wake the parent's helpers, so their team is not let go in the usual way.
    std::mem::forget(choose(None));
}

/// The team that a thread works with, for another one that works on its behalf.
pub(crate) struct Chosen(Option<Arc<Team>>);

impl Chosen {
    /// What this thread has chosen.
    pub(crate) fn here() -> Chosen {
        Chosen(chosen())
    }

    /// This thread works with it from now on.
    pub(crate) fn take_up(self) {
        choose(self.0);
    }
}

/// The team that this thread works with, where it has chosen one.
pub(super) fn chosen() -> Option<Arc<Team>> {
    let found = CHOSEN.try_with(|chosen| chosen.borrow().clone());
    found.ok().flatten()
}

/// Sets the team that this thread works with; returns the former choice.
pub(super) fn choose(team: Option<Arc<Team>>) -> Option<Arc<Team>> {
    // A thread that ends has lost its choice.
    CHOSEN
        .try_with(|chosen| chosen.replace(team))
        .ok()
        .flatten()
}

/// Runs `work`, for which this thread works with the team.
pub(super) fn choosing<T>(team: Option<Arc<Team>>, work: impl FnOnce() -> T) -> T {
    struct Former(Option<Arc<Team>>);
    impl Drop for Former {
        fn drop(&mut self) {
            choose(self.0.take());
        }
    }
    let _former = Former(choose(team));
    work()
}

/// Calls `visit` with the team that this thread works with.
fn with_team<T>(visit: impl FnOnce(&Arc<Team>) -> T) -> T {
    match chosen() {
        Some(team) => visit(&team),
        None => visit(process()),
    }
}

fn process() -> &'static Arc<Team> {
    let made = PROCESS.load(Ordering::Acquire);
    if made.is_null() {
        return start();
    }
    // SAFETY: what is put there lives as long as the process.
    unsafe { &*made }
}

#[cold]
fn start() -> &'static Arc<Team> {
    let named = std::env::var("RAYON_NUM_THREADS").ok();
    let team = Team::of(wanted(named.as_deref()));
    let own = Box::into_raw(Box::new(team));
    let none = std::ptr::null_mut();
    match PROCESS.compare_exchange(none, own, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: it is never freed.
        Ok(_) => unsafe { &*own },
        Err(other) => {
            // SAFETY: nobody has seen this one; the other is never freed.
            unsafe {
                Box::from_raw(own).close();
                &*other
            }
        }
    }
}

/// The number of threads for what the environment says.
fn wanted(named: Option<&str>) -> usize {
    let machine = || std::thread::available_parallelism().map_or(1, usize::from);
    let number = named.and_then(|text| text.trim().parse::<usize>().ok());
    // More helpers than a machine could have are a slip of the pen.
    number
        .filter(|&n| n > 0)
        .map_or_else(machine, |n| n.min(MOST))
}

/// Threads that a process starts at most.
const MOST: usize = 1 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_a_number_or_leaves_it_to_the_machine() {
        let machine = wanted(None);
        assert!(machine >= 1);
        for text in ["", "0", "-3", "many", "1e3", "99999999999999999999999"] {
            assert_eq!(wanted(Some(text)), machine, "{text}");
        }
        assert_eq!(wanted(Some("1")), 1);
        assert_eq!(wanted(Some(" 7 ")), 7);
        assert_eq!(wanted(Some("123456789")), MOST);
    }

    #[test]
    fn chunks_cover_a_slice() {
        for (len, chunk) in [(0, 3), (1, 3), (10, 3), (9, 3), (100, 1)] {
            let mut all = vec![0; len];
            let write = |start: usize, part: &mut [usize]| {
                for (k, x) in part.iter_mut().enumerate() {
                    *x += start + k + 1;
                }
            };
            Threads::new(3)
                .install(|| share_chunks(&mut all, chunk, write))
                .unwrap();
            assert!(all.iter().enumerate().all(|(k, &x)| x == k + 1));
        }
    }

    #[test]
    fn own_threads_are_used_inside_and_given_back() {
        let outside = count();
        let three = Threads::new(3);
        three.install(|| {
            assert_eq!(count(), 3);
            assert_eq!(Threads::new(1).install(count), 1);
            share(4, |_| assert_eq!(count(), 3)).unwrap();
        });
        assert_eq!(count(), outside);
    }

    #[test]
    fn both_halves_run() {
        let (mut a, mut b) = (0, 0);
        join(|| a += 1, || b += 2).unwrap();
        assert_eq!((a, b), (1, 2));
    }

    #[test]
    fn helpers_run_already() {
        count();
        assert!(!when_helpers_start(|_| ()));
    }
}
