//! `x[key]` and `x[key] = values`.

use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::memory::writing;
use crate::operand::Operand;
use crate::state::State;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PyList, PySlice, PyTuple};
use smallvec::SmallVec;
use syntonic_core::layout::{Dims, Span, Strides};
use syntonic_core::ops::index::{self, IndexItem};
use syntonic_core::{DType, Error, Layout, Tensor};

/// One entry of a key.
enum Entry<'py> {
    Position(Bound<'py, PyAny>),
    Slice(Bound<'py, PySlice>),
    NewAxis,
    Ellipsis,
    Array(Bound<'py, PyAny>),
}

type Key<'py> = SmallVec<[Entry<'py>; 4]>;

fn entry<'py>(obj: Bound<'py, PyAny>) -> Entry<'py> {
    if obj.is_none() {
        return Entry::NewAxis;
    }
    if obj.is_instance_of::<PyEllipsis>() {
        return Entry::Ellipsis;
    }
    if obj.is_instance_of::<PyInt>() && !obj.is_instance_of::<PyBool>() {
        return Entry::Position(obj);
    }
    match obj.cast_into::<PySlice>() {
        Ok(slice) => Entry::Slice(slice),
        Err(other) => Entry::Array(other.into_inner()),
    }
}

fn key<'py>(obj: &Bound<'py, PyAny>) -> Key<'py> {
    match obj.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().map(entry).collect(),
        Err(_) => std::iter::once(entry(obj.clone())).collect(),
    }
}

/// A walk over memory that is being built, axis by axis.
struct Walk<'a> {
    from: &'a Layout,
    axis: usize,
    shape: Dims,
    strides: Strides,
    offset: isize,
}

impl Walk<'_> {
    fn keep(&mut self, axes: usize) {
        let range = self.axis..self.axis + axes;
        self.shape
            .extend_from_slice(&self.from.shape()[range.clone()]);
        self.strides.extend_from_slice(&self.from.strides()[range]);
        self.axis += axes;
    }

    #[inline]
    fn position(&mut self, index: &Bound<'_, PyAny>) -> PyResult<()> {
        let len = self.from.shape()[self.axis];
        let index: i64 = index.extract()?;
        let at = if index < 0 {
            index.saturating_add(len as i64)
        } else {
            index
        };
        if !(0..len as i64).contains(&at) {
            return Err(raise(Error::Index {
                op: "index",
                index,
                axis: self.axis,
                len,
            }));
        }
        self.offset += at as isize * self.from.strides()[self.axis];
        self.axis += 1;
        Ok(())
    }

    fn slice(&mut self, slice: &Bound<'_, PySlice>) -> PyResult<()> {
        let len = self.from.shape()[self.axis];
        let span = slice.indices(len as isize)?;
        let stride = self.from.strides()[self.axis];
        if span.slicelength > 0 {
            self.offset += span.start * stride;
        }
        self.shape.push(span.slicelength);
        self.strides.push(stride.wrapping_mul(span.step));
        self.axis += 1;
        Ok(())
    }
}

/// The view that a key of positions, slices, new axes and an ellipsis selects.
fn basic(t: &Tensor, key: &Key<'_>) -> PyResult<Tensor> {
    let named = key
        .iter()
        .filter(|e| matches!(e, Entry::Position(_) | Entry::Slice(_) | Entry::Array(_)))
        .count();
    if named > t.ndim() {
        return Err(error(
            crate::errors::Class::Index,
            format!(
                "index: {named} indices for {}, which has {} axes",
                t.describe(),
                t.ndim()
            ),
        ));
    }
    let mut left = t.ndim() - named;
    let from = t.layout();
    let mut walk = Walk {
        from,
        axis: 0,
        shape: Dims::new(),
        strides: Strides::new(),
        offset: from.offset() as isize,
    };
    let mut dots = 0;
    for entry in key {
        match entry {
            Entry::Position(index) => walk.position(index)?,
            Entry::Slice(slice) => walk.slice(slice)?,
            Entry::NewAxis => {
                walk.shape.push(1);
                walk.strides.push(0);
            }
            Entry::Ellipsis => {
                dots += 1;
                walk.keep(left);
                left = 0;
            }
            Entry::Array(_) => walk.keep(1),
        }
    }
    if dots > 1 {
        return Err(error(
            Class::Index,
            "index: an index has at most one ellipsis ('...')",
        ));
    }
    walk.keep(left);
    let layout = Layout::from_parts(&walk.shape, &walk.strides, walk.offset as usize);
    t.relayout(layout).map_err(raise)
}

