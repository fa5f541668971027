//! Work that cannot be asked whether it shall go on, as a library's: it has a thread of its own, and whoever waits for it
//! may leave.

use super::{Interrupted, Stop, is_asked, on_behalf, poll, stop};
use crate::cpu::address_space;
use crate::cpu::threads::Chosen;
use crate::fork::lock;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::Duration;

/// Works at most that were left and go on. Each has a processor and memory that nobody wants any more.
const MOST_LEFT: usize = 4;
/// How long somebody who waits sleeps before asking.
const ASLEEP: Duration = Duration::from_millis(50);

/// Works that were left and go on.
static LEFT: AtomicUsize = AtomicUsize::new(0);

/// What has become of the work.
enum Stage<T> {
    Running,
    Done(thread::Result<T>),
    /// Nobody waits any more.
    Left,
}

struct Shared<W, T> {
    /// Taken by the thread that does it.
    work: Mutex<Option<W>>,
    stage: Mutex<Stage<T>>,
    waiter: Thread,
}

/// What `work` returns, or that its caller wants it no more: then it goes on by itself until it is over or
/// [asks](poll), and what it returns is dropped. So it owns whatever it touches. Where four such works go on, a further
/// one begins when one of them is over.
///
/// For what takes some hundredths of a second at least, as it costs a thread; where nobody can say stop, and where the system has no room for a
/// thread, the caller does it. A panic of the work goes on in the caller.
pub(crate) fn abandonable<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Interrupted> {
    if !is_asked() || address_space::helpers() == 0 {
        return Ok(work());
    }
    while LEFT.load(Ordering::Acquire) >= MOST_LEFT {
        thread::sleep(ASLEEP);
        poll()?;
    }
    let shared = Arc::new(Shared {
        work: Mutex::new(Some(work)),
        stage: Mutex::new(Stage::Running),
        waiter: thread::current(),
    });
    let (own, stop, chosen) = (shared.clone(), stop(), Chosen::here());
    let named = thread::Builder::new().name("syntonic-apart".to_owned());
    let begun = named.spawn(move || {
        chosen.take_up();
        own.run(stop);
    });
    match begun {
        Ok(_) => shared.wait(),
        // The thread that did not begin has taken nothing.
        Err(_) => Ok(shared.here()),
    }
}

impl<W: FnOnce() -> T, T> Shared<W, T> {
    /// Does the work, on the thread that it has.
    fn run(&self, stop: Option<Stop>) {
        let Some(work) = lock(&self.work).take() else {
            return;
        };
        let work = || catch_unwind(AssertUnwindSafe(work));
        let outcome = match stop {
            Some(stop) => on_behalf(stop, work),
            None => work(),
        };
        let mut stage = lock(&self.stage);
        if let Stage::Left = *stage {
            drop(outcome);
            LEFT.fetch_sub(1, Ordering::Release);
            return;
        }
        *stage = Stage::Done(outcome);
        drop(stage);
        self.waiter.unpark();
    }

    /// Until the work is done, or wanted no more.
    fn wait(&self) -> Result<T, Interrupted> {
        loop {
            let stopped = poll();
            let mut stage = lock(&self.stage);
            match std::mem::replace(&mut *stage, Stage::Running) {
                Stage::Done(Ok(value)) if stopped.is_ok() => return Ok(value),
                Stage::Done(Err(panic)) => {
                    drop(stage);
                    resume_unwind(panic)
                }
                Stage::Running if stopped.is_err() => {
                    *stage = Stage::Left;
                    LEFT.fetch_add(1, Ordering::Relaxed);
                }
                _ => {}
            }
            drop(stage);
            stopped?;
            thread::park_timeout(ASLEEP);
        }
    }

    fn here(&self) -> T {
        let work = lock(&self.work).take();
        // Nobody else was there to take it.
        work.map(|work| work())
            .unwrap_or_else(|| unreachable!("work that nobody began is still there"))
    }
}

