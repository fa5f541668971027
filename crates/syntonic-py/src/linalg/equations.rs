//! Equations, inverses and what stands for them.

use super::{of, work};
use crate::arguments::parameter;
use crate::enter::enter;
use crate::memory::apart;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::ops::linalg::{self, Tolerance};
use syntonic_core::{Error, Tensor};

/// `solve(a, b)`.
#[pyfunction]
pub(crate) fn solve(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<State> {
    let x = operand::tensor(a)?;
    let y = operand::tensor_beside(b, &x)?;
    let work = work(&x).saturating_add(y.numel());
    Ok(enter(a.py(), work, || linalg::solve(&x, &y))?.into())
}

/// `inv(a)`.
#[pyfunction]
pub(crate) fn inv(a: &Bound<'_, PyAny>) -> PyResult<State> {
    Ok(of(a, linalg::inv)?.into())
}

/// `matrix_power(a, n)`.
#[pyfunction]
pub(crate) fn matrix_power(a: &Bound<'_, PyAny>, n: &Bound<'_, PyAny>) -> PyResult<State> {
    let n = parameter("matrix_power", "n").integer(n)?;
    Ok(of(a, |a| apart(linalg::matrix_power(a, n)?, &[a]))?.into())
}

/// What counts as zero: a number, one for each matrix, or what rounding errors leave.
enum Given {
    Nothing,
    Part(f64),
    Each(Tensor),
}

impl Given {
    fn of(rtol: Option<&Bound<'_, PyAny>>, beside: &Tensor) -> PyResult<Given> {
        let Some(rtol) = rtol else {
            return Ok(Given::Nothing);
        };
        match rtol.extract::<f64>() {
            Ok(part) => Ok(Given::Part(part)),
            Err(_) => Ok(Given::Each(operand::tensor_beside(rtol, beside)?)),
        }
    }

    fn tolerance(&self) -> Tolerance<'_> {
        match self {
            Given::Nothing => Tolerance::Rounding,
            Given::Part(part) => Tolerance::Part(*part),
            Given::Each(parts) => Tolerance::Each(parts),
        }
    }
}

/// A function of matrices and of what counts as zero.
fn tolerant(
    a: &Bound<'_, PyAny>,
    rtol: Option<&Bound<'_, PyAny>>,
    run: fn(&Tensor, Tolerance<'_>) -> Result<Tensor, Error>,
) -> PyResult<State> {
    let x = operand::tensor(a)?;
    let given = Given::of(rtol, &x)?;
    Ok(enter(a.py(), work(&x), || run(&x, given.tolerance()))?.into())
}

/// `matrix_rank(a, rtol)`.
#[pyfunction]
#[pyo3(signature = (a, rtol))]
pub(crate) fn matrix_rank(
    a: &Bound<'_, PyAny>,
    rtol: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    tolerant(a, rtol, linalg::matrix_rank)
}

/// `pinv(a, rtol)`.
#[pyfunction]
#[pyo3(signature = (a, rtol))]
pub(crate) fn pinv(a: &Bound<'_, PyAny>, rtol: Option<&Bound<'_, PyAny>>) -> PyResult<State> {
    tolerant(a, rtol, linalg::pinv)
}

/// `lstsq(a, b, rtol)`: solutions, residuals, ranks, singular values.
#[pyfunction]
#[pyo3(signature = (a, b, rtol))]
pub(crate) fn lstsq(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    rtol: Option<&Bound<'_, PyAny>>,
) -> PyResult<(State, State, State, State)> {
    let x = operand::tensor(a)?;
    let y = operand::tensor_beside(b, &x)?;
    let given = Given::of(rtol, &x)?;
    let work = work(&x).saturating_add(y.numel());
    let found = enter(a.py(), work, || linalg::lstsq(&x, &y, given.tolerance()))?;
    Ok((
        found.x.into(),
        found.residuals.into(),
        found.rank.into(),
        found.singular_values.into(),
    ))
}
