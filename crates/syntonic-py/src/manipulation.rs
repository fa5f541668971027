//! Putting tensors together and picking elements out.

use crate::arguments::{Parameter, parameter};
use crate::enter::{Turns, enter};
use crate::errors::{Class, error, raise};
use crate::memory::{apart, made, object};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple};
use syntonic_core::fuse::Prim;
use syntonic_core::layout::{Dims, broadcast_pair, normalize_axis};
use syntonic_core::ops::elementwise::{apply, clip};
use syntonic_core::ops::pad::{self as padding, Padding};
use syntonic_core::ops::{difference, gather, join, rearrange};
use syntonic_core::{DType, Error, Scalar, Tensor};

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// An integer, or none.
fn optional(parameter: Parameter, given: Object<'_, '_>) -> PyResult<Option<isize>> {
    given.map(|x| parameter.integer(x)).transpose()
}

/// True for a Python integer and what stands for one; arrays of one integer are arrays.
fn is_integer(obj: &Bound<'_, PyAny>) -> bool {
    obj.extract::<i64>().is_ok() || obj.is_instance_of::<PyInt>()
}

fn total(tensors: &[Tensor]) -> usize {
    tensors.iter().map(Tensor::numel).sum()
}

fn refs(tensors: &[Tensor]) -> Vec<&Tensor> {
    tensors.iter().collect()
}

/// A list of States.
fn states(py: Python<'_>, tensors: Vec<Tensor>) -> PyResult<Bound<'_, PyList>> {
    made::list(py, tensors.len(), &mut Turns::new(), |k, _| {
        Ok(object::new(py, tensors[k].clone())?.into_any())
    })
}

/// `concat(arrays, axis)`; `None` flattens first.
#[pyfunction]
#[pyo3(signature = (arrays, axis=None))]
pub(crate) fn concat(arrays: &Bound<'_, PyAny>, axis: Object<'_, '_>) -> PyResult<State> {
    let axis = optional(parameter("concat", "axis"), axis)?;
    let all = parameter("concat", "arrays").tensors(arrays)?;
    Ok(enter(arrays.py(), total(&all), || join::concat(&refs(&all), axis))?.into())
}

/// `stack(arrays, axis)`.
#[pyfunction]
pub(crate) fn stack(arrays: &Bound<'_, PyAny>, axis: &Bound<'_, PyAny>) -> PyResult<State> {
    let axis = parameter("stack", "axis").integer(axis)?;
    let all = parameter("stack", "arrays").tensors(arrays)?;
    Ok(enter(arrays.py(), total(&all), || join::stack(&refs(&all), axis))?.into())
}

/// `split(x, sections or positions, axis)`: views.
#[pyfunction]
pub(crate) fn split<'py>(
    x: &Bound<'py, PyAny>,
    sections: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let axis = parameter("split", "axis").integer(axis)?;
    let t = operand::tensor(x)?;
    let parts = match is_integer(sections) {
        true => {
            let count = parameter("split", "sections").size(sections)?;
            enter(x.py(), 0, || join::split(&t, count, axis))?
        }
        false => {
            let positions = parameter("split", "sections").integers(sections)?;
            enter(x.py(), 0, || join::split_at(&t, &positions, axis))?
        }
    };
    states(x.py(), parts)
}

/// `unstack(x, axis)`: views.
#[pyfunction]
pub(crate) fn unstack<'py>(
    x: &Bound<'py, PyAny>,
    axis: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let axis = parameter("unstack", "axis").integer(axis)?;
    let t = operand::tensor(x)?;
    states(x.py(), enter(x.py(), 0, || join::unstack(&t, axis))?)
}

/// `broadcast_arrays(arrays)`: views that cannot be written.
#[pyfunction]
pub(crate) fn broadcast_arrays<'py>(arrays: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let all = parameter("broadcast_arrays", "arrays").tensors(arrays)?;
    let views = enter(arrays.py(), 0, || join::broadcast_arrays(&refs(&all)))?;
    states(
        arrays.py(),
        views.into_iter().map(Tensor::read_only).collect(),
    )
}

/// `broadcast_shapes(shapes)`: what they broadcast to.
#[pyfunction]
pub(crate) fn broadcast_shapes<'py>(shapes: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let named = parameter("broadcast_shapes", "shapes");
    let mut common = Dims::new();
    for shape in shapes.try_iter()? {
        let shape = named.lengths(&shape?)?;
        common = broadcast_pair(&common, &shape).ok_or_else(|| {
            let (op, hint) = (
                "broadcast_shapes",
                "aligned from the right, each pair of lengths must be equal or 1",
            );
            error(
                Class::Shape,
                format!("{op}: {common:?} and {shape:?} do not fit; hint: {hint}"),
            )
        })?;
    }
    PyTuple::new(shapes.py(), common.iter())
}

