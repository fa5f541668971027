//! The sums of active inference (belief updates are in `belief.rs`), golden GELU as a layer, and cycles of states: operands of their kind, and their edges.

use super::Check;
use crate::gpu::{Exactness, Gpu, bounds, compare};
use anyhow::Result;
use syntonic_core::half::{bf16, f16};
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Tensor};
use syntonic_srt::infer::{accuracy, categorical_kl_divergence, expected_accuracy, kl_divergence};
use syntonic_srt::nn::{golden_gelu, golden_gelu_backward};
use syntonic_srt::resonant::{Noise, cycle, differentiate, harmonize, mode_norms, syntony};

/// Rows that fit registers, blocks and clusters, that no vector fits, and one long row.
const SHAPES: [&[usize]; 7] = [
    &[300, 64],
    &[33, 1024],
    &[5, 32_768],
    &[2, 150_000],
    &[40, 1001],
    &[3, 4, 7],
    &[70_001],
];

type Work = fn(&[Tensor]) -> syntonic_core::Result<Vec<Tensor>>;

/// Each with the number of operands.
const SUMS: [(&str, usize, Work); 4] = [
    ("kl_divergence", 4, |x| {
        Ok(vec![kl_divergence(&x[0], &x[1], &x[2], &x[3])?])
    }),
    ("categorical_kl_divergence", 2, |x| {
        Ok(vec![categorical_kl_divergence(&x[0], &x[1])?])
    }),
    ("accuracy", 3, |x| Ok(vec![accuracy(&x[0], &x[1], &x[2])?])),
    ("expected_accuracy", 4, |x| {
        Ok(vec![expected_accuracy(&x[0], &x[1], &x[2], &x[3])?])
    }),
];

const LAYERS: [(&str, usize, Work); 2] = [
    ("golden_gelu", 1, |x| Ok(vec![golden_gelu(&x[0])?])),
    ("golden_gelu_backward", 2, |x| {
        Ok(vec![golden_gelu_backward(&x[0], &x[1])?])
    }),
];

/// Whole arrays of so many bytes of all operands are folded by all multiprocessors.
const WHOLE: usize = 2 << 20;

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        for (name, operands, work) in SUMS.into_iter().chain(LAYERS) {
            let name = format!("infer/{name}/{dtype}");
            all.push(Check::new(name, move |gpu| {
                SHAPES
                    .into_iter()
                    .try_for_each(|shape| everywhere(gpu, work, operands, dtype, shape))
            }));
        }
        for (name, operands, work) in SUMS {
            let name = format!("infer/{name}_whole/{dtype}");
            let least = WHOLE / (operands * dtype.size());
            all.push(Check::new(name, move |gpu| {
                // With a part of a part at the end, in vectors and where no vector fits.
                [least + 4008, least + 5]
                    .into_iter()
                    .try_for_each(|n| everywhere(gpu, work, operands, dtype, &[n]))
            }));
        }
    }
    for dtype in [DType::F16, DType::BF16] {
        let name = format!("infer/golden_gelu of every half/{dtype}");
        all.push(Check::new(name, move |gpu| every_half(gpu, dtype)));
    }
    for dtype in DType::ALL.into_iter().filter(|d| d.is_inexact()) {
        let name = format!("resonant/phases/{dtype}");
        all.push(Check::new(name, move |gpu| phases(gpu, dtype)));
    }
    all.push(Check::new("infer/edges", edges));
    all.push(Check::new("infer/rows that share a prior", shared));
    all
}

/// Numbers between 0.5 and 2.5, which are means, variances, precisions and weights alike.
fn drawn(k: usize, dtype: DType, shape: &[usize]) -> Result<Tensor> {
    let value = |i: usize| ((i * 7919 + 31 * k) % 1009) as f64 / 504.0 + 0.5;
    let turned = |i: usize| Complex::new(value(i), value(i + 7) - 1.5);
    let all = 0..shape.iter().product();
    let x = match dtype.is_complex() {
        true => Tensor::from_vec(all.map(turned).collect::<Vec<_>>(), shape)?,
        false => Tensor::from_vec(all.map(value).collect::<Vec<_>>(), shape)?,
    };
    Ok(x.cast(dtype)?.eval()?)
}

