//! What exact arithmetic cannot do, and the way out.

/// An error of exact arithmetic on the golden lattice. Operands are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// A coefficient of the result is no 64-bit integer, or one on the way to it no 128-bit integer.
    #[error(
        "{op}: a coefficient is too large for exact integers (64 bits, 128 on the way); take smaller operands, or compute in float64"
    )]
    Overflow {
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
pub(super) fn fit(op: &'static str, a: i128, b: i128) -> Result<super::Golden, ExactError> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Ok(super::Golden { a, b }),
        _ => Err(ExactError::Overflow { op }),
    }
}
