//! The library that decomposes matrices takes more than a hundred KiB of stack. A thread with little of it, as servers and musl have
//! them, has such work done on another one and waits for it.

use super::threads::{choose, chosen};
use crate::error::Result;
use crate::{interrupt, room};
use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread;
use std::time::Instant;

/// Bytes of stack with which any of it runs: several times what the hungriest was seen to take.
const ENOUGH: usize = 512 << 10;
/// The stack of a thread that works for another.
const STACK: usize = 2 << 20;
/// What a thread takes besides when it begins; one that gets none then ends the process.
const BEGINNING: usize = 1 << 20;

thread_local! {
    /// The lowest address of this thread's stack: 0 where the system does not say, and 1 before it was asked.
    static LOWEST: Cell<usize> = const { Cell::new(1) };
}

/// Whether this thread has so much left.
#[inline]
fn is_enough() -> bool {
    let here = 0u8;
    let lowest = match LOWEST.get() {
        1 => first(),
        known => known,
    };
    (&raw const here).addr().saturating_sub(lowest) >= ENOUGH
}

#[cold]
fn first() -> usize {
    let found = lowest().unwrap_or(0);
    LOWEST.set(found);
    found
}

#[cfg(target_os = "linux")]
fn lowest() -> Option<usize> {
    let mut attributes = std::mem::MaybeUninit::uninit();
    // SAFETY: the call fills the attributes where it returns 0.
    if unsafe { libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) } != 0 {
        return None;
    }
    let (mut first, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are filled, the places are ours, and the attributes are given back once.
    let said = unsafe {
        let said = libc::pthread_attr_getstack(attributes.as_ptr(), &mut first, &mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        said
    };
    (said == 0).then(|| first.addr())
}

/// Other systems give threads the stack of a process, or do not say.
#[cfg(not(target_os = "linux"))]
fn lowest() -> Option<usize> {
    None
}

/// Does the work on this thread, or on one with more stack if this one has little.
///
/// # Errors
/// Those of the work; [`Error::OutOfMemory`](crate::Error::OutOfMemory) where the system gives no thread.
#[inline]
pub(crate) fn with_enough(work: impl FnOnce() -> Result<()> + Send) -> Result<()> {
    match is_enough() {
        true => work(),
        false => elsewhere(work),
    }
}

#[cold]
fn elsewhere(work: impl FnOnce() -> Result<()> + Send) -> Result<()> {
    room::probe(STACK + BEGINNING)?;
    let (stop, team) = (interrupt::stop(), chosen());
    let own = move || {
        choose(team);
        match stop {
            Some(stop) => interrupt::on_behalf(stop, work),
            None => work(),
        }
    };
    thread::scope(|scope| {
        let named = thread::Builder::new().name("syntonic-stack".to_owned());
        let Ok(running) = named.stack_size(STACK).spawn_scoped(scope, own) else {
            return Err(room::refused(STACK));
        };
        let began = Instant::now();
        while !running.is_finished() {
            crate::fork::pause(began);
            // The answer reaches the other thread; what it is for this one is asked at the end.
            let _ = interrupt::poll();
        }
        let done = running.join().unwrap_or_else(|panic| resume_unwind(panic));
        done.and_then(|()| interrupt::check().map_err(Into::into))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use std::time::Duration;

    /// What a work on a thread with so much stack comes to.
    fn on<T: Send>(stack: usize, work: impl FnOnce() -> T + Send) -> T {
        thread::scope(|scope| {
            let small = thread::Builder::new().stack_size(stack);
            small.spawn_scoped(scope, work).unwrap().join().unwrap()
        })
    }

    #[test]
    fn who_has_little_stack_has_another_thread_work() {
        for (stack, same) in [(128 << 10, cfg!(not(target_os = "linux"))), (4 << 20, true)] {
            on(stack, move || {
                let me = thread::current().id();
                let mut worker = None;
                let done = with_enough(|| {
                    worker = Some(thread::current().id());
                    Ok(())
                });
                assert!(done.is_ok());
                assert_eq!(worker == Some(me), same);
                let failed = with_enough(|| Err(Error::value("work", "mine")));
                assert!(failed.unwrap_err().to_string().contains("mine"));
            });
        }
    }

    #[test]
    fn the_caller_can_stop_it() {
        let outcome = on(128 << 10, || {
            interrupt::heeding(
                || interrupt::Answer::Stop,
                || {
                    with_enough(|| {
                        let began = Instant::now();
                        while began.elapsed() < Duration::from_secs(20) {
                            interrupt::poll()?;
                            thread::sleep(Duration::from_millis(1));
                        }
                        Ok(())
                    })
                },
            )
        });
        assert!(
            matches!(outcome, Err(Error::Interrupted { .. })),
            "{outcome:?}"
        );
    }
}
