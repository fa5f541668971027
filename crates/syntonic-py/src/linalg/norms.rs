//! Norms of matrices.

use super::of;
use crate::arguments::parameter;
use crate::errors::Class;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyString;
use syntonic_core::ops::linalg::{self, MatrixNorm};
use syntonic_core::run::Axes;

/// The norms by the words and numbers that NumPy has for them.
fn norm(op: &'static str, name: &'static str, given: &Bound<'_, PyAny>) -> PyResult<MatrixNorm> {
    let named = parameter(op, name);
    if given.is_instance_of::<PyString>() {
        let words = [("fro", MatrixNorm::Frobenius), ("nuc", MatrixNorm::Nuclear)];
        return named.word(given, &words);
    }
    let numbers = [
        (1.0, MatrixNorm::One),
        (-1.0, MatrixNorm::MinusOne),
        (2.0, MatrixNorm::Two),
        (-2.0, MatrixNorm::MinusTwo),
        (f64::INFINITY, MatrixNorm::Infinity),
        (f64::NEG_INFINITY, MatrixNorm::MinusInfinity),
    ];
    let number = named.real(given)?;
    let found = numbers.into_iter().find(|(known, _)| *known == number);
    found.map(|(_, norm)| norm).ok_or_else(|| {
        let wanted = "one of 'fro', 'nuc', 1, -1, 2, -2, inf, -inf";
        named.refuse(Class::Argument, given, wanted)
    })
}

/// `matrix_norm(a, ord, keepdims)`.
#[pyfunction]
pub(crate) fn matrix_norm(
    a: &Bound<'_, PyAny>,
    ord: &Bound<'_, PyAny>,
    keepdims: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let op = "matrix_norm";
    let norm = norm(op, "ord", ord)?;
    let keep = match parameter(op, "keepdims").flag(keepdims)? {
        true => Axes::Keep,
        false => Axes::Drop,
    };
    Ok(of(a, |a| linalg::matrix_norm(a, norm, keep))?.into())
}

/// `cond(a, p)`.
#[pyfunction]
pub(crate) fn cond(a: &Bound<'_, PyAny>, p: &Bound<'_, PyAny>) -> PyResult<State> {
    let norm = norm("cond", "p", p)?;
    Ok(of(a, |a| linalg::cond(a, norm))?.into())
}
