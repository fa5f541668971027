//! The measured gradients of layers: operands, calls, and what must come out.

use anyhow::{Context, Result};
use syntonic_core::fuse::{Prim, Program};
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Tensor, cpu, run};
use syntonic_srt::constants::{INV_PHI, SQRT_INV_PHI};
use syntonic_srt::nn::{
    Activation, BatchNorm, BatchStats, Channels, LayerNorm, Mode, Softmax, Weights, batch_norm,
    batch_norm_backward, golden_gelu_backward, layer_norm_backward, phi_residual_backward,
    phi_residual_layer_norm_backward, syntonic_softmax, syntonic_softmax_backward,
};

use super::forward::{Along, both_signs};
use crate::gpu::bounds;
use crate::gpu::parity::Check;
use crate::gpu::{Exactness, Gpu, compare};

/// A layer whose gradient is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backward {
    /// Phi-residual and relu.
    Residual,
    /// Phi-residual and layer norm.
    ResidualNorm,
    /// Golden layer norm.
    LayerNorm,
    /// Golden batch norm, from the statistics of the forward run.
    BatchNorm(Channels),
    /// Syntonic softmax, from its result.
    Softmax(Along),
    /// Golden GELU.
    GoldenGelu,
}

/// Every formula of layers over single elements: in whole blocks, with a rest, and with steps.
pub(in crate::gpu) fn checks() -> Vec<Check> {
    let mut checks = Vec::new();
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        for (k, program) in syntonic_srt::nn::maps().into_iter().enumerate() {
            let name = format!("layers/{}_{k}/{dtype}", program.name);
            checks.push(Check::new(name, move |gpu| {
                let sizes = [1, 1000, 4096, 70_001];
                sizes
                    .into_iter()
                    .try_for_each(|n| map(gpu, program, dtype, n))
            }));
        }
    }
    checks
}

fn map(gpu: &Gpu, program: &Program, dtype: DType, n: usize) -> Result<()> {
    let operand = |k: usize| -> Result<Tensor> {
        let value = |i: usize| ((i * 7919 + 31 * k) % 2003) as f64 / 500.0 - 2.0;
        let x = Tensor::from_vec((0..2 * n).map(value).collect::<Vec<_>>(), &[2 * n])?;
        Ok(x.cast(dtype)?.eval()?)
    };
    let operands: Vec<Tensor> = (0..program.inputs.len())
        .map(operand)
        .collect::<Result<_>>()?;
    let there: Vec<Tensor> = operands
        .iter()
        .map(|t| gpu.take(t))
        .collect::<Result<_>>()?;
    for step in [1, 2] {
        let run = |operands: &[Tensor]| -> Result<Vec<Tensor>> {
            let end = (n as isize) * step;
            let parts = operands
                .iter()
                .map(|t| t.slice(0, Some(0), Some(end), step));
            let parts: Vec<Tensor> = parts.collect::<Result<_, _>>()?;
            let parts: Vec<&Tensor> = parts.iter().collect();
            Ok(run::map(program, &parts, &[], &[n], parts[0].device())?)
        };
        for (got, want) in run(&there)?.iter().zip(run(&operands)?) {
            // A slope takes the units of its function times the operand, which is 4 at most.
            compare(got, &want, exactness(&want, 128.0)?)?;
        }
    }
    Ok(())
}

const EPS: f64 = 1e-5;
/// Rows, columns or channels of a sample.
const SAMPLE: isize = 4;

impl Backward {
    /// The layer of a kind of rows.
    pub(super) fn of(kind: &str) -> Option<Backward> {
        Some(match kind {
            "residual_backward" => Backward::Residual,
            "residual_norm_backward" => Backward::ResidualNorm,
            "layer_norm_backward" => Backward::LayerNorm,
            "batch_norm_backward" => Backward::BatchNorm(Channels::Planes),
            "batch_norm_features_backward" => Backward::BatchNorm(Channels::Features),
            "softmax_backward" => Backward::Softmax(Along::Last),
            "softmax_leading_backward" => Backward::Softmax(Along::First),
            "golden_gelu_backward" => Backward::GoldenGelu,
            _ => return None,
        })
    }

