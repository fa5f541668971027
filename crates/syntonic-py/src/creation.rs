//! New States of a given shape.

use crate::arguments::parameter;
use crate::construct::is_sequence;
use crate::device;
use crate::dtype;
use crate::enter::enter;
use crate::errors::raise;
use crate::operand::{self, default_dtype};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyString;
use syntonic_core::ops::create::{self, Endpoint};
use syntonic_core::{DType, Scalar, Tensor};

/// What fills under another name.
const FILLS: [&str; 7] = [
    "zeros",
    "ones",
    "empty",
    "full_like",
    "zeros_like",
    "ones_like",
    "empty_like",
];

/// The function that the Python half fills for, as its messages name it.
fn filling(name: Option<&Bound<'_, PyString>>) -> PyResult<&'static str> {
    let Some(name) = name else { return Ok("full") };
    let name = name.to_str()?;
    let known = FILLS.iter().find(|known| **known == name);
    Ok(known.copied().unwrap_or("full"))
}

/// `full(shape, value, dtype, device, name)`.
#[pyfunction]
#[pyo3(signature = (shape, value, dtype=None, device=None, name=None))]
pub(crate) fn full(
    shape: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
    name: Option<&Bound<'_, PyString>>,
) -> PyResult<State> {
    let op = filling(name)?;
    let shape = parameter(op, "shape").lengths(shape)?;
    let wanted = dtype::parse_optional(dtype)?;
    let device = device::parse(value.py(), device)?;
    let elements = shape.iter().fold(1usize, |n, &d| n.saturating_mul(d));
    if let Some(x) = operand::number(op, value, wanted)? {
        let dtype = wanted.unwrap_or(default_dtype(x));
        return Ok(enter(value.py(), elements, || {
            Tensor::full_on(&shape, x, dtype, &device)
        })?
        .into());
    }
    let values = match is_sequence(value) {
        true => crate::construct::tensor(value, wanted)?,
        false => operand::tensor(value)?,
    };
    let filled = enter(value.py(), elements, || {
        values
            .cast(wanted.unwrap_or(values.dtype()))?
            .to(&device)?
            .broadcast_to(&shape)?
            .copy()
    });
    Ok(filled?.into())
}

/// A plain number, as the ends of a range are.
fn plain(op: &'static str, obj: &Bound<'_, PyAny>, dtype: Option<DType>) -> PyResult<Scalar> {
    // An end need not fit the type: only what lies between them does.
    let dtype = dtype.filter(|d| d.is_inexact());
    match operand::untyped(op, obj, dtype)? {
        Some(x) => Ok(x),
        None => operand::tensor(obj)?.item().map_err(raise),
    }
}

/// `arange(start, stop, step, dtype, device)`.
#[pyfunction]
pub(crate) fn arange(
    start: &Bound<'_, PyAny>,
    stop: &Bound<'_, PyAny>,
    step: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let dtype = dtype::parse_optional(dtype)?;
    let end = |obj| plain("arange", obj, dtype);
    let (from, to, by) = (end(start)?, end(stop)?, end(step)?);
    let device = device::parse(start.py(), device)?;
    let length = ((to.to_f64() - from.to_f64()) / by.to_f64()).abs() as usize;
    Ok(enter(start.py(), length, || {
        create::arange(from, to, by, dtype, &device)
    })?
    .into())
}

/// `linspace(start, stop, num, dtype, device, endpoint)`.
#[pyfunction]
pub(crate) fn linspace(
    start: &Bound<'_, PyAny>,
    stop: &Bound<'_, PyAny>,
    num: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
    endpoint: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let op = "linspace";
    let dtype = dtype::parse_optional(dtype)?;
    let (from, to) = (plain(op, start, dtype)?, plain(op, stop, dtype)?);
    let num = parameter(op, "num").size(num)?;
    let device = device::parse(start.py(), device)?;
    let endpoint = if parameter(op, "endpoint").flag(endpoint)? {
        Endpoint::Included
    } else {
        Endpoint::Excluded
    };
    Ok(enter(start.py(), num, || {
        create::linspace(from, to, num, endpoint, dtype, &device)
    })?
    .into())
}

/// `eye(rows, cols, k, dtype, device)`.
#[pyfunction]
pub(crate) fn eye(
    py: Python<'_>,
    rows: &Bound<'_, PyAny>,
    cols: &Bound<'_, PyAny>,
    k: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let op = "eye";
    let rows = parameter(op, "n_rows").size(rows)?;
    let cols = parameter(op, "n_cols").size(cols)?;
    let k = parameter(op, "k").saturated(k)?;
    let (dtype, device) = (dtype::parse(dtype)?, device::parse(py, device)?);
    Ok(enter(py, rows.saturating_mul(cols), || {
        create::eye(rows, cols, k, dtype, &device)
    })?
    .into())
}
