//! Single folds: every fold, element type, layout and choice of axes against the CPU.

use super::Check;
use crate::gpu::layouts::made_of;
use crate::gpu::{Exactness, Gpu, Layout, Pair, compare, sample};
use anyhow::{Result, ensure};
use syntonic_core::fuse::Fold;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::reduce::{self, Over, fold};
use syntonic_core::{DType, Tensor};

/// Lengths around what a thread reads at once, a warp, a block and a part of a row.
const LENGTHS: [usize; 13] = [
    1, 2, 3, 17, 63, 127, 128, 129, 513, 1025, 4097, 40_000, 300_001,
];

pub(super) fn checks() -> Vec<Check> {
    let pairs = Fold::ALL
        .into_iter()
        .flat_map(|kind| DType::ALL.map(|dtype| (kind, dtype)));
    let mut checks: Vec<Check> = pairs
        .filter(|(kind, dtype)| kind.result_dtype(*dtype).is_some())
        .flat_map(|(kind, dtype)| {
            let of_layouts = Layout::ALL.map(|layout| {
                let name = format!("folds/{}/{dtype}/{layout:?}", kind.name());
                Check::new(name, move |gpu| over_axes(gpu, kind, dtype, layout))
            });
            let name = format!("folds/{}/{dtype}/lengths", kind.name());
            let lengths = Check::new(name, move |gpu| over_lengths(gpu, kind, dtype));
            of_layouts.into_iter().chain([lengths])
        })
        .collect();
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        for kind in [Fold::Sum, Fold::Max, Fold::Min, Fold::ArgMax, Fold::ArgMin] {
            let name = format!("folds/{}/{dtype}/even", kind.name());
            checks.push(Check::new(name, move |gpu| {
                let values = |shape: &[usize]| values(kind, dtype, shape);
                over_even(gpu, &values, &|pair, over| same(kind, pair, over))
            }));
        }
        for kind in [Fold::ArgMax, Fold::ArgMin] {
            let name = format!("folds/{}/{dtype}/places", kind.name());
            checks.push(Check::new(name, move |gpu| over_places(gpu, kind, dtype)));
        }
        // Double precision is read twice and has no kernel of its own.
        if dtype != DType::F64 {
            let name = format!("folds/var/{dtype}/far");
            checks.push(Check::new(name, move |gpu| over_far(gpu, dtype)));
        }
        let name = format!("folds/var/{dtype}/even");
        checks.push(Check::new(name, move |gpu| {
            let values = |shape: &[usize]| values(Fold::Sum, dtype, shape);
            over_even(gpu, &values, &same_variance)
        }));
    }
    checks.push(Check::new("folds/sum/uint8/past 2^31", past_32_bits));
    checks
}

/// What the fold can be told apart on: sums of numbers of both signs, products near 1, and for the other
/// folds infinities and NaN too.
fn values(kind: Fold, dtype: DType, shape: &[usize]) -> Result<Tensor> {
    if !dtype.is_inexact() || !matches!(kind, Fold::Sum | Fold::Prod) {
        return sample(dtype, shape, 11);
    }
    let n: usize = shape.iter().product();
    let value = |i: usize| -> Complex<f64> {
        let up = (i * 7919 + i / 13).is_multiple_of(2);
        if kind == Fold::Prod {
            // Products of thousands of these stay in the range of half precision.
            let near = if up { 1.007_812_5 } else { -0.992_187_5 };
            return Complex::new(near, if i.is_multiple_of(3) { 0.015_625 } else { 0.0 });
        }
        let size = ((i * 7919) % 1009) as f64 / 64.0;
        Complex::new(if up { size } else { -size }, ((i * 31) % 17) as f64 - 8.0)
    };
    let x = Tensor::from_vec((0..n).map(value).collect::<Vec<_>>(), shape)?;
    let x = if dtype.is_complex() { x } else { x.real()? };
    Ok(x.cast(dtype)?.eval()?.contiguous()?)
}

