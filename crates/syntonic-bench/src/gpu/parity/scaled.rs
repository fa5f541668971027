//! Products of 8-bit numbers with a scale for each row and column.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Context, Result};
use syntonic_core::ops::linalg::{Scale, scaled_matmul};
use syntonic_core::{DType, Tensor};
use syntonic_cuda::{Ends, end_products};

const RESULTS: [DType; 3] = [DType::F32, DType::F16, DType::BF16];
/// Whole tiles, ragged ones, none along K, lengths that no copy engine walks.
const SIZES: [(usize, usize, usize); 7] = [
    (128, 128, 256),
    (300, 400, 272),
    (16, 32, 16),
    (1, 64, 48),
    (17, 33, 5),
    (130, 4100, 130),
    (3, 0, 16),
];
/// Lengths that tensor cores take of 8-bit floats.
const EVEN: [(usize, usize, usize); 3] = [(16, 32, 16), (130, 128, 160), (128, 512, 256)];

/// All checks of scaled products.
pub(super) fn checks() -> Vec<Check> {
    let ways = [("turns", Ends::ByTurns), ("together", Ends::Together)];
    let mut all: Vec<Check> = ways
        .into_iter()
        .map(|(name, ends)| {
            Check::new(format!("scaled/{name}/int8"), move |gpu| {
                end_products(ends);
                let held = each(gpu, (DType::I8, DType::I8), &SIZES);
                end_products(Ends::AsItPays);
                held
            })
        })
        .collect();
    let pairs = [
        (DType::F8E4M3, DType::F8E4M3),
        (DType::F8E4M3, DType::F8E5M2),
        (DType::F8E5M2, DType::F8E4M3),
    ];
    for (a, b) in pairs {
        all.push(Check::new(format!("scaled/{b}/{a}"), move |gpu| {
            each(gpu, (a, b), &EVEN)?;
            each(gpu, (a, b), &SIZES[3..5])
        }));
    }
    all
}

/// What is given for scales.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scales {
    Both,
    Rows,
    Columns,
    /// Tensors of no axis.
    Whole,
    /// Every other number of a longer tensor.
    Strided,
    Numbers,
}

fn each(gpu: &Gpu, pair: (DType, DType), sizes: &[(usize, usize, usize)]) -> Result<()> {
    use Scales::{Both, Columns, Numbers, Rows, Strided, Whole};
    for &size in sizes {
        for (at, scales) in [Both, Rows, Columns, Whole, Strided, Numbers]
            .into_iter()
            .enumerate()
        {
            let (out, turned) = (RESULTS[at % RESULTS.len()], at % 2 == 0);
            one(gpu, pair, size, scales, out, turned)
                .with_context(|| format!("{size:?} {scales:?} {out} turned: {turned}"))?;
        }
    }
    Ok(())
}

/// Small whole numbers and powers of two, so that all is exact until the result is rounded: the CPU's bits. Of `int8` all numbers are taken: their
/// sums are exact, and each product with a scale is rounded as on the CPU.
fn one(
    gpu: &Gpu,
    (first, second): (DType, DType),
    (m, k, n): (usize, usize, usize),
    scales: Scales,
    out: DType,
    turned: bool,
) -> Result<()> {
    let whole = first == DType::I8;
    let reach = if whole { 256 } else { 7 };
    let make = |dtype: DType, rows: usize, cols: usize, seed: usize| -> Result<Tensor> {
        let value =
            |i: usize| ((i * 7919 + seed * 104_729) % 2039 % reach) as f64 - (reach / 2) as f64;
        let values: Vec<f64> = (0..rows * cols).map(value).collect();
        Ok(Tensor::from_vec(values, &[rows, cols])?
            .cast(dtype)?
            .eval()?)
    };
    let scale = |len: usize, seed: usize| -> Result<Tensor> {
        let value = |i: usize| match whole {
            true => 0.01 + ((i * 31 + seed) % 97) as f32 / 61.0,
            false => f32::powi(2.0, ((i + seed) % 5) as i32 - 2),
        };
        Ok(Tensor::from_vec(
            (0..len).map(value).collect::<Vec<f32>>(),
            &[len],
        )?)
    };
    let (a, b) = (
        make(first, m, k, 1)?,
        if turned {
            make(second, n, k, 2)?
        } else {
            make(second, k, n, 2)?
        },
    );
    let columns = |b: &Tensor| {
        if turned {
            b.transpose(0, 1)
        } else {
            Ok(b.clone())
        }
    };
    let (rows, cols) = match scales {
        Scales::Strided => (scale(2 * m, 3)?, scale(2 * n, 4)?),
        Scales::Whole => (scale(1, 3)?.reshape(&[])?, scale(1, 4)?.reshape(&[])?),
        _ => (scale(m, 3)?, scale(n, 4)?),
    };
    let product = |a: &Tensor, b: &Tensor, rows: &Tensor, cols: &Tensor| -> Result<Tensor> {
        let b = columns(b)?;
        let number = Scale::from(0.5);
        let of = |t: &Tensor| t.slice(0, None, None, 2);
        Ok(match scales {
            Scales::Both => scaled_matmul(
                a,
                &b,
                &rows.expand_dims(&[1])?,
                &cols.expand_dims(&[0])?,
                out,
            )?,
            Scales::Whole => scaled_matmul(a, &b, rows, cols, out)?,
            Scales::Rows => scaled_matmul(a, &b, rows, number, out)?,
            Scales::Columns => scaled_matmul(a, &b, number, cols, out)?,
            Scales::Strided => scaled_matmul(a, &b, &of(rows)?, &of(cols)?, out)?,
            Scales::Numbers => scaled_matmul(a, &b, 0.5, 4.0, out)?,
        })
    };
    let want = product(&a, &b, &rows, &cols)?;
    let there = [&a, &b, &rows, &cols].map(|t| gpu.take(t));
    let [a, b, rows, cols] = there;
    let got = product(&a?, &b?, &rows?, &cols?)?;
    compare(&got, &want, Exactness::Same)
}
