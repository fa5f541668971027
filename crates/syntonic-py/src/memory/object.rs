//! New State objects, made with less ado than by the class's constructor.
//!
//! A view costs little more than its object, so the object is what is saved on. The constructor of a class goes through
//! `object.__new__` with an empty tuple and fills the memory with zeros; here it comes from the collector's allocator. And
//! the tensor of a view is copied from the one it is a view of and its walk changed where it lies: a value that is put
//! together in narrow steps and copied in wide ones waits for its own stores.

use crate::errors::raise;
use crate::state::State;
use pyo3::PyTypeInfo;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::ptr;
use syntonic_core::{DType, Error, Tensor};

/// Bytes from the start of an object to its State.
const HEAD: usize = size_of::<ffi::PyObject>();
/// Bytes of a whole object: behind the State there is the list of weak references.
const WHOLE: usize = HEAD + size_of::<State>() + size_of::<*mut ffi::PyObject>();

/// Whether objects are laid out as written above; asked once.
static AS_EXPECTED: PyOnceLock<bool> = PyOnceLock::new();

fn as_expected(py: Python<'_>) -> PyResult<bool> {
    let ask = || {
        let class = py.get_type::<State>();
        let size: usize = class.getattr("__basicsize__")?.extract()?;
        let weak: usize = class.getattr("__weakrefoffset__")?.extract()?;
        let sample = Tensor::scalar(0.0, DType::F64).map_err(raise)?;
        let sample = Bound::new(py, State::from(sample))?;
        let head = ptr::from_ref(sample.get()).addr() - sample.as_ptr().addr();
        Ok(head == HEAD && size == WHOLE && weak == HEAD + size_of::<State>())
    };
    AS_EXPECTED.get_or_try_init(py, ask).copied()
}

/// A State of this tensor, or of this number.
#[inline]
pub(crate) fn new(py: Python<'_>, of: impl Into<State>) -> PyResult<Bound<'_, State>> {
    if !as_expected(py)? {
        return Bound::new(py, of.into());
    }
    // SAFETY: the class belongs to the collector, has no items, and the interpreter is held. The object is not given to the
    // collector to track: it holds nothing but its class.
    let object: *mut ffi::PyObject = unsafe { ffi::PyObject_GC_New(State::type_object_raw(py)) };
    if object.is_null() {
        return Err(PyErr::fetch(py));
    }
    // SAFETY: the memory has `WHOLE` bytes, laid out as asked above, and nobody else has seen it. After both writes every
    // part has a value.
    unsafe {
        object.byte_add(HEAD).cast::<State>().write(of.into());
        let end = object.byte_add(WHOLE).cast::<*mut ffi::PyObject>();
        end.sub(1).write(ptr::null_mut());
        Ok(Bound::from_owned_ptr(py, object).cast_into_unchecked())
    }
}

/// True where nobody holds an object but the expression that made it, so that nobody reads it after the statement. Some interpreters lend
/// variables without counting: then it is true of a variable as well.
#[inline]
pub(crate) fn is_temporary(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the pointer is that of a live object, and the interpreter is held.
    unsafe { ffi::Py_REFCNT(object.as_ptr()) == 1 }
}

/// [`new`] for each of several.
pub(crate) fn each(py: Python<'_>, tensors: Vec<Tensor>) -> PyResult<Vec<Bound<'_, State>>> {
    tensors.into_iter().map(|t| new(py, t)).collect()
}

/// A State over the memory of `from`, walked as `change` leaves the walk.
#[inline]
pub(crate) fn view<'py>(
    py: Python<'py>,
    from: &Tensor,
    change: impl FnOnce(&mut Tensor) -> Result<(), Error>,
) -> PyResult<Bound<'py, State>> {
    let made = new(py, from.clone())?;
    let lies = ptr::from_ref(made.get()).addr() - made.as_ptr().addr();
    // SAFETY: the State lies so many bytes into its object. Nobody else has seen the object, and none will before `change`
    // returns: it is the engine's and runs no Python code.
    let held = unsafe { &mut (*made.as_ptr().byte_add(lies).cast::<State>()).tensor };
    held.fresh().map_or(Ok(()), change).map_err(raise)?;
    Ok(made)
}
