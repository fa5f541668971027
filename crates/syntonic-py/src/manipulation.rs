//! Putting tensors together and picking elements out.

use crate::arguments::{integers, lengths, tensors};
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::memory::{made, object};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyList;
use syntonic_core::ops::pad::{self as padding, Padding};
use syntonic_core::ops::{gather, join, rearrange};
use syntonic_core::{Error, Tensor};

fn total(tensors: &[Tensor]) -> usize {
    tensors.iter().map(Tensor::numel).sum()
}

fn refs(tensors: &[Tensor]) -> Vec<&Tensor> {
    tensors.iter().collect()
}

/// A list of States.
fn states(py: Python<'_>, tensors: Vec<Tensor>) -> PyResult<Bound<'_, PyList>> {
    made::list(py, tensors.len(), |k| {
        Ok(object::new(py, tensors[k].clone())?.into_any())
    })
}

/// `concat(arrays, axis)`; `None` flattens first.
#[pyfunction]
#[pyo3(signature = (arrays, axis=None))]
pub(crate) fn concat(arrays: &Bound<'_, PyAny>, axis: Option<isize>) -> PyResult<State> {
    let all = tensors(arrays)?;
    Ok(enter(arrays.py(), total(&all), || join::concat(&refs(&all), axis))?.into())
}

/// `stack(arrays, axis)`.
#[pyfunction]
pub(crate) fn stack(arrays: &Bound<'_, PyAny>, axis: isize) -> PyResult<State> {
    let all = tensors(arrays)?;
    Ok(enter(arrays.py(), total(&all), || join::stack(&refs(&all), axis))?.into())
}

/// `split(x, sections or positions, axis)`: views.
#[pyfunction]
pub(crate) fn split<'py>(
    x: &Bound<'py, PyAny>,
    sections: &Bound<'_, PyAny>,
    axis: isize,
) -> PyResult<Bound<'py, PyList>> {
    let t = operand::tensor(x)?;
    let parts = match sections.extract::<usize>() {
        Ok(count) => enter(x.py(), 0, || join::split(&t, count, axis))?,
        Err(_) => {
            let positions = integers(sections)?;
            enter(x.py(), 0, || join::split_at(&t, &positions, axis))?
        }
    };
    states(x.py(), parts)
}

/// `unstack(x, axis)`: views.
#[pyfunction]
pub(crate) fn unstack<'py>(x: &Bound<'py, PyAny>, axis: isize) -> PyResult<Bound<'py, PyList>> {
    let t = operand::tensor(x)?;
    states(x.py(), enter(x.py(), 0, || join::unstack(&t, axis))?)
}

/// `broadcast_arrays(arrays)`: views.
#[pyfunction]
pub(crate) fn broadcast_arrays<'py>(arrays: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let all = tensors(arrays)?;
    states(
        arrays.py(),
        enter(arrays.py(), 0, || join::broadcast_arrays(&refs(&all)))?,
    )
}

/// `meshgrid(vectors, matrix)`: views.
#[pyfunction]
pub(crate) fn meshgrid<'py>(
    vectors: &Bound<'py, PyAny>,
    matrix: bool,
) -> PyResult<Bound<'py, PyList>> {
    let all = tensors(vectors)?;
    let order = if matrix {
        join::Indexing::Ij
    } else {
        join::Indexing::Xy
    };
    states(
        vectors.py(),
        enter(vectors.py(), 0, || join::meshgrid(&refs(&all), order))?,
    )
}

/// A function of a tensor, indices and an axis.
fn picked(
    x: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    work: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let indices = operand::tensor_beside(indices, &t)?;
    Ok(enter(x.py(), indices.numel().max(t.numel()), || {
        work(&t, &indices)
    })?
    .into())
}

/// `take(x, indices, axis)`.
#[pyfunction]
#[pyo3(signature = (x, indices, axis=None))]
pub(crate) fn take(
    x: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    axis: Option<isize>,
) -> PyResult<State> {
    picked(x, indices, |t, indices| gather::take(t, indices, axis))
}

