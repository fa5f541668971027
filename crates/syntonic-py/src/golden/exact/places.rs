//! Elements of arrays of golden integers in other places: indices, axes, arrays one behind the other.

use super::array::{PyGoldenArray, long};
use super::grown::Int;
use super::raise;
use super::scalars::PyGoldenInt;
use super::wide::PyGoldenBigArray;
use crate::arguments::{Integers, parameter};
use crate::errors::{Class, error};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::atomic::{AtomicI64, Ordering};
use syntonic_core::Tensor;
use syntonic_srt::exact::{GoldenBigArray, GoldenTensor, GoldenTensorError};

#[pymethods]
impl PyGoldenArray {
    /// The elements that an index names, as of a State: integers, slices, `...`, `None`, arrays of integers and masks. A copy.
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<PyGoldenArray> {
        let py = index.py();
        let part = |of: &Tensor| -> PyResult<Tensor> {
            let state = Bound::new(py, State::from(of.clone()))?;
            operand::tensor(&state.as_any().get_item(index)?)
        };
        let (a, b) = (part(self.0.a())?, part(self.0.b())?);
        let made = long(py, a.numel(), || GoldenTensor::new(&a, &b))?;
        Ok(PyGoldenArray(made))
    }

    /// The elements along the first axis.
    fn __iter__(&self) -> PyResult<GoldenRows> {
        has_rows(self.0.shape())?;
        Ok(GoldenRows {
            array: self.0.clone(),
            next: AtomicI64::new(0),
        })
    }

    /// The only element.
    fn item(&self, py: Python<'_>) -> PyResult<PyGoldenInt> {
        is_one(self.0.numel())?;
        let points = long(py, 1, || self.0.to_points())?;
        Ok(PyGoldenInt(Int::Small(points[0])))
    }

    /// The axes in a new order, or reversed without arguments.
    #[pyo3(signature = (*axes))]
    fn transpose(&self, axes: &Bound<'_, PyTuple>) -> PyResult<PyGoldenArray> {
        let order = turned(axes, self.0.shape())?;
        self.placed(|t| t.permute(&order))
    }

    /// The axes reversed.
    #[getter(T)]
    fn transposed(&self) -> PyResult<PyGoldenArray> {
        let order = reversed(self.0.shape());
        self.placed(|t| t.permute(&order))
    }

    /// All elements in one axis, in row-major order.
    fn ravel(&self) -> PyResult<PyGoldenArray> {
        self.0.reshape(&[-1]).map(PyGoldenArray).map_err(raise)
    }

    /// Without the axes of length 1, or without these.
    #[pyo3(signature = (axis=None))]
    fn squeeze(&self, axis: Option<&Bound<'_, PyAny>>) -> PyResult<PyGoldenArray> {
        let axes = squeezed(axis, self.0.shape())?;
        self.placed(|t| t.squeeze(&axes))
    }
}

impl PyGoldenArray {
    fn placed(
        &self,
        of: impl Fn(&Tensor) -> syntonic_core::Result<Tensor>,
    ) -> PyResult<PyGoldenArray> {
        self.0.placed(of).map(PyGoldenArray).map_err(raise)
    }
}

/// The axes of a transposed array of this shape.
pub(super) fn turned(axes: &Bound<'_, PyTuple>, shape: &[usize]) -> PyResult<Integers> {
    match axes.len() {
        0 => Ok(reversed(shape)),
        _ => parameter("transpose", "axes").spread(axes),
    }
}

pub(super) fn reversed(shape: &[usize]) -> Integers {
    (0..shape.len() as isize).rev().collect()
}

/// The axes of length 1, or those that are named.
pub(super) fn squeezed(axis: Option<&Bound<'_, PyAny>>, shape: &[usize]) -> PyResult<Integers> {
    let ones = (0..shape.len()).filter(|&axis| shape[axis] == 1);
    match axis {
        Some(axis) => parameter("squeeze", "axis").integers(axis),
        None => Ok(ones.map(|axis| axis as isize).collect()),
    }
}

/// An error where there is no first axis.
pub(super) fn has_rows(shape: &[usize]) -> PyResult<()> {
    if !shape.is_empty() {
        return Ok(());
    }
    let text = "iter: an array without axes has no elements along one; hint: item() is its number";
    Err(error(Class::ArgumentType, text.to_owned()))
}

