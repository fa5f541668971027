//! How exact products are.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::{Class, raise};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use syntonic_core::ops::linalg::{self, Precision};

const WORDS: [(&str, Precision); 3] = [
    ("highest", Precision::Highest),
    ("high", Precision::High),
    ("medium", Precision::Medium),
];

/// The precision that a word or a tolerance stands for.
pub(crate) fn parse(op: &'static str, given: &Bound<'_, PyAny>) -> PyResult<Precision> {
    let named = parameter(op, "precision");
    if given.is_instance_of::<PyString>() {
        return named.word(given, &WORDS);
    }
    if given.is_instance_of::<PyBool>() {
        let wanted = "\"highest\", \"high\", \"medium\" or a tolerance";
        return Err(named.refuse(Class::ArgumentType, given, wanted));
    }
    let asked = Precision::Tolerance(named.real(given)?);
    asked.check(op).map_err(raise)
}

/// A precision as Python writes it.
fn written(py: Python<'_>, precision: Precision) -> PyResult<Py<PyAny>> {
    let word = WORDS.iter().find(|(_, p)| *p == precision);
    Ok(match (word, precision) {
        (Some((word, _)), _) => PyString::new(py, word).into_any().unbind(),
        (None, Precision::Tolerance(t)) => t.into_pyobject(py)?.into_any().unbind(),
        (None, _) => py.None(),
    })
}

/// Chooses for the whole process how exact products are; returns the former choice.
#[pyfunction]
pub(crate) fn set_matmul_precision(precision: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let asked = parse("set_matmul_precision", precision)?;
    let former = linalg::set_precision(asked).map_err(raise)?;
    written(precision.py(), former)
}

/// How exact products are that do not say so themselves.
#[pyfunction]
pub(crate) fn get_matmul_precision(py: Python<'_>) -> PyResult<Py<PyAny>> {
    written(py, linalg::precision())
}

type Told = (State, Py<PyAny>, &'static str, Option<f64>, u32);

/// `matmul_report(a, b, precision)`: the product, what was asked, what was chosen, the estimated error, and the retries.
#[pyfunction]
pub(crate) fn matmul_report(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    precision: Option<&Bound<'_, PyAny>>,
) -> PyResult<Told> {
    let py = a.py();
    let asked = match precision {
        Some(given) => parse("matmul_report", given)?,
        None => linalg::precision(),
    };
    let (a, b) = (operand::tensor(a)?, operand::tensor(b)?);
    let (out, report) = enter(py, usize::MAX, || linalg::matmul_reported(&a, &b, asked))?;
    Ok((
        out.into(),
        written(py, report.asked)?,
        report.chosen.name(),
        report.estimated_error,
        report.retries,
    ))
}
