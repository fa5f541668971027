//! Tensors of golden integers as Python arrays.

use super::grown::Int;
use super::number::Number;
use super::raise;
use super::scalars::PyGoldenInt;
use crate::arguments::parameter;
use crate::device;
use crate::enter::Turns;
use crate::errors::{Class, error};
use crate::memory::made;
use crate::operand;
use crate::state::State;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{Error, Tensor};
use syntonic_srt::exact::{Golden, GoldenTensor, GoldenTensorError, snap_tensor};

/// Golden integers `a + b φ` by the element.
#[pyclass(frozen, name = "GoldenArray", module = "syntonic.exact")]
pub(crate) struct PyGoldenArray(pub(super) GoldenTensor);

/// Work without the interpreter.
pub(super) fn long<T: Send>(
    py: Python<'_>,
    elements: usize,
    work: impl FnOnce() -> Result<T, GoldenTensorError> + Send,
) -> PyResult<T> {
    crate::enter::enter(py, elements, || Ok::<_, Error>(work()))?.map_err(raise)
}

type Operation = fn(&GoldenTensor, &GoldenTensor) -> Result<GoldenTensor, GoldenTensorError>;

impl PyGoldenArray {
    /// What stands beside: an array, or one number for all elements.
    pub(super) fn beside(&self, other: &Bound<'_, PyAny>) -> PyResult<Option<GoldenTensor>> {
        if let Ok(array) = other.cast::<PyGoldenArray>() {
            return Ok(Some(array.get().0.clone()));
        }
        let Some(Number::Whole(point)) = Number::of(other)? else {
            return Ok(None);
        };
        let one = GoldenTensor::from_points(&[point.point()?], &[]).map_err(raise)?;
        Ok(Some(one.to(self.0.device()).map_err(raise)?))
    }

    fn with<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        operation: Operation,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Some(other) = self.beside(other)? else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let size = self.0.numel().max(other.numel());
        let made = long(py, size, || operation(&self.0, &other))?;
        Ok(Bound::new(py, PyGoldenArray(made))?.into_any())
    }

    fn alone(
        &self,
        py: Python<'_>,
        operation: fn(&GoldenTensor) -> Result<GoldenTensor, GoldenTensorError>,
    ) -> PyResult<PyGoldenArray> {
        long(py, self.0.numel(), || operation(&self.0)).map(PyGoldenArray)
    }
}

#[pymethods]
impl PyGoldenArray {
    #[new]
    fn new(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<PyGoldenArray> {
        let py = a.py();
        let a = operand::tensor(a)?;
        let b = operand::tensor_beside(b, &a)?;
        let made = long(py, a.numel(), || GoldenTensor::new(&a, &b))?;
        Ok(PyGoldenArray(made))
    }

    /// The rational parts, `int64`.
    #[getter]
    fn a(&self) -> PyResult<State> {
        Ok(self.0.a().copy().map_err(crate::errors::raise)?.into())
    }

    /// The factors of φ, `int64`.
    #[getter]
    fn b(&self) -> PyResult<State> {
        Ok(self.0.b().copy().map_err(crate::errors::raise)?.into())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (State, State))> {
        let class = py.get_type::<PyGoldenArray>().into_any();
        Ok((class, (self.a()?, self.b()?)))
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pyo3::types::PyTuple::new(py, self.0.shape())?.into_any())
    }

    #[getter]
    fn ndim(&self) -> usize {
        self.0.shape().len()
    }

    #[getter]
    fn size(&self) -> usize {
        self.0.numel()
    }

    /// The same points on another device.
    fn to(&self, py: Python<'_>, device: &Bound<'_, PyAny>) -> PyResult<PyGoldenArray> {
        let device = device::parse(py, Some(device))?;
        long(py, self.0.numel(), || self.0.to(&device)).map(PyGoldenArray)
    }

    /// The same points in another shape.
    fn reshape(&self, shape: &Bound<'_, PyAny>) -> PyResult<PyGoldenArray> {
        let shape = parameter("reshape", "shape").integers(shape)?;
        self.0.reshape(&shape).map(PyGoldenArray).map_err(raise)
    }

    /// The values as `float64`.
    fn to_float(&self, py: Python<'_>) -> PyResult<State> {
        Ok(long(py, self.0.numel(), || self.0.to_floats())?.into())
    }