/// An error where there is not one element.
pub(super) fn is_one(elements: usize) -> PyResult<()> {
    if elements == 1 {
        return Ok(());
    }
    let text = format!(
        "item: there are {elements} elements, not one; hint: tolist() has all, and x[index].item() one"
    );
    Err(error(Class::Argument, text))
}

/// Arrays that are joined, of one kind: of any size where one of them is.
enum Joined {
    Points(Vec<GoldenTensor>),
    Wide(Vec<GoldenBigArray>),
}

fn all(op: &'static str, arrays: &Bound<'_, PyAny>) -> PyResult<Joined> {
    let refused = |obj: &Bound<'_, PyAny>| {
        parameter(op, "arrays").refuse(Class::ArgumentType, obj, "a sequence of GoldenArray")
    };
    let items = arrays.try_iter().map_err(|_| refused(arrays))?;
    let items = items.collect::<PyResult<Vec<_>>>()?; // few: as many as are listed.
    if !items
        .iter()
        .any(|item| item.is_instance_of::<PyGoldenBigArray>())
    {
        let points = items.iter().map(|item| {
            let array = item.cast::<PyGoldenArray>().map_err(|_| refused(item))?;
            Ok(array.get().0.clone())
        });
        return points.collect::<PyResult<_>>().map(Joined::Points);
    }
    let arrays = items.iter().map(|item| {
        let known =
            item.is_instance_of::<PyGoldenBigArray>() || item.is_instance_of::<PyGoldenArray>();
        match known {
            true => PyGoldenBigArray::beside(item)?.ok_or_else(|| refused(item)),
            false => Err(refused(item)),
        }
    });
    arrays.collect::<PyResult<_>>().map(Joined::Wide)
}

type Join<T> = fn(&[&T], isize) -> Result<T, GoldenTensorError>;

fn joined<'py>(
    op: &'static str,
    arrays: &Bound<'py, PyAny>,
    axis: &Bound<'py, PyAny>,
    points: Join<GoldenTensor>,
    wide: Join<GoldenBigArray>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, axis) = (arrays.py(), parameter(op, "axis").integer(axis)?);
    match all(op, arrays)? {
        Joined::Points(all) => {
            let parts: Vec<&GoldenTensor> = all.iter().collect(); // few: as many as were listed.
            let elements = all.iter().map(GoldenTensor::numel).sum();
            let made = long(py, elements, || points(&parts, axis))?;
            Ok(Bound::new(py, PyGoldenArray(made))?.into_any())
        }
        Joined::Wide(all) => {
            let parts: Vec<&GoldenBigArray> = all.iter().collect(); // few: as many as were listed.
            let elements = all.iter().map(GoldenBigArray::numel).sum();
            let made = long(py, elements, || wide(&parts, axis))?;
            Ok(Bound::new(py, PyGoldenBigArray(made))?.into_any())
        }
    }
}

/// `golden_concat(arrays, axis)`.
#[pyfunction]
pub(crate) fn golden_concat<'py>(
    arrays: &Bound<'py, PyAny>,
    axis: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (points, wide) = (GoldenTensor::concat, GoldenBigArray::concat);
    joined("concat", arrays, axis, points, wide)
}

/// `golden_stack(arrays, axis)`.
#[pyfunction]
pub(crate) fn golden_stack<'py>(
    arrays: &Bound<'py, PyAny>,
    axis: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (points, wide) = (GoldenTensor::stack, GoldenBigArray::stack);
    joined("stack", arrays, axis, points, wide)
}

/// The elements along the first axis, one after another.
#[pyclass(frozen, module = "syntonic.exact")]
pub(super) struct GoldenRows {
    array: GoldenTensor,
    next: AtomicI64,
}

#[pymethods]
impl GoldenRows {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self) -> PyResult<Option<PyGoldenArray>> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        if at >= self.array.shape()[0] as i64 {
            return Ok(None);
        }
        let row = self.array.placed(|t| t.select(0, at)).map_err(raise)?;
        Ok(Some(PyGoldenArray(row)))
    }
}
