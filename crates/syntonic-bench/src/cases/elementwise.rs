//! Element-wise functions, alone and in a chain.

use anyhow::Result;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites::{Composite, GELU, RELU};
use syntonic_core::ops::elementwise::{Arg, apply, composite};
use syntonic_core::{DType, Tensor};

use super::{Prepared, dtype, normal, positive, tensor};
use crate::list::Row;
use crate::oracle::{Oracle, numbers};

pub(super) fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    Some(match case {
        "chain" => chain,
        "exp" => |row| unary(row, Prim::Exp, f64::exp, 8.0),
        "log" => |row| unary(row, Prim::Log, f64::ln, 8.0),
        "sin" => |row| unary(row, Prim::Sin, f64::sin, 8.0),
        "tanh" => |row| unary(row, Prim::Tanh, f64::tanh, 8.0),
        "sqrt" => |row| unary(row, Prim::Sqrt, f64::sqrt, 2.0),
        "erf" => erf,
        "gelu" => gelu,
        "add" => add,
        "add_row" => add_row,
        "add_number" => add_number,
        "divide" => |row| binary(row, Prim::Div, |a, b| (a / b, (a / b).abs()), 2.0),
        "less" => |row| binary(row, Prim::Lt, |a, b| (f64::from(u8::from(a < b)), 1.0), 0.0),
        "multiply" => multiply,
        "where" => choose,
        "cast_float64" => cast,
        _ => return None,
    })
}

/// A primitive over tensors.
pub(super) fn call(prim: Prim, tensors: &[&Tensor]) -> Result<Tensor> {
    let args: Vec<Arg<'_>> = tensors.iter().map(|&t| t.into()).collect();
    Ok(apply(prim, &args)?)
}

/// A composite over tensors.
pub(super) fn compose(formula: &Composite, tensors: &[&Tensor]) -> Result<Tensor> {
    let args: Vec<Arg<'_>> = tensors.iter().map(|&t| t.into()).collect();
    Ok(composite(formula.name, formula.build, &args)?)
}

/// Value and scale of each element from the elements of the inputs; a shorter input repeats.
pub(super) fn pointwise(
    inputs: &[Tensor],
    formula: impl Fn(&[f64]) -> (f64, f64),
    units: f64,
) -> Result<Oracle> {
    let read = |t: &Tensor| numbers(t, None);
    let inputs: Vec<Vec<f64>> = inputs.iter().map(read).collect::<Result<_>>()?;
    let count = inputs.iter().map(Vec::len).max().unwrap_or(0);
    let at = |k: usize| {
        let elements: Vec<f64> = inputs.iter().map(|input| input[k % input.len()]).collect();
        formula(&elements)
    };
    let (values, scale) = (0..count).map(at).unzip();
    Ok(Oracle::close(values, scale, units))
}

/// Arguments in the domain of the function.
fn argument(row: &Row, prim: Prim) -> Result<Tensor> {
    match prim {
        Prim::Log | Prim::Sqrt => positive(&row.size, dtype(row)?, 1),
        _ => normal(&row.size, dtype(row)?, 1),
    }
}

fn unary(row: &Row, prim: Prim, formula: fn(f64) -> f64, units: f64) -> Result<Prepared> {
    let inputs = vec![argument(row, prim)?];
    let oracle = pointwise(&inputs, |x| (formula(x[0]), formula(x[0]).abs()), units)?;
    Ok(Prepared::new(inputs, move |x| call(prim, &[&x[0]]), oracle))
}

fn binary(
    row: &Row,
    prim: Prim,
    formula: fn(f64, f64) -> (f64, f64),
    units: f64,
) -> Result<Prepared> {
    let kind = dtype(row)?;
    let inputs = vec![normal(&row.size, kind, 1)?, positive(&row.size, kind, 2)?];
    let oracle = pointwise(&inputs, |x| formula(x[0], x[1]), units)?;
    Ok(Prepared::new(
        inputs,
        move |x| call(prim, &[&x[0], &x[1]]),
        oracle,
    ))
}

fn sum(x: &[f64]) -> (f64, f64) {
    (x[0] + x[1], (x[0] + x[1]).abs())
}

/// Whole numbers where the type is an integer, else eighths.
fn add(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let unit = if kind.is_integer() { 100.0 } else { 1.0 };
    let operand = |stream| {
        let count = row.size.iter().product();
        let values = super::normal_values(count, stream);
        tensor(
            values.into_iter().map(|v| v * unit).collect(),
            &row.size,
            kind,
        )
    };
    let inputs = vec![operand(1)?, operand(2)?];
    let oracle = pointwise(&inputs, sum, 1.0)?;
    Ok(Prepared::new(
        inputs,
        |x| call(Prim::Add, &[&x[0], &x[1]]),
        oracle,
    ))
}

fn add_row(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let last = row.size.len() - 1;
    let inputs = vec![
        normal(&row.size, kind, 1)?,
        normal(&row.size[last..], kind, 2)?,
    ];
    let oracle = pointwise(&inputs, sum, 1.0)?;
    Ok(Prepared::new(
        inputs,
        |x| call(Prim::Add, &[&x[0], &x[1]]),
        oracle,
    ))
}

