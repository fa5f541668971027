//! A few long axes beside a diagonal, learnt from the path of the mean: for more unknowns than a full matrix can have.

use super::shape::add_scaled;
use super::{exact, floats, lanes};
use serde::{Deserialize, Serialize};
use syntonic_core::ops::linalg::{Triangle, eigvalsh};
use syntonic_core::{Error, Tensor, room};

/// Paths that are remembered.
const MEMORY: usize = 20;

/// No path makes an axis that is longer than so many of the shortest.
const LONGEST: f64 = 1e8;

/// `A = D F_1 … F_m` with the covariance `D [(1 - c)^m I + Σ c (1 - c)^(m - i) p_i p_iᵀ] D`: `D` holds the first deviations, `p_i` are the paths that
/// the mean had at generations far apart from each other, the latest one last (Z. Li and Q. Zhang, "A simple yet efficient evolution strategy for
/// large-scale black-box optimization", 2018, whose candidates have noise of its own for each path).
///
/// Here a factor is what one path adds to those before it, `F_i = √(1 - c) (I + g_i u_i u_iᵀ)` with `u_i` along `(F_1 … F_(i-1))⁻¹ p_i`, so that a
/// candidate comes from a vector `z` of n numbers, and `z` from a candidate. All of it takes O(n m) products.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LowRank {
    #[serde(with = "floats")]
    scale: Vec<f64>,
    /// The path of the mean in units of `D`.
    #[serde(with = "floats")]
    path: Vec<f64>,
    /// Generations that the path has seen.
    seen: u64,
    /// `c`, once there is a factor.
    #[serde(with = "exact")]
    rate: f64,
    /// `p_i`, one after the other.
    #[serde(with = "floats")]
    paths: Vec<f64>,
    /// The generations that they are of.
    born: Vec<u64>,
    /// `u_i`, of length 1.
    #[serde(with = "floats")]
    directions: Vec<f64>,
    /// `g_i`.
    #[serde(with = "floats")]
    gains: Vec<f64>,
}

impl LowRank {
    /// `A = D`.
    pub(super) fn new(scale: Vec<f64>) -> Result<LowRank, Error> {
        Ok(LowRank {
            path: room::zeros(scale.len())?,
            scale,
            seen: 0,
            rate: 0.0,
            paths: Vec::new(),
            born: Vec::new(),
            directions: Vec::new(),
            gains: Vec::new(),
        })
    }

    /// Whether the numbers are ones that a search of `n` unknowns can have.
    pub(super) fn is_proper(&self, n: usize) -> bool {
        let m = self.born.len();
        let finite = |values: &[f64]| values.iter().all(|v| v.is_finite());
        let lengths = [&self.scale, &self.path].iter().all(|v| v.len() == n);
        let rows = [&self.paths, &self.directions];
        lengths
            && m <= MEMORY
            && rows.iter().all(|rows| rows.len() == m * n && finite(rows))
            && self.gains.len() == m
            && self.gains.iter().all(|g| g.is_finite() && *g >= 0.0)
            && (0.0..1.0).contains(&self.rate)
            && self.scale.iter().all(|s| s.is_finite() && *s > 0.0)
            && finite(&self.path)
            && self.born.is_sorted_by(|a, b| a < b)
            && self.born.last().is_none_or(|born| *born <= self.seen)
    }

    /// The same, to be changed.
    pub(super) fn copied(&self) -> Result<LowRank, Error> {
        Ok(LowRank {
            scale: room::copied(&self.scale)?,
            path: room::copied(&self.path)?,
            paths: room::copied(&self.paths)?,
            born: room::copied(&self.born)?,
            directions: room::copied(&self.directions)?,
            gains: room::copied(&self.gains)?,
            ..*self
        })
    }

    /// `D`.
    pub(super) fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// `m`.
    pub(super) fn rank(&self) -> usize {
        self.gains.len()
    }

    /// The first deviations are all 1.
    pub(super) fn is_even(&self) -> bool {
        self.scale.iter().all(|s| *s == 1.0)
    }

    fn directions(&self) -> impl DoubleEndedIterator<Item = (&[f64], f64)> {
        let rows = self.directions.chunks_exact(self.scale.len());
        rows.zip(self.gains.iter().copied())
    }

    /// `√(1 - c)^m`, multiplied into all.
    fn shrink(&self, m: usize) -> f64 {
        let one = (1.0 - self.rate).sqrt();
        (0..m).fold(1.0, |product, _| product * one)
    }

    /// `F_1 … F_m z`, in the place of `z`.
    pub(super) fn multiply(&self, z: &mut [f64]) {
        for (u, gain) in self.directions().rev() {
            add_scaled(z, gain * lanes::dot(u, z), u);
        }
        let shrink = self.shrink(self.rank());
        z.iter_mut().for_each(|v| *v *= shrink);
    }

