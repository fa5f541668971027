//! `x[key]` and `x[key] = values`.

use crate::arguments::shown;
use crate::assignment;
use crate::enter::enter;
use crate::errors::{Class, error, of_elements, raise};
use crate::memory::{apart, object, writing};
use crate::operand::Operand;
use crate::singles;
use crate::state::State;
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PyList, PySlice, PyTuple};
use smallvec::SmallVec;
use std::sync::Arc;
use syntonic_core::layout::Span;
use syntonic_core::ops::index::{self, IndexItem};
use syntonic_core::{DType, Device, Error, Tensor};

/// One entry of a key.
enum Entry<'a, 'py> {
    Position(Borrowed<'a, 'py, PyAny>),
    Slice(Borrowed<'a, 'py, PySlice>),
    NewAxis,
    Ellipsis,
    Array(Borrowed<'a, 'py, PyAny>),
}

impl Entry<'_, '_> {
    /// True for an array, and not for what is an integer in its own way.
    fn is_array(&self) -> bool {
        match self {
            Entry::Array(array) => {
                array.is_instance_of::<State>() || array.hasattr("__setitem__").unwrap_or(false)
            }
            _ => false,
        }
    }
}

/// An index for each axis.
type Position = SmallVec<[i64; 8]>;

type Key<'a, 'py> = SmallVec<[Entry<'a, 'py>; 4]>;

/// What an entry is; the commonest are asked for first.
#[inline]
fn entry<'a, 'py>(obj: Borrowed<'a, 'py, PyAny>) -> Entry<'a, 'py> {
    if let Ok(slice) = obj.cast_exact::<PySlice>() {
        return Entry::Slice(slice);
    }
    if obj.is_exact_instance_of::<PyInt>() {
        return Entry::Position(obj);
    }
    if obj.is_none() {
        return Entry::NewAxis;
    }
    if obj.is_instance_of::<PyEllipsis>() {
        return Entry::Ellipsis;
    }
    if obj.is_instance_of::<PyInt>() && !obj.is_instance_of::<PyBool>() {
        return Entry::Position(obj);
    }
    Entry::Array(obj)
}

fn key<'a, 'py>(obj: &'a Bound<'py, PyAny>) -> Key<'a, 'py> {
    match obj.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter_borrowed().map(entry).collect(),
        Err(_) => std::iter::once(entry(obj.as_borrowed())).collect(),
    }
}

/// What an entry does to the axis that it meets.
#[derive(Clone, Copy)]
enum Step {
    /// One position of the axis, which disappears.
    Pick(i64),
    /// Some positions of the axis.
    Narrow(Span),
    /// An axis of length 1 before it.
    NewAxis,
    /// The axes of an ellipsis stay as they are.
    Keep(usize),
}

type Steps = SmallVec<[Step; 4]>;

/// The positions of an axis of length `len` that a slice selects.
#[inline]
fn span(slice: &Bound<'_, PySlice>, len: usize) -> PyResult<Span> {
    let found = slice.indices(len as isize).map_err(|e| unfit(slice, e))?;
    // Of no position, the first may lie anywhere.
    let first = found.slicelength > 0;
    Ok(Span {
        start: if first { found.start as usize } else { 0 },
        step: found.step,
        len: found.slicelength,
    })
}

/// The position that an integer names on an axis of `t`.
#[inline]
fn position(index: &Bound<'_, PyAny>, t: &Tensor, axis: usize) -> PyResult<i64> {
    index.extract().map_err(|_| {
        error(
            Class::Index,
            format!(
                "index: {} is out of bounds for axis {axis} of {}",
                shown(index),
                t.describe()
            ),
        )
    })
}

/// [`position`] of an integer of Python's own, or of an element that is one; none for all else.
#[inline]
fn named(index: &Bound<'_, PyAny>, t: &Tensor, axis: usize) -> PyResult<Option<i64>> {
    if index.is_exact_instance_of::<PyInt>() {
        return position(index, t, axis).map(Some);
    }
    let element = index.cast::<State>().ok();
    let element = element.and_then(|state| state.get().tensor.single());
    let integer = element.filter(|x| x.dtype().is_integer());
    Ok(integer.and_then(|x| i64::try_from(x.value().to_i128()).ok()))
}