    /// The operands, from tensors of numbers between 0.5 and 1.5: the cotangent first.
    pub(super) fn inputs(
        self,
        size: &[usize],
        values: impl Fn(u64, &[usize]) -> Result<Tensor>,
    ) -> Result<Vec<Tensor>> {
        let (g, x) = (values(0, size)?, values(1, size)?);
        Ok(match self {
            Backward::Residual => vec![g, x, both_signs(&values(2, size)?)?],
            Backward::ResidualNorm => vec![g, x, values(2, size)?, values(3, &size[1..])?],
            Backward::LayerNorm => vec![g, x, values(2, &size[1..])?],
            Backward::BatchNorm(channels) => {
                let gamma = values(2, &size[1..2])?;
                let (_, stats) = batch_norm(&x, None, BatchNorm::golden(channels))?;
                vec![g, x, gamma, stats.mean, stats.var]
            }
            Backward::Softmax(along) => {
                let settings = Softmax {
                    axis: along.axis(),
                    ..Softmax::default()
                };
                vec![g, syntonic_softmax(&x, Weights::Identity, settings)?]
            }
            Backward::GoldenGelu => vec![g, both_signs(&x)?],
        })
    }

    /// The measured call, with all its results.
    pub(super) fn work(self, x: &[Tensor]) -> Result<Vec<Tensor>> {
        let g = &x[0];
        let results = match self {
            Backward::Residual => {
                let made = phi_residual_backward(g, &x[1], &x[2], Mode::Phi, Activation::Relu)?;
                vec![made.x, made.residual]
            }
            Backward::ResidualNorm => {
                let (mode, activation) = (Mode::Phi, Activation::None);
                let made = phi_residual_layer_norm_backward(
                    g, &x[1], &x[2], mode, activation, &x[3], EPS,
                )?;
                vec![made.x, made.residual, made.gamma, made.beta]
            }
            Backward::LayerNorm => {
                let made = layer_norm_backward(g, &x[1], Some(&x[2]), LayerNorm::default())?;
                let (gamma, beta) = made.affine.context("no gradient of gamma")?;
                vec![made.x, gamma, beta]
            }
            Backward::BatchNorm(channels) => {
                let stats = BatchStats {
                    mean: x[3].clone(),
                    var: x[4].clone(),
                    count: x[1].numel() / x[1].shape()[1],
                };
                let golden = BatchNorm::golden(channels);
                let made = batch_norm_backward(g, &x[1], Some(&x[2]), Some(&stats), golden)?;
                let (gamma, beta) = made.affine.context("no gradient of gamma")?;
                vec![made.x, gamma, beta]
            }
            Backward::Softmax(along) => vec![syntonic_softmax_backward(g, &x[1], along.axis())?],
            Backward::GoldenGelu => vec![golden_gelu_backward(g, &x[1])?],
        };
        let all = results.into_iter().map(|t| Ok(t.eval()?));
        all.collect()
    }

    /// Compares samples of the results with what the CPU makes of the same operands.
    pub(super) fn check(self, x: &[Tensor], results: &[Tensor]) -> Result<()> {
        let across = matches!(
            self,
            Backward::BatchNorm(_) | Backward::Softmax(Along::First)
        );
        let axis = isize::from(across);
        let by_rows = matches!(self, Backward::ResidualNorm | Backward::LayerNorm);
        let count = x[0].shape()[axis as usize] as isize;
        for at in [0, count / 3, count - SAMPLE] {
            let part =
                |t: &Tensor, axis: isize| host(&t.slice(axis, Some(at), Some(at + SAMPLE), 1)?);
            let cut = |t: &Tensor| match t.ndim() {
                1 if by_rows => Ok(t.to(&cpu())?),
                1 => part(t, 0),
                _ => part(t, axis),
            };
            let parts: Vec<Tensor> = x.iter().map(cut).collect::<Result<_>>()?;
            // Sums over rows are not those of a few rows: they have a check of their own.
            let wanted = self.work(&parts)?;
            let whole = |t: &&Tensor| !by_rows || t.ndim() > 1;
            for (got, want) in results.iter().zip(&wanted).filter(|(g, _)| whole(g)) {
                let exactness = match self {
                    Backward::BatchNorm(_) if want.ndim() == 1 => sum_exactness(&parts[0])?,
                    _ => exactness(want, 64.0)?,
                };
                compare(&cut(got)?, want, exactness)?;
            }
        }
        match self {
            Backward::ResidualNorm => {
                let scaled = apply(Prim::Mul, &[(&x[2]).into(), Arg::from(INV_PHI)])?;
                let y = apply(Prim::Add, &[(&x[1]).into(), (&scaled).into()])?.eval()?;
                check_sums(&x[0], &y, 1.0, &results[2..])
            }
            Backward::LayerNorm => check_sums(&x[0], &x[1], SQRT_INV_PHI, &results[1..]),
            _ => Ok(()),
        }
    }
}