/// `diff(x, n, axis, prepend, append)`.
#[pyfunction]
#[pyo3(signature = (x, n, axis, prepend=None, append=None))]
pub(crate) fn diff(
    x: &Bound<'_, PyAny>,
    n: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
    prepend: Object<'_, '_>,
    append: Object<'_, '_>,
) -> PyResult<State> {
    let n = parameter("diff", "n").size(n)?;
    let axis = parameter("diff", "axis").integer(axis)?;
    let t = operand::tensor(x)?;
    let beside = |given: Object<'_, '_>| given.map(|g| operand::tensor_beside(g, &t)).transpose();
    let (before, behind) = (beside(prepend)?, beside(append)?);
    let out = enter(x.py(), t.numel(), || {
        let out = difference::diff(&t, n, axis, before.as_ref(), behind.as_ref())?;
        apart(out, &[&t])
    })?;
    Ok(out.into())
}

/// `meshgrid(vectors, indexing)`.
#[pyfunction]
pub(crate) fn meshgrid<'py>(
    vectors: &Bound<'py, PyAny>,
    indexing: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let orders = [("xy", join::Indexing::Xy), ("ij", join::Indexing::Ij)];
    let order = parameter("meshgrid", "indexing").word(indexing, &orders)?;
    let all = parameter("meshgrid", "arrays").tensors(vectors)?;
    let whole = all.iter().fold(1usize, |n, t| n.saturating_mul(t.numel()));
    let copies = enter(vectors.py(), whole, || {
        let views = join::meshgrid(&refs(&all), order)?;
        views.iter().map(Tensor::copy).collect::<Result<_, Error>>()
    })?;
    states(vectors.py(), copies)
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
    axis: Object<'_, '_>,
) -> PyResult<State> {
    let axis = optional(parameter("take", "axis"), axis)?;
    picked(x, indices, |t, indices| gather::take(t, indices, axis))
}

/// What becomes of positions that are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outside {
    /// They are an error.
    Refused,
    /// They go round.
    Wrapped,
    /// They are those of the ends.
    Clipped,
}

impl Outside {
    /// As NumPy names them.
    pub(crate) fn read(op: &'static str, mode: &Bound<'_, PyAny>) -> PyResult<Outside> {
        let modes = [
            ("raise", Outside::Refused),
            ("wrap", Outside::Wrapped),
            ("clip", Outside::Clipped),
        ];
        parameter(op, "mode").word(mode, &modes)
    }

    /// Positions among `count` that are there.
    fn within(self, indices: Tensor, count: usize) -> Result<Tensor, Error> {
        let count = Scalar::Int(count as i128);
        match self {
            Outside::Refused => Ok(indices),
            Outside::Wrapped => apply(Prim::Rem, &[(&indices).into(), count.into()]),
            Outside::Clipped => {
                let last = Scalar::Int(count.to_i128() - 1);
                clip(&indices, Some(Scalar::Int(0).into()), Some(last.into()))
            }
        }
    }
}

/// [`take`], where positions may lie outside.
pub(crate) fn take_any(
    x: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
    outside: Outside,
) -> PyResult<State> {
    let axis = optional(parameter("take", "axis"), axis)?;
    picked(x, indices, |t, indices| {
        let count = match axis {
            None => t.numel(),
            Some(axis) => t.shape()[normalize_axis("take", axis, t.ndim())?],
        };
        let indices = outside.within(indices.cast(DType::I64)?, count)?;
        gather::take(t, &indices, axis)
    })
}

/// Puts values, again and again from the first where there are fewer of them, at positions of the elements in row-major order.
pub(crate) fn put(
    x: &Bound<'_, State>,
    indices: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    outside: Outside,
) -> PyResult<()> {
    let (py, t) = (x.py(), &x.get().tensor);
    t.check_writable("put").map_err(raise)?;
    let indices = operand::tensor_beside(indices, t)?;
    let is_number = operand::untyped("put", values, None)?.is_some();
    let values = x.get().values("put", values)?;
    // As an assignment writes them, which forgets no imaginary part. A number of Python's has no type.
    if values.dtype().is_complex() || t.dtype().is_stored() && !is_number {
        x.get().check_kind("put", &values)?;
    }
    let done = enter(py, t.numel(), || {
        let mut flat = t.copy()?.reshape(&[-1])?;
        let indices = outside.within(indices.reshape(&[-1])?, t.numel())?;
        let (wanted, given) = (indices.numel(), values.numel());
        if wanted > 0 && given > 0 {
            let mut values = values.cast(t.dtype())?.reshape(&[-1])?;
            if given < wanted {
                values = rearrange::tile(&values, &[wanted.div_ceil(given)])?;
            }
            let values = values.slice(0, None, Some(wanted as isize), 1)?;
            gather::scatter(&mut flat, 0, &indices, &values)?;
        }
        let shape: Vec<isize> = t.shape().iter().map(|&n| n as isize).collect();
        flat.reshape(&shape)
    })?;
    x.get().write(py, &done)
}

