//! What stands beside a State in an expression: another State, a Python number, or anything an array can be made of.

use crate::construct;
use crate::errors::{Class, error, raise};
use crate::singles;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt};
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise::Arg;
use syntonic_core::{DType, Device, DeviceId, Error, Scalar, Tensor};

/// One operand of an operation.
pub(crate) enum Operand<'a> {
    /// The tensor of a State.
    State(&'a Tensor),
    /// A Python number, which takes the type of what it meets.
    Number(Scalar),
    /// A tensor made of some other object; boxed, because it is rare and operands are handed around.
    Made(Box<Tensor>),
    /// A tensor of the numbers in lists, which have no device until they meet one.
    Listed(Box<Tensor>),
    /// A Python integer that no type holds; what it is next to others is decided where it meets them.
    Huge(Huge),
}

/// An integer of 128 bits or more.
#[derive(Clone, Copy)]
pub(crate) struct Huge {
    bits: u64,
    /// The nearest float, infinite where there is none.
    float: f64,
}

impl Huge {
    fn of(obj: &Bound<'_, PyAny>) -> PyResult<Huge> {
        let bits = obj.call_method0("bit_length")?.extract()?;
        let side = if obj.lt(0)? { -1.0 } else { 1.0 };
        Ok(Huge {
            bits,
            float: obj.extract().unwrap_or(side * f64::INFINITY),
        })
    }

    /// What the integer is next to operands of the type `common`. A comparison only asks which side of all others it lies
    /// on; floats take the nearest one; everything else refuses it.
    fn meet(self, op: &str, compares: Compares, common: Option<DType>) -> PyResult<Scalar> {
        match common {
            Some(d) if d.is_inexact() && self.float.is_finite() => Ok(Scalar::Float(self.float)),
            Some(d) if !d.is_inexact() && compares == Compares::Yes => {
                Ok(Scalar::Int(match self.float > 0.0 {
                    true => i128::MAX,
                    false => i128::MIN,
                }))
            }
            _ => Err(self.refuse(op, common)),
        }
    }

    fn refuse(self, op: &str, dtype: Option<DType>) -> PyErr {
        let dtype = dtype.map_or("any dtype", DType::name);
        error(
            Class::IntegerOverflow,
            format!(
                "{op}: an integer of {} bits does not fit {dtype}; hint: give a float, if it is one that floats hold",
                self.bits
            ),
        )
    }
}

/// Whether an operation only asks how its operands compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compares {
    Yes,
    No,
}

impl Compares {
    /// Of a primitive.
    #[inline]
    pub(crate) fn of(prim: Prim) -> Compares {
        match prim {
            Prim::Lt | Prim::Le | Prim::Eq | Prim::Ne | Prim::Gt | Prim::Ge => Compares::Yes,
            _ => Compares::No,
        }
    }
}

/// A plain number: what Python's `bool`, `int`, `float` and `complex` are here.
pub(crate) enum Plain {
    Number(Scalar),
    Huge(Huge),
}

/// A Python number, if `obj` is one.
fn plain(obj: &Bound<'_, PyAny>) -> PyResult<Option<Plain>> {
    let number = if obj.is_instance_of::<PyFloat>() {
        Scalar::Float(obj.extract()?)
    } else if obj.is_instance_of::<PyBool>() {
        Scalar::Bool(obj.extract()?)
    } else if obj.is_instance_of::<PyInt>() {
        match obj.extract::<i64>() {
            Ok(small) => Scalar::Int(small.into()),
            Err(_) => match obj.extract::<i128>() {
                Ok(large) => Scalar::Int(large),
                Err(_) => return Ok(Some(Plain::Huge(Huge::of(obj)?))),
            },
        }
    } else if obj.is_instance_of::<PyComplex>() {
        Scalar::Complex(obj.extract::<Complex<f64>>()?)
    } else {
        return Ok(None);
    };
    Ok(Some(Plain::Number(number)))
}

/// True for `numpy.float64` and `numpy.complex128`, which are Python's float and complex with a type that NumPy does not change.
fn is_typed(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    let derived = obj.is_instance_of::<PyFloat>() && !obj.is_exact_instance_of::<PyFloat>()
        || obj.is_instance_of::<PyComplex>() && !obj.is_exact_instance_of::<PyComplex>();
    Ok(derived && obj.hasattr("dtype")?)
}

/// A Python number, if `obj` is one; one beyond 128 bits only as a float of type `dtype`.
pub(crate) fn untyped(
    op: &'static str,
    obj: &Bound<'_, PyAny>,
    dtype: Option<DType>,
) -> PyResult<Option<Scalar>> {
    match plain(obj)? {
        None => Ok(None),
        Some(Plain::Number(x)) => Ok(Some(x)),
        Some(Plain::Huge(huge)) => huge.meet(op, Compares::No, dtype).map(Some),
    }
}

