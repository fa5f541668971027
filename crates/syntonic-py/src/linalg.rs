//! Products of vectors and matrices.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::{Class, raise};
use crate::memory::apart;
use crate::operand::{self, Operand};
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::ops::linalg::{self, Contract};
use syntonic_core::{Error, Tensor};

/// The work of a product in elements, roughly: enough to decide whether the interpreter waits.
fn work(a: &Tensor, b: &Tensor) -> usize {
    a.numel()
        .saturating_mul(b.shape().last().copied().unwrap_or(1))
}

fn product(py: Python<'_>, a: &Tensor, b: &Tensor) -> PyResult<Tensor> {
    enter(py, work(a, b), || linalg::matmul(a, b))
}

/// `matmul(a, b)`.
#[pyfunction]
#[pyo3(signature = (a, b, out=None))]
pub(crate) fn matmul<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, State>> {
    let py = a.py();
    let out = State::target("matmul", out)?;
    let (a, b) = (operand::tensor(a)?, operand::tensor(b)?);
    State::deliver(py, "matmul", product(py, &a, &b)?, out)
}

#[pymethods]
impl State {
    fn __matmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(b) = Operand::try_from_any(other)? else {
            return Ok(py.NotImplemented());
        };
        let out = product(py, &self.tensor, &b.into_tensor()?)?;
        Ok(Py::new(py, State::from(out))?.into_any())
    }

    fn __rmatmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(a) = Operand::try_from_any(other)? else {
            return Ok(py.NotImplemented());
        };
        let out = product(py, &a.into_tensor()?, &self.tensor)?;
        Ok(Py::new(py, State::from(out))?.into_any())
    }

    fn __imatmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = other.py();
        self.tensor.check_writable("matmul").map_err(raise)?;
        let out = product(py, &self.tensor, &operand::tensor(other)?)?;
        self.check_kind("matmul", &out)?;
        self.write(py, &out)
    }
}

/// A function of two tensors.
fn pair(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    run: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let (x, y) = (operand::tensor(a)?, operand::tensor(b)?);
    Ok(enter(a.py(), x.numel().saturating_mul(y.numel()), || run(&x, &y))?.into())
}

/// `bmm(a, b)`.
#[pyfunction]
pub(crate) fn bmm(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<State> {
    pair(a, b, linalg::bmm)
}

/// `outer(a, b)`.
#[pyfunction]
pub(crate) fn outer(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<State> {
    pair(a, b, linalg::outer)
}

/// `kron(a, b)`.
#[pyfunction]
pub(crate) fn kron(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<State> {
    pair(a, b, linalg::kron)
}

/// `vecdot(a, b, axis)`.
#[pyfunction]
pub(crate) fn vecdot(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let axis = parameter("vecdot", "axis").integer(axis)?;
    pair(a, b, |x, y| linalg::vecdot(x, y, axis))
}

/// `tensordot(a, b, axes)`: a number of axes, or two sequences of them.
#[pyfunction]
pub(crate) fn tensordot(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    axes: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let named = parameter("tensordot", "axes");
    if axes.extract::<i64>().is_ok() {
        let count = named.size(axes)?;
        return pair(a, b, |x, y| linalg::tensordot(x, y, Contract::Last(count)));
    }
    let Ok((first, second)) = axes.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
        let wanted = "a number of axes, or two sequences of axes";
        return Err(named.refuse(Class::ArgumentType, axes, wanted));
    };
    let (first, second) = (named.integers(&first)?, named.integers(&second)?);
    pair(a, b, |x, y| {
        linalg::tensordot(x, y, Contract::Pairs(&first, &second))
    })
}

/// `trace(x, k, dtype)`.
#[pyfunction]
#[pyo3(signature = (x, k, dtype))]
pub(crate) fn trace(
    x: &Bound<'_, PyAny>,
    k: Option<&Bound<'_, PyAny>>,
    dtype: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let k = k.map_or(Ok(0), |k| parameter("trace", "offset").integer(k))?;
    let (t, dtype) = (operand::tensor(x)?, crate::dtype::parse_optional(dtype)?);
    Ok(enter(x.py(), t.numel(), || linalg::trace(&t, k, dtype))?.into())
}

/// `einsum(equation, operands)`.
#[pyfunction]
pub(crate) fn einsum(equation: &Bound<'_, PyAny>, operands: &Bound<'_, PyAny>) -> PyResult<State> {
    let equation = parameter("einsum", "equation").text(equation)?;
    let all = parameter("einsum", "operands").tensors(operands)?;
    let refs: Vec<&Tensor> = all.iter().collect();
    let work = || apart(linalg::einsum(&equation, &refs)?, &refs);
    Ok(enter(operands.py(), usize::MAX, work)?.into())
}
