//! Linear algebra.

mod equations;
mod factors;
mod norms;
mod products;

pub(crate) use equations::{inv, lstsq, matrix_power, matrix_rank, pinv, solve};
pub(crate) use factors::{
    cholesky, det, eig, eigh, eigvals, eigvalsh, expm, qr, slogdet, svd, svdvals,
};
pub(crate) use norms::{cond, matrix_norm};
pub(crate) use products::{
    bmm, cross, dot, einsum, gemv_chain, kron, last_two, linear, linear_backward, matmul, outer,
    scaled_matmul, tensordot, trace, vecdot,
};

use crate::enter::enter;
use crate::operand;
use pyo3::prelude::*;
use syntonic_core::{Error, Tensor};

/// The work of a decomposition in elements, roughly: enough to decide whether the interpreter waits.
fn work(a: &Tensor) -> usize {
    a.numel()
        .saturating_mul(a.shape().last().copied().unwrap_or(1))
}

/// A function of matrices.
fn of<T: Send>(
    a: &Bound<'_, PyAny>,
    run: impl FnOnce(&Tensor) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let x = operand::tensor(a)?;
    enter(a.py(), work(&x), || run(&x))
}
