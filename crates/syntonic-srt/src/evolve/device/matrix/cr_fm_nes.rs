//! CR-FM-NES: candidates `m + σ D (I + v vᵀ)^(1/2) z` with a diagonal `D` and one direction `v`, in mirrored pairs.
//!
//! What the natural gradients of `v` and `D` add for a candidate is linear in `y²`, `(y · v̄) y` and `(y · v̄)²`, so that the sums over candidates come
//! first, and the rest is done once, with vectors of n numbers. All of them are even in `y`: a pair has one term, with the sum of both weights.

use super::rows;
use super::search::{Drawing, best_first, ranks};
use crate::evolve::elementary::ln;
use syntonic_core::ops::random;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Result, Tensor, fuse, room};

use super::cma::LEAST_SIGMA;

/// The squared length of `v` stays below this, and deviations between this and its inverse.
pub(super) const MOST: f64 = 1e40;
/// A deviation falls to so much of itself at most in one generation.
pub(super) const FALL: f64 = 0.01;

fuse! {
    /// `v̄`, `(√(1 + |v|²) - 1) v̄`, and `|v|²`.
    DIRECTION(v: element) -> (element, element, row_scalar) {
        let square_length = sum(square(v));
        let along = v / maximum(sqrt(square_length), 1e-150);
        [along, along * (sqrt(square_length + 1.0) - 1.0), square_length]
    }

    /// `v̄ · z` and `|z|²` of draws.
    LENGTHS(z: element, along: row) -> (row_scalar, row_scalar) {
        let z = cast(DType::F64, z);
        [sum(z * along), sum(square(z))]
    }

    /// Scores without what is no number, squared lengths of those that are infeasible, and how many are feasible.
    FEASIBLE(score: element, length: element) -> (element, element, row_scalar) {
        let feasible = lt(score, f64::MAX);
        [select(feasible, score, f64::INFINITY), select(feasible, 0.0, length), sum(select(feasible, 1.0, 0.0))]
    }

    /// Weights by rank and distance.
    DISTANT(positive: element, length: element, feasible: row_scalar, rate: number) -> (element) {
        let far = sqrt(length);
        let weight = positive * exp((far - max(far)) * (rate * sqrt(feasible / count())));
        weight / maximum(sum(weight), 1e-300) - 1.0 / count()
    }

    /// `Σ (w₊ - w₋) z` over pairs.
    ODD(z: element, plus: row, minus: row) -> (row_scalar) { sum(cast(DType::F64, z) * (plus - minus)) }

    /// The path of steps, and its length.
    PATH(path: element, z: element, kept: number, gained: number) -> (element, row_scalar) {
        let path = path * kept + z * gained;
        [path, sqrt(sum(square(path)))]
    }

    /// Of pairs, by the length of the path: the weights that count, as differences, sums, and sums times `a = v̄ · z`; and `Σ e a`, `Σ e a²`, `Σ e`, the
    /// exponent of sigma, and the rate of the path. `d` is the number of unknowns.
    WEIGHED(
        plus: element, minus: element, far_plus: element, far_minus: element, a: element, length: element,
        path: row_scalar, feasible: row_scalar,
        d: number, expected: number, log_d: number, rank_one: number
    ) -> (element, element, element, row_scalar, row_scalar, row_scalar, row_scalar) {
        let moving = ge(path, expected);
        let (plus, minus) = (select(moving, far_plus, plus), select(moving, far_minus, minus));
        let both = plus + minus;
        let learnt = tanh((minimum(feasible * 0.02, log_d * 3.0) + 5.0) / (d * 0.23 + 25.0));
        let even = both * learnt;
        let stagnating = tanh((feasible * 0.024 + d * 0.7 + 20.0) / (d + 12.0));
        let converging = tanh((feasible * 0.025 + d * 0.75 + 10.0) / (d + 4.0)) * 2.0;
        let rate = select(moving, 1.0, select(ge(path, expected * 0.1), stagnating, converging));
        let wider = sum(both * length) / d - sum(both);
        [plus - minus, even, even * a, sum(even * square(a)), sum(even), rate * 0.5 * wider, rank_one * (feasible / (count() * 2.0))]
    }

    /// `Σ (w₊ - w₋) z`, `Σ e z²` and `Σ e a z` over pairs.
    SUMS(z: element, odd: row, even: row, along: row) -> (row_scalar, row_scalar, row_scalar) {
        let z = cast(DType::F64, z);
        [sum(z * odd), sum(square(z) * even), sum(z * along)]
    }

    /// Mean, path of the shape, `v`, `D` and sigma after a generation.
    LEARNING(
        mean: element, shape_path: element, v: element, deviation: element, along: element, odd: element, even: element, across: element,
        sigma: row_scalar, square_length: row_scalar, even_square: row_scalar, even_sum: row_scalar, exponent: row_scalar, rate: row_scalar,
        kept: number, gained: number
    ) -> (element, element, element, element, row_scalar) {
        let gamma = square_length + 1.0;
        let root = sqrt(gamma);
        let lean = along * (root - 1.0);
        // Sums over candidates in terms of `y = z + (√γ - 1) v̄ (v̄ · z)`.
        let step = deviation * (odd + lean * sum(along * odd));
        let squares = even + across * lean * 2.0 + square(lean) * even_square;
        let products = (across + lean * even_square) * root;
        let square_of_products = even_square * gamma;
        let moved = mean + step * sigma;
        let path = shape_path * kept + step * gained;
        // The path is one more candidate.
        let y = path / deviation;
        let q = sum(y * along);
        let squares = squares + square(y) * rate;
        let products = products + y * (q * rate);
        let square_of_products = square_of_products + square(q) * rate;
        let all = even_sum + rate;
        let t = products - along * ((square_of_products + gamma * all) * 0.5);
        let s = squares - along * products * (square_length / gamma) - all;
        // The inverse of the Fisher information, whose part that couples `v` and `D` is made smaller until it has one.
        let fourth = square(square_length);
        let spread = square(along);
        let peak = maximum(max(spread), 1e-300);
        let alpha = minimum(sqrt(fourth + (gamma * 2.0 - root) / peak) / (square_length + 2.0), 1.0);
        let b = square(alpha) * 2.0 - (1.0 - square(alpha)) * fourth / gamma;
        let h = maximum(2.0 - spread * (b + square(alpha) * 2.0), 1e-10);
        let mixed = along * t * (square_length + 2.0) - spread * (square_length * sum(along * t));
        let s = s - mixed * (alpha / gamma);
        let over = spread / h;
        let inner = b / (b * sum(spread * over) + 1.0) * sum(over * s);
        let s = s / h - over * inner;
        let t = t - (along * s * (square_length + 2.0) - along * sum(spread * s)) * alpha;
        let longer = v + t / maximum(sqrt(square_length), 1e-150);
        let length = sum(square(longer));
        let longer = longer * select(gt(length, MOST), sqrt(MOST / length), 1.0);
        let wider = deviation * maximum(s + 1.0, FALL);
        let volume = exp((sum(log(wider)) + log1p(minimum(length, MOST)) * 0.5) / count());
        let wider = minimum(maximum(wider / volume, 1.0 / MOST), MOST);
        let next = minimum(maximum(sigma * exp(exponent), LEAST_SIGMA), 1.0 / LEAST_SIGMA);
        // What overflowed on the way is not learnt.
        let sound = is_finite(sum(longer + wider + path + moved) + next);
        [
            select(sound, moved, mean), select(sound, path, shape_path), select(sound, longer, v), select(sound, wider, deviation),
            select(sound, next, sigma)
        ]
    }
}

