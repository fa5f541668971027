//! RES as a kernel: the contract that every device keeps, and the CPU's version, which is [`Res`](crate::evolve::Res) itself.
//!
//! # What is computed, in which order
//! Everything is in `float64`, and every product and every sum is rounded: nothing is fused, but where [`Function`](super::Function) says so. A
//! sum is from 0 on and in the order of its index, or *in lanes*: term `k` is added to partial sum `k % 32`, and the partial sums as a tree
//! whose first pairs are 16 apart.
//!
//! 1. Draws. `z[d][j]` is number `((g · runs + run) · D + d) · n + j` of the seed's normal stream, for `D` draws of `n` numbers in generation
//!    `g`.
//! 2. Steps. `s[d] = A z[d]`: over the columns of `A`, in order.
//! 3. Candidates. `x = m + (± σ) s[d]`, the plus of a draw before its minus; rounded to the search's type, and moved between its bounds.
//! 4. Values. A function's terms in lanes.
//! 5. Ranks. By value, NaN last, equal ones by place. A candidate of rank `k` that is below infinity has the weight `w[k] / Σ w` and the
//!    negative weight `a[k]`. `u` of them are there, and the sums of `w`, of `w²` and of `a` are over the first `u` ranks, in order.
//! 6. Turns. `t[d] = 0 + a₊ + a₋`, times `n / |z[d]|²` (in lanes) where it is negative, plus `w₊ + w₋`.
//! 7. Moves. `f = Σ (w₊ - w₋) z[d]` over draws, in order; `m += σ (A f)`, `p = (1 - c) p + (√(c (2 - c)) / √v) f` with
//!    `v = Σ w² / (Σ w)² - 2 P₂ (1 - Σ w² / (Σ w)²) / (u (u - 1))` where `P₂` pairs are whole; products with `A` as in 2.
//! 8. The matrix. `A = ((1 - c₁/2 - c_μ/2 (1 + Σ a)) A + (c₁/2 p_j) A p) + Σ (c_μ/2 t[d] z[d][j]) s[d]` in column `j`, one draw after the other,
//!    with the `A` of 2. Where its largest entry leaves `10^±8`, all are divided by it, and `σ` is multiplied.
//! 9. The step size. `|p|²` in lanes; `σ` times the [exponential](crate::evolve::elementary::exp) of `c/d (|p|/E - 1)`, 1 at most. Without a usable
//!    candidate `σ` is halved, and 6 to 8 do not happen.

use super::learning::{BEST_SCORE, DONE, GENERATION, LEAST, MISSING, SIGMA, WHICH, number};
use super::plan::{Asked, BEST, DEVIATION, MATRIX, MATRIX_PATH, MEAN, Stages};
use super::real::Real;
use super::tiles::within;
use crate::evolve::Sampling;
use crate::evolve::noise::{Noise, for_rows};
use crate::evolve::rates::Rates;
use crate::evolve::score::{is_usable, ranking};
use crate::evolve::search::{Generation, Judgement, Search};
use crate::evolve::shape::{Matrix, deviations_of};
use syntonic_core::device::{ByName, Kernel, Launch, NamedKernel};
use syntonic_core::ops::vectors::{Places, read};
use syntonic_core::{DType, Result, room};

/// The least step size.
pub(super) const FLOOR: f64 = 1e-150;

/// Generations of one or several searches by matrix adaptation, or scores or candidates of one. With `T` the type of the search, `P`
/// candidates of `D` draws of `n` numbers:
///
/// Inputs: `before`, the states, `float64` `[runs, stride]`: mean, deviation, best candidate, path, the columns of the matrix, and the numbers;
/// `given`, scores that are given, `float64` `[runs, P]`; `utilities`, weights of ranks and negative weights, `float64` `[2, P]`; `prefixes`, the
/// sums of the weights, of their squares and of the negative weights up to each rank, `float64` `[3, P]`; `factors`, weights of the function,
/// `[n]`, and `bounds`, `[2, n]`, `float64`; `arrived`, zeros, `int64` `[1]`. What is not there has no elements.
///
/// Outputs: `state`, the states afterwards; `scores`, `float64` `[runs, P]`; `history`, the best score of each generation, `float64`
/// `[runs, generations]`; `candidates`, `T` `[runs, k, n]`, of the draws that are asked for: if it has elements nothing else is done; and room to
/// work in: `z` and `steps`, `float64` `[runs, D, n]`; `turns`, `float64` `[runs, 2, D]`; `moves`, `float64` `[runs, 3, n]`; `largest`, `int64`
/// `[runs, 1]`. Numbers: those of `Asked`. Rates: of the path, damping, of rank one, of rank μ, the expected length of the path, and
/// the least step size.
pub static RES: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "evolve_res",
        cpu: res,
    },
    inputs: &[
        "before",
        "given",
        "utilities",
        "prefixes",
        "factors",
        "bounds",
        "arrived",
    ],
    outputs: &[
        "state",
        "scores",
        "history",
        "candidates",
        "z",
        "steps",
        "turns",
        "moves",
        "largest",
    ],
    numbers: Asked::NUMBERS,
    lists: Asked::LISTS,
};