/// `take_along_axis(x, indices, axis)`.
#[pyfunction]
pub(crate) fn take_along_axis(
    x: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    axis: isize,
) -> PyResult<State> {
    picked(x, indices, |t, indices| {
        gather::take_along_axis(t, indices, axis)
    })
}

/// `nonzero(x)`: positions along each axis.
#[pyfunction]
pub(crate) fn nonzero<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let t = operand::tensor(x)?;
    states(x.py(), enter(x.py(), t.numel(), || gather::nonzero(&t))?)
}

/// `scatter(x, axis, indices, values, add)`: a copy of `x` with values put, or added, at positions along an axis.
#[pyfunction]
pub(crate) fn scatter(
    x: &Bound<'_, PyAny>,
    axis: isize,
    indices: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    add: bool,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let indices = operand::tensor_beside(indices, &t)?;
    let values = operand::tensor_beside(values, &t)?;
    let done = enter(x.py(), t.numel(), || {
        let mut out = t.copy()?;
        if add {
            gather::scatter_add(&mut out, axis, &indices, &values)?;
        } else {
            gather::scatter(&mut out, axis, &indices, &values)?;
        }
        Ok(out)
    });
    Ok(done?.into())
}

/// A function of one tensor and plain arguments.
fn of(
    x: &Bound<'_, PyAny>,
    work: impl FnOnce(&Tensor) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    Ok(enter(x.py(), usize::MAX, || work(&t))?.into())
}

/// `tile(x, repetitions)`.
#[pyfunction]
pub(crate) fn tile(x: &Bound<'_, PyAny>, repetitions: &Bound<'_, PyAny>) -> PyResult<State> {
    let repetitions = lengths(repetitions)?;
    of(x, |t| rearrange::tile(t, &repetitions))
}

/// `repeat(x, repeats, axis)`: one number, or one for each element.
#[pyfunction]
#[pyo3(signature = (x, repeats, axis))]
pub(crate) fn repeat(
    x: &Bound<'_, PyAny>,
    repeats: &Bound<'_, PyAny>,
    axis: Option<isize>,
) -> PyResult<State> {
    if let Ok(times) = repeats.extract::<usize>() {
        return of(x, |t| rearrange::repeat(t, times, axis));
    }
    let counts = operand::tensor_beside(repeats, &operand::tensor(x)?)?;
    of(x, |t| rearrange::repeat_each(t, &counts, axis))
}

/// `roll(x, shift, axis)`.
#[pyfunction]
#[pyo3(signature = (x, shift, axis))]
pub(crate) fn roll(
    x: &Bound<'_, PyAny>,
    shift: &Bound<'_, PyAny>,
    axis: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let shifts: Vec<i64> = integers(shift)?.iter().map(|&s| s as i64).collect();
    let axes = axis.map(integers).transpose()?;
    of(x, |t| rearrange::roll(t, &shifts, axes.as_deref()))
}

/// `pad(x, widths, mode, value)`: a pair of widths for each axis.
#[pyfunction]
pub(crate) fn pad(
    x: &Bound<'_, PyAny>,
    widths: Vec<(usize, usize)>,
    mode: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let filler = match mode {
        "constant" => Padding::Constant(operand::tensor(value)?.item().map_err(raise)?),
        "edge" => Padding::Edge,
        "reflect" => Padding::Reflect,
        "symmetric" => Padding::Symmetric,
        "wrap" => Padding::Wrap,
        other => {
            return Err(error(
                Class::Argument,
                format!(
                    "pad: mode {other:?} is unknown; hint: constant, edge, reflect, symmetric or wrap"
                ),
            ));
        }
    };
    of(x, |t| padding::pad(t, &widths, filler))
}

/// `tril(x, k)`.
#[pyfunction]
pub(crate) fn tril(x: &Bound<'_, PyAny>, k: i64) -> PyResult<State> {
    of(x, |t| rearrange::tril(t, k))
}

/// `triu(x, k)`.
#[pyfunction]
pub(crate) fn triu(x: &Bound<'_, PyAny>, k: i64) -> PyResult<State> {
    of(x, |t| rearrange::triu(t, k))
}
