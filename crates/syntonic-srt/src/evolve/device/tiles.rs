//! The CPU's way through the noise of a segment of draws: scores of candidates, and sums by coordinate. Compiled for wider registers and
//! chosen by the level of instructions; multiply-adds are written out, so every level gives the same bits.

use super::function::Form;
use super::plan::{Asked, LANES};
use super::real::{Real, term};
use crate::evolve::lanes::over_lanes;
use std::ops::Range;
use syntonic_core::cpu::lanes::Level;
use syntonic_core::ops::vectors::Places;

/// Tiles of a job: as much noise as is made at once.
pub(super) const BAND: usize = 4;
/// Numbers of a band, and those of one more block: the last coordinate may ask for the next.
const MOST: usize = BAND * LANES * 4 + 4;

/// What the jobs of a generation have in common.
pub(super) struct Bands<'a, T> {
    pub(super) asked: &'a Asked,
    pub(super) run: usize,
    pub(super) generation: u64,
    pub(super) mean: &'a [f64],
    pub(super) deviation: &'a [f64],
    /// Weights of the function; any where it has none.
    pub(super) factors: &'a [T],
    /// The least and the largest of each coordinate, or nothing.
    pub(super) bounds: &'a [T],
    /// Weights of candidates.
    pub(super) weights: &'a [T],
    pub(super) parts: &'a Places<T>,
    pub(super) steps: &'a Places<T>,
}

/// Coordinates of a band.
struct Band<T> {
    from: usize,
    /// Coordinates that there are; those past the last are 0.
    there: usize,
    mean: [T; MOST],
    deviation: [T; MOST],
    least: [T; MOST],
    most: [T; MOST],
    z: [T; MOST],
    x: [T; MOST],
}

impl<T: Real> Bands<'_, T> {
    /// Bands of a segment.
    fn bands(&self) -> usize {
        self.asked.plan.tiles().div_ceil(BAND)
    }

    /// The jobs of the scores.
    pub(super) fn scored(&self) -> Range<usize> {
        let segments = self.asked.scored();
        segments.start * self.bands()..segments.end * self.bands()
    }

    /// The jobs of the sums: those of the bands that have tiles which are moved.
    pub(super) fn summed(&self) -> impl Fn(usize) -> usize {
        let (bands, from) = (self.bands(), self.asked.moved().start / BAND);
        let each = self.asked.moved().end.div_ceil(BAND) - from;
        move |job| job / each * bands + from + job % each
    }

    /// How many those are.
    pub(super) fn sums(&self) -> usize {
        let moved = self.asked.moved();
        (moved.end.div_ceil(BAND) - moved.start / BAND) * self.asked.plan.segments()
    }

    #[inline(always)]
    fn band(&self, job: usize) -> (usize, Band<T>) {
        let bands = self.bands();
        let (segment, band) = (job / bands, job % bands);
        let zeros = [T::default(); MOST];
        let from = band * BAND * LANES * T::HELD;
        let n = self.asked.plan.n;
        let mut made = Band {
            from,
            there: (n - from).min(BAND * LANES * T::HELD),
            mean: zeros,
            deviation: zeros,
            least: zeros,
            most: zeros,
            z: zeros,
            x: zeros,
        };
        for j in from..n.min(from + MOST) {
            made.mean[j - from] = T::narrow(self.mean[j]);
            made.deviation[j - from] = T::narrow(self.deviation[j]);
            if !self.bounds.is_empty() {
                (made.least[j - from], made.most[j - from]) = (self.bounds[j], self.bounds[n + j]);
            }
        }
        (segment, made)
    }

    #[inline(always)]
    fn draws(&self, segment: usize) -> std::ops::Range<usize> {
        let plan = self.asked.plan;
        segment * plan.segment()..plan.draws().min((segment + 1) * plan.segment())
    }

    #[inline(always)]
    fn noise(&self, band: &mut Band<T>, draw: usize) {
        let block = self.asked.block(self.run, self.generation, draw);
        let length = (band.there + 1).next_multiple_of(T::HELD);
        T::fill(
            &mut band.z[..length],
            self.asked.seed,
            block + (band.from / T::HELD) as u64,
        );
    }

    /// Scores the candidates of a segment over a band.
    #[inline(always)]
    fn score(&self, job: usize, form: Form) {
        let plan = self.asked.plan;
        let (segment, mut band) = self.band(job);
        let tile = LANES * T::HELD;
        let (from, there) = (band.from, band.there);
        let first_tile = from / tile;
        let mut all = [[T::default(); MOST]; 2];
        for draw in self.draws(segment) {
            self.noise(&mut band, draw);
            if self.asked.base.is_some() {
                let [first, second] = &mut all;
                for ((first, second), z) in first.iter_mut().zip(second).zip(&band.z) {
                    (*first, *second) = (*first + *z, z.fused(*z, *second));
                }
            }
            for sign in 0..plan.each() {
                let x = band.candidate(sign == 1, !self.bounds.is_empty());
                let member = draw * plan.each() + sign;
                for k in 0..there.div_ceil(tile) {
                    let sums = self.tile(form, x, from, k * tile);
                    for (plane, sum) in sums.into_iter().enumerate().take(form.planes()) {
                        let at = (self.run * form.planes() + plane) * plan.tiles() + first_tile + k;
                        // SAFETY: each candidate and tile has a place of its own.
                        unsafe { (*self.parts.range(at * plan.population + member, 1))[0] = sum };
                    }
                }
            }
        }
        if self.asked.base.is_some() {
            self.keep(
                segment,
                2,
                band.from,
                all.each_ref().map(|all| &all[..band.there]),
            );
        }
    }

    /// The terms of a tile.
    #[inline(always)]
    fn tile(&self, form: Form, x: &[T; MOST], from: usize, at: usize) -> [T; 2] {
        let n = self.asked.plan.n;
        let (mut first, mut second) = ([T::default(); LANES], [T::default(); LANES]);
        for (lane, (first, second)) in first.iter_mut().zip(&mut second).enumerate() {
            let terms: [(T, T); 4] = std::array::from_fn(|k| {
                if k >= T::HELD {
                    return (T::default(), T::default());
                }
                let (here, j) = (at + lane * T::HELD + k, from + at + lane * T::HELD + k);
                let next = (form == Form::Rosenbrock && j + 1 < n).then(|| x[here + 1]);
                let weight = match form {
                    Form::Weighted if j < n => self.factors[j],
                    _ => T::default(),
                };
                term(form, x[here], next, weight)
            });
            let [a, b, c, d] = terms;
            (*first, *second) = match T::HELD {
                4 => ((a.0 + b.0) + (c.0 + d.0), (a.1 + b.1) + (c.1 + d.1)),
                _ => (a.0 + b.0, a.1 + b.1),
            };
        }
        [over_lanes(first), over_lanes(second)]
    }

    /// Sums over the selected draws of a segment.
    #[inline(always)]
    fn sum(&self, job: usize) {
        let plan = self.asked.plan;
        let (segment, mut band) = self.band(job);
        let every = self.asked.base.is_some() && self.asked.form.is_none();
        let mut sums = [[T::default(); MOST]; 4];
        for draw in self.draws(segment) {
            let plus = self.weights[draw * plan.each()];
            let minus = match plan.mirrored {
                true => self.weights[2 * draw + 1],
                false => T::default(),
            };
            if !every && plus == T::default() && minus == T::default() {
                continue;
            }
            let (difference, total) = (plus - minus, plus + minus);
            self.noise(&mut band, draw);
            let [first, second, all, squares] = &mut sums;
            for ((first, second), z) in first.iter_mut().zip(second).zip(&band.z) {
                *first = difference.fused(*z, *first);
                *second = total.fused(*z * *z, *second);
            }
            if every {
                for ((all, squares), z) in all.iter_mut().zip(squares).zip(&band.z) {
                    (*all, *squares) = (*all + *z, z.fused(*z, *squares));
                }
            }
        }
        let [first, second, all, squares] = sums.each_ref().map(|sums| &sums[..band.there]);
        self.keep(segment, 0, band.from, [first, second]);
        if every {
            self.keep(segment, 2, band.from, [all, squares]);
        }
    }

    #[inline(always)]
    fn keep(&self, segment: usize, plane: usize, from: usize, sums: [&[T]; 2]) {
        let plan = self.asked.plan;
        for (k, sums) in sums.into_iter().enumerate() {
            let row = (self.run * 4 + plane + k) * plan.segments() + segment;
            // SAFETY: each plane, segment and range of coordinates has places of its own.
            unsafe { (*self.steps.range(row * plan.n + from, sums.len())).copy_from_slice(sums) };
        }
    }
}

