//! Decompositions of matrices, and what is made of them.
//!
//! Each decomposition is a kernel, so a device that has a library for it supplies that one: the host has `faer`, GPUs have
//! cuSOLVER. A kernel is given finite matrices and says of each what is wrong with it; that is read once for a whole stack and
//! becomes an error that names the matrix. Everything else is written over the kernels and other operators, and runs
//! wherever those do.
//!
//! Matrices may lie in memory as they like. Results have columns without gaps, as those libraries write them.

mod cholesky;
mod eig;
mod eigh;
mod expm;
mod field;
mod lstsq;
mod lu;
mod norm;
mod operand;
mod pinv;
mod power;
mod qr;
mod range;
mod solve;
mod stack;
mod svd;

pub use cholesky::{CHOLESKY, Triangle, cholesky};
pub use eig::{EIG, eig, eigvals};
pub use eigh::{EIGH, Eigen, eigh, eigvalsh};
pub use expm::expm;
pub use lstsq::{Lstsq, lstsq};
pub use lu::{LU, Slogdet, det, slogdet};
pub use norm::{MatrixNorm, cond, matrix_norm};
pub use pinv::{Tolerance, matrix_rank, pinv};
pub use power::matrix_power;
pub use qr::{Columns, QR, Qr, qr};
pub use solve::{SOLVE, inv, solve};
pub use svd::{SVD, Svd, svd, svdvals};

pub(crate) use operand::{adjoint, conj};
pub(crate) use pinv::named as as_of;
pub(crate) use solve::solved as of_systems;

#[cfg(test)]
mod composite_tests;
#[cfg(test)]
mod factor_tests;
#[cfg(test)]
mod samples;