/// A Python number that is to become one of type `dtype`, or of the type of its kind, if `obj` is one. Integers that no
/// type or not this one holds are errors of the operation `op`.
pub(crate) fn number(
    op: &'static str,
    obj: &Bound<'_, PyAny>,
    dtype: Option<DType>,
) -> PyResult<Option<Scalar>> {
    let Some(number) = untyped(op, obj, dtype)? else {
        return Ok(None);
    };
    let dtype = dtype.unwrap_or(default_dtype(number));
    number.check_fit(op, dtype).map_err(raise)?;
    Ok(Some(number))
}

impl<'a> Operand<'a> {
    /// The operand `obj` stands for, if it is something arithmetic makes sense with.
    #[inline]
    pub(crate) fn try_from_any(obj: &'a Bound<'_, PyAny>) -> PyResult<Option<Operand<'a>>> {
        if let Ok(state) = obj.cast::<State>() {
            return Ok(Some(Operand::State(&state.get().tensor)));
        }
        if let Some(x) = singles::typed(obj) {
            return Ok(Some(Operand::Listed(Box::new(x.to_tensor()))));
        }
        match plain(obj)? {
            Some(_) if is_typed(obj)? => {}
            Some(Plain::Number(x)) => return Ok(Some(Operand::Number(x))),
            Some(Plain::Huge(huge)) => return Ok(Some(Operand::Huge(huge))),
            None => {}
        }
        if construct::is_array_like(obj)? {
            let made = Box::new(construct::of_operand(obj)?);
            // A number of NumPy's has a type, but lies nowhere.
            let listed = construct::is_sequence(obj) || made.ndim() == 0;
            return Ok(Some(match listed {
                true => Operand::Listed(made),
                false => Operand::Made(made),
            }));
        }
        Ok(None)
    }

    /// The operand `obj` stands for, or an exception that says what could.
    pub(crate) fn from_any(obj: &'a Bound<'_, PyAny>) -> PyResult<Operand<'a>> {
        match Operand::try_from_any(obj)? {
            Some(operand) => Ok(operand),
            None => Err(construct::unfit(obj)),
        }
    }

    /// The operand as the engine takes it.
    #[inline]
    pub(crate) fn arg(&self) -> Arg<'_> {
        match self {
            Operand::State(t) => Arg::Tensor(t),
            Operand::Made(t) | Operand::Listed(t) => Arg::Tensor(t),
            Operand::Number(x) => Arg::Number(*x),
            // Met before; on its own it is the nearest float.
            Operand::Huge(huge) => Arg::Number(Scalar::Float(huge.float)),
        }
    }

    /// True for complex numbers.
    #[inline]
    pub(crate) fn is_complex(&self) -> bool {
        match self {
            Operand::Number(x) => matches!(x, Scalar::Complex(_)),
            other => other.tensor().is_some_and(|t| t.dtype().is_complex()),
        }
    }

    /// Number of elements.
    #[inline]
    pub(crate) fn numel(&self) -> usize {
        match self {
            Operand::State(t) => t.numel(),
            Operand::Made(t) | Operand::Listed(t) => t.numel(),
            Operand::Number(_) | Operand::Huge(_) => 1,
        }
    }

    /// The operand as a tensor; a number becomes one without axes.
    pub(crate) fn into_tensor(self) -> PyResult<Tensor> {
        match self {
            Operand::State(t) => Ok(t.clone()),
            Operand::Made(t) | Operand::Listed(t) => Ok(*t),
            Operand::Number(x) => alone(x).map_err(raise),
            Operand::Huge(huge) => Err(huge.refuse("State", None)),
        }
    }

    /// The tensor, if it is one.
    fn tensor(&self) -> Option<&Tensor> {
        match self {
            Operand::State(t) => Some(t),
            Operand::Made(t) | Operand::Listed(t) => Some(t),
            Operand::Number(_) | Operand::Huge(_) => None,
        }
    }

    /// The operand of a primitive next to the tensor `t`: the numbers of a list go to its device, and an integer that no
    /// type holds becomes what it is there.
    #[inline]
    pub(crate) fn beside(self, prim: Prim, t: &Tensor) -> PyResult<Operand<'a>> {
        match self {
            Operand::Listed(list) if t.device_id() != DeviceId::Cpu => {
                Ok(Operand::Made(Box::new(list.to(t.device()).map_err(raise)?)))
            }
            Operand::Huge(huge) => {
                let met = huge.meet(prim.name(), Compares::of(prim), Some(t.dtype()))?;
                Ok(Operand::Number(met))
            }
            other => Ok(other),
        }
    }

    /// The operand of the function `op` next to tensors of `device`, whose common type is `common`; as
    /// [`Operand::beside`].
    pub(crate) fn among<'b>(
        &'b self,
        op: &str,
        compares: Compares,
        device: &Arc<dyn Device>,
        common: Option<DType>,
    ) -> PyResult<Operand<'b>> {
        Ok(match self {
            Operand::State(t) => Operand::State(t),
            Operand::Made(t) => Operand::State(t),
            Operand::Number(x) => Operand::Number(*x),
            Operand::Listed(t) => Operand::Made(Box::new(t.to(device).map_err(raise)?)),
            Operand::Huge(huge) => Operand::Number(huge.meet(op, compares, common)?),
        })
    }

    /// As [`Operand::into_tensor`], next to tensors of `device`: numbers and lists go there.
    pub(crate) fn into_tensor_on(self, device: &Arc<dyn Device>) -> PyResult<Tensor> {
        match self {
            Operand::Number(_) | Operand::Listed(_) => {
                self.into_tensor()?.to(device).map_err(raise)
            }
            other => other.into_tensor(),
        }
    }
}

