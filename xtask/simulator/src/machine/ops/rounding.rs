//! The roundings that the host does not do: toward zero, down and up.
//!
//! Each takes the nearest value and the sign of what is missing from it, and steps to its neighbour where needed.

/// Where to round to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To the nearest, ties to even.
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
}

use Direction::{Down, Nearest, Up, Zero};

/// An exact sum of two: the rounded sum and the rest.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let from_b = s - a;
    (s, (a - (s - from_b)) + (b - from_b))
}

macro_rules! steps {
    ($step:ident, $type:ty) => {
        /// The neighbour of `near`, or `near` itself, given the sign of the exact value less `near`.
        fn $step(near: $type, missing: f64, direction: Direction) -> $type {
            if missing == 0.0 || !missing.is_finite() && !near.is_infinite() || near.is_nan() {
                return near;
            }
            match direction {
                Nearest => near,
                Down if missing < 0.0 => near.next_down(),
                Up if missing > 0.0 => near.next_up(),
                Zero if near > 0.0 && missing < 0.0 => near.next_down(),
                Zero if near < 0.0 && missing > 0.0 => near.next_up(),
                _ => near,
            }
        }
    };
}
steps!(step32, f32);
steps!(step64, f64);

/// Rounds `high + low`, `low` being less than half a unit of `high`.
pub(crate) fn to_single(high: f64, low: f64, direction: Direction) -> f32 {
    let near = high as f32;
    if near.is_infinite() && high.is_finite() {
        // Overflow: the largest finite value is the answer wherever the direction leads back.
        return step32(near, if near > 0.0 { -1.0 } else { 1.0 }, direction);
    }
    if !high.is_finite() {
        return near;
    }
    let difference = high - f64::from(near);
    let rest = if difference == 0.0 { low } else { difference };
    if near == 0.0 && rest != 0.0 {
        return match direction {
            Up if rest > 0.0 => f32::from_bits(1),
            Down if rest < 0.0 => -f32::from_bits(1),
            _ => near,
        };
    }
    step32(near, rest, direction)
}

/// A sum that is exactly zero is minus zero only when rounding down.
fn zero_sum(a: f64, b: f64, sum: f64, direction: Direction) -> f64 {
    if sum == 0.0 && a != 0.0 && direction == Down {
        return -0.0;
    }
    if sum == 0.0
        && a == 0.0
        && b == 0.0
        && direction == Down
        && (a.is_sign_negative() || b.is_sign_negative())
    {
        return -0.0;
    }
    sum
}

/// `a + b` in single precision.
pub(crate) fn add32(a: f32, b: f32, direction: Direction) -> f32 {
    let (a, b) = (f64::from(a), f64::from(b));
    let (high, low) = two_sum(a, b);
    to_single(zero_sum(a, b, high, direction), low, direction)
}

/// `a · b` in single precision.
pub(crate) fn mul32(a: f32, b: f32, direction: Direction) -> f32 {
    to_single(f64::from(a) * f64::from(b), 0.0, direction)
}

/// `a · b + c` in single precision.
pub(crate) fn fma32(a: f32, b: f32, c: f32, direction: Direction) -> f32 {
    let product = f64::from(a) * f64::from(b);
    let (high, low) = two_sum(product, f64::from(c));
    to_single(
        zero_sum(product, f64::from(c), high, direction),
        low,
        direction,
    )
}

/// `a / b` in single precision.
pub(crate) fn div32(a: f32, b: f32, direction: Direction) -> f32 {
    let (a, b) = (f64::from(a), f64::from(b));
    let quotient = a / b;
    let rest = (-quotient).mul_add(b, a) / b;
    to_single(quotient, if rest.is_nan() { 0.0 } else { rest }, direction)
}

/// The square root in single precision.
pub(crate) fn sqrt32(a: f32, direction: Direction) -> f32 {
    let a = f64::from(a);
    let root = a.sqrt();
    let rest = (-root).mul_add(root, a);
    to_single(root, if rest.is_nan() { 0.0 } else { rest }, direction)
}

/// `a + b` in double precision.
pub(crate) fn add64(a: f64, b: f64, direction: Direction) -> f64 {
    let (high, low) = two_sum(a, b);
    overflowed(high, a.is_finite() && b.is_finite(), direction)
        .unwrap_or_else(|| step64(zero_sum(a, b, high, direction), low, direction))
}

/// `a · b + c` in double precision, exact where no part of it underflows.
pub(crate) fn fma64(a: f64, b: f64, c: f64, direction: Direction) -> f64 {
    let near = a.mul_add(b, c);
    if let Some(result) = overflowed(
        near,
        a.is_finite() && b.is_finite() && c.is_finite(),
        direction,
    ) {
        return result;
    }
    let product = a * b;
    let rest = a.mul_add(b, -product);
    let (high, low) = two_sum(product, c);
    let missing = (high - near) + (low + rest);
    step64(zero_sum(product, c, near, direction), missing, direction)
}

/// `a / b` in double precision.
pub(crate) fn div64(a: f64, b: f64, direction: Direction) -> f64 {
    let near = a / b;
    if let Some(result) = overflowed(near, a.is_finite() && b != 0.0, direction) {
        return result;
    }
    let rest = (-near).mul_add(b, a) * b.signum();
    step64(near, if rest.is_nan() { 0.0 } else { rest }, direction)
}

fn overflowed(near: f64, finite: bool, direction: Direction) -> Option<f64> {
    if !near.is_finite() && !finite || near.is_nan() {
        return Some(near);
    }
    near.is_infinite()
        .then(|| step64(near, if near > 0.0 { -1.0 } else { 1.0 }, direction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directed_sums_bracket_the_exact_one() {
        let (a, b) = (1.0f32, f32::from_bits(1));
        assert_eq!(add32(a, b, Zero), 1.0);
        assert_eq!(add32(a, b, Up), 1.0f32.next_up());
        assert_eq!(add32(-a, -b, Down), (-1.0f32).next_down());
        assert_eq!(add32(1.0, -1.0, Down).to_bits(), (-0.0f32).to_bits());
        assert_eq!(add32(f32::MAX, f32::MAX, Zero), f32::MAX);
        assert_eq!(add32(f32::MAX, f32::MAX, Up), f32::INFINITY);
    }

    #[test]
    fn directed_products_and_quotients_bracket_the_exact_one() {
        assert_eq!(div32(1.0, 3.0, Down).next_up(), div32(1.0, 3.0, Up));
        assert_eq!(div64(1.0, 3.0, Down).next_up(), div64(1.0, 3.0, Up));
        assert_eq!(fma32(4097.0, 4097.0, 0.25, Zero), 16_785_408.0);
        assert_eq!(fma64(1.0, 1.0, f64::EPSILON / 4.0, Up), 1.0 + f64::EPSILON);
        assert_eq!(
            mul32(f32::MIN_POSITIVE, f32::MIN_POSITIVE, Up),
            f32::from_bits(1)
        );
        assert_eq!(sqrt32(2.0, Down).next_up(), sqrt32(2.0, Up));
    }
}