/// `take_along_axis(x, indices, axis)`.
#[pyfunction]
pub(crate) fn take_along_axis(
    x: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let axis = parameter("take_along_axis", "axis").integer(axis)?;
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
    axis: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    add: bool,
) -> PyResult<State> {
    let op = if add { "scatter_add" } else { "scatter" };
    let axis = parameter(op, "axis").integer(axis)?;
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

/// A function of one tensor and plain arguments, whose result is a tensor of its own.
fn of(
    x: &Bound<'_, PyAny>,
    work: impl FnOnce(&Tensor) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    Ok(enter(x.py(), usize::MAX, || apart(work(&t)?, &[&t]))?.into())
}

/// `tile(x, repetitions)`.
#[pyfunction]
pub(crate) fn tile(x: &Bound<'_, PyAny>, repetitions: &Bound<'_, PyAny>) -> PyResult<State> {
    let repetitions = parameter("tile", "repetitions").lengths(repetitions)?;
    of(x, |t| rearrange::tile(t, &repetitions))
}

/// `repeat(x, repeats, axis)`: one number, or one for each element.
#[pyfunction]
#[pyo3(signature = (x, repeats, axis))]
pub(crate) fn repeat(
    x: &Bound<'_, PyAny>,
    repeats: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
) -> PyResult<State> {
    let axis = optional(parameter("repeat", "axis"), axis)?;
    if is_integer(repeats) {
        let times = parameter("repeat", "repeats").size(repeats)?;
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
    let shifts = parameter("roll", "shift").integers(shift)?;
    let shifts: Vec<i64> = shifts.iter().map(|&s| s as i64).collect();
    let axes = axis
        .map(|a| parameter("roll", "axis").integers(a))
        .transpose()?;
    of(x, |t| rearrange::roll(t, &shifts, axes.as_deref()))
}

/// What comes into the new places, before the value of a constant is known.
#[derive(Clone, Copy)]
enum Filler {
    Constant,
    Other(Padding),
}

/// `pad(x, widths, mode, value)`: one width, a pair, or a pair for each axis.
#[pyfunction]
pub(crate) fn pad(
    x: &Bound<'_, PyAny>,
    widths: &Bound<'_, PyAny>,
    mode: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let op = "pad";
    let modes = [
        ("constant", Filler::Constant),
        ("edge", Filler::Other(Padding::Edge)),
        ("reflect", Filler::Other(Padding::Reflect)),
        ("symmetric", Filler::Other(Padding::Symmetric)),
        ("wrap", Filler::Other(Padding::Wrap)),
    ];
    let t = operand::tensor(x)?;
    let filler = match parameter(op, "mode").word(mode, &modes)? {
        Filler::Other(padding) => padding,
        Filler::Constant => {
            Padding::Constant(match operand::untyped(op, value, Some(t.dtype()))? {
                Some(number) => number,
                None => operand::tensor(value)?.item().map_err(raise)?,
            })
        }
    };
    let widths = pairs(parameter(op, "widths"), widths, t.ndim())?;
    Ok(enter(x.py(), usize::MAX, || padding::pad(&t, &widths, filler))?.into())
}

/// The items of a sequence, if it is one.
fn listed<'py>(of: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    of.try_iter().ok()?.collect::<PyResult<_>>().ok()
}

/// A width before and one after each of `ndim` axes: as in NumPy whatever broadcasts to a pair for each axis.
fn pairs(
    parameter: Parameter,
    widths: &Bound<'_, PyAny>,
    ndim: usize,
) -> PyResult<Vec<(usize, usize)>> {
    let wrong = || {
        parameter.refuse(
            Class::ArgumentType,
            widths,
            "a width, one or a pair in a sequence, or a sequence of such for each axis",
        )
    };
    let pair = |widths: &[Bound<'_, PyAny>]| match widths {
        [both] => parameter.size(both).map(|both| (both, both)),
        [before, after] => Ok((parameter.size(before)?, parameter.size(after)?)),
        _ => Err(wrong()),
    };
    if is_integer(widths) {
        return Ok(vec![pair(std::slice::from_ref(widths))?; ndim]);
    }
    let items = listed(widths).ok_or_else(wrong)?;
    if items.is_empty() && ndim == 0 {
        return Ok(Vec::new());
    }
    if items.iter().all(is_integer) {
        return Ok(vec![pair(&items)?; ndim]);
    }
    let each: Vec<_> = items
        .iter()
        .map(|item| pair(&listed(item).ok_or_else(wrong)?))
        .collect::<PyResult<_>>()?;
    match each[..] {
        [one] => Ok(vec![one; ndim]),
        _ => Ok(each),
    }
}

/// `tril(x, k)`.
#[pyfunction]
pub(crate) fn tril(x: &Bound<'_, PyAny>, k: &Bound<'_, PyAny>) -> PyResult<State> {
    let k = parameter("tril", "k").saturated(k)? as i64;
    of(x, |t| rearrange::tril(t, k))
}

/// `triu(x, k)`.
#[pyfunction]
pub(crate) fn triu(x: &Bound<'_, PyAny>, k: &Bound<'_, PyAny>) -> PyResult<State> {
    let k = parameter("triu", "k").saturated(k)? as i64;
    of(x, |t| rearrange::triu(t, k))
}
