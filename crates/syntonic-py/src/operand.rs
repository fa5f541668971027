//! What stands beside a State in an expression: another State, a Python number, or anything an array can be made of.

use crate::construct;
use crate::errors::raise;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt};
use std::sync::Arc;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise::Arg;
use syntonic_core::{DType, Device, DeviceId, Scalar, Tensor};

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
}

/// A Python number, if `obj` is one.
pub(crate) fn number(obj: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    if obj.is_instance_of::<PyFloat>() {
        return Ok(Some(Scalar::Float(obj.extract()?)));
    }
    if obj.is_instance_of::<PyBool>() {
        return Ok(Some(Scalar::Bool(obj.extract()?)));
    }
    if obj.is_instance_of::<PyInt>() {
        return Ok(Some(Scalar::Int(integer(obj)?)));
    }
    if obj.is_instance_of::<PyComplex>() {
        return Ok(Some(Scalar::Complex(obj.extract::<Complex<f64>>()?)));
    }
    Ok(None)
}

fn integer(obj: &Bound<'_, PyAny>) -> PyResult<i128> {
    match obj.extract::<i64>() {
        Ok(small) => Ok(small.into()),
        Err(_) => obj.extract::<i128>(),
    }
}

impl<'a> Operand<'a> {
    /// The operand `obj` stands for, if it is something arithmetic makes sense with.
    #[inline]
    pub(crate) fn try_from_any(obj: &'a Bound<'_, PyAny>) -> PyResult<Option<Operand<'a>>> {
        if let Ok(state) = obj.cast::<State>() {
            return Ok(Some(Operand::State(&state.get().tensor)));
        }
        if let Some(x) = number(obj)? {
            return Ok(Some(Operand::Number(x)));
        }
        if construct::is_array_like(obj)? {
            let made = Box::new(construct::tensor(obj, None)?);
            let listed = construct::is_sequence(obj);
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
        }
    }

    /// Number of elements.
    #[inline]
    pub(crate) fn numel(&self) -> usize {
        match self {
            Operand::State(t) => t.numel(),
            Operand::Made(t) | Operand::Listed(t) => t.numel(),
            Operand::Number(_) => 1,
        }
    }

    /// The operand as a tensor; a number becomes one without axes.
    pub(crate) fn into_tensor(self) -> PyResult<Tensor> {
        match self {
            Operand::State(t) => Ok(t.clone()),
            Operand::Made(t) | Operand::Listed(t) => Ok(*t),
            Operand::Number(x) => Tensor::scalar(x, default_dtype(x)).map_err(raise),
        }
    }

    /// The operand next to tensors of `device`: the numbers of a list go there.
    #[inline]
    pub(crate) fn beside(self, device: &Arc<dyn Device>) -> PyResult<Operand<'a>> {
        match self {
            Operand::Listed(t) if device.id() != DeviceId::Cpu => {
                Ok(Operand::Made(Box::new(t.to(device).map_err(raise)?)))
            }
            other => Ok(other),
        }
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

/// The device of the first operand that has one.
pub(crate) fn common<'a>(operands: &'a [Operand<'_>]) -> Option<&'a Arc<dyn Device>> {
    operands.iter().find_map(|operand| match operand {
        Operand::State(t) => Some(t.device()),
        Operand::Made(t) => Some(t.device()),
        Operand::Number(_) | Operand::Listed(_) => None,
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
