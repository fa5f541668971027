//! Running sums and products.

use super::Check;
use super::moves::same;
use crate::gpu::{Exactness, Gpu, Layout, Pair, compare, compare_each, sample};
use anyhow::Result;
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::scan::{Initial, cumulative_prod, cumulative_sum};
use syntonic_core::{DType, Tensor};

pub(super) fn checks() -> Vec<Check> {
    let mut checks = Vec::new();
    for dtype in DType::ALL.into_iter().filter(|d| !d.is_bool()) {
        for layout in Layout::ALL {
            checks.push(Check::new(
                format!("scan/any_axis/{dtype}/{layout:?}"),
                move |gpu| any_axis(gpu, dtype, layout),
            ));
        }
        checks.push(Check::new(format!("scan/lengths/{dtype}"), move |gpu| {
            lengths(gpu, dtype)
        }));
        checks.push(Check::new(format!("scan/many/{dtype}"), move |gpu| {
            many(gpu, dtype)
        }));
    }
    checks.push(Check::new("scan/rounding/float64", rounding));
    for dtype in [DType::F16, DType::BF16] {
        checks.push(Check::new(format!("scan/rounding/{dtype}"), move |gpu| {
            halves(gpu, dtype)
        }));
    }
    checks.push(Check::new("scan/repeats_itself", repeats_itself));
    checks
}

/// Lines of this length are cut into chunks on the CPU.
const LONG: usize = 60_000;

/// Sums are the same bit for bit; in products of complex numbers the sign of a zero depends on the order.
fn exactness(product: bool) -> Exactness {
    if product {
        Exactness::Ulps(0.0)
    } else {
        Exactness::Same
    }
}

/// Numbers whose running sums (or products) need no rounding before the result's, so that no order of
/// joining them shows.
fn exact(dtype: DType, shape: &[usize], product: bool) -> Result<Tensor> {
    let n: usize = shape.iter().product();
    let turn = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    let value = |i: usize| {
        let k = (i * 2_654_435_761) >> 7;
        if product {
            // Sizes 2, 1/2, 1, 1 in turn, so that no run of them grows. The total of a long line's chunk may be
            // joined in another order, in which they would.
            let size = if n < LONG {
                [2.0, 0.5, 1.0, 1.0][i % 4]
            } else {
                1.0
            };
            let way = turn[k % 4];
            Complex::new(way.0 * size, way.1 * size)
        } else {
            Complex::new((k % 61) as f64 / 4.0 - 7.0, (k % 53) as f64 / 8.0 - 3.0)
        }
    };
    let x = Tensor::from_vec((0..n).map(value).collect(), shape)?;
    let real = dtype.is_complex();
    let x = if real { x } else { whole(&x, product)? };
    Ok(x.cast(dtype)?.eval()?)
}

/// The real part; for products the sum of both parts, of which one is zero.
fn whole(x: &Tensor, product: bool) -> Result<Tensor> {
    let (re, im) = (x.real()?.to_vec::<f64>()?, x.imag()?.to_vec::<f64>()?);
    let both = |(re, im): (&f64, &f64)| if product { re + im } else { *re };
    Ok(Tensor::from_vec(
        re.iter().zip(&im).map(both).collect::<Vec<f64>>(),
        x.shape(),
    )?)
}

fn both(x: &Tensor, axis: isize, initial: Initial) -> syntonic_core::Result<[Tensor; 2]> {
    let dtype = Some(x.dtype());
    Ok([
        cumulative_sum(x, Some(axis), dtype, initial)?,
        cumulative_prod(x, Some(axis), dtype, initial)?,
    ])
}

fn any_axis(gpu: &Gpu, dtype: DType, layout: Layout) -> Result<()> {
    for product in [false, true] {
        let pair = Pair::of(gpu, layout, &|shape| exact(dtype, shape, product))?;
        for axis in 0..pair.cpu.ndim() as isize {
            for initial in [Initial::Leave, Initial::Include] {
                let of =
                    |x: &Tensor| Ok(vec![both(x, axis, initial)?[usize::from(product)].clone()]);
                same(of(&pair.gpu), of(&pair.cpu), exactness(product))?;
            }
        }
    }
    Ok(())
}