impl<T: Real> Band<T> {
    /// A candidate's coordinates.
    #[inline(always)]
    fn candidate(&mut self, minus: bool, bounded: bool) -> &[T; MOST] {
        for j in 0..MOST {
            let deviation = match minus {
                true => -self.deviation[j],
                false => self.deviation[j],
            };
            self.x[j] = deviation.fused(self.z[j], self.mean[j]);
        }
        if bounded {
            for j in 0..MOST {
                self.x[j] = within(self.x[j], self.least[j], self.most[j]);
            }
        }
        &self.x
    }
}

/// `x` between two bounds; NaN stays NaN.
#[inline(always)]
pub(super) fn within<T: PartialOrd>(x: T, least: T, most: T) -> T {
    if x < least {
        least
    } else if x > most {
        most
    } else {
        x
    }
}

/// [`Bands::score`] and [`Bands::sum`] compiled for the processor's level.
pub(super) fn score<T: Real>(bands: &Bands<'_, T>, job: usize, form: Form) {
    match Level::current() {
        // SAFETY: the level is that of `Level::current`, which this processor has.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { score_v4(bands, job, form) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { score_v3(bands, job, form) },
        _ => score_each(bands, job, form),
    }
}

pub(super) fn sum<T: Real>(bands: &Bands<'_, T>, job: usize) {
    match Level::current() {
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { sum_v4(bands, job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { sum_v3(bands, job) },
        _ => bands.sum(job),
    }
}

/// Each function by a match of its own, so that the loop over coordinates has no choice in it.
#[inline(always)]
fn score_each<T: Real>(bands: &Bands<'_, T>, job: usize, form: Form) {
    match form {
        Form::Sphere => bands.score(job, Form::Sphere),
        Form::Weighted => bands.score(job, Form::Weighted),
        Form::Rastrigin => bands.score(job, Form::Rastrigin),
        Form::Ackley => bands.score(job, Form::Ackley),
        Form::Rosenbrock => bands.score(job, Form::Rosenbrock),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn score_v3<T: Real>(bands: &Bands<'_, T>, job: usize, form: Form) {
    score_each(bands, job, form);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,fma")]
fn score_v4<T: Real>(bands: &Bands<'_, T>, job: usize, form: Form) {
    score_each(bands, job, form);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn sum_v3<T: Real>(bands: &Bands<'_, T>, job: usize) {
    bands.sum(job);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,fma")]
fn sum_v4<T: Real>(bands: &Bands<'_, T>, job: usize) {
    bands.sum(job);
}
