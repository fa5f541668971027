//! Element types as Python objects: `syntonic.float32` and its kin.

pub(crate) use crate::dtype_names::{parse, parse_optional};

use crate::dtype_names;
use crate::errors::{Class, error};
use crate::memory::foreign::BY_ML_DTYPES;
use pyo3::exceptions::{PyAttributeError, PyImportError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyString, PyType};
use syntonic_core::{DType, Kind};

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

/// NumPy's object for `dtype`. Types that NumPy does not have come from the package ml_dtypes.
pub(crate) fn of_numpy(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyAny>> {
    let numpy = py.import("numpy")?;
    if !BY_ML_DTYPES.contains(&dtype) {
        return numpy.call_method1("dtype", (dtype.name(),));
    }
    let types = py.import("ml_dtypes").map_err(|_| {
        PyImportError::new_err(format!(
            "NumPy has no {dtype} of its own; hint: install ml_dtypes, or convert with .astype(syntonic.float32)"
        ))
    })?;
    numpy.call_method1("dtype", (types.getattr(dtype.name())?,))
}

/// An attribute of NumPy's object for the type.
fn as_numpys<'py>(py: Python<'py>, dtype: DType, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let theirs = of_numpy(py, dtype);
    // Whoever asks whether a type has an attribute takes this for an answer, and no other exception.
    let theirs = theirs.map_err(|e| match e.is_instance_of::<PyImportError>(py) {
        true => PyAttributeError::new_err(format!("{name}: {}", e.value(py))),
        false => e,
    })?;
    theirs.getattr(name)
}

/// What code for NumPy reads of a type, as NumPy says it of its own.
macro_rules! as_in_numpy {
    ($($attribute:ident $name:literal $doc:literal;)*) => {
        #[pymethods]
        impl PyDType {
            $(
                #[doc = $doc]
                #[getter]
                #[pyo3(name = $name)]
                fn $attribute<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                    as_numpys(py, self.0, $name)
                }
            )*
        }
    };
}

as_in_numpy! {
    character "char" "NumPy's letter for this very type.";
    text "str" "The order of the bytes, the kind and the number of bytes: \"<f4\".";
    scalar "type" "NumPy's class of single numbers of this type.";
    number "num" "NumPy's number of the type.";
    alignment "alignment" "At multiples of how many bytes elements lie.";
    byteorder "byteorder" "\"=\" for the order of this machine, \"|\" where there is none.";
    isnative "isnative" "True: the bytes are in the order of this machine.";
    isbuiltin "isbuiltin" "1 for NumPy's own types, 2 for others.";
    isalignedstruct "isalignedstruct" "False: the type has no fields.";
    hasobject "hasobject" "False: elements are numbers and no objects.";
    names "names" "None: the type has no fields.";
    fields "fields" "None: the type has no fields.";
    subdtype "subdtype" "None: an element is one number.";
    shape "shape" "(): an element is one number.";
    ndim "ndim" "0: an element is one number.";
    descr "descr" "The type as the protocol `__array_interface__` describes it.";
    flags "flags" "0: NumPy's bits for types of objects.";
    metadata "metadata" "None: nothing is kept beside the type.";
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

    /// The kind of number in NumPy's letters: "b" for bool, "i" and "u" for integers with a sign and without, "f" and "c" for real
    /// and complex floats, and "V" for what is moved and cast only. `isdtype` asks for kinds by the Array API's names.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.kind() {
            Kind::Bool => "b",
            Kind::Signed => "i",
            Kind::Unsigned => "u",
            Kind::Float => "f",
            Kind::Complex => "c",
            Kind::Stored => "V",
        }
    }

    /// This type: it has no fields and no shape.
    #[getter]
    fn base<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyDType> {
        slf.clone()
    }

    /// NumPy's type with its bytes in another order, or this one where they are in it: "<", ">", "=" or "S" for the other one.
    #[pyo3(signature = (new_order="S"))]
    fn newbyteorder<'py>(slf: &Bound<'py, Self>, new_order: &str) -> PyResult<Bound<'py, PyAny>> {
        let theirs = as_numpys(slf.py(), slf.get().0, "newbyteorder")?;
        let other = theirs.call1((new_order,))?;
        Ok(match other.getattr("isnative")?.is_truthy()? {
            true => slf.clone().into_any(),
            false => other,
        })
    }

    /// NumPy's object for this type, by which NumPy takes this one wherever it asks for a type.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_numpy(py, self.0)
    }

    /// As `dtype`, which NumPy asks for from 2.4 on.
    #[getter]
    fn __numpy_dtype__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_numpy(py, self.0)
    }

    /// NumPy's object for this type; for bfloat16 and 8-bit floats that of the package ml_dtypes.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_numpy(py, self.0)
    }

    /// PyTorch's object for this type.
    fn torch<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let torch = py.import("torch").map_err(|_| {
            PyImportError::new_err(format!(
                "{}: PyTorch is not installed; hint: install torch",
                self.0
            ))
        })?;
        torch.getattr(self.0.name())
    }

    /// True for the same type, whoever's object or name for it `other` is.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let same = match other.cast::<PyDType>() {
            Ok(dtype) => dtype.get().0 == self.0,
            Err(_) => match dtype_names::same_as(other)? {
                Some(dtype) => dtype == self.0,
                None => return Ok(py.NotImplemented()),
            },
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