fn add_number(row: &Row) -> Result<Prepared> {
    let inputs = vec![normal(&row.size, dtype(row)?, 1)?];
    let oracle = pointwise(&inputs, |x| sum(&[x[0], 1.5]), 1.0)?;
    let work = |x: &[Tensor]| Ok(apply(Prim::Add, &[(&x[0]).into(), Arg::from(1.5)])?);
    Ok(Prepared::new(inputs, work, oracle))
}

fn multiply(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let inputs = vec![normal(&row.size, kind, 1)?, normal(&row.size, kind, 2)?];
    let (a, b) = (numbers(&inputs[0], None)?, numbers(&inputs[1], None)?);
    let (mut values, mut scale) = (Vec::new(), Vec::new());
    for (a, b) in a.chunks(2).zip(b.chunks(2)) {
        values.extend([a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]);
        scale.extend([a[0].hypot(a[1]) * b[0].hypot(b[1]); 2]);
    }
    let oracle = Oracle::close(values, scale, 4.0);
    Ok(Prepared::new(
        inputs,
        |x| call(Prim::Mul, &[&x[0], &x[1]]),
        oracle,
    ))
}

fn choose(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let mask = normal(&row.size, DType::F64, 3)?;
    let mask = apply(Prim::Lt, &[(&mask).into(), Arg::from(0.0)])?.eval()?;
    let inputs = vec![
        mask,
        normal(&row.size, kind, 1)?,
        normal(&row.size, kind, 2)?,
    ];
    let pick = |x: &[f64]| (if x[0] != 0.0 { x[1] } else { x[2] }, 1.0);
    let oracle = pointwise(&inputs, pick, 0.0)?;
    Ok(Prepared::new(
        inputs,
        |x| call(Prim::Select, &[&x[0], &x[1], &x[2]]),
        oracle,
    ))
}

fn cast(row: &Row) -> Result<Prepared> {
    let inputs = vec![normal(&row.size, dtype(row)?, 1)?];
    let oracle = pointwise(&inputs, |x| (x[0], 1.0), 0.0)?;
    Ok(Prepared::new(
        inputs,
        |x| Ok(x[0].cast(DType::F64)?),
        oracle,
    ))
}

/// The error function.
fn erf(row: &Row) -> Result<Prepared> {
    let inputs = vec![normal(&row.size, dtype(row)?, 1)?];
    let oracle = pointwise(&inputs, |x| (erf_series(x[0]), erf_series(x[0]).abs()), 8.0)?;
    Ok(Prepared::new(inputs, |x| call(Prim::Erf, &[&x[0]]), oracle))
}

fn erf_series(x: f64) -> f64 {
    // e^(-x^2) times a series of positive terms: no cancellation at all.
    let (mut term, mut total, mut k) = (x, x, 0.0);
    while term.abs() > total.abs() * 1e-17 {
        k += 1.0;
        term *= 2.0 * x * x / (2.0 * k + 1.0);
        total += term;
    }
    total * (-x * x).exp() * std::f64::consts::FRAC_2_SQRT_PI
}

fn gelu(row: &Row) -> Result<Prepared> {
    let inputs = vec![normal(&row.size, dtype(row)?, 1)?];
    let oracle = pointwise(&inputs, |x| (gelu_value(x[0]), x[0].abs()), 8.0)?;
    Ok(Prepared::new(inputs, |x| compose(&GELU, &[&x[0]]), oracle))
}

/// The tanh form of GELU.
pub(super) fn gelu_value(x: f64) -> f64 {
    let root = (2.0 / std::f64::consts::PI).sqrt();
    0.5 * x * (1.0 + (root * (x + 0.044715 * x * x * x)).tanh())
}

fn chain(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let operand = |stream| normal(&row.size, kind, stream);
    let inputs = vec![operand(1)?, operand(2)?, operand(3)?];
    let formula = |x: &[f64]| {
        let value = ((x[0] * x[1] + x[2]) * 1.25 - 0.5).max(0.0).exp();
        let size = ((x[0] * x[1]).abs() + x[2].abs()) * 1.25 + 0.5;
        (value, value * (1.0 + size))
    };
    let oracle = pointwise(&inputs, formula, 8.0)?;
    Ok(Prepared::new(inputs, chained, oracle))
}

/// `exp(relu((a * b + c) * 1.25 - 0.5))` as a user writes it: one call after another.
fn chained(x: &[Tensor]) -> Result<Tensor> {
    let product = apply(Prim::Mul, &[(&x[0]).into(), (&x[1]).into()])?;
    let sum = apply(Prim::Add, &[(&product).into(), (&x[2]).into()])?;
    let scaled = apply(Prim::Mul, &[(&sum).into(), Arg::from(1.25)])?;
    let shifted = apply(Prim::Sub, &[(&scaled).into(), Arg::from(0.5)])?;
    let cut = composite(RELU.name, RELU.build, &[(&shifted).into()])?;
    Ok(apply(Prim::Exp, &[(&cut).into()])?)
}
