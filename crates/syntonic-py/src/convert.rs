//! Elements as Python numbers, and States as other types.

use crate::device;
use crate::dtype;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::state::State;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyList};
use syntonic_core::{Element, Kind, Scalar, Tensor, with_element};

/// The number as Python has it.
pub(crate) fn python<'py>(py: Python<'py>, x: Scalar) -> PyResult<Bound<'py, PyAny>> {
    match x {
        Scalar::Bool(b) => b.into_bound_py_any(py),
        Scalar::Int(i) => match i64::try_from(i) {
            Ok(small) => small.into_bound_py_any(py),
            Err(_) => i.into_bound_py_any(py),
        },
        Scalar::Float(v) => v.into_bound_py_any(py),
        Scalar::Complex(z) => PyComplex::from_doubles(py, z.re, z.im).into_bound_py_any(py),
    }
}

/// The elements in row-major order, in the widest type of their kind.
pub(crate) fn scalars(t: &Tensor) -> PyResult<Vec<Scalar>> {
    with_element!(t.dtype(), T => {
        let values = t.host_slice::<T>().map_err(raise)?;
        Ok(values.iter().map(|x| x.to_scalar()).collect())
    })
}

/// Nested lists of shape `shape` from numbers in row-major order.
fn nest<'py>(py: Python<'py>, shape: &[usize], values: &[Scalar]) -> PyResult<Bound<'py, PyAny>> {
    let Some((&len, inner)) = shape.split_first() else {
        return python(py, values[0]);
    };
    let step = values.len().checked_div(len).unwrap_or(0);
    let items: Vec<Bound<'py, PyAny>> = (0..len)
        .map(|i| nest(py, inner, &values[i * step..(i + 1) * step]))
        .collect::<PyResult<_>>()?;
    Ok(PyList::new(py, items)?.into_any())
}

impl State {
    fn one(&self, py: Python<'_>) -> PyResult<Scalar> {
        enter(py, self.tensor.numel(), || self.tensor.item())
    }

    fn real_number(&self, py: Python<'_>, wanted: &str) -> PyResult<Scalar> {
        let x = self.one(py)?;
        if x.kind() == Kind::Complex {
            return Err(error(
                Class::DType,
                format!("a complex number is no {wanted}; hint: take .real or abs(x)"),
            ));
        }
        Ok(x)
    }
}

#[pymethods]
impl State {
    /// The single element as a Python number.
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, self.one(py)?)
    }

    /// The elements as nested lists of Python numbers.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let here = enter(py, self.tensor.numel(), || self.tensor.contiguous()?.eval())?;
        nest(py, here.shape(), &scalars(&here)?)
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.real_number(py, "real number")?.to_f64())
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.real_number(py, "integer")? {
            Scalar::Float(x) => x.into_bound_py_any(py)?.call_method0("__int__"),
            other => python(py, Scalar::Int(other.to_i128())),
        }
    }

    fn __complex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let z = self.one(py)?.to_complex();
        python(py, Scalar::Complex(z))
    }

    fn __index__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if !self.tensor.dtype().is_integer() {
            return Err(error(
                Class::DType,
                format!(
                    "{} is no index; hint: indices are integers",
                    self.tensor.describe()
                ),
            ));
        }
        python(py, self.one(py)?)
    }

    /// The same values as another type; a copy unless `copy=False` and the type is the same.
    #[pyo3(signature = (dtype, copy=true))]
    fn astype(&self, py: Python<'_>, dtype: &Bound<'_, PyAny>, copy: bool) -> PyResult<State> {
        let wanted = dtype::parse(dtype)?;
        let t = &self.tensor;
        let same = wanted == t.dtype();
        enter(py, t.numel(), || {
            if same && copy {
                t.copy()
            } else {
                t.cast(wanted)
            }
        })
        .map(State::from)
    }

    /// A copy in memory of its own, row-major.
    fn copy(&self, py: Python<'_>) -> PyResult<State> {
        Ok(enter(py, self.tensor.numel(), || self.tensor.copy())?.into())
    }

    /// The same values on another device; itself if it is there already.
    pub(crate) fn to<'py>(
        slf: &Bound<'py, Self>,
        device: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, State>> {
        let device = device::parse(Some(device))?;
        let t = &slf.get().tensor;
        if t.device_id() == device.id() {
            return Ok(slf.clone());
        }
        let moved = enter(slf.py(), t.numel(), || t.to(&device))?;
        Bound::new(slf.py(), State::from(moved))
    }

    /// The State on the CPU.
    fn cpu<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, State>> {
        Self::to(slf, pyo3::types::PyString::new(slf.py(), "cpu").as_any())
    }

    /// The State on the first CUDA device.
    fn cuda<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, State>> {
        Self::to(slf, pyo3::types::PyString::new(slf.py(), "cuda").as_any())
    }
}
