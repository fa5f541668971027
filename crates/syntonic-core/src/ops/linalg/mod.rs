//! Products of vectors, matrices and stacks of them, and decompositions.
//!
//! Every product of this family ends in one kernel, [`MATMUL`], so a device that has its own matrix
//! product supplies that one. Transposed, strided and conjugated operands reach it as they lie in
//! memory: nothing is copied to make them row-major.

mod activation;
mod basic;
mod contraction;
mod cross;
mod dense;
mod einsum;
mod ending;
mod factor;
mod fused;
mod gemv_chain;
mod half;
mod integer;
mod job;
mod known_end;
mod layer;
mod matmul;
mod precision;
mod probe;
mod product;
mod promise;
mod scaled;
mod stack;
mod tile;

pub use crate::float8::Width;
pub use activation::Activation;
pub use basic::{Contract, bmm, gemv, kron, matrix_transpose, outer, tensordot, trace, vecdot};
pub use contraction::Contraction;
pub use cross::cross;
pub use einsum::einsum;
pub use factor::{
    CHOLESKY, Columns, EIG, EIGH, Eigen, LU, Lstsq, MatrixNorm, QR, Qr, SOLVE, SVD, Slogdet, Svd,
    Tolerance, Triangle, cholesky, cond, det, eig, eigh, eigvals, eigvalsh, expm, inv, lstsq,
    matrix_norm, matrix_power, matrix_rank, pinv, qr, slogdet, solve, svd, svdvals,
};
pub use fused::Product;
pub use gemv_chain::{Chain, Chained, GEMV_CHAIN, Keep, Reduce, gemv_chain};
pub use known_end::{KnownEnd, Rounding, Spread, Term};
pub use layer::{Kept, LinearGrad, linear, linear_backward};
pub use matmul::{
    accumulate, matmul, matmul_as, matmul_reported, matmul_scaled, matmul_times, product_type,
};
pub use precision::{Precision, precision, set_precision};
pub use product::MATMUL;
pub use promise::{Level, Report};
pub use scaled::{SCALED_MATMUL, Scale, ScaledProduct, scaled_matmul};

pub(crate) use factor::{adjoint, as_of, conj, of_systems};
pub(crate) use job::{Job, conjugated};
pub(crate) use matmul::times;
pub(crate) use tile::{Lies, Real};

#[cfg(test)]
mod accumulate_tests;
#[cfg(test)]
mod end_tests;
#[cfg(test)]
mod later_tests;
#[cfg(test)]
mod layer_tests;
#[cfg(test)]
mod product_tests;
#[cfg(test)]
mod promise_tests;
#[cfg(test)]
mod tests;
