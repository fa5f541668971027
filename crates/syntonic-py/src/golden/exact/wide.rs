//! Arrays of golden integers of any size, in the host's memory.

use super::array::{PyGoldenArray, long};
use super::grown::Int;
use super::number::Number;
use super::operation::exponent_of;
use super::raise;
use super::scalars::PyGoldenInt;
use crate::arguments::parameter;
use crate::enter::Turns;
use crate::errors::{Class, error};
use crate::memory::made;
use crate::state::State;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::PyList;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{Tensor, room};
use syntonic_srt::exact::{GoldenBig, GoldenBigArray, GoldenTensor, GoldenTensorError};

/// Golden integers `a + b φ` of any size by the element, in the host's memory: made of nested sequences of numbers, or by `wide()` of a `GoldenArray`.
#[pyclass(frozen, name = "GoldenBigArray", module = "syntonic.exact")]
pub(crate) struct PyGoldenBigArray(pub(super) GoldenBigArray);

type Made<T> = Result<T, GoldenTensorError>;
/// What [`_restore_wide`] takes.
type Parts<'py> = (Bound<'py, PyAny>, Vec<usize>);
type Pair<T> = fn(&GoldenBigArray, &GoldenBigArray) -> Made<T>;

#[pymethods]
impl PyGoldenArray {
    /// The numbers as a `GoldenBigArray`, in the host's memory, whatever device they are on.
    fn wide(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        long(py, self.0.numel(), || self.0.wide()).map(PyGoldenBigArray)
    }
}

/// What work with an array is worth, in elements of 64 bits.
fn size(x: &GoldenBigArray) -> usize {
    let bits = |x: &GoldenBig| (x.a().bits() + x.b().bits()) as usize;
    x.points().first().map_or(1, bits).max(64) / 8 * x.numel()
}

impl PyGoldenBigArray {
    /// What stands beside: an array of either kind, or one number for all elements.
    pub(super) fn beside(obj: &Bound<'_, PyAny>) -> PyResult<Option<GoldenBigArray>> {
        if let Ok(array) = obj.cast::<PyGoldenBigArray>() {
            return Ok(Some(array.get().0.clone()));
        }
        if let Ok(array) = obj.cast::<PyGoldenArray>() {
            let array = &array.get().0;
            return long(obj.py(), array.numel(), || array.wide()).map(Some);
        }
        let Some(Number::Whole(number)) = Number::of(obj)? else {
            return Ok(None);
        };
        one(number).map(Some)
    }

    pub(super) fn with<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        operation: Pair<GoldenBigArray>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Some(other) = PyGoldenBigArray::beside(other)? else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let size = size(&self.0).max(size(&other));
        let made = long(py, size, || operation(&self.0, &other))?;
        Ok(Bound::new(py, PyGoldenBigArray(made))?.into_any())
    }

    pub(super) fn alone<T: Send>(
        &self,
        py: Python<'_>,
        operation: fn(&GoldenBigArray) -> Made<T>,
    ) -> PyResult<T> {
        long(py, size(&self.0), || operation(&self.0))
    }

    fn made(
        &self,
        py: Python<'_>,
        operation: fn(&GoldenBigArray) -> Made<GoldenBigArray>,
    ) -> PyResult<PyGoldenBigArray> {
        self.alone(py, operation).map(PyGoldenBigArray)
    }

    fn divided<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        operations: [Pair<GoldenBigArray>; 2],
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let [quotient, rest] = operations.map(|operation| self.with(other, operation));
        let (quotient, rest) = (quotient?, rest?);
        if !quotient.is_instance_of::<PyGoldenBigArray>() {
            return Ok(quotient);
        }
        Ok((quotient, rest).into_pyobject(py)?.into_any())
    }
}

/// What a pickle has of an array: its numbers in a row, and its shape, which nested lists lose where an axis has length 0.
#[pyfunction]
pub(crate) fn _restore_wide(
    numbers: &Bound<'_, PyAny>,
    shape: Vec<usize>,
) -> PyResult<PyGoldenBigArray> {
    let mut points = Vec::new(); // `gather` asks for room.
    gather(numbers, 0, &mut vec![], &mut points)?; // few: axes.
    GoldenBigArray::new(points, &shape)
        .map(PyGoldenBigArray)
        .map_err(raise)
}

