//! When element-wise results are computed, and what would run.

use crate::enter::enter;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::lazy::{self, Evaluation};

/// Switches laziness off or on for the whole process; returns whether it was off before.
#[pyfunction]
pub(crate) fn set_eager(eager: bool) -> bool {
    let wanted = if eager {
        Evaluation::Eager
    } else {
        Evaluation::Lazy
    };
    lazy::set_evaluation(wanted) == Evaluation::Eager
}

/// What reading a State would run.
#[pyfunction]
pub(crate) fn explain(py: Python<'_>, x: &State) -> PyResult<String> {
    enter(py, 0, || lazy::explain(&x.tensor))
}
