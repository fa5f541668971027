//! Exact arithmetic in the golden field Q(φ): its integers `a + b φ`, which are a lattice, fractions where division is asked for,
//! and the lattice point nearest to a float.

mod divisors;
mod error;
mod fraction;
mod golden;
mod order;
mod rounding;
mod sequences;
mod snap;
mod tensor;

pub use error::ExactError;
pub use fraction::GoldenFraction;
pub use golden::Golden;
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
