//! Element types as Python objects: `syntonic.float32` and its kin.

use crate::errors::{Class, error, raise};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};
use syntonic_core::{DType, Error, Kind};

/// The type of one element of a State.
#[pyclass(frozen, name = "DType", module = "syntonic")]
pub(crate) struct PyDType(pub(crate) DType);

static ALL: PyOnceLock<Vec<Py<PyDType>>> = PyOnceLock::new();

fn all(py: Python<'_>) -> PyResult<&'static Vec<Py<PyDType>>> {
    ALL.get_or_try_init(py, || {
        DType::every()
            .map(|dtype| Py::new(py, PyDType(dtype)))
            .collect()
    })
}

/// The one object for `dtype`.
pub(crate) fn object(py: Python<'_>, dtype: DType) -> PyResult<Py<PyDType>> {
    Ok(all(py)?[dtype as usize].clone_ref(py))
}

/// Puts `float32`, `int64`, ... into the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for (dtype, object) in DType::every().zip(all(module.py())?) {
        module.add(dtype.name(), object)?;
    }
    Ok(())
}

/// The element type an object names: one of ours, its name, a NumPy dtype or scalar type, or one of
/// Python's `bool`, `int`, `float`, `complex`.
pub(crate) fn parse(obj: &Bound<'_, PyAny>) -> PyResult<DType> {
    if let Ok(dtype) = obj.cast::<PyDType>() {
        return Ok(dtype.get().0);
    }
    if let Ok(name) = obj.cast::<PyString>() {
        return by_name(&name.to_string_lossy());
    }
    if let Ok(class) = obj.cast::<PyType>() {
        let py = obj.py();
        if class.is(py.get_type::<PyFloat>()) {
            return Ok(DType::F64);
        } else if class.is(py.get_type::<PyInt>()) {
            return Ok(DType::I64);
        } else if class.is(py.get_type::<PyBool>()) {
            return Ok(DType::Bool);
        } else if class.is(py.get_type::<PyComplex>()) {
            return Ok(DType::C128);
        }
        return by_name(&class.name()?.to_string_lossy());
    }
    match obj.getattr("name") {
        Ok(name) => by_name(&name.str()?.to_string_lossy()),
        Err(_) => by_name(&obj.str()?.to_string_lossy()),
    }
}

/// [`parse`], where `None` is no choice.
pub(crate) fn parse_optional(obj: Option<&Bound<'_, PyAny>>) -> PyResult<Option<DType>> {
    obj.filter(|o| !o.is_none()).map(parse).transpose()
}

fn by_name(name: &str) -> PyResult<DType> {
    let plain = name.strip_suffix('_').unwrap_or(name);
    DType::from_name(plain).ok_or_else(|| {
        raise(Error::UnknownDType {
            name: name.to_owned(),
        })
    })
}

#[pymethods]
impl PyDType {
    #[new]
    fn new(dtype: &Bound<'_, PyAny>) -> PyResult<PyDType> {
        parse(dtype).map(PyDType)
    }

    /// The name: "float32".
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Bytes of one element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.0.size()
    }

    /// The kind of number: "bool", "signed integer", "unsigned integer", "real floating" or "complex floating",
    /// or "storage" for what is moved and cast only.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.kind() {
            Kind::Bool => "bool",
            Kind::Signed => "signed integer",
            Kind::Unsigned => "unsigned integer",
            Kind::Float => "real floating",
            Kind::Complex => "complex floating",
            Kind::Stored => "storage",
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let same = if let Ok(dtype) = other.cast::<PyDType>() {
            dtype.get().0 == self.0
        } else if let Ok(name) = other.cast::<PyString>() {
            *name == self.0.name()
        } else {
            return Ok(py.NotImplemented());
        };
        Ok(PyBool::new(py, same).to_owned().into_any().unbind())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        // Equal to its name, so it must hash as its name does.
        PyString::new(py, self.0.name()).hash()
    }

    fn __repr__(&self) -> String {
        format!("syntonic.{}", self.0.name())
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyType>, (&'static str,)) {
        (py.get_type::<PyDType>().unbind(), (self.0.name(),))
    }
}

/// The common type of two types, as the Array API's table says. A type of storage has one with itself only.
#[pyfunction]
pub(crate) fn promote_types(py: Python<'_>, a: &PyDType, b: &PyDType) -> PyResult<Py<PyDType>> {
    if a.0 != b.0 && (a.0.is_stored() || b.0.is_stored()) {
        return Err(error(
            Class::DType,
            format!(
                "{} and {} have no common type; hint: cast to float16 first",
                a.0, b.0
            ),
        ));
    }
    object(py, a.0.promote(b.0))
}
