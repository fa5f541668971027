//! The noise of a generation, and weighted sums over it.

use super::{ResConfig, Sampling, lanes};
use syntonic_core::cpu::threads::share_chunks;
use syntonic_core::interrupt::Outcome;
use syntonic_core::random::fill_normal_f64;
use syntonic_core::{Result, room};

/// Below this many floats a loop stays on its thread.
pub(super) const PARALLEL: usize = 1 << 15;

/// Runs `work(row, values)` for each row of `n` values, on several threads where the `cost` of a loop over all, counted
/// in floats, is worth it. An error where the caller stopped the work; some rows are then as they were.
pub(super) fn for_rows<T: Send>(
    values: &mut [T],
    n: usize,
    cost: usize,
    work: impl Fn(usize, &mut [T]) + Sync,
) -> Outcome {
    let rows = values.len() / n;
    let together = match cost < PARALLEL {
        true => rows,
        // A piece of some ten thousand floats.
        false => (PARALLEL / (cost / rows.max(1)).max(1)).clamp(1, rows.max(1)),
    };
    share_chunks(values, together.max(1) * n, |start, part| {
        for (k, row) in part.chunks_exact_mut(n).enumerate() {
            work(start / n + k, row);
        }
    })
}

/// Coordinates a thread sums at a time.
const COLUMNS: usize = 512;

/// Standard normal draws of one generation: a matrix of draws by coordinates.
#[derive(Clone, Debug, Default)]
pub(super) struct Noise {
    pub(super) z: Vec<f64>,
    /// Coordinates.
    pub(super) n: usize,
    sampling: Sampling,
}

/// Sums over the selected steps, coordinate by coordinate.
pub(super) struct Sums {
    /// `Σ w z`.
    pub(super) first: Vec<f64>,
    /// `Σ v z²`, with the [`Turns`].
    pub(super) second: Vec<f64>,
}

/// How one draw counts: the weights of `+z` and `-z`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairWeight {
    pub(super) plus: f64,
    pub(super) minus: f64,
}

/// How much each draw counts in what the shape learns: both of its signs together, for the shape does not tell them apart.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    /// The weight of each draw. A negative weight is multiplied by `n / |z|²`, so that what it takes away from the
    /// covariance in one direction has a bound (Hansen, "The CMA evolution strategy: a tutorial", 2016, eq. 46).
    pub(super) scaled: Vec<f64>,
    /// Sum of the weights before that.
    pub(super) sum: f64,
}

impl Noise {
    /// The draws of `generation`: element `(generation, draw, coordinate)` of the normal stream.
    /// They are written over `z`, whatever it held.
    pub(super) fn draw(
        z: Vec<f64>,
        config: &ResConfig,
        generation: u64,
        members: usize,
        n: usize,
    ) -> Result<Noise> {
        let sampling = config.sampling;
        let draws = Noise::draws(members, sampling);
        let first = generation.wrapping_mul((draws * n) as u64);
        Noise::from(z, config.seed, first, [draws, n], sampling)
    }

    /// Draws `[draws, n]` of a seed from number `first` on.
    pub(super) fn from(
        mut z: Vec<f64>,
        seed: u64,
        first: u64,
        [draws, n]: [usize; 2],
        sampling: Sampling,
    ) -> Result<Noise> {
        room::resize(&mut z, draws * n, 0.0)?;
        fill_normal_f64(&mut z, seed, first);
        Ok(Noise { z, n, sampling })
    }

    /// How many draws make so many members.
    pub(super) fn draws(members: usize, sampling: Sampling) -> usize {
        members.div_ceil(members_per_draw(sampling))
    }

    /// The member that is the draw itself, with sign +1.
    pub(super) fn member(&self, draw: usize) -> usize {
        draw * members_per_draw(self.sampling)
    }

    /// The draw and the sign of a member of the population.
    pub(super) fn source(&self, member: usize) -> (usize, f64) {
        match self.sampling {
            Sampling::Antithetic if member % 2 == 1 => (member / 2, -1.0),
            Sampling::Antithetic => (member / 2, 1.0),
            Sampling::Independent => (member, 1.0),
        }
    }

    /// The weights of members, draw by draw.
    pub(super) fn pair_weights(
        &self,
        members: &[usize],
        weights: &[f64],
    ) -> Result<Vec<PairWeight>> {
        let mut pairs = room::filled(self.z.len() / self.n, PairWeight::default())?;
        for (member, weight) in members.iter().zip(weights) {
            let (draw, sign) = self.source(*member);
            if sign > 0.0 {
                pairs[draw].plus = *weight;
            } else {
                pairs[draw].minus = *weight;
            }
        }
        Ok(pairs)
    }

    /// [`Turns::scaled`], given the weights of the parents and those `against` the other members.
    pub(super) fn turns(
        &self,
        pairs: &[PairWeight],
        members: &[usize],
        against: &[f64],
    ) -> Result<Vec<f64>> {
        let mut scaled = room::zeros::<f64>(pairs.len())?;
        for (member, weight) in members.iter().zip(against) {
            scaled[self.source(*member).0] += weight;
        }
        for_rows(&mut scaled, 1, self.z.len(), |draw, weight| {
            if weight[0] < 0.0 {
                let z = &self.z[draw * self.n..][..self.n];
                let square = lanes::sum(z.iter().map(|z| z * z));
                weight[0] *= self.n as f64 / square.max(f64::MIN_POSITIVE);
            }
            weight[0] += pairs[draw].plus + pairs[draw].minus;
        })?;
        Ok(scaled)
    }

    /// Weighted sums over all draws, in their order; the columns are shared between threads.
    pub(super) fn sums(&self, pairs: &[PairWeight], turns: &[f64]) -> Result<Sums> {
        let (mut first, mut second) = (room::zeros(self.n)?, room::zeros(self.n)?);
        let columns = first.chunks_mut(COLUMNS).zip(second.chunks_mut(COLUMNS));
        let mut columns = room::collected(columns)?;
        let work = |start: usize, columns: &mut [(&mut [f64], &mut [f64])]| {
            for (k, (first, second)) in columns.iter_mut().enumerate() {
                self.sum_columns((start + k) * COLUMNS, (pairs, turns), first, second);
            }
        };
        let together = match self.z.len() < PARALLEL {
            true => columns.len().max(1),
            false => 1,
        };
        share_chunks(&mut columns, together, work)?;
        Ok(Sums { first, second })
    }

    fn sum_columns(
        &self,
        start: usize,
        (pairs, turns): (&[PairWeight], &[f64]),
        first: &mut [f64],
        second: &mut [f64],
    ) {
        for ((row, pair), turn) in self.z.chunks_exact(self.n).zip(pairs).zip(turns) {
            let difference = pair.plus - pair.minus;
            if difference == 0.0 && *turn == 0.0 {
                continue;
            }
            let row = &row[start..start + first.len()];
            for ((a, b), z) in first.iter_mut().zip(second.iter_mut()).zip(row) {
                *a += difference * z;
                *b += turn * (z * z);
            }
        }
    }
}

fn members_per_draw(sampling: Sampling) -> usize {
    match sampling {
        Sampling::Antithetic => 2,
        Sampling::Independent => 1,
    }
}
