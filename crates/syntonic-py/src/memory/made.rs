//! Python objects made of data: numbers, lists, texts and bytes of any number and size.
//!
//! Where the interpreter has no memory for an object it says so with an exception. PyO3's constructors take that for a fault
//! and panic; what grows with a State is therefore made here, and the exception comes out.

use crate::enter::Turns;
use crate::errors::raise;
use pyo3::exceptions::PyOverflowError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use std::os::raw::c_char;
use std::ptr;
use syntonic_core::{Scalar, room};

/// An object that a function of the interpreter has just made, or why it could not.
///
/// # Safety
/// `object` is null with an exception set, or a reference that is the caller's to give.
unsafe fn owned(py: Python<'_>, object: *mut ffi::PyObject) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: as the caller says.
    unsafe { Bound::from_owned_ptr_or_err(py, object) }
}

/// A length or count as the interpreter has it.
fn size(n: usize) -> PyResult<ffi::Py_ssize_t> {
    ffi::Py_ssize_t::try_from(n)
        .map_err(|_| PyOverflowError::new_err("more items than the interpreter counts"))
}

/// The number as Python has it.
pub(crate) fn number(py: Python<'_>, x: Scalar) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the interpreter is held; each function gives a new reference, or null with an exception.
    unsafe {
        match x {
            Scalar::Bool(b) => owned(py, ffi::PyBool_FromLong(b.into())),
            Scalar::Int(i) => match (i64::try_from(i), u64::try_from(i)) {
                (Ok(i), _) => owned(py, ffi::PyLong_FromLongLong(i)),
                (_, Ok(i)) => owned(py, ffi::PyLong_FromUnsignedLongLong(i)),
                _ => Ok(i.into_pyobject(py)?.into_any()),
            },
            Scalar::Float(v) => owned(py, ffi::PyFloat_FromDouble(v)),
            Scalar::Complex(z) => owned(py, ffi::PyComplex_FromDoubles(z.re, z.im)),
        }
    }
}

/// A list of `n` objects, each made by `item` of its position. Lists within lists take turns together.
pub(crate) fn list<'py>(
    py: Python<'py>,
    n: usize,
    turns: &mut Turns,
    mut item: impl FnMut(usize, &mut Turns) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    // SAFETY: the interpreter is held; a new list or null.
    let list = unsafe { owned(py, ffi::PyList_New(size(n)?))? };
    for k in 0..n {
        turns.take(py)?;
        let made = item(k, turns)?.into_ptr();
        // SAFETY: the list is new and `n` long, so the place is there and empty; the reference goes over. Nobody else has
        // seen the list, and one that is not yet full is only ever dropped.
        if unsafe { ffi::PyList_SetItem(list.as_ptr(), k as ffi::Py_ssize_t, made) } != 0 {
            return Err(PyErr::fetch(py));
        }
    }
    Ok(list.cast_into::<PyList>()?)
}

/// The bytes.
pub(crate) fn bytes<'py>(py: Python<'py>, raw: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let n = size(raw.len())?;
    // SAFETY: the interpreter is held; a new object, whose bytes are not set, or null.
    let made = unsafe { owned(py, ffi::PyBytes_FromStringAndSize(ptr::null(), n))? };
    // SAFETY: the object has just been made and is one of bytes.
    let mut to = unsafe { ffi::PyBytes_AsString(made.as_ptr()) }.cast::<u8>();
    let mut turns = Turns::new();
    for part in raw.chunks(PART) {
        turns.look(py)?;
        // SAFETY: there is room for all parts, and nobody else has seen the object.
        unsafe { ptr::copy_nonoverlapping(part.as_ptr(), to, part.len()) };
        to = to.wrapping_add(part.len());
    }
    Ok(made.cast_into::<PyBytes>()?)
}

/// Bytes that are copied at a time.
const PART: usize = 8 << 20;

/// The text.
pub(crate) fn text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    let (at, n) = (text.as_ptr().cast::<c_char>(), size(text.len())?);
    // SAFETY: so many bytes lie there, and are copied; a new object or null.
    let made = unsafe { owned(py, ffi::PyUnicode_FromStringAndSize(at, n))? };
    Ok(made.cast_into::<PyString>()?)
}

/// The values in a vector of their own.
pub(crate) fn vector<T>(values: impl IntoIterator<Item = T>) -> PyResult<Vec<T>> {
    room::collected(values).map_err(raise)
}
