//! When element-wise results are computed, and what would run.

use crate::arguments::parameter;
use crate::enter::enter;
use pyo3::prelude::*;
use syntonic_core::lazy::{self, Evaluation};

/// Switches laziness off or on for the whole process; returns whether it was off before.
#[pyfunction]
pub(crate) fn set_eager(eager: &Bound<'_, PyAny>) -> PyResult<bool> {
    let wanted = if parameter("eager", "on").flag(eager)? {
        Evaluation::Eager
    } else {
        Evaluation::Lazy
    };
    Ok(lazy::set_evaluation(wanted) == Evaluation::Eager)
}

/// What reading a State would run.
#[pyfunction]
pub(crate) fn explain(x: &Bound<'_, PyAny>) -> PyResult<String> {
    let t = crate::operand::tensor(x)?;
    enter(x.py(), 0, || lazy::explain(&t))
}