/// A number that meets no tensor, as one without axes.
pub(crate) fn alone(x: Scalar) -> Result<Tensor, Error> {
    let dtype = default_dtype(x);
    x.check_fit("State", dtype)?;
    Tensor::scalar(x, dtype)
}

/// The type that the tensors among the operands have together.
pub(crate) fn common_dtype(operands: &[Operand<'_>]) -> Option<DType> {
    let dtypes = operands
        .iter()
        .filter_map(|o| o.tensor().map(Tensor::dtype));
    dtypes.reduce(DType::promote)
}

/// What is looked for among the elements of a tensor.
pub(crate) enum Sought {
    /// Values that may be there.
    Among(Tensor),
    /// A number below all that the type holds, and the lowest of these.
    Below(Tensor),
    /// A number above all that the type holds, and the highest of these.
    Above(Tensor),
}

/// Whatever `obj` is, to be looked for among the elements of `t`. A Python integer takes the type of `t` if that is one of
/// integers: elsewhere the two would meet in a type that tells neighbours apart no more.
pub(crate) fn sought(obj: &Bound<'_, PyAny>, t: &Tensor) -> PyResult<Sought> {
    let value = match (Operand::from_any(obj)?, t.dtype().integers()) {
        (Operand::Number(Scalar::Int(value)), Some(_)) => value,
        (Operand::Huge(huge), Some(_)) if huge.float > 0.0 => i128::MAX,
        (Operand::Huge(_), Some(_)) => i128::MIN,
        (Operand::Huge(huge), None) => {
            let met = huge.meet("State", Compares::No, Some(t.dtype()))?;
            return of_type(met, t).map(Sought::Among);
        }
        (other, _) => return other.into_tensor_on(t.device()).map(Sought::Among),
    };
    let (low, high) = t.dtype().integers().unwrap_or((value, value));
    let held = of_type(Scalar::Int(value.clamp(low, high)), t)?;
    Ok(match value {
        v if v < low => Sought::Below(held),
        v if v > high => Sought::Above(held),
        _ => Sought::Among(held),
    })
}

/// One number of the type and on the device of `t`.
fn of_type(x: Scalar, t: &Tensor) -> PyResult<Tensor> {
    let made = Tensor::scalar(x, t.dtype()).and_then(|one| one.to(t.device()));
    made.map_err(raise)
}

/// The device of the first operand that has one.
pub(crate) fn common<'a>(operands: &'a [Operand<'_>]) -> Option<&'a Arc<dyn Device>> {
    operands.iter().find_map(|operand| match operand {
        Operand::State(t) => Some(t.device()),
        Operand::Made(t) => Some(t.device()),
        Operand::Number(_) | Operand::Listed(_) | Operand::Huge(_) => None,
    })
}

/// As [`tensor`], for an argument that goes with `t`: numbers and lists go to its device.
pub(crate) fn tensor_beside(obj: &Bound<'_, PyAny>, t: &Tensor) -> PyResult<Tensor> {
    Operand::from_any(obj)?.into_tensor_on(t.device())
}

/// A tensor of whatever `obj` is: a State's own, or a new one.
pub(crate) fn tensor(obj: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    Operand::from_any(obj)?.into_tensor()
}

/// The type of a number that meets no tensor.
pub(crate) fn default_dtype(x: Scalar) -> DType {
    match x {
        Scalar::Bool(_) => DType::Bool,
        Scalar::Int(i) if i > i128::from(i64::MAX) => DType::U64,
        Scalar::Int(_) => DType::I64,
        Scalar::Float(_) => DType::F64,
        Scalar::Complex(_) => DType::C128,
    }
}
