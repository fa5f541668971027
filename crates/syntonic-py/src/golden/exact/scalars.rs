//! Integers and fractions of Q(φ) as Python numbers.

use super::number::{Number, coefficient};
use super::refuse;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use syntonic_srt::exact::{self, ExactError, Golden, GoldenFraction};

/// `a + b φ` with integers of 64 bits.
#[pyclass(frozen, name = "GoldenInt", module = "syntonic.exact")]
pub(crate) struct PyGoldenInt(pub(super) Golden);

/// `(a + b φ) / d` in lowest terms.
#[pyclass(frozen, name = "GoldenRational", module = "syntonic.exact")]
pub(crate) struct PyGoldenRational(pub(super) GoldenFraction);

/// An operation on two numbers of a kind.
type Binary<T> = fn(T, T) -> Result<T, ExactError>;

/// An operation of exact numbers: on whole ones, where the result is whole, and on fractions.
struct Operation {
    whole: Option<Binary<Golden>>,
    parts: Binary<GoldenFraction>,
}

const PLUS: Operation = Operation {
    whole: Some(Golden::plus),
    parts: GoldenFraction::plus,
};
const MINUS: Operation = Operation {
    whole: Some(Golden::minus),
    parts: GoldenFraction::minus,
};
const TIMES: Operation = Operation {
    whole: Some(Golden::times),
    parts: GoldenFraction::times,
};
const OVER: Operation = Operation {
    whole: None,
    parts: GoldenFraction::over,
};

/// A number and what stands on one of its sides.
#[derive(Clone, Copy)]
enum Side {
    Right,
    Left,
}

impl Operation {
    /// A whole number where both operands are, else a fraction; `NotImplemented` beside what is no exact number.
    fn of<'py>(
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

fn give(py: Python<'_>, number: Number) -> PyResult<Bound<'_, PyAny>> {
    Ok(match number {
        Number::Whole(whole) => Bound::new(py, PyGoldenInt(whole))?.into_any(),
        Number::Fraction(fraction) => Bound::new(py, PyGoldenRational(fraction))?.into_any(),
    })
}

fn compare<'py>(
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
fn hash(py: Python<'_>, x: GoldenFraction) -> PyResult<isize> {
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
fn power<'py>(
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

#[pymethods]
impl PyGoldenInt {
    #[new]
    #[pyo3(signature = (a=None, b=None), text_signature = "(a=0, b=0)")]
    fn new(a: Option<&Bound<'_, PyAny>>, b: Option<&Bound<'_, PyAny>>) -> PyResult<PyGoldenInt> {
        let part = |obj: Option<&Bound<'_, PyAny>>| obj.map_or(Ok(0), coefficient);
        Ok(PyGoldenInt(Golden::new(part(a)?, part(b)?)))
    }

    /// The rational part.
    #[getter]
    fn a(&self) -> i64 {
        self.0.a
    }

    /// The factor of φ.
    #[getter]
    fn b(&self) -> i64 {
        self.0.b
    }

    /// The conjugate, by φ ↦ 1 - φ.
    fn conjugate(&self) -> PyResult<PyGoldenInt> {
        self.0.conjugate().map(PyGoldenInt).map_err(refuse)
    }

    /// The norm `a² + a b - b²`, an integer.
    fn norm(&self) -> i128 {
        self.0.norm()
    }

    /// The trace `2 a + b`, an integer.
    fn trace(&self) -> i128 {
        self.0.trace()
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        PLUS.of(Number::Whole(self.0), other, Side::Right)
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__add__(other)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        MINUS.of(Number::Whole(self.0), other, Side::Right)
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        MINUS.of(Number::Whole(self.0), other, Side::Left)
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        TIMES.of(Number::Whole(self.0), other, Side::Right)
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__mul__(other)
    }

    fn __truediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        OVER.of(Number::Whole(self.0), other, Side::Right)
    }

    fn __rtruediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        OVER.of(Number::Whole(self.0), other, Side::Left)
    }

    fn __pow__<'py>(
        &self,
        exponent: &Bound<'py, PyAny>,
        modulo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        power(exponent.py(), Number::Whole(self.0), exponent, modulo)
    }

    fn __neg__(&self) -> PyResult<PyGoldenInt> {
        self.0.negated().map(PyGoldenInt).map_err(refuse)
    }

    fn __pos__(&self) -> PyGoldenInt {
        PyGoldenInt(self.0)
    }

