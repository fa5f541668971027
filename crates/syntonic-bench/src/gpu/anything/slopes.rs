//! The gradient of a program's mean in exact arithmetic, with bounds, by the chain rule backwards over its statements: written apart from
//! the tape, which is what it checks.

use anyhow::{Context, Result, bail};
use syntonic_core::DType;
use syntonic_core::Tensor;
use syntonic_core::fuse::Prim;

use super::estimate::{Estimate, add, mul, op, size, taken, two, with};
use super::program::{Kind, Program, Statement, Value, primitive};

/// Roundings of a slope, relative to the terms that it is made of: the tape may take another way to it.
const ROUNDINGS: u32 = 8;

/// The gradient for every operand of floats.
pub(super) fn of(
    program: &Program,
    operands: &[Estimate],
    made: &[Estimate],
) -> Result<Vec<Estimate>> {
    let last = made.last().context("a program without statements")?;
    let dtype = last.dtype;
    let mut given: Vec<Option<Estimate>> = vec![None; operands.len() + made.len()];
    let part = 1.0 / last.value.numel() as f64;
    let seed = Tensor::full(last.value.shape(), part, DType::F64)?;
    let nothing = Tensor::zeros(last.value.shape(), DType::F64)?;
    let place = given.len() - 1;
    given[place] = Some(Estimate::rounded(seed, nothing, 1, dtype)?);
    for (k, statement) in program.statements.iter().enumerate().rev() {
        let Some(back) = given[operands.len() + k].take() else {
            continue;
        };
        let parts: Vec<(Value, Estimate)> = match statement {
            Statement::Apply(name, args) => {
                let values: Vec<Estimate> = args
                    .iter()
                    .map(|arg| taken(arg, operands, made, dtype))
                    .collect::<Result<_>>()?;
                let slopes = slopes(primitive(name)?, &values, &made[k])?;
                let each = args.iter().zip(slopes);
                each.filter_map(|(arg, slope)| Some((*arg, slope?)))
                    .map(|(arg, slope)| Ok((arg, back.times(&slope)?)))
                    .collect::<Result<_>>()?
            }
            Statement::Fold(kind, value, axes) => {
                let x = taken(value, operands, made, dtype)?;
                let n: usize = axes.iter().map(|&k| x.value.shape()[k]).product();
                let share = match kind {
                    Kind::Sum => 1.0,
                    Kind::Mean => 1.0 / n as f64,
                    _ => bail!("the slope of an extreme value turns with a rounding"),
                };
                vec![(*value, back.times(&constant(&x, share)?)?)]
            }
        };
        for (value, part) in parts {
            let at = match value {
                Value::Operand(k) => k,
                Value::Earlier(k) => operands.len() + k,
                Value::Number(_) => continue,
            };
            let shape = match value {
                Value::Earlier(k) => made[k].value.shape(),
                _ => operands[at].value.shape(),
            };
            let part = of_shape(&part, shape)?;
            given[at] = Some(match given[at].take() {
                Some(before) => before.plus(&part)?,
                None => part,
            });
        }
    }
    let floats = operands
        .iter()
        .zip(given)
        .filter(|(x, _)| x.dtype.is_float());
    floats
        .map(|(x, slope)| match slope {
            Some(slope) => Ok(slope),
            None => constant(x, 0.0),
        })
        .collect()
}

/// One number at each place of `x`.
fn constant(x: &Estimate, value: f64) -> Result<Estimate> {
    let value = Tensor::full(x.value.shape(), value, DType::F64)?;
    let error = Tensor::zeros(x.value.shape(), DType::F64)?;
    Ok(Estimate {
        value,
        error,
        dtype: x.dtype,
    })
}

/// Summed over the axes along which the operand is one value.
fn of_shape(x: &Estimate, shape: &[usize]) -> Result<Estimate> {
    let axes: Vec<usize> = (0..shape.len())
        .filter(|&k| shape[k] == 1 && x.value.shape()[k] > 1)
        .collect();
    if axes.is_empty() {
        Ok(x.clone())
    } else {
        x.fold(Kind::Sum, &axes)
    }
}

