//! Protocols of the array world that are answered in Python: NumPy's functions and the Array API.

use crate::operators::before_state;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

#[pymethods]
impl State {
    /// Above NumPy's own arrays, so that `array + State` is a State.
    #[classattr]
    fn __array_priority__() -> f64 {
        1000.0
    }

    /// NumPy's functions over States are ours of the same name.
    #[pyo3(signature = (ufunc, method, *inputs, **options))]
    fn __array_ufunc__<'py>(
        &self,
        ufunc: &Bound<'py, PyAny>,
        method: &str,
        inputs: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plain = method == "__call__" && options.is_none_or(|given| given.is_empty());
        if plain && let Some(made) = before_state(ufunc, inputs) {
            return Ok(made.into_bound(ufunc.py()));
        }
        let bridge = ufunc.py().import("syntonic._numpy")?;
        bridge.call_method1("ufunc", (ufunc, method, inputs, options))
    }

    /// NumPy's other functions over States: ours where we have them, else NumPy's own over the same memory.
    fn __array_function__<'py>(
        &self,
        function: &Bound<'py, PyAny>,
        types: &Bound<'py, PyAny>,
        arguments: &Bound<'py, PyAny>,
        options: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let bridge = function.py().import("syntonic._numpy")?;
        bridge.call_method1("array_function", (function, types, arguments, options))
    }

    /// The array of Apache Arrow that `pyarrow.array` makes of a State.
    #[pyo3(signature = (r#type=None))]
    fn __arrow_array__<'py>(
        slf: &Bound<'py, Self>,
        r#type: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let arrow = slf.py().import("pyarrow")?;
        arrow.call_method1("array", (State::numpy(slf)?, r#type))
    }

    /// The namespace of the Array API: this package.
    #[pyo3(signature = (*, api_version=None))]
    fn __array_namespace__<'py>(
        &self,
        py: Python<'py>,
        api_version: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        py.import("syntonic._inspection")?
            .call_method1("namespace", (api_version,))
    }
}
