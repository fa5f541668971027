//! Comparisons that are no primitive: the order of complex numbers, exact numbers of Python's beside elements, and what is no number.

use crate::construct::is_array_like;
use crate::enter::enter;
use crate::errors::{of_elements, raise};
use crate::memory::object;
use crate::operand::{self, Operand};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PySet, PyString};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{DType, DeviceId, Error, Scalar, Tensor};

/// Whether the primitive asks which of two numbers comes first.
#[inline]
pub(crate) fn orders(prim: Prim) -> bool {
    matches!(prim, Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge)
}

/// `prim(a, b)` in the order that NumPy gives complex numbers: by their real parts, then by their imaginary ones. A NaN beside real parts that
/// differ, and within those that are equal, is in no order.
pub(crate) fn ordered(prim: Prim, a: Arg<'_>, b: Arg<'_>) -> Result<Tensor, Error> {
    match prim {
        Prim::Gt => return ordered(Prim::Lt, b, a),
        Prim::Ge => return ordered(Prim::Le, b, a),
        _ => {}
    }
    let [a, b] = [Parts::of(a)?, Parts::of(b)?];
    let both = |x: &Tensor, y: &Tensor| apply(Prim::And, &[x.into(), y.into()]);
    let first = apply(Prim::Lt, &[a.re(), b.re()])?;
    // Equal to itself is what is no NaN.
    let known = |part: &Parts| match &part.im {
        Part::Tensor(im) => apply(Prim::Eq, &[im.into(), im.into()]).map(Some),
        Part::Number(x) if x.is_nan() => {
            apply(Prim::Ne, &[(&first).into(), (&first).into()]).map(Some)
        }
        Part::Number(_) => Ok(None),
    };
    let mut sure = first.clone();
    for part in [&a, &b] {
        if let Some(known) = known(part)? {
            sure = both(&sure, &known)?;
        }
    }
    let level = apply(Prim::Eq, &[a.re(), b.re()])?;
    let then = match (&a.im, &b.im) {
        (Part::Number(x), Part::Number(y)) => {
            let holds = if prim == Prim::Lt { x < y } else { x <= y };
            if !holds {
                return Ok(sure);
            }
            level
        }
        _ => both(&level, &apply(prim, &[a.im(), b.im()])?)?,
    };
    apply(Prim::Or, &[(&sure).into(), (&then).into()])
}

/// One part of complex numbers.
enum Part {
    Tensor(Tensor),
    Number(f64),
}

/// The two parts of an operand; of real numbers the second is 0.
struct Parts {
    re: Part,
    im: Part,
}

impl Parts {
    fn of(arg: Arg<'_>) -> Result<Parts, Error> {
        Ok(match arg {
            Arg::Tensor(t) if t.dtype().is_complex() => Parts {
                re: Part::Tensor(apply(Prim::Real, &[t.into()])?),
                im: Part::Tensor(apply(Prim::Imag, &[t.into()])?),
            },
            Arg::Tensor(t) => Parts {
                re: Part::Tensor(t.clone()),
                im: Part::Number(0.0),
            },
            Arg::Number(x) => {
                let z = x.to_complex();
                Parts {
                    re: Part::Number(z.re),
                    im: Part::Number(z.im),
                }
            }
        })
    }

    fn re(&self) -> Arg<'_> {
        self.re.arg()
    }

    fn im(&self) -> Arg<'_> {
        self.im.arg()
    }
}

impl Part {
    fn arg(&self) -> Arg<'_> {
        match self {
            Part::Tensor(t) => t.into(),
            Part::Number(x) => Arg::Number(Scalar::Float(*x)),
        }
    }
}

/// `prim(a, other)`, element by element, where `other` is no number of ours; none where Python is to ask the other side.
///
/// An exact number, such as a fraction or a decimal one, is compared exactly. What has no order and no equality of its own but that of
/// texts, dictionaries and sets equals no element, and neither does `None`.
pub(crate) fn with_object(
    prim: Prim,
    a: &Tensor,
    other: &Bound<'_, PyAny>,
) -> PyResult<Option<Tensor>> {
    if is_exact(other)? {
        return with_exact(prim, a, other);
    }
    let answer = match prim {
        Prim::Eq => false,
        Prim::Ne => true,
        _ => return Ok(None),
    };
    match is_no_number(other)? {
        true => everywhere(other.py(), a, answer).map(Some),
        false => Ok(None),
    }
}