/// # Safety
/// As [`RES`] says.
unsafe fn res(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise, for the type that the candidates have.
    unsafe {
        match named.output("candidates")?.dtype {
            DType::F32 => res_of::<f32>(&named),
            _ => res_of::<f64>(&named),
        }
    }
}

/// # Safety
/// As [`RES`] says, for a search of `T`.
unsafe fn res_of<T: Real>(named: &ByName<'_>) -> Result<()> {
    let out = named.output("candidates")?;
    let asked = Asked::of(named, out.dtype)?;
    let [path, damping, rank_one, rank_mu, expected_length, floor, ..] = asked.rates;
    // SAFETY: whoever launches promises live row-major operands of these types.
    let (work, utilities) = unsafe {
        let work = Work::<T> {
            before: read(named.input("before")?),
            given: read(named.input("given")?),
            factors: read(named.input("factors")?),
            bounds: read(named.input("bounds")?),
            state: Places::of(named.output("state")?),
            scores: Places::of(named.output("scores")?),
            history: Places::of(named.output("history")?),
            candidates: (out.layout.numel() > 0).then(|| Places::of(out)),
            asked,
        };
        (work, read::<f64>(named.input("utilities")?))
    };
    let (weights, against) = utilities.split_at(work.asked.plan.population);
    let rates = Rates {
        weights: room::copied(weights)?,
        against: room::copied(against)?,
        path,
        damping,
        shape_path: 0.0,
        rank_one,
        rank_mu,
        expected_length,
    };
    (0..work.asked.plan.runs).try_for_each(|run| work.run(run, &rates, floor))
}

/// The search that a state of `n` unknowns is of.
pub(super) fn search_of(state: &[f64], n: usize) -> Result<Search> {
    let row = |row: usize, count: usize| room::copied(&state[row * n..][..count * n]);
    let number = |which: usize| state[(MATRIX + n) * n + which];
    Ok(Search::with_matrix(
        row(MEAN, 1)?,
        number(SIGMA),
        row(MATRIX_PATH, 1)?,
        number(MISSING),
        Matrix::Full {
            columns: row(MATRIX, n)?,
        },
    ))
}

/// The operands of a launch.
struct Work<'a, T> {
    asked: Asked,
    before: &'a [f64],
    given: &'a [f64],
    factors: &'a [f64],
    bounds: &'a [f64],
    state: Places<f64>,
    scores: Places<f64>,
    history: Places<f64>,
    candidates: Option<Places<T>>,
}

