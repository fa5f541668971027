//! RES: evaluations it needs, and what a generation costs.

use std::convert::Infallible;

use anyhow::{Context, Result, ensure};
use syntonic_core::Tensor;
use syntonic_srt::evolve::{Flow, Population, Res, ResConfig};

use super::Prepared;
use crate::list::Row;
use crate::oracle::Oracle;

const SEEDS: u64 = 5;
const TARGET: f64 = 1e-8;
/// Generations of the row that measures their cost.
const GENERATIONS: usize = 20;

pub(super) fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    Some(match case {
        "res_sphere" => to_target,
        "res_generations" => generations,
        _ => return None,
    })
}

fn sphere(population: &Population) -> Vec<f64> {
    let value = |x: &[f64]| x.iter().map(|v| v * v).sum();
    population.iter().map(value).collect()
}

/// Evaluations to the target from 3 in each coordinate with step size 2, for each seed.
fn to_target(row: &Row) -> Result<Prepared> {
    let start = vec![3.0; row.size[0]];
    let work = move |_: &[Tensor]| {
        let counts = (0..SEEDS).map(|seed| evaluations(&start, seed));
        let counts: Vec<f64> = counts.collect::<Result<_>>()?;
        Ok(Tensor::from_slice(&counts, &[counts.len()])?)
    };
    let reached = |counts: &[f64]| {
        ensure!(
            counts.iter().all(|c| c.is_finite()),
            "the target was reached with these evaluations: {counts:?}"
        );
        Ok(0.0)
    };
    Ok(Prepared::new(
        Vec::new(),
        work,
        Oracle::Verify(Box::new(reached)),
    ))
}

fn evaluations(start: &[f64], seed: u64) -> Result<f64> {
    let config = ResConfig::new()
        .seed(seed)
        .sigma(2.0)
        .target(TARGET)
        .evaluations(20_000);
    let mut search = Res::new(start, config)?;
    let outcome = search.run(|p| Ok::<_, Infallible>(sphere(p)), |_| Flow::Continue)?;
    let reached = outcome.value.is_some_and(|value| value <= TARGET);
    Ok(if reached {
        outcome.evaluations as f64
    } else {
        f64::INFINITY
    })
}

/// The best value after some generations, from 1 in each coordinate.
fn generations(row: &Row) -> Result<Prepared> {
    let start = vec![1.0; row.size[0]];
    let first = start.len() as f64;
    let work = move |_: &[Tensor]| {
        let config = ResConfig::new().seed(1).sigma(0.3).population(32);
        let mut search = Res::new(&start, config)?;
        for _ in 0..GENERATIONS {
            let values = sphere(search.ask()?);
            search.tell(&values)?;
        }
        let best = search.best_value().context("nothing was evaluated")?;
        Ok(Tensor::from_slice(&[best], &[1])?)
    };
    let descended = move |best: &[f64]| {
        ensure!(
            0.0 < best[0] && best[0] < first,
            "the best value is {}",
            best[0]
        );
        Ok(0.0)
    };
    Ok(Prepared::new(
        Vec::new(),
        work,
        Oracle::Verify(Box::new(descended)),
    ))
}