/// Equality with an array or a list of what is no number, of which NumPy says element by element what is equal; none for all else, and where the
/// elements are not in memory of the host. `cause` is why no array of ours can be made of it.
#[cold]
pub(crate) fn with_objects(
    prim: Prim,
    a: &Tensor,
    other: &Bound<'_, PyAny>,
    cause: &PyErr,
) -> PyResult<Option<Tensor>> {
    let py = other.py();
    let method = match prim {
        Prim::Eq => "__eq__",
        Prim::Ne => "__ne__",
        _ => return Ok(None),
    };
    if !of_elements(py, cause) || a.device_id() != DeviceId::Cpu {
        return Ok(None);
    }
    let own = object::new(py, a.clone())?.call_method0("numpy")?;
    let found = own.call_method1(method, (other,))?;
    match found.is(py.NotImplemented()) {
        true => Ok(None),
        false => operand::tensor(&found).map(Some),
    }
}

/// One truth value for each element.
fn everywhere(py: Python<'_>, a: &Tensor, answer: bool) -> PyResult<Tensor> {
    enter(py, a.numel(), || {
        Tensor::full_on(a.shape(), Scalar::Bool(answer), DType::Bool, a.device())
    })
}

fn is_no_number(other: &Bound<'_, PyAny>) -> PyResult<bool> {
    if other.is_none()
        || other.is_instance_of::<PyString>()
        || other.is_instance_of::<PyDict>()
        || other.is_instance_of::<PySet>()
    {
        return Ok(true);
    }
    // A class without an equality of its own has nothing to say.
    let plain = other.py().get_type::<PyAny>().getattr("__eq__")?;
    Ok(!is_array_like(other)? && other.get_type().getattr("__eq__")?.is(&plain))
}

/// A number that is a quotient of two integers and none of ours: a fraction, or a decimal one.
pub(crate) fn is_exact(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(obj.hasattr("as_integer_ratio")?
        && obj.hasattr("__float__")?
        && !obj.is_instance_of::<PyFloat>()
        && !is_array_like(obj)?)
}

/// One that is a fraction, with which Python's floats compute.
pub(crate) fn is_fraction(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(obj.hasattr("numerator")? && is_exact(obj)?)
}

/// An exact number as it is written into elements of type `dtype`: the part before its point, or the nearest float.
pub(crate) fn written(op: &'static str, obj: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Scalar> {
    if dtype.is_integer()
        && let Some(whole) = operand::untyped(op, &obj.call_method0("__int__")?, None)?
    {
        return Ok(whole);
    }
    Ok(Scalar::Float(obj.extract()?))
}

/// The elements beside an exact number: beside the nearest float, or the whole number below it, and on which side of that it lies.
fn with_exact(prim: Prim, a: &Tensor, other: &Bound<'_, PyAny>) -> PyResult<Option<Tensor>> {
    let py = other.py();
    if a.dtype().is_complex() && orders(prim) {
        return Ok(None);
    }
    // One beyond all floats is beyond the largest.
    let near = match other.extract::<f64>() {
        Ok(near) => near,
        Err(_) if other.lt(0)? => f64::NEG_INFINITY,
        Err(_) => f64::INFINITY,
    };
    if near.is_nan() {
        return everywhere(py, a, prim == Prim::Ne).map(Some);
    }
    let whole = !a.dtype().is_inexact();
    let near = match whole && near.is_finite() {
        true => other.call_method0("__floor__")?,
        false => PyFloat::new(py, near).into_any(),
    };
    let prim = match (prim, other.eq(&near)?, other.gt(&near)?) {
        (prim, true, _) => prim,
        (Prim::Eq, ..) => return everywhere(py, a, false).map(Some),
        (Prim::Ne, ..) => return everywhere(py, a, true).map(Some),
        // What is at most the number below is less than the one between.
        (Prim::Lt | Prim::Le, _, true) => Prim::Le,
        (Prim::Lt | Prim::Le, _, false) => Prim::Lt,
        (_, _, true) => Prim::Gt,
        (_, _, false) => Prim::Ge,
    };
    // Narrow floats would round the number that they are compared with.
    let exact = match a.dtype() {
        dtype if whole || dtype.is_complex() => a.clone(),
        _ => a.cast(DType::F64).map_err(raise)?,
    };
    let Some(number) = Operand::try_from_any(&near)? else {
        return Ok(None);
    };
    let number = number.beside(prim, &exact)?;
    enter(py, a.numel(), || {
        apply(prim, &[(&exact).into(), number.arg()])
    })
    .map(Some)
}
