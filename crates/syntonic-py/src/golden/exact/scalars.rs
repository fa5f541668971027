//! Integers and fractions of Q(φ) as Python numbers.

use super::grown::{Grown, Int, Ratio};
use super::number::{Number, Part, fraction, whole};
use super::operation::{MINUS, OVER, PLUS, Side, TIMES, compare, hash, power};
use super::whole::{Asked, divided, rounded};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::cmp::Ordering;
use std::fmt::Display;
use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigFraction, GoldenFraction};

/// `a + b φ` with integers `a` and `b`.
#[pyclass(frozen, name = "GoldenInt", module = "syntonic.exact")]
pub(crate) struct PyGoldenInt(pub(super) Int);

/// `(a + b φ) / d` in lowest terms.
#[pyclass(frozen, name = "GoldenRational", module = "syntonic.exact")]
pub(crate) struct PyGoldenRational(pub(super) Ratio);

#[pymethods]
impl PyGoldenInt {
    #[new]
    #[pyo3(signature = (a=None, b=None), text_signature = "(a=0, b=0)")]
    fn new(a: Option<&Bound<'_, PyAny>>, b: Option<&Bound<'_, PyAny>>) -> PyResult<PyGoldenInt> {
        let part = |obj: Option<&Bound<'_, PyAny>>| obj.map_or(Ok(Part::Small(0)), Part::of);
        whole(part(a)?, part(b)?).map(PyGoldenInt)
    }