impl<T: Real> Work<'_, T> {
    fn run(&self, run: usize, rates: &Rates, floor: f64) -> Result<()> {
        let (asked, plan) = (&self.asked, self.asked.plan);
        let n = plan.n;
        let stride = self.before.len() / plan.runs;
        let before = &self.before[run * stride..][..stride];
        let mut search = search_of(before, n)?;
        let first = before[(MATRIX + n) * n + GENERATION] as u64;
        let mut spent = Generation::default();
        if asked.stages == Stages::Scores {
            return self.judged(run, &mut self.drawn(&search, run, first, spent)?);
        }
        // SAFETY: nobody else has this run's state and history.
        let (state, history) = unsafe {
            (
                &mut *self.state.range(run * stride, stride),
                &mut *self
                    .history
                    .range(run * asked.generations, asked.generations),
            )
        };
        state.copy_from_slice(before);
        history.fill(f64::NAN);
        let mut done = 0;
        for latest in history.iter_mut() {
            if *number(state, BEST_SCORE) <= asked.target {
                break;
            }
            let mut generation = self.drawn(&search, run, first + done, spent)?;
            self.judged(run, &mut generation)?;
            let population = plan.population;
            let scores = match asked.form {
                // SAFETY: nobody else has this run's scores, which were written before.
                Some(_) => unsafe { &*self.scores.range(run * population, population) },
                None => &self.given[run * population..][..population],
            };
            let judgement = Judgement {
                costs: scores,
                scores,
                order: &ranking(scores)?,
                price: 0.0,
                modes: &[],
            };
            let best = judgement.order[0];
            // Zeros are equal.
            let least = scores[best] + 0.0;
            *latest = least;
            *number(state, LEAST) = least;
            *number(state, WHICH) = best as f64;
            if is_usable(least) && least < *number(state, BEST_SCORE) {
                *number(state, BEST_SCORE) = least;
                state[BEST * n..][..n].copy_from_slice(generation.population.row(best));
            }
            search.learn(&generation, &judgement, rates, floor)?;
            spent = generation;
            done += 1;
        }
        *number(state, DONE) = done as f64;
        *number(state, GENERATION) += done as f64;
        self.keep(&search, state);
        Ok(())
    }

    /// The generation of the draws that are asked for.
    fn drawn(
        &self,
        search: &Search,
        run: usize,
        generation: u64,
        spent: Generation,
    ) -> Result<Generation> {
        let (asked, plan) = (&self.asked, self.asked.plan);
        let draws = match asked.stages {
            Stages::Scores => asked.range.clone(),
            _ => 0..plan.draws(),
        };
        let sampling = match plan.mirrored {
            true => Sampling::Antithetic,
            false => Sampling::Independent,
        };
        let number = generation * plan.runs as u64 + run as u64;
        let first = (number * plan.draws() as u64 + draws.start as u64) * plan.n as u64;
        let sizes = [draws.len(), plan.n];
        let mut made = search.drawn(spent, draws.len() * plan.each(), |z| {
            Noise::from(z, asked.seed, first, sizes, sampling)
        })?;
        let (n, bounds) = (plan.n, self.bounds);
        let values = &mut made.population.values;
        let cost = values.len();
        for_rows(values, n, cost, |_, row| {
            for (j, x) in row.iter_mut().enumerate() {
                let narrow = T::narrow(*x).wide();
                *x = match bounds.is_empty() {
                    true => narrow,
                    false => within(narrow, bounds[j], bounds[n + j]),
                };
            }
        })?;
        Ok(made)
    }

    /// Writes candidates, if they are asked for, or else the scores of a function, if it is one that is asked for.
    fn judged(&self, run: usize, generation: &mut Generation) -> Result<()> {
        let (asked, plan) = (&self.asked, self.asked.plan);
        let population = &generation.population;
        if let Some(places) = &self.candidates {
            let values = &population.values;
            // SAFETY: nobody else has this run's candidates.
            let out = unsafe { &mut *places.range(run * values.len(), values.len()) };
            for (out, x) in out.iter_mut().zip(values) {
                *out = T::narrow(*x);
            }
            return Ok(());
        }
        let Some(form) = asked.form else {
            return Ok(());
        };
        let first = match asked.stages {
            Stages::Scores => asked.range.start * plan.each(),
            _ => 0,
        };
        let places = run * plan.population + first;
        // SAFETY: nobody else has this run's scores.
        let scores = unsafe { &mut *self.scores.range(places, population.rows()) };
        let weight = |j: usize| self.factors.get(j).copied().unwrap_or(1.0);
        Ok(for_rows(scores, 1, population.values.len(), |k, score| {
            score[0] = form.of(population.row(k), weight);
        })?)
    }

    /// Writes where a search stands.
    fn keep(&self, search: &Search, state: &mut [f64]) {
        let n = self.asked.plan.n;
        let Some((path, missing, columns)) = search.adaptation() else {
            return;
        };
        *number(state, SIGMA) = search.sigma;
        *number(state, MISSING) = missing;
        state[MEAN * n..][..n].copy_from_slice(&search.centre);
        state[MATRIX_PATH * n..][..n].copy_from_slice(path);
        state[MATRIX * n..][..n * n].copy_from_slice(columns);
        let row = state[DEVIATION * n..].iter_mut();
        let deviations = deviations_of(columns, search.sigma, n);
        row.zip(deviations).for_each(|(row, d)| *row = d);
    }
}
