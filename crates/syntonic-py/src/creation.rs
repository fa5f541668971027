//! New States of a given shape.

use crate::arguments::lengths;
use crate::device;
use crate::dtype;
use crate::enter::enter;
use crate::errors::raise;
use crate::nested::check_range;
use crate::operand::{self, Operand, default_dtype};
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::ops::create::{self, Endpoint};
use syntonic_core::{Scalar, Tensor};

/// `full(shape, value, dtype, device)`.
#[pyfunction]
#[pyo3(signature = (shape, value, dtype=None, device=None))]
pub(crate) fn full(
    shape: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let shape = lengths(shape)?;
    let wanted = dtype::parse_optional(dtype)?;
    let device = device::parse(value.py(), device)?;
    let elements = shape.iter().fold(1usize, |n, &d| n.saturating_mul(d));
    if let Operand::Number(x) = Operand::from_any(value)? {
        let dtype = wanted.unwrap_or(default_dtype(x));
        check_range(x, dtype)?;
        return Ok(enter(value.py(), elements, || {
            Tensor::full_on(&shape, x, dtype, &device)
        })?
        .into());
    }
    let values = operand::tensor(value)?;
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
fn plain(obj: &Bound<'_, PyAny>) -> PyResult<Scalar> {
    match operand::number(obj)? {
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
    let (from, to, by) = (plain(start)?, plain(stop)?, plain(step)?);
    let (dtype, device) = (
        dtype::parse_optional(dtype)?,
        device::parse(start.py(), device)?,
    );
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
    num: usize,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
    endpoint: bool,
) -> PyResult<State> {
    let (from, to) = (plain(start)?, plain(stop)?);
    let (dtype, device) = (
        dtype::parse_optional(dtype)?,
        device::parse(start.py(), device)?,
    );
    let endpoint = if endpoint {
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
    rows: usize,
    cols: usize,
    k: isize,
    dtype: &Bound<'_, PyAny>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let (dtype, device) = (dtype::parse(dtype)?, device::parse(py, device)?);
    Ok(enter(py, rows.saturating_mul(cols), || {
        create::eye(rows, cols, k, dtype, &device)
    })?
    .into())
}
