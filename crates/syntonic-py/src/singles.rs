//! Operators over numbers without memory, as elements are that were read alone: they make numbers without memory, with the bits of the
//! operators of arrays. What takes more than one kernel goes the way of arrays.

use crate::memory::object;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyType};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{One, apply_single};
use syntonic_core::{DType, Scalar, Single};

/// A number of Python's own that has no other meaning, if `obj` is one that 64 bits hold.
#[inline]
fn plain(obj: &Bound<'_, PyAny>) -> Option<Scalar> {
    if obj.is_exact_instance_of::<PyFloat>() {
        return obj.extract().ok().map(Scalar::Float);
    }
    if obj.is_exact_instance_of::<PyInt>() {
        return obj.extract::<i64>().ok().map(|i| Scalar::Int(i.into()));
    }
    let truth = obj.cast_exact::<PyBool>().ok()?;
    Some(Scalar::Bool(truth.is_true()))
}

/// `numpy.float64`, once somebody has brought a number of it.
static FLOAT64: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A number of `numpy.float64`, which is Python's float with a type that NumPy does not change. All programs have some, and asking NumPy for
/// one as an array takes as long as a hundred additions.
#[inline]
pub(crate) fn typed(obj: &Bound<'_, PyAny>) -> Option<Single> {
    if !obj.is_instance_of::<PyFloat>() || obj.is_exact_instance_of::<PyFloat>() {
        return None;
    }
    let (py, class) = (obj.py(), obj.get_type());
    let known = match FLOAT64.get(py) {
        Some(known) => known,
        None if class.name().ok()? == "float64" && class.module().ok()? == "numpy" => {
            FLOAT64.get_or_init(py, || class.clone().unbind())
        }
        None => return None,
    };
    if !known.bind(py).is(&class) {
        return None;
    }
    let value: f64 = obj.extract().ok()?;
    Some(Single::new(Scalar::Float(value), DType::F64))
}

/// The number that `obj` is, if it has no memory.
#[inline]
pub(crate) fn one(obj: &Bound<'_, PyAny>) -> Option<One> {
    match obj.cast::<State>() {
        Ok(state) => state.get().tensor.single().map(One::Single),
        Err(_) => plain(obj)
            .map(One::Number)
            .or_else(|| typed(obj).map(One::Single)),
    }
}

/// The number that `obj` is, as it is written into elements of type `dtype`, if that is no matter of its being refused.
#[inline]
pub(crate) fn written(obj: &Bound<'_, PyAny>, dtype: DType) -> Option<Single> {
    let made = match one(obj)? {
        One::Single(x) => x,
        One::Number(x) => {
            let of = x.promote_with(dtype);
            if !x.fits(of) {
                return None;
            }
            Single::new(x, of)
        }
    };
    Some(made)
}

/// `prim(a, b)`, where both are numbers without memory, or one is a number of Python's.
#[inline]
pub(crate) fn binary(prim: Prim, a: &State, b: &Bound<'_, PyAny>) -> Option<Single> {
    let a = One::Single(a.tensor.single()?);
    apply_single(prim, &[a, one(b)?])
}

/// [`binary`], with the operands the other way round.
#[inline]
pub(crate) fn reflected(prim: Prim, a: &State, b: &Bound<'_, PyAny>) -> Option<Single> {
    let a = One::Single(a.tensor.single()?);
    apply_single(prim, &[one(b)?, a])
}

/// `prim(x)`, as a new State, where that is a number without memory.
#[inline]
pub(crate) fn unary<'py>(
    py: Python<'py>,
    prim: Prim,
    x: &State,
) -> Option<PyResult<Bound<'py, State>>> {
    let x = One::Single(x.tensor.single()?);
    apply_single(prim, &[x]).map(|made| object::new(py, made))
}

/// `a = prim(a, b)` in the place of `a`, where the result has its type; says whether that is done.
#[inline]
pub(crate) fn in_place(prim: Prim, a: &State, b: &Bound<'_, PyAny>) -> bool {
    let Some(made) = binary(prim, a, b) else {
        return false;
    };
    a.tensor.set_single(made)
}

/// `prim` of one operand or two, as a new State, where that is a number without memory.
#[inline]
pub(crate) fn function<'py>(
    py: Python<'py>,
    prim: Prim,
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
) -> Option<PyResult<Bound<'py, State>>> {
    let a = one(a)?;
    let made = match b {
        Some(b) => apply_single(prim, &[a, one(b)?]),
        None => apply_single(prim, &[a]),
    };
    made.map(|made| object::new(py, made))
}
