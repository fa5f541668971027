//! What may stand beside an exact number: another one, an integer, a fraction.

use super::scalars::{PyGoldenInt, PyGoldenRational};
use crate::errors::{Class, error};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};
use syntonic_srt::exact::{Golden, GoldenFraction};

/// An operand as exact arithmetic takes it.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Whole(Golden),
    Fraction(GoldenFraction),
}

impl Number {
    /// The number that `obj` is; none where it is no exact number, so that Python asks the other operand.
    pub(super) fn of(obj: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
        if let Ok(whole) = obj.cast::<PyGoldenInt>() {
            return Ok(Some(Number::Whole(whole.get().0)));
        }
        if let Ok(fraction) = obj.cast::<PyGoldenRational>() {
            return Ok(Some(Number::Fraction(fraction.get().0)));
        }
        if obj.is_instance_of::<PyInt>() || obj.is_instance_of::<PyBool>() {
            return Ok(Some(Number::Whole(Golden::from(coefficient(obj)?))));
        }
        if is_rational(obj)? {
            let top = coefficient(&obj.getattr("numerator")?)?;
            let below = coefficient(&obj.getattr("denominator")?)?;
            let made = GoldenFraction::new(Golden::from(top), below);
            return Ok(Some(Number::Fraction(made.map_err(super::refuse)?)));
        }
        Ok(None)
    }

    pub(super) fn fraction(self) -> GoldenFraction {
        match self {
            Number::Whole(whole) => whole.into(),
            Number::Fraction(fraction) => fraction,
        }
    }
}

/// Whether `obj` is of `numbers.Rational`, as `fractions.Fraction` and NumPy's integers are.
fn is_rational(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    let numbers = obj.py().import("numbers")?;
    obj.is_instance(&numbers.getattr("Rational")?)
}

/// An integer of 64 bits, or an error that names what was given.
pub(super) fn coefficient(obj: &Bound<'_, PyAny>) -> PyResult<i64> {
    let whole = obj.call_method0("__index__").map_err(|_| {
        let text = format!(
            "a golden number's parts are integers, not {}",
            crate::arguments::shown(obj)
        );
        error(Class::ArgumentType, text)
    })?;
    whole.extract::<i64>().map_err(|_| {
        let text = format!(
            "{} is no 64-bit integer, as the parts of a golden number are; compute in float64 where it may round",
            crate::arguments::shown(obj)
        );
        error(Class::IntegerOverflow, text)
    })
}
