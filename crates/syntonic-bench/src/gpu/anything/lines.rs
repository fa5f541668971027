//! Lines as people write them, beside a copy of as many bytes as each has to move.

use std::sync::Arc;

use anyhow::Result;
use serde::Serialize;
use syntonic_core::fuse::Prim;
use syntonic_core::grad::grad;
use syntonic_core::layout::Span;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::random::uniform;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Result as Computed, Tensor};
use syntonic_cuda::Cuda;
use syntonic_srt::nn::{LayerNorm, layer_norm};

use super::clock::{Copies, micros};
use super::outcome::show_launches;

/// One line: what it computes of its operands.
struct Line {
    name: &'static str,
    operands: Vec<Tensor>,
    /// Bytes of its operands and results, each once.
    bytes: u64,
    run: fn(&[Tensor]) -> Computed<Vec<Tensor>>,
}

/// How long a line takes.
#[derive(Debug, Serialize)]
pub struct Timed {
    name: &'static str,
    us: f64,
    copy_us: f64,
}

impl std::fmt::Display for Timed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:44} {:8.1} us {:6.1} {:5.2}",
            self.name,
            self.us,
            self.copy_us,
            self.copy_us / self.us
        )
    }
}

/// Times every line whose name has `only` in it. Of those that reach less than `shown` of a copy the launches are printed.
///
/// # Errors
/// What measuring meets.
pub fn lines(gpu: &Arc<Cuda>, only: &str, shown: f64) -> Result<Vec<Timed>> {
    let copies = Copies::measured(gpu)?;
    let mut all = Vec::new();
    for line in written(gpu)?.into_iter().filter(|l| l.name.contains(only)) {
        let us = micros(gpu, || Ok((line.run)(&line.operands)?))?;
        let timed = Timed {
            name: line.name,
            us,
            copy_us: copies.of(line.bytes),
        };
        println!("{timed}");
        if timed.copy_us / timed.us < shown {
            show_launches(gpu, || Ok((line.run)(&line.operands)?))?;
        }
        all.push(timed);
        gpu.trim();
    }
    Ok(all)
}

fn evaluated(all: Vec<Tensor>) -> Computed<Vec<Tensor>> {
    all.iter().map(Tensor::eval).collect()
}

/// The sum of all, through which every element has a gradient.
fn loss(x: &Tensor) -> Computed<Tensor> {
    reduce::sum(x, &Over::all(), None)
}

fn bias_gelu(x: &Tensor, bias: &Tensor) -> Computed<Tensor> {
    apply(Prim::Add, &[x.into(), bias.into()])?.gelu()
}

fn masked(x: &[Tensor]) -> Computed<Tensor> {
    let scaled = apply(Prim::Mul, &[(&x[1]).into(), 0.125.into()])?;
    apply(
        Prim::Select,
        &[(&x[0]).into(), (&scaled).into(), (-1e30).into()],
    )
}

fn part(x: &Tensor, axis: usize, start: usize, len: usize) -> Computed<Tensor> {
    let mut view = x.clone();
    view.narrow(
        axis,
        Span {
            start,
            step: 1,
            len,
        },
    )?;
    Ok(view)
}

/// `out[1:-1, 1:-1] = (middle + left + right + below + above) / 5`, of which the right side is timed.
fn stencil(x: &[Tensor]) -> Computed<Vec<Tensor>> {
    let n = x[0].shape()[0] - 2;
    let at = |i: usize, j: usize| part(&part(&x[0], 0, i, n)?, 1, j, n);
    let mut sum = apply(Prim::Add, &[(&at(1, 1)?).into(), (&at(1, 0)?).into()])?;
    for (i, j) in [(1, 2), (2, 1), (0, 1)] {
        sum = apply(Prim::Add, &[(&sum).into(), (&at(i, j)?).into()])?;
    }
    evaluated(vec![apply(Prim::Mul, &[(&sum).into(), 0.2.into()])?])
}

fn distance(x: &[Tensor], power: f64) -> Computed<Vec<Tensor>> {
    let apart = apply(Prim::Sub, &[(&x[0]).into(), (&x[1]).into()])?;
    let apart = match power < 1.0 {
        true => apply(Prim::Abs, &[(&apart).into()])?,
        false => apart,
    };
    let power = apply(Prim::Pow, &[(&apart).into(), power.into()])?;
    evaluated(vec![reduce::sum(&power, &Over::axes(&[-1]), None)?])
}

