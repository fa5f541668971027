//! When element-wise results are computed, and what would run.

use crate::arguments::parameter;
use crate::enter::enter;
use pyo3::prelude::*;
use syntonic_core::lazy::{self, Evaluation, Rounding};

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

/// Where this thread's expressions of half types round, in words.
const WORDS: [(&str, Rounding); 3] = [
    ("stored", Rounding::Stored),
    ("each", Rounding::Each),
    ("default", Rounding::Default),
];

/// Chooses where this thread's expressions of half types round; returns the former choice.
#[pyfunction]
pub(crate) fn set_rounding(place: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    let asked = parameter("rounding", "place").word(place, &WORDS)?;
    Ok(word(lazy::set_rounding(asked)))
}

fn word(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Stored => WORDS[0].0,
        Rounding::Each => WORDS[1].0,
        Rounding::Default => WORDS[2].0,
    }
}

/// Chooses where expressions of half types round that threads of the process make outside of blocks `with syntonic.rounding(...)`: "stored",
/// or "each" as in NumPy; returns the former choice.
///
///     >>> import syntonic
///     >>> before = syntonic.set_default_rounding("each")
///     >>> x = syntonic.asarray([0.5], dtype="bfloat16")
///     >>> (x + 256.0 - 256.0).item(), syntonic.set_default_rounding(before)
///     (0.0, 'each')
#[pyfunction]
#[pyo3(signature = (place, /))]
pub(crate) fn set_default_rounding(place: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    let asked = parameter("set_default_rounding", "place").word(place, &WORDS[..2])?;
    Ok(word(lazy::set_default_rounding(asked)))
}

/// Each operator of this thread rounds half types until it goes.
pub(crate) struct Each(Rounding);

impl Each {
    pub(crate) fn begin() -> Each {
        Each(lazy::set_rounding(Rounding::Each))
    }
}

impl Drop for Each {
    fn drop(&mut self) {
        lazy::set_rounding(self.0);
    }
}

/// What reading a State would run.
#[pyfunction]
pub(crate) fn explain(x: &Bound<'_, PyAny>) -> PyResult<String> {
    let t = crate::operand::tensor(x)?;
    enter(x.py(), 0, || lazy::explain(&t))
}
