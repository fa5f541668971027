//! What one call works with at a time, for as long as the call takes.

use super::inside;
use crate::error::{Error, Result};
use crate::interrupt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest pause between two looks whether it is one's turn.
const LONGEST: Duration = Duration::from_millis(1);

/// An object, and whose turn it is. A fork does not wait for the end of a turn; in the child the object of a turn that another
/// thread had is lost, for it may be half changed.
#[derive(Debug, Default)]
pub struct Turn<T> {
    object: Mutex<T>,
    /// The generation of the process in which the present turn began, plus 1; 0 where nobody has a turn.
    began: AtomicU64,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub struct Turned<'a, T> {
    /// There until the end.
    guard: Option<MutexGuard<'a, T>>,
    began: &'a AtomicU64,
}

impl<T> Turn<T> {
    /// An object that nobody works with.
    ///
    /// ```
    /// use syntonic_core::fork::Turn;
    ///
    /// let list = Turn::new(vec![1]);
    /// list.take("push", "the list")?.push(2);
    /// assert_eq!(*list.take("len", "the list")?, [1, 2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub const fn new(object: T) -> Turn<T> {
        Turn {
            object: Mutex::new(object),
            began: AtomicU64::new(0),
        }
    }

    /// The object, if nobody works with it now.
    ///
    /// ```
    /// use syntonic_core::fork::Turn;
    ///
    /// let object = Turn::new(7);
    /// let turn = object.try_take("look", "it")?;
    /// assert!(turn.is_some() && object.try_take("look", "it")?.is_none());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where the turn is that of a thread of the process from which this one was forked.
    pub fn try_take(&self, op: &'static str, what: &str) -> Result<Option<Turned<'_, T>>> {
        // A fork sees both the lock and the generation, or neither.
        let _inside = inside();
        let here = super::generation() + 1;
        let guard = match self.object.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => PoisonError::into_inner(poisoned),
            Err(TryLockError::WouldBlock) => {
                return match self.began.load(Ordering::Relaxed) {
                    began if began == 0 || began == here => Ok(None),
                    _ => Err(Error::value(
                        op,
                        format!(
                            "{what} was at work in another thread when this process was forked, and is left half done here; hint: make another one"
                        ),
                    )),
                };
            }
        };
        self.began.store(here, Ordering::Relaxed);
        Ok(Some(Turned {
            guard: Some(guard),
            began: &self.began,
        }))
    }

    /// The object, once nobody else works with it.
    ///
    /// # Errors
    /// As [`Turn::try_take`], and [`Error::Interrupted`](crate::Error::Interrupted) where the caller waits no longer.
    ///
    /// ```
    /// use syntonic_core::fork::Turn;
    ///
    /// let object = Turn::new(7);
    /// *object.take("change", "it")? += 1;
    /// assert_eq!(*object.take("look", "it")?, 8);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn take(&self, op: &'static str, what: &str) -> Result<Turned<'_, T>> {
        let began = Instant::now();
        loop {
            if let Some(turned) = self.try_take(op, what)? {
                return Ok(turned);
            }
            pause(began);
            interrupt::poll()?;
        }
    }

    /// The object, of whom nobody else knows.
    ///
    /// ```
    /// assert_eq!(syntonic_core::fork::Turn::new(7).into_inner(), 7);
    /// ```
    pub fn into_inner(self) -> T {
        self.object
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Passes some time: a part of what has passed since `began`.
///
/// ```
/// use std::time::Instant;
///
/// syntonic_core::fork::pause(Instant::now());
/// ```
pub fn pause(began: Instant) {
    match began.elapsed() / 8 {
        short if short < Duration::from_micros(5) => thread::yield_now(),
        long => thread::sleep(long.min(LONGEST)),
    }
}

impl<T> Deref for Turned<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.guard {
            Some(guard) => guard,
            None => unreachable!("a turn has its object until it is dropped"),
        }
    }
}

impl<T> DerefMut for Turned<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.guard {
            Some(guard) => guard,
            None => unreachable!("a turn has its object until it is dropped"),
        }
    }
}

impl<T> Drop for Turned<'_, T> {
    fn drop(&mut self) {
        let _inside = inside();
        self.began.store(0, Ordering::Relaxed);
        self.guard = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_another_process_is_an_error() {
        let object = Turn::new(1);
        let turn = object.take("work", "the object").unwrap();
        assert!(object.try_take("work", "the object").unwrap().is_none());
        // As a process of another generation sees it.
        let elsewhere = super::super::generation() + 2;
        object.began.store(elsewhere, Ordering::Relaxed);
        let error = object.take("work", "the object").unwrap_err().to_string();
        assert!(
            error.contains("work: the object was at work in another thread"),
            "{error}"
        );
        drop(turn);
        assert_eq!(*object.take("work", "the object").unwrap(), 1);
    }

    #[test]
    fn threads_take_turns_and_who_waits_can_be_stopped() {
        let object = Turn::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..100).for_each(|_| *object.take("add", "it").unwrap() += 1));
            }
        });
        let turn = object.take("look", "it").unwrap();
        assert_eq!(*turn, 400);
        let stopped = interrupt::heeding(
            || interrupt::Answer::Stop,
            || object.take("wait", "it").map(drop),
        );
        assert!(
            matches!(stopped, Err(crate::Error::Interrupted { .. })),
            "{stopped:?}"
        );
    }
}
