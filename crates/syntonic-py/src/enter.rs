//! The one door into the engine: work runs with the interpreter released, and comes back as a value or an exception.

use crate::errors::raise;
use crate::panics;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use syntonic_core::interrupt::{self, Answer};
use syntonic_core::{Error, Tensor, profile};

/// Work on more elements than this takes above a microsecond, so that releasing the interpreter pays.
const WORTH_RELEASING: usize = 4096;

/// Runs work over `elements` elements. The interpreter is released where the work is long enough for
/// another Python thread to profit; now and then it is asked for signals, whose handlers may end the work by raising, as
/// that of Ctrl-C does.
#[inline]
pub(crate) fn enter<T: Send>(
    py: Python<'_>,
    elements: usize,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    if profile::is_active()
        && let Some(site) = crate::profile::site(py)
    {
        return go(py, elements, || profile::with_site(site, work));
    }
    go(py, elements, work)
}

#[inline]
fn go<T: Send>(
    py: Python<'_>,
    elements: usize,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let outcome = if elements <= WORTH_RELEASING {
        // Most of it is over at once. What is not, since what decides that is no operand's size, asks as all work does.
        interrupt::heeding(ask_with_interpreter, || guarded(work))
    } else {
        py.detach(|| interrupt::heeding(ask_for_signals, || guarded(work)))
    };
    // Also where the work was over before it could stop: an exception that was raised is not lost.
    if let Some(raised) = RAISED.take() {
        return Err(raised);
    }
    outcome.map_err(raise_outcome)
}

thread_local! {
    /// What a signal's handler, or a function that the work called, raised while this thread's work went on.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Leaves what a function of Python's raised that the work has called; it is raised where the work was begun.
pub(crate) fn leave(raised: PyErr) {
    RAISED.set(Some(raised));
}

/// Runs the handlers of signals that have come; Python does so in its main thread only. Asked by a thread that has
/// released the interpreter.
fn ask_for_signals() -> Answer {
    // None where the interpreter is at its end.
    match Python::try_attach(|py| py.check_signals()) {
        Some(Err(raised)) => {
            RAISED.set(Some(raised));
            Answer::Stop
        }
        _ => Answer::GoOn,
    }
}

/// As [`ask_for_signals`], by a thread that holds the interpreter; it lets another one have it.
fn ask_with_interpreter() -> Answer {
    let answer = ask_for_signals();
    let _ = Python::try_attach(|py| py.detach(|| ()));
    answer
}

/// A loop over objects of Python, which holds the interpreter: now and then handlers of signals run, and may end the loop by
/// raising, and other threads have their turn.
#[derive(Default)]
pub(crate) struct Turns {
    taken: u32,
    last: Option<Instant>,
}

/// Objects between two looks at the clock, some hundred microseconds.
const OBJECTS: u32 = 4096;
/// Time between two turns of others.
const INTERVAL: Duration = Duration::from_millis(50);

impl Turns {
    pub(crate) fn new() -> Turns {
        Turns::default()
    }

    /// One object more.
    #[inline]
    pub(crate) fn take(&mut self, py: Python<'_>) -> PyResult<()> {
        self.taken += 1;
        if self.taken < OBJECTS {
            return Ok(());
        }
        self.look(py)
    }

    /// A turn of others, where it is time for one.
    #[cold]
    pub(crate) fn look(&mut self, py: Python<'_>) -> PyResult<()> {
        self.taken = 0;
        let now = Instant::now();
        if now.duration_since(*self.last.get_or_insert(now)) < INTERVAL {
            return Ok(());
        }
        py.check_signals()?;
        py.detach(|| ());
        self.last = Some(Instant::now());
        Ok(())
    }
}

/// What can come out of the engine besides a value.
pub(crate) enum Fault {
    Error(Error),
    Panic,
}

#[cold]
fn raise_outcome(fault: Fault) -> PyErr {
    match fault {
        Fault::Error(e) => raise(e),
        Fault::Panic => panics::fault(),
    }
}

#[inline]
fn guarded<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Fault> {
    // A value is either returned whole or dropped: nothing half-changed is seen after a panic.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(outcome) => outcome.map_err(Fault::Error),
        Err(_) => Err(Fault::Panic),
    }
}

/// The elements of `tensor` in memory, computed now if they are still an expression.
pub(crate) fn force(py: Python<'_>, tensor: &Tensor) -> PyResult<Tensor> {
    enter(py, tensor.waiting(), || tensor.eval())
}
