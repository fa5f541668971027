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
const INV_ROOT: f64 = 0.447_213_595_499_957_94;
/// Adding and subtracting it rounds to the nearest integer, up to 2^51.
pub(super) const ROUNDER: f64 = 6_755_399_441_055_744.0;
/// So far may the factor of φ of a nearest point be beyond those of numbers at `x` itself: half the largest gap.
pub(super) const SLACK: f64 = 0.15;
/// More than the distance of two points is wrong by: bounds of 32 bits leave 20 bits after the point.
const ERROR: f64 = 2e-5;
/// With fewer factors of φ than this, the largest gap is not small.
const FEW: f64 = 8.0;
/// Powers of φ that bounds of 32 bits need, and two more.
const POWERS: usize = 52;

/// `φ^k`, its conjugate and what multiplies by `φ^-k` in integers: `(-1)^k (F_(k+1) - F_k φ)`.
#[derive(Clone, Copy)]
pub(super) struct Power {
    up: f64,
    /// `(1 - φ)^k`.
    conjugate: f64,
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
fn rounded(x: f64) -> f64 {
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

/// Factors of φ beside which the other coefficient of a point near `x` fits, from the least to the greatest.
#[inline(always)]
pub(super) fn span(x: f64, bound: f64) -> (f64, f64) {
    (
        ((x - bound) * INV_PHI).max(-bound) - SLACK,
        ((x + bound) * INV_PHI).min(bound) + SLACK,
    )
}

/// The nearest candidate, times a power of φ and less the integer `whole`, and by how much it is nearer than the next one.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    pub(super) whole: f64,
    pub(super) a: f64,
    pub(super) b: f64,
    lead: f64,
}

impl Nearest {
    /// The nearest of the six candidates for `x`, by the power of its span.
    #[inline(always)]
    pub(super) fn of(x: f64, (low, high): (f64, f64), power: Power) -> Nearest {
        let whole = rounded(x);
        let rest = x - whole;
        let one = (rest - low * ROOT) * power.conjugate;
        let other = (rest - high * ROOT) * power.conjugate;
        let centre = rest * power.up;
        let (mut a, mut b) = (0.0, 0.0);
        let (mut distance, mut second) = (f64::INFINITY, f64::INFINITY);
        for start in [one.min(other) - ERROR, one.max(other) + ERROR - 1.0] {
            let middle = rounded((centre - start) * INV_ROOT - 0.5);
            for step in [-1.0, 0.0, 1.0] {
                let next_b = middle + step;
                let next_a = rounded(start + next_b * INV_PHI + 0.5);
                let far = (next_a + next_b * PHI - centre).abs();
                let nearer = far < distance;
                let beaten = if nearer { distance } else { far };
                // The same point may be a candidate of both intervals.
                let same = next_a == a && next_b == b;
                let lower = beaten < second && !same;
                second = if lower { beaten } else { second };
                a = if nearer { next_a } else { a };
                b = if nearer { next_b } else { b };
                distance = if nearer { far } else { distance };
            }
        }
        Nearest {
            whole,
            a,
            b,
            lead: second - distance,
        }
    }

    /// Whether floats can tell that it is the nearest.
    #[inline(always)]
    pub(super) fn is_told(self) -> bool {
        self.lead >= ERROR
    }
}

/// The nearest point to a finite `x`, or none where floats cannot tell which it is.
#[inline]
pub(super) fn nearest(x: f64, bound: f64) -> Option<Golden> {
    let span = span(x, bound);
    let width = span.1 - span.0;
    if has_few(width) {
        return None;
    }
    let power = TABLE[exponent(width * ROOT)];
    let nearest = Nearest::of(x, span, power);
    if !nearest.is_told() {
        return None;
    }
    let (a, b) = (nearest.a as i64, nearest.b as i64);
    // The result fits, so that what wraps on the way wraps back.
    let both = b.wrapping_mul(power.b);
    let point = Golden {
        a: (nearest.whole as i64)
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
