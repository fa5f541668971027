//! What a forked child needs: locks that nobody holds, and values that are there or not there.
//!
//! A child has one thread, the one that forked. A lock that another thread of the parent held at that moment stays
//! locked for ever in the child, a value that it was making stays half made, and what it had half changed is half changed.
//! So every lock of ours is taken by [`lock`], every value that is made once is a [`Lazy`] or made by [`get_or_init`],
//! and both count the thread as [`inside`]. Before a fork, `gate` lets no further thread in and waits until those inside have left,
//! which takes as long as the longest of them: microseconds. What is held for the length of a call is a [`Turn`], for which a fork does
//! not wait; a child is told where one is lost.
//!
//! Threads that help are no more in a child either; it starts its own (`cpu::threads`).

mod gate;
mod lazy;
mod turn;

pub use gate::{Inside, generation, inside};
pub use lazy::{Lazy, get_or_init, set};
pub use turn::{Turn, Turned, pause};

use crate::error::{Error, Result};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock that is held, and a thread that is inside as long.
#[derive(Debug)]
pub struct Locked<'a, T: ?Sized> {
    // Released before the thread leaves: fields are dropped in this order.
    guard: MutexGuard<'a, T>,
    _inside: Inside,
}

impl<T: ?Sized> Deref for Locked<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T: ?Sized> DerefMut for Locked<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

/// The lock, for a moment: what is done meanwhile waits for no other thread, unless that is inside too. Also after a panic
/// elsewhere: what our locks guard is never left half-changed.
///
/// ```
/// use std::sync::Mutex;
/// use syntonic_core::fork::lock;
///
/// let list = Mutex::new(vec![1]);
/// lock(&list).push(2);
/// assert_eq!(*lock(&list), [1, 2]);
/// ```
#[inline]
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> Locked<'_, T> {
    let inside = inside();
    Locked {
        guard: mutex.lock().unwrap_or_else(PoisonError::into_inner),
        _inside: inside,
    }
}

/// The process that made something which a child cannot use, such as a connection to other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home(u64);

impl Home {
    /// This process.
    ///
    /// ```
    /// assert!(syntonic_core::fork::Home::here().check("barrier", "the group").is_ok());
    /// ```
    pub fn here() -> Home {
        Home(generation())
    }

    /// Whether this is another process.
    ///
    /// ```
    /// assert!(!syntonic_core::fork::Home::here().is_elsewhere());
    /// ```
    #[must_use]
    pub fn is_elsewhere(self) -> bool {
        self.0 != generation()
    }

    /// An error in any other process than this one: `what` belongs to the one that it was forked from.
    ///
    /// # Errors
    /// [`Error::Value`], with the operation `op`.
    ///
    /// ```
    /// use syntonic_core::fork::Home;
    ///
    /// Home::here().check("barrier", "this group")?;
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn check(self, op: &'static str, what: &str) -> Result<()> {
        match self.is_elsewhere() {
            true => Err(Error::value(
                op,
                format!(
                    "{what} belongs to the process that this one was forked from; hint: make another one here, or start processes with spawn"
                ),
            )),
            false => Ok(()),
        }
    }
}
