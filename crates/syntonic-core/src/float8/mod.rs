//! 8-bit floats of the OCP specification: types of storage.
//!
//! `float8_e4m3fn` has 4 bits of exponent and 3 of mantissa, no infinity, one NaN for each sign and a maximum of 448;
//! `float8_e5m2` has 5 and 2, infinities and NaN as IEEE 754 has them, and a maximum of 57344 (OCP 8-bit Floating Point
//! Specification 1.0). `code` is the slow, obvious meaning of every code; `cast` is the same as a formula over bytes,
//! which every device runs.

mod cast;
mod code;
#[cfg(test)]
mod tests;

pub use cast::Width;
pub(crate) use cast::{bits, cast, widened};
pub use code::{F8E4M3, F8E5M2};

use crate::error::{Error, Operands, Result, way_out};
use crate::tensor::{Tensor, describe};

/// What an operator that computes says to operands of storage.
pub(crate) fn refuse(op: &'static str, operands: Operands) -> Error {
    Error::DType {
        op,
        operands,
        hint: format!(
            "8-bit floats are storage: cast to float16 first; {}",
            way_out::CONVERT
        ),
    }
}

/// An error of the operator `op` where an operand is of a type of storage.
pub(crate) fn check(op: &'static str, tensors: &[&Tensor]) -> Result<()> {
    if tensors.iter().any(|t| t.dtype().is_stored()) {
        return Err(refuse(op, describe(tensors)));
    }
    Ok(())
}