/// `x[slice]`, the commonest key, without the detour of a list of entries.
fn rows(t: &Tensor, slice: &Bound<'_, PySlice>) -> PyResult<Tensor> {
    let found = slice.indices(t.shape()[0] as isize)?;
    let span = Span {
        start: if found.slicelength > 0 {
            found.start as usize
        } else {
            0
        },
        step: found.step,
        len: found.slicelength,
    };
    t.span(0, span).map_err(raise)
}

fn has_arrays(key: &Key<'_>) -> bool {
    key.iter().any(|e| matches!(e, Entry::Array(_)))
}

/// The key as the engine's indexing with arrays and masks takes it.
fn items(key: &Key<'_>) -> PyResult<Vec<IndexItem>> {
    let item = |entry: &Entry<'_>| {
        Ok(match entry {
            Entry::Position(index) => IndexItem::Int(index.extract()?),
            Entry::Slice(slice) => slice_item(slice)?,
            Entry::NewAxis => IndexItem::NewAxis,
            Entry::Ellipsis => IndexItem::Ellipsis,
            Entry::Array(array) => array_item(array)?,
        })
    };
    key.iter().map(item).collect()
}

fn slice_item(slice: &Bound<'_, PySlice>) -> PyResult<IndexItem> {
    let bound = |name: &str| -> PyResult<Option<isize>> {
        let value = slice.getattr(name)?;
        if value.is_none() {
            return Ok(None);
        }
        let exact = value.call_method0("__index__")?;
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

/// A mask, positions, or an object that is an integer in its own way.
fn array_item(obj: &Bound<'_, PyAny>) -> PyResult<IndexItem> {
    let is_list = obj.is_instance_of::<PyList>();
    let Some(operand) = Operand::try_from_any(obj)? else {
        return match obj.extract::<i64>() {
            Ok(index) => Ok(IndexItem::Int(index)),
            Err(_) => Err(error(
                Class::Index,
                "index: indices are integers, slices, None, '...', and arrays of integers or bool",
            )),
        };
    };
    let t = operand.into_tensor()?;
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
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<State> {
        if let Ok(slice) = index.cast_exact::<PySlice>()
            && self.tensor.ndim() > 0
        {
            return Ok(rows(&self.tensor, slice)?.into());
        }
        let key = key(index);
        if has_arrays(&key) {
            let (t, items) = (&self.tensor, items(&key)?);
            return Ok(enter(index.py(), t.numel(), || index::index(t, &items))?.into());
        }
        Ok(basic(&self.tensor, &key)?.into())
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let key = key(index);
        if has_arrays(&key) {
            return self.put(&items(&key)?, value);
        }
        let view = State::from(basic(&self.tensor, &key)?);
        view.assign(value)
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
        if self.tensor.ndim() == 0 {
            return Err(PyTypeError::new_err(
                "a State without axes cannot be iterated over",
            ));
        }
        Ok(Rows {
            tensor: self.tensor.clone(),
            next: 0.into(),
        })
    }
}

impl State {
    /// Writes whatever `value` stands for into every element.
    pub(crate) fn assign(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.write(value.py(), &self.values(value)?)
    }

    /// Writes whatever `value` stands for where the items point.
    fn put(&self, items: &[IndexItem], value: &Bound<'_, PyAny>) -> PyResult<()> {
        writing::put(value.py(), &self.tensor, items, &self.values(value)?)
    }

    /// What `value` stands for, as a tensor that can be written into this State.
    fn values(&self, value: &Bound<'_, PyAny>) -> PyResult<Tensor> {
        let py = value.py();
        match Operand::from_any(value)? {
            Operand::Number(x) => {
                let dtype = x.promote_with(self.tensor.dtype());
                crate::nested::check_range(x, dtype)?;
                enter(py, 0, || Tensor::scalar(x, dtype))
            }
            other => other.into_tensor(),
        }
    }
}

/// Views of the rows of a State, first axis first.
#[pyclass(frozen, name = "Rows", module = "syntonic._core")]
pub(crate) struct Rows {
    tensor: Tensor,
    next: std::sync::atomic::AtomicI64,
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self) -> PyResult<Option<State>> {
        let at = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if at >= self.tensor.shape()[0] as i64 {
            return Ok(None);
        }
        Ok(Some(self.tensor.select(0, at).map_err(raise)?.into()))
    }
}
