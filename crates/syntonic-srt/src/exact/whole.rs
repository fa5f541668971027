//! The integers that exact algorithms compute with: those of 128 bits, which can be too few, and those of any size.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, NumRef, Signed};
use std::cmp::Ordering;

/// What the algorithms of the golden field need of integers. Checked operations give nothing where a result does not fit.
pub(super) trait Whole:
    Integer + Signed + NumRef + CheckedAdd + CheckedSub + CheckedMul + CheckedDiv + Clone + From<i64>
{
    /// Whether `|p| > |q| φ`.
    ///
    /// With `P = |p|` and `Q = |q|` that holds exactly where `P > Q` and `P (P - Q) > Q²`, since `φ² = φ + 1`.
    fn outweighs(p: &Self, q: &Self) -> bool;

    /// The largest integer that is at most this one times φ. Integers of 128 bits are those of 64 bits here.
    fn times_phi_floor(&self) -> Self;

    /// The largest common divisor of all, with the sign of `last`, which is not 0.
    fn divisor(parts: [&Self; 2], last: &Self) -> Self;

    /// The opposite, if it fits.
    fn opposite(&self) -> Option<Self> {
        Self::zero().checked_sub(self)
    }
}

impl Whole for i128 {
    fn outweighs(p: &i128, q: &i128) -> bool {
        let (p, q) = (p.unsigned_abs(), q.unsigned_abs());
        p > q && product(p, p - q) > product(q, q)
    }

    fn times_phi_floor(&self) -> i128 {
        let b = *self;
        // 1/φ in units of 2^-64, rounded down: wrong by less than one, so its product with |b| by less than one half.
        const INVERSE: u128 = 0x9e37_79b9_7f4a_7c15;
        let part = ((b.unsigned_abs() * INVERSE) >> 64) as i128;
        let mut whole = b + if b < 0 { -part - 1 } else { part };
        // The sign of `b φ - n`.
        let above = |n: i128| sign(&-n, &b) != Ordering::Less;
        while above(whole + 1) {
            whole += 1;
        }
        while !above(whole) {
            whole -= 1;
        }
        whole
    }

    fn divisor([a, b]: [&i128; 2], last: &i128) -> i128 {
        let common = common(
            common(a.unsigned_abs(), b.unsigned_abs()),
            last.unsigned_abs(),
        );
        // 2^127 divides no more than the least number.
        let common = i128::try_from(common).unwrap_or(i128::MIN);
        if (*last < 0) != (common < 0) {
            common.checked_neg().unwrap_or(common)
        } else {
            common
        }
    }
}

impl Whole for BigInt {
    fn outweighs(p: &BigInt, q: &BigInt) -> bool {
        let (p, q) = (p.magnitude(), q.magnitude());
        p > q && p * (p - q) > q * q
    }

    fn times_phi_floor(&self) -> BigInt {
        // `b φ = (b + √(5 b²)) / 2` for `b > 0`, and the root is no integer.
        let root = (self * self * 5u8).sqrt();
        match self.is_negative() {
            true => (self - root - 1u8).div_floor(&2.into()),
            false => (self + root) >> 1u8,
        }
    }

    fn divisor([a, b]: [&BigInt; 2], last: &BigInt) -> BigInt {
        // The one that is small is often `last`, and those of large numbers take long.
        let common = last.gcd(a).gcd(b);
        match last.is_negative() {
            true => -common,
            false => common,
        }
    }
}

/// The sign of `p + q φ`. Where those of the parts differ, it is that of the larger, and they are never equal, as φ is irrational.
pub(super) fn sign<T: Whole>(p: &T, q: &T) -> Ordering {
    let zero = T::zero();
    let (by_p, by_q) = (p.cmp(&zero), q.cmp(&zero));
    if by_p == by_q || by_q == Ordering::Equal {
        return by_p;
    }
    match by_p != Ordering::Equal && T::outweighs(p, q) {
        true => by_p,
        false => by_q,
    }
}

/// The upper and the lower half of a product.
fn product(x: u128, y: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let ((x1, x0), (y1, y0)) = ((x >> 64, x & LOW), (y >> 64, y & LOW));
    if x1 | y1 == 0 {
        return (0, x0 * y0);
    }
    let low = x0 * y0;
    // Neither sum is more than 2^128: what is added is below 2^65.
    let middle = x1 * y0 + (low >> 64);
    let other = x0 * y1 + (middle & LOW);
    (
        x1 * y1 + (middle >> 64) + (other >> 64),
        (other << 64) | (low & LOW),
    )
}

/// The largest common divisor, of 0 and `n` that is `n`.
fn common(mut x: u128, mut y: u128) -> u128 {
    while y > 0 {
        (x, y) = (y, x % y);
    }
    x
}