/// An array without axes.
fn one(number: Int) -> PyResult<GoldenBigArray> {
    let points = vec![number.big().into_owned()];
    GoldenBigArray::new(points, &[]).map_err(raise)
}

#[pymethods]
impl PyGoldenBigArray {
    #[new]
    fn new(numbers: &Bound<'_, PyAny>) -> PyResult<PyGoldenBigArray> {
        if let Some(array) = PyGoldenBigArray::beside(numbers)? {
            return Ok(PyGoldenBigArray(array));
        }
        let (mut points, mut shape) = (Vec::new(), Vec::new()); // few: axes; numbers ask for room.
        gather(numbers, 0, &mut shape, &mut points)?;
        GoldenBigArray::new(points, &shape)
            .map(PyGoldenBigArray)
            .map_err(raise)
    }

    /// The numbers in 64 bits, on the CPU.
    fn narrow(&self, py: Python<'_>) -> PyResult<PyGoldenArray> {
        let made: GoldenTensor = self.alone(py, GoldenBigArray::narrow)?;
        Ok(PyGoldenArray(made))
    }

    /// The rational parts, as nested lists of integers.
    #[getter]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.nested(py, |x| Ok(x.a().into_pyobject(py)?.into_any()))
    }

    /// The factors of φ, as nested lists of integers.
    #[getter]
    fn b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.nested(py, |x| Ok(x.b().into_pyobject(py)?.into_any()))
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

    /// The nearest `float64` values.
    fn to_float(&self, py: Python<'_>) -> PyResult<State> {
        Ok(self.alone(py, GoldenBigArray::to_floats)?.into())
    }

    /// The conjugates.
    fn conjugate(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::conjugate)
    }

    /// Times φ.
    fn times_phi(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::times_phi)
    }

    /// Over φ.
    fn over_phi(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::over_phi)
    }

    /// The norms, integers.
    fn norm(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::norms)
    }

    /// The inverses of units.
    fn inverse(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::inverse)
    }

    /// The largest integers that are at most the numbers.
    fn floor(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::floor)
    }

    /// The least integers that are at least the numbers.
    fn ceil(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::ceil)
    }

    /// The nearest integers.
    fn round(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::round)
    }

    /// The larger of each pair.
    fn maximum<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::maximum)
    }

    /// The smaller of each pair.
    fn minimum<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::minimum)
    }

    /// The greatest common divisors.
    fn gcd<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let made = self.with(other, GoldenBigArray::gcd)?;
        match made.is_instance_of::<PyGoldenBigArray>() {
            true => Ok(made),
            false => {
                let wanted = "a GoldenBigArray, a GoldenArray, a GoldenInt or an integer";
                Err(parameter("gcd", "other").refuse(Class::ArgumentType, other, wanted))
            }
        }
    }

    /// Sums over axes.
    #[pyo3(signature = (axis=None, keepdims=None), text_signature = "($self, axis=None, keepdims=False)")]
    fn sum(
        &self,
        py: Python<'_>,
        axis: Option<&Bound<'_, PyAny>>,
        keepdims: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGoldenBigArray> {
        let over = parameter("sum", "axis").over(axis, keepdims)?;
        long(py, size(&self.0), || self.0.sum(&over)).map(PyGoldenBigArray)
    }

    /// Products over axes.
    #[pyo3(signature = (axis=None, keepdims=None), text_signature = "($self, axis=None, keepdims=False)")]
    fn prod(
        &self,
        py: Python<'_>,
        axis: Option<&Bound<'_, PyAny>>,
        keepdims: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGoldenBigArray> {
        let over = parameter("prod", "axis").over(axis, keepdims)?;
        long(py, size(&self.0), || self.0.prod(&over)).map(PyGoldenBigArray)
    }

    /// The numbers as nested lists of `GoldenInt`.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.nested(py, |x| {
            Ok(Bound::new(py, PyGoldenInt(Int::of(x.clone())))?.into_any())
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let restore = py.import("syntonic._core")?.getattr("_restore_wide")?;
        let row = self.0.reshape(&[-1]).map_err(raise)?;
        let numbers = PyGoldenBigArray(row).tolist(py)?;
        Ok((restore, (numbers, self.0.shape().to_vec()))) // few: axes.
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::plus)
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::plus)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::minus)
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, |x, y| y.minus(x))
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::times)
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::times)
    }

    fn __matmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::matmul)
    }

    fn __rmatmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, |x, y| y.matmul(x))
    }

    fn __floordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::floor_over)
    }

    fn __rfloordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, |x, y| y.floor_over(x))
    }

    fn __mod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, GoldenBigArray::remainder)
    }

    fn __rmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(other, |x, y| y.remainder(x))
    }

    fn __divmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.divided(
            other,
            [GoldenBigArray::floor_over, GoldenBigArray::remainder],
        )
    }

    fn __rdivmod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.divided(other, [|x, y| y.floor_over(x), |x, y| y.remainder(x)])
    }

    fn __pow__<'py>(
        &self,
        exponent: &Bound<'py, PyAny>,
        modulo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = exponent.py();
        let Some(exponent) = exponent_of(exponent, modulo)? else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let size = size(&self.0).saturating_mul(exponent.unsigned_abs() as usize);
        let made = long(py, size, || self.0.power(exponent))?;
        Ok(Bound::new(py, PyGoldenBigArray(made))?.into_any())
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::negated)
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<PyGoldenBigArray> {
        self.made(py, GoldenBigArray::magnitude)
    }

    /// The exact order, element by element.
    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Some(other) = PyGoldenBigArray::beside(other)? else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let prim = super::array::order(op);
        let size = size(&self.0).max(size(&other));
        let made: Tensor = long(py, size, || {
            let sign = self.0.compare(&other)?;
            Ok(apply(prim, &[Arg::Tensor(&sign), Arg::from(0i64)])?)
        })?;
        Ok(Bound::new(py, State::from(made))?.into_any())
    }

    fn __repr__(&self) -> String {
        let (points, shape) = (self.0.points(), self.0.shape());
        let short = |x: &GoldenBig| x.a().bits().max(x.b().bits()) <= 1 << 12;
        if points.len() > 100 || !points.iter().all(short) {
            return format!("GoldenBigArray(shape={shape:?})");
        }
        let texts: Vec<String> = points.iter().map(ToString::to_string).collect(); // few: 100.
        format!("GoldenBigArray([{}], shape={shape:?})", texts.join(", "))
    }
}