/// What is known before the first generation.
#[derive(Clone, Debug)]
struct Known {
    /// Weights of ranks less `1/P`, and before scaling, `float64` `[2, P]`.
    weights: Tensor,
    /// Of the two candidates of a pair, `[2, 1]`.
    signs: Tensor,
    /// `Σ` of squares of the weights.
    selected: f64,
    path: f64,
    shape_path: f64,
    rank_one: f64,
    distance: f64,
    expected: f64,
}

/// The state of a search: vectors of n numbers in `float64`, and draws of pairs in the search's type.
#[derive(Clone, Debug)]
pub(super) struct CrFmNes {
    known: Known,
    pub(super) mean: Tensor,
    pub(super) sigma: Tensor,
    pub(super) path: Tensor,
    pub(super) shape_path: Tensor,
    pub(super) v: Tensor,
    pub(super) scale: Tensor,
    /// `v̄`, `(√(1 + |v|²) - 1) v̄` and `|v|²`.
    along: Tensor,
    lean: Tensor,
    square_length: Tensor,
    /// Draws of pairs `[P/2, n]`, `v̄ · z` and `|z|²` of each.
    z: Tensor,
    a: Tensor,
    length: Tensor,
}

/// `h⁻¹(d)`: the `a` with `(1 + a²) exp(a²/2) / 0.24 = 10 + d`, by bisection to the last digit.
pub(super) fn inverse_h(d: f64) -> f64 {
    let h = |a: f64| ln(1.0 + a * a) + 0.5 * a * a - ln(0.24 * (10.0 + d));
    let (mut low, mut high) = (0.0, 64.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match h(middle) < 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

impl CrFmNes {
    /// A search before its first draw.
    pub(super) fn new(mean: &Tensor, sigma: f64, population: usize, seed: u64) -> Result<CrFmNes> {
        let (n, there) = (mean.numel(), mean.device());
        let (d, p) = (n as f64, population as f64);
        let positive = |k: usize| (ln(p / 2.0 + 1.0) - ln(k as f64)).max(0.0);
        let sum: f64 = (1..=population).map(positive).sum();
        let scaled = (1..=population).map(|k| positive(k) / sum);
        let selected: f64 = scaled.clone().map(|w| w * w).sum();
        let less = scaled.map(|w| w - 1.0 / p);
        let table = room::collected(less.chain((1..=population).map(positive)))?;
        let mu = 1.0 / selected;
        let zeros = |shape: &[usize]| Tensor::zeros_on(shape, DType::F64, there);
        // A stream that no generation draws from.
        let mut noise = Generator::new(seed).fork(0);
        let deviation = 1.0 / d.sqrt();
        let search = CrFmNes {
            known: Known {
                weights: Tensor::from_vec(table, &[2, population])?.to(there)?,
                signs: Tensor::from_slice(&[1.0, -1.0], &[2, 1])?.to(there)?,
                selected,
                path: (mu + 2.0) / (d + mu + 5.0),
                shape_path: (4.0 + mu / d) / (d + 4.0 + 2.0 * mu / d),
                rank_one: 2.0 / ((d + 1.3) * (d + 1.3) + mu) * ((d - 5.0) / 6.0).max(0.0),
                distance: inverse_h(d) * (p / d).sqrt().min(1.0),
                expected: d.sqrt() * (1.0 - 1.0 / (4.0 * d) + 1.0 / (21.0 * d * d)),
            },
            mean: mean.clone(),
            sigma: Tensor::scalar(sigma, DType::F64)?.to(there)?,
            path: zeros(&[n])?,
            shape_path: zeros(&[n])?,
            v: random::normal(&[n], 0.0, deviation, DType::F64, &mut noise, there)?.eval()?,
            scale: Tensor::full_on(&[n], 1.0, DType::F64, there)?,
            along: zeros(&[n])?,
            lean: zeros(&[n])?,
            square_length: zeros(&[])?,
            z: zeros(&[0])?,
            a: zeros(&[0])?,
            length: zeros(&[0])?,
        };
        Ok(search)
    }

    /// What decides the next generations, by name.
    pub(super) fn kept(&self) -> [(&'static str, &Tensor); 6] {
        [
            ("mean", &self.mean),
            ("sigma", &self.sigma),
            ("path", &self.path),
            ("shape_path", &self.shape_path),
            ("v", &self.v),
            ("scale", &self.scale),
        ]
    }

    /// The search that has these tensors, before its draw.
    pub(super) fn of(
        kept: impl Fn(&str) -> Result<Tensor>,
        population: usize,
        seed: u64,
    ) -> Result<CrFmNes> {
        Ok(CrFmNes {
            sigma: kept("sigma")?,
            path: kept("path")?,
            shape_path: kept("shape_path")?,
            v: kept("v")?,
            scale: kept("scale")?,
            ..CrFmNes::new(&kept("mean")?, 1.0, population, seed)?
        })
    }

    /// The same search with the noise of a generation.
    pub(super) fn drawn(&self, mut drawing: Drawing) -> Result<CrFmNes> {
        let Drawing { shape, dtype, .. } = drawing;
        let there = self.mean.device();
        let z = random::normal(&shape, 0.0, 1.0, dtype, &mut drawing.noise, there)?;
        let [along, lean, square_length] = rows::several(&DIRECTION, &[&self.v], &[], -1)?;
        let [a, length] = rows::several(&LENGTHS, &[&z, &along], &[], -1)?;
        Ok(CrFmNes {
            along,
            lean,
            square_length,
            z,
            a,
            length,
            ..self.clone()
        })
    }

    /// Candidates of pairs of draws, `[k, 1, n]`, and of what they have along `v̄`, in `float64` `[k, s, n]` for s signs.
    fn moved(&self, z: &Tensor, a: &Tensor, signs: &Tensor) -> Result<Tensor> {
        let y = a.mul_add(&self.lean, z)?;
        let spread = self.scale.try_mul(&self.sigma)?;
        y.try_mul(signs)?.mul_add(&spread, &self.mean)
    }

    /// The candidates from one place up to another, both even, in `float64`.
    pub(super) fn candidates(&self, from: usize, to: usize) -> Result<Tensor> {
        let (first, last) = (Some((from / 2) as isize), Some((to / 2) as isize));
        let z = self.z.slice(0, first, last, 1)?.expand_dims(&[1])?;
        let a = self.a.slice(0, first, last, 1)?.expand_dims(&[1, 2])?;
        self.moved(&z, &a, &self.known.signs)?
            .reshape(&[(to - from) as isize, self.mean.numel() as isize])
    }

    /// The candidate of one place, a vector of one, as a row.
    pub(super) fn candidate(&self, place: &Tensor) -> Result<Tensor> {
        let pair = place.floor_divide(2i64)?;
        let sign = pair.mul_add(4i64, 1i64)?.try_sub(&place.try_mul(2i64)?)?;
        let z = self.z.take(&pair, 0)?.expand_dims(&[1])?;
        let a = self.a.take(&pair, 0)?.expand_dims(&[1, 2])?;
        let signs = sign.cast(DType::F64)?.expand_dims(&[1])?;
        self.moved(&z, &a, &signs)?.reshape(&[1, -1])
    }

    /// The deviation of each coordinate: `σ D √(1 + v²)`.
    pub(super) fn deviation(&self) -> Result<Tensor> {
        let wide = self.v.square()?.try_add(1.0)?.sqrt()?;
        wide.try_mul(&self.scale)?.try_mul(&self.sigma)
    }

    /// Numbers of pairs as those of their candidates.
    fn of_members(pairs: &Tensor) -> Result<Tensor> {
        let count = pairs.numel();
        let wide = pairs.expand_dims(&[1])?.broadcast_to(&[count, 2])?;
        wide.copy()?.reshape(&[-1])
    }

    /// The order of candidates, best first, and how many are feasible: the others come last, by the length of their draws.
    pub(super) fn order(&self, scores: &Tensor) -> Result<(Tensor, Tensor)> {
        let length = CrFmNes::of_members(&self.length)?;
        let [scores, far, feasible] = rows::several(&FEASIBLE, &[scores, &length], &[], -1)?;
        let by_length = best_first(&far)?;
        let by_score = best_first(&scores.take(&by_length, 0)?)?;
        Ok((by_length.take(&by_score, 0)?.eval()?, feasible))
    }

    /// The search after a generation whose candidates have this order, before the next draw.
    pub(super) fn told(&self, (order, feasible): &(Tensor, Tensor)) -> Result<CrFmNes> {
        let known = &self.known;
        let d = self.mean.numel() as f64;
        let weights = known.weights.take(&ranks(order)?, 1)?;
        let (ranked, positive) = (weights.select(0, 0)?, weights.select(0, 1)?);
        let length = CrFmNes::of_members(&self.length)?;
        let operands = [&positive, &length, feasible];
        let far = rows::one(&DISTANT, &operands, &[known.distance], -1)?;
        let halves = |x: &Tensor| -> Result<[Tensor; 2]> {
            let pairs = x.reshape(&[-1, 2])?;
            Ok([pairs.select(1, 0)?, pairs.select(1, 1)?])
        };
        let ([plus, minus], [far_plus, far_minus]) = (halves(&ranked)?, halves(&far)?);
        let odd = rows::one(&ODD, &[&self.z, &plus, &minus], &[], 0)?;
        // The path is that of `z` itself: `(D (I + v vᵀ)^(1/2))⁻¹` times the step.
        let gain = |rate: f64| (rate * (2.0 - rate) / known.selected).sqrt();
        let numbers = [1.0 - known.path, gain(known.path)];
        let [path, path_length] = rows::several(&PATH, &[&self.path, &odd], &numbers, -1)?;
        let operands = [
            &plus,
            &minus,
            &far_plus,
            &far_minus,
            &self.a,
            &self.length,
            &path_length,
            feasible,
        ];
        let numbers = [d, known.expected, ln(d), known.rank_one];
        let [odd, even, across, even_square, even_sum, exponent, rate] =
            rows::several(&WEIGHED, &operands, &numbers, -1)?;
        let [odd, even, across] = rows::several(&SUMS, &[&self.z, &odd, &even, &across], &[], 0)?;
        let operands = [
            &self.mean,
            &self.shape_path,
            &self.v,
            &self.scale,
            &self.along,
            &odd,
            &even,
            &across,
            &self.sigma,
            &self.square_length,
            &even_square,
            &even_sum,
            &exponent,
            &rate,
        ];
        let numbers = [1.0 - known.shape_path, gain(known.shape_path)];
        let [mean, shape_path, v, scale, sigma] =
            rows::several(&LEARNING, &operands, &numbers, -1)?;
        Ok(CrFmNes {
            mean,
            shape_path,
            v,
            scale,
            sigma,
            path,
            ..self.clone()
        })
    }
}
