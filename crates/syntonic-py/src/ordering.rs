//! Sorting and what follows from it, and running sums.

use crate::arguments::parameter;
use crate::dtype;
use crate::enter::enter;
use crate::operand::{self, Sought};
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::ops::order::{self, Direction, Extreme, Membership, Method, Ranked, Side};
use syntonic_core::ops::scan::{self, Initial};
use syntonic_core::{DType, Error, Scalar, Tensor};

/// A function of one tensor.
fn of(
    x: &Bound<'_, PyAny>,
    work: impl FnOnce(&Tensor) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    Ok(enter(x.py(), t.numel(), || work(&t))?.into())
}

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// An axis, and which way it is put in order; the last one and upwards where nothing is said.
fn order_of(
    op: &'static str,
    axis: Object<'_, '_>,
    descending: Object<'_, '_>,
) -> PyResult<(isize, Direction)> {
    let axis = axis.map_or(Ok(-1), |a| parameter(op, "axis").integer(a))?;
    let down = descending.map_or(Ok(false), |d| parameter(op, "descending").flag(d))?;
    Ok((
        axis,
        match down {
            true => Direction::Descending,
            false => Direction::Ascending,
        },
    ))
}

/// `sort(x, axis, descending)`.
#[pyfunction]
#[pyo3(signature = (x, axis, descending))]
pub(crate) fn sort(
    x: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
    descending: Object<'_, '_>,
) -> PyResult<State> {
    let (axis, direction) = order_of("sort", axis, descending)?;
    of(x, |t| order::sort(t, axis, direction))
}

/// `argsort(x, axis, descending)`.
#[pyfunction]
#[pyo3(signature = (x, axis, descending))]
pub(crate) fn argsort(
    x: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
    descending: Object<'_, '_>,
) -> PyResult<State> {
    let (axis, direction) = order_of("argsort", axis, descending)?;
    of(x, |t| order::argsort(t, axis, direction))
}

/// `topk(x, k, axis, largest, ranked)`: values and positions.
#[pyfunction]
pub(crate) fn topk(
    x: &Bound<'_, PyAny>,
    k: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
    largest: &Bound<'_, PyAny>,
    ranked: &Bound<'_, PyAny>,
) -> PyResult<(State, State)> {
    let op = "topk";
    let t = operand::tensor(x)?;
    let k = parameter(op, "k").size(k)?;
    let axis = parameter(op, "axis").integer(axis)?;
    let extreme = if parameter(op, "largest").flag(largest)? {
        Extreme::Largest
    } else {
        Extreme::Smallest
    };
    let ranked = if parameter(op, "ranked").flag(ranked)? {
        Ranked::InOrder
    } else {
        Ranked::InPlace
    };
    let (values, places) = enter(x.py(), t.numel(), || {
        order::topk(&t, k, axis, extreme, ranked)
    })?;
    Ok((values.into(), places.into()))
}

/// `searchsorted(sorted, values, side, sorter)`.
#[pyfunction]
#[pyo3(signature = (sorted, values, side, sorter=None))]
pub(crate) fn searchsorted(
    sorted: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    side: &Bound<'_, PyAny>,
    sorter: Object<'_, '_>,
) -> PyResult<State> {
    let sides = [("left", Side::Left), ("right", Side::Right)];
    let side = parameter("searchsorted", "side").word(side, &sides)?;
    search(sorted, values, side, sorter)
}

/// Where each of `values` belongs in a sorted vector.
pub(crate) fn search(
    sorted: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    side: Side,
    sorter: Object<'_, '_>,
) -> PyResult<State> {
    let t = operand::tensor(sorted)?;
    let (values, side) = match operand::sought(values, &t)? {
        Sought::Among(values) => (values, side),
        Sought::Below(lowest) => (lowest, Side::Left),
        Sought::Above(highest) => (highest, Side::Right),
    };
    let sorter = sorter
        .map(|sorter| operand::tensor_beside(sorter, &t))
        .transpose()?;
    let found = enter(sorted.py(), values.numel(), || {
        order::searchsorted(&t, &values, side, sorter.as_ref())
    });
    Ok(found?.into())
}

