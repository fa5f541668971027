//! Other ways to walk the same memory: reshape, transpose and their kin.

use crate::arguments::{Integers, Parameter, parameter};
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::memory::object;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use syntonic_core::Error;
use syntonic_core::layout::{Dims, normalize_axis};

/// What `reshape` is asked for.
pub(crate) const LENGTHS: Parameter = parameter("reshape", "shape");

/// Reshapes; the interpreter is released only where that needs a copy of something large.
#[inline]
fn reshape_to<'py>(py: Python<'py>, x: &State, shape: &[isize]) -> PyResult<Bound<'py, State>> {
    let t = &x.tensor;
    if let Some(lengths) = whole(t.numel(), shape) {
        let mut fits = false;
        let made = x.view(py, |t| {
            fits = t.refit(&lengths);
            Ok(())
        })?;
        if fits {
            return Ok(made);
        }
    }
    let work = if t.is_contiguous() { 0 } else { t.numel() };
    Bound::new(py, State::from(enter(py, work, || t.reshape(shape))?))
}

/// The lengths with the one that is -1 worked out, where that can be done.
#[inline]
pub(crate) fn whole(count: usize, shape: &[isize]) -> Option<Dims> {
    let mut lengths = Dims::new();
    let (mut known, mut open) = (1usize, None);
    for (axis, &n) in shape.iter().enumerate() {
        if n == -1 && open.is_none() {
            open = Some(axis);
            lengths.push(1);
            continue;
        }
        let n = usize::try_from(n).ok()?;
        known = known.checked_mul(n)?;
        lengths.push(n);
    }
    if let Some(axis) = open {
        lengths[axis] = count.checked_div(known)?;
    }
    Some(lengths)
}

/// In which order elements are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Row by row: the last index runs first.
    Rows,
    /// Column by column: the first index runs first.
    Columns,
}

impl Order {
    /// As NumPy's letters name it. "A" and "K" leave the choice to the layout, and here rows are always read first.
    pub(crate) fn read(op: &'static str, order: Option<&Bound<'_, PyAny>>) -> PyResult<Order> {
        let orders = [
            ("C", Order::Rows),
            ("F", Order::Columns),
            ("A", Order::Rows),
            ("K", Order::Rows),
            ("c", Order::Rows),
            ("f", Order::Columns),
            ("a", Order::Rows),
            ("k", Order::Rows),
        ];
        order.map_or(Ok(Order::Rows), |o| parameter(op, "order").word(o, &orders))
    }
}

/// Reshapes in an order of elements, with a copy, without one, or with one where it is needed.
#[cold]
fn reshape_as<'py>(
    py: Python<'py>,
    x: &State,
    mut shape: Integers,
    order: Order,
    copy: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, State>> {
    let copy = copy.filter(|c| !c.is_none());
    let copy = copy
        .map(|copy| parameter("reshape", "copy").flag(copy))
        .transpose()?;
    let mut t = x.tensor.clone();
    if order == Order::Columns {
        t.reverse_axes();
        shape.reverse();
    }
    let from = match copy {
        Some(true) => enter(py, t.numel(), || t.copy())?,
        _ => t,
    };
    let from = State::from(from);
    let made = reshape_to(py, &from, &shape)?;
    if copy == Some(false) && !crate::memory::foreign::shares(&from.tensor, &made.get().tensor)? {
        return Err(error(
            Class::Argument,
            "reshape: this layout cannot take the shape without a copy; hint: allow copy=None",
        ));
    }
    match order {
        Order::Rows => Ok(made),
        Order::Columns => made.get().view(py, |t| {
            t.reverse_axes();
            Ok(())
        }),
    }
}