    fn __abs__(&self) -> PyResult<PyGoldenInt> {
        self.0.magnitude().map(PyGoldenInt).map_err(refuse)
    }

    fn __floor__(&self) -> i128 {
        self.0.floor()
    }

    fn __float__(&self) -> f64 {
        self.0.to_f64()
    }

    fn __bool__(&self) -> bool {
        self.0 != Golden::ZERO
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        compare(other.py(), Number::Whole(self.0), other, op)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash(py, self.0.into())
    }

    fn __repr__(&self) -> String {
        format!("GoldenInt({}, {})", self.0.a, self.0.b)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (i64, i64))> {
        Ok((
            py.get_type::<PyGoldenInt>().into_any(),
            (self.0.a, self.0.b),
        ))
    }
}

#[pymethods]
impl PyGoldenRational {
    #[new]
    #[pyo3(signature = (a=None, b=None, d=None), text_signature = "(a=0, b=0, d=1)")]
    fn new(
        a: Option<&Bound<'_, PyAny>>,
        b: Option<&Bound<'_, PyAny>>,
        d: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGoldenRational> {
        if let (Some(a), None, None) = (a, b, d)
            && let Some(number) = Number::of(a)?
        {
            return Ok(PyGoldenRational(number.fraction()));
        }
        let part = |obj: Option<&Bound<'_, PyAny>>, usual| obj.map_or(Ok(usual), coefficient);
        let top = Golden::new(part(a, 0)?, part(b, 0)?);
        let made = GoldenFraction::new(top, part(d, 1)?);
        made.map(PyGoldenRational).map_err(refuse)
    }

    /// The part above the line, in lowest terms.
    #[getter]
    fn numerator(&self) -> PyGoldenInt {
        PyGoldenInt(self.0.numerator())
    }

    /// The part below it, which is positive.
    #[getter]
    fn denominator(&self) -> i64 {
        self.0.denominator()
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        PLUS.of(Number::Fraction(self.0), other, Side::Right)
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__add__(other)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        MINUS.of(Number::Fraction(self.0), other, Side::Right)
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        MINUS.of(Number::Fraction(self.0), other, Side::Left)
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        TIMES.of(Number::Fraction(self.0), other, Side::Right)
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__mul__(other)
    }

    fn __truediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        OVER.of(Number::Fraction(self.0), other, Side::Right)
    }

    fn __rtruediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        OVER.of(Number::Fraction(self.0), other, Side::Left)
    }

    fn __pow__<'py>(
        &self,
        exponent: &Bound<'py, PyAny>,
        modulo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        power(exponent.py(), Number::Fraction(self.0), exponent, modulo)
    }

    fn __neg__(&self) -> PyResult<PyGoldenRational> {
        let made = GoldenFraction::ZERO.minus(self.0);
        made.map(PyGoldenRational).map_err(refuse)
    }

    fn __abs__(&self) -> PyResult<PyGoldenRational> {
        match self.0 < GoldenFraction::ZERO {
            true => self.__neg__(),
            false => Ok(PyGoldenRational(self.0)),
        }
    }

    fn __float__(&self) -> f64 {
        self.0.to_f64()
    }

    fn __bool__(&self) -> bool {
        self.0 != GoldenFraction::ZERO
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        compare(other.py(), Number::Fraction(self.0), other, op)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash(py, self.0)
    }

    fn __repr__(&self) -> String {
        let (top, below) = (self.0.numerator(), self.0.denominator());
        format!("GoldenRational({}, {}, {below})", top.a, top.b)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (top, below) = (self.0.numerator(), self.0.denominator());
        let parts = (top.a, top.b, below).into_pyobject(py)?;
        Ok((py.get_type::<PyGoldenRational>().into_any(), parts))
    }
}

/// φ^n, exactly.
#[pyfunction]
pub(crate) fn phi_power(n: i32) -> PyResult<PyGoldenInt> {
    Golden::phi_power(n).map(PyGoldenInt).map_err(refuse)
}

/// The n-th Fibonacci number, up to 92.
#[pyfunction]
pub(crate) fn fibonacci(n: u32) -> PyResult<i64> {
    exact::fibonacci(n).map_err(refuse)
}

/// The n-th Lucas number, up to 90.
#[pyfunction]
pub(crate) fn lucas(n: u32) -> PyResult<i64> {
    exact::lucas(n).map_err(refuse)
}
