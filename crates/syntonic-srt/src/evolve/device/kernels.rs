//! Runs of generations, and candidates, as kernels: the contracts that every device keeps, and the CPU's versions.
//!
//! Coordinate `j` of draw `d` is value `j % h` of Philox block `d ⌈n / h⌉ + j / h`, where a block holds `h` values; the upper word of the
//! block's index is `generation · runs + run`.

use super::learning;
use super::plan::{Asked, MEAN};
use super::plan::{DEVIATION, GROUP, NUMBERS, Stages};
use super::real::Real;
use super::tiles::{self, Bands, within};
use syntonic_core::cpu::threads::{share, share_ranges};
use syntonic_core::device::{ByName, Kernel, Launch, NamedKernel};
use syntonic_core::ops::vectors::{Places, read};
use syntonic_core::{DType, Result};

/// Generations of one or several searches: scores, ranks, and what they teach. With `T` the type of the search and the sizes of `Plan`:
///
/// Inputs: `before`, the states, `float64` `[runs, stride]`; `given`, scores that are given, `float64` `[runs, population]`; `order` of
/// candidates, best first, `int64` `[runs, population]`, where ranks are not counted; `utilities`, weights of ranks, less what they have in
/// common, and `prefixes`, the sums of the weights up to each rank, `float64` `[population]`; `factors`, weights of the function, `T` `[n]`;
/// `bounds`, `T` `[2, n]`; `arrived`, zeros, `int64` `[1]`; of moves that are given, `given_sums` by coordinate, `float64` `[runs, 2, n]`, and
/// `given_lengths` of the path, `float64` `[runs, ⌈n / 32⌉]`. What is not there has no elements.
///
/// Outputs: `state`, the states afterwards; `scores`, where nothing else is computed; `history`, the best score of each generation,
/// `float64` `[runs, generations]`; `sums` by coordinate and `lengths` as above; and room to work in: `keys`, `int64` `[runs, 3, population]`;
/// `weights`, `T` `[runs, population]`; `parts`, sums of tiles, `T` `[runs, planes, tiles, population]`; `groups`, their sums, `float64`
/// `[runs, planes, groups, population]`; `steps`, sums of segments, `T` `[runs, 4, segments, n]`. Numbers: those of `Asked`.
pub static RUN: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "evolve_run",
        cpu: run,
    },
    inputs: &[
        "before",
        "given",
        "order",
        "utilities",
        "prefixes",
        "factors",
        "bounds",
        "arrived",
        "given_sums",
        "given_lengths",
    ],
    outputs: &[
        "state", "scores", "history", "sums", "lengths", "keys", "weights", "parts", "groups",
        "steps",
    ],
    numbers: Asked::NUMBERS,
    lists: Asked::LISTS,
};

/// Candidates of a generation. Inputs: the `state` of all runs, and `bounds`. Output: `candidates`, `T` `[runs, members, n]`. Numbers: those
/// of `Asked`.
pub static CANDIDATES: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "evolve_candidates",
        cpu: candidates,
    },
    inputs: &["state", "bounds"],
    outputs: &["candidates"],
    numbers: Asked::NUMBERS,
    lists: Asked::LISTS,
};

/// # Safety
/// As [`RUN`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise, for the type that the weights have.
    unsafe {
        match named.output("weights")?.dtype {
            DType::F32 => run_of::<f32>(&named),
            _ => run_of::<f64>(&named),
        }
    }
}

/// # Safety
/// As [`RUN`] says, for a search of `T`.
unsafe fn run_of<T: Real>(named: &ByName<'_>) -> Result<()> {
    let work = Work::<T>::of(named)?;
    let runs = work.asked.plan.runs;
    for run in 0..runs {
        let stride = work.before.len() / runs;
        // SAFETY: nobody else has this run's state.
        let state = unsafe { &mut *work.state.range(run * stride, stride) };
        state.copy_from_slice(&work.before[run * stride..][..stride]);
        work.generations(run, state)?;
    }
    Ok(())
}

/// The operands of a launch.
pub(super) struct Work<'a, T> {
    pub(super) asked: Asked,
    before: &'a [f64],
    pub(super) given: &'a [f64],
    pub(super) order: &'a [i64],
    pub(super) utilities: &'a [f64],
    pub(super) prefixes: &'a [f64],
    pub(super) factors: &'a [T],
    pub(super) bounds: &'a [T],
    /// Sums by coordinate and lengths of the path, where the moves are given.
    pub(super) moved: [&'a [f64]; 2],
    state: Places<f64>,
    pub(super) scores: Places<f64>,
    pub(super) history: Places<f64>,
    pub(super) ranked: Places<i64>,
    pub(super) weights: Places<T>,
    parts: Places<T>,
    pub(super) steps: Places<T>,
    pub(super) sums: Places<f64>,
    pub(super) lengths: Places<f64>,
}