/// `isin(x, set, outside)`.
#[pyfunction]
pub(crate) fn isin(
    x: &Bound<'_, PyAny>,
    set: &Bound<'_, PyAny>,
    outside: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let mut t = operand::tensor(x)?;
    let outside = parameter("isin", "invert").flag(outside)?;
    // A number is where the set is.
    if let (Ok(set), Err(_)) = (set.cast::<State>(), x.cast::<State>()) {
        let device = set.get().tensor.device().clone();
        t = enter(x.py(), 0, || t.to(&device))?;
    }
    let set = match operand::sought(set, &t)? {
        Sought::Among(set) => set,
        // No element can be what its type cannot hold.
        Sought::Below(one) | Sought::Above(one) => {
            enter(x.py(), 0, || one.reshape(&[1])?.slice(0, None, Some(0), 1))?
        }
    };
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
    weights: Object<'_, '_>,
    minlength: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let minlength = parameter("bincount", "minlength").size(minlength)?;
    let t = operand::tensor(x)?;
    let weights = weights
        .map(|weights| operand::tensor_beside(weights, &t))
        .transpose()?;
    let counted = enter(x.py(), t.numel().max(minlength), || {
        order::bincount(&t, weights.as_ref(), minlength)
    });
    Ok(counted?.into())
}

/// `median(x, axis, keepdims)`.
#[pyfunction]
#[pyo3(signature = (x, axis=None, keepdims=None), text_signature = "(x, axis=None, keepdims=False)")]
pub(crate) fn median(
    x: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
    keepdims: Object<'_, '_>,
) -> PyResult<State> {
    let over = parameter("median", "axis").over(axis, keepdims)?;
    of(x, |t| order::median(t, &over))
}

/// `quantile(x, q, axis, keepdims, method)`.
#[pyfunction]
pub(crate) fn quantile(
    x: &Bound<'_, PyAny>,
    q: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
    keepdims: Object<'_, '_>,
    method: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let op = "quantile";
    let over = parameter(op, "axis").over(axis, keepdims)?;
    let methods = [
        ("linear", Method::Linear),
        ("lower", Method::Lower),
        ("higher", Method::Higher),
        ("nearest", Method::Nearest),
        ("midpoint", Method::Midpoint),
    ];
    let method = parameter(op, "method").word(method, &methods)?;
    // A State of one element could be a number too, and would lose its axes.
    if let Some(q @ (Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_))) =
        operand::untyped(op, q, None)?
    {
        return of(x, |t| order::quantile(t, q.to_f64(), &over, method));
    }
    let q = operand::tensor(q)?;
    of(x, |t| {
        let found = order::quantiles(t, &q.to_vec::<f64>()?, &over, method)?;
        if q.ndim() == 1 {
            return Ok(found);
        }
        let lengths = q.shape().iter().chain(&found.shape()[1..]);
        // few: as many as there are axes.
        let shape: Vec<isize> = lengths.map(|&n| n as isize).collect();
        found.reshape(&shape)
    })
}

/// The arguments of a running sum or product behind the first.
type Running = (Option<isize>, Option<DType>, Initial);

fn running(
    op: &'static str,
    axis: Object<'_, '_>,
    dtype: Object<'_, '_>,
    include: Object<'_, '_>,
) -> PyResult<Running> {
    let axis = axis.map(|a| parameter(op, "axis").integer(a)).transpose()?;
    let include = include.map_or(Ok(false), |i| parameter(op, "include_initial").flag(i))?;
    let initial = match include {
        true => Initial::Include,
        false => Initial::Leave,
    };
    Ok((axis, dtype::parse_optional(dtype)?, initial))
}

/// `cumulative_sum(x, axis, dtype, include_initial)`.
#[pyfunction]
#[pyo3(signature = (x, axis, dtype, include_initial))]
pub(crate) fn cumulative_sum(
    x: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
    dtype: Object<'_, '_>,
    include_initial: Object<'_, '_>,
) -> PyResult<State> {
    let (axis, dtype, initial) = running("cumulative_sum", axis, dtype, include_initial)?;
    of(x, |t| scan::cumulative_sum(t, axis, dtype, initial))
}

/// `cumulative_prod(x, axis, dtype, include_initial)`.
#[pyfunction]
#[pyo3(signature = (x, axis, dtype, include_initial))]
pub(crate) fn cumulative_prod(
    x: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
    dtype: Object<'_, '_>,
    include_initial: Object<'_, '_>,
) -> PyResult<State> {
    let (axis, dtype, initial) = running("cumulative_prod", axis, dtype, include_initial)?;
    of(x, |t| scan::cumulative_prod(t, axis, dtype, initial))
}
