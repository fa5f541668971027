//! The caller and its helpers: work in pieces. The caller begins at once, and helpers take pieces as they come.
//!
//! The helpers' threads are rayon's (`pool`), which wakes them for work and lets them sleep. A thread that has just helped
//! stays awake for a moment before it goes back: a call of 80 microseconds cannot wait for a thread to wake.
//! `kernels/notes/threads.md` has what that brings, and what rayon's own loops take for work of every length.
//!
//! Several callers may have work at the same time, and a piece may have pieces itself: helpers take what they
//! find. Whoever has work does its pieces too, and waits for others only while they run a piece of that very
//! work; so all of it ends, with any number of helpers and with none.

use super::pool::Pool;
use super::threads::choosing;
use crate::fork::{Home, lock};
use crate::interrupt::{self, Interrupted, Outcome, Stop};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long a helper without work stays awake, and a caller that waits for the last pieces: longer than a
/// program in Python takes from one call on large arrays to the next. A helper that has to be woken comes 40
/// microseconds late.
const AWAKE: Duration = Duration::from_micros(300);
/// How long a caller that may be told to stop sleeps before it asks.
const ASLEEP: Duration = Duration::from_millis(50);

/// What runs a piece, by its number.
pub(super) type Body<'a> = dyn Fn(usize) + Sync + 'a;

/// A caller's helpers, and where they find their work.
#[derive(Debug)]
pub(super) struct Team {
    pool: Pool,
    /// Grows with every job; read by those who are awake.
    turn: AtomicU64,
    /// A plain lock, for it is taken at every call: a child has its own team, and leaves this one alone.
    jobs: Mutex<Vec<Arc<Job>>>,
    /// Helpers that were called and have not gone back; changes under the lock of the jobs.
    here: AtomicUsize,
    closed: AtomicBool,
    /// The process in which its helpers run.
    home: Home,
}

/// Pieces under way.
#[derive(Debug)]
struct Job {
    body: Address,
    pieces: usize,
    /// The first piece that nobody has taken.
    next: AtomicUsize,
    /// Pieces that are not done.
    left: AtomicUsize,
    caller: Thread,
    stop: Option<Stop>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

struct Address(*const Body<'static>);

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:p}", self.0)
    }
}

// SAFETY: the body is `Sync`, and is called only while its caller waits for pieces that are not done.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl Job {
    /// Whether there are pieces that nobody has taken.
    fn is_open(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.pieces
    }

    /// Takes pieces until none is left, with `between` after each. Pieces of stopped work are not run.
    fn work(&self, between: impl Fn()) {
        loop {
            let piece = self.next.fetch_add(1, Ordering::Relaxed);
            if piece >= self.pieces {
                return;
            }
            let stopped = self.stop.as_ref();
            if !stopped.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                // SAFETY: this piece is not done, so the caller still waits, and what it lent is alive.
                let body = unsafe { &*self.body.0 };
                let run = AssertUnwindSafe(|| {
                    body(piece);
                    between();
                });
                if let Err(panic) = catch_unwind(run) {
                    lock(&self.panic).get_or_insert(panic);
                }
            }
            if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.caller.unpark();
            }
        }
    }

    /// Until every piece is done, first awake, then asleep; or until this is another process than that of the helpers.
    fn wait(&self, home: Home) {
        let done = || self.left.load(Ordering::Acquire) == 0 || home.is_elsewhere();
        if awake_until(done) {
            return;
        }
        while !done() {
            if self.stop.is_some() {
                thread::park_timeout(ASLEEP);
                self.ask();
            } else {
                thread::park();
            }
        }
    }
}

