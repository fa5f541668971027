//! Reductions, as functions and as methods.

use crate::arguments::parameter;
use crate::dtype;
use crate::enter::enter;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Error, Tensor};

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Axes and what becomes of them.
fn over(op: &'static str, axis: Object<'_, '_>, keepdims: Object<'_, '_>) -> PyResult<Over> {
    parameter(op, "axis").over(axis, keepdims)
}

/// A real number, or what it is where none is given.
fn number(
    op: &'static str,
    name: &'static str,
    given: Object<'_, '_>,
    default: f64,
) -> PyResult<f64> {
    given.map_or(Ok(default), |x| parameter(op, name).real(x))
}

fn reduced(
    py: Python<'_>,
    x: &Tensor,
    work: impl FnOnce(&Tensor) -> Result<Tensor, Error> + Send,
) -> PyResult<State> {
    Ok(enter(py, x.numel(), || work(x))?.into())
}

/// Functions of axis and keepdims alone.
macro_rules! plain_reductions {
    ($($name:ident $function:ident $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(signature = (x, axis=None, keepdims=None), text_signature = "(x, axis=None, keepdims=False)")]
            pub(crate) fn $name(x: &Bound<'_, PyAny>, axis: Object<'_, '_>, keepdims: Object<'_, '_>) -> PyResult<State> {
                let (t, over) = (operand::tensor(x)?, over(stringify!($name), axis, keepdims)?);
                reduced(x.py(), &t, |t| reduce::$function(t, &over))
            }
        )*

        #[pymethods]
        impl State {
            $(
                #[doc = $doc]
                #[pyo3(signature = (axis=None, keepdims=None), text_signature = "($self, axis=None, keepdims=False)")]
                fn $name(&self, py: Python<'_>, axis: Object<'_, '_>, keepdims: Object<'_, '_>) -> PyResult<State> {
                    let over = over(stringify!($name), axis, keepdims)?;
                    reduced(py, &self.tensor, |t| reduce::$function(t, &over))
                }
            )*
        }
    };
}

plain_reductions! {
    min min "The smallest element along the axes; NaN if any is.";
    max max "The largest element along the axes; NaN if any is.";
    any any "True where any element along the axes is not zero.";
    all all "True where all elements along the axes are not zero.";
    argmin argmin "The position of the first smallest element.";
    argmax argmax "The position of the first largest element.";
    logsumexp logsumexp "ln of the sum of e^x, without overflow.";
    count_nonzero count_nonzero "How many elements are not zero.";
}

/// Sums and products, which can be asked for a type.
macro_rules! typed_reductions {
    ($($name:ident $function:ident $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(signature = (x, axis=None, dtype=None, keepdims=None), text_signature = "(x, axis=None, dtype=None, keepdims=False)")]
            pub(crate) fn $name(x: &Bound<'_, PyAny>, axis: Object<'_, '_>, dtype: Object<'_, '_>, keepdims: Object<'_, '_>) -> PyResult<State> {
                let (t, over, dtype) = (operand::tensor(x)?, over(stringify!($name), axis, keepdims)?, dtype::parse_optional(dtype)?);
                reduced(x.py(), &t, |t| $function(t, &over, dtype))
            }
        )*

        #[pymethods]
        impl State {
            $(
                #[doc = $doc]
                #[pyo3(signature = (axis=None, dtype=None, keepdims=None), text_signature = "($self, axis=None, dtype=None, keepdims=False)")]
                fn $name(&self, py: Python<'_>, axis: Object<'_, '_>, dtype: Object<'_, '_>, keepdims: Object<'_, '_>) -> PyResult<State> {
                    let (over, dtype) = (over(stringify!($name), axis, keepdims)?, dtype::parse_optional(dtype)?);
                    reduced(py, &self.tensor, |t| $function(t, &over, dtype))
                }
            )*
        }
    };
}

fn sum_of(t: &Tensor, over: &Over, dtype: Option<DType>) -> Result<Tensor, Error> {
    reduce::sum(t, over, dtype)
}

fn prod_of(t: &Tensor, over: &Over, dtype: Option<DType>) -> Result<Tensor, Error> {
    reduce::prod(t, over, dtype)
}

fn mean_of(t: &Tensor, over: &Over, dtype: Option<DType>) -> Result<Tensor, Error> {
    match dtype {
        Some(dtype) => reduce::mean(&t.cast(dtype)?, over),
        None => reduce::mean(t, over),
    }
}

typed_reductions! {
    sum sum_of "The sum along the axes; integers and bool are summed in 64 bits.";
    prod prod_of "The product along the axes; integers and bool are multiplied in 64 bits.";
    mean mean_of "The mean along the axes; integers give float64.";
}

/// Moments about the mean.
macro_rules! corrected_reductions {
    ($($name:ident $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(signature = (x, axis=None, correction=None, keepdims=None), text_signature = "(x, axis=None, correction=0.0, keepdims=False)")]
            pub(crate) fn $name(x: &Bound<'_, PyAny>, axis: Object<'_, '_>, correction: Object<'_, '_>, keepdims: Object<'_, '_>) -> PyResult<State> {
                let (t, over) = (operand::tensor(x)?, over(stringify!($name), axis, keepdims)?);
                let correction = number(stringify!($name), "correction", correction, 0.0)?;
                reduced(x.py(), &t, |t| reduce::$name(t, &over, correction))
            }
        )*

        #[pymethods]
        impl State {
            $(
                #[doc = $doc]
                #[pyo3(signature = (axis=None, correction=None, keepdims=None), text_signature = "($self, axis=None, correction=0.0, keepdims=False)")]
                fn $name(&self, py: Python<'_>, axis: Object<'_, '_>, correction: Object<'_, '_>, keepdims: Object<'_, '_>) -> PyResult<State> {
                    let over = over(stringify!($name), axis, keepdims)?;
                    let correction = number(stringify!($name), "correction", correction, 0.0)?;
                    reduced(py, &self.tensor, |t| reduce::$name(t, &over, correction))
                }
            )*
        }
    };
}

corrected_reductions! {
    var "The variance along the axes: sum of |x - mean|^2 over n - correction.";
    std "The standard deviation along the axes: the root of the variance.";
}

/// The vector norm (sum of |x|^ord)^(1/ord) along the axes.
#[pyfunction]
#[pyo3(signature = (x, axis=None, ord=None, keepdims=None), text_signature = "(x, axis=None, ord=2.0, keepdims=False)")]
pub(crate) fn vector_norm(
    x: &Bound<'_, PyAny>,
    axis: Object<'_, '_>,
    ord: Object<'_, '_>,
    keepdims: Object<'_, '_>,
) -> PyResult<State> {
    let op = "vector_norm";
    let (t, over) = (operand::tensor(x)?, over(op, axis, keepdims)?);
    let ord = number(op, "ord", ord, 2.0)?;
    reduced(x.py(), &t, |t| reduce::norm(t, ord, &over))
}