#[pymethods]
impl State {
    /// The same elements in row-major order under another shape; one length may be -1. The lengths come
    /// one by one, up to eight, or as one sequence of any number. With `order="F"` both shapes are read and filled column by
    /// column.
    // Separate parameters cost less than a tuple of them, and this is called for every small array.
    #[allow(clippy::too_many_arguments, reason = "see above")]
    #[pyo3(
        signature = (a, b=None, c=None, d=None, e=None, f=None, g=None, h=None, /, *, order=None, copy=None),
        text_signature = "($self, *shape, order='C', copy=None)"
    )]
    fn reshape<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'_, PyAny>,
        b: Option<&Bound<'_, PyAny>>,
        c: Option<&Bound<'_, PyAny>>,
        d: Option<&Bound<'_, PyAny>>,
        e: Option<&Bound<'_, PyAny>>,
        f: Option<&Bound<'_, PyAny>>,
        g: Option<&Bound<'_, PyAny>>,
        h: Option<&Bound<'_, PyAny>>,
        order: Option<&Bound<'_, PyAny>>,
        copy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, State>> {
        let shape = match b {
            None => LENGTHS.integers(a)?,
            Some(b) => {
                let mut shape = Integers::from_slice(&[LENGTHS.integer(a)?, LENGTHS.integer(b)?]);
                for length in [c, d, e, f, g, h].into_iter().flatten() {
                    shape.push(LENGTHS.integer(length)?);
                }
                shape
            }
        };
        if order.is_none() && copy.is_none() {
            return reshape_to(py, self, &shape);
        }
        reshape_as(py, self, shape, Order::read("reshape", order)?, copy)
    }

    /// The axes in a new order, or reversed without arguments; a view.
    #[pyo3(signature = (*axes))]
    fn transpose(&self, axes: &Bound<'_, PyTuple>) -> PyResult<State> {
        let order = match axes.len() {
            0 => (0..self.tensor.ndim() as isize).rev().collect::<Integers>(),
            _ => parameter("transpose", "axes").spread(axes)?,
        };
        Ok(self.tensor.permute(&order).map_err(raise)?.into())
    }

    /// Without the axes of length 1, or without these; a view.
    #[pyo3(signature = (axis=None))]
    fn squeeze(&self, axis: Option<&Bound<'_, PyAny>>) -> PyResult<State> {
        let t = &self.tensor;
        let ones = || {
            (0..t.ndim())
                .filter(|&a| t.shape()[a] == 1)
                .map(|a| a as isize)
                .collect()
        };
        let axes = axis.map(|a| parameter("squeeze", "axis").integers(a));
        let axes = axes.transpose()?.unwrap_or_else(ones);
        Ok(t.squeeze(&axes).map_err(raise)?.into())
    }

    /// The elements in row-major order in one axis, one behind the other: a view where they lie so, else a copy, as in NumPy. With
    /// `order="F"` column by column.
    #[pyo3(signature = (order=None), text_signature = "($self, order='C')")]
    pub(crate) fn ravel<'py>(
        &self,
        py: Python<'py>,
        order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, State>> {
        let made = match order {
            None => reshape_to(py, self, &[-1]),
            order => reshape_as(
                py,
                self,
                Integers::from_slice(&[-1]),
                Order::read("ravel", order)?,
                None,
            ),
        }?;
        let t = &made.get().tensor;
        if t.is_contiguous() {
            return Ok(made);
        }
        object::new(py, enter(py, t.numel(), || t.copy())?)
    }

    /// The elements in row-major order in one axis; always a copy. With `order="F"` column by column.
    #[pyo3(signature = (order=None), text_signature = "($self, order='C')")]
    fn flatten(&self, py: Python<'_>, order: Option<&Bound<'_, PyAny>>) -> PyResult<State> {
        let mut t = self.tensor.clone();
        if Order::read("flatten", order)? == Order::Columns {
            t.reverse_axes();
        }
        Ok(enter(py, t.numel(), || t.copy()?.reshape(&[t.numel() as isize]))?.into())
    }

    /// Two axes exchanged; a view.
    fn swapaxes(&self, axis1: &Bound<'_, PyAny>, axis2: &Bound<'_, PyAny>) -> PyResult<State> {
        let axis1 = parameter("swapaxes", "axis1").integer(axis1)?;
        let axis2 = parameter("swapaxes", "axis2").integer(axis2)?;
        Ok(self.tensor.transpose(axis1, axis2).map_err(raise)?.into())
    }

    /// A diagonal of two axes, moved to the end; a view.
    #[pyo3(signature = (offset=None, axis1=None, axis2=None), text_signature = "($self, offset=0, axis1=0, axis2=1)")]
    fn diagonal(
        &self,
        offset: Option<&Bound<'_, PyAny>>,
        axis1: Option<&Bound<'_, PyAny>>,
        axis2: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<State> {
        let read = |name, given: Option<&Bound<'_, PyAny>>, default| {
            given.map_or(Ok(default), |x| parameter("diagonal", name).integer(x))
        };
        let offset = read("offset", offset, 0)?;
        let (axis1, axis2) = (read("axis1", axis1, 0)?, read("axis2", axis2, 1)?);
        Ok(self
            .tensor
            .diagonal(offset, axis1, axis2)
            .map_err(raise)?
            .into())
    }
}

