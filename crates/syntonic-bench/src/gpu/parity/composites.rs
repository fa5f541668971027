//! Composites as they are compiled: over whole arrays of every type that they accept, each further operand an array or a
//! number, and through steps in memory, which no compiled kernel serves.

use super::Check;
use crate::gpu::{Exactness, Gpu, bounds, compare};
use anyhow::{Result, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::composites::{self, Composite};
use syntonic_core::ops::elementwise::{Arg, apply, composite};
use syntonic_core::{DType, Scalar, Tensor};
use syntonic_srt::nn;

/// Whole blocks and a rest.
const COUNT: usize = 9001;

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in DType::ALL.into_iter().filter(|d| d.is_inexact()) {
        for c in composites::ALL.iter().chain(nn::ACTIVATIONS) {
            let name = format!("composites/{}/{dtype}", c.name);
            all.push(Check::new(name, move |gpu| {
                Further::ALL
                    .into_iter()
                    .try_for_each(|further| of(gpu, c, dtype, further))
            }));
        }
        for prim in [Prim::Min, Prim::Max, Prim::Sub, Prim::Div] {
            if prim.operand_dtype(dtype).is_some() {
                let name = format!("composites/{} and a number/{dtype}", prim.name());
                all.push(Check::new(name, move |gpu| with_number(gpu, prim, dtype)));
            }
        }
    }
    all
}

/// What the operands after the first are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Further {
    Arrays,
    Numbers,
}

impl Further {
    const ALL: [Further; 2] = [Further::Arrays, Further::Numbers];
}

/// Numbers of both signs; complex ones keep away from the poles of tanh.
fn operand(k: usize, dtype: DType) -> Result<Tensor> {
    let value = |i: usize| ((i * 7919 + 31 * k) % 2003) as f64 / 500.0 - 2.0;
    let complex = |i: usize| Complex::new(value(i) / 4.0, value(i + 1) / 4.0);
    let all = 0..2 * COUNT;
    let x = match dtype.is_complex() {
        true => Tensor::from_vec(all.map(complex).collect::<Vec<_>>(), &[2 * COUNT])?,
        false => Tensor::from_vec(all.map(value).collect::<Vec<_>>(), &[2 * COUNT])?,
    };
    Ok(x.cast(dtype)?.eval()?)
}

fn of(gpu: &Gpu, c: &Composite, dtype: DType, further: Further) -> Result<()> {
    let tensors = match further {
        Further::Arrays => c.args.len(),
        Further::Numbers => 1,
    };
    let operands: Vec<Tensor> = (0..tensors)
        .map(|k| operand(k, dtype))
        .collect::<Result<_>>()?;
    let there = operands.iter().map(|t| gpu.take(t));
    let there: Vec<Tensor> = there.collect::<Result<_>>()?;
    for step in [1, 2] {
        let on = |operands: &[Tensor]| -> syntonic_core::Result<Tensor> {
            let end = COUNT as isize * step;
            let cut = operands
                .iter()
                .map(|t| t.slice(0, Some(0), Some(end), step));
            let parts: Vec<Tensor> = cut.collect::<syntonic_core::Result<_>>()?;
            let numbers = (tensors..c.args.len()).map(|k| Scalar::Float(k as f64 - 0.5).into());
            let args: Vec<Arg<'_>> = parts.iter().map(Arg::Tensor).chain(numbers).collect();
            composite(c.name, c.build, &args)?.eval()
        };
        let Ok(want) = on(&operands) else {
            ensure!(on(&there).is_err(), "refused on the CPU and not on the GPU");
            return Ok(());
        };
        compare(&on(&there)?, &want, exactness(&want)?)
            .map_err(|e| e.context(format!("{further:?}, steps of {step}")))?;
    }
    Ok(())
}

/// A few steps of a few units each, of values of moderate size.
fn exactness(want: &Tensor) -> Result<Exactness> {
    let values = want.to_vec::<Complex<f64>>()?;
    Ok(Exactness::Within {
        relative: 64.0 * bounds::rounding(want.dtype()),
        scale: values.iter().map(|z| z.norm()).fold(1.0, f64::max),
    })
}

fn with_number(gpu: &Gpu, prim: Prim, dtype: DType) -> Result<()> {
    let x = operand(0, dtype)?;
    let on = |x: &Tensor| apply(prim, &[Arg::Tensor(x), Arg::Number(Scalar::Float(0.75))])?.eval();
    let want = on(&x)?;
    compare(&on(&gpu.take(&x)?)?, &want, exactness(&want)?)
}
