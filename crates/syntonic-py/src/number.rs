//! A State as the number that it is: what Python's conversions, `range`, `math` and `statistics` ask of one. A State of one element
//! converts; what says of itself that it stands for an integer, as an index and a length do, has no axes.

use crate::enter::enter;
use crate::errors::{Class, error};
use crate::memory::made;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::{Kind, Scalar};

impl State {
    /// The only element.
    pub(crate) fn one(&self, py: Python<'_>) -> PyResult<Scalar> {
        if let Some(x) = self.tensor.single() {
            return Ok(x.value());
        }
        // A number of Python is a constant, as it says by its type.
        let plain = self.tensor.stop_gradient();
        enter(py, plain.waiting(), || plain.item())
    }

    /// The only element, if it is not complex.
    fn real_number(&self, py: Python<'_>, wanted: &str) -> PyResult<Scalar> {
        let x = self.one(py)?;
        if x.kind() == Kind::Complex {
            return Err(error(
                Class::DType,
                format!("a complex number is no {wanted}; hint: take .real or abs(x)"),
            ));
        }
        Ok(x)
    }

    /// What the Python number answers to a method of its own.
    fn ask<'py>(&self, py: Python<'py>, method: &str) -> PyResult<Bound<'py, PyAny>> {
        made::number(py, self.real_number(py, "real number")?)?.call_method0(method)
    }
}

#[pymethods]
impl State {
    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.real_number(py, "real number")?.to_f64())
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.real_number(py, "integer")? {
            x @ Scalar::Float(_) => made::number(py, x)?.call_method0("__int__"),
            other => made::number(py, Scalar::Int(other.to_i128())),
        }
    }

    fn __complex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let z = self.one(py)?.to_complex();
        made::number(py, Scalar::Complex(z))
    }

    fn __index__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(x) = self.tensor.single()
            && x.dtype().is_integer()
        {
            return made::number(py, x.value());
        }
        let t = &self.tensor;
        if t.ndim() > 0 || !t.dtype().is_integer() {
            return Err(error(
                Class::DType,
                format!(
                    "{} is no index; hint: that is an integer, or a State of one without axes",
                    t.describe()
                ),
            ));
        }
        made::number(py, self.one(py)?)
    }

    /// What Python's `round` asks for: of a real number without axes the nearest integer of Python, as of any number; of all else, and
    /// with a number of digits, a State.
    #[pyo3(signature = (ndigits=None, /))]
    fn __round__<'py>(
        &self,
        py: Python<'py>,
        ndigits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let t = &self.tensor;
        if ndigits.is_none() && t.ndim() == 0 && !t.dtype().is_complex() {
            return self.ask(py, "__round__");
        }
        Ok(self.round(py, ndigits, None)?.into_any())
    }

    fn __trunc__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ask(py, "__trunc__")
    }

    fn __floor__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ask(py, "__floor__")
    }

    fn __ceil__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ask(py, "__ceil__")
    }

    /// Of a State without axes: two integers of Python whose quotient it is, as `statistics` and `fractions` ask of a number.
    fn as_integer_ratio<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ask(py, "as_integer_ratio")
    }

    /// Of a State without axes: True if it is a whole number.
    fn is_integer(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(match self.real_number(py, "real number")? {
            Scalar::Float(x) => x.is_finite() && x.fract() == 0.0,
            _ => true,
        })
    }
}