impl<T: Real> Work<'_, T> {
    fn of<'a>(named: &ByName<'a>) -> Result<Work<'a, T>> {
        // SAFETY: whoever launches promises live row-major operands of these types.
        unsafe {
            Ok(Work {
                asked: Asked::of(named, named.output("weights")?.dtype)?,
                before: read(named.input("before")?),
                given: read(named.input("given")?),
                order: read(named.input("order")?),
                utilities: read(named.input("utilities")?),
                prefixes: read(named.input("prefixes")?),
                factors: read(named.input("factors")?),
                bounds: read(named.input("bounds")?),
                moved: [
                    read(named.input("given_sums")?),
                    read(named.input("given_lengths")?),
                ],
                state: Places::of(named.output("state")?),
                scores: Places::of(named.output("scores")?),
                history: Places::of(named.output("history")?),
                sums: Places::of(named.output("sums")?),
                lengths: Places::of(named.output("lengths")?),
                ranked: Places::of(named.output("keys")?),
                weights: Places::of(named.output("weights")?),
                parts: Places::of(named.output("parts")?),
                steps: Places::of(named.output("steps")?),
            })
        }
    }

    fn generations(&self, run: usize, state: &mut [f64]) -> Result<()> {
        let mut done = 0;
        let asked = self.asked.generations;
        // SAFETY: nobody else has this run's history.
        unsafe { (*self.history.range(run * asked, asked)).fill(f64::NAN) };
        for g in 0..asked {
            if *learning::number(state, learning::BEST_SCORE) <= self.asked.target {
                break;
            }
            let generation = *learning::number(state, learning::GENERATION) as u64 + g as u64;
            if self.asked.form.is_some() {
                self.score(run, generation, state)?;
            }
            if self.asked.stages == Stages::Scores {
                break;
            }
            learning::learn(self, run, generation, g, state)?;
            done = g + 1;
        }
        if self.asked.stages.adapts() {
            *learning::number(state, learning::DONE) = done as f64;
            *learning::number(state, learning::GENERATION) += done as f64;
        }
        Ok(())
    }

    /// What the jobs of a generation read and write.
    pub(super) fn bands<'b>(
        &'b self,
        run: usize,
        generation: u64,
        state: &'b [f64],
    ) -> Bands<'b, T> {
        let n = self.asked.plan.n;
        let population = self.asked.plan.population;
        Bands {
            asked: &self.asked,
            run,
            generation,
            mean: &state[MEAN * n..][..n],
            deviation: &state[DEVIATION * n..][..n],
            factors: self.factors,
            bounds: self.bounds,
            // SAFETY: this generation's weights were written before, and nobody writes them while bands are read.
            weights: unsafe { &*self.weights.range(run * population, population) },
            parts: &self.parts,
            steps: &self.steps,
        }
    }

    /// Scores of all candidates of a run.
    fn score(&self, run: usize, generation: u64, state: &[f64]) -> Result<()> {
        let Some(form) = self.asked.form else {
            return Ok(());
        };
        let plan = self.asked.plan;
        let bands = self.bands(run, generation, state);
        let jobs = bands.scored();
        share(jobs.len(), |job| {
            tiles::score(&bands, jobs.start + job, form)
        })?;
        let planes = form.planes();
        let of_tile = |plane: usize, tile: usize, member: usize| {
            let at = ((run * planes + plane) * plan.tiles() + tile) * plan.population + member;
            // SAFETY: this generation's sums were written before.
            unsafe { (&*self.parts.range(at, 1))[0] }.wide()
        };
        let members = match self.asked.stages {
            Stages::Scores => {
                self.asked.range.start * plan.each()..self.asked.range.end * plan.each()
            }
            _ => 0..plan.population,
        };
        share_ranges(members.len(), 64, |from, to| {
            let (from, to) = (members.start + from, members.start + to);
            // SAFETY: each range of candidates has places of its own.
            let scores =
                unsafe { &mut *self.scores.range(run * plan.population + from, to - from) };
            for (member, score) in (from..to).zip(scores) {
                let mut totals = [0.0; 2];
                for (plane, total) in totals.iter_mut().enumerate().take(planes) {
                    for group in 0..plan.groups() {
                        let tiles = group * GROUP..plan.tiles().min((group + 1) * GROUP);
                        *total += tiles.fold(0.0, |sum, tile| sum + of_tile(plane, tile, member));
                    }
                }
                *score = form.finish(totals, plan.n);
            }
        })?;
        Ok(())
    }
}

/// # Safety
/// As [`CANDIDATES`] says.
unsafe fn candidates(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise, for the type that the candidates have.
    unsafe {
        match named.output("candidates")?.dtype {
            DType::F32 => candidates_of::<f32>(&named),
            _ => candidates_of::<f64>(&named),
        }
    }
}

/// # Safety
/// As [`CANDIDATES`] says, with an output of `T`.
unsafe fn candidates_of<T: Real>(named: &ByName<'_>) -> Result<()> {
    let out = named.output("candidates")?;
    let asked = Asked::of(named, out.dtype)?;
    let [state, bounds] = named.inputs(["state", "bounds"])?;
    // SAFETY: the caller's promise.
    let (state, bounds) = unsafe { (read::<f64>(state), read::<T>(bounds)) };
    let plan = asked.plan;
    let (n, each, stride) = (plan.n, plan.each(), state.len() / plan.runs);
    let out = Places::<T>::of(out);
    let count = asked.range.len();
    share(plan.runs * count, |job| {
        let (run, draw) = (job / count, job % count);
        // SAFETY: each draw has rows of its own.
        let rows = unsafe { &mut *out.range(job * each * n, each * n) };
        let (plus, minus) = rows.split_at_mut(n);
        let generation = state[(run + 1) * stride - NUMBERS + learning::GENERATION] as u64;
        T::fill(
            plus,
            asked.seed,
            asked.block(run, generation, asked.range.start + draw),
        );
        let of = |row: usize| &state[run * stride + row * n..][..n];
        for (j, plus) in plus.iter_mut().enumerate() {
            let (mean, deviation) = (T::narrow(of(MEAN)[j]), T::narrow(of(DEVIATION)[j]));
            let bounded = |x: T| match bounds.is_empty() {
                true => x,
                false => within(x, bounds[j], bounds[n + j]),
            };
            let z = *plus;
            *plus = bounded(deviation.fused(z, mean));
            if let Some(minus) = minus.get_mut(j) {
                *minus = bounded((-deviation).fused(z, mean));
            }
        }
    })?;
    Ok(())
}
