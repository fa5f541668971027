//! Decompositions, and what is read off one.

use super::of;
use crate::arguments::parameter;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::ops::linalg::{self, Columns, Triangle};

/// `det(a)`.
#[pyfunction]
pub(crate) fn det(a: &Bound<'_, PyAny>) -> PyResult<State> {
    Ok(of(a, linalg::det)?.into())
}

/// `slogdet(a)`: signs and logarithms.
#[pyfunction]
pub(crate) fn slogdet(a: &Bound<'_, PyAny>) -> PyResult<(State, State)> {
    let found = of(a, linalg::slogdet)?;
    Ok((found.sign.into(), found.logabsdet.into()))
}

/// `cholesky(a, upper)`.
#[pyfunction]
pub(crate) fn cholesky(a: &Bound<'_, PyAny>, upper: &Bound<'_, PyAny>) -> PyResult<State> {
    let triangle = match parameter("cholesky", "upper").flag(upper)? {
        true => Triangle::Upper,
        false => Triangle::Lower,
    };
    Ok(of(a, |a| linalg::cholesky(a, triangle))?.into())
}

/// `qr(a, mode)`: both factors.
#[pyfunction]
pub(crate) fn qr(a: &Bound<'_, PyAny>, mode: &Bound<'_, PyAny>) -> PyResult<(State, State)> {
    let modes = [
        ("reduced", Columns::Reduced),
        ("complete", Columns::Complete),
    ];
    let mode = parameter("qr", "mode").word(mode, &modes)?;
    let found = of(a, |a| linalg::qr(a, mode))?;
    Ok((found.q.into(), found.r.into()))
}

/// `svd(a, full_matrices)`: the three factors.
#[pyfunction]
pub(crate) fn svd(
    a: &Bound<'_, PyAny>,
    full_matrices: &Bound<'_, PyAny>,
) -> PyResult<(State, State, State)> {
    let mode = match parameter("svd", "full_matrices").flag(full_matrices)? {
        true => Columns::Complete,
        false => Columns::Reduced,
    };
    let found = of(a, |a| linalg::svd(a, mode))?;
    Ok((found.u.into(), found.s.into(), found.vh.into()))
}

/// `svdvals(a)`.
#[pyfunction]
pub(crate) fn svdvals(a: &Bound<'_, PyAny>) -> PyResult<State> {
    Ok(of(a, linalg::svdvals)?.into())
}

/// The triangle that is read, by the letter that NumPy has for it.
fn triangle(op: &'static str, given: &Bound<'_, PyAny>) -> PyResult<Triangle> {
    let letters = [("L", Triangle::Lower), ("U", Triangle::Upper)];
    parameter(op, "UPLO").word(given, &letters)
}

/// `eigh(a, UPLO)`: values and vectors.
#[pyfunction]
pub(crate) fn eigh(a: &Bound<'_, PyAny>, uplo: &Bound<'_, PyAny>) -> PyResult<(State, State)> {
    let triangle = triangle("eigh", uplo)?;
    let found = of(a, |a| linalg::eigh(a, triangle))?;
    Ok((found.eigenvalues.into(), found.eigenvectors.into()))
}

/// `eigvalsh(a, UPLO)`.
#[pyfunction]
pub(crate) fn eigvalsh(a: &Bound<'_, PyAny>, uplo: &Bound<'_, PyAny>) -> PyResult<State> {
    let triangle = triangle("eigvalsh", uplo)?;
    Ok(of(a, |a| linalg::eigvalsh(a, triangle))?.into())
}

/// `eig(a)`: values and vectors.
#[pyfunction]
pub(crate) fn eig(a: &Bound<'_, PyAny>) -> PyResult<(State, State)> {
    let found = of(a, linalg::eig)?;
    Ok((found.eigenvalues.into(), found.eigenvectors.into()))
}

/// `eigvals(a)`.
#[pyfunction]
pub(crate) fn eigvals(a: &Bound<'_, PyAny>) -> PyResult<State> {
    Ok(of(a, linalg::eigvals)?.into())
}

/// `expm(a)`.
#[pyfunction]
pub(crate) fn expm(a: &Bound<'_, PyAny>) -> PyResult<State> {
    Ok(of(a, linalg::expm)?.into())
}
