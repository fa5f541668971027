//! Arithmetic of exact numbers as Python asks for it: between kinds, beside Python's own numbers, and beside what is none.

use super::grown::{Grown, Int, Ratio};
use super::number::Number;
use super::refuse;
use super::scalars::{PyGoldenInt, PyGoldenRational};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::hash::{DefaultHasher, Hash, Hasher};
use syntonic_srt::exact::{ExactError, Golden, GoldenBig, GoldenBigFraction, GoldenFraction};

/// An operation on two numbers of 64 bits.
type Binary<T> = fn(T, T) -> Result<T, ExactError>;
/// The same on numbers of any size.
type BigBinary<T> = fn(&T, &T) -> Result<T, ExactError>;

/// An operation of exact numbers: on whole ones, where the result is whole, and on fractions.
pub(super) struct Operation {
    whole: Option<(Binary<Golden>, BigBinary<GoldenBig>)>,
    parts: (Binary<GoldenFraction>, BigBinary<GoldenBigFraction>),
}

pub(super) const PLUS: Operation = Operation {
    whole: Some((Golden::plus, GoldenBig::plus)),
    parts: (GoldenFraction::plus, GoldenBigFraction::plus),
};
pub(super) const MINUS: Operation = Operation {
    whole: Some((Golden::minus, GoldenBig::minus)),
    parts: (GoldenFraction::minus, GoldenBigFraction::minus),
};
pub(super) const TIMES: Operation = Operation {
    whole: Some((Golden::times, GoldenBig::times)),
    parts: (GoldenFraction::times, GoldenBigFraction::times),
};
pub(super) const OVER: Operation = Operation {
    whole: None,
    parts: (GoldenFraction::over, GoldenBigFraction::over),
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
        if let (Some((small, big)), Number::Whole(x), Number::Whole(y)) = (self.whole, &x, &y) {
            return give(py, Number::Whole(x.with(py, y, small, big)?));
        }
        let (small, big) = self.parts;
        let made = x.fraction().with(py, &y.fraction(), small, big)?;
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
    let order = match (x, Number::of(other)) {
        (Number::Whole(x), Ok(Some(Number::Whole(y)))) => x.order(&y),
        (x, Ok(Some(y))) => x.fraction().order(&y.fraction()),
        (_, Ok(None)) => return Ok(py.NotImplemented().into_bound(py)),
        // An integer that is larger than all golden numbers.
        (_, Err(_)) if other.is_instance_of::<PyInt>() => match other.gt(0)? {
            true => std::cmp::Ordering::Less,
            false => std::cmp::Ordering::Greater,
        },
        (_, Err(error)) => return Err(error),
    };
    Ok(op.matches(order).into_pyobject(py)?.to_owned().into_any())
}

/// Of equal numbers the same: an integer's is Python's own, and a fraction's is that of `fractions.Fraction`.
pub(super) fn hash(py: Python<'_>, x: &Ratio) -> PyResult<isize> {
    let mut hasher = DefaultHasher::new();
    let top = x.numerator();
    let rational = match &top {
        Grown::Small(top) => top.b == 0,
        Grown::Big(top) => top.b().bits() == 0,
    };
    if rational {
        let fraction = py.import("fractions")?.getattr("Fraction")?;
        return fraction.call1((top.a(py)?, x.denominator(py)?))?.hash();
    }
    match x {
        Grown::Small(x) => {
            (x.numerator().a, x.numerator().b, x.denominator()).hash(&mut hasher);
        }
        Grown::Big(x) => x.hash(&mut hasher),
    }
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
    let Some(exponent) = exponent_of(exponent, modulo)? else {
        return Ok(py.NotImplemented().into_bound(py));
    };
    let times = exponent.unsigned_abs();
    if let (Number::Whole(x), 0..) = (&x, exponent) {
        let small = |x: Golden| x.power(narrow(times)?);
        let made: Int = x.alone(py, small, |x| x.power(times))?;
        return give(py, Number::Whole(made));
    }
    let small = |x: GoldenFraction| x.power(narrow(exponent)?);
    let made = x.fraction().alone(py, small, |x| x.power(exponent))?;
    give(py, Number::Fraction(made))
}

/// An exponent of fewer bits, or what makes the power one of numbers of any size.
fn narrow<T, N: TryFrom<T>>(exponent: T) -> Result<N, ExactError> {
    N::try_from(exponent).map_err(|_| ExactError::Overflow { op: "power" })
}

/// The exponent; none where it is no integer.
pub(super) fn exponent_of(
    exponent: &Bound<'_, PyAny>,
    modulo: &Bound<'_, PyAny>,
) -> PyResult<Option<i64>> {
    if !modulo.is_none() {
        return Err(PyTypeError::new_err(
            "golden numbers have no powers modulo another number",
        ));
    }
    match exponent.extract::<i64>() {
        Ok(exponent) => Ok(Some(exponent)),
        Err(_) if exponent.is_instance_of::<PyInt>() => Err(refuse(ExactError::TooLarge {
            op: "power",
            bits: GoldenBig::BITS,
        })),
        Err(_) => Ok(None),
    }
}
