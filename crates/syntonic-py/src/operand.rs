//! What stands beside a State in an expression: another State, a Python number, or anything an array can be made of.

use crate::construct;
use crate::errors::raise;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt};
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise::Arg;
use syntonic_core::{DType, Scalar, Tensor};

/// One operand of an operation.
pub(crate) enum Operand<'a> {
    /// The tensor of a State.
    State(&'a Tensor),
    /// A Python number, which takes the type of what it meets.
    Number(Scalar),
    /// A tensor made of some other object; boxed, because it is rare and operands are handed around.
    Made(Box<Tensor>),
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
            return Ok(Some(Operand::Made(Box::new(construct::tensor(obj, None)?))));
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
            Operand::Made(t) => Arg::Tensor(t),
            Operand::Number(x) => Arg::Number(*x),
        }
    }

    /// Number of elements.
    #[inline]
    pub(crate) fn numel(&self) -> usize {
        match self {
            Operand::State(t) => t.numel(),
            Operand::Made(t) => t.numel(),
            Operand::Number(_) => 1,
        }
    }

    /// The operand as a tensor; a number becomes one without axes.
    pub(crate) fn into_tensor(self) -> PyResult<Tensor> {
        match self {
            Operand::State(t) => Ok(t.clone()),
            Operand::Made(t) => Ok(*t),
            Operand::Number(x) => Tensor::scalar(x, default_dtype(x)).map_err(raise),
        }
    }
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