    /// The rational part.
    #[getter]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.a(py)
    }

    /// The factor of φ.
    #[getter]
    fn b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.b(py)
    }

    /// The conjugate, by φ ↦ 1 - φ.
    fn conjugate(&self, py: Python<'_>) -> PyResult<PyGoldenInt> {
        let made = self.0.alone(py, Golden::conjugate, GoldenBig::conjugate)?;
        Ok(PyGoldenInt(made))
    }

    /// The norm `a² + a b - b²`, an integer.
    fn norm<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.integer(py, Golden::norm, GoldenBig::norm)
    }

    /// The trace `2 a + b`, an integer.
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.integer(py, Golden::trace, GoldenBig::trace)
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        PLUS.of(Number::Whole(self.0.clone()), other, Side::Right)
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__add__(other)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        MINUS.of(Number::Whole(self.0.clone()), other, Side::Right)
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        MINUS.of(Number::Whole(self.0.clone()), other, Side::Left)
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        TIMES.of(Number::Whole(self.0.clone()), other, Side::Right)
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__mul__(other)
    }

    fn __truediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        OVER.of(Number::Whole(self.0.clone()), other, Side::Right)
    }

    fn __rtruediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        OVER.of(Number::Whole(self.0.clone()), other, Side::Left)
    }

    fn __floordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Whole(self.0.clone()),
            other,
            Side::Right,
            Asked::Quotient,
        )
    }

    fn __rfloordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Whole(self.0.clone()),
            other,
            Side::Left,
            Asked::Quotient,
        )
    }

    fn __mod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Whole(self.0.clone()),
            other,
            Side::Right,
            Asked::Rest,
        )
    }

    fn __rmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Whole(self.0.clone()),
            other,
            Side::Left,
            Asked::Rest,
        )
    }

    fn __divmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Whole(self.0.clone()),
            other,
            Side::Right,
            Asked::Both,
        )
    }

    fn __rdivmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Whole(self.0.clone()),
            other,
            Side::Left,
            Asked::Both,
        )
    }

    fn __pow__<'py>(
        &self,
        exponent: &Bound<'py, PyAny>,
        modulo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        power(
            exponent.py(),
            Number::Whole(self.0.clone()),
            exponent,
            modulo,
        )
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<PyGoldenInt> {
        let made = self.0.alone(py, Golden::negated, |x| Ok(x.negated()))?;
        Ok(PyGoldenInt(made))
    }

    fn __pos__(&self) -> PyGoldenInt {
        PyGoldenInt(self.0.clone())
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<PyGoldenInt> {
        let made = self.0.alone(py, Golden::magnitude, |x| Ok(x.magnitude()))?;
        Ok(PyGoldenInt(made))
    }

    fn __floor__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.integer(py, Golden::floor, GoldenBig::floor)
    }

    fn __ceil__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.integer(py, Golden::ceil, GoldenBig::ceil)
    }

    fn __trunc__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.integer(py, Golden::trunc, GoldenBig::trunc)
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.integer(py, Golden::trunc, GoldenBig::trunc)
    }

    #[pyo3(signature = (digits=None, /))]
    fn __round__<'py>(
        &self,
        py: Python<'py>,
        digits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        rounded(py, Number::Whole(self.0.clone()), digits)
    }

    fn __float__(&self) -> PyResult<f64> {
        self.0.float()
    }

    fn __bool__(&self) -> bool {
        !matches!(self.0, Grown::Small(Golden::ZERO))
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        compare(other.py(), Number::Whole(self.0.clone()), other, op)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash(py, &self.0.clone().fraction())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.0.text(
            py,
            |x| format!("GoldenInt({}, {})", x.a, x.b),
            |x| format!("GoldenInt({}, {})", x.a(), x.b()),
        )
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.0.text(py, |x| x.to_string(), ToString::to_string)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let parts = (self.0.a(py)?, self.0.b(py)?).into_pyobject(py)?;
        Ok((py.get_type::<PyGoldenInt>().into_any(), parts))
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
        let part = |obj: Option<&Bound<'_, PyAny>>, usual| match obj {
            Some(obj) => Part::of(obj),
            None => Ok(Part::Small(usual)),
        };
        let top = whole(part(a, 0)?, part(b, 0)?)?;
        fraction(top, part(d, 1)?).map(PyGoldenRational)
    }

    /// The part above the line, in lowest terms.
    #[getter]
    fn numerator(&self) -> PyGoldenInt {
        PyGoldenInt(self.0.numerator())
    }

    /// The part below it, which is positive.
    #[getter]
    fn denominator<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.denominator(py)
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        PLUS.of(Number::Fraction(self.0.clone()), other, Side::Right)
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__add__(other)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        MINUS.of(Number::Fraction(self.0.clone()), other, Side::Right)
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        MINUS.of(Number::Fraction(self.0.clone()), other, Side::Left)
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        TIMES.of(Number::Fraction(self.0.clone()), other, Side::Right)
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__mul__(other)
    }

    fn __truediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        OVER.of(Number::Fraction(self.0.clone()), other, Side::Right)
    }

    fn __rtruediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        OVER.of(Number::Fraction(self.0.clone()), other, Side::Left)
    }

    fn __floordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Fraction(self.0.clone()),
            other,
            Side::Right,
            Asked::Quotient,
        )
    }

    fn __rfloordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Fraction(self.0.clone()),
            other,
            Side::Left,
            Asked::Quotient,
        )
    }

    fn __mod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Fraction(self.0.clone()),
            other,
            Side::Right,
            Asked::Rest,
        )
    }

    fn __rmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Fraction(self.0.clone()),
            other,
            Side::Left,
            Asked::Rest,
        )
    }

    fn __divmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Fraction(self.0.clone()),
            other,
            Side::Right,
            Asked::Both,
        )
    }

    fn __rdivmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Fraction(self.0.clone()),
            other,
            Side::Left,
            Asked::Both,
        )
    }

    fn __pow__<'py>(
        &self,
        exponent: &Bound<'py, PyAny>,
        modulo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        power(
            exponent.py(),
            Number::Fraction(self.0.clone()),
            exponent,
            modulo,
        )
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<PyGoldenRational> {
        let zero = Ratio::Small(GoldenFraction::ZERO);
        let (small, big) = (GoldenFraction::minus, GoldenBigFraction::minus);
        zero.with(py, &self.0, small, big).map(PyGoldenRational)
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<PyGoldenRational> {
        match self.0.order(&Ratio::Small(GoldenFraction::ZERO)) {
            Ordering::Less => self.__neg__(py),
            _ => Ok(PyGoldenRational(self.0.clone())),
        }
    }

    fn __floor__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0
            .integer(py, GoldenFraction::floor, GoldenBigFraction::floor)
    }

    fn __ceil__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0
            .integer(py, GoldenFraction::ceil, GoldenBigFraction::ceil)
    }

    fn __trunc__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0
            .integer(py, GoldenFraction::trunc, GoldenBigFraction::trunc)
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0
            .integer(py, GoldenFraction::trunc, GoldenBigFraction::trunc)
    }

    #[pyo3(signature = (digits=None, /))]
    fn __round__<'py>(
        &self,
        py: Python<'py>,
        digits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        rounded(py, Number::Fraction(self.0.clone()), digits)
    }

    fn __float__(&self) -> PyResult<f64> {
        self.0.float()
    }

    fn __bool__(&self) -> bool {
        !matches!(self.0, Grown::Small(GoldenFraction::ZERO))
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        compare(other.py(), Number::Fraction(self.0.clone()), other, op)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash(py, &self.0)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = |a: &dyn Display, b: &dyn Display, d: &dyn Display| {
            format!("GoldenRational({a}, {b}, {d})")
        };
        self.0.text(
            py,
            |x| shown(&x.numerator().a, &x.numerator().b, &x.denominator()),
            |x| shown(x.numerator().a(), x.numerator().b(), x.denominator()),
        )
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.0.text(py, |x| x.to_string(), ToString::to_string)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (top, below) = (self.0.numerator(), self.0.denominator(py)?);
        let parts = (top.a(py)?, top.b(py)?, below).into_pyobject(py)?;
        Ok((py.get_type::<PyGoldenRational>().into_any(), parts))
    }
}
