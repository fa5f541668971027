//! Fibonacci and Lucas numbers, and the powers of φ, which they are the coefficients of.

use super::Golden;
use super::error::{ExactError, fit};
use super::parts::Parts;

/// `F_n` and `F_(n+1)` by doubling: `F_2k = F_k (2 F_(k+1) - F_k)`, `F_(2k+1) = F_k² + F_(k+1)²`. Exact for `n` up to 92.
fn pair(n: u32) -> (i128, i128) {
    if n == 0 {
        return (0, 1);
    }
    let (low, high) = pair(n / 2);
    let (even, odd) = (low * (2 * high - low), low * low + high * high);
    if n.is_multiple_of(2) {
        (even, odd)
    } else {
        (odd, even + odd)
    }
}

/// The largest index whose Fibonacci number is a 64-bit integer.
pub(super) const LAST: u32 = 92;

/// The same of Lucas numbers.
pub(super) const LAST_LUCAS: u32 = 90;

fn fits(op: &'static str, value: i128) -> Result<i64, ExactError> {
    i64::try_from(value).map_err(|_| ExactError::Overflow { op })
}

/// `F_n`, with `F_0 = 0`, `F_1 = 1` and `F_(n+1) = F_n + F_(n-1)`. Up to `F_92`; after that [`ExactError::Overflow`].
///
/// ```
/// use syntonic_srt::exact::fibonacci;
/// assert_eq!(fibonacci(10)?, 55);
/// assert_eq!(fibonacci(92)?, 7_540_113_804_746_346_429);
/// assert!(fibonacci(93).is_err());
/// # Ok::<(), syntonic_srt::exact::ExactError>(())
/// ```
pub fn fibonacci(n: u32) -> Result<i64, ExactError> {
    if n > LAST {
        return Err(ExactError::Overflow { op: "fibonacci" });
    }
    fits("fibonacci", pair(n).0)
}

/// `L_n = F_(n-1) + F_(n+1)`, with `L_0 = 2` and `L_1 = 1`. Up to `L_90`; after that [`ExactError::Overflow`].
///
/// ```
/// use syntonic_srt::exact::lucas;
/// assert_eq!((lucas(0)?, lucas(9)?), (2, 76));
/// # Ok::<(), syntonic_srt::exact::ExactError>(())
/// ```
pub fn lucas(n: u32) -> Result<i64, ExactError> {
    if n > LAST {
        return Err(ExactError::Overflow { op: "lucas" });
    }
    let (low, high) = pair(n);
    fits("lucas", 2 * high - low)
}

impl Golden {
    /// `φ^n = F_(n-1) + F_n φ`, exact; for -91 ≤ n ≤ 92, after that [`ExactError::Overflow`].
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    /// assert_eq!(Golden::phi_power(5)?, Golden::new(3, 5));
    /// assert_eq!(Golden::phi_power(-1)?, Golden::new(-1, 1));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn phi_power(n: i32) -> Result<Golden, ExactError> {
        let op = "phi_power";
        if n.unsigned_abs() > LAST {
            return Err(ExactError::Overflow { op });
        }
        let (low, high) = pair(n.unsigned_abs());
        if n >= 0 {
            return fit(op, Some(Parts::new(high - low, low)));
        }
        // φ^-n is the conjugate of φ^n, with the sign of (-1)^n.
        let sign = if n % 2 == 0 { 1 } else { -1 };
        fit(op, Some(Parts::new(sign * high, -sign * low)))
    }
}
