//! Handles: numbers that stand for things of the driver's.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// A handle as C has it: as wide as a pointer, and never followed.
pub(super) type Handle = usize;

/// The next handle. No two things ever have the same one, of whatever kind, so that a stale or mistaken handle is found
/// out; those below stand for the special streams.
static NEXT: AtomicUsize = AtomicUsize::new(0x1000);

/// The things of one kind.
#[derive(Debug)]
pub(super) struct Table<T>(RwLock<HashMap<Handle, Arc<T>>>);

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table(RwLock::default())
    }
}

impl<T> Table<T> {
    /// Takes a thing in.
    pub(super) fn insert(&self, thing: T) -> Handle {
        let handle = NEXT.fetch_add(16, Ordering::Relaxed);
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(handle, Arc::new(thing));
        handle
    }

    /// The thing of a handle.
    pub(super) fn get(&self, handle: Handle) -> Option<Arc<T>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.get(&handle).cloned()
    }

    /// Takes a thing out; whoever uses it keeps it until then.
    pub(super) fn remove(&self, handle: Handle) -> Option<Arc<T>> {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.remove(&handle)
    }

    /// Drops the things that `stays` says no to.
    pub(super) fn retain(&self, stays: impl Fn(&T) -> bool) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, thing| stays(thing));
    }

    /// The handle of the first thing that is wanted.
    pub(super) fn find(&self, wanted: impl Fn(&T) -> bool) -> Option<Handle> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter().filter(|(_, thing)| wanted(thing));
        found.map(|(&handle, _)| handle).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_handle_finds_nothing() {
        let table = Table::default();
        let (a, b) = (table.insert(1), table.insert(2));
        assert_eq!(table.get(a).as_deref(), Some(&1));
        assert_eq!(table.find(|x| *x == 2), Some(b));
        assert_eq!(table.remove(a).as_deref(), Some(&1));
        assert!(table.get(a).is_none() && table.remove(a).is_none());
        table.retain(|x| *x == 1);
        assert!(table.get(b).is_none());
    }
}
