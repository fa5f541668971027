//! Decompositions of matrices through cuSOLVER, column-major, as core's kernels write them.
//!
//! A stack goes through a batched routine where the library has one, else matrix by matrix in the stream. Nothing here waits
//! for the GPU but where a routine of the library does.

mod cholesky;
mod eig;
mod eigh;
mod library;
mod lu;
mod matrices;
mod qr;
mod session;
mod svd;

pub(crate) use cholesky::cholesky;
pub(crate) use eig::eig;
pub(crate) use eigh::eigh;
pub(crate) use library::{FUNCTIONS, Solver};
pub(crate) use lu::{lu, solve};
pub(crate) use qr::qr;
pub(crate) use svd::svd;
