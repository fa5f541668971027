//! More than 2^31 elements. The operands are draws of a generator, of which the CPU makes any part, or nearly all zeros.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Result, ensure};
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::create::arange;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::gather::{nonzero, take};
use syntonic_core::ops::index::{self, IndexItem};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::ops::scan::{Initial, cumulative_sum};
use syntonic_core::ops::{create, random};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Error, Scalar, Tensor, cpu};

/// No power of two divides it, nor do the tiles of any kernel.
const N: usize = (1 << 31) + 4099;
/// Elements that are compared at a time.
const SAMPLE: usize = 1000;

type Look = fn(&Gpu) -> Result<()>;

pub(super) fn checks() -> Vec<Check> {
    let looks: [(&str, Look); 7] = [
        ("map", map),
        ("fold", fold),
        ("copy", copy),
        ("transpose", transpose),
        ("gather", gather),
        ("rows_far_apart", rows_far_apart),
        ("cumsum", cumsum),
    ];
    let check = |(name, look): (&str, Look)| {
        Check::new(format!("large/{name}"), move |gpu| {
            let outcome = look(gpu);
            gpu.device.trim();
            outcome
        })
    };
    looks.into_iter().map(check).collect()
}

/// `n` numbers of a stream, from the one at `first` on.
fn drawn(first: usize, n: usize, device: &Arc<dyn Device>) -> Result<Tensor> {
    let mut generator = Generator {
        seed: 5,
        offset: first as u64,
    };
    Ok(random::uniform(
        &[n],
        -1.0,
        1.0,
        DType::F32,
        &mut generator,
        device,
    )?)
}

/// Where samples begin: the ends, and both sides of 2^31.
fn places() -> [usize; 4] {
    [0, (1 << 31) - SAMPLE, 1 << 31, N - SAMPLE]
}

fn cut(x: &Tensor, first: usize, n: usize) -> Result<Tensor> {
    Ok(x.slice(0, Some(first as isize), Some((first + n) as isize), 1)?)
}

fn map(gpu: &Gpu) -> Result<()> {
    let x = drawn(0, N, &gpu.device)?;
    let work = |x: &Tensor| -> Result<Tensor> {
        let squared = apply(Prim::Mul, &[Arg::Tensor(x), Arg::Tensor(x)])?;
        Ok(apply(
            Prim::Sub,
            &[Arg::Tensor(&squared), Scalar::Float(0.25).into()],
        )?
        .eval()?)
    };
    let y = work(&x)?;
    places().into_iter().try_for_each(|at| {
        let want = work(&drawn(at, SAMPLE, &cpu())?)?;
        compare(&cut(&y, at, SAMPLE)?.copy()?, &want, Exactness::Same)
    })
}

/// Zeros, but for a few places.
fn sparse(gpu: &Gpu, at: &[usize]) -> Result<Tensor> {
    let mut x = create::zeros(&[N], DType::U8, &gpu.device)?;
    for &place in at {
        index::set(
            &mut x,
            &[IndexItem::Int(place as i64)],
            &gpu.take(&Tensor::from_vec(vec![7u8], &[])?)?,
        )?;
    }
    Ok(x)
}

fn fold(gpu: &Gpu) -> Result<()> {
    let at = [5, (1 << 31) + 1, N - 2];
    let x = sparse(gpu, &at)?;
    let number = |x: Tensor| -> Result<i128> { Ok(gpu.fetch(&x.eval()?)?.item()?.to_i128()) };
    let sum = number(reduce::sum(&x, &Over::all(), None)?)?;
    let largest = number(reduce::argmax(&cut(&x, 6, N - 6)?, &Over::all())?)?;
    ensure!(sum == 21, "the sum is {sum}");
    ensure!(largest == (1 << 31) + 1 - 6, "the largest is at {largest}");
    let found = nonzero(&x)?;
    let want: Vec<i64> = at.iter().map(|&i| i as i64).collect();
    compare(&found[0], &Tensor::from_vec(want, &[3])?, Exactness::Same)
}

/// Backwards, and every other element.
fn copy(gpu: &Gpu) -> Result<()> {
    let x = drawn(0, N, &gpu.device)?;
    let y = x.flip(&[0])?.copy()?;
    for at in places() {
        let want = drawn(N - at - SAMPLE, SAMPLE, &cpu())?.flip(&[0])?.copy()?;
        compare(&cut(&y, at, SAMPLE)?.copy()?, &want, Exactness::Same)?;
    }
    drop(y);
    let y = x.slice(0, None, None, 2)?.copy()?;
    let first = y.shape()[0] - SAMPLE;
    let want = drawn(2 * first, 2 * SAMPLE - 1, &cpu())?
        .slice(0, None, None, 2)?
        .copy()?;
    compare(&cut(&y, first, SAMPLE)?.copy()?, &want, Exactness::Same)
}