fn written(gpu: &Arc<Cuda>) -> Result<Vec<Line>> {
    let device: Arc<dyn Device> = gpu.clone();
    let drawn = |dtype: DType, shape: &[usize]| -> Result<Tensor> {
        let x = uniform(shape, 0.1, 1.0, DType::F32, &mut Generator::new(7), &device)?;
        Ok(match dtype {
            DType::Bool => x.less(0.5)?.eval()?,
            _ => x.cast(dtype)?.eval()?,
        })
    };
    let (bf16, f32, f64) = (DType::BF16, DType::F32, DType::F64);
    let mut all: Vec<Line> = Vec::new();
    let mut add = |name, operands: Vec<Tensor>, bytes: usize, run| {
        all.push(Line {
            name,
            operands,
            bytes: bytes as u64,
            run,
        });
    };
    let n = 8 * 1024 * 3072;
    add(
        "gradient of gelu and bias, bf16",
        vec![
            drawn(bf16, &[8, 1024, 3072])?,
            drawn(bf16, &[3072])?,
            drawn(bf16, &[8, 1024, 3072])?,
        ],
        2 * 3 * n,
        |x| {
            let slope = |v: &[Tensor]| {
                let y = bias_gelu(&v[0], &v[1])?;
                loss(&apply(Prim::Mul, &[(&y).into(), (&x[2]).into()])?)
            };
            evaluated(grad(slope, &[&x[0], &x[1]])?)
        },
    );
    for (dtype, names) in [
        (
            bf16,
            ["where(mask, z * c, -1e30), bf16", "its gradient, bf16"],
        ),
        (f32, ["where(mask, z * c, -1e30), f32", "its gradient, f32"]),
    ] {
        let n = 8 * 12 * 1024 * 1024;
        let operands = vec![
            drawn(DType::Bool, &[1024, 1024])?,
            drawn(dtype, &[8, 12, 1024, 1024])?,
        ];
        add(names[0], operands.clone(), 2 * dtype.size() * n, |x| {
            evaluated(vec![masked(x)?])
        });
        // The cotangent is one number: only the mask is read.
        add(names[1], operands, dtype.size() * n, |x| {
            let slope = |v: &[Tensor]| loss(&masked(&[x[0].clone(), v[0].clone()])?);
            evaluated(grad(slope, &[&x[1]])?)
        });
    }
    add(
        "copy of permuted heads, bf16",
        vec![drawn(bf16, &[8, 1024, 12, 64])?],
        2 * 2 * 8 * 1024 * 768,
        |x| Ok(vec![x[0].permute(&[0, 2, 1, 3])?.copy()?]),
    );
    add(
        "sum over leading axes, bf16",
        vec![drawn(bf16, &[8192, 3072])?],
        2 * 8192 * 3072,
        |x| evaluated(vec![reduce::sum(&x[0], &Over::axes(&[0]), None)?]),
    );
    add(
        "layer norm gradient, bf16",
        vec![
            drawn(bf16, &[8192, 768])?,
            drawn(bf16, &[768])?,
            drawn(bf16, &[768])?,
        ],
        2 * 2 * 8192 * 768,
        |x| {
            let slope = |v: &[Tensor]| {
                loss(&layer_norm(
                    &v[0],
                    Some((&v[1], &v[2])),
                    LayerNorm::default(),
                )?)
            };
            evaluated(grad(slope, &[&x[0], &x[1], &x[2]])?)
        },
    );
    add(
        "[8, 1024, 768] + [1024, 768], bf16",
        vec![drawn(bf16, &[8, 1024, 768])?, drawn(bf16, &[1024, 768])?],
        2 * (2 * 8 + 1) * 1024 * 768,
        |x| evaluated(vec![apply(Prim::Add, &[(&x[0]).into(), (&x[1]).into()])?]),
    );
    let pair = vec![drawn(f32, &[8192, 4096])?, drawn(f32, &[4096])?];
    let bytes = 4 * 8192 * 4096;
    add("sum((x - g)**2, -1), f32", pair.clone(), bytes, |x| {
        distance(x, 2.0)
    });
    add("sum((x - g)**3, -1), f32", pair.clone(), bytes, |x| {
        distance(x, 3.0)
    });
    add("sum(abs(x - g)**0.5, -1), f32", pair.clone(), bytes, |x| {
        distance(x, 0.5)
    });
    add("sum(x * g) over both axes, f32", pair.clone(), bytes, |x| {
        evaluated(vec![loss(&apply(
            Prim::Mul,
            &[(&x[0]).into(), (&x[1]).into()],
        )?)?])
    });
    add(
        "standardised columns, f32",
        vec![pair[0].clone()],
        2 * bytes,
        |x| {
            let over = Over::axes(&[0]).keep();
            let centred = apply(
                Prim::Sub,
                &[(&x[0]).into(), (&reduce::mean(&x[0], &over)?).into()],
            )?;
            let std = reduce::std(&x[0], &over, 0.0)?;
            evaluated(vec![apply(Prim::Div, &[(&centred).into(), (&std).into()])?])
        },
    );
    add(
        "stencil of five points, f64 1000",
        vec![drawn(f64, &[1000, 1000])?],
        2 * 8 * 1000 * 1000,
        stencil,
    );
    add(
        "stencil of five points, f64 8192",
        vec![drawn(f64, &[8192, 8192])?],
        2 * 8 * 8192 * 8192,
        stencil,
    );
    Ok(all)
}
