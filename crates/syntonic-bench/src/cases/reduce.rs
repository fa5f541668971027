//! Reductions over an axis or over everything.

use anyhow::Result;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Tensor};

use super::{Prepared, compensated, depth, dtype, normal, positive, tensor};
use crate::list::Row;
use crate::oracle::{Oracle, numbers};

pub(super) fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    Some(match case {
        "sum_axis0" => |row| sums(row, Axis::First),
        "sum_axis1" => |row| sums(row, Axis::Second),
        "sum_all" | "sum" => |row| sums(row, Axis::All),
        "mean_axis0" => mean,
        "var_axis0" => |row| variance(row, Axis::First),
        "var_axis1" => |row| variance(row, Axis::Second),
        "var_all" => |row| variance(row, Axis::All),
        "max_axis1" => max,
        "argmax_axis1" => argmax,
        "logsumexp_axis1" => logsumexp,
        _ => return None,
    })
}

/// What is reduced, of a matrix.
#[derive(Clone, Copy)]
enum Axis {
    First,
    Second,
    All,
}

impl Axis {
    fn over(self) -> Over {
        match self {
            Axis::First => Over::axes(&[0]),
            Axis::Second => Over::axes(&[1]),
            Axis::All => Over::all(),
        }
    }

    /// The elements that go into each result.
    fn groups(self, x: &Tensor) -> Result<Vec<Vec<f64>>> {
        let all = numbers(x, None)?;
        Ok(match self {
            Axis::All => vec![all],
            Axis::Second => all.chunks(x.shape()[1]).map(<[f64]>::to_vec).collect(),
            Axis::First => columns(&all, x.shape()[1]),
        })
    }
}

pub(super) fn columns(all: &[f64], width: usize) -> Vec<Vec<f64>> {
    let column = |j: usize| all.iter().skip(j).step_by(width).copied().collect();
    (0..width).map(column).collect()
}

/// Value and scale of each group.
fn judged(
    groups: &[Vec<f64>],
    value: impl Fn(&[f64]) -> (f64, f64),
    units: impl Fn(usize) -> f64,
) -> Oracle {
    let (values, scale) = groups.iter().map(|group| value(group)).unzip();
    Oracle::close(values, scale, units(groups.first().map_or(0, Vec::len)))
}

fn total(group: &[f64]) -> f64 {
    compensated(group.iter().copied())
}

fn sums(row: &Row, axis: Axis) -> Result<Prepared> {
    let x = positive(&row.size, dtype(row)?, 1)?;
    let oracle = judged(
        &axis.groups(&x)?,
        |g| (total(g), total(g)),
        |n| depth(n) + 2.0,
    );
    let work = move |x: &[Tensor]| Ok(reduce::sum(&x[0], &axis.over(), None)?);
    Ok(Prepared::new(vec![x], work, oracle))
}

fn mean(row: &Row) -> Result<Prepared> {
    let x = positive(&row.size, dtype(row)?, 1)?;
    let value = |g: &[f64]| (total(g) / g.len() as f64, total(g) / g.len() as f64);
    let oracle = judged(&Axis::First.groups(&x)?, value, |n| depth(n) + 2.0);
    let work = |x: &[Tensor]| Ok(reduce::mean(&x[0], &Axis::First.over())?);
    Ok(Prepared::new(vec![x], work, oracle))
}

fn variance(row: &Row, axis: Axis) -> Result<Prepared> {
    let x = normal(&row.size, dtype(row)?, 1)?;
    let value = |g: &[f64]| {
        let mean = total(g) / g.len() as f64;
        let var = compensated(g.iter().map(|v| (v - mean) * (v - mean))) / g.len() as f64;
        (var, var)
    };
    let oracle = judged(&axis.groups(&x)?, value, |n| 4.0 * depth(n) + 8.0);
    let work = move |x: &[Tensor]| Ok(reduce::var(&x[0], &axis.over(), 0.0)?);
    Ok(Prepared::new(vec![x], work, oracle))
}

fn max(row: &Row) -> Result<Prepared> {
    let x = normal(&row.size, dtype(row)?, 1)?;
    let value = |g: &[f64]| (g.iter().copied().fold(f64::NEG_INFINITY, f64::max), 1.0);
    let oracle = judged(&Axis::Second.groups(&x)?, value, |_| 0.0);
    let work = |x: &[Tensor]| Ok(reduce::max(&x[0], &Axis::Second.over())?);
    Ok(Prepared::new(vec![x], work, oracle))
}

/// Rows of different numbers, so that the place of the greatest is one.
pub(super) fn distinct(row: &Row, kind: DType) -> Result<Tensor> {
    let width = *row.size.last().unwrap_or(&1);
    let count: usize = row.size.iter().product();
    let mut values = Vec::with_capacity(count);
    for k in 0..count.div_ceil(width.max(1)) {
        let mut generator = syntonic_core::random::Generator::new(k as u64);
        values.extend(generator.permutation(width)?.into_iter().map(|v| v as f64));
    }
    tensor(values, &row.size, kind)
}

fn argmax(row: &Row) -> Result<Prepared> {
    let x = distinct(row, dtype(row)?)?;
    let value = |g: &[f64]| {
        let place = (0..g.len()).max_by(|&i, &j| g[i].total_cmp(&g[j]));
        (place.unwrap_or(0) as f64, 1.0)
    };
    let oracle = judged(&Axis::Second.groups(&x)?, value, |_| 0.0);
    let work = |x: &[Tensor]| Ok(reduce::argmax(&x[0], &Axis::Second.over())?);
    Ok(Prepared::new(vec![x], work, oracle))
}

fn logsumexp(row: &Row) -> Result<Prepared> {
    let x = normal(&row.size, dtype(row)?, 1)?;
    let value = |g: &[f64]| {
        let top = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let value = compensated(g.iter().map(|v| (v - top).exp())).ln() + top;
        (value, 1.0 + value.abs())
    };
    let oracle = judged(&Axis::Second.groups(&x)?, value, |n| depth(n) + 16.0);
    let work = |x: &[Tensor]| Ok(reduce::logsumexp(&x[0], &Axis::Second.over())?);
    Ok(Prepared::new(vec![x], work, oracle))
}