/// Around every length at which another kernel begins, as lines and as columns.
fn lengths(gpu: &Gpu, dtype: DType) -> Result<()> {
    let lengths = [1, 8, 9, 33, 65, 2047, 2049, 4096, 4097, 8193, 1_100_000];
    for n in lengths {
        let lines = if n > 100_000 { 1 } else { 3 };
        for product in [false, true] {
            let x = exact(dtype, &[lines, n], product)?;
            let there = gpu.take(&x)?;
            let of = |x: &Tensor| -> Result<Tensor> {
                Ok(both(x, 1, Initial::Include)?[usize::from(product)].clone())
            };
            compare(&of(&there)?, &of(&x)?, exactness(product))?;
            let tall = x.transpose(0, 1)?.copy()?;
            let there = gpu.take(&tall)?;
            let of = |x: &Tensor| -> Result<Tensor> {
                Ok(both(x, 0, Initial::Leave)?[usize::from(product)].clone())
            };
            compare(&of(&there)?, &of(&tall)?, exactness(product))?;
        }
    }
    Ok(())
}

/// So many long lines that a warp takes each, or a block a strip of them side by side.
fn many(gpu: &Gpu, dtype: DType) -> Result<()> {
    for (shape, axis) in [
        ([2049, 2051], 1),
        ([2050, 2056], 1),
        ([513, 4097], 0),
        ([600, 4100], 0),
    ] {
        for product in [false, true] {
            let x = exact(dtype, &shape, product)?;
            let there = gpu.take(&x)?;
            for initial in [Initial::Leave, Initial::Include] {
                let of =
                    |x: &Tensor| Ok(vec![both(x, axis, initial)?[usize::from(product)].clone()]);
                same(of(&there), of(&x), exactness(product))?;
            }
            let turned = |x: &Tensor| x.transpose(0, 1)?.flip(&[0, 1]);
            let of = |x: &Tensor| {
                let initial = Initial::Leave;
                Ok(vec![
                    both(&turned(x)?, axis, initial)?[usize::from(product)].clone(),
                ])
            };
            same(of(&there), of(&x), exactness(product))?;
        }
    }
    Ok(())
}

/// Sums that round: each within `n` roundings of the sum of magnitudes.
fn rounding(gpu: &Gpu) -> Result<()> {
    let n = 300_001;
    let x = sample(DType::I32, &[n], 4)?.cast(DType::F64)?.eval()?;
    let of = |x: &Tensor| cumulative_sum(x, None, None, Initial::Leave);
    let size: f64 = x.to_vec::<f64>()?.iter().map(|v| v.abs()).sum();
    let exactness = Exactness::Within {
        relative: n as f64 * f64::EPSILON,
        scale: size,
    };
    compare(&of(&gpu.take(&x)?)?, &of(&x)?, exactness)
}

/// Half types that lie even err by 2^-20 of the sum of magnitudes beside the result's own rounding, on each side.
fn halves(gpu: &Gpu, dtype: DType) -> Result<()> {
    // Of both signs and of sizes up to 2^11 apart.
    let value = |i: usize| {
        let k = (i * 2_654_435_761) >> 7;
        ((k % 4001) as f64 - 2000.0) / 1024.0
    };
    let shape = [2048, 4104];
    let x = Tensor::from_vec((0..shape[0] * shape[1]).map(value).collect(), &shape)?;
    let x = x.cast(dtype)?.eval()?;
    let there = gpu.take(&x)?;
    for axis in [0, 1] {
        let sums = |x: &Tensor| cumulative_sum(x, Some(axis), Some(x.dtype()), Initial::Leave);
        let wide = x.cast(DType::F64)?.eval()?;
        let magnitudes = sums(&apply(Prim::Abs, &[Arg::Tensor(&wide)])?)?.to_vec::<f64>()?;
        let want = sums(&x)?;
        let unit = if dtype == DType::F16 { 11 } else { 8 };
        let bounds: Vec<f64> = want
            .cast(DType::F64)?
            .to_vec::<f64>()?
            .iter()
            .zip(&magnitudes)
            .map(|(y, size)| y.abs() * 2f64.powi(1 - unit) + size * 2f64.powi(-20))
            .collect();
        compare_each(&gpu.fetch(&sums(&there)?)?, &want, &bounds)?;
    }
    Ok(())
}

/// The same bits every time, whatever order blocks run in.
fn repeats_itself(gpu: &Gpu) -> Result<()> {
    let x = sample(DType::I64, &[3_000_000], 4)?
        .cast(DType::F64)?
        .eval()?;
    let x = gpu.take(&x)?;
    let of = || cumulative_sum(&x, None, None, Initial::Leave);
    let first = gpu.fetch(&of()?)?;
    (0..5).try_for_each(|_| compare(&of()?, &first, Exactness::Same))
}
