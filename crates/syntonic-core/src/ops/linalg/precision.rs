//! How exact products have to be: for the whole process, or for one call.
//!
//! | precision | `float32`, `complex64` | `float64`, `complex128` | half types, integers |
//! |---|---|---|---|
//! | `Highest` | the type's own arithmetic | the same | sums in `float32`; exact |
//! | `High` | GPU of 9.0 (H100, H200, GH200): sums of `bfloat16` products, as exact as `float32`; else native | `complex128` on a GPU: three real products; else native | native |
//! | `Medium` | GPU of 8.0 and newer: factors rounded to TF32 (11 bits); else native | native | native |
//! | `Tolerance` | the cheapest of `bfloat16`, TF32, `High`, native and `float64` that keeps it | native, or `High` | native |
//!
//! A CPU computes natively whatever is asked, and the report says so.

use crate::device::Arithmetic;
use crate::error::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering};

/// How exact a product has to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Precision {
    /// As the type's own arithmetic.
    #[default]
    Highest,
    /// As exact as the type's own arithmetic, by whichever way the device finds quicker.
    High,
    /// `float32` factors may be rounded to the 11 bits of TF32.
    Medium,
    /// `|result - a @ b| <= tolerance * | |a| @ |b| |` in the Frobenius norm, checked after the product with random vectors:
    /// an estimate, which is not off by more than a factor of 2 in most cases, and no proof. It says nothing of single
    /// elements: where terms cancel, an element's own relative error has no bound.
    ///
    /// A product that is added to something ([`super::matmul_scaled`], [`super::accumulate`]) is computed natively.
    Tolerance(f64),
}

/// Bits of no tolerance, which is not negative.
const HIGHEST: u64 = u64::MAX;
const HIGH: u64 = u64::MAX - 1;
const MEDIUM: u64 = u64::MAX - 2;

static PROCESS: AtomicU64 = AtomicU64::new(HIGHEST);

impl Precision {
    /// An error for a tolerance that is negative or not a number.
    ///
    /// ```
    /// use syntonic_core::ops::linalg::Precision;
    ///
    /// assert!(Precision::Tolerance(1e-3).check("matmul").is_ok());
    /// assert!(Precision::Tolerance(f64::NAN).check("matmul").is_err());
    /// ```
    pub fn check(self, op: &'static str) -> Result<Precision> {
        match self {
            Precision::Tolerance(t) if !(t >= 0.0 && t.is_finite()) => Err(Error::value(
                op,
                format!("a tolerance is a number of at least 0, not {t}"),
            )),
            other => Ok(other),
        }
    }

    /// The arithmetic that a device is asked for where nothing is checked afterwards.
    pub(crate) fn arithmetic(self) -> Arithmetic {
        match self {
            Precision::Highest | Precision::Tolerance(_) => Arithmetic::Native,
            Precision::High => Arithmetic::High,
            Precision::Medium => Arithmetic::Medium,
        }
    }

    fn bits(self) -> u64 {
        match self {
            Precision::Highest => HIGHEST,
            Precision::High => HIGH,
            Precision::Medium => MEDIUM,
            Precision::Tolerance(t) => t.abs().to_bits(),
        }
    }

    fn from_bits(bits: u64) -> Precision {
        match bits {
            HIGHEST => Precision::Highest,
            HIGH => Precision::High,
            MEDIUM => Precision::Medium,
            other => Precision::Tolerance(f64::from_bits(other)),
        }
    }
}

/// Chooses for the whole process how exact products are that do not say so themselves; returns the former choice.
///
/// ```
/// use syntonic_core::ops::linalg::{Precision, precision, set_precision};
/// let former = set_precision(Precision::High)?;
/// assert_eq!(precision(), Precision::High);
/// set_precision(former)?;
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// An error for a tolerance that is negative or not a number; the choice then stays.
pub fn set_precision(precision: Precision) -> Result<Precision> {
    let bits = precision.check("set_precision")?.bits();
    Ok(Precision::from_bits(PROCESS.swap(bits, Ordering::Relaxed)))
}

/// How exact products are that do not say so themselves.
///
/// ```
/// use syntonic_core::ops::linalg::{Precision, precision};
///
/// assert_eq!(precision(), Precision::Highest);
/// ```
pub fn precision() -> Precision {
    Precision::from_bits(PROCESS.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_survives_being_stored() {
        for p in [
            Precision::Highest,
            Precision::High,
            Precision::Medium,
            Precision::Tolerance(0.0),
            Precision::Tolerance(1e-3),
        ] {
            assert_eq!(Precision::from_bits(p.check("test").unwrap().bits()), p);
        }
        for t in [f64::NAN, -1.0, f64::INFINITY] {
            assert!(Precision::Tolerance(t).check("test").is_err());
        }
    }
}