/// The slopes of a primitive for each of its operands; none where a step is flat or a mask.
fn slopes(prim: Prim, args: &[Estimate], out: &Estimate) -> Result<Vec<Option<Estimate>>> {
    let (a, dtype) = (&args[0], out.dtype);
    let one = |x: f64| constant(out, x);
    // A slope whose operands' errors make `passed`, and whose roundings are relative to the size of its terms.
    let slope = |value: Tensor, passed: Tensor, terms: Tensor| -> Result<Estimate> {
        let error = Estimate::rounded(terms, passed, ROUNDINGS, dtype)?.error;
        Ok(Estimate {
            value,
            error,
            dtype,
        })
    };
    let unary = |prim: Prim, x: &Tensor| op(prim, &[x.into()]);
    let least = |x: &Estimate| with(Prim::Max, &two(Prim::Sub, &size(&x.value)?, &x.error)?, 0.0);
    Ok(match prim {
        Prim::Add => vec![Some(one(1.0)?), Some(one(1.0)?)],
        Prim::Sub => vec![Some(one(1.0)?), Some(one(-1.0)?)],
        Prim::Mul => vec![Some(args[1].clone()), Some(a.clone())],
        Prim::Div => {
            let b = &args[1];
            let inverse = unary(Prim::Recip, &b.value)?;
            let lost = two(Prim::Div, &mul(&size(&inverse)?, &b.error)?, &least(b)?)?;
            let inverse = slope(inverse.clone(), lost, size(&inverse)?)?;
            let minus = out.times(&inverse)?;
            let minus = Estimate {
                value: unary(Prim::Neg, &minus.value)?,
                ..minus
            };
            vec![Some(inverse), Some(minus)]
        }
        Prim::Neg => vec![Some(one(-1.0)?)],
        Prim::Square => vec![Some(a.times(&constant(a, 2.0)?)?)],
        Prim::Exp => vec![Some(out.clone())],
        Prim::Log => {
            let inverse = unary(Prim::Recip, &a.value)?;
            let lost = two(Prim::Div, &mul(&size(&inverse)?, &a.error)?, &least(a)?)?;
            vec![Some(slope(inverse.clone(), lost, size(&inverse)?)?)]
        }
        Prim::Sin => {
            let value = unary(Prim::Cos, &a.value)?;
            vec![Some(slope(value.clone(), a.error.clone(), size(&value)?)?)]
        }
        Prim::Cos => {
            let value = unary(Prim::Neg, &unary(Prim::Sin, &a.value)?)?;
            vec![Some(slope(value.clone(), a.error.clone(), size(&value)?)?)]
        }
        Prim::Tanh => {
            let square = mul(&out.value, &out.value)?;
            let value = with(Prim::Add, &unary(Prim::Neg, &square)?, 1.0)?;
            let lost = with(Prim::Mul, &add(&a.error, &out.error)?, 2.0)?;
            vec![Some(slope(value, lost, with(Prim::Add, &square, 1.0)?)?)]
        }
        Prim::Erf => {
            let falls = unary(Prim::Exp, &unary(Prim::Neg, &mul(&a.value, &a.value)?)?)?;
            let value = with(Prim::Mul, &falls, std::f64::consts::FRAC_2_SQRT_PI)?;
            // The argument of the exponential is rounded, too; beyond |a| = 12 nothing is left.
            let terms = mul(&value, &with(Prim::Add, &mul(&a.value, &a.value)?, 1.0)?)?;
            vec![Some(slope(value, a.error.clone(), terms)?)]
        }
        Prim::Sqrt | Prim::Rsqrt | Prim::Pow => {
            let power = match prim {
                Prim::Sqrt => 0.5,
                Prim::Rsqrt => -0.5,
                _ => args[1].value.to_scalar::<f64>()?,
            };
            let at = |p: f64, x: &Tensor| with(Prim::Pow, x, p);
            let value = with(Prim::Mul, &at(power - 1.0, &a.value)?, power)?;
            let end = if power > 2.0 {
                add(&size(&a.value)?, &a.error)?
            } else {
                least(a)?
            };
            let bend = with(
                Prim::Mul,
                &at(power - 2.0, &end)?,
                (power * (power - 1.0)).abs(),
            )?;
            let slope = slope(value.clone(), mul(&bend, &a.error)?, size(&value)?)?;
            if prim == Prim::Pow {
                vec![Some(slope), None]
            } else {
                vec![Some(slope)]
            }
        }
        Prim::Abs => vec![Some(Estimate {
            value: unary(Prim::Sign, &a.value)?,
            ..constant(a, 0.0)?
        })],
        // Of operands alone, whose values are exact. Equal ones share, as the tape has it.
        Prim::Max | Prim::Min => {
            let b = &args[1];
            let first = if prim == Prim::Max {
                Prim::Gt
            } else {
                Prim::Lt
            };
            let won = two(first, &a.value, &b.value)?.cast(DType::F64)?;
            let same = with(
                Prim::Mul,
                &two(Prim::Eq, &a.value, &b.value)?.cast(DType::F64)?,
                0.5,
            )?;
            let share = add(&won, &same)?;
            let rest = with(Prim::Add, &unary(Prim::Neg, &share)?, 1.0)?;
            let exact = |value: Tensor| -> Result<Estimate> {
                Ok(Estimate {
                    value,
                    ..constant(out, 0.0)?
                })
            };
            vec![Some(exact(share)?), Some(exact(rest)?)]
        }
        Prim::Select => {
            let chosen = a.value.cast(DType::F64)?.eval()?;
            let rest = with(Prim::Add, &unary(Prim::Neg, &chosen)?, 1.0)?;
            let exact = |value: Tensor| -> Result<Estimate> {
                let error = Tensor::zeros(value.shape(), DType::F64)?;
                Ok(Estimate {
                    value,
                    error,
                    dtype,
                })
            };
            vec![None, Some(exact(chosen)?), Some(exact(rest)?)]
        }
        _ if !dtype.is_inexact() => vec![None; args.len()],
        other => bail!("the slope of {} is not known here", other.name()),
    })
}
