//! 8-bit floats: every code widened, every `float16` rounded, moves, and scaled products.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare, compare_each};
use anyhow::{Context, Result, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::half::f16;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::gather::take;
use syntonic_core::ops::linalg::{matmul, scaled_matmul};
use syntonic_core::{DType, Element, F8E4M3, F8E5M2, Tensor};

const WIDE: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];
const RESULTS: [DType; 3] = [DType::F32, DType::F16, DType::BF16];
const PAIRS: [(DType, DType); 3] = [
    (DType::F8E4M3, DType::F8E4M3),
    (DType::F8E4M3, DType::F8E5M2),
    (DType::F8E5M2, DType::F8E4M3),
];
/// Lengths that tensor cores take, lengths that go through `float16`, and no inner length.
const SIZES: [(usize, usize, usize); 8] = [
    (16, 32, 16),
    (1, 64, 48),
    (130, 128, 160),
    (128, 512, 256),
    (17, 33, 5),
    (1, 7, 1),
    (40, 48, 33),
    (3, 0, 16),
];
/// How often codes are repeated where one pass over them would be too short for a kernel of its own.
const REPEATED: usize = 1 << 12;

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in DType::STORED {
        let check = |case: &str, look: fn(&Gpu, DType) -> Result<()>| {
            Check::new(format!("float8/{case}/of {dtype}"), move |gpu| {
                look(gpu, dtype)
            })
        };
        all.extend([
            check("up", up),
            check("down", down),
            check("often", often),
            check("moves", moves),
        ]);
    }
    all.extend(PAIRS.map(|(a, b)| {
        Check::new(format!("float8/scaled_matmul/{a} by {b}"), move |gpu| {
            for out in RESULTS {
                for second in [Second::Columns, Second::Rows] {
                    for size in SIZES {
                        let product = || {
                            whole(gpu, (a, b), out, second, size)?;
                            rounded(gpu, (a, b), out, second, size)
                        };
                        product().with_context(|| format!("{size:?} {second:?} {out}"))?;
                    }
                }
            }
            Ok(())
        })
    }));
    all
}

/// How the second factor lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Second {
    /// As the transpose of a row-major matrix: no copy is made.
    Columns,
    Rows,
}

fn codes(dtype: DType, codes: Vec<u8>, shape: &[usize]) -> Result<Tensor> {
    Ok(match dtype {
        DType::F8E4M3 => Tensor::from_vec(codes.into_iter().map(F8E4M3).collect(), shape)?,
        _ => Tensor::from_vec(codes.into_iter().map(F8E5M2).collect(), shape)?,
    })
}

fn every(dtype: DType) -> Result<Tensor> {
    codes(dtype, (0..=u8::MAX).collect(), &[256])
}

/// The codes themselves are compared: no NaN equals another one, and no zero another one.
fn same_codes(gpu: &Gpu, got: &Tensor, want: &Tensor) -> Result<()> {
    fn bytes<T: Element>(x: &Tensor, code: fn(&T) -> u8) -> Result<Vec<u8>> {
        Ok(x.host_slice::<T>()?.iter().map(code).collect())
    }
    let of = |x: &Tensor| match x.dtype() {
        DType::F8E4M3 => bytes::<F8E4M3>(x, |c| c.0),
        _ => bytes::<F8E5M2>(x, |c| c.0),
    };
    ensure!(got.dtype() == want.dtype(), "{} codes", got.dtype());
    let (got, want) = (of(&gpu.fetch(got)?)?, of(want)?);
    ensure!(got.len() == want.len(), "{} codes", got.len());
    let wrong = (0..got.len()).find(|&i| got[i] != want[i]);
    ensure!(
        wrong.is_none(),
        "at {wrong:?}: {:?} instead of {:?}",
        wrong.map(|i| got[i]),
        wrong.map(|i| want[i])
    );
    Ok(())
}

/// Every code as every wider float.
fn up(gpu: &Gpu, dtype: DType) -> Result<()> {
    let x = every(dtype)?;
    WIDE.into_iter().try_for_each(|wide| {
        compare(&gpu.take(&x)?.cast(wide)?, &x.cast(wide)?, Exactness::Same)
            .with_context(|| format!("as {wide}"))
    })
}

/// Every `float16`, and the wider floats where rounding is decided.
fn down(gpu: &Gpu, dtype: DType) -> Result<()> {
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let edges = edges(dtype)?;
    for x in [
        Tensor::from_slice(&halves, &[halves.len()])?,
        edges.cast(DType::F32)?,
        edges,
    ] {
        let there = gpu.take(&x)?;
        same_codes(gpu, &there.cast(dtype)?, &x.cast(dtype)?)
            .with_context(|| format!("from {}", x.dtype()))?;
        let turned = |t: &Tensor| t.reshape(&[-1, 2])?.transpose(0, 1)?.cast(dtype);
        same_codes(gpu, &turned(&there)?, &turned(&x)?)
            .with_context(|| format!("from strided {}", x.dtype()))?;
    }
    Ok(())
}

/// Halfway between neighbouring codes, next to it on both sides, and beyond all of them.
fn edges(dtype: DType) -> Result<Tensor> {
    let values = every(dtype)?.to_vec::<f64>()?;
    let mut all = vec![1e300, -1e300, f64::INFINITY, f64::NAN, -0.0, 1e-300];
    for pair in values.windows(2) {
        let tie = (pair[0] + pair[1]) / 2.0;
        all.extend([tie.next_down(), tie, tie.next_up(), tie * 1.001]);
        let single = tie as f32;
        all.extend([single.next_down().into(), f64::from(single.next_up())]);
    }
    let even = all.len() / 2 * 2;
    Ok(Tensor::from_slice(&all[..even], &[even])?)
}