/// The axes that are tried: all, each alone, and the outer two together.
fn choices(ndim: usize) -> Vec<Over> {
    let mut choices = vec![Over::all()];
    choices.extend((0..ndim as isize).map(|axis| Over::axes(&[axis])));
    if ndim > 2 {
        choices.push(Over::axes(&[0, 1]));
        choices.push(Over::axes(&[0, 2]));
    }
    choices
}

fn over_axes(gpu: &Gpu, kind: Fold, dtype: DType, layout: Layout) -> Result<()> {
    let pair = Pair::of(gpu, layout, &|shape| values(kind, dtype, shape))?;
    for over in choices(layout.shape().len()) {
        same(kind, &pair, &over)?;
    }
    Ok(())
}

fn over_lengths(gpu: &Gpu, kind: Fold, dtype: DType) -> Result<()> {
    for n in LENGTHS {
        let (rows, axis) = if n > 10_000 { (2, 1) } else { (5, 1) };
        let row = values(kind, dtype, &[rows, n])?;
        let pair = Pair {
            gpu: gpu.take(&row)?,
            cpu: row,
        };
        same(kind, &pair, &Over::axes(&[axis]))?;
        let pair = Pair {
            cpu: pair.cpu.slice(1, Some(1), None, 1)?,
            gpu: pair.gpu.slice(1, Some(1), None, 1)?,
        };
        if n > 1 {
            // One element on: rows that begin anywhere.
            same(kind, &pair, &Over::axes(&[axis]))?;
        }
        let column = values(kind, dtype, &[n, rows])?;
        let pair = Pair {
            gpu: gpu.take(&column)?,
            cpu: column,
        };
        same(kind, &pair, &Over::axes(&[0]))?;
    }
    Ok(())
}

/// Whole vectors and columns side by side, large enough for the kernels that know nothing else: rows by warps and by
/// blocks, rows in parts, columns, and columns with an axis outside.
fn over_even(
    gpu: &Gpu,
    values: &dyn Fn(&[usize]) -> Result<Tensor>,
    same: &dyn Fn(&Pair, &Over) -> Result<()>,
) -> Result<()> {
    let cases: [(&[usize], &[Over]); 4] = [
        (&[1100, 2048], &[Over::axes(&[1]), Over::all()]),
        (&[24, 98_320], &[Over::axes(&[1])]),
        (&[4100, 2060], &[Over::axes(&[0])]),
        (&[3, 2100, 1412], &[Over::axes(&[1])]),
    ];
    for (shape, overs) in cases {
        let cpu = values(shape)?;
        let pair = Pair {
            gpu: gpu.take(&cpu)?,
            cpu,
        };
        overs.iter().try_for_each(|over| same(&pair, over))?;
    }
    Ok(())
}

/// Extremes that many elements share, both zeros among them, that only one late element has, that are no better than
/// nothing, and one late NaN.
fn over_places(gpu: &Gpu, kind: Fold, dtype: DType) -> Result<()> {
    let sign = if kind == Fold::ArgMax { 1.0 } else { -1.0 };
    let styles: [&dyn Fn(usize, usize) -> f64; 4] = [
        &|i, _| [-0.0, -1.0, -2.0, 0.0][(i * 7919 / 5 + 1) % 4],
        &|i, n| {
            if i == n - n / 7 {
                9.0
            } else {
                ((i * 31) % 17) as f64 - 9.0
            }
        },
        &|_, _| f64::NEG_INFINITY,
        &|i, n| if i == n - n / 5 { f64::NAN } else { 1.0 },
    ];
    styles.iter().try_for_each(|style| {
        let values = |shape: &[usize]| {
            let n = shape.iter().product();
            made_of(dtype, shape, |i| sign * style(i, n))
        };
        over_even(gpu, &values, &|pair, over| same(kind, pair, over))
    })
}