impl Job {
    /// Asks the caller whether to go on. The answer reaches the others through the job; what it is for this thread is asked at
    /// the end. A question that panics stops the work, and goes on in the caller when nobody uses what it lent any more.
    fn ask(&self) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(interrupt::poll)) {
            lock(&self.panic).get_or_insert(panic);
            if let Some(stop) = &self.stop {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Team {
    /// A team of `threads`, or of as many as the system gives.
    pub(super) fn of(threads: usize) -> Arc<Team> {
        let wanted = threads.saturating_sub(1);
        let pool = Pool::of(wanted);
        if pool.helpers() < wanted {
            tracing::warn!(
                threads,
                helpers = pool.helpers(),
                "the system gives no further thread"
            );
        }
        Arc::new(Team {
            pool,
            turn: AtomicU64::new(0),
            jobs: Mutex::default(),
            here: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            home: Home::here(),
        })
    }

    /// The helpers and one caller.
    pub(super) fn threads(&self) -> usize {
        self.pool.helpers() + 1
    }

    /// Runs `body` for the pieces `0..pieces`, each once, on the caller and on helpers that have nothing else
    /// to do; returns when all are done. A panic of a piece goes on in the caller.
    pub(super) fn share(self: &Arc<Team>, pieces: usize, body: &Body<'_>) -> Outcome {
        if pieces < 2 || self.threads() < 2 || self.home.is_elsewhere() {
            return interrupt::in_pieces(pieces, 1, |piece, _| body(piece));
        }
        // SAFETY: only the lifetime is forgotten. Nobody calls the body after the last piece is done,
        // and this function does not return before.
        let body = unsafe { std::mem::transmute::<*const Body<'_>, *const Body<'static>>(body) };
        let job = Arc::new(Job {
            body: Address(body),
            pieces,
            next: AtomicUsize::new(0),
            left: AtomicUsize::new(pieces),
            caller: thread::current(),
            stop: interrupt::stop(),
            panic: Mutex::new(None),
        });
        self.post(&job, pieces - 1);
        job.work(|| {
            // As where it waits.
            let _ = interrupt::poll();
        });
        job.wait(self.home);
        if self.home.is_elsewhere() {
            // The process was forked by a piece of this very work: those that helpers had begun end in the parent alone, and
            // nobody may wake its helpers.
            return Err(Interrupted);
        }
        plain(&self.jobs).retain(|shown| !Arc::ptr_eq(shown, &job));
        if let Some(panic) = lock(&job.panic).take() {
            resume_unwind(panic);
        }
        interrupt::check()
    }

    /// Lets the helpers go. Their threads end once nobody uses the team.
    pub(super) fn close(&self) {
        if self.home.is_elsewhere() {
            return;
        }
        let _shown = plain(&self.jobs);
        self.closed.store(true, Ordering::Relaxed);
        self.turn.fetch_add(1, Ordering::Release);
    }

    /// Shows a job, and calls as many helpers as it can use besides those that are here.
    fn post(self: &Arc<Team>, job: &Arc<Job>, useful: usize) {
        let mut shown = plain(&self.jobs);
        shown.push(job.clone());
        self.turn.fetch_add(1, Ordering::Release);
        let here = self.here.load(Ordering::Relaxed);
        let called = useful.min(self.pool.helpers() - here);
        self.here.store(here + called, Ordering::Relaxed);
        drop(shown);
        for _ in 0..called {
            let own = self.clone();
            self.pool.call(move || help(&own));
        }
    }

    /// A job with pieces to take, once there is one; none when the helper may go back.
    fn next(&self, seen: &mut Seen) -> Option<Arc<Job>> {
        loop {
            let fresh = || self.turn.load(Ordering::Acquire) != seen.turn;
            if seen.nothing_else {
                awake_until(fresh);
            }
            let shown = plain(&self.jobs);
            // Turns change and helpers are counted under the lock, so that no job comes between the look and the leave.
            if seen.nothing_else && !fresh() || self.closed.load(Ordering::Relaxed) {
                self.here.fetch_sub(1, Ordering::Relaxed);
                return None;
            }
            seen.turn = self.turn.load(Ordering::Acquire);
            let open = shown.iter().find(|job| job.is_open()).cloned();
            seen.nothing_else = open.is_none() || shown.len() == 1;
            if open.is_some() {
                return open;
            }
        }
    }
}

/// The lock of a team, of which no child takes notice (fork: see `home`).
fn plain<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a helper knows of the jobs that were there when it looked.
struct Seen {
    turn: u64,
    /// Of those, none is left besides the one that it took.
    nothing_else: bool,
}

/// What a helper does from a call on, until there has been nothing to do for a moment.
fn help(team: &Arc<Team>) {
    choosing(Some(team.clone()), || {
        let mut seen = Seen {
            turn: 0,
            nothing_else: true,
        };
        while let Some(job) = team.next(&mut seen) {
            match job.stop.clone() {
                Some(stop) => interrupt::on_behalf(stop, || job.work(|| ())),
                None => job.work(|| ()),
            }
        }
    });
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

    fn counted(team: &Arc<Team>, pieces: usize) -> Vec<usize> {
        let counts: Vec<AtomicUsize> = (0..pieces).map(|_| AtomicUsize::new(0)).collect();
        let done = team.share(pieces, &|k| {
            counts[k].fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done, Ok(()));
        counts.into_iter().map(AtomicUsize::into_inner).collect()
    }

    /// Runs `test` with teams of several sizes.
    fn with_teams(test: impl Fn(&Arc<Team>)) {
        for threads in [0, 1, 2, 5] {
            let team = Team::of(threads);
            assert_eq!(team.threads(), threads.max(1));
            test(&team);
            team.close();
        }
    }

    #[test]
    fn every_piece_runs_once() {
        with_teams(|team| {
            for round in 0..200 {
                let pieces = round % 17;
                assert_eq!(counted(team, pieces), vec![1; pieces]);
                if round % 50 == 0 {
                    // Long enough for helpers to fall asleep.
                    thread::sleep(4 * AWAKE);
                }
            }
        });
    }

    #[test]
    fn callers_side_by_side_and_inside_each_other() {
        with_teams(|team| {
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for _ in 0..50 {
                            let nested = || assert_eq!(counted(team, 5), [1; 5]);
                            assert_eq!(team.share(3, &|_| nested()), Ok(()));
                        }
                    });
                }
            });
        });
    }

    #[test]
    fn a_helper_that_is_done_goes_on_with_older_work() {
        let team = Team::of(2);
        let (first, second) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let me = thread::current().id();
        // The caller's only piece of the first work lasts until the helper has done all of the others, and some of
        // second work that came later.
        let done = team.share(6, &|_| {
            first.fetch_add(1, Ordering::Relaxed);
            if thread::current().id() == me {
                let nested = |_| {
                    second.fetch_add(1, Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(2));
                };
                assert_eq!(team.share(4, &nested), Ok(()));
                let start = Instant::now();
                while first.load(Ordering::Relaxed) < 6 && start.elapsed().as_secs() < 20 {
                    thread::yield_now();
                }
            }
        });
        assert_eq!(done, Ok(()));
        assert_eq!(first.into_inner(), 6);
        assert!(second.into_inner() >= 4);
        team.close();
    }

    #[test]
    fn a_panic_reaches_the_caller_and_helpers_live_on() {
        with_teams(|team| {
            for _ in 0..20 {
                let work = || team.share(8, &|k| assert!(k != 3, "piece {k}"));
                let panic = catch_unwind(AssertUnwindSafe(work)).expect_err("a piece panics");
                let text = panic.downcast_ref::<String>().map(String::as_str);
                assert_eq!(text, Some("piece 3"));
                assert_eq!(counted(team, 8), [1; 8]);
            }
        });
    }

    #[test]
    fn a_question_that_panics_waits_for_the_helpers() {
        let team = Team::of(3);
        let (me, running) = (thread::current().id(), AtomicUsize::new(0));
        // What the pieces borrow is gone when the call is over, however it ends.
        let work = || {
            let body = |_| {
                running.fetch_add(1, Ordering::Relaxed);
                // Time for the helpers to come, and then for the question to be asked.
                let long = thread::current().id() != me;
                thread::sleep(Duration::from_millis(if long { 500 } else { 20 }));
                running.fetch_sub(1, Ordering::Relaxed);
            };
            interrupt::heeding(|| panic!("no answer"), || team.share(3, &body))
        };
        let panic = catch_unwind(AssertUnwindSafe(work)).expect_err("the question panics");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"no answer"));
        assert_eq!(running.load(Ordering::Relaxed), 0);
        assert_eq!(counted(&team, 9), [1; 9]);
        team.close();
    }

    #[test]
    fn a_stop_ends_work_on_every_thread() {
        with_teams(|team| {
            let (begun, pieces) = (AtomicUsize::new(0), 100_000);
            let start = Instant::now();
            let outcome = interrupt::heeding(
                || interrupt::Answer::Stop,
                || {
                    team.share(pieces, &|_| {
                        begun.fetch_add(1, Ordering::Relaxed);
                        // Pieces may have pieces, whose end the outer work hears of.
                        let _ = team.share(3, &|_| thread::sleep(Duration::from_millis(1)));
                    })
                },
            );
            assert_eq!(outcome, Err(interrupt::Interrupted));
            assert!(begun.into_inner() < pieces);
            assert!(start.elapsed() < Duration::from_secs(5));
            assert_eq!(counted(team, 9), [1; 9]);
        });
    }
}
