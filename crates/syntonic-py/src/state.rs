//! `State`: an array as NumPy users know one. Its memory is shared by its views.

use crate::arguments::parameter;
use crate::construct::{is_array_like, is_sequence};
use crate::device::PyDevice;
use crate::dtype::{self, PyDType};
use crate::enter::force;
use crate::errors::{Class, raise};
use crate::memory::held::Held;
use crate::memory::{foreign, object, writing};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use syntonic_core::{Error, Operands, Single, Tensor, way_out};

/// An n-dimensional array of numbers of one type.
#[pyclass(frozen, sequence, name = "State", module = "syntonic", weakref)]
pub(crate) struct State {
    pub(crate) tensor: Held,
}

impl From<Tensor> for State {
    fn from(tensor: Tensor) -> State {
        State {
            tensor: tensor.into(),
        }
    }
}

impl From<Single> for State {
    #[inline]
    fn from(x: Single) -> State {
        State { tensor: x.into() }
    }
}

impl State {
    /// A State over the memory of `self`, walked as `change` leaves the walk.
    #[inline]
    pub(crate) fn view<'py>(
        &self,
        py: Python<'py>,
        change: impl FnOnce(&mut Tensor) -> Result<(), Error>,
    ) -> PyResult<Bound<'py, State>> {
        object::view(py, &self.tensor, change)
    }

    /// Writes `values` into the memory of `self`, through every view of it.
    pub(crate) fn write(&self, py: Python<'_>, values: &Tensor) -> PyResult<()> {
        writing::assign(py, &self.tensor, values)
    }

    /// [`State::write`] of a result that nobody else has, and that goes unread.
    pub(crate) fn write_result(&self, py: Python<'_>, result: &Tensor) -> PyResult<()> {
        writing::assign_last(py, &self.tensor, result, 1)
    }

    /// An error unless a result of `found` may be written to this State in place.
    pub(crate) fn check_kind(&self, op: &'static str, found: &Tensor) -> PyResult<()> {
        let target = self.tensor.dtype();
        let narrowed = target.is_stored() && found.dtype() != target;
        if narrowed {
            return Err(raise(Error::DType {
                op,
                operands: Operands(vec![found.describe(), self.tensor.describe()]),
                hint: format!(
                    "{target} is storage, into which results are cast; {}",
                    way_out::CONVERT
                ),
            }));
        }
        if found.dtype().kind() <= target.kind() || found.dtype().promote(target) == target {
            return Ok(());
        }
        Err(raise(Error::DType {
            op,
            operands: Operands(vec![found.describe(), self.tensor.describe()]),
            hint: format!(
                "the result is {}, which {target} cannot hold; {}",
                found.dtype(),
                way_out::CONVERT
            ),
        }))
    }

    /// The State that an argument `out` is, or one over the memory of the array that it is, if one was given.
    #[inline]
    pub(crate) fn target<'py>(
        op: &'static str,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, State>>> {
        match out {
            None => Ok(None),
            Some(out) => match out.cast::<State>() {
                Ok(state) => Ok(Some(state.clone())),
                Err(_) => State::over(op, out).map(Some),
            },
        }
    }

    /// A State over the memory of an array of another library.
    fn over<'py>(op: &'static str, out: &Bound<'py, PyAny>) -> PyResult<Bound<'py, State>> {
        let shared = match is_array_like(out)? && !is_sequence(out) {
            true => foreign::share(out)?,
            false => None,
        };
        match shared {
            Some(t) => object::new(out.py(), t),
            None => Err(parameter(op, "out").refuse(
                Class::ArgumentType,
                out,
                "a State, or an array that can be written, to put the result into",
            )),
        }
    }

    /// Puts a result into `out` and hands `out` back, or makes a new State of it.
    pub(crate) fn deliver<'py>(
        py: Python<'py>,
        op: &'static str,
        result: Tensor,
        out: Option<Bound<'py, State>>,
    ) -> PyResult<Bound<'py, State>> {
        let Some(out) = out else {
            return object::new(py, result);
        };
        let target = out.get();
        target.tensor.check_writable(op).map_err(raise)?;
        if target.tensor.shape() != result.shape() {
            return Err(raise(Error::Shape {
                op,
                operands: Operands(vec![result.describe(), target.tensor.describe()]),
                hint: "out must have the shape of the result".into(),
            }));
        }
        target.check_kind(op, &result)?;
        target.write_result(py, &result)?;
        Ok(out)
    }
}

#[pymethods]
impl State {
    /// Element type.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<Py<PyDType>> {
        dtype::object(py, self.tensor.dtype())
    }

    /// Where the elements live.
    #[getter]
    fn device(&self) -> PyDevice {
        PyDevice(self.tensor.device_id())
    }

    /// Lengths of the axes.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.tensor.shape())
    }

    /// Number of axes.
    #[getter]
    fn ndim(&self) -> usize {
        self.tensor.ndim()
    }

    /// Number of elements.
    #[getter]
    fn size(&self) -> usize {
        self.tensor.numel()
    }

    /// Bytes between neighbours along each axis.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let size = self.tensor.dtype().size() as isize;
        PyTuple::new(py, self.tensor.strides().iter().map(|s| s * size))
    }

    /// Bytes of all elements.
    #[getter]
    fn nbytes(&self) -> usize {
        self.tensor.numel() * self.itemsize()
    }

    /// Bytes of one element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.tensor.dtype().size()
    }

    /// The axes in reverse order, as a view.
    #[getter]
    #[pyo3(name = "T")]
    fn transposed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, State>> {
        self.view(py, |t| {
            t.reverse_axes();
            Ok(())
        })
    }

    /// The last two axes exchanged, as a view.
    #[getter]
    #[pyo3(name = "mT")]
    fn matrix_transposed(&self) -> PyResult<State> {
        Ok(self.tensor.transpose(-2, -1).map_err(raise)?.into())
    }

    /// True while the elements are an expression that nobody has read yet.
    #[getter]
    fn is_pending(&self) -> bool {
        self.tensor.is_pending()
    }

    /// Computes the elements now if they are still an expression; returns itself.
    fn eval<'py>(slf: &Bound<'py, State>) -> PyResult<Bound<'py, State>> {
        force(slf.py(), &slf.get().tensor)?;
        Ok(slf.clone())
    }
}
