//! Sorting and what follows from it, and running sums.

use crate::arguments::over;
use crate::dtype;
use crate::enter::enter;
use crate::errors::{Class, error};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::ops::order::{self, Direction, Extreme, Membership, Method, Ranked, Side};
use syntonic_core::ops::scan::{self, Initial};
use syntonic_core::{Error, Tensor};

/// A function of one tensor.
fn of(
    x: &Bound<'_, PyAny>,
    work: impl FnOnce(&Tensor) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    Ok(enter(x.py(), t.numel(), || work(&t))?.into())
}

fn direction(descending: bool) -> Direction {
    if descending {
        Direction::Descending
    } else {
        Direction::Ascending
    }
}

/// `sort(x, axis, descending)`.
#[pyfunction]
pub(crate) fn sort(x: &Bound<'_, PyAny>, axis: isize, descending: bool) -> PyResult<State> {
    of(x, |t| order::sort(t, axis, direction(descending)))
}

/// `argsort(x, axis, descending)`.
#[pyfunction]
pub(crate) fn argsort(x: &Bound<'_, PyAny>, axis: isize, descending: bool) -> PyResult<State> {
    of(x, |t| order::argsort(t, axis, direction(descending)))
}

/// `topk(x, k, axis, largest, ranked)`: values and positions.
#[pyfunction]
pub(crate) fn topk(
    x: &Bound<'_, PyAny>,
    k: usize,
    axis: isize,
    largest: bool,
    ranked: bool,
) -> PyResult<(State, State)> {
    let t = operand::tensor(x)?;
    let extreme = if largest {
        Extreme::Largest
    } else {
        Extreme::Smallest
    };
    let ranked = if ranked {
        Ranked::InOrder
    } else {
        Ranked::InPlace
    };
    let (values, places) = enter(x.py(), t.numel(), || {
        order::topk(&t, k, axis, extreme, ranked)
    })?;
    Ok((values.into(), places.into()))
}

/// Whether elements belong after equal ones.
pub(crate) fn is_right(side: &str) -> PyResult<bool> {
    match side {
        "left" => Ok(false),
        "right" => Ok(true),
        other => Err(error(
            Class::Argument,
            format!("searchsorted: side {other:?} is unknown; hint: \"left\" or \"right\""),
        )),
    }
}

/// `searchsorted(sorted, values, right, sorter)`.
#[pyfunction]
#[pyo3(signature = (sorted, values, right, sorter=None))]
pub(crate) fn searchsorted(
    sorted: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    right: bool,
    sorter: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let t = operand::tensor(sorted)?;
    let values = operand::tensor_beside(values, &t)?;
    let sorter = sorter
        .map(|sorter| operand::tensor_beside(sorter, &t))
        .transpose()?;
    let side = if right { Side::Right } else { Side::Left };
    let found = enter(sorted.py(), values.numel(), || {
        order::searchsorted(&t, &values, side, sorter.as_ref())
    });
    Ok(found?.into())
}

/// `isin(x, set, outside)`.
#[pyfunction]
pub(crate) fn isin(x: &Bound<'_, PyAny>, set: &Bound<'_, PyAny>, outside: bool) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let set = operand::tensor_beside(set, &t)?;
    let membership = if outside {
        Membership::Outside
    } else {
        Membership::Inside
    };
    Ok(enter(x.py(), t.numel(), || order::isin(&t, &set, membership))?.into())
}

/// `unique(x)`: values, first positions, inverse, counts.
#[pyfunction]
pub(crate) fn unique(x: &Bound<'_, PyAny>) -> PyResult<(State, State, State, State)> {
    let t = operand::tensor(x)?;
    let found = enter(x.py(), t.numel(), || order::unique(&t))?;
    Ok((
        found.values.into(),
        found.indices.into(),
        found.inverse.into(),
        found.counts.into(),
    ))
}

/// `bincount(x, weights, minlength)`.
#[pyfunction]
#[pyo3(signature = (x, weights, minlength))]
pub(crate) fn bincount(
    x: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    minlength: usize,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let weights = weights
        .map(|weights| operand::tensor_beside(weights, &t))
        .transpose()?;
    let counted = enter(x.py(), t.numel(), || {
        order::bincount(&t, weights.as_ref(), minlength)
    });
    Ok(counted?.into())
}

/// `median(x, axis, keepdims)`.
#[pyfunction]
#[pyo3(signature = (x, axis=None, keepdims=false))]
pub(crate) fn median(
    x: &Bound<'_, PyAny>,
    axis: Option<&Bound<'_, PyAny>>,
    keepdims: bool,
) -> PyResult<State> {
    let over = over(axis, keepdims)?;
    of(x, |t| order::median(t, &over))
}

/// `quantile(x, q, axis, keepdims, method)`.
#[pyfunction]
pub(crate) fn quantile(
    x: &Bound<'_, PyAny>,
    q: &Bound<'_, PyAny>,
    axis: Option<&Bound<'_, PyAny>>,
    keepdims: bool,
    method: &str,
) -> PyResult<State> {
    let over = over(axis, keepdims)?;
    let method = match method {
        "linear" => Method::Linear,
        "lower" => Method::Lower,
        "higher" => Method::Higher,
        "nearest" => Method::Nearest,
        "midpoint" => Method::Midpoint,
        other => {
            return Err(error(
                Class::Argument,
                format!(
                    "quantile: method {other:?} is unknown; hint: linear, lower, higher, nearest or midpoint"
                ),
            ));
        }
    };
    if let Ok(q) = q.extract::<f64>() {
        return of(x, |t| order::quantile(t, q, &over, method));
    }
    let q = operand::tensor(q)?;
    of(x, |t| {
        order::quantiles(t, &q.to_vec::<f64>()?, &over, method)
    })
}

fn initial(include: bool) -> Initial {
    if include {
        Initial::Include
    } else {
        Initial::Leave
    }
}

/// `cumulative_sum(x, axis, dtype, include_initial)`.
#[pyfunction]
#[pyo3(signature = (x, axis, dtype, include_initial))]
pub(crate) fn cumulative_sum(
    x: &Bound<'_, PyAny>,
    axis: Option<isize>,
    dtype: Option<&Bound<'_, PyAny>>,
    include_initial: bool,
) -> PyResult<State> {
    let dtype = dtype::parse_optional(dtype)?;
    of(x, |t| {
        scan::cumulative_sum(t, axis, dtype, initial(include_initial))
    })
}

/// `cumulative_prod(x, axis, dtype, include_initial)`.
#[pyfunction]
#[pyo3(signature = (x, axis, dtype, include_initial))]
pub(crate) fn cumulative_prod(
    x: &Bound<'_, PyAny>,
    axis: Option<isize>,
    dtype: Option<&Bound<'_, PyAny>>,
    include_initial: bool,
) -> PyResult<State> {
    let dtype = dtype::parse_optional(dtype)?;
    of(x, |t| {
        scan::cumulative_prod(t, axis, dtype, initial(include_initial))
    })
}