impl PyGoldenBigArray {
    /// What numbers give, as nested lists in row-major order.
    fn nested<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&GoldenBig) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        lists(py, self.0.points(), self.0.shape(), &mut Turns::new(), &of)
    }
}

fn lists<'py>(
    py: Python<'py>,
    points: &[GoldenBig],
    shape: &[usize],
    turns: &mut Turns,
    of: &impl Fn(&GoldenBig) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some((&length, rest)) = shape.split_first() else {
        return of(&points[0]);
    };
    let each = points.len().checked_div(length).unwrap_or(0);
    let item =
        |k: usize, turns: &mut Turns| lists(py, &points[k * each..(k + 1) * each], rest, turns, of);
    Ok(made::list(py, length, turns, item)?.into_any())
}

/// The most axes of nested sequences: as many as a tensor has.
const DEEPEST: usize = 32;

/// The numbers of nested sequences, which are of one length at each depth.
fn gather(
    obj: &Bound<'_, PyAny>,
    depth: usize,
    shape: &mut Vec<usize>,
    points: &mut Vec<GoldenBig>,
) -> PyResult<()> {
    if let Some(Number::Whole(number)) = Number::of(obj)? {
        if depth != shape.len() {
            return Err(uneven());
        }
        return room::push(points, number.big().into_owned()).map_err(crate::errors::raise);
    }
    let refused = || {
        let wanted = "golden integers, or nested sequences of them";
        parameter("GoldenBigArray", "numbers").refuse(Class::ArgumentType, obj, wanted)
    };
    let is_text = obj.hasattr("encode")? || obj.hasattr("decode")?;
    if is_text || depth == DEEPEST {
        return Err(refused());
    }
    let items = PyList::empty(obj.py());
    for item in obj.try_iter().map_err(|_| refused())? {
        items.append(item?)?;
    }
    // The first at each depth says how long all are.
    match shape.get(depth) {
        Some(&length) if length != items.len() => return Err(uneven()),
        Some(_) => {}
        None if points.is_empty() => shape.push(items.len()),
        None => return Err(uneven()),
    }
    items
        .iter()
        .try_for_each(|item| gather(&item, depth + 1, shape, points))
}

fn uneven() -> PyErr {
    let text = "GoldenBigArray: nested sequences of one depth have one length";
    error(Class::Shape, text.to_owned())
}