/// What a key of positions, slices, new axes and an ellipsis does to the axes of `t`, first axis first.
fn steps(t: &Tensor, key: &Key<'_, '_>) -> PyResult<Steps> {
    let named = key
        .iter()
        .filter(|e| !matches!(e, Entry::NewAxis | Entry::Ellipsis))
        .count();
    let Some(left) = t.ndim().checked_sub(named) else {
        return Err(error(
            Class::Index,
            format!(
                "index: {named} indices for {}, which has {} axes",
                t.describe(),
                t.ndim()
            ),
        ));
    };
    let mut axis = 0;
    let mut dots = 0;
    let mut steps = Steps::new();
    for entry in key {
        let (step, met) = match entry {
            Entry::Position(index) => (Step::Pick(position(index, t, axis)?), 1),
            Entry::Slice(slice) => (Step::Narrow(span(slice, t.shape()[axis])?), 1),
            Entry::NewAxis => (Step::NewAxis, 0),
            Entry::Ellipsis => {
                dots += 1;
                (Step::Keep(left), left)
            }
            Entry::Array(_) => (Step::Keep(1), 1),
        };
        if dots > 1 {
            return Err(error(
                Class::Index,
                "index: an index can only have a single ellipsis ('...')",
            ));
        }
        steps.push(step);
        axis += met;
    }
    Ok(steps)
}

/// Does the steps, in place.
fn walk(t: &mut Tensor, steps: &[Step]) -> Result<(), Error> {
    let (mut axis, mut met) = (0, 0);
    for &step in steps {
        match step {
            Step::Pick(index) => t.pick(axis, index).map_err(|e| at_axis(e, met))?,
            Step::Narrow(span) => t.narrow(axis, span)?,
            Step::NewAxis => t.widen(axis)?,
            Step::Keep(_) => {}
        }
        axis += match step {
            Step::Pick(_) => 0,
            Step::Narrow(_) | Step::NewAxis => 1,
            Step::Keep(count) => count,
        };
        met += match step {
            Step::NewAxis => 0,
            Step::Pick(_) | Step::Narrow(_) => 1,
            Step::Keep(count) => count,
        };
    }
    Ok(())
}

/// The error with the axis counted as the caller of the index counts, before axes disappeared.
#[cold]
fn at_axis(mut e: Error, met: usize) -> Error {
    if let Error::Index { axis, .. } = &mut e {
        *axis = met;
    }
    e
}

fn has_arrays(key: &Key<'_, '_>) -> bool {
    key.iter().any(|e| matches!(e, Entry::Array(_)))
}

/// The key as the engine's indexing with arrays and masks takes it.
fn items(key: &Key<'_, '_>, device: &Arc<dyn Device>) -> PyResult<Vec<IndexItem>> {
    // What is no index at all is said before what is wrong with a slice, as in NumPy.
    let mut arrays = Vec::new(); // few: entries of an index
    for entry in key {
        if let Entry::Array(array) = entry {
            arrays.push(array_item(array, device)?);
        }
    }
    let mut arrays = arrays.into_iter();
    let item = |entry: &Entry<'_, '_>| {
        Ok(match entry {
            // Beyond 64 bits is beyond every axis.
            Entry::Position(index) => Some(IndexItem::Int(index.extract().unwrap_or(i64::MAX))),
            Entry::Slice(slice) => Some(slice_item(slice)?),
            Entry::NewAxis => Some(IndexItem::NewAxis),
            Entry::Ellipsis => Some(IndexItem::Ellipsis),
            Entry::Array(_) => arrays.next(),
        })
    };
    key.iter().map(item).filter_map(Result::transpose).collect()
}

/// The exception for a slice whose ends are no integers.
#[cold]
fn unfit(slice: &Bound<'_, PySlice>, cause: PyErr) -> PyErr {
    let py = slice.py();
    let wrong = cause.is_instance_of::<PyTypeError>(py)
        || cause.is_instance_of::<PyAttributeError>(py)
        || cause.is_instance_of::<PyValueError>(py);
    match wrong {
        true => error(
            Class::ArgumentType,
            "index: the ends and the step of a slice are integers or None, and the step is not 0",
        ),
        false => cause,
    }
}

