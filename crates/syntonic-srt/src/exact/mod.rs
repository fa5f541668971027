//! Exact arithmetic in the golden field Q(φ): its integers `a + b φ`, which are a lattice, fractions where division is asked for,
//! and the lattice point nearest to a float.

mod big;
mod divisors;
mod error;
mod fraction;
mod golden;
mod order;
mod parts;
mod ratio;
mod rounding;
mod rows;
mod sequences;
mod snap;
mod tensor;
mod whole;

pub use big::{GoldenBig, GoldenBigArray, GoldenBigFraction};
pub use error::ExactError;
pub use fraction::GoldenFraction;
pub use golden::Golden;
/// Integers of any size, which the parts of [`GoldenBig`] are.
pub use num_bigint::BigInt;
pub use sequences::{fibonacci, lucas};
pub use snap::snap;
pub use tensor::{
    GoldenTensor, GoldenTensorError, Snapped, fibonacci_tensor, lucas_tensor, snap_tensor,
};
pub(crate) use tensor::{points_of, shares};

/// Operators on vectors of coefficients, which devices have kernels for.
pub mod kernels {
    pub use super::tensor::{COMPARE, FLOATS, FLOOR, MAP, NORMS, PRODUCT, SHARE, SNAP};
}

#[cfg(test)]
mod fraction_tests;
#[cfg(test)]
mod snap_oracle;
#[cfg(test)]
mod snap_tests;
#[cfg(test)]
mod tests;
