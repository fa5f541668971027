//! Golden numbers of any size in double precision, correctly rounded.

use super::{GoldenBig, GoldenBigFraction};
use crate::exact::parts::Parts;
use crate::exact::ratio::Ratio;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use std::cmp::Ordering;

impl GoldenBig {
    /// The double nearest to `a + b φ`, to even where two are equally near; an infinity where it is beyond all.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// assert_eq!(GoldenBig::from(Golden::PHI).to_f64(), (1.0 + 5f64.sqrt()) / 2.0);
    /// // A small difference of large numbers keeps its digits.
    /// let small = GoldenBig::phi_power(-1000)?.to_f64();
    /// assert!((small / 1.028_868e-209 - 1.0).abs() < 1e-6);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn to_f64(&self) -> f64 {
        nearest(&self.ratio())
    }
}

impl GoldenBigFraction {
    /// The nearest double, to even where two are equally near; an infinity where the number is beyond all.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigFraction};
    ///
    /// let third = GoldenBigFraction::new(GoldenBig::one(), 3)?;
    /// assert_eq!(third.to_f64(), 1.0 / 3.0);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn to_f64(&self) -> f64 {
        nearest(&self.0)
    }
}

/// Bits of a number that decide its double: 53, those below them, and what an estimate may be wrong by.
const DIGITS: i64 = 64;
/// The places behind the point of the least double, and two more.
const PLACES: i64 = 1076;

fn nearest(x: &Ratio<BigInt>) -> f64 {
    match x.top.sign() {
        Ordering::Equal => 0.0,
        Ordering::Less => -rounded(&Parts::new(-&x.top.a, -&x.top.b), &x.below),
        Ordering::Greater => rounded(&x.top, &x.below),
    }
}

/// A positive number.
fn rounded(top: &Parts<BigInt>, below: &BigInt) -> f64 {
    let bits = |x: &BigInt| x.bits() as i64;
    let longest = bits(&top.a).max(bits(&top.b));
    // Where `a` and `b φ` cancel, the number is its norm over the conjugate, whose parts have one sign.
    let cancels = !matches!(
        (top.a.sign(), top.b.sign()),
        (Sign::NoSign, _)
            | (_, Sign::NoSign)
            | (Sign::Plus, Sign::Plus)
            | (Sign::Minus, Sign::Minus)
    );
    let size = match cancels {
        true => bits(&top.norm()) - longest,
        false => longest,
    };
    let places = (DIGITS - (size - bits(below))).min(PLACES);
    // The number times 2^places rounded down, and whether that left anything.
    let (up, down) = (places.max(0) as u64, (-places).max(0) as u64);
    let top = Parts::new(&top.a << up, &top.b << up);
    let below = below << down;
    let (digits, left) = top.floor().div_mod_floor(&below);
    let left = !left.is_zero() || !top.b.is_zero();
    // The estimate is wrong by a few bits, and what is left of them is at most 72.
    let digits = digits.magnitude().to_u128().unwrap_or(u128::MAX);
    double(digits, left, -places)
}

/// `digits × 2^exponent`, and a little more where something is `left`, as the nearest double.
fn double(digits: u128, left: bool, exponent: i64) -> f64 {
    let length = i64::from(u128::BITS - digits.leading_zeros());
    // The least double is 2^-1074.
    let kept = (length - 53).max(-1074 - exponent).max(0);
    let Ok(kept) = u32::try_from(kept) else {
        return 0.0;
    };
    let (whole, rest) = match kept {
        0 => (digits, 0),
        1..=127 => (digits >> kept, digits & ((1 << kept) - 1)),
        _ => (0, digits),
    };
    let half = match kept {
        0 => return scaled(digits, exponent),
        1..=128 => 1u128 << (kept - 1),
        _ => u128::MAX,
    };
    let up = match rest.cmp(&half) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => left || !whole.is_multiple_of(2),
    };
    scaled(whole + u128::from(up), exponent + i64::from(kept))
}

/// A product with a power of two that is a double, or beyond all.
fn scaled(digits: u128, exponent: i64) -> f64 {
    let mut value = digits as f64;
    let mut left = exponent.clamp(-4000, 4000);
    while left != 0 && value != 0.0 && value.is_finite() {
        let step = left.clamp(-500, 500);
        value *= 2f64.powi(step as i32);
        left -= step;
    }
    value
}
