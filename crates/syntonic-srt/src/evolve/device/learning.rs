//! What a generation teaches, on the CPU: ranks, sums by coordinate, and the update of the rule.

use super::kernels::Work;
use super::plan::{
    BEST, COUNTED, DEVIATION, LANES, MEAN, NUMBERS, PATH, SHAPE_PATH, Update, VARIANCE,
};
use super::real::Real;
use super::tiles::{self, within};
use crate::evolve::elementary::exp;
use crate::evolve::lanes::over_lanes;
use std::cmp::Ordering;
use syntonic_core::cpu::threads::share;
use syntonic_core::{Result, interrupt, room};

/// Places of a state's numbers.
pub(super) const SIGMA: usize = 0;
pub(super) const MISSING: usize = 1;
pub(super) const BEST_SCORE: usize = 2;
/// Generations of the last launch, and of all.
pub(super) const DONE: usize = 3;
pub(super) const GENERATION: usize = 4;
/// The best score of the generation, whose it is, how many are usable, and whether the path of the step size is short.
pub(super) const LEAST: usize = 5;
pub(super) const WHICH: usize = 6;
const USABLE: usize = 7;
const STEADY: usize = 8;
/// Partial sums that a block of a device makes.
const WARPS: usize = 8;
/// Threads of a block of a device.
const BLOCK: usize = 256;

/// A number behind the rows of a state.
pub(super) fn number(state: &mut [f64], which: usize) -> &mut f64 {
    let at = state.len() - NUMBERS + which;
    &mut state[at]
}

/// Learns from a generation's scores, or adapts to moves that are given.
pub(super) fn learn<T: Real>(
    work: &Work<'_, T>,
    run: usize,
    generation: u64,
    at: usize,
    state: &mut [f64],
) -> Result<()> {
    let plan = work.asked.plan;
    let population = plan.population;
    let stages = work.asked.stages;
    if stages.ranks() {
        let scores = match work.asked.form {
            // SAFETY: this generation's scores were written before.
            Some(_) => unsafe { &*work.scores.range(run * population, population) },
            None => &work.given[run * population..][..population],
        };
        let (best, usable) = weigh(work, run, scores)?;
        // Zeros are equal.
        let least = scores[best] + 0.0;
        // SAFETY: nobody else has the history.
        unsafe { (*work.history.range(run * work.asked.generations + at, 1))[0] = least };
        *number(state, LEAST) = least;
        *number(state, WHICH) = best as f64;
        if work.asked.update == Update::Paths {
            *number(state, USABLE) = usable as f64;
        }
        let bands = work.bands(run, generation, state);
        let job_of = bands.summed();
        share(bands.sums(), |job| tiles::sum(&bands, job_of(job)))?;
    }
    // From here on the state changes: it is one update.
    interrupt::regardless(|| {
        if stages.ranks() {
            move_tiles(work, run, generation, state)?;
        }
        if stages.adapts() {
            let least = *number(state, LEAST);
            if least < *number(state, BEST_SCORE) {
                *number(state, BEST_SCORE) = least;
            }
            if work.asked.update == Update::Paths {
                adapt(work, run, state);
            }
        }
        Ok(())
    })
}

/// The weight of each candidate by its rank. Gives the best candidate, and how many have a usable value.
fn weigh<T: Real>(work: &Work<'_, T>, run: usize, scores: &[f64]) -> Result<(usize, usize)> {
    let population = scores.len();
    let usable = scores
        .iter()
        .filter(|score| **score < f64::INFINITY)
        .count();
    // SAFETY: nobody else has these places.
    let (weights, places) = unsafe {
        (
            &mut *work.weights.range(run * population, population),
            &mut *work.ranked.range(run * population, population),
        )
    };
    if population > COUNTED {
        places.copy_from_slice(&work.order[run * population..][..population]);
    } else {
        places.iter_mut().zip(0..).for_each(|(place, k)| *place = k);
        let key = |k: &i64| {
            let score = scores[*k as usize];
            // Zeros are equal, and NaN comes last.
            (score.is_nan(), score + 0.0)
        };
        places.sort_unstable_by(|a, b| {
            let (x, y) = (key(a), key(b));
            let scores = x.1.partial_cmp(&y.1).unwrap_or(Ordering::Equal);
            x.0.cmp(&y.0).then(scores).then(a.cmp(b))
        });
    }
    let base = work.asked.base.unwrap_or(0.0);
    for (place, utility) in places.iter().zip(work.utilities) {
        let score = scores[*place as usize];
        let ignored =
            work.asked.update == Update::Paths && (score.is_nan() || score == f64::INFINITY);
        weights[*place as usize] = match ignored {
            true => T::default(),
            false => T::narrow(utility - base),
        };
    }
    Ok((places[0] as usize, usable))
}

/// The sums of a coordinate over all segments, in the order of a device's warps.
fn over_segments<T: Real>(work: &Work<'_, T>, run: usize, plane: usize, j: usize) -> f64 {
    let plan = work.asked.plan;
    let segments = plan.segments();
    let mut total = 0.0;
    for warp in 0..WARPS {
        let mut sum = 0.0;
        for segment in (warp..segments).step_by(WARPS) {
            let at = ((run * 4 + plane) * segments + segment) * plan.n + j;
            // SAFETY: this generation's sums were written before.
            sum += unsafe { (&*work.steps.range(at, 1))[0] }.wide();
        }
        total = if warp == 0 { sum } else { total + sum };
    }
    total
}

