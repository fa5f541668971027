//! Products of vectors, matrices and stacks of them.
//!
//! Every product of this family ends in one kernel, [`MATMUL`], so a device that has its own matrix
//! product supplies that one. Transposed, strided and conjugated operands reach it as they lie in
//! memory: nothing is copied to make them row-major.

mod basic;
mod dense;
mod einsum;
mod half;
mod integer;
mod matmul;
mod product;

pub use basic::{Contract, bmm, gemv, kron, matrix_transpose, outer, tensordot, trace, vecdot};
pub use einsum::einsum;
pub use matmul::{accumulate, matmul, matmul_scaled, matmul_times, product_type};
pub use product::MATMUL;

#[cfg(test)]
mod accumulate_tests;
#[cfg(test)]
mod product_tests;
#[cfg(test)]
mod tests;
