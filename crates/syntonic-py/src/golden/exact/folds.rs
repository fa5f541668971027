//! Sums, products, powers and divisions of arrays of golden integers.

use super::array::{PyGoldenArray, long};
use super::number::Number;
use super::operation::exponent_of;
use super::refuse;
use super::scalars::PyGoldenInt;
use crate::arguments::parameter;
use crate::errors::Class;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_srt::exact::{ExactError, Golden, GoldenBig, GoldenTensor};

/// A division, by the element.
#[derive(Clone, Copy)]
enum Division {
    Quotient,
    Rest,
    Both,
}

#[pymethods]
impl PyGoldenArray {
    /// Sums over axes, exact.
    #[pyo3(signature = (axis=None, keepdims=None), text_signature = "($self, axis=None, keepdims=False)")]
    fn sum(
        &self,
        py: Python<'_>,
        axis: Option<&Bound<'_, PyAny>>,
        keepdims: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGoldenArray> {
        let over = parameter("sum", "axis").over(axis, keepdims)?;
        long(py, self.0.numel(), || self.0.sum(&over)).map(PyGoldenArray)
    }

    /// Products over axes, exact.
    #[pyo3(signature = (axis=None, keepdims=None), text_signature = "($self, axis=None, keepdims=False)")]
    fn prod(
        &self,
        py: Python<'_>,
        axis: Option<&Bound<'_, PyAny>>,
        keepdims: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGoldenArray> {
        let over = parameter("prod", "axis").over(axis, keepdims)?;
        long(py, self.0.numel(), || self.0.prod(&over)).map(PyGoldenArray)
    }

    /// The inverses of units.
    fn inverse(&self, py: Python<'_>) -> PyResult<PyGoldenArray> {
        long(py, self.0.numel(), || self.0.inverse()).map(PyGoldenArray)
    }

    /// The greatest common divisors.
    fn gcd(&self, other: &Bound<'_, PyAny>) -> PyResult<PyGoldenArray> {
        let py = other.py();
        let Some(other) = self.beside(other)? else {
            let wanted = "a GoldenArray, a GoldenInt or an integer";
            return Err(parameter("gcd", "other").refuse(Class::ArgumentType, other, wanted));
        };
        let size = self.0.numel().max(other.numel());
        long(py, size, || self.0.gcd(&other)).map(PyGoldenArray)
    }

    fn __pow__<'py>(
        &self,
        exponent: &Bound<'py, PyAny>,
        modulo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = exponent.py();
        let Some(exponent) = exponent_of(exponent, modulo)? else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let exponent =
            i32::try_from(exponent).map_err(|_| refuse(ExactError::Overflow { op: "power" }))?;
        let made = long(py, self.0.numel(), || self.0.power(exponent))?;
        Ok(Bound::new(py, PyGoldenArray(made))?.into_any())
    }

    fn __floordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.divided(other, Division::Quotient, false)
    }

    fn __rfloordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.divided(other, Division::Quotient, true)
    }

    fn __mod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.divided(other, Division::Rest, false)
    }

    fn __rmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.divided(other, Division::Rest, true)
    }

    fn __divmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.divided(other, Division::Both, false)
    }

    fn __rdivmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.divided(other, Division::Both, true)
    }
}

impl PyGoldenArray {
    /// This by the other, or the other by this; `NotImplemented` beside what is no golden integer.
    fn divided<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        division: Division,
        turned: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Some(other) = self.beside(other)? else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let (x, y) = match turned {
            false => (&self.0, &other),
            true => (&other, &self.0),
        };
        let size = x.numel().max(y.numel());
        let quotient = || -> PyResult<Bound<'py, PyAny>> {
            let made: Tensor = long(py, size, || x.floor_over(y))?;
            Ok(Bound::new(py, State::from(made))?.into_any())
        };
        let rest = || -> PyResult<Bound<'py, PyAny>> {
            let made: GoldenTensor = long(py, size, || x.remainder(y))?;
            Ok(Bound::new(py, PyGoldenArray(made))?.into_any())
        };
        match division {
            Division::Quotient => quotient(),
            Division::Rest => rest(),
            Division::Both => Ok((quotient()?, rest()?).into_pyobject(py)?.into_any()),
        }
    }
}

#[pymethods]
impl PyGoldenInt {
    /// The greatest common divisor.
    fn gcd(&self, other: &Bound<'_, PyAny>) -> PyResult<PyGoldenInt> {
        match Number::of(other)? {
            Some(Number::Whole(y)) => {
                let made = self.0.with(other.py(), &y, Golden::gcd, GoldenBig::gcd)?;
                Ok(PyGoldenInt(made))
            }
            _ => {
                let wanted = "a GoldenInt or an integer";
                Err(parameter("gcd", "other").refuse(Class::ArgumentType, other, wanted))
            }
        }
    }
}