fn host(t: &Tensor) -> Result<Tensor> {
    Ok(t.contiguous()?.to(&cpu())?)
}

/// A part of the largest value: values that cancel are as exact as what they are made of.
fn exactness(want: &Tensor, roundings: f64) -> Result<Exactness> {
    let values = want.cast(DType::F64)?.to_vec::<f64>()?;
    let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    Ok(Exactness::Within {
        relative: roundings * bounds::rounding(want.dtype()),
        scale: largest.max(1.0),
    })
}

/// Of the sums of `g` and of `g` times normed values over all axes but the channels': a part of what their terms come to
/// without their signs, which by Cauchy and Schwarz is at most the root of their number times the sum of the squares of `g`.
/// Half of the terms cancel the others, so the sum itself says nothing of its error.
fn sum_exactness(g: &Tensor) -> Result<Exactness> {
    let squares = apply(Prim::Square, &[Arg::Tensor(&g.cast(DType::F64)?)])?;
    let others: Vec<isize> = (0..g.ndim() as isize).filter(|&axis| axis != 1).collect();
    let sums = reduce::sum(&squares, &Over::axes(&others), None)?.to_vec::<f64>()?;
    let terms = (g.numel() / g.shape()[1]) as f64;
    let largest = sums.iter().fold(0.0, |m: f64, v| m.max(*v));
    Ok(Exactness::Within {
        relative: 64.0 * bounds::rounding(g.dtype()),
        scale: (terms * largest).sqrt().max(1.0),
    })
}

/// The gradients of gamma and beta in a few columns, in double precision from the means and variances of the rows of `y`,
/// whose normed values are scaled.
fn check_sums(g: &Tensor, y: &Tensor, scale: f64, results: &[Tensor]) -> Result<()> {
    let doubles = |t: &Tensor| -> Result<Vec<f64>> { Ok(host(t)?.cast(DType::F64)?.to_vec()?) };
    let rows = Over::axes(&[1]);
    let mean = doubles(&reduce::mean(y, &rows)?)?;
    let var = doubles(&reduce::var(y, &rows, 0.0)?)?;
    let width = y.shape()[1] as isize;
    for at in [0, width / 3, width - SAMPLE] {
        let columns = |t: &Tensor| doubles(&t.slice(1, Some(at), Some(at + SAMPLE), 1)?);
        let (g, y) = (columns(g)?, columns(y)?);
        let mut want = vec![[0.0f64; 3]; SAMPLE as usize];
        for (k, (g, y)) in g.iter().zip(&y).enumerate() {
            let (row, column) = (k / SAMPLE as usize, k % SAMPLE as usize);
            let normed = (y - mean[row]) / (var[row] + EPS).sqrt() * scale;
            let [gamma, beta, size] = &mut want[column];
            *gamma += g * normed;
            *beta += g;
            *size += (g * normed).abs();
        }
        let part = |t: &Tensor| doubles(&t.slice(0, Some(at), Some(at + SAMPLE), 1)?);
        let (gamma, beta) = (part(&results[0])?, part(&results[1])?);
        let rounding = bounds::rounding(results[0].dtype());
        for (k, [of_gamma, of_beta, size]) in want.into_iter().enumerate() {
            // A block adds up some hundred rows; the statistics are a few roundings off.
            let bound = 256.0 * rounding;
            let off = ((gamma[k] - of_gamma).abs(), (beta[k] - of_beta).abs());
            anyhow::ensure!(
                off.0 <= bound * size && off.1 <= bound * of_beta,
                "sums over rows: {} and {} instead of {of_gamma} and {of_beta}",
                gamma[k],
                beta[k]
            );
        }
    }
    Ok(())
}
