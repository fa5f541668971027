//! Numbers of any size in other places: indices, axes, iteration.

use super::array::long;
use super::grown::Int;
use super::places::{has_rows, is_one, reversed, squeezed, turned};
use super::raise;
use super::scalars::PyGoldenInt;
use super::wide::PyGoldenBigArray;
use crate::arguments::parameter;
use crate::errors::{Class, error};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::atomic::{AtomicI64, Ordering};
use syntonic_core::Tensor;
use syntonic_srt::exact::GoldenBigArray;

#[pymethods]
impl PyGoldenBigArray {
    /// The elements that an index names, as of a State. A copy.
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<PyGoldenBigArray> {
        let py = index.py();
        let places = self.0.places().map_err(raise)?;
        let places = Bound::new(py, State::from(places))?;
        let places = operand::tensor(&places.as_any().get_item(index)?)?;
        let made = long(py, places.numel(), || self.0.at_places(&places))?;
        Ok(PyGoldenBigArray(made))
    }

    fn __len__(&self) -> PyResult<usize> {
        self.0.shape().first().copied().ok_or_else(|| {
            let text = "len: an array without axes has no length";
            error(Class::ArgumentType, text.to_owned())
        })
    }

    /// The elements along the first axis.
    fn __iter__(&self) -> PyResult<GoldenBigRows> {
        has_rows(self.0.shape())?;
        Ok(GoldenBigRows {
            array: self.0.clone(),
            next: AtomicI64::new(0),
        })
    }

    /// The only element.
    fn item(&self) -> PyResult<PyGoldenInt> {
        is_one(self.0.numel())?;
        Ok(PyGoldenInt(Int::of(self.0.points()[0].clone())))
    }

    /// The same numbers in another shape.
    fn reshape(&self, shape: &Bound<'_, PyAny>) -> PyResult<PyGoldenBigArray> {
        let shape = parameter("reshape", "shape").integers(shape)?;
        let made = self.0.reshape(&shape);
        made.map(PyGoldenBigArray).map_err(raise)
    }

    /// The axes in a new order, or reversed without arguments.
    #[pyo3(signature = (*axes))]
    fn transpose(&self, axes: &Bound<'_, PyTuple>) -> PyResult<PyGoldenBigArray> {
        let order = turned(axes, self.0.shape())?;
        self.placed(axes.py(), |t| t.permute(&order))
    }

    /// The axes reversed.
    #[getter(T)]
    fn transposed(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        let order = reversed(self.0.shape());
        self.placed(py, |t| t.permute(&order))
    }

    /// All elements in one axis, in row-major order.
    fn ravel(&self) -> PyResult<PyGoldenBigArray> {
        let made = self.0.reshape(&[-1]);
        made.map(PyGoldenBigArray).map_err(raise)
    }

    /// Without the axes of length 1, or without these.
    #[pyo3(signature = (axis=None))]
    fn squeeze(
        &self,
        py: Python<'_>,
        axis: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGoldenBigArray> {
        let axes = squeezed(axis, self.0.shape())?;
        self.placed(py, |t| t.squeeze(&axes))
    }
}

impl PyGoldenBigArray {
    fn placed(
        &self,
        py: Python<'_>,
        of: impl Fn(&Tensor) -> syntonic_core::Result<Tensor> + Send,
    ) -> PyResult<PyGoldenBigArray> {
        long(py, self.0.numel(), || self.0.placed(of)).map(PyGoldenBigArray)
    }
}

/// The elements along the first axis, one after another.
#[pyclass(frozen, module = "syntonic.exact")]
pub(super) struct GoldenBigRows {
    array: GoldenBigArray,
    next: AtomicI64,
}

#[pymethods]
impl GoldenBigRows {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self) -> PyResult<Option<PyGoldenBigArray>> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        let rows = self.array.shape()[0];
        if at >= rows as i64 {
            return Ok(None);
        }
        let row = self.array.row(at as usize).map_err(raise)?;
        Ok(Some(PyGoldenBigArray(row)))
    }
}
