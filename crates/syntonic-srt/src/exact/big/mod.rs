//! Golden integers and fractions of any size, and arrays of them in the host's memory.

mod array;
mod division;
mod floats;
mod fraction;
mod number;
mod rounding;

pub use array::GoldenBigArray;
pub use fraction::GoldenBigFraction;
pub use number::GoldenBig;

#[cfg(test)]
mod tests;