/// A part of the largest result: terms of about 1 are added up, in another order.
fn close(got: &Tensor, want: &Tensor) -> Result<()> {
    let values = want.to_vec::<Complex<f64>>()?;
    let finite = values.iter().map(|z| z.norm()).filter(|m| m.is_finite());
    let exactness = Exactness::Within {
        relative: match want.dtype() {
            half if half.is_half() => 2.0 * bounds::rounding(half),
            other => 256.0 * bounds::rounding(other),
        },
        scale: finite.fold(1.0, f64::max),
    };
    compare(got, want, exactness)
}

fn both(gpu: &Gpu, work: Work, operands: &[Tensor]) -> Result<()> {
    let there = operands.iter().map(|t| gpu.take(t));
    let there: Vec<Tensor> = there.collect::<Result<_>>()?;
    let (got, want) = (work(&there)?, work(operands)?);
    got.iter()
        .zip(&want)
        .try_for_each(|(got, want)| close(got, want))
}

fn everywhere(gpu: &Gpu, work: Work, count: usize, dtype: DType, shape: &[usize]) -> Result<()> {
    let operands = (0..count).map(|k| drawn(k, dtype, shape));
    let operands: Vec<Tensor> = operands.collect::<Result<_>>()?;
    both(gpu, work, &operands).map_err(|e| e.context(format!("{shape:?}")))?;
    // Columns as rows: nothing lies side by side.
    let turned = operands.iter().map(|t| match t.ndim() {
        2 => t.transpose(0, 1),
        _ => t.flip(&[-1]),
    });
    let turned: Vec<Tensor> = turned.collect::<syntonic_core::Result<_>>()?;
    both(gpu, work, &turned).map_err(|e| e.context(format!("{shape:?} turned")))
}

/// Golden GELU and its gradient of each of the 65,536 halves: the GPU has shorter ways for them, whose error is far below
/// the one rounding. Where the gradient's two terms cancel, it is so beside them.
fn every_half(gpu: &Gpu, dtype: DType) -> Result<()> {
    let value = |bits: u16| match dtype {
        DType::F16 => f16::from_bits(bits).to_f64(),
        _ => bf16::from_bits(bits).to_f64(),
    };
    let all: Vec<f64> = (0..=u16::MAX).map(value).collect();
    let (near, far): (Vec<f64>, Vec<f64>) = all.iter().partition(|x| x.abs() < 2.0);
    let layer = |x: &[Tensor]| golden_gelu(&x[0]);
    against(gpu, layer, &[&all], dtype, Exactness::Ulps(1.0))?;
    let gradient = |x: &[Tensor]| golden_gelu_backward(&x[0], &x[1]);
    for g in [1.0, -0.375] {
        let cotangents = |x: &[f64]| vec![g; x.len()];
        let (of_near, of_far) = (cotangents(&near), cotangents(&far));
        let beside = Exactness::UlpsOfOne(1.0);
        against(gpu, gradient, &[&of_near, &near], dtype, beside)?;
        against(gpu, gradient, &[&of_far, &far], dtype, Exactness::Ulps(1.0))?;
    }
    Ok(())
}

fn against(
    gpu: &Gpu,
    work: impl Fn(&[Tensor]) -> syntonic_core::Result<Tensor>,
    values: &[&[f64]],
    dtype: DType,
    exactness: Exactness,
) -> Result<()> {
    let made = |v: &&[f64]| -> Result<Tensor> {
        Ok(Tensor::from_slice(v, &[v.len()])?.cast(dtype)?.eval()?)
    };
    let here: Vec<Tensor> = values.iter().map(made).collect::<Result<_>>()?;
    let there: Vec<Tensor> = here.iter().map(|t| gpu.take(t)).collect::<Result<_>>()?;
    compare(&work(&there)?, &work(&here)?, exactness)
}

