//! What exact arithmetic cannot do, and the way out.

use super::Golden;
use super::parts::Parts;

/// An error of exact arithmetic on the golden lattice. Operands are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// A coefficient of the result is no 64-bit integer, or one on the way to it no 128-bit integer.
    #[error(
        "{op}: a coefficient is too large for exact integers (64 bits, 128 on the way); take integers of any size (`GoldenBig`, `wide()` of an array), or compute in float64"
    )]
    Overflow {
        /// The operation.
        op: &'static str,
    },
    /// A coefficient of a result has more bits than numbers of any size keep, [`GoldenBig::BITS`](super::GoldenBig::BITS).
    #[error(
        "{op}: a coefficient has more than {bits} bits, which is what exact numbers of any size keep; compute in float64"
    )]
    TooLarge {
        /// The operation.
        op: &'static str,
        /// The most that are kept.
        bits: u64,
    },
    /// The caller wants no result any more.
    #[error("{op}: stopped by the caller")]
    Interrupted {
        /// The operation.
        op: &'static str,
    },
    /// Division by zero.
    #[error("{op}: the divisor is zero, which has no inverse; compare it with zero before")]
    ZeroDivisor {
        /// The operation.
        op: &'static str,
    },
    /// An inverse of a number that is no unit `±φ^k`, so that its inverse is no golden integer.
    #[error(
        "{op}: a number whose norm is not 1 or -1 has no inverse among golden integers; take fractions, one by one, or compute in float64"
    )]
    NotUnit {
        /// The operation.
        op: &'static str,
    },
    /// An index of a sequence whose number is not defined or no 64-bit integer.
    #[error("{op}: indices are from 0 to {last}; further numbers are no 64-bit integers")]
    OutOfSequence {
        /// The operation.
        op: &'static str,
        /// The last index.
        last: u32,
    },
    /// A number that is near no lattice point: NaN or infinite.
    #[error("snap: {value} has no place on the lattice; replace what is not finite before")]
    NotFinite {
        /// The number.
        value: f64,
    },
    /// A number beyond all lattice points of this bound.
    #[error(
        "snap: {value} lies beyond every a + b φ with |a|, |b| <= {bound}, which reach to {bound} φ²; take a larger bound, clamp, or scale it down, as `fitted` does to a flux"
    )]
    OutOfRange {
        /// The number.
        value: f64,
        /// The bound.
        bound: u32,
    },
}

/// Coefficients that were computed without loss, if they fit.
pub(super) fn fit(op: &'static str, parts: Option<Parts<i128>>) -> Result<Golden, ExactError> {
    let fitting = |parts: Parts<i128>| {
        let (a, b) = (i64::try_from(parts.a).ok()?, i64::try_from(parts.b).ok()?);
        Some(Golden { a, b })
    };
    parts.and_then(fitting).ok_or(ExactError::Overflow { op })
}