/// To be called in a forked child, in which none of the threads goes on.
pub(crate) fn after_fork() {
    LEFT.store(0, Ordering::Release);
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Outcome, heeding};
    use super::*;
    use crate::dtype::DType;
    use crate::error::Error;
    use crate::ops::{fft, linalg};
    use crate::random::Generator;
    use crate::tensor::Tensor;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    fn stop_now() -> Answer {
        Answer::Stop
    }

    #[test]
    fn work_comes_back_with_its_value_or_its_panic() {
        let here = thread::current().id();
        assert_eq!(abandonable(|| thread::current().id()), Ok(here));
        heeding(
            || Answer::GoOn,
            || {
                let there = abandonable(|| thread::current().id()).unwrap();
                assert_ne!(there, here);
                let panic = catch_unwind(|| abandonable::<()>(|| panic!("refused")));
                assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"refused"));
            },
        );
    }

    /// What nobody can stop and what somebody might have stopped have the same bits.
    #[test]
    fn libraries_give_the_same_bits_on_a_thread_of_their_own() {
        let normal =
            |shape: &[usize]| Tensor::randn(shape, DType::F64, &mut Generator::new(7)).unwrap();
        // Rows, columns, and a part of a wider matrix.
        let wide = normal(&[1200, 1300]);
        let square = wide.slice(1, Some(50), Some(1250), 1).unwrap();
        let line = normal(&[(1 << 20) + 1]);
        let turned = square.transpose(0, 1).unwrap();
        for a in [&square, &turned] {
            let run = || {
                let solved = linalg::solve(a, &a.slice(1, None, Some(3), 1)?)?;
                let halves = fft::rfft(&line, None, -1, fft::Norm::Ortho)?;
                let back = fft::irfft(&halves, Some(line.numel()), -1, fft::Norm::Ortho)?;
                Ok::<_, Error>((
                    linalg::slogdet(a)?.logabsdet.to_vec::<f64>()?,
                    solved.to_vec::<f64>()?,
                    back.to_vec::<f64>()?,
                ))
            };
            let (here, there) = (run().unwrap(), heeding(|| Answer::GoOn, run).unwrap());
            assert!(here == there);
        }
    }

    #[test]
    fn a_library_is_left_and_the_operand_stays_as_it_was() {
        let a = Tensor::randn(&[700, 700], DType::F64, &mut Generator::new(3)).unwrap();
        let before = a.to_vec::<f64>().unwrap();
        let start = Instant::now();
        let outcome = heeding(stop_now, || linalg::eigvals(&a));
        assert!(matches!(outcome, Err(Error::Interrupted { .. })));
        assert!(start.elapsed() < Duration::from_secs(5));
        assert!(a.to_vec::<f64>().unwrap() == before);
    }

    #[test]
    fn work_that_is_left_goes_on_and_is_told_and_there_is_never_too_much_of_it() {
        let (end, told) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicUsize::new(0)),
        );
        let leave = || -> Outcome {
            let (end, told) = (end.clone(), told.clone());
            heeding(stop_now, || {
                abandonable(move || {
                    while !end.load(Ordering::Acquire) {
                        thread::sleep(Duration::from_millis(1));
                    }
                    told.fetch_add(usize::from(poll().is_err()), Ordering::AcqRel);
                })
            })
        };
        let start = Instant::now();
        for _ in 0..MOST_LEFT {
            assert_eq!(leave(), Err(Interrupted));
        }
        // One more would not begin, and who waits for that can leave too.
        assert_eq!(leave(), Err(Interrupted));
        assert!(start.elapsed() < Duration::from_secs(20));
        end.store(true, Ordering::Release);
        // All that went on were told. Fewer than the most began here if other tests left some.
        while LEFT.load(Ordering::Acquire) > 0 {
            thread::sleep(Duration::from_millis(1));
        }
        assert!((1..=MOST_LEFT).contains(&told.load(Ordering::Acquire)));
    }
}
