//! What one call works with at a time, whichever thread the call came from.

use crate::enter::enter;
use crate::errors::{Class, error, raise};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use std::time::Instant;
use syntonic_core::Error;
use syntonic_core::fork::{Turn, Turned, lock, pause};

/// What an error calls the object, behind its name.
const OBJECT: &str = "this search";

/// An object, and whose turn it is.
///
/// A thread that waits for its turn has released the interpreter: whoever works with the object needs it to look for signals,
/// and an interpreter without a global lock stops all threads now and then, of which one that waits in here is none.
pub(crate) struct Exclusive<T> {
    /// What users call it.
    name: &'static str,
    object: Turn<T>,
    /// The thread whose call works with the object.
    worker: Mutex<Option<ThreadId>>,
}

impl<T: Send> Exclusive<T> {
    pub(crate) fn new(name: &'static str, object: T) -> Exclusive<T> {
        Exclusive {
            name,
            object: Turn::new(object),
            worker: Mutex::default(),
        }
    }

    /// The object, for a look with the interpreter held.
    pub(crate) fn look(&self, py: Python<'_>) -> PyResult<Turned<'_, T>> {
        self.check_idle()?;
        let began = Instant::now();
        loop {
            if let Some(turned) = self.object.try_take(self.name, OBJECT).map_err(raise)? {
                return Ok(turned);
            }
            py.detach(|| pause(began));
            py.check_signals()?;
        }
    }

    /// Works with the object, without the interpreter.
    pub(crate) fn work<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> R + Send,
    ) -> PyResult<R> {
        self.check_idle()?;
        enter(py, usize::MAX, || {
            let mut object = self.object.take(self.name, OBJECT)?;
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
