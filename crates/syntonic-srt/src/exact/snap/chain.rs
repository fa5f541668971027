//! The nearest point by six candidates, with floats that know when they cannot tell.
//!
//! A lattice point `z = a + b φ` has a second coordinate, its conjugate `σ(z) = a + b ψ` with `ψ = 1 - φ`. Points near `x` with
//! bounded coefficients are those whose conjugate lies in an interval. Times a power `φ^k`, which maps the lattice to itself, the
//! interval is between 1 and φ long. Of an interval `[c, c + 1)` there is exactly one point for each integer `b`, with
//! `a = ⌈c - b ψ⌉`, and these points ascend with `b` by `√5` on average: the nearest ones below and above a number are among
//! three neighbours. Two such intervals cover the whole.
//!
//! Source: cut-and-project sets, Baake and Grimm, *Aperiodic Order 1* (2013), chapter 7.

use crate::constants::{INV_PHI, PHI};
use crate::exact::Golden;

/// √5.
pub(super) const ROOT: f64 = 2.236_067_977_499_79;
pub(super) const INV_ROOT: f64 = 0.447_213_595_499_957_94;
/// Adding and subtracting it rounds to the nearest integer, up to 2^51.
pub(super) const ROUNDER: f64 = 6_755_399_441_055_744.0;
/// So far may the factor of φ of a nearest point be beyond those of numbers at `x` itself: half the largest gap.
pub(super) const SLACK: f64 = 0.15;
/// More than the distance of two points is wrong by: bounds of 32 bits leave 20 bits after the point.
pub(super) const ERROR: f64 = 2e-5;
/// With fewer factors of φ than this, the largest gap is not small.
const FEW: f64 = 8.0;
/// Powers of φ that bounds of 32 bits need, and two more.
const POWERS: usize = 52;

/// `φ^k`, its conjugate and what multiplies by `φ^-k` in integers: `(-1)^k (F_(k+1) - F_k φ)`.
#[derive(Clone, Copy)]
pub(super) struct Power {
    pub(super) up: f64,
    /// `(1 - φ)^k`.
    pub(super) conjugate: f64,
    pub(super) a: i64,
    pub(super) b: i64,
}

pub(super) static TABLE: [Power; POWERS] = table();

const fn table() -> [Power; POWERS] {
    let mut table = [Power {
        up: 1.0,
        conjugate: 1.0,
        a: 1,
        b: 0,
    }; POWERS];
    let (mut k, mut before, mut this) = (1, 0i64, 1i64);
    while k < POWERS {
        // this is F_k, and φ^k = F_(k-1) + F_k φ: both summands are positive, so that floats lose nothing.
        let up = before as f64 + this as f64 * PHI;
        let odd = k % 2 == 1;
        let next = before + this;
        table[k] = Power {
            up,
            conjugate: if odd { -1.0 / up } else { 1.0 / up },
            a: if odd { -next } else { next },
            b: if odd { this } else { -this },
        };
        (before, this) = (this, next);
        k += 1;
    }
    table
}

/// Whether an interval may have so few factors of φ that the largest gap is not small.
#[inline(always)]
pub(super) fn has_few(width: f64) -> bool {
    width < FEW + 2.0
}

#[inline(always)]
pub(super) fn rounded(x: f64) -> f64 {
    (x + ROUNDER) - ROUNDER
}

/// The exponent of the largest power of φ that is at most `x`, from 1 to 2^36.
#[inline(always)]
pub(super) fn exponent(x: f64) -> usize {
    let binary = (x.to_bits() >> 52) as usize - 1023;
    // 1 / log2 φ = 1.44042; below 2^36 the floor is right.
    let low = (binary * 1475) >> 10;
    low + usize::from(TABLE[low + 1].up <= x) + usize::from(TABLE[low + 2].up <= x)
}

/// The best two candidates so far.
struct Nearest {
    point: (f64, f64),
    distance: f64,
    second: f64,
}

impl Nearest {
    #[inline]
    fn meet(&mut self, a: f64, b: f64, centre: f64) {
        let distance = (a + b * PHI - centre).abs();
        let other = b != self.point.1 || a != self.point.0;
        let nearer = distance < self.distance;
        let beaten = if nearer { self.distance } else { distance };
        // The same point may be a candidate of both intervals.
        self.second = if other && beaten < self.second {
            beaten
        } else {
            self.second
        };
        self.point = if nearer { (a, b) } else { self.point };
        self.distance = if nearer { distance } else { self.distance };
    }
}

/// The nearest point to a finite `x`, or none where floats cannot tell which it is.
#[inline]
pub(super) fn nearest(x: f64, bound: f64) -> Option<Golden> {
    let whole = rounded(x);
    let rest = x - whole;
    // Factors of φ beside which the other coefficient fits.
    let low = ((x - bound) * INV_PHI).max(-bound) - SLACK;
    let high = ((x + bound) * INV_PHI).min(bound) + SLACK;
    if has_few(high - low) {
        return None;
    }
    let power = TABLE[exponent((high - low) * ROOT)];
    let ends = (
        (rest - low * ROOT) * power.conjugate,
        (rest - high * ROOT) * power.conjugate,
    );
    let first = ends.0.min(ends.1) - ERROR;
    let last = ends.0.max(ends.1) + ERROR - 1.0;
    let centre = rest * power.up;
    let mut nearest = Nearest {
        point: (f64::NAN, f64::NAN),
        distance: f64::INFINITY,
        second: f64::INFINITY,
    };
    for start in [first, last] {
        let middle = rounded((centre - start) * INV_ROOT - 0.5);
        for b in [middle - 1.0, middle, middle + 1.0] {
            nearest.meet(rounded(start + b * INV_PHI + 0.5), b, centre);
        }
    }
    if nearest.second - nearest.distance < ERROR {
        return None;
    }
    let (a, b) = (nearest.point.0 as i64, nearest.point.1 as i64);
    // The result fits, so that what wraps on the way wraps back.
    let both = b.wrapping_mul(power.b);
    let point = Golden {
        a: (whole as i64)
            .wrapping_add(a.wrapping_mul(power.a))
            .wrapping_add(both),
        b: a.wrapping_mul(power.b)
            .wrapping_add(b.wrapping_mul(power.a))
            .wrapping_add(both),
    };
    let most = bound as i64;
    let fits = point.a.wrapping_abs() <= most && point.b.wrapping_abs() <= most;
    fits.then_some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_floors_of_logarithms() {
        for (k, Power { up: power, .. }) in TABLE.into_iter().enumerate().take(48) {
            let above = f64::from_bits(power.to_bits() + 1);
            assert_eq!(exponent(above), k);
            if k > 0 {
                assert_eq!(exponent(f64::from_bits(power.to_bits() - 2)), k - 1);
            }
        }
    }

    #[test]
    fn powers_multiply_back() {
        for power in TABLE {
            let exact = Golden::new(power.a, power.b).to_f64();
            assert!((exact * power.up - 1.0).abs() < 1e-14);
            assert!((power.conjugate.abs() - exact).abs() < 1e-14 * exact);
        }
    }

    /// It is meant for what is common: hardly any number is left to the search.
    #[test]
    fn floats_can_tell_nearly_always() {
        for bound in [100u32, 1000, 1_000_000, u32::MAX] {
            let mut left = 0;
            for k in 0..10_000 {
                let x = (f64::from(k) * 0.754_877_666).fract() * 2.0 - 1.0;
                let x = x * f64::from(bound.min(1 << 24)) * PHI;
                left += usize::from(nearest(x, f64::from(bound)).is_none());
            }
            assert!(left < 200, "{left} of {bound}");
        }
    }
}
