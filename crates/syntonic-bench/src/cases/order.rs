//! Running sums, and elements in order.

use anyhow::Result;
use syntonic_core::Tensor;
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::ops::scan::{Initial, cumulative_sum};

use super::reduce::{columns, distinct};
use super::{Prepared, dtype, normal, positive};
use crate::list::Row;
use crate::oracle::{Oracle, numbers};

pub(super) fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    Some(match case {
        "cumsum_axis0" => running_down,
        "cumsum_axis1" => running_along,
        "sort" => sort,
        "argsort_axis1" => argsort,
        _ => return None,
    })
}

/// The sums of 1, 2, ... first elements.
fn running(values: &[f64]) -> Vec<f64> {
    let mut total = 0.0;
    let next = |v: &f64| {
        total += v;
        total
    };
    values.iter().map(next).collect()
}

/// A running sum of positive numbers is as deep as it is long.
fn scanned(x: Tensor, axis: usize, sums: Vec<f64>) -> Prepared {
    let oracle = Oracle::close(sums.clone(), sums, x.shape()[axis] as f64);
    let work = move |x: &[Tensor]| {
        let along = Some(axis as isize);
        Ok(cumulative_sum(&x[0], along, None, Initial::Leave)?)
    };
    Prepared::new(vec![x], work, oracle)
}

fn running_along(row: &Row) -> Result<Prepared> {
    let x = positive(&row.size, dtype(row)?, 1)?;
    let all = numbers(&x, None)?;
    let sums = all.chunks(row.size[1]).flat_map(running).collect();
    Ok(scanned(x, 1, sums))
}

fn running_down(row: &Row) -> Result<Prepared> {
    let x = positive(&row.size, dtype(row)?, 1)?;
    let columns = columns(&numbers(&x, None)?, row.size[1]);
    let sums: Vec<Vec<f64>> = columns.iter().map(|column| running(column)).collect();
    let place = |k: usize| sums[k % row.size[1]][k / row.size[1]];
    let sums = (0..x.numel()).map(place).collect();
    Ok(scanned(x, 0, sums))
}

fn sort(row: &Row) -> Result<Prepared> {
    let x = normal(&row.size, dtype(row)?, 1)?;
    let mut values = numbers(&x, None)?;
    values.sort_by(f64::total_cmp);
    let work = |x: &[Tensor]| Ok(order::sort(&x[0], -1, Direction::Ascending)?);
    Ok(Prepared::new(vec![x], work, Oracle::exact(values)))
}

fn argsort(row: &Row) -> Result<Prepared> {
    let x = distinct(row, dtype(row)?)?;
    let places = |row: &[f64]| {
        let mut places: Vec<usize> = (0..row.len()).collect();
        places.sort_by(|&i, &j| row[i].total_cmp(&row[j]));
        places.into_iter().map(|place| place as f64)
    };
    let all = numbers(&x, None)?;
    let values = all.chunks(row.size[1]).flat_map(places).collect();
    let work = |x: &[Tensor]| Ok(order::argsort(&x[0], -1, Direction::Ascending)?);
    Ok(Prepared::new(vec![x], work, Oracle::exact(values)))
}
