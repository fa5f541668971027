//! The caller and its helpers: work of microseconds in pieces. The caller begins at once, helpers take
//! pieces as they wake, and those that have just helped stay awake for a moment: a call of 80
//! microseconds cannot wait 10 for a thread to wake.

use crate::buffer::lock;
use rayon::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, TryLockError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long a helper without work stays awake, and a caller that waits for the last pieces: longer than a
/// program in Python takes from one call on large arrays to the next. A sleeping helper comes 40
/// microseconds late.
const AWAKE: Duration = Duration::from_micros(300);

/// What runs a piece, by its number.
type Body<'a> = dyn Fn(usize) + Sync + 'a;

/// Runs `body` for the pieces `0..pieces`, each once, on the caller and as many helpers as there are
/// threads; returns when all are done. A panic of a piece goes on in the caller.
///
/// Inside rayon's threads, and while another caller has the helpers, the pieces go to rayon.
fn share(pieces: usize, body: &Body<'_>) {
    if rayon::current_thread_index().is_none() && Team::get().lead(pieces, body) {
        return;
    }
    (0..pieces).into_par_iter().with_max_len(1).for_each(body);
}

/// Runs `body(from, to)` over the ranges of `piece` items that cover `0..items`, the last of them shorter, as
/// [`share`] runs pieces.
pub(crate) fn share_ranges(items: usize, piece: usize, body: impl Fn(usize, usize) + Sync) {
    share(items.div_ceil(piece), &|k| {
        body(k * piece, ((k + 1) * piece).min(items));
    });
}

/// Has every helper call `handler` with its number, counted from 1, when it starts; for instance to pin
/// it to a processor. `false` if the helpers run already, or somebody else has asked.
pub fn when_helpers_start(handler: fn(usize)) -> bool {
    TEAM.get().is_none() && STARTED.set(handler).is_ok()
}

static TEAM: OnceLock<Team> = OnceLock::new();
static STARTED: OnceLock<fn(usize)> = OnceLock::new();

struct Team {
    helpers: usize,
    /// Held by the caller that has the helpers.
    leader: Mutex<()>,
    board: Arc<Board>,
}

/// Where helpers find their work.
#[derive(Default)]
struct Board {
    /// Grows with every job; read by those who are awake.
    turn: AtomicU64,
    job: Mutex<Option<Arc<Job>>>,
    news: Condvar,
    asleep: AtomicUsize,
}

/// Pieces under way.
struct Job {
    body: *const Body<'static>,
    pieces: usize,
    /// The first piece that nobody has taken.
    next: AtomicUsize,
    /// Pieces that are not done.
    left: AtomicUsize,
    caller: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: the body is `Sync`, and is called only while its caller waits for pieces that are not done.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

impl Job {
    /// Takes pieces until none is left, and counts them.
    fn work(&self) -> usize {
        let mut done = 0;
        loop {
            let piece = self.next.fetch_add(1, Ordering::Relaxed);
            if piece >= self.pieces {
                return done;
            }
            // SAFETY: this piece is not done, so the caller still waits, and what it lent is alive.
            let body = unsafe { &*self.body };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| body(piece))) {
                lock(&self.panic).get_or_insert(panic);
            }
            done += 1;
            if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.caller.unpark();
            }
        }
    }

    /// Until every piece is done, first awake, then asleep.
    fn wait(&self) {
        let done = || self.left.load(Ordering::Acquire) == 0;
        if !awake_until(done) {
            while !done() {
                thread::park();
            }
        }
    }
}

