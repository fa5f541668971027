//! Many nearest points at once: [`chain`](super::chain) over blocks of numbers, written so that the compiler makes vectors of it.
//!
//! Coefficients stay floats to the end: with bounds up to [`MOST`] every product on the way back is an exact integer.

use super::chain::{Nearest, Power, ROOT, ROUNDER, SLACK, TABLE, exponent, has_few, span};
use crate::constants::{INV_PHI, PHI};

/// Numbers of a block.
pub(super) const BLOCK: usize = 32;
/// Up to this bound, `2 N²` with what is added stays below 2^53.
pub(super) const MOST: f64 = 33_554_432.0;

type Lanes = [f64; BLOCK];

/// Coefficients of a block, and whether floats could tell.
pub(super) struct Points {
    pub(super) a: [i64; BLOCK],
    pub(super) b: [i64; BLOCK],
    pub(super) told: [bool; BLOCK],
}

/// The nearest points to the numbers of a block, with a bound of at most [`MOST`].
#[inline(always)]
pub(super) fn nearest(x: &Lanes, bound: f64) -> Points {
    let farthest = x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    // There both ends of the interval are those of the other coefficient, so that its length is the same for all.
    let inner = farthest <= bound * INV_PHI - 1.0 && !x.iter().any(|x| x.is_nan());
    if inner {
        let width = 2.0 * (bound * INV_PHI + SLACK);
        if has_few(width) {
            return none();
        }
        let power = TABLE[exponent(width * ROOT)];
        return with_powers(x, bound, |_| power, |_| true);
    }
    let width = |x: f64| {
        let (low, high) = span(x, bound);
        high - low
    };
    let usable = |x: f64| x.abs() <= bound + bound * PHI && !has_few(width(x));
    let power = |x: f64| match usable(x) {
        true => TABLE[exponent(width(x) * ROOT)],
        false => TABLE[0],
    };
    with_powers(x, bound, power, usable)
}

fn none() -> Points {
    Points {
        a: [0; BLOCK],
        b: [0; BLOCK],
        told: [false; BLOCK],
    }
}

#[inline(always)]
fn with_powers(
    x: &Lanes,
    bound: f64,
    power: impl Fn(f64) -> Power,
    usable: impl Fn(f64) -> bool,
) -> Points {
    let powers: [Power; BLOCK] = x.map(power);
    let mut found = none();
    for i in 0..BLOCK {
        let power = powers[i];
        let nearest = Nearest::of(x[i], span(x[i], bound), power);
        let (a, b) = (nearest.a, nearest.b);
        let (up, down) = (power.a as f64, power.b as f64);
        let back_a = nearest.whole + a * up + b * down;
        let back_b = a * down + b * up + b * down;
        let fits = back_a.abs() <= bound && back_b.abs() <= bound;
        found.told[i] = fits & nearest.is_told();
        found.a[i] = integer(back_a);
        found.b[i] = integer(back_b);
    }
    // Apart from the loop above, which becomes vectors.
    for (told, x) in found.told.iter_mut().zip(x) {
        *told &= usable(*x);
    }
    found
}

/// A float that is an integer below 2^51, as one.
#[inline(always)]
fn integer(x: f64) -> i64 {
    (x + ROUNDER).to_bits() as i64 - ROUNDER.to_bits() as i64
}