fn slice_item(slice: &Bound<'_, PySlice>) -> PyResult<IndexItem> {
    let bound = |name: &str| -> PyResult<Option<isize>> {
        let value = slice.getattr(name)?;
        if value.is_none() {
            return Ok(None);
        }
        let exact = value
            .call_method0("__index__")
            .map_err(|e| unfit(slice, e))?;
        // Beyond the range of positions, where every axis has ended.
        exact
            .extract()
            .or_else(|_| Ok(if exact.lt(0)? { isize::MIN } else { isize::MAX }))
            .map(Some)
    };
    Ok(IndexItem::Slice {
        start: bound("start")?,
        stop: bound("stop")?,
        step: bound("step")?.unwrap_or(1),
    })
}

/// The exception for a list or an array whose elements are no numbers: an index of another kind, as NumPy has it.
#[cold]
fn no_index(py: Python<'_>, cause: PyErr) -> PyErr {
    match of_elements(py, &cause) {
        true => error(Class::Index, format!("index: {}", cause.value(py))),
        false => cause,
    }
}

/// A mask, positions, or an object that is an integer in its own way.
fn array_item(obj: &Bound<'_, PyAny>, device: &Arc<dyn Device>) -> PyResult<IndexItem> {
    let is_list = obj.is_instance_of::<PyList>();
    let Some(operand) = Operand::try_from_any(obj).map_err(|e| no_index(obj.py(), e))? else {
        return match obj.extract::<i64>() {
            Ok(index) => Ok(IndexItem::Int(index)),
            Err(_) => Err(error(
                Class::Index,
                "index: indices are integers, slices, None, '...', and arrays of integers or bool",
            )),
        };
    };
    let t = operand.into_tensor_on(device)?;
    if t.dtype().is_bool() {
        return Ok(IndexItem::Mask(t));
    }
    if is_list && t.numel() == 0 {
        return Ok(IndexItem::Array(t.cast(DType::I64).map_err(raise)?));
    }
    if !t.dtype().is_integer() {
        return Err(error(
            Class::Index,
            format!(
                "index: {} is no index; hint: indices are integers or bool",
                t.describe()
            ),
        ));
    }
    if t.ndim() == 0 {
        let at = t.item().map_err(raise)?.to_i128();
        return Ok(IndexItem::Int(i64::try_from(at).unwrap_or(i64::MAX)));
    }
    Ok(IndexItem::Array(t))
}

#[pymethods]
impl State {
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, State>> {
        let (py, t) = (index.py(), &self.tensor);
        // The commonest keys, without the detour of a list of entries.
        match t.shape() {
            [] => {}
            [len, rest @ ..] => {
                if let Ok(slice) = index.cast_exact::<PySlice>() {
                    let span = span(slice, *len)?;
                    return self.view(py, |t| t.narrow(0, span));
                }
                if let Ok(position) = index.cast_exact::<PyInt>() {
                    let position = self::position(position, t, 0)?;
                    return match rest {
                        [] => self.element(py, &[position]),
                        _ => self.view(py, |t| t.pick(0, position)),
                    };
                }
            }
        }
        if let Some(position) = self.position(index)? {
            return self.element(py, &position);
        }
        let key = key(index);
        if has_arrays(&key) {
            let items = items(&key, self.tensor.device())?;
            if let Some(position) = one_for_each_axis(t, &items) {
                return self.element(py, &position);
            }
            // An array of one integer names a position as an integer does, but what arrays pick is a copy.
            let by_array = key.iter().any(Entry::is_array);
            let found = enter(py, t.numel(), || match index::index(t, &items)? {
                view if by_array => apart(view, &[t]),
                found => Ok(found),
            })?;
            return Bound::new(py, State::from(found));
        }
        self.part(py, &key)
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let t = &*self.tensor;
        if let Some(position) = self.position(index)?
            && let Some(x) = singles::written(value, t.dtype())
            && writing::put_single(t, &position, x)?
        {
            return Ok(());
        }
        let key = key(index);
        if has_arrays(&key) {
            return self.put(&items(&key, t.device())?, value);
        }
        let steps = steps(t, &key)?;
        let mut part = t.clone();
        walk(&mut part, &steps).map_err(raise)?;
        assignment::assign(&part, value)
    }