/// Infinities, NaN and zeros where the formulas say so.
fn edges(gpu: &Gpu) -> Result<()> {
    let special = [0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, f64::INFINITY, f64::NAN];
    let n = special.len();
    for dtype in [DType::F32, DType::F64] {
        // Every pair of them as variances, or as precision and error: one a row.
        let pairs = |pick: fn(usize, usize) -> usize| -> Result<Tensor> {
            let values = (0..n * n).map(|i| special[pick(i, n)]).collect::<Vec<_>>();
            Ok(Tensor::from_vec(values, &[n * n, 1])?.cast(dtype)?.eval()?)
        };
        let (first, second) = (pairs(|i, n| i / n)?, pairs(|i, n| i % n)?);
        let zero = Tensor::zeros(&[n * n, 1], dtype)?;
        let divergence: Work = |x| Ok(vec![kl_divergence(&x[2], &x[2], &x[0], &x[1])?]);
        let categories: Work = |x| Ok(vec![categorical_kl_divergence(&x[0], &x[1])?]);
        let fit: Work = |x| Ok(vec![accuracy(&x[0], &x[2], &x[1])?]);
        for work in [divergence, categories, fit] {
            both(gpu, work, &[first.clone(), second.clone(), zero.clone()])?;
        }
    }
    Ok(())
}

fn shared(gpu: &Gpu) -> Result<()> {
    for dtype in [DType::BF16, DType::F32, DType::F64] {
        let (mean, var) = (drawn(0, dtype, &[300, 65])?, drawn(1, dtype, &[300, 65])?);
        let (prior, spread) = (drawn(2, dtype, &[65])?, drawn(3, dtype, &[65])?);
        let work: Work = |x| Ok(vec![kl_divergence(&x[0], &x[2], &x[1], &x[3])?]);
        both(gpu, work, &[mean, var, prior, spread])?;
    }
    Ok(())
}

/// The cycle in one pass against the CPU's, with noise and without, and against its own phases.
fn phases(gpu: &Gpu, dtype: DType) -> Result<()> {
    for shape in SHAPES.into_iter().filter(|shape| shape.len() < 3) {
        let n = shape[shape.len() - 1];
        // Few high modes: factors beyond 1e4 leave no room in float16.
        let norms = mode_norms(n)?;
        let norms = match dtype {
            DType::F16 => drawn(4, DType::F64, &[n])?,
            _ => norms,
        };
        let (psi, xi) = (drawn(0, dtype, shape)?, drawn(1, dtype, shape)?);
        let there = [&psi, &xi, &norms].map(|t| gpu.take(t));
        let [psi_there, xi_there, norms_there] = there;
        let (psi_there, xi_there, norms_there) = (psi_there?, xi_there?, norms_there?);
        for noisy in [false, true] {
            let noise = |values| {
                noisy.then_some(Noise {
                    values,
                    strength: 0.25,
                })
            };
            let got = cycle(&psi_there, &norms_there, noise(&xi_there))?;
            let want = cycle(&psi, &norms, noise(&xi))?;
            close(&got.0, &want.0).map_err(|e| e.context(format!("{shape:?}")))?;
            close(&got.1, &want.1)?;
            let s = syntony(&psi_there, &norms_there)?;
            close(&s, &syntony(&psi, &norms)?)?;
            let spread = differentiate(&psi_there, &norms_there, &s, noise(&xi_there))?;
            let next = harmonize(&spread, &norms_there, &s)?;
            close(
                &spread,
                &differentiate(&psi, &norms, &syntony(&psi, &norms)?, noise(&xi))?,
            )?;
            if !dtype.is_half() {
                close(&got.0, &gpu.fetch(&next)?)?;
            }
        }
    }
    Ok(())
}
