//! What may stand beside an exact number: another one, an integer, a fraction.

use super::grown::{Grown, Int, Ratio};
use super::refuse;
use super::scalars::{PyGoldenInt, PyGoldenRational};
use crate::errors::{Class, error};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};
use syntonic_srt::exact::{
    BigInt, ExactError, Golden, GoldenBig, GoldenBigFraction, GoldenFraction,
};

/// An operand as exact arithmetic takes it.
#[derive(Clone)]
pub(super) enum Number {
    Whole(Int),
    Fraction(Ratio),
}

impl Number {
    /// The number that `obj` is; none where it is no exact number, so that Python asks the other operand.
    pub(super) fn of(obj: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
        if let Ok(whole) = obj.cast::<PyGoldenInt>() {
            return Ok(Some(Number::Whole(whole.get().0.clone())));
        }
        if let Ok(fraction) = obj.cast::<PyGoldenRational>() {
            return Ok(Some(Number::Fraction(fraction.get().0.clone())));
        }
        if obj.is_instance_of::<PyInt>() || obj.is_instance_of::<PyBool>() {
            return Ok(Some(Number::Whole(whole(Part::of(obj)?, Part::Small(0))?)));
        }
        if is_rational(obj)? {
            let top = whole(Part::of(&obj.getattr("numerator")?)?, Part::Small(0))?;
            let below = Part::of(&obj.getattr("denominator")?)?;
            return Ok(Some(Number::Fraction(fraction(top, below)?)));
        }
        Ok(None)
    }

    pub(super) fn fraction(self) -> Ratio {
        match self {
            Number::Whole(whole) => whole.fraction(),
            Number::Fraction(fraction) => fraction,
        }
    }
}

/// Whether `obj` is of `numbers.Rational`, as `fractions.Fraction` and NumPy's integers are.
fn is_rational(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    let numbers = obj.py().import("numbers")?;
    obj.is_instance(&numbers.getattr("Rational")?)
}

/// A part of a golden number.
pub(super) enum Part {
    Small(i64),
    Big(BigInt),
}

impl Part {
    /// An integer, or an error that names what was given.
    pub(super) fn of(obj: &Bound<'_, PyAny>) -> PyResult<Part> {
        let whole = obj.call_method0("__index__").map_err(|_| {
            let text = format!(
                "a golden number's parts are integers, not {}",
                crate::arguments::shown(obj)
            );
            error(Class::ArgumentType, text)
        })?;
        if let Ok(small) = whole.extract::<i64>() {
            return Ok(Part::Small(small));
        }
        // Before it is copied.
        let bits = whole.call_method0("bit_length")?.extract::<u64>();
        match bits {
            Ok(bits) if bits <= GoldenBig::BITS => Ok(Part::Big(whole.extract()?)),
            _ => Err(refuse(ExactError::TooLarge {
                op: "golden integer",
                bits: GoldenBig::BITS,
            })),
        }
    }

    fn big(self) -> BigInt {
        match self {
            Part::Small(small) => small.into(),
            Part::Big(big) => big,
        }
    }
}

/// `a + b φ`.
pub(super) fn whole(a: Part, b: Part) -> PyResult<Int> {
    match (a, b) {
        (Part::Small(a), Part::Small(b)) => Ok(Grown::Small(Golden::new(a, b))),
        (a, b) => GoldenBig::new(a.big(), b.big())
            .map(Grown::of)
            .map_err(refuse),
    }
}

/// `top / below` in lowest terms.
pub(super) fn fraction(top: Int, below: Part) -> PyResult<Ratio> {
    if let (Grown::Small(top), Part::Small(below)) = (&top, &below) {
        match GoldenFraction::new(*top, *below) {
            Err(ExactError::Overflow { .. }) => {}
            made => return made.map(Grown::Small).map_err(refuse),
        }
    }
    let made = GoldenBigFraction::new(top.big().into_owned(), below.big());
    made.map(Grown::of).map_err(refuse)
}