fn transpose(gpu: &Gpu) -> Result<()> {
    let (rows, columns) = ((1 << 20) + 3, (1 << 11) + 5);
    let x = drawn(0, rows * columns, &gpu.device)?.reshape(&[-1, columns as isize])?;
    let y = x.transpose(0, 1)?.copy()?;
    for row in [0, rows / 2, rows - 1] {
        let want = drawn(row * columns, columns, &cpu())?;
        let got = y
            .slice(1, Some(row as isize), Some(row as isize + 1), 1)?
            .copy()?;
        compare(&got.reshape(&[-1])?, &want, Exactness::Same)?;
    }
    Ok(())
}

/// Whole rows, so that the result has more than 2^31 elements, and single elements from far away.
fn gather(gpu: &Gpu) -> Result<()> {
    let (rows, columns) = ((1 << 20) + 3, (1 << 11) + 5);
    let x = drawn(0, rows * columns, &gpu.device)?;
    let last = (rows - 1) as f64;
    let numbers = [last, -1.0, -1.0].map(Scalar::Float);
    let order = arange(
        numbers[0],
        numbers[1],
        numbers[2],
        Some(DType::I64),
        &gpu.device,
    )?;
    let y = take(&x.reshape(&[-1, columns as isize])?, &order, Some(0))?;
    for row in [0, rows / 3, rows - 1] {
        let want = drawn((rows - 1 - row) * columns, columns, &cpu())?;
        let got = y
            .slice(0, Some(row as isize), Some(row as isize + 1), 1)?
            .copy()?;
        compare(&got.reshape(&[-1])?, &want, Exactness::Same)?;
    }
    let far: Vec<i64> = (0..SAMPLE as i64).map(|i| (N as i64 - 1) - 2 * i).collect();
    let got = take(
        &cut(&x, 0, N)?,
        &gpu.take(&Tensor::from_vec(far, &[SAMPLE])?)?,
        Some(0),
    )?;
    let want = drawn(N - 2 * SAMPLE + 1, 2 * SAMPLE - 1, &cpu())?.slice(0, None, None, 2)?;
    compare(&got, &want.flip(&[0])?.copy()?, Exactness::Same)
}

/// A few elements of rows that lie further apart than 2^31 elements reach: written through positions, and read back, in
/// every size of an element that there is memory for.
fn rows_far_apart(gpu: &Gpu) -> Result<()> {
    const ROWS: usize = 3;
    const APART: usize = (1 << 30) + 1000;
    for dtype in [DType::U8, DType::BF16, DType::F32, DType::F64, DType::C128] {
        let mut x = match create::zeros(&[ROWS, APART], dtype, &gpu.device) {
            Ok(x) => x,
            // A smaller card has no room for 48 GB; the sizes before tell the same of it.
            Err(Error::OutOfMemory { .. }) if dtype == DType::C128 => break,
            Err(problem) => return Err(problem.into()),
        };
        let places = (0..SAMPLE).map(|k| (k * (APART / SAMPLE)) as i64);
        let places = gpu.take(&Tensor::from_vec(places.collect(), &[SAMPLE])?)?;
        let values = (0..ROWS * SAMPLE).map(|k| (k % 251) as f64).collect();
        let values = Tensor::from_vec(values, &[ROWS, SAMPLE])?
            .cast(dtype)?
            .eval()?;
        let items = [IndexItem::ALL, IndexItem::Array(places.clone())];
        index::set(&mut x, &items, &gpu.take(&values)?)?;
        compare(&take(&x, &places, Some(1))?, &values, Exactness::Same)?;
        drop(x);
        gpu.device.trim();
    }
    Ok(())
}

fn cumsum(gpu: &Gpu) -> Result<()> {
    let at = [5, (1 << 31) + 1, N - 2];
    let y = cumulative_sum(&sparse(gpu, &at)?, Some(0), Some(DType::U8), Initial::Leave)?.eval()?;
    for (first, want) in [
        (0, 0),
        (5, 7),
        (1 << 31, 7),
        ((1 << 31) + 1, 14),
        (N - 3, 14),
        (N - 2, 21),
        (N - 1, 21),
    ] {
        let got = gpu.fetch(&cut(&y, first, 1)?.copy()?)?.item()?.to_i128();
        ensure!(got == want, "{got} instead of {want} at {first}");
    }
    Ok(())
}
