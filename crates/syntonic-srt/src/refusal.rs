//! What the golden operators refuse in one way.

use syntonic_core::{Error, Tensor, describe, way_out};

/// The error of an operator of real floats that was given something else.
pub(crate) fn not_real(op: &'static str, operands: &[&Tensor]) -> Error {
    Error::DType {
        op,
        operands: describe(operands),
        hint: format!("takes real floats; {}", way_out::CONVERT),
    }
}
