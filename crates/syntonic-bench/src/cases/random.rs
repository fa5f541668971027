//! Random numbers, judged by their first moments.

use anyhow::{Result, ensure};
use syntonic_core::ops::random;
use syntonic_core::random::Generator;
use syntonic_core::{Tensor, cpu};

use super::{Prepared, dtype};
use crate::list::Row;
use crate::oracle::Oracle;

pub(super) fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    Some(match case {
        "random_normal" => normal,
        "random_uniform" => uniform,
        _ => return None,
    })
}

fn normal(row: &Row) -> Result<Prepared> {
    let (shape, kind) = (row.size.clone(), dtype(row)?);
    let work = move |_: &[Tensor]| {
        let mut generator = Generator::new(1);
        Ok(random::normal(
            &shape,
            0.0,
            1.0,
            kind,
            &mut generator,
            &cpu(),
        )?)
    };
    let oracle = moments(0.0, 1.0, 3.0);
    Ok(Prepared::new(Vec::new(), work, oracle))
}

fn uniform(row: &Row) -> Result<Prepared> {
    let (shape, kind) = (row.size.clone(), dtype(row)?);
    let work = move |_: &[Tensor]| {
        let mut generator = Generator::new(1);
        Ok(random::uniform(
            &shape,
            0.0,
            1.0,
            kind,
            &mut generator,
            &cpu(),
        )?)
    };
    let oracle = moments(0.5, 1.0 / 12.0, 1.0 / 80.0);
    Ok(Prepared::new(Vec::new(), work, oracle))
}

/// Sample mean and variance within six standard deviations of what they estimate; the error is counted in deviations.
fn moments(mean: f64, variance: f64, fourth: f64) -> Oracle {
    Oracle::Verify(Box::new(move |x: &[f64]| {
        let n = x.len() as f64;
        let found = x.iter().sum::<f64>() / n;
        let spread = x.iter().map(|v| (v - found) * (v - found)).sum::<f64>() / n;
        let off = (found - mean).abs() / (variance / n).sqrt();
        let wide = (spread - variance).abs() / ((fourth - variance * variance) / n).sqrt();
        ensure!(
            off.max(wide) < 6.0,
            "mean {found} and variance {spread} are {off:.1} and {wide:.1} deviations off"
        );
        Ok(off.max(wide))
    }))
}
