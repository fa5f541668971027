//! Ranks that are threads of this process.

use super::{End, Group, OP, late};
use crate::error::Result;
use crate::fork::Home;
use crate::interrupt;
use crate::room;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two questions whether the work shall go on.
const TURN: Duration = Duration::from_millis(50);

/// One rank of a group of threads; moved to the thread that it is for.
#[derive(Debug)]
pub struct Thread {
    rank: usize,
    room: Arc<Room>,
}

/// Where the ranks meet.
#[derive(Debug)]
struct Room {
    size: usize,
    timeout: Duration,
    /// A plain lock, since ranks sleep with it: a child looks at `home` before.
    state: Mutex<State>,
    changed: Condvar,
    home: Home,
}

#[derive(Debug)]
struct State {
    /// The number of the present call.
    call: u64,
    /// What each rank brought to it.
    brought: Vec<Option<Vec<u8>>>,
    /// What all brought to the call before: it stays until the last of them has seen it, since the next call needs that one too.
    before: Arc<Vec<Vec<u8>>>,
    gone: Vec<bool>,
    end: Option<End>,
}

/// A rank for each of `size` threads, which wait for each other `timeout` at most.
///
/// ```
/// use syntonic_core::group::{self, Group, TIMEOUT};
/// use syntonic_core::prelude::*;
///
/// let ranks = group::threads(2, TIMEOUT);
/// let brought = std::thread::scope(|scope| {
///     let work = |rank: &group::Thread| rank.all_gather(&[10 + rank.rank() as u8]);
///     let running = ranks.iter().map(|rank| scope.spawn(move || work(rank)));
///     let running: Vec<_> = running.collect();
///     running.into_iter().map(|rank| rank.join().unwrap()).collect::<Vec<_>>()
/// });
/// for all in brought {
///     assert_eq!(all?, [[10], [11]]);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn threads(size: usize, timeout: Duration) -> Vec<Thread> {
    let room = Arc::new(Room {
        size,
        timeout,
        state: Mutex::new(State {
            call: 0,
            // few: ranks.
            brought: vec![None; size],
            before: Arc::default(),
            gone: vec![false; size],
            end: None,
        }),
        // fork: a child looks at `home` first.
        changed: Condvar::new(),
        home: Home::here(),
    });
    let rank = |rank| Thread {
        rank,
        room: room.clone(),
    };
    (0..size).map(rank).collect()
}

impl Room {
    fn lock(&self) -> MutexGuard<'_, State> {
        // fork: as `home` says, in the process of the group alone.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the group, unless it is at its end.
    fn end(&self, end: End) {
        if self.home.is_elsewhere() {
            return;
        }
        self.lock().end.get_or_insert(end);
        self.changed.notify_all();
    }
}

impl State {
    /// The first rank whose part is absent and which `is` so.
    fn absent(&self, is: impl Fn(usize) -> bool) -> Option<usize> {
        let mut ranks = (0..self.brought.len()).filter(|&rank| self.brought[rank].is_none());
        ranks.find(|&rank| is(rank))
    }
}

impl Group for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.room.size
    }

    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        let room = &*self.room;
        room.home.check(OP, "this group of threads")?;
        let mine = room::copied(bytes)?;
        let mut state = room.lock();
        if let Some(end) = &state.end {
            return Err(end.error(OP, room.size));
        }
        let call = state.call;
        state.brought[self.rank] = Some(mine);
        if state.absent(|_| true).is_none() {
            // few: ranks.
            let all = state.brought.iter_mut().filter_map(Option::take).collect();
            state.before = Arc::new(all);
            state.call += 1;
            room.changed.notify_all();
        }
        let began = Instant::now();
        while state.call == call {
            let found = state.absent(|rank| state.gone[rank]);
            let found = found.map(|rank| End::new(rank, "left the group"));
            let found = found.or_else(|| match began.elapsed() > room.timeout {
                true => state
                    .absent(|_| true)
                    .map(|rank| End::new(rank, late(room.timeout))),
                false => None,
            });
            if let Some(end) = found {
                state.end.get_or_insert(end);
                room.changed.notify_all();
            }
            if let Some(end) = &state.end {
                return Err(end.error(OP, room.size));
            }
            let turn = TURN.min(room.timeout);
            let woken = room.changed.wait_timeout(state, turn);
            drop(woken.unwrap_or_else(PoisonError::into_inner));
            // Whom we ask may want the lock.
            if let Err(interrupted) = interrupt::poll() {
                room.end(End::new(self.rank, "was interrupted"));
                return Err(interrupted.into());
            }
            state = room.lock();
        }
        let all = state.before.clone();
        drop(state);
        room::gathered(all.iter().map(|part| room::copied(part)))
    }

    fn abort(&self, why: &str) {
        self.room.end(End::new(self.rank, why));
    }

    fn check(&self) -> Result<()> {
        self.room.home.check("check", "this group of threads")?;
        let state = self.room.lock();
        let gone = state.gone.iter().position(|&gone| gone);
        let gone = gone.map(|rank| End::new(rank, "left the group"));
        match state.end.clone().or(gone) {
            Some(end) => Err(end.error(OP, self.room.size)),
            None => Ok(()),
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if self.room.home.is_elsewhere() {
            return;
        }
        self.room.lock().gone[self.rank] = true;
        self.room.changed.notify_all();
    }
}