/// `reshape(x, shape, copy)`.
#[pyfunction]
#[pyo3(signature = (x, shape, copy=None))]
pub(crate) fn reshape<'py>(
    x: &Bound<'py, PyAny>,
    shape: &Bound<'_, PyAny>,
    copy: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, State>> {
    let shape = LENGTHS.integers(shape)?;
    let made = State::from(operand::tensor(x)?);
    reshape_as(x.py(), &made, shape, Order::Rows, copy)
}

/// `permute_dims(x, axes)`.
#[pyfunction]
pub(crate) fn permute_dims(x: &Bound<'_, PyAny>, axes: &Bound<'_, PyAny>) -> PyResult<State> {
    Ok(operand::tensor(x)?
        .permute(&parameter("permute_dims", "axes").integers(axes)?)
        .map_err(raise)?
        .into())
}

/// `moveaxis(x, source, destination)`.
#[pyfunction]
pub(crate) fn moveaxis(
    x: &Bound<'_, PyAny>,
    source: &Bound<'_, PyAny>,
    destination: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let op = "moveaxis";
    let t = operand::tensor(x)?;
    let places = |name, given| -> PyResult<Vec<usize>> {
        let axes = parameter(op, name).integers(given)?;
        let places: Result<Vec<usize>, _> = axes
            .iter()
            .map(|&axis| normalize_axis(op, axis, t.ndim()))
            .collect();
        let places = places.map_err(raise)?;
        match (1..places.len()).find(|&k| places[..k].contains(&places[k])) {
            Some(k) => Err(raise(Error::Axis {
                op,
                axis: axes[k],
                ndim: t.ndim(),
            })),
            None => Ok(places),
        }
    };
    let (from, to) = (
        places("source", source)?,
        places("destination", destination)?,
    );
    if from.len() != to.len() {
        return Err(error(
            Class::Axis,
            format!(
                "{op}: {} axes for {} places; hint: name as many in source as in destination",
                from.len(),
                to.len()
            ),
        ));
    }
    let mut order: Vec<isize> = (0..t.ndim())
        .filter(|axis| !from.contains(axis))
        .map(|axis| axis as isize)
        .collect();
    let mut moves: Vec<(usize, usize)> = to.into_iter().zip(from).collect();
    moves.sort_unstable();
    for (place, axis) in moves {
        order.insert(place, axis as isize);
    }
    Ok(t.permute(&order).map_err(raise)?.into())
}

/// `expand_dims(x, axis)`.
#[pyfunction]
pub(crate) fn expand_dims(x: &Bound<'_, PyAny>, axis: &Bound<'_, PyAny>) -> PyResult<State> {
    Ok(operand::tensor(x)?
        .expand_dims(&parameter("expand_dims", "axis").integers(axis)?)
        .map_err(raise)?
        .into())
}

/// `squeeze(x, axis)`.
#[pyfunction]
pub(crate) fn squeeze(x: &Bound<'_, PyAny>, axis: &Bound<'_, PyAny>) -> PyResult<State> {
    Ok(operand::tensor(x)?
        .squeeze(&parameter("squeeze", "axis").integers(axis)?)
        .map_err(raise)?
        .into())
}

/// `broadcast_to(x, shape)`.
#[pyfunction]
pub(crate) fn broadcast_to(x: &Bound<'_, PyAny>, shape: &Bound<'_, PyAny>) -> PyResult<State> {
    let shape = parameter("broadcast_to", "shape").lengths(shape)?;
    // Also where nothing is stretched: whether a view can be written does not depend on lengths.
    let view = operand::tensor(x)?.broadcast_to(&shape).map_err(raise)?;
    Ok(view.read_only().into())
}

/// `flip(x, axis)`.
#[pyfunction]
#[pyo3(signature = (x, axis=None))]
pub(crate) fn flip(x: &Bound<'_, PyAny>, axis: Option<&Bound<'_, PyAny>>) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let all = || (0..t.ndim() as isize).collect();
    let axes = axis.map(|a| parameter("flip", "axis").integers(a));
    let axes = axes.transpose()?.unwrap_or_else(all);
    Ok(t.flip(&axes).map_err(raise)?.into())
}