/// Often enough over enough elements that the casts get kernels made for them.
fn often(gpu: &Gpu, dtype: DType) -> Result<()> {
    let x = every(dtype)?.broadcast_to(&[REPEATED, 256])?.copy()?;
    let want = x.cast(DType::F32)?.cast(dtype)?;
    let there = gpu.take(&x)?;
    (0..8).try_for_each(|_| same_codes(gpu, &there.cast(DType::F32)?.cast(dtype)?, &want))
}

fn moves(gpu: &Gpu, dtype: DType) -> Result<()> {
    let x = every(dtype)?.reshape(&[16, 16])?;
    let there = gpu.take(&x)?;
    same_codes(
        gpu,
        &there.transpose(0, 1)?.copy()?,
        &x.transpose(0, 1)?.copy()?,
    )?;
    let at = Tensor::from_slice(&[3i64, 0, 15], &[3])?;
    let want = take(&x, &at, Some(1))?;
    same_codes(gpu, &take(&there, &gpu.take(&at)?, Some(1))?, &want)?;
    let mut filled = gpu.take(&Tensor::zeros(&[300], dtype)?)?;
    filled.assign(&gpu.take(&Tensor::scalar(-1.5, DType::F32)?)?)?;
    same_codes(gpu, &filled, &Tensor::full(&[300], -1.5, dtype)?)
}

fn factors(
    pair: (DType, DType),
    (m, k, n): (usize, usize, usize),
    second: Second,
    value: impl Fn(usize) -> f64,
) -> Result<(Tensor, Tensor)> {
    let make = |rows: usize, cols: usize, seed: usize| {
        let values: Vec<f64> = (0..rows * cols)
            .map(|i| value(i * 7919 + seed * 104_729))
            .collect();
        Tensor::from_vec(values, &[rows, cols])
    };
    let a = make(m, k, 1)?.cast(pair.0)?;
    let b = match second {
        Second::Columns => make(n, k, 2)?.cast(pair.1)?,
        Second::Rows => make(k, n, 2)?.cast(pair.1)?,
    };
    Ok((a, b))
}

fn as_second(b: &Tensor, second: Second) -> Result<Tensor> {
    Ok(match second {
        Second::Columns => b.transpose(0, 1)?,
        Second::Rows => b.clone(),
    })
}

const SCALES: (f32, f32) = (0.25, 2.0);

/// Small whole numbers, whose sums have fewer bits than any tensor core keeps: the CPU's bits.
fn whole(
    gpu: &Gpu,
    pair: (DType, DType),
    out: DType,
    second: Second,
    size: (usize, usize, usize),
) -> Result<()> {
    let (a, b) = factors(pair, size, second, |i| (i % 2039 % 7) as f64 - 3.0)?;
    let (x, y) = (gpu.take(&a)?, as_second(&gpu.take(&b)?, second)?);
    let want = scaled_matmul(&a, &as_second(&b, second)?, SCALES.0, SCALES.1, out)?;
    let got = scaled_matmul(&x, &y, SCALES.0, SCALES.1, out)?;
    compare(&got, &want, Exactness::Same)
}

/// Numbers of many exponents, beside the product in `float64`. A step of a tensor core adds 32 products to a sum and keeps at
/// least 13 bits below the largest of them, none of which is above the sum of all magnitudes: 33 such losses a step.
fn rounded(
    gpu: &Gpu,
    pair: (DType, DType),
    out: DType,
    second: Second,
    size: (usize, usize, usize),
) -> Result<()> {
    let (a, b) = factors(pair, size, second, |i| {
        ((i % 2039) as f64 * 0.37).sin() * ((i % 9) as f64 - 5.0).exp2()
    })?;
    let (x, y) = (gpu.take(&a)?, as_second(&gpu.take(&b)?, second)?);
    let got = scaled_matmul(&x, &y, SCALES.0, SCALES.1, out)?;
    ensure!(got.dtype() == out, "{} instead of {out}", got.dtype());
    let alpha = f64::from(SCALES.0 * SCALES.1);
    let wide = |t: &Tensor| t.cast(DType::F64);
    let (p, q) = (wide(&a)?, wide(&as_second(&b, second)?)?);
    let exact = apply(Prim::Mul, &[(&matmul(&p, &q)?).into(), alpha.into()])?;
    let size_of = |t: &Tensor| apply(Prim::Abs, &[t.into()]);
    let sizes = matmul(&size_of(&p)?, &size_of(&q)?)?.to_vec::<f64>()?;
    let steps = size.1.div_ceil(32) as f64;
    let lost = steps * 33.0 * 2f64.powi(-13);
    let unit = match out {
        DType::F16 => 2f64.powi(-11),
        DType::BF16 => 2f64.powi(-8),
        _ => 2f64.powi(-24),
    };
    // The last term is half the distance of subnormal float16.
    let bounds: Vec<f64> = sizes
        .iter()
        .map(|size| alpha * size * (lost + unit) + 2f64.powi(-25))
        .collect();
    compare_each(&got.cast(DType::F64)?, &exact, &bounds)
}
