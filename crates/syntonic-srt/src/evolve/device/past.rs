//! What a search remembers of its generations: the best score of each, while there are few.

use crate::evolve::record::stride;
use syntonic_core::{Result, Tensor, room};

/// Generations that wait until they are joined to the others.
const WAITING: usize = 64;

/// The best scores of generations, on the search's device.
///
/// Which generations are kept depends on their number alone, as in RES's history: all up to 4096, then every second, fourth, ... one,
/// and the latest.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// `float64` `[runs, k]`, after [`Past::joined`] generations; none before the first.
    pub(super) kept: Option<Tensor>,
    pub(super) joined: u64,
    /// All generations since, in pieces `[runs, k]`.
    recent: Vec<Tensor>,
}

/// How many generations are kept after so many.
pub(super) fn kept_after(generations: u64) -> usize {
    let stride = stride(generations);
    (generations / stride + u64::from(!generations.is_multiple_of(stride))) as usize
}

impl Past {
    /// What a file has of so many generations.
    pub(super) fn of(kept: Option<Tensor>, joined: u64) -> Past {
        Past {
            kept,
            joined,
            recent: Vec::new(),
        }
    }

    /// The next generations: pieces without any are none.
    pub(super) fn note(&mut self, best: Tensor) {
        if best.numel() > 0 {
            self.recent.push(best); // few: `is_long` is asked before every launch.
        }
    }

    fn waiting(&self) -> usize {
        self.recent.iter().map(|piece| piece.shape()[1]).sum()
    }

    pub(super) fn is_long(&self) -> bool {
        self.waiting() >= WAITING
    }

    /// Joins what waits. On an error nothing has changed.
    pub(super) fn join(&mut self) -> Result<()> {
        if self.recent.is_empty() {
            return Ok(());
        }
        let fresh = Tensor::concat(&self.recent.iter().collect::<Vec<_>>(), 1)?; // few: pieces that wait.
        let count = fresh.shape()[1] as u64;
        let now = self.joined + count;
        let (before, after) = (stride(self.joined), stride(now));
        let every = |x: &Tensor, from: u64, to: u64, step: u64| {
            x.slice(1, Some(from as isize), Some(to as isize), step as isize)
        };
        let mut parts = Vec::new(); // few: three.
        if let Some(kept) = &self.kept {
            let step = after / before;
            parts.push(every(kept, step - 1, self.joined / before, step)?);
        }
        let first = after - 1 - self.joined % after;
        parts.push(every(&fresh, first.min(count), count, after)?);
        if !now.is_multiple_of(after) {
            parts.push(every(&fresh, count - 1, count, 1)?);
        }
        self.kept = Some(Tensor::concat(&parts.iter().collect::<Vec<_>>(), 1)?.copy()?); // few: three.
        self.joined = now;
        self.recent.clear();
        Ok(())
    }

    /// The numbers of the generations that are kept, from 1, once nothing waits.
    pub(super) fn numbers(&self) -> Result<Vec<u64>> {
        let stride = stride(self.joined);
        let whole = (1..=self.joined / stride).map(|k| k * stride);
        let latest = Some(self.joined).filter(|latest| latest % stride != 0);
        room::collected(whole.chain(latest))
    }
}
