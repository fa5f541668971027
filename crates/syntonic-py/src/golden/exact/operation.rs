//! Arithmetic of exact numbers as Python asks for it: between kinds, beside Python's own numbers, and beside what is none.

use super::number::Number;
use super::refuse;
use super::scalars::{PyGoldenInt, PyGoldenRational};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use syntonic_srt::exact::{ExactError, Golden, GoldenFraction};

/// An operation on two numbers of a kind.
type Binary<T> = fn(T, T) -> Result<T, ExactError>;

/// An operation of exact numbers: on whole ones, where the result is whole, and on fractions.
pub(super) struct Operation {
    whole: Option<Binary<Golden>>,
    parts: Binary<GoldenFraction>,
}

pub(super) const PLUS: Operation = Operation {
    whole: Some(Golden::plus),
    parts: GoldenFraction::plus,
};
pub(super) const MINUS: Operation = Operation {
    whole: Some(Golden::minus),
    parts: GoldenFraction::minus,
};
pub(super) const TIMES: Operation = Operation {
    whole: Some(Golden::times),
    parts: GoldenFraction::times,
};
pub(super) const OVER: Operation = Operation {
    whole: None,
    parts: GoldenFraction::over,
};

/// A number and what stands on one of its sides.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Right,
    Left,
}

impl Operation {
    /// A whole number where both operands are, else a fraction; `NotImplemented` beside what is no exact number.
    pub(super) fn of<'py>(
        &self,
        x: Number,
        other: &Bound<'py, PyAny>,
        side: Side,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Some(y) = Number::of(other)? else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let (x, y) = match side {
            Side::Right => (x, y),
            Side::Left => (y, x),
        };
        if let (Some(whole), Number::Whole(x), Number::Whole(y)) = (self.whole, x, y) {
            return give(py, Number::Whole(whole(x, y).map_err(refuse)?));
        }
        let made = (self.parts)(x.fraction(), y.fraction()).map_err(refuse)?;
        give(py, Number::Fraction(made))
    }
}

pub(super) fn give(py: Python<'_>, number: Number) -> PyResult<Bound<'_, PyAny>> {
    Ok(match number {
        Number::Whole(whole) => Bound::new(py, PyGoldenInt(whole))?.into_any(),
        Number::Fraction(fraction) => Bound::new(py, PyGoldenRational(fraction))?.into_any(),
    })
}

pub(super) fn compare<'py>(
    py: Python<'py>,
    x: Number,
    other: &Bound<'py, PyAny>,
    op: CompareOp,
) -> PyResult<Bound<'py, PyAny>> {
    let order = match Number::of(other) {
        Ok(Some(y)) => x.fraction().cmp(&y.fraction()),
        Ok(None) => return Ok(py.NotImplemented().into_bound(py)),
        Err(_) if other.is_instance_of::<PyInt>() => beside_huge(x.fraction(), other)?,
        Err(error) => return Err(error),
    };
    Ok(op.matches(order).into_pyobject(py)?.to_owned().into_any())
}

/// The order of a number and an integer that 64 bits do not hold, to which it is never equal.
fn beside_huge(x: GoldenFraction, other: &Bound<'_, PyAny>) -> PyResult<Ordering> {
    let below = i128::from(x.denominator());
    let scaled = other
        .extract::<i128>()
        .ok()
        .and_then(|n| n.checked_mul(below));
    if let Some(scaled) = scaled {
        // The numerator lies below an integer exactly where its floor does.
        return Ok(match x.numerator().floor() < scaled {
            true => Ordering::Less,
            false => Ordering::Greater,
        });
    }
    Ok(match other.gt(0)? {
        true => Ordering::Less,
        false => Ordering::Greater,
    })
}

/// Of equal numbers the same: an integer's is Python's own, and a fraction's is that of `fractions.Fraction`.
pub(super) fn hash(py: Python<'_>, x: GoldenFraction) -> PyResult<isize> {
    let (top, below) = (x.numerator(), x.denominator());
    if top.b == 0 {
        let fraction = py.import("fractions")?.getattr("Fraction")?;
        return fraction.call1((top.a, below))?.hash();
    }
    let mut hasher = DefaultHasher::new();
    (top.a, top.b, below).hash(&mut hasher);
    // -1 is Python's word for an error.
    Ok(match hasher.finish() as isize {
        -1 => -2,
        hash => hash,
    })
}

/// An exact power; of a whole number with an exponent of 0 or more it is whole.
pub(super) fn power<'py>(
    py: Python<'py>,
    x: Number,
    exponent: &Bound<'py, PyAny>,
    modulo: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if !modulo.is_none() {
        return Err(PyTypeError::new_err(
            "golden numbers have no powers modulo another number",
        ));
    }
    let Ok(exponent) = exponent.extract::<i32>() else {
        return Ok(py.NotImplemented().into_bound(py));
    };
    if let (Number::Whole(x), 0..) = (x, exponent) {
        let made = x.power(exponent.unsigned_abs()).map_err(refuse)?;
        return give(py, Number::Whole(made));
    }
    let made = x.fraction().power(exponent).map_err(refuse)?;
    give(py, Number::Fraction(made))
}
