//! Noise that is made anew where it is needed, as kernels: their CPU versions, and the contracts that a device's versions keep.
//!
//! Coordinate `j` of draw `d` is value `j % h` of Philox block `d ⌈n / h⌉ + j / h` of a generation's seed, where a block holds `h` values.

use super::functions::{Form, Real, term};
use syntonic_core::cpu::threads::{share, share_ranges};
use syntonic_core::device::{Kernel, Launch};
use syntonic_core::{DType, Result, room};

pub(super) use syntonic_core::ops::vectors::run;
use syntonic_core::ops::vectors::{Places, read};

/// Coordinates whose terms are added before the pieces of a candidate are.
pub(super) const PIECE: usize = 1 << 15;
/// Draws whose steps are added before the segments are.
pub(super) const SEGMENT: usize = 256;
/// Blocks are dealt to so many lanes.
const LANES: usize = 256;

/// Candidates `mean ± deviation z`. Inputs: `mean` and `deviation`, `[n]` of `float32` or `float64`. Output: `[members, n]` of the same type,
/// two for each draw where they are mirrored. Numbers: seed, mirrored (1 or 0), first draw, draws.
pub static CANDIDATES: Kernel = Kernel {
    name: "evolve_candidates",
    cpu: candidates,
};

/// Partial sums of a function for each candidate. Inputs as of [`CANDIDATES`], and weights of `float64`, `[n]` where the function has some and
/// any vector where not. Output: `float64`
/// `[members, pieces, 2]`, a piece for each 32,768 coordinates. Numbers as of [`CANDIDATES`], and the function's.
pub static SCORES: Kernel = Kernel {
    name: "evolve_scores",
    cpu: scores,
};

/// Sums over the draws by coordinate. Inputs: a vector of the search's type, which is not read, and weights `[members]` of `float64`. Outputs:
/// `Σ (w₊ - w₋) z` and `Σ (w₊ + w₋) z²`, `float64` `[segments, n]`, a segment for each 256 draws. Numbers as of [`CANDIDATES`]; the first draw
/// is 0.
pub static SUMS: Kernel = Kernel {
    name: "evolve_sums",
    cpu: sums,
};

/// What the numbers of a launch say.
#[derive(Clone, Copy)]
struct Asked {
    seed: u64,
    mirrored: bool,
    first: usize,
    draws: usize,
}

impl Asked {
    fn of(launch: &Launch) -> Asked {
        let number = |k: usize| launch.params[k].to_i128();
        Asked {
            seed: number(0) as u64,
            mirrored: number(1) != 0,
            first: number(2) as usize,
            draws: number(3) as usize,
        }
    }

    fn each(self) -> usize {
        1 + usize::from(self.mirrored)
    }

    /// Values of a draw from block `from` on.
    fn noise<T: Real>(self, draw: usize, n: usize, from: usize, out: &mut [T]) {
        let blocks = n.div_ceil(T::HELD);
        let first = ((self.first + draw) * blocks + from) * T::HELD;
        T::fill(out, self.seed, first as u64);
    }
}

/// # Safety
/// As [`CANDIDATES`] says.
unsafe fn candidates(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the type that the inputs have.
    unsafe {
        match launch.inputs[0].dtype {
            DType::F32 => candidates_of::<f32>(launch),
            _ => candidates_of::<f64>(launch),
        }
    }
}

/// # Safety
/// As [`CANDIDATES`] says, with inputs of `T`.
unsafe fn candidates_of<T: Real>(launch: &Launch) -> Result<()> {
    let asked = Asked::of(launch);
    // SAFETY: the caller's promise.
    let [mean, deviation] = [0, 1].map(|k| unsafe { read::<T>(&launch.inputs[k]) });
    let (n, out) = (mean.len(), Places::<T>::of(&launch.outputs[0]));
    let failed = share(asked.draws, |draw| {
        let rows = asked.each() * n;
        // SAFETY: each draw has rows of its own.
        let rows = unsafe { &mut *out.range(draw * rows, rows) };
        let (plus, minus) = rows.split_at_mut(n);
        asked.noise(draw, n, 0, plus);
        for (j, plus) in plus.iter_mut().enumerate() {
            let step = deviation[j] * *plus;
            *plus = mean[j] + step;
            if let Some(minus) = minus.get_mut(j) {
                *minus = mean[j] - step;
            }
        }
    });
    Ok(failed?)
}

/// # Safety
/// As [`SCORES`] says.
unsafe fn scores(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the type that the inputs have.
    unsafe {
        match launch.inputs[0].dtype {
            DType::F32 => scores_of::<f32>(launch),
            _ => scores_of::<f64>(launch),
        }
    }
}

