//! Integers and fractions of Q(φ) as Python numbers.

use super::array::long;
use super::number::{Number, coefficient};
use super::operation::{MINUS, OVER, PLUS, Side, TIMES, compare, hash, power};
use super::refuse;
use super::whole::{Asked, divided, rounded};
use crate::operand;
use crate::state::State;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use syntonic_core::Tensor;
use syntonic_srt::exact::{self, ExactError, Golden, GoldenFraction, GoldenTensorError};

/// `a + b φ` with integers of 64 bits.
#[pyclass(frozen, name = "GoldenInt", module = "syntonic.exact")]
pub(crate) struct PyGoldenInt(pub(super) Golden);

/// `(a + b φ) / d` in lowest terms.
#[pyclass(frozen, name = "GoldenRational", module = "syntonic.exact")]
pub(crate) struct PyGoldenRational(pub(super) GoldenFraction);

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

    fn __floordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Whole(self.0), other, Side::Right, Asked::Quotient)
    }

    fn __rfloordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Whole(self.0), other, Side::Left, Asked::Quotient)
    }

    fn __mod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Whole(self.0), other, Side::Right, Asked::Rest)
    }

    fn __rmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Whole(self.0), other, Side::Left, Asked::Rest)
    }

    fn __divmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Whole(self.0), other, Side::Right, Asked::Both)
    }

    fn __rdivmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Whole(self.0), other, Side::Left, Asked::Both)
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

    fn __ceil__(&self) -> i128 {
        self.0.ceil()
    }

    fn __trunc__(&self) -> i128 {
        self.0.trunc()
    }

    fn __int__(&self) -> i128 {
        self.0.trunc()
    }

    #[pyo3(signature = (digits=None, /))]
    fn __round__<'py>(
        &self,
        py: Python<'py>,
        digits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        rounded(py, Number::Whole(self.0), digits)
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

    fn __floordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(
            Number::Fraction(self.0),
            other,
            Side::Right,
            Asked::Quotient,
        )
    }

    fn __rfloordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Fraction(self.0), other, Side::Left, Asked::Quotient)
    }

    fn __mod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Fraction(self.0), other, Side::Right, Asked::Rest)
    }

    fn __rmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Fraction(self.0), other, Side::Left, Asked::Rest)
    }

    fn __divmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Fraction(self.0), other, Side::Right, Asked::Both)
    }

    fn __rdivmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divided(Number::Fraction(self.0), other, Side::Left, Asked::Both)
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

    fn __floor__(&self) -> i128 {
        self.0.floor()
    }

    fn __ceil__(&self) -> i128 {
        self.0.ceil()
    }

    fn __trunc__(&self) -> i128 {
        self.0.trunc()
    }

    fn __int__(&self) -> i128 {
        self.0.trunc()
    }

    #[pyo3(signature = (digits=None, /))]
    fn __round__<'py>(
        &self,
        py: Python<'py>,
        digits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        rounded(py, Number::Fraction(self.0), digits)
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

/// The n-th Fibonacci number, up to 92; of an array by the element.
#[pyfunction]
pub(crate) fn fibonacci<'py>(n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    sequence(n, exact::fibonacci, exact::fibonacci_tensor)
}

/// The n-th Lucas number, up to 90; of an array by the element.
#[pyfunction]
pub(crate) fn lucas<'py>(n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    sequence(n, exact::lucas, exact::lucas_tensor)
}

fn sequence<'py>(
    n: &Bound<'py, PyAny>,
    one: fn(u32) -> Result<i64, ExactError>,
    each: fn(&Tensor) -> Result<Tensor, GoldenTensorError>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = n.py();
    // Arrays and lists have a length, but for arrays without axes, which are integers in their own way.
    if n.extract::<u32>().is_err() && (n.is_instance_of::<State>() || n.hasattr("__len__")?) {
        let n = operand::tensor(n)?;
        let made = long(py, n.numel(), || each(&n))?;
        return Ok(Bound::new(py, State::from(made))?.into_any());
    }
    let made = one(n.extract()?).map_err(refuse)?;
    Ok(made.into_pyobject(py)?.into_any())
}
