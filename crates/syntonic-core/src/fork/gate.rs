//! Who is inside, and the door that is shut while a process forks.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

/// Threads are counted in so many places, each in a line of its own, so that they do not wait for each other's line.
const PLACES: usize = 64;
/// How long a fork waits for those inside. Only who makes a value may be in there so long, such as a driver that is started;
/// the fork goes on then, and the child cannot use that value.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(10);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_micros(20);

#[repr(align(128))]
struct Place(AtomicUsize);

static INSIDE: [Place; PLACES] = [const { Place(AtomicUsize::new(0)) }; PLACES];
static SHUT: AtomicBool = AtomicBool::new(false);
static GENERATION: AtomicU64 = AtomicU64::new(0);
/// Threads that have a place.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// What a thread knows of itself. Nothing in it is dropped, so it is there as long as the thread.
struct Here {
    /// Its place, counted from 1; 0 before it has one.
    place: Cell<usize>,
    /// How many things it does inside, one within the other.
    depth: Cell<usize>,
}

thread_local! {
    static HERE: Here = const {
        Here {
            place: Cell::new(0),
            depth: Cell::new(0),
        }
    };
}

/// A thread is inside as long as it has this.
#[derive(Debug)]
#[must_use = "the thread is inside until this is dropped"]
pub struct Inside(PhantomData<*const ()>);

/// Goes inside: the process does not fork until the thread has left, which is to be soon. Whoever is inside may go further inside.
///
/// ```
/// let inside = syntonic_core::fork::inside();
/// // What no child may see half done.
/// drop(inside);
/// ```
#[inline]
pub fn inside() -> Inside {
    HERE.with(|here| {
        let depth = here.depth.get();
        if depth == 0 {
            enter(here);
        }
        here.depth.set(depth + 1);
    });
    Inside(PhantomData)
}

impl Drop for Inside {
    #[inline]
    fn drop(&mut self) {
        HERE.with(|here| {
            let depth = here.depth.get() - 1;
            here.depth.set(depth);
            if depth == 0 {
                INSIDE[here.place.get() - 1]
                    .0
                    .fetch_sub(1, Ordering::Release);
            }
        });
    }
}

#[inline]
fn enter(here: &Here) {
    let place = match here.place.get() {
        0 => take_place(here),
        place => place,
    };
    let place = &INSIDE[place - 1].0;
    loop {
        // Counted before the door is looked at, and the door is shut before the count is: one of the two sees the other.
        place.fetch_add(1, Ordering::SeqCst);
        if !SHUT.load(Ordering::SeqCst) {
            return;
        }
        place.fetch_sub(1, Ordering::Release);
        wait_until(|| !SHUT.load(Ordering::Acquire));
    }
}

#[cold]
fn take_place(here: &Here) -> usize {
    let before = THREADS.fetch_add(1, Ordering::Relaxed);
    if before == 0 {
        register();
    }
    let place = before % PLACES + 1;
    here.place.set(place);
    place
}

/// How often the process was forked on the way from its first ancestor that ran this code: another number than the parent's
/// in every child.
///
/// ```
/// use syntonic_core::fork::generation;
///
/// assert_eq!(generation(), generation());
/// ```
pub fn generation() -> u64 {
    GENERATION.load(Ordering::Relaxed)
}

#[cold]
fn wait_until(done: impl Fn() -> bool) {
    thread::yield_now();
    while !done() {
        thread::sleep(PAUSE);
    }
}

#[cfg(unix)]
fn register() {
    // SAFETY: the handlers are functions that live as long as the process, and allocate nothing. Where there is no room for
    // them, a child is what it would be without.
    unsafe { libc::pthread_atfork(Some(prepare), Some(in_parent), Some(in_child)) };
}

#[cfg(not(unix))]
fn register() {}

/// Those who are counted besides the calling thread.
#[cfg(unix)]
fn others(here: &Here) -> usize {
    let all = INSIDE.iter().map(|place| place.0.load(Ordering::SeqCst));
    all.sum::<usize>() - usize::from(here.depth.get() > 0)
}

#[cfg(unix)]
extern "C" fn prepare() {
    // One fork at a time.
    while SHUT.swap(true, Ordering::SeqCst) {
        wait_until(|| !SHUT.load(Ordering::Acquire));
    }
    let began = Instant::now();
    HERE.with(|here| wait_until(|| others(here) == 0 || began.elapsed() > PATIENCE));
}

#[cfg(unix)]
extern "C" fn in_parent() {
    SHUT.store(false, Ordering::SeqCst);
}

#[cfg(unix)]
extern "C" fn in_child() {
    HERE.with(|here| {
        for (k, place) in INSIDE.iter().enumerate() {
            let here = here.depth.get() > 0 && here.place.get() == k + 1;
            place.0.store(usize::from(here), Ordering::SeqCst);
        }
    });
    GENERATION.fetch_add(1, Ordering::Relaxed);
    crate::cpu::threads::after_fork();
    SHUT.store(false, Ordering::SeqCst);
    crate::profile::after_fork();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn who_is_inside_may_go_further_inside_and_is_counted_once() {
        let counted = || HERE.with(|here| INSIDE[here.place.get() - 1].0.load(Ordering::SeqCst));
        thread::spawn(move || {
            let outer = inside();
            let depth = || HERE.with(|here| here.depth.get());
            assert!(depth() == 1 && counted() >= 1);
            drop(inside());
            assert!(depth() == 1 && counted() >= 1);
            drop(outer);
            assert_eq!(depth(), 0);
        })
        .join()
        .unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn nobody_is_inside_while_the_door_is_shut() {
        static HELD: AtomicUsize = AtomicUsize::new(0);
        let over = AtomicBool::new(false);
        let mutex = Mutex::new(0u64);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        let mut locked = crate::fork::lock(&mutex);
                        HELD.fetch_add(1, Ordering::SeqCst);
                        *locked += 1;
                        HELD.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
            for _ in 0..200 {
                prepare();
                assert_eq!(HELD.load(Ordering::SeqCst), 0);
                assert!(mutex.try_lock().is_ok());
                in_parent();
                thread::yield_now();
            }
            over.store(true, Ordering::Relaxed);
        });
    }
}