    fn __delitem__(&self, _index: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "the elements of a State cannot be deleted; hint: index what should stay",
        ))
    }

    fn __len__(&self) -> PyResult<usize> {
        match self.tensor.shape().first() {
            Some(&len) => Ok(len),
            None => Err(PyTypeError::new_err("a State without axes has no length")),
        }
    }

    fn __iter__(&self) -> PyResult<Rows> {
        Rows::of(self.tensor.clone())
    }

    fn __reversed__(&self) -> PyResult<Rows> {
        let first: &[isize] = if self.tensor.ndim() > 0 { &[0] } else { &[] };
        Rows::of(self.tensor.flip(first).map_err(raise)?)
    }
}

/// The indices, where they are integers alone and name one element.
fn one_for_each_axis(t: &Tensor, items: &[IndexItem]) -> Option<Position> {
    let integer = |item: &IndexItem| match item {
        IndexItem::Int(index) => Some(*index),
        _ => None,
    };
    if items.len() != t.ndim() {
        return None;
    }
    items.iter().map(integer).collect()
}

impl State {
    /// The position that an integer names, or a tuple of them, one for each axis.
    #[inline]
    fn position(&self, index: &Bound<'_, PyAny>) -> PyResult<Option<Position>> {
        if self.tensor.ndim() == 1
            && let Some(at) = named(index, &self.tensor, 0)?
        {
            return Ok(Some(SmallVec::from_slice(&[at])));
        }
        self.whole_position(index)
    }

    /// The position that a tuple of integers names, one for each axis.
    #[inline]
    fn whole_position(&self, index: &Bound<'_, PyAny>) -> PyResult<Option<Position>> {
        let Ok(tuple) = index.cast_exact::<PyTuple>() else {
            return Ok(None);
        };
        if tuple.len() != self.tensor.ndim() {
            return Ok(None);
        }
        let mut position = Position::new();
        for (axis, entry) in tuple.iter_borrowed().enumerate() {
            match named(&entry, &self.tensor, axis)? {
                Some(at) => position.push(at),
                None => return Ok(None),
            }
        }
        Ok(Some(position))
    }

    /// The element at a position as a value: as in NumPy, no later write to this State changes it.
    #[inline]
    fn element<'py>(&self, py: Python<'py>, position: &[i64]) -> PyResult<Bound<'py, State>> {
        element(py, &self.tensor, position)
    }

    /// The view that a key without arrays selects.
    fn part<'py>(&self, py: Python<'py>, key: &Key<'_, 'py>) -> PyResult<Bound<'py, State>> {
        let steps = steps(&self.tensor, key)?;
        self.view(py, |t| walk(t, &steps))
    }
}

/// The element of a tensor at a position, as a value: without memory where it can be.
#[inline]
fn element<'py>(py: Python<'py>, t: &Tensor, position: &[i64]) -> PyResult<Bound<'py, State>> {
    if let Some(x) = t.single(position).map_err(raise)? {
        return object::new(py, x);
    }
    object::new(py, enter(py, t.waiting(), || t.element(position))?)
}

/// The rows of a State, first axis first: views, or the elements of one without rows.
#[pyclass(frozen, name = "Rows", module = "syntonic._core")]
pub(crate) struct Rows {
    tensor: Tensor,
    next: std::sync::atomic::AtomicI64,
}

impl Rows {
    fn of(tensor: Tensor) -> PyResult<Rows> {
        if tensor.ndim() == 0 {
            return Err(PyTypeError::new_err(
                "a State without axes cannot be iterated over",
            ));
        }
        Ok(Rows {
            tensor,
            next: 0.into(),
        })
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, State>>> {
        let t = &self.tensor;
        let at = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if at >= t.shape()[0] as i64 {
            return Ok(None);
        }
        match t.ndim() {
            1 => element(py, t, &[at]),
            _ => object::new(py, t.select(0, at).map_err(raise)?),
        }
        .map(Some)
    }
}