    /// The conjugates.
    fn conjugate(&self, py: Python<'_>) -> PyResult<PyGoldenArray> {
        self.alone(py, GoldenTensor::conjugate)
    }

    /// Times φ.
    fn times_phi(&self, py: Python<'_>) -> PyResult<PyGoldenArray> {
        self.alone(py, GoldenTensor::times_phi)
    }

    /// Over φ.
    fn over_phi(&self, py: Python<'_>) -> PyResult<PyGoldenArray> {
        self.alone(py, GoldenTensor::over_phi)
    }

    /// The norms, `int64`.
    fn norm(&self, py: Python<'_>) -> PyResult<State> {
        Ok(long(py, self.0.numel(), || self.0.norms())?.into())
    }

    /// The larger of each pair.
    fn maximum<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenTensor::maximum)
    }

    /// The smaller of each pair.
    fn minimum<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenTensor::minimum)
    }

    /// The points as nested lists of `GoldenInt`.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let points = long(py, self.0.numel(), || self.0.to_points())?;
        nested(py, &points, self.0.shape(), &mut Turns::new())
    }

    fn __len__(&self) -> PyResult<usize> {
        let first = self.0.shape().first().copied();
        first.ok_or_else(|| {
            error(
                Class::ArgumentType,
                "len: an array without axes has no length".to_owned(),
            )
        })
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenTensor::plus)
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenTensor::plus)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenTensor::minus)
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, |x, y| y.minus(x))
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenTensor::times)
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenTensor::times)
    }

    fn __matmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match other.cast::<PyGoldenArray>() {
            Ok(_) => self.with(other, GoldenTensor::matmul),
            Err(_) => Ok(other.py().NotImplemented().into_bound(other.py())),
        }
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<PyGoldenArray> {
        self.alone(py, GoldenTensor::negated)
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<PyGoldenArray> {
        self.alone(py, GoldenTensor::magnitude)
    }

    /// The exact order, element by element.
    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Some(other) = self.beside(other)? else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let prim = order(op);
        let size = self.0.numel().max(other.numel());
        let made: Tensor = long(py, size, || {
            let sign = self.0.compare(&other)?;
            Ok(apply(prim, &[Arg::Tensor(&sign), Arg::from(0i64)])?)
        })?;
        Ok(Bound::new(py, State::from(made))?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        if self.0.numel() > 100 {
            return Ok(format!(
                "GoldenArray(shape={:?}, device={})",
                self.0.shape(),
                self.0.device().id()
            ));
        }
        let points = long(py, self.0.numel(), || self.0.to_points())?;
        let texts: Vec<String> = points.iter().map(ToString::to_string).collect(); // few: 100.
        Ok(format!(
            "GoldenArray([{}], shape={:?})",
            texts.join(", "),
            self.0.shape()
        ))
    }
}

/// What an order of signs is beside 0.
pub(super) fn order(op: CompareOp) -> Prim {
    match op {
        CompareOp::Lt => Prim::Lt,
        CompareOp::Le => Prim::Le,
        CompareOp::Eq => Prim::Eq,
        CompareOp::Ne => Prim::Ne,
        CompareOp::Gt => Prim::Gt,
        CompareOp::Ge => Prim::Ge,
    }
}

/// Nested lists of points in row-major order.
fn nested<'py>(
    py: Python<'py>,
    points: &[Golden],
    shape: &[usize],
    turns: &mut Turns,
) -> PyResult<Bound<'py, PyAny>> {
    let Some((&length, rest)) = shape.split_first() else {
        return Ok(Bound::new(py, PyGoldenInt(Int::Small(points[0])))?.into_any());
    };
    let each = points.len().checked_div(length).unwrap_or(0);
    // The first fails where there is no memory for so many, also of nothing.
    let item =
        |k: usize, turns: &mut Turns| nested(py, &points[k * each..(k + 1) * each], rest, turns);
    Ok(made::list(py, length, turns, item)?.into_any())
}

/// The nearest points and what is left: `snap(x, bound)`.
#[pyfunction]
pub(crate) fn snap(
    x: &Bound<'_, PyAny>,
    bound: &Bound<'_, PyAny>,
) -> PyResult<(PyGoldenArray, State)> {
    let t = operand::tensor(x)?;
    let bound = parameter("snap", "bound").integer::<u32>(bound)?;
    let made = long(x.py(), t.numel(), || snap_tensor(&t, bound))?;
    Ok((PyGoldenArray(made.points), made.residual.into()))
}
