//! Sorting: every dtype and layout, lines of every length that has its own way.

use super::Check;
use crate::gpu::{Exactness, Gpu, Layout, Pair, compare, sample};
use anyhow::{Result, ensure};
use syntonic_core::ops::order::{Direction, Extreme, Ranked, argsort, sort, topk};
use syntonic_core::{DType, Tensor};

const DIRECTIONS: [Direction; 2] = [Direction::Ascending, Direction::Descending];

/// Shapes and axes: lines for networks, for a block with few and with many elements, and longer ones; in
/// one piece and across rows.
const SHAPES: [(&[usize], isize); 12] = [
    (&[5, 1], 1),
    (&[300, 512], 1),
    (&[513, 70], 0),
    (&[3, 2048], 1),
    (&[3, 2049], 1),
    (&[2, 3, 4224], 2),
    (&[2, 4225, 3], 1),
    (&[2, 7681], 1),
    (&[9000, 2], 0),
    (&[70_001], 0),
    (&[3, 100_000], 1),
    (&[1_000_003], 0),
];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in DType::ALL {
        all.extend(Layout::ALL.map(|layout| {
            Check::new(format!("order/axes/{dtype}/{layout:?}"), move |gpu| {
                every_axis(&Pair::new(gpu, dtype, layout, 5)?)
            })
        }));
        all.extend(SHAPES.map(|(shape, axis)| {
            Check::new(format!("order/lengths/{dtype}/{shape:?}"), move |gpu| {
                let pair = of_shape(gpu, dtype, shape)?;
                sorted(&pair, axis)?;
                first_few(&pair, axis, &[1, 64, pair.cpu.shape()[axis as usize]])
            })
        }));
    }
    all.push(Check::new("order/strided_long", strided_long));
    all.push(Check::new("order/large/sort", large_sort));
    all.push(Check::new("order/large/argsort", large_argsort));
    all.push(Check::new("order/large/rows", large_rows));
    all
}

fn of_shape(gpu: &Gpu, dtype: DType, shape: &[usize]) -> Result<Pair> {
    let cpu = sample(dtype, shape, 11)?;
    let gpu = gpu.take(&cpu)?;
    Ok(Pair { cpu, gpu })
}

fn every_axis(pair: &Pair) -> Result<()> {
    for axis in 0..pair.cpu.ndim() as isize {
        let n = pair.cpu.shape()[axis as usize];
        sorted(pair, axis)?;
        first_few(pair, axis, &[0, n.min(1), n / 2, n])?;
    }
    Ok(())
}

fn sorted(pair: &Pair, axis: isize) -> Result<()> {
    for direction in DIRECTIONS {
        same(pair, |x| sort(x, axis, direction))?;
        same(pair, |x| argsort(x, axis, direction))?;
    }
    Ok(())
}

fn same(pair: &Pair, op: impl Fn(&Tensor) -> syntonic_core::Result<Tensor>) -> Result<()> {
    compare(&op(&pair.gpu)?, &op(&pair.cpu)?, Exactness::Same)
}

fn first_few(pair: &Pair, axis: isize, counts: &[usize]) -> Result<()> {
    let n = pair.cpu.shape()[axis as usize];
    for &k in counts.iter().filter(|&&k| k <= n) {
        for (extreme, ranked) in [
            (Extreme::Largest, Ranked::InOrder),
            (Extreme::Smallest, Ranked::InPlace),
        ] {
            let (values, positions) = topk(&pair.gpu, k, axis, extreme, ranked)?;
            let want = topk(&pair.cpu, k, axis, extreme, ranked)?;
            compare(&values, &want.0, Exactness::Same)?;
            compare(&positions, &want.1, Exactness::Same)?;
        }
    }
    Ok(())
}

/// Long lines that lie backwards with gaps.
fn strided_long(gpu: &Gpu) -> Result<()> {
    for dtype in [DType::F32, DType::I16, DType::C128] {
        let all = of_shape(gpu, dtype, &[3, 40_000, 2])?;
        let view = |x: &Tensor| x.slice(1, None, None, -3);
        let pair = Pair {
            cpu: view(&all.cpu)?,
            gpu: view(&all.gpu)?,
        };
        sorted(&pair, 1)?;
        first_few(&pair, 1, &[5, 9000])?;
    }
    Ok(())
}

/// Numbers of 0 to 255 in a known order, so that what they become is known too.
fn bytes(gpu: &Gpu, n: usize) -> Result<Tensor> {
    let x: Vec<u8> = (0..n).map(|i| (i as u64).wrapping_mul(167) as u8).collect();
    gpu.take(&Tensor::from_vec(x, &[n])?)
}

/// How many of `0..n` have this byte, where 167 · position is it.
fn holders(n: usize, byte: u8) -> usize {
    let first = (0..256)
        .find(|&i: &usize| i.wrapping_mul(167) as u8 == byte)
        .unwrap_or(0);
    (n + 255 - first) / 256
}

/// More than 2^31 elements in one line.
fn large_sort(gpu: &Gpu) -> Result<()> {
    let n = (1usize << 31) + 11;
    let got = gpu
        .fetch(&sort(&bytes(gpu, n)?, 0, Direction::Ascending)?)?
        .to_vec::<u8>()?;
    let mut at = 0;
    for byte in 0..=255u8 {
        let end = at + holders(n, byte);
        ensure!(
            got[at..end].iter().all(|&x| x == byte),
            "{byte} is not where it belongs"
        );
        at = end;
    }
    ensure!(at == n, "{at} elements of {n}");
    Ok(())
}

/// Positions of a line so long that tiles count in 64 bits.
fn large_argsort(gpu: &Gpu) -> Result<()> {
    let n = (1usize << 30) + 3;
    let got = argsort(&bytes(gpu, n)?, 0, Direction::Descending)?;
    let mut at = 0;
    for byte in (0..=255u8).rev() {
        let count = holders(n, byte);
        let part = got.slice(0, Some(at as isize), Some((at + count) as isize), 1)?;
        let part = gpu.fetch(&part.contiguous()?)?.to_vec::<i64>()?;
        let first = part[0];
        ensure!(
            (first as u64).wrapping_mul(167) as u8 == byte,
            "{byte} begins at {first}"
        );
        let steady = part
            .iter()
            .enumerate()
            .all(|(i, &p)| p == first + 256 * i as i64);
        ensure!(
            first < 256 && steady,
            "positions of {byte} are not in order"
        );
        at += count;
    }
    Ok(())
}

/// More than 2^31 elements in many short lines.
fn large_rows(gpu: &Gpu) -> Result<()> {
    let (rows, n) = ((1usize << 23) + 1, 256);
    let x = bytes(gpu, rows * n)?.reshape(&[rows as isize, n as isize])?;
    let got = gpu
        .fetch(&sort(&x, 1, Direction::Ascending)?)?
        .to_vec::<u8>()?;
    let right = got
        .chunks(n)
        .all(|line| line.iter().enumerate().all(|(i, &x)| x as usize == i));
    ensure!(right, "a line is not 0 to 255");
    Ok(())
}
