//! Several ranks that do one piece of work together: threads of a process, or processes.
//!
//! Every rank makes the same calls in the same order. A rank that dies, stalls or gives up ends the call of all others with an
//! [`Error::Rank`] that names it, within a bounded time, and the group is of no use from then on.
//!
//! ```
//! use std::time::Duration;
//! use syntonic_core::Tensor;
//! use syntonic_core::group::{self, Group};
//!
//! let ranks = group::threads(3, Duration::from_secs(10));
//! let work = |group: group::Thread| {
//!     let mine = group::share(10, group.rank(), group.size());
//!     let squares: Vec<f64> = mine.map(|k| (k * k) as f64).collect();
//!     let part = Tensor::from_slice(&squares, &[squares.len()])?;
//!     group.concat(&part, &group::lengths(10, 3))?.to_vec::<f64>()
//! };
//! let all: Vec<_> = std::thread::scope(|scope| {
//!     let running: Vec<_> = ranks.into_iter().map(|rank| scope.spawn(move || work(rank))).collect();
//!     running.into_iter().map(|rank| rank.join().unwrap()).collect()
//! });
//! for squares in all {
//!     assert_eq!(squares?, [0., 1., 4., 9., 16., 25., 36., 49., 64., 81.]);
//! }
//! # Ok::<(), syntonic_core::Error>(())
//! ```

mod alone;
mod tcp;
mod tensors;
mod threads;

pub use alone::Alone;
pub use tcp::{Meeting, SECRET, Secret, Tcp};
pub use tensors::gather;
pub use threads::{Thread, threads};

use crate::error::{Error, Result};
use crate::tensor::Tensor;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// How long a group waits for a rank if nobody says otherwise.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// One rank's place among several that make the same calls in the same order.
///
/// ```
/// use syntonic_core::Result;
/// use syntonic_core::group::{Group, TIMEOUT, threads};
///
/// /// The mean of what every rank has measured, the same on all.
/// fn mean(group: &dyn Group, mine: f64) -> Result<f64> {
///     let all = group.all_gather(&mine.to_le_bytes())?;
///     let numbers = all.iter().filter_map(|bytes| Some(f64::from_le_bytes(bytes[..].try_into().ok()?)));
///     Ok(numbers.sum::<f64>() / group.size() as f64)
/// }
///
/// let means = std::thread::scope(|scope| {
///     let ranks = threads(2, TIMEOUT).into_iter();
///     let running: Vec<_> = ranks.map(|rank| scope.spawn(move || mean(&rank, 3.0 + rank.rank() as f64))).collect();
///     running.into_iter().map(|rank| rank.join().unwrap()).collect::<Result<Vec<_>>>()
/// });
/// assert_eq!(means?, [3.5, 3.5]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub trait Group: fmt::Debug + Send + Sync {
    /// This rank's number, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// The bytes that every rank gave, in the order of ranks. They may differ in length.
    ///
    /// Errors: [`Error::Rank`] with the rank that died, came too late, gave up or made another call, and
    /// [`Error::Interrupted`]. The group is then of no use.
    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>>;

    /// As [`Group::all_gather`], where all ranks know that none gives more than `most` bytes.
    ///
    /// Errors: as there, and [`Error::Value`] for more bytes of one's own. A rank that sends more is named; between processes its bytes
    /// are not received.
    fn all_gather_within(&self, bytes: &[u8], most: usize) -> Result<Vec<Vec<u8>>> {
        check_length(bytes, most)?;
        let all = self.all_gather(bytes)?;
        match all.iter().position(|part| part.len() > most) {
            Some(rank) => Err(End::new(rank, excess(all[rank].len(), most)).error(OP, self.size())),
            None => Ok(all),
        }
    }

    /// Tells all others that this rank gives up: their present or next call is an error with its number and `why`.
    fn abort(&self, why: &str);

    /// An error where it is known already that the group is at its end; waits for nothing. For those who wait for something else
    /// that the other ranks do.
    ///
    /// Errors: as [`Group::all_gather`].
    fn check(&self) -> Result<()>;

    /// Returns once every rank has come here.
    ///
    /// Errors: as [`Group::all_gather`].
    fn barrier(&self) -> Result<()> {
        self.all_gather_within(&[], 0).map(drop)
    }

    /// The parts of all ranks along the last axis, in the order of ranks, on the device of `part`. Rank r gives a part whose last axis
    /// has `lengths[r]` elements; lengths, element type and the other axes are the same on every rank. Parts go through the host
    /// unless the group has a way from device to device.
    ///
    /// Errors: as [`Group::all_gather`]; a part of another length than said, and a rank whose part has another type or shape.
    fn concat(&self, part: &Tensor, lengths: &[usize]) -> Result<Tensor> {
        tensors::concat(self, part, lengths)
    }
}