/// Variances that are small beside the mean, and of rows that begin far from all the rest.
fn over_far(gpu: &Gpu, dtype: DType) -> Result<()> {
    let styles: [&dyn Fn(usize) -> f64; 2] = [&|i| 1000.0 + ((i * 7919) % 61) as f64, &|i| {
        if i.is_multiple_of(2048) {
            30_000.0
        } else {
            ((i * 7919) % 61) as f64 / 64.0
        }
    }];
    styles.iter().try_for_each(|style| {
        let values = |shape: &[usize]| made_of(dtype, shape, style);
        over_even(gpu, &values, &same_variance)
    })
}

/// Sums of squares are all of one sign: a few roundings of the type of the result.
fn same_variance(pair: &Pair, over: &Over) -> Result<()> {
    let of = |x: &Tensor| reduce::var(x, over, 1.0);
    let half = pair.cpu.dtype().is_half();
    let shape = pair.cpu.shape();
    compare(
        &of(&pair.gpu)?,
        &of(&pair.cpu)?,
        Exactness::Ulps(if half { 1.0 } else { 16.0 }),
    )
    .map_err(|e| e.context(format!("{shape:?} {over:?}")))
}

fn same(kind: Fold, pair: &Pair, over: &Over) -> Result<()> {
    let (got, want) = (fold(kind, &pair.gpu, over), fold(kind, &pair.cpu, over));
    let (got, want) = match (got, want) {
        (Ok(got), Ok(want)) => (got, want),
        (Err(got), Err(want)) => {
            let named = got.to_string().contains(kind.name());
            ensure!(named, "{got} instead of {want}");
            return Ok(());
        }
        (got, want) => {
            let tell = |r: syntonic_core::Result<Tensor>| {
                r.map_or_else(|e| e.to_string(), |_| "a result".into())
            };
            anyhow::bail!("{over:?}: {} instead of {}", tell(got), tell(want));
        }
    };
    let shape = pair.cpu.shape();
    compare(&got, &want, exactness(kind, pair)?)
        .map_err(|e| e.context(format!("{shape:?} {over:?}")))
}

/// Sums and products of floats are rounded differently: by a few units of the sum of magnitudes in the type
/// itself, or of the product.
fn exactness(kind: Fold, pair: &Pair) -> Result<Exactness> {
    let dtype = pair.cpu.dtype();
    Ok(match kind {
        Fold::Sum if dtype.is_inexact() => {
            let magnitudes = pair.cpu.to_vec::<Complex<f64>>()?;
            let scale = magnitudes.iter().map(|z| z.norm()).sum::<f64>();
            let unit = match dtype.real() {
                DType::F16 => 2f64.powi(-11),
                DType::BF16 => 2f64.powi(-8),
                DType::F32 => 2f64.powi(-24),
                _ => 2f64.powi(-53),
            };
            // Short runs are five roundings on both sides, the result one.
            Exactness::Within {
                relative: 11.0 * unit,
                scale,
            }
        }
        Fold::Prod if dtype.is_inexact() => {
            let steps = pair.cpu.numel() as f64;
            let double = matches!(dtype.real(), DType::F64);
            Exactness::Ulps(if double { 8.0 + 4.0 * steps } else { 2.0 })
        }
        // Which of two zeros is the larger is not said.
        Fold::Min | Fold::Max => Exactness::Ulps(0.0),
        _ => Exactness::Same,
    })
}

/// More positions than 32 bits count: rows repeated without memory of their own.
fn past_32_bits(gpu: &Gpu) -> Result<()> {
    let (rows, n) = (65_537, 32_771);
    let row: Vec<u8> = (0..n).map(|i| (i % 251) as u8).collect();
    let total: u64 = row.iter().map(|&v| u64::from(v)).sum();
    let x = gpu.take(&Tensor::from_vec(row, &[1, n])?)?;
    let x = x.broadcast_to(&[rows, n])?;
    let all = fold(Fold::Sum, &x, &Over::all())?;
    let want = Tensor::from_slice(&[total * rows as u64], &[])?;
    compare(&all, &want, Exactness::Same)?;
    let each = fold(Fold::Sum, &x, &Over::axes(&[1]))?;
    let want = Tensor::from_vec(vec![total; rows], &[rows])?;
    compare(&each, &want, Exactness::Same)
}
