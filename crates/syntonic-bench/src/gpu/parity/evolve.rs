//! Searches on a device: the candidates, the scores and the trajectory of the CPU, to the bit.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Context, Result};
use syntonic_core::{DType, Tensor};
use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};

const RULES: [(&str, Rule); 4] = [
    ("res", Rule::Res),
    ("separable_cma", Rule::SeparableCma),
    ("snes", Rule::Snes),
    ("open_ai", Rule::OpenAi { rate: 0.1 }),
];
/// Candidates and unknowns: one, less than a block of noise, one past a tile, several tiles and segments, and several groups of tiles.
const SIZES: [[usize; 2]; 7] = [
    [4, 1],
    [4, 3],
    [6, 1025],
    [10, 2],
    [600, 257],
    [4, 17_001],
    [1030, 5],
];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for function in Function::ALL {
        for dtype in [DType::F32, DType::F64] {
            let name = format!("evolve/{function:?}/{dtype}");
            all.push(Check::new(name, move |gpu| {
                RULES
                    .iter()
                    .try_for_each(|(name, rule)| same(gpu, *rule, function, dtype).context(*name))
            }));
        }
    }
    all
}

fn same(gpu: &Gpu, rule: Rule, function: Function, dtype: DType) -> Result<()> {
    for [population, n] in SIZES {
        let start: Vec<f64> = (0..n).map(|j| (j % 7) as f64 * 0.75 - 1.5).collect();
        let start = Tensor::from_slice(&start, &[n])?.cast(dtype)?.eval()?;
        // Bounds, for every second size, and a batch of runs.
        let bounded = n % 2 == 0;
        trajectories(
            gpu,
            [&start, &start.to(&gpu.device)?],
            population,
            (rule, bounded),
            function,
        )?;
        if n < 10 {
            let batch = start.broadcast_to(&[3, n])?.copy()?;
            trajectories(
                gpu,
                [&batch, &batch.to(&gpu.device)?],
                population,
                (rule, bounded),
                function,
            )?;
        }
    }
    Ok(())
}

/// Candidates, scores and states of generations that are run at once, and of one that is told.
fn trajectories(
    gpu: &Gpu,
    starts: [&Tensor; 2],
    population: usize,
    (rule, bounded): (Rule, bool),
    function: Function,
) -> Result<()> {
    let new = |start: &Tensor, device| -> Result<DeviceSearch> {
        let search = DeviceSearch::new(start, 0.7, population, rule, 9)?;
        let edge = |x: f64| Tensor::full_on(&[1], x, DType::F64, device);
        Ok(match bounded {
            true => search.bounded(&edge(-1.25)?, &edge(2.0)?)?,
            false => search,
        })
    };
    let (mut here, mut there) = (
        new(starts[0], starts[0].device())?,
        new(starts[1], &gpu.device)?,
    );
    let exact = Exactness::Same;
    for _ in 0..2 {
        let middle = population / 4 * 2;
        for (from, to) in [(0, middle), (middle, population)] {
            compare(
                &there.candidates(from, to)?,
                &here.candidates(from, to)?,
                exact,
            )?;
        }
        let (one, other) = (here.step(function)?, there.step(function)?);
        compare(&other, &one, exact)?;
        let (one, other) = (here.run(function, 2, None)?, there.run(function, 2, None)?);
        compare(&other.history, &one.history, exact)?;
        compare(&there.mean()?, &here.mean()?, exact)?;
        compare(&there.deviation()?, &here.deviation()?, exact)?;
        compare(&there.best()?.0, &here.best()?.0, exact)?;
    }
    Ok(())
}
