//! The lattice point nearest to a number.

mod chain;
mod lanes;
mod level;
mod search;

pub(super) use level::snap_slice;

use super::{ExactError, Golden};
use crate::constants::PHI;

/// The `a + b φ` nearest to `x` among integers with `|a|, |b| <= bound`; of two that are equally near the one with the smaller
/// `|b|`, then with the smaller `|a|`. Exact, in a number of steps that does not grow with `bound`: six candidates are compared in
/// floats, and where these cannot tell, some thirty in integers.
///
/// Up to `|x| = bound / φ` the distance is at most `φ^-(k-2) / 2`, where `F_k` is the largest Fibonacci number up to
/// `2 ⌊bound / φ⌋ + 1`: 0.0066 for a bound of 100. Beyond, it grows.
///
/// ```
/// use syntonic_srt::exact::{Golden, snap};
/// assert_eq!(snap(std::f64::consts::PI, 100)?, Golden::new(-81, 52));
/// assert_eq!(snap(0.5, 100)?, Golden::new(-27, 17));
/// assert_eq!(snap(Golden::new(4, -7).to_f64(), 100)?, Golden::new(4, -7));
/// assert!(snap(f64::NAN, 100).is_err() && snap(300.0, 100).is_err());
/// # Ok::<(), syntonic_srt::exact::ExactError>(())
/// ```
///
/// Errors: [`ExactError::NotFinite`], and [`ExactError::OutOfRange`] where `|x|` is more than `bound φ²`.
#[inline]
pub fn snap(x: f64, bound: u32) -> Result<Golden, ExactError> {
    let most = f64::from(bound);
    // False for NaN as well.
    if x.abs() <= most + most * PHI {
        if let Some(point) = chain::nearest(x, most) {
            return Ok(point);
        }
        if let Some(point) = search::nearest(x, bound) {
            return Ok(point);
        }
    }
    Err(refused(x, bound))
}

#[cold]
fn refused(x: f64, bound: u32) -> ExactError {
    match x.is_finite() {
        true => ExactError::OutOfRange { value: x, bound },
        false => ExactError::NotFinite { value: x },
    }
}
