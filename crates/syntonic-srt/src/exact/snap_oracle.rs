//! Nearest points for tests, by other means than the search's: every factor of φ one by one, or all of them sorted by what they leave
//! over an integer.

use super::Golden;
use crate::constants::PHI;

/// φ 2^80.
const STEPS: i128 = 1_956_083_066_013_794_310_681_500;
const ONE: i128 = 1 << 80;
/// Closer than this, in steps of 2^-80, is a tie: it is more than the error of a distance, and points that are no tie differ by more.
const TIE: u128 = 1 << 24;
/// So few factors are compared one by one.
const FEW: i64 = 2000;

/// `x`, a multiple of 2^-24, in steps of 2^-80.
fn steps_of(x: f64) -> i128 {
    ((x * f64::from(1 << 24)) as i128) << 56
}

/// The nearest point so far, and its distance in steps: wrong by less than `|b| + 1` of them.
struct Nearest {
    x: i128,
    best: (u128, Golden),
}

impl Nearest {
    fn to(x: f64) -> Nearest {
        Nearest {
            x: steps_of(x),
            best: (u128::MAX, Golden::ZERO),
        }
    }

    /// Of two that are equally near, the one with the smaller `|b|`, then with the smaller `|a|`.
    fn offer(&mut self, a: i64, b: i64) {
        let far = (i128::from(a) * ONE + i128::from(b) * STEPS - self.x).unsigned_abs();
        let size = |z: Golden| (z.b.abs(), z.a.abs());
        let point = Golden::new(a, b);
        let tie = far.abs_diff(self.best.0) < TIE;
        if (!tie && far < self.best.0) || (tie && size(point) < size(self.best.1)) {
            self.best = (far, point);
        }
    }
}

/// Every factor of φ of a range with the integers around what is left.
fn each(x: f64, bound: i64, factors: std::ops::RangeInclusive<i64>) -> Golden {
    let mut nearest = Nearest::to(x);
    for b in factors {
        let near = (x - b as f64 * PHI).round() as i64;
        for a in near - 1..=near + 1 {
            nearest.offer(a.clamp(-bound, bound), b);
        }
    }
    nearest.best.1
}

/// The nearest point of all with coefficients up to `bound`, one by one.
pub(super) fn slow(x: f64, bound: i64) -> Golden {
    each(x, bound, -bound..=bound)
}

/// All factors of φ up to a bound, in the order of `b φ - ⌊b φ⌋`.
pub(super) struct Sorted {
    bound: i64,
    parts: Vec<(u64, i32)>,
}

impl Sorted {
    pub(super) fn new(bound: u32) -> Sorted {
        let bound = i64::from(bound);
        let part = |b: i64| ((i128::from(b) * STEPS).rem_euclid(ONE) >> 16) as u64;
        let mut parts: Vec<(u64, i32)> = (-bound..=bound).map(|b| (part(b), b as i32)).collect();
        parts.sort_unstable();
        Sorted { bound, parts }
    }

    /// The nearest point: walking from the part of `x` upwards, points above `x` come by distance, and downwards those below. The
    /// first on either side whose `a` is within the bound is the nearest there. Where few factors have such an `a`, at the ends of
    /// the range, they are compared one by one.
    pub(super) fn nearest(&self, x: f64) -> Golden {
        let bound = self.bound;
        let least = (((x - bound as f64) / PHI).floor() as i64 - 2).max(-bound);
        let most = (((x + bound as f64) / PHI).ceil() as i64 + 2).min(bound);
        if most - least < FEW {
            return each(x, bound, least..=most);
        }
        let steps = steps_of(x);
        let part = (steps.rem_euclid(ONE) >> 16) as u64;
        let from = self.parts.partition_point(|&(p, _)| p < part);
        let mut nearest = Nearest::to(x);
        let around = |k: usize| i64::from(self.parts[k % self.parts.len()].1);
        let left = |b: i64| steps - i128::from(b) * STEPS;
        let within = |a: i128| a.unsigned_abs() <= bound.unsigned_abs().into();
        // The part that is equal lies on both sides: the integer nearest to what is left is taken with its neighbours.
        for k in 0..self.parts.len() {
            let b = around(from + k);
            let above = -((-left(b)).div_euclid(ONE));
            nearest.offer_within(above, b, bound);
            if within(above) {
                break;
            }
        }
        for k in 1..=self.parts.len() {
            let b = around(from + self.parts.len() - k);
            let below = left(b).div_euclid(ONE);
            nearest.offer_within(below, b, bound);
            if within(below) {
                break;
            }
        }
        nearest.best.1
    }
}

impl Nearest {
    /// The integers around `a` that are within the bound.
    fn offer_within(&mut self, a: i128, b: i64, bound: i64) {
        for a in a - 1..=a + 1 {
            if a.unsigned_abs() <= bound.unsigned_abs().into() {
                self.offer(a as i64, b);
            }
        }
    }
}
