//! Counting, searching and telling different elements apart.

use super::Check;
use super::moves::{Move, every, same};
use crate::gpu::{Exactness, Gpu, compare, sample};
use anyhow::Result;
use syntonic_core::ops::order::{
    Direction, Membership, Side, bincount, isin, searchsorted, sort, unique,
};
use syntonic_core::{DType, Tensor};

/// Operators of any dtype, whose results are integers or elements.
const SEARCHES: &[(&str, Move)] = &[
    ("searchsorted", |x| {
        let flat = x.reshape(&[-1])?;
        let table = sort(&flat.slice(0, None, None, 2)?, 0, Direction::Ascending)?;
        Ok(vec![
            searchsorted(&table, x, Side::Left, None)?,
            searchsorted(&table, x, Side::Right, None)?,
        ])
    }),
    ("unique", |x| {
        let found = unique(x)?;
        Ok(vec![
            found.values,
            found.indices,
            found.inverse,
            found.counts,
        ])
    }),
    ("isin", |x| {
        let set = x.reshape(&[-1])?.slice(0, None, None, 3)?;
        Ok(vec![isin(x, &set, Membership::Inside)?])
    }),
];

pub(super) fn checks() -> Vec<Check> {
    let mut checks = every("count", SEARCHES, &DType::ALL, Exactness::Same);
    for bins in [1, 10, 4096, 4097, 100_000] {
        checks.push(Check::new(format!("count/bincount/{bins}"), move |gpu| {
            bins_of(gpu, bins)
        }));
    }
    checks.push(Check::new("count/bincount/mistakes", mistakes));
    checks
}

/// Counts, and sums of weights in the CPU's order.
fn bins_of(gpu: &Gpu, bins: i64) -> Result<()> {
    let n = 150_001;
    let values: Vec<i64> = (0..n).map(|i| (i * 7919 + i / 3) % bins).collect();
    let x = Tensor::from_vec(values, &[n as usize])?;
    let weights = sample(DType::F64, &[n as usize], 8)?;
    let (there, heavy) = (gpu.take(&x)?, gpu.take(&weights)?);
    for least in [0, 200_000] {
        compare(
            &bincount(&there, None, least)?,
            &bincount(&x, None, least)?,
            Exactness::Same,
        )?;
        compare(
            &bincount(&there, Some(&heavy), least)?,
            &bincount(&x, Some(&weights), least)?,
            Exactness::Same,
        )?;
    }
    Ok(())
}

fn mistakes(gpu: &Gpu) -> Result<()> {
    let x = Tensor::from_slice(&[3i64, -1, 2], &[3])?;
    let of = |x: &Tensor| Ok(vec![bincount(x, None, 0)?]);
    same(of(&gpu.take(&x)?), of(&x), Exactness::Same)
}