/// # Safety
/// As [`SCORES`] says, with inputs of `T`.
unsafe fn scores_of<T: Real>(launch: &Launch) -> Result<()> {
    let asked = Asked::of(launch);
    let form = Form::ALL[launch.params[4].to_i128() as usize];
    // SAFETY: the caller's promise.
    let [mean, deviation] = [0, 1].map(|k| unsafe { read::<T>(&launch.inputs[k]) });
    // SAFETY: as above.
    let weights = unsafe { read::<f64>(&launch.inputs[2]) };
    let (n, out) = (mean.len(), Places::<f64>::of(&launch.outputs[0]));
    let (pieces, blocks) = (n.div_ceil(PIECE), n.div_ceil(T::HELD));
    share(asked.draws * pieces, |job| {
        let (draw, piece) = (job / pieces, job % pieces);
        let from = piece * PIECE / T::HELD;
        let to = blocks.min(from + PIECE / T::HELD);
        let mut lanes = [[[0.0; 2]; LANES]; 2];
        // few: a block of each lane, and one more, whose first value the last coordinate may ask for.
        let mut z = vec![mean[0]; (LANES + 1) * T::HELD];
        for base in (from..to).step_by(LANES) {
            asked.noise(draw, n, base, &mut z);
            for j in base * T::HELD..n.min((base + LANES).min(to) * T::HELD) {
                let at = j - base * T::HELD;
                let lane = at / T::HELD;
                let (centre, step) = (mean[j], deviation[j] * z[at]);
                let next = (j + 1 < n).then(|| (mean[j + 1], deviation[j + 1] * z[at + 1]));
                let weight = match form {
                    Form::Weighted => weights[j],
                    _ => 1.0,
                };
                let after = next.map(|(centre, step)| centre + step);
                term(form, &mut lanes[0][lane], centre + step, after, weight);
                if asked.mirrored {
                    let after = next.map(|(centre, step)| centre - step);
                    term(form, &mut lanes[1][lane], centre - step, after, weight);
                }
            }
        }
        for (sign, lanes) in lanes.iter_mut().enumerate().take(asked.each()) {
            let row = draw * asked.each() + sign;
            // SAFETY: each candidate and piece has a place of its own.
            let to = unsafe { &mut *out.range((row * pieces + piece) * 2, 2) };
            to.copy_from_slice(&over_lanes(lanes));
        }
    })?;
    Ok(())
}

/// What all lanes have, added as a tree.
fn over_lanes(lanes: &mut [[f64; 2]; LANES]) -> [f64; 2] {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            let other = lanes[lane + half];
            lanes[lane][0] += other[0];
            lanes[lane][1] += other[1];
        }
        half /= 2;
    }
    lanes[0]
}

/// # Safety
/// As [`SUMS`] says.
unsafe fn sums(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the type that the search has.
    unsafe {
        match launch.inputs[0].dtype {
            DType::F32 => sums_of::<f32>(launch),
            _ => sums_of::<f64>(launch),
        }
    }
}

/// Coordinates that a thread adds at a time.
const COLUMNS: usize = 1 << 10;

/// # Safety
/// As [`SUMS`] says, for a search of `T`.
unsafe fn sums_of<T: Real>(launch: &Launch) -> Result<()> {
    let asked = Asked::of(launch);
    let n = launch.inputs[0].layout.numel();
    // SAFETY: the caller's promise.
    let weights = unsafe { read::<f64>(&launch.inputs[1]) };
    let first = Places::<f64>::of(&launch.outputs[0]);
    let second = Places::<f64>::of(&launch.outputs[1]);
    let across = n.div_ceil(COLUMNS);
    let segments = asked.draws.div_ceil(SEGMENT);
    let lost = std::sync::atomic::AtomicBool::new(false);
    share_ranges(across * segments, 1, |job, _| {
        let (segment, from) = (job / across, job % across * COLUMNS);
        let count = COLUMNS.min(n - from);
        let Ok(mut z) = room::zeros::<f64>(count) else {
            lost.store(true, std::sync::atomic::Ordering::Relaxed);
            return;
        };
        // SAFETY: each segment and range of coordinates has places of its own.
        let (a, b) = unsafe {
            (
                &mut *first.range(segment * n + from, count),
                &mut *second.range(segment * n + from, count),
            )
        };
        a.fill(0.0);
        b.fill(0.0);
        for draw in segment * SEGMENT..asked.draws.min((segment + 1) * SEGMENT) {
            let plus = weights[draw * asked.each()];
            let minus = match asked.mirrored {
                true => weights[2 * draw + 1],
                false => 0.0,
            };
            let (difference, total) = (plus - minus, plus + minus);
            if difference == 0.0 && total == 0.0 {
                continue;
            }
            wide_noise::<T>(asked, draw, n, from, &mut z);
            for ((a, b), z) in a.iter_mut().zip(b.iter_mut()).zip(&z) {
                *a += difference * z;
                *b += total * (z * z);
            }
        }
    })?;
    match lost.into_inner() {
        true => Err(room::refused(COLUMNS * size_of::<f64>())),
        false => Ok(()),
    }
}

/// Values of a draw from coordinate `from` on, a multiple of a block, in double precision.
fn wide_noise<T: Real>(asked: Asked, draw: usize, n: usize, from: usize, out: &mut [f64]) {
    const STRIP: usize = 64;
    let Some(zero) = out.first().map(|_| T::ONE) else {
        return;
    };
    let mut strip = [zero; STRIP];
    for (k, part) in out.chunks_mut(STRIP).enumerate() {
        let block = (from + k * STRIP) / T::HELD;
        asked.noise(draw, n, block, &mut strip);
        for (to, z) in part.iter_mut().zip(strip) {
            *to = z.wide();
        }
    }
}
