//! The one door into the engine: work runs with the interpreter released, and comes back as a value or an exception.

use crate::errors::raise;
use crate::panics;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use syntonic_core::{Error, Tensor};

/// Work on more elements than this takes above a microsecond, so that releasing the interpreter pays.
const WORTH_RELEASING: usize = 4096;

/// Runs work over `elements` elements. The interpreter is released where the work is long enough for
/// another Python thread to profit.
#[inline]
pub(crate) fn enter<T: Send>(
    py: Python<'_>,
    elements: usize,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let outcome = if elements > WORTH_RELEASING {
        py.detach(|| guarded(work))
    } else {
        guarded(work)
    };
    outcome.map_err(raise_outcome)
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
    let work = || {
        if FORKED.load(Ordering::Relaxed) {
            return on_living_threads(work);
        }
        work()
    };
    // A value is either returned whole or dropped: nothing half-changed is seen after a panic.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(outcome) => outcome.map_err(Fault::Error),
        Err(_) => Err(Fault::Panic),
    }
}

/// True in a process that was forked from one that had loaded the engine.
static FORKED: AtomicBool = AtomicBool::new(false);
/// The threads of such a process.
static POOL: Mutex<Option<Arc<rayon::ThreadPool>>> = Mutex::new(None);

/// Called in the child after a fork: threads do not survive one, so the pool that the parent had is
/// only a memory of a pool, and whoever gave it work would wait for ever.
#[pyfunction]
pub(crate) fn _after_fork() {
    FORKED.store(true, Ordering::Relaxed);
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    // A forked child that forks again has inherited a dead pool; dropping it would wake its threads.
    std::mem::forget(pool.take());
}

#[cold]
fn on_living_threads<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    let pool = {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        match &*pool {
            Some(pool) => pool.clone(),
            None => {
                let made = rayon::ThreadPoolBuilder::new().build();
                let made = made.map_err(|e| Error::Value {
                    op: "fork",
                    what: format!("the forked process cannot start threads: {e}"),
                })?;
                pool.insert(Arc::new(made)).clone()
            }
        }
    };
    pool.install(work)
}

/// The elements of `tensor` in memory, computed now if they are still an expression.
pub(crate) fn force(py: Python<'_>, tensor: &Tensor) -> PyResult<Tensor> {
    let work = if tensor.is_pending() {
        tensor.numel()
    } else {
        0
    };
    enter(py, work, || tensor.eval())
}
