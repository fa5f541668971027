//! What one call works with at a time, whichever thread the call came from.

use crate::enter::enter;
use crate::errors::{Class, error};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::Duration;
use syntonic_core::{Error, interrupt};

/// An object, and whose turn it is.
///
/// A thread that waits for its turn has released the interpreter: whoever works with the object needs it to look for signals,
/// and an interpreter without a global lock stops all threads now and then, of which one that waits in here is none.
pub(crate) struct Exclusive<T> {
    /// What users call it.
    name: &'static str,
    object: Mutex<T>,
    /// The thread whose call works with the object.
    worker: Mutex<Option<ThreadId>>,
}

impl<T: Send> Exclusive<T> {
    pub(crate) fn new(name: &'static str, object: T) -> Exclusive<T> {
        Exclusive {
            name,
            object: Mutex::new(object),
            worker: Mutex::default(),
        }
    }

    /// The object, for a look with the interpreter held.
    pub(crate) fn look(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, T>> {
        self.check_idle()?;
        waited(py, &self.object)
    }

    /// Works with the object, without the interpreter.
    pub(crate) fn work<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> R + Send,
    ) -> PyResult<R> {
        self.check_idle()?;
        enter(py, usize::MAX, || {
            let mut object = interrupt::lock(&self.object)?;
            *lock(&self.worker) = Some(thread::current().id());
            let done = catch_unwind(AssertUnwindSafe(|| work(&mut object)));
            *lock(&self.worker) = None;
            Ok::<_, Error>(done.unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    /// What a signal's handler calls while this thread's own work waits for it would wait for ever.
    fn check_idle(&self) -> PyResult<()> {
        if *lock(&self.worker) != Some(thread::current().id()) {
            return Ok(());
        }
        Err(error(
            Class::Argument,
            format!(
                "{}: it is at work in this very thread; hint: a signal's handler may note what it wants, \
                 and whoever called the search can do it afterwards",
                self.name
            ),
        ))
    }
}

/// The mutex, which another thread may hold for long; it has released the interpreter then, as this one does while it waits.
fn waited<'m, T>(py: Python<'_>, mutex: &'m Mutex<T>) -> PyResult<MutexGuard<'m, T>> {
    /// Between two looks: nobody notices.
    const ASLEEP: Duration = Duration::from_millis(1);
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        py.detach(|| thread::sleep(ASLEEP));
        py.check_signals()?;
    }
}

/// Held for a few instructions.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