impl Team {
    fn get() -> &'static Team {
        TEAM.get_or_init(|| {
            let board = Arc::new(Board::default());
            let started = |&number: &usize| {
                let board = board.clone();
                let named = thread::Builder::new().name(format!("syntonic-{number}"));
                named.spawn(move || help(number, &board)).is_ok()
            };
            let helpers = (1..rayon::current_num_threads()).take_while(started);
            Team {
                helpers: helpers.count(),
                leader: Mutex::new(()),
                board,
            }
        })
    }

    /// Shares the pieces with the helpers; `false`, and nothing done, if there are none to be had.
    fn lead(&self, pieces: usize, body: &Body<'_>) -> bool {
        let leader = match self.leader.try_lock() {
            Ok(leader) => leader,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        if self.helpers == 0 {
            return false;
        }
        // SAFETY: only the lifetime is forgotten. Nobody calls the body after the last piece is done,
        // and this function does not return before.
        let body = unsafe { std::mem::transmute::<*const Body<'_>, *const Body<'static>>(body) };
        let job = Arc::new(Job {
            body,
            pieces,
            next: AtomicUsize::new(0),
            left: AtomicUsize::new(pieces),
            caller: thread::current(),
            panic: Mutex::new(None),
        });
        self.board.post(&job, pieces - 1);
        job.work();
        job.wait();
        self.board.clear();
        drop(leader);
        if let Some(panic) = lock(&job.panic).take() {
            resume_unwind(panic);
        }
        true
    }
}

impl Board {
    /// Shows a job, and wakes as many sleeping helpers as it can use.
    fn post(&self, job: &Arc<Job>, useful: usize) {
        let mut shown = lock(&self.job);
        *shown = Some(job.clone());
        self.turn.fetch_add(1, Ordering::Release);
        let asleep = self.asleep.load(Ordering::Relaxed);
        drop(shown);
        for _ in 0..useful.min(asleep) {
            self.news.notify_one();
        }
    }

    fn clear(&self) {
        *lock(&self.job) = None;
    }

    /// The job after turn `seen`, once there is one, and the turn it belongs to.
    fn next(&self, seen: u64) -> (u64, Option<Arc<Job>>) {
        let fresh = || self.turn.load(Ordering::Acquire) != seen;
        awake_until(fresh);
        let mut shown = lock(&self.job);
        // Turns change and sleepers are counted under the lock, so that no job passes a sleeper by.
        while !fresh() {
            self.asleep.fetch_add(1, Ordering::Relaxed);
            shown = self
                .news
                .wait(shown)
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            self.asleep.fetch_sub(1, Ordering::Relaxed);
        }
        (self.turn.load(Ordering::Acquire), shown.clone())
    }
}

/// What a helper does all its life.
fn help(number: usize, board: &Board) {
    if let Some(handler) = STARTED.get() {
        handler(number);
    }
    let mut seen = 0;
    loop {
        let (turn, job) = board.next(seen);
        seen = turn;
        if let Some(job) = job {
            job.work();
        }
    }
}

/// Waits awake until `done` holds, for [`AWAKE`] at most; says whether it does.
fn awake_until(done: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    loop {
        for _ in 0..64 {
            if done() {
                return true;
            }
            std::hint::spin_loop();
        }
        if start.elapsed() > AWAKE {
            return done();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(pieces: usize) -> Vec<usize> {
        let counts: Vec<AtomicUsize> = (0..pieces).map(|_| AtomicUsize::new(0)).collect();
        share(pieces, &|k| {
            counts[k].fetch_add(1, Ordering::Relaxed);
        });
        counts.into_iter().map(AtomicUsize::into_inner).collect()
    }

    #[test]
    fn every_piece_runs_once() {
        for round in 0..200 {
            let pieces = round % 17 + 1;
            assert_eq!(counted(pieces), vec![1; pieces]);
            if round % 50 == 0 {
                // Long enough for helpers to fall asleep.
                thread::sleep(4 * AWAKE);
            }
        }
    }

    #[test]
    fn callers_side_by_side_and_inside_each_other() {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        share(3, &|_| assert_eq!(counted(5), [1; 5]));
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_reaches_the_caller_and_helpers_live_on() {
        for _ in 0..20 {
            let work = || share(8, &|k| assert!(k != 3, "piece {k}"));
            let panic = catch_unwind(work).expect_err("a piece panics");
            let text = panic.downcast_ref::<String>().map(String::as_str);
            assert_eq!(text, Some("piece 3"));
            assert_eq!(counted(8), [1; 8]);
        }
    }

    #[test]
    fn helpers_run_already() {
        counted(2);
        assert!(!when_helpers_start(|_| ()));
    }
}
