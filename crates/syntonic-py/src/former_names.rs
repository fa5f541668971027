//! Names that a State had in the first designs: each answers with what there is instead.
//!
//! They are attributes that raise. A `__getattr__` would be asked for every name that is missing, which takes a probe of another library
//! from 50 ns to 1.7 us, and Python would no longer keep where a State's methods are.

use crate::state::State;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The names, which nobody is shown.
const FORMER: [&str; 3] = ["matmul_async", "prefetch_to_gpu", "reshape_inplace"];

/// What is raised for `name`.
fn former(name: &str, instead: &str) -> PyErr {
    PyAttributeError::new_err(format!(
        "'State' object has no attribute '{name}'; hint: here it is {instead}"
    ))
}

#[pymethods]
impl State {
    #[getter]
    fn matmul_async(&self) -> PyResult<()> {
        let instead = "x @ y or syntonic.matmul(x, y), which wait for no GPU";
        Err(former("matmul_async", instead))
    }

    #[getter]
    fn prefetch_to_gpu(&self) -> PyResult<()> {
        let instead = "x.to(\"cuda\"), or syntonic.cuda.prefetch_to(x, \"cuda\") in unified memory";
        Err(former("prefetch_to_gpu", instead))
    }

    #[getter]
    fn reshape_inplace(&self) -> PyResult<()> {
        let instead = "x = x.reshape(shape), which copies nothing where a view will do";
        Err(former("reshape_inplace", instead))
    }

    /// The names of the attributes that there are.
    fn __dir__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let object = slf.py().get_type::<PyAny>();
        let names = PyList::empty(slf.py());
        for name in object.call_method1("__dir__", (slf,))?.try_iter()? {
            let name = name?;
            let shown = name.extract::<String>()?;
            if !FORMER.contains(&shown.as_str()) {
                names.append(name)?;
            }
        }
        Ok(names)
    }
}
