//! What comes out of a program in exact arithmetic, and how far a device may be from it, element by element.
//!
//! A running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, 3.3) over whole arrays: beside the values in
//! double precision go bounds of what the errors of operands make of each, and of what its own rounding adds.

use anyhow::{Context, Result, bail};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{DType, Scalar, Tensor};

use super::program::{Kind, Program, Statement, Value, primitive};
use super::slopes;
use crate::gpu::bounds::{magnitudes, own_error, rounding, smallest, sum_error, wide};

/// Values, and a bound of how far a device is from them.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    /// In double precision; masks and integers as they are.
    pub(super) value: Tensor,
    /// In double precision.
    pub(super) error: Tensor,
    /// What each step is rounded to.
    pub(super) dtype: DType,
}

/// One operation over doubles on the CPU.
pub(super) fn op(prim: Prim, args: &[Arg<'_>]) -> Result<Tensor> {
    Ok(apply(prim, args)?.eval()?)
}

pub(super) fn two(prim: Prim, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    op(prim, &[a.into(), b.into()])
}

pub(super) fn with(prim: Prim, a: &Tensor, b: f64) -> Result<Tensor> {
    op(prim, &[a.into(), Arg::Number(Scalar::Float(b))])
}

pub(super) fn add(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    two(Prim::Add, a, b)
}

pub(super) fn mul(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    two(Prim::Mul, a, b)
}

pub(super) fn size(x: &Tensor) -> Result<Tensor> {
    magnitudes(x)
}

impl Estimate {
    /// Values that a tensor of `dtype` holds.
    pub(super) fn exact(x: &Tensor) -> Result<Estimate> {
        let dtype = x.dtype();
        let value = if dtype.is_inexact() {
            wide(x)?
        } else {
            x.eval()?
        };
        let error = Tensor::zeros(x.shape(), DType::F64)?;
        Ok(Estimate {
            value,
            error,
            dtype,
        })
    }

    /// A number beside values of `dtype`, which rounds it.
    pub(super) fn number(value: f64, dtype: DType) -> Result<Estimate> {
        let double = if dtype.is_complex() {
            DType::C128
        } else {
            DType::F64
        };
        let value = if dtype.is_inexact() {
            Tensor::full(&[], value, double)?
        } else {
            Tensor::full(&[], value as i64, dtype)?
        };
        let own = if dtype.is_inexact() {
            rounding(dtype)
        } else {
            0.0
        };
        let error = with(Prim::Mul, &size(&value)?, own)?;
        Ok(Estimate {
            value,
            error,
            dtype,
        })
    }

    /// A result that errs by `passed` for its operands and by `ulp` units in the last place of the type that is computed in.
    pub(super) fn rounded(
        value: Tensor,
        passed: Tensor,
        ulp: u32,
        dtype: DType,
    ) -> Result<Estimate> {
        if !dtype.is_inexact() {
            return Ok(Estimate {
                value,
                error: passed,
                dtype,
            });
        }
        let own = own_error(dtype, ulp);
        let sizes = add(&size(&value)?, &passed)?;
        let error = add(&passed, &with(Prim::Mul, &sizes, own)?)?;
        let error = with(Prim::Add, &error, smallest(dtype))?;
        Ok(Estimate {
            value,
            error,
            dtype,
        })
    }

    /// `self + other`.
    pub(super) fn plus(&self, other: &Estimate) -> Result<Estimate> {
        let passed = add(&self.error, &other.error)?;
        Estimate::rounded(add(&self.value, &other.value)?, passed, 0, self.dtype)
    }

    /// `self * other`.
    pub(super) fn times(&self, other: &Estimate) -> Result<Estimate> {
        let passed = product_error(self, other)?;
        Estimate::rounded(mul(&self.value, &other.value)?, passed, 2, self.dtype)
    }

    /// The sum over axes, which stay, or over as many as there are.
    pub(super) fn fold(&self, kind: Kind, axes: &[usize]) -> Result<Estimate> {
        let value = kind.of(&self.value, axes)?.eval()?;
        if matches!(kind, Kind::Max | Kind::Min) {
            let error = Kind::Max.of(&self.error, axes)?.eval()?;
            return Ok(Estimate {
                value,
                error,
                dtype: self.dtype,
            });
        }
        let n: usize = axes.iter().map(|&k| self.value.shape()[k]).product();
        if !self.dtype.is_inexact() {
            return Estimate::rounded(
                value.clone(),
                Tensor::zeros(value.shape(), DType::F64)?,
                0,
                self.dtype,
            );
        }
        let sizes = add(&size(&self.value)?, &self.error)?;
        let run = sum_error(self.dtype, n);
        let terms = add(&self.error, &with(Prim::Mul, &sizes, run)?)?;
        let passed = kind.of(&terms, axes)?.eval()?;
        Estimate::rounded(value, passed, 4, self.dtype)
    }
}

pub(super) fn product_error(a: &Estimate, b: &Estimate) -> Result<Tensor> {
    let left = mul(&size(&a.value)?, &b.error)?;
    let right = mul(&size(&b.value)?, &a.error)?;
    add(&add(&left, &right)?, &mul(&a.error, &b.error)?)
}

/// The values of all statements for operands on the CPU.
pub(super) fn values(
    program: &Program,
    operands: &[Tensor],
) -> Result<(Vec<Estimate>, Vec<Estimate>)> {
    let operands: Vec<Estimate> = operands
        .iter()
        .map(Estimate::exact)
        .collect::<Result<_>>()?;
    let mut made: Vec<Estimate> = Vec::new();
    for statement in &program.statements {
        let next = match statement {
            Statement::Apply(name, args) => {
                let dtype = floats(args, &operands, &made);
                let args: Vec<Estimate> = args
                    .iter()
                    .map(|arg| taken(arg, &operands, &made, dtype))
                    .collect::<Result<_>>()?;
                of(primitive(name)?, &args)?
            }
            Statement::Fold(kind, value, axes) => {
                taken(value, &operands, &made, DType::F64)?.fold(*kind, axes)?
            }
        };
        made.push(next);
    }
    Ok((operands, made))
}

/// The results of a program, as [`Program::run`] has them.
pub(super) fn results(program: &Program, operands: &[Tensor]) -> Result<Vec<Estimate>> {
    let (operands, made) = values(program, operands)?;
    if program.gradient {
        return slopes::of(program, &operands, &made);
    }
    Ok(vec![
        made.last().context("a program without statements")?.clone(),
    ])
}

/// The type of the numbers among what a statement takes.
fn floats(args: &[Value], operands: &[Estimate], made: &[Estimate]) -> DType {
    let mut dtypes = args.iter().filter_map(|arg| match *arg {
        Value::Operand(k) => Some(operands[k].dtype),
        Value::Earlier(k) => Some(made[k].dtype),
        Value::Number(_) => None,
    });
    dtypes.find(|dtype| !dtype.is_bool()).unwrap_or(DType::Bool)
}

pub(super) fn taken(
    value: &Value,
    operands: &[Estimate],
    made: &[Estimate],
    dtype: DType,
) -> Result<Estimate> {
    Ok(match *value {
        Value::Operand(k) => operands[k].clone(),
        Value::Earlier(k) => made[k].clone(),
        Value::Number(x) => Estimate::number(x, dtype)?,
    })
}

/// A primitive of estimates.
fn of(prim: Prim, args: &[Estimate]) -> Result<Estimate> {
    let a = &args[0];
    let tensors: Vec<Arg<'_>> = args.iter().map(|x| (&x.value).into()).collect();
    let value = op(prim, &tensors)?;
    let dtype = match prim {
        Prim::Select => args[1].dtype,
        _ if value.dtype().is_bool() => DType::Bool,
        _ => a.dtype,
    };
    let ulp = prim.row().ulp;
    // The operand at its least distance from zero.
    let least = |x: &Estimate| -> Result<Tensor> {
        with(Prim::Max, &two(Prim::Sub, &size(&x.value)?, &x.error)?, 0.0)
    };
    let passed = match prim {
        Prim::Add | Prim::Sub => add(&a.error, &args[1].error)?,
        Prim::Mul => product_error(a, &args[1])?,
        Prim::Square => product_error(a, a)?,
        Prim::Div => {
            let top = add(&a.error, &mul(&size(&value)?, &args[1].error)?)?;
            two(Prim::Div, &top, &least(&args[1])?)?
        }
        Prim::Neg | Prim::Abs | Prim::Conj | Prim::Tanh | Prim::Sin | Prim::Cos => a.error.clone(),
        // The largest slope is 2 / sqrt(pi).
        Prim::Erf => with(Prim::Mul, &a.error, 1.13)?,
        Prim::Min | Prim::Max => two(Prim::Max, &a.error, &args[1].error)?,
        Prim::Select => op(
            Prim::Select,
            &[
                (&a.value).into(),
                (&args[1].error).into(),
                (&args[2].error).into(),
            ],
        )?,
        Prim::Exp => mul(&size(&value)?, &op(Prim::Expm1, &[(&a.error).into()])?)?,
        Prim::Log => two(Prim::Div, &a.error, &least(a)?)?,
        Prim::Sqrt | Prim::Rsqrt | Prim::Pow => {
            let power = match prim {
                Prim::Sqrt => 0.5,
                Prim::Rsqrt => -0.5,
                _ => args[1].value.to_scalar::<f64>()?,
            };
            // The steepest place within the error: at its far end or at its near one.
            let far = add(&size(&a.value)?, &a.error)?;
            let end = if power > 1.0 { far } else { least(a)? };
            let slope = with(Prim::Mul, &with(Prim::Pow, &end, power - 1.0)?, power.abs())?;
            mul(&slope, &a.error)?
        }
        _ if !dtype.is_inexact() => Tensor::zeros(value.shape(), DType::F64)?,
        other => bail!("how {} passes an error on is not known here", other.name()),
    };
    Estimate::rounded(value, passed, ulp, dtype)
}
