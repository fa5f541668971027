//! The order of the lattice, decided in integers: no two elements are too close.

use super::Golden;
use std::cmp::Ordering;

/// The sign of `p + q φ`.
///
/// Where the signs differ, `P = |p|` and `Q = |q|` are compared as `P` and `Q φ`: `P > Q φ` holds exactly where `P > Q` and
/// `P (P - Q) > Q²`, since `φ² = φ + 1`. They are never equal, as φ is irrational.
pub(super) fn sign(p: i128, q: i128) -> Ordering {
    let (by_p, by_q) = (p.cmp(&0), q.cmp(&0));
    if by_p == by_q || by_q == Ordering::Equal {
        return by_p;
    }
    if by_p == Ordering::Equal {
        return by_q;
    }
    let (p, q) = (p.unsigned_abs(), q.unsigned_abs());
    if p > q && product(p, p - q) > product(q, q) {
        by_p
    } else {
        by_q
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

/// By value: `a + b φ` as a real number. Equal elements have equal coefficients.
///
/// ```
/// use syntonic_srt::exact::Golden;
/// // 5 - 3φ = 0.1459 and 0: too close for a coarse float, never for integers.
/// assert!(Golden::new(5, -3) > Golden::ZERO);
/// assert!(Golden::new(-8, 5) > Golden::ZERO);
/// assert_eq!(Golden::PHI.max(Golden::ONE), Golden::PHI);
/// ```
impl Ord for Golden {
    fn cmp(&self, other: &Golden) -> Ordering {
        let apart = |x: i64, y: i64| i128::from(x) - i128::from(y);
        sign(apart(self.a, other.a), apart(self.b, other.b))
    }
}

impl PartialOrd for Golden {
    fn partial_cmp(&self, other: &Golden) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Golden {
    /// -1, 0 or 1, as the real number `a + b φ` is.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!((Golden::new(-8, 5).signum(), Golden::ZERO.signum()), (1, 0));
    /// assert_eq!(Golden::new(8, -5).signum(), -1);
    /// ```
    pub fn signum(self) -> i32 {
        sign(self.a.into(), self.b.into()) as i32
    }
}