    /// The `z` of `F_1 … F_m z`, in the place of it.
    pub(super) fn divide(&self, step: &mut [f64]) {
        for (u, gain) in self.directions() {
            add_scaled(step, -gain / (1.0 + gain) * lanes::dot(u, step), u);
        }
        let shrink = self.shrink(self.rank());
        step.iter_mut().for_each(|v| *v /= shrink);
    }

    /// The weight of each path in the covariance, and before them that of the identity.
    pub(super) fn weights(&self) -> impl Iterator<Item = f64> {
        let m = self.rank();
        let rest = move |after: usize| (0..after).fold(1.0, |p, _| p * (1.0 - self.rate));
        let paths = (0..m).map(move |i| self.rate * rest(m - 1 - i));
        std::iter::once(rest(m)).chain(paths)
    }

    /// The paths, latest last, in units of `D`.
    pub(super) fn paths(&self) -> impl Iterator<Item = &[f64]> {
        self.paths.chunks_exact(self.scale.len())
    }

    /// The diagonal of `A Aᵀ`.
    pub(super) fn write_variances(&self, out: &mut [f64]) {
        let mut weights = self.weights();
        out.fill(weights.next().unwrap_or(1.0));
        for (path, weight) in self.paths().zip(weights) {
            let squares = out.iter_mut().zip(path);
            squares.for_each(|(v, p)| *v += weight * (p * p));
        }
        let scaled = out.iter_mut().zip(&self.scale);
        scaled.for_each(|(v, scale)| *v *= scale * scale);
    }

    /// A bound of the square root of the largest of them.
    pub(super) fn widest(&self) -> f64 {
        let mut weights = self.weights();
        let first = weights.next().unwrap_or(1.0);
        let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let paths = self.paths().map(largest).zip(weights);
        let all = paths.fold(first, |sum, (p, weight)| sum + weight * (p * p));
        largest(&self.scale) * all.sqrt()
    }

    /// The longest axis over the shortest one, where `D` is the identity and there are fewer paths than unknowns: some axis is
    /// across all of them.
    pub(super) fn axis_ratio(&self) -> Result<f64, Error> {
        let m = self.rank();
        let mut weights = self.weights();
        let across = weights.next().unwrap_or(1.0);
        let weights = room::collected(weights)?;
        let mut products = room::zeros::<f64>(m * m)?;
        for (i, a) in self.paths().enumerate() {
            for (j, b) in self.paths().enumerate() {
                products[i * m + j] = (weights[i] * weights[j]).sqrt() * lanes::dot(a, b);
            }
        }
        let products = Tensor::from_slice(&products, &[m, m])?;
        let values = eigvalsh(&products, Triangle::Lower)?.to_vec::<f64>()?;
        let largest = values.into_iter().fold(0.0, f64::max);
        Ok((1.0 + largest / across).sqrt())
    }

    /// Turns the direction of a coordinate.
    pub(super) fn turn(&mut self, coordinate: usize) {
        let n = self.scale.len();
        self.path[coordinate] = -self.path[coordinate];
        for rows in [&mut self.paths, &mut self.directions] {
            let column = rows.iter_mut().skip(coordinate).step_by(n);
            column.for_each(|v| *v = -*v);
        }
    }

    /// Learns the step `Σ w z`, which the normaliser makes one of unit variance: with the rates of the path and of the covariance.
    pub(super) fn learn(
        &mut self,
        (first, normaliser): (&[f64], f64),
        (path_rate, rate): (f64, f64),
        step: &mut [f64],
    ) -> Result<(), Error> {
        step.copy_from_slice(first);
        self.multiply(step);
        let push = (path_rate * (2.0 - path_rate)).sqrt() * normaliser;
        let path = self.path.iter_mut().zip(&*step);
        path.for_each(|(p, y)| *p = (1.0 - path_rate) * *p + push * y);
        let n = self.scale.len();
        let length = lanes::dot(&self.path, &self.path).sqrt();
        let most = LONGEST * (n as f64).sqrt();
        if length > most {
            self.path.iter_mut().for_each(|p| *p *= most / length);
        }
        self.seen += 1;
        self.rate = rate;
        let kept = self.forget();
        room::grow(&mut self.paths, n)?;
        room::grow(&mut self.directions, n)?;
        room::grow(&mut self.born, 1)?;
        room::grow(&mut self.gains, 1)?;
        self.paths.extend_from_slice(&self.path);
        self.born.push(self.seen);
        self.refactor(kept);
        Ok(())
    }

    /// Makes room for another path, where there is none: of two that are less than n generations apart the later one goes, else the oldest.
    /// Says how many factors are as they were.
    fn forget(&mut self) -> usize {
        let m = self.born.len();
        if m < MEMORY {
            return m;
        }
        let n = self.scale.len();
        let gaps = self.born.windows(2).map(|pair| pair[1] - pair[0]);
        let (at, gap) =
            gaps.enumerate()
                .fold((0, u64::MAX), |least, (at, gap)| match gap < least.1 {
                    true => (at, gap),
                    false => least,
                });
        let gone = if gap > n as u64 { 0 } else { at + 1 };
        self.born.remove(gone);
        self.paths.drain(gone * n..(gone + 1) * n);
        gone
    }