/// Moves mean and deviations of the tiles that are asked for.
fn move_tiles<T: Real>(
    work: &Work<'_, T>,
    run: usize,
    generation: u64,
    state: &mut [f64],
) -> Result<()> {
    let (plan, rates) = (work.asked.plan, work.asked.rates);
    let n = plan.n;
    let tile = LANES * plan.held();
    let moved = work.asked.moved();
    let range = moved.start * tile..n.min(moved.end * tile);
    let usable = *number(state, USABLE) as usize;
    if *number(state, LEAST) < *number(state, BEST_SCORE) {
        let best = *number(state, WHICH) as usize;
        let row = best_of(work, run, generation, best, state)?;
        state[BEST * n..][range.clone()].copy_from_slice(&row[range.clone()]);
    }
    // Only paths are measured.
    let measured = if work.asked.update == Update::Paths {
        n
    } else {
        0
    };
    let lengths = measured.div_ceil(32);
    // SAFETY: nobody else has these places.
    let (kept, lengths) = unsafe {
        (
            &mut *work.sums.range(run * 2 * measured, 2 * measured),
            &mut *work.lengths.range(run * lengths, lengths),
        )
    };
    let mut lanes = [0.0; 32];
    for j in range {
        let sums: [f64; 4] =
            std::array::from_fn(|plane| match plane < 2 || work.asked.base.is_some() {
                true => over_segments(work, run, plane, j),
                false => 0.0,
            });
        let base = work.asked.base.unwrap_or(0.0);
        let (mut first, second) = (sums[0] + base * sums[2], sums[1] + base * sums[3]);
        let deviation = state[DEVIATION * n + j];
        let mean = &mut state[MEAN * n + j];
        match work.asked.update {
            Update::Natural => {
                *mean += deviation * first;
                let wider = deviation * exp(rates[0] * second);
                state[DEVIATION * n + j] = within(wider, 1e-150, 1e150);
            }
            Update::Gradient => *mean += rates[0] * (first / deviation),
            Update::Paths if usable > 0 => {
                let total = work.prefixes[usable - 1];
                first /= total;
                *mean += deviation * first;
                let path = &mut state[PATH * n + j];
                *path = (1.0 - rates[0]) * *path + rates[1] * first;
                lanes[j % 32] = *path * *path;
                (kept[j], kept[n + j]) = (first, second / total);
            }
            Update::Paths | Update::Matrix => {}
        }
        if measured > 0 && (j % 32 == 31 || j + 1 == n) {
            lengths[j / 32] = over_lanes(lanes);
            lanes = [0.0; 32];
        }
    }
    Ok(())
}

/// Step size and shape by their paths.
fn adapt<T: Real>(work: &Work<'_, T>, run: usize, state: &mut [f64]) {
    let (n, rates) = (work.asked.plan.n, work.asked.rates);
    let parts = n.div_ceil(32);
    let (kept, lengths) = match work.asked.stages.ranks() {
        // SAFETY: the moves wrote them before.
        true => unsafe {
            (
                &*work.sums.range(run * 2 * n, 2 * n),
                &*work.lengths.range(run * parts, parts),
            )
        },
        false => (
            &work.moved[0][run * 2 * n..][..2 * n],
            &work.moved[1][run * parts..][..parts],
        ),
    };
    let usable = *number(state, USABLE) as usize;
    let mut sums = [0.0; BLOCK];
    for (k, length) in lengths.iter().enumerate() {
        sums[k % BLOCK] += length;
    }
    let (mut factor, mut steady) = (0.5, false);
    if usable > 0 {
        let c = rates[0];
        let missing = *number(state, MISSING) * ((1.0 - c) * (1.0 - c));
        *number(state, MISSING) = missing;
        let length = over_lanes(sums).sqrt() / rates[7];
        steady = length < rates[9] * (1.0 - missing).sqrt();
        let change = rates[2] * (length - 1.0);
        factor = exp(if change > 1.0 { 1.0 } else { change });
    }
    let sigma = within(*number(state, SIGMA) * factor, rates[8], 1e100);
    *number(state, SIGMA) = sigma;
    *number(state, STEADY) = f64::from(u8::from(steady));
    let (c, one, many) = (rates[3], rates[5], rates[6]);
    let (push, lost) = match steady {
        true => (rates[4], 0.0),
        false => (0.0, c * (2.0 - c)),
    };
    let keep = 1.0 - one - many + one * lost;
    for j in 0..n {
        if usable > 0 {
            let variance = state[VARIANCE * n + j];
            let path = &mut state[SHAPE_PATH * n + j];
            *path = (1.0 - c) * *path + push * (variance.sqrt() * kept[j]);
            let next = keep * variance + one * (*path * *path) + many * (variance * kept[n + j]);
            state[VARIANCE * n + j] = within(next, 1e-60, 1e60);
        }
        state[DEVIATION * n + j] = sigma * state[VARIANCE * n + j].sqrt();
    }
}

/// The best candidate of a generation.
fn best_of<T: Real>(
    work: &Work<'_, T>,
    run: usize,
    generation: u64,
    member: usize,
    state: &[f64],
) -> Result<Vec<f64>> {
    let plan = work.asked.plan;
    let n = plan.n;
    let mut z = room::filled(n, T::default())?;
    let block = work.asked.block(run, generation, member / plan.each());
    T::fill(&mut z, work.asked.seed, block);
    let minus = plan.mirrored && member % 2 == 1;
    let coordinate = |j: usize| {
        let (mean, deviation) = (
            T::narrow(state[MEAN * n + j]),
            T::narrow(state[DEVIATION * n + j]),
        );
        let x = if minus { -deviation } else { deviation }.fused(z[j], mean);
        match work.bounds.is_empty() {
            true => x.wide(),
            false => within(x, work.bounds[j], work.bounds[n + j]).wide(),
        }
    };
    room::collected((0..n).map(coordinate))
}
