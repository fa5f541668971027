//! Elements of arrays of golden integers in other places: indices, axes, arrays one behind the other.

use super::array::{PyGoldenArray, long};
use super::raise;
use super::scalars::PyGoldenInt;
use crate::arguments::{Integers, parameter};
use crate::errors::{Class, error};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::atomic::{AtomicI64, Ordering};
use syntonic_core::Tensor;
use syntonic_srt::exact::{GoldenTensor, GoldenTensorError};

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
        if self.0.shape().is_empty() {
            let text =
                "iter: an array without axes has no elements along one; hint: item() is its number";
            return Err(error(Class::ArgumentType, text.to_owned()));
        }
        Ok(GoldenRows {
            array: self.0.clone(),
            next: AtomicI64::new(0),
        })
    }

    /// The only element.
    fn item(&self, py: Python<'_>) -> PyResult<PyGoldenInt> {
        if self.0.numel() != 1 {
            let text = format!(
                "item: there are {} elements, not one; hint: tolist() has all, and x[index].item() one",
                self.0.numel()
            );
            return Err(error(Class::Argument, text));
        }
        let points = long(py, 1, || self.0.to_points())?;
        Ok(PyGoldenInt(points[0]))
    }

    /// The axes in a new order, or reversed without arguments.
    #[pyo3(signature = (*axes))]
    fn transpose(&self, axes: &Bound<'_, PyTuple>) -> PyResult<PyGoldenArray> {
        let order = match axes.len() {
            0 => (0..self.0.shape().len() as isize)
                .rev()
                .collect::<Integers>(),
            _ => parameter("transpose", "axes").spread(axes)?,
        };
        self.placed(|t| t.permute(&order))
    }

    /// The axes reversed.
    #[getter(T)]
    fn transposed(&self) -> PyResult<PyGoldenArray> {
        let order: Integers = (0..self.0.shape().len() as isize).rev().collect();
        self.placed(|t| t.permute(&order))
    }

    /// All elements in one axis, in row-major order.
    fn ravel(&self) -> PyResult<PyGoldenArray> {
        self.0.reshape(&[-1]).map(PyGoldenArray).map_err(raise)
    }

    /// Without the axes of length 1, or without these.
    #[pyo3(signature = (axis=None))]
    fn squeeze(&self, axis: Option<&Bound<'_, PyAny>>) -> PyResult<PyGoldenArray> {
        let shape = self.0.shape();
        let axes = match axis {
            Some(axis) => parameter("squeeze", "axis").integers(axis)?,
            None => (0..shape.len())
                .filter(|&axis| shape[axis] == 1)
                .map(|axis| axis as isize)
                .collect(),
        };
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

/// Arrays that are joined, of one device.
fn all(op: &'static str, arrays: &Bound<'_, PyAny>) -> PyResult<Vec<GoldenTensor>> {
    let refused = |obj: &Bound<'_, PyAny>| {
        parameter(op, "arrays").refuse(Class::ArgumentType, obj, "a sequence of GoldenArray")
    };
    let items = arrays.try_iter().map_err(|_| refused(arrays))?;
    items
        .map(|item| {
            let item = item?;
            let array = item.cast::<PyGoldenArray>().map_err(|_| refused(&item))?;
            Ok(array.get().0.clone())
        })
        .collect()
}

type Join = fn(&[&GoldenTensor], isize) -> Result<GoldenTensor, GoldenTensorError>;

fn joined(
    op: &'static str,
    arrays: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
    join: Join,
) -> PyResult<PyGoldenArray> {
    let axis = parameter(op, "axis").integer(axis)?;
    let all = all(op, arrays)?;
    let parts: Vec<&GoldenTensor> = all.iter().collect(); // few: as many as were listed.
    let elements = all.iter().map(GoldenTensor::numel).sum();
    long(arrays.py(), elements, || join(&parts, axis)).map(PyGoldenArray)
}

/// `golden_concat(arrays, axis)`.
#[pyfunction]
pub(crate) fn golden_concat(
    arrays: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
) -> PyResult<PyGoldenArray> {
    joined("concat", arrays, axis, GoldenTensor::concat)
}

/// `golden_stack(arrays, axis)`.
#[pyfunction]
pub(crate) fn golden_stack(
    arrays: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
) -> PyResult<PyGoldenArray> {
    joined("stack", arrays, axis, GoldenTensor::stack)
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