    /// Makes the factors of all paths but the first `kept`, whose factors there are.
    fn refactor(&mut self, kept: usize) {
        let n = self.scale.len();
        self.directions.truncate(kept * n);
        self.gains.truncate(kept);
        for k in kept..self.born.len() {
            let path = &self.paths[k * n..][..n];
            self.directions.extend_from_slice(path);
            let (known, u) = self.directions.split_at_mut(k * n);
            for (direction, gain) in known.chunks_exact(n).zip(&self.gains) {
                add_scaled(
                    u,
                    -gain / (1.0 + gain) * lanes::dot(direction, u),
                    direction,
                );
            }
            let length = lanes::dot(u, u).sqrt();
            if length > 0.0 {
                u.iter_mut().for_each(|v| *v /= length);
            }
            let shrink = self.shrink(k);
            let square = self.rate / (1.0 - self.rate) * (length / shrink) * (length / shrink);
            // √(1 + s) - 1, exactly also where s is small.
            self.gains.push(square / ((1.0 + square).sqrt() + 1.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::random::fill_normal_f64;

    const N: usize = 37;

    fn turning(generation: u64) -> f64 {
        if generation.is_multiple_of(2) {
            3.0
        } else {
            -3.0
        }
    }

    /// A covariance that has learnt so many steps of noise.
    fn learnt(generations: u64, sizes: impl Fn(u64) -> f64) -> LowRank {
        let scale = (0..N).map(|k| 1.0 / (1.0 + k as f64)).collect();
        let mut a = LowRank::new(scale).unwrap();
        let (mut z, mut step) = ([0.0; N], [0.0; N]);
        for generation in 0..generations {
            fill_normal_f64(&mut z, 1, generation * N as u64);
            z[3] += sizes(generation);
            a.learn((&z, 1.0), (0.2, 0.05), &mut step).unwrap();
        }
        a
    }

    #[test]
    fn the_factors_are_a_root_of_the_covariance() {
        for generations in [0, 1, 2, 19, 20, 21, 100, 2000] {
            let a = learnt(generations, turning);
            assert!(a.is_proper(N));
            // Column j of A, by which A Aᵀ is the sum of outer products.
            let columns: Vec<[f64; N]> = (0..N)
                .map(|j| {
                    let mut z = [0.0; N];
                    z[j] = 1.0;
                    a.multiply(&mut z);
                    z.iter_mut().zip(a.scale()).for_each(|(v, s)| *v *= s);
                    z
                })
                .collect();
            let mut variances = [0.0; N];
            a.write_variances(&mut variances);
            let mut largest = 0.0_f64;
            for i in 0..N {
                for j in 0..N {
                    let product: f64 = columns.iter().map(|c| c[i] * c[j]).sum();
                    let mut weights = a.weights();
                    let own = if i == j { 1.0 } else { 0.0 };
                    let mut wanted = own * weights.next().unwrap();
                    for (p, w) in a.paths().zip(weights) {
                        wanted += w * p[i] * p[j];
                    }
                    wanted *= a.scale()[i] * a.scale()[j];
                    let size = (variances[i] * variances[j]).sqrt();
                    assert!((product - wanted).abs() < 1e-12 * size, "{generations}");
                    if i == j {
                        assert!((wanted - variances[i]).abs() < 1e-12 * size);
                    }
                }
                largest = largest.max(variances[i].sqrt());
            }
            assert!(a.widest() >= largest * (1.0 - 1e-12));
        }
    }

    #[test]
    fn a_step_is_divided_into_its_noise() {
        let a = learnt(300, turning);
        let mut z = [0.0; N];
        fill_normal_f64(&mut z, 7, 0);
        let mut back = z;
        a.multiply(&mut back);
        a.divide(&mut back);
        let same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        assert!(z.iter().zip(&back).all(same));
    }

    /// What is kept is spread over the past, and its factors are the ones that a new search would make of it.
    #[test]
    fn paths_are_of_generations_far_apart() {
        let a = learnt(5000, |_| 1.0);
        let gaps: Vec<u64> = a.born.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (_, old) = gaps.split_last().unwrap();
        assert!(old.iter().all(|gap| *gap >= N as u64 / 2), "{gaps:?}");
        let mut again = a.clone();
        again.refactor(0);
        assert!(a == again);
    }

    /// A path that goes on growing makes no number that is not finite.
    #[test]
    fn axes_have_a_longest() {
        let a = learnt(20_000, |_| 1e3);
        assert!(a.is_proper(N) && a.widest() < 1e10, "{}", a.widest());
    }
}