/// The group that the environment describes, as `torchrun` and others set it: `RANK`, `WORLD_SIZE`, `MASTER_ADDR` and `MASTER_PORT`.
/// Without the first two, or in a world of 1, this process is alone.
///
/// `SYNTONIC_MASTER_PORT` has precedence over `MASTER_PORT`. Where torchrun itself listens at that port, which it says in
/// `TORCHELASTIC_USE_AGENT_STORE`, the next one is taken.
///
/// `SYNTONIC_GROUP_SECRET` is the [`Secret`] by which ranks know each other: the same on all of them, made for each start by whoever starts
/// them. Without it all ranks have to be on one machine, and `MASTER_ADDR` a loopback address.
///
/// Errors: a variable that is absent or no number, and as [`Tcp::meet`].
///
/// ```
/// use syntonic_core::group::{self, TIMEOUT};
/// use syntonic_core::prelude::*;
///
/// // Nobody said that there are others.
/// assert!(std::env::var("RANK").is_err());
/// assert_eq!(group::from_env(TIMEOUT)?.size(), 1);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn from_env(timeout: Duration) -> Result<Arc<dyn Group>> {
    match Meeting::from_variables(|name| std::env::var(name).ok(), timeout)? {
        Some(meeting) => Ok(Arc::new(Tcp::meet(&meeting)?)),
        None => Ok(Arc::new(Alone)),
    }
}

/// Which of `total` items are this rank's: as many as any other's, give or take two, and whole pairs from an even number on, so
/// that mirrored draws stay together.
///
/// ```
/// use syntonic_core::group::share;
///
/// assert_eq!((share(10, 0, 3), share(10, 1, 3), share(10, 2, 3)), (0..2, 2..6, 6..10));
/// ```
pub fn share(total: usize, rank: usize, size: usize) -> Range<usize> {
    let pairs = total.div_ceil(2) as u128;
    let size = size.max(1);
    let edge = |r: usize| {
        let at = 2 * (pairs * r.min(size) as u128 / size as u128);
        at.min(total as u128) as usize
    };
    edge(rank)..edge(rank.saturating_add(1))
}

/// The length of every rank's [`share`], for [`Group::concat`].
///
/// ```
/// use syntonic_core::group::lengths;
///
/// assert_eq!(lengths(10, 3), [2, 4, 4]);
/// ```
pub fn lengths(total: usize, size: usize) -> Vec<usize> {
    // few: ranks.
    (0..size)
        .map(|rank| share(total, rank, size).len())
        .collect()
}

/// What ended a group: a rank, and what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
struct End {
    rank: usize,
    what: String,
}

impl End {
    fn new(rank: usize, what: impl Into<String>) -> End {
        End {
            rank,
            what: what.into(),
        }
    }

    fn error(&self, op: &'static str, size: usize) -> Error {
        Error::Rank {
            op,
            rank: self.rank,
            size,
            what: self.what.clone(),
        }
    }
}

const OP: &str = "all_gather";

/// Whether this rank's own bytes are within the bound.
fn check_length(bytes: &[u8], most: usize) -> Result<()> {
    match bytes.len() <= most {
        true => Ok(()),
        false => Err(Error::value(
            OP,
            format!("{} bytes where no rank gives more than {most}", bytes.len()),
        )),
    }
}

/// What is said of a rank that sends too much.
fn excess(len: usize, most: usize) -> String {
    format!("sends {len} bytes where {most} at most are due; hint: all ranks make the same calls")
}

/// What a rank says that came too late.
fn late(timeout: Duration) -> String {
    format!("said nothing for {} s", timeout.as_secs_f64())
}

#[cfg(test)]
mod tests;
