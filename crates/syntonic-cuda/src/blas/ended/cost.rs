//! What a product with its end takes, here and in two launches.

use super::kernel::{ROWS, Team};
use std::sync::atomic::{AtomicU8, Ordering};
use syntonic_core::DType;

/// Which products end in their kernels.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ends {
    /// Those where that takes less time than a pass of its own.
    AsItPays,
    /// All that have a kernel, by warpgroups that take turns.
    ByTurns,
    /// All that have a kernel, by warpgroups that work on one tile.
    Together,
}

static ENDS: AtomicU8 = AtomicU8::new(Ends::AsItPays as u8);

/// Chooses for this process: for checks over small matrices.
#[doc(hidden)]
pub fn end_products(ends: Ends) {
    ENDS.store(ends as u8, Ordering::Relaxed);
}

/// What decides how long a product with its end takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// Rows and columns of the result, K, and how many there are.
    pub(super) lens: [usize; 4],
    /// The type of the factors.
    pub(super) factors: DType,
    /// Of the end, for each element.
    pub(super) instructions: usize,
    pub(super) result: DType,
    /// Blocks at once.
    pub(super) blocks: usize,
}

impl Work {
    /// Who computes it; nobody where the library's product and a pass over it take less time.
    pub(super) fn team(&self) -> Option<Team> {
        let chosen = ENDS.load(Ordering::Relaxed);
        if chosen != Ends::AsItPays as u8 {
            return Some(match chosen == Ends::ByTurns as u8 {
                true => Team::Turns,
                false => Team::Together,
            });
        }
        let [turns, together] = [Team::Turns, Team::Together].map(|team| self.ours(team));
        let (best, team) = match together < turns {
            true => (together, Team::Together),
            false => (turns, Team::Turns),
        };
        // Of bytes nobody else has a product at the speed of tensor cores.
        (self.factors.size() == 1 || best < self.apart()).then_some(team)
    }

    /// Microseconds on an H200, fitted to measurements (kernels/notes/products.md). Where consumers take turns, the end of one tile takes place
    /// beside the products of another. K is never split among blocks, as the library splits a long one where there are few tiles: a row's
    /// bits are the same in every product.
    fn ours(&self, team: Team) -> f64 {
        let [m, n, k, batch] = self.lens;
        let tiles = batch * m.div_ceil(ROWS) * n.div_ceil(team.columns());
        let waves = tiles.div_ceil(self.blocks) as f64;
        // An instruction takes 32 bytes along K.
        let k = (k * self.factors.size()) as f64 / 2.0;
        let instructions = self.instructions as f64;
        match team {
            Team::Turns => {
                let (products, end) = (0.8 + 0.0054 * k, 0.5 + 0.2 * instructions);
                3.0 + waves * products.max((products + end) / 2.0) + end
            }
            Team::Together => 3.0 + waves * (3.6 + 0.0099 * k + 0.08 * instructions),
        }
    }

    /// The same of the library's product and a pass over it, where its sums are read rounded alone; `float32` takes longer. A card with fewer
    /// multiprocessors is slower by as much.
    fn apart(&self) -> f64 {
        let [m, n, k, batch] = self.lens;
        let sums = 2.0 * k as f64 / 650e6;
        let pass = (3 * self.result.size()) as f64 / 4e6;
        9.0 + (batch * m * n) as f64 * (sums + pass) * 132.0 / self.blocks as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was quickest on an H200.
    #[test]
    fn the_quickest_is_chosen() {
        let team = |lens, instructions| {
            let work = Work {
                lens,
                factors: DType::BF16,
                instructions,
                result: DType::BF16,
                blocks: 132,
            };
            work.team()
        };
        let (bias, gelu) = (7, 50);
        assert_eq!(team([8192, 3072, 768, 1], bias), Some(Team::Turns));
        assert_eq!(team([4096, 4096, 2048, 1], bias), Some(Team::Turns));
        assert_eq!(team([4096, 4096, 4096, 1], bias), Some(Team::Together));
        assert_eq!(team([8192, 8192, 8192, 1], gelu), Some(Team::Together));
        assert_eq!(team([64, 64, 64, 1], gelu), None);
        assert_eq!(team([128, 128, 65_536, 1], bias), None);
    }
}
