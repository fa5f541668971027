//! Searches on a device: the candidates, the scores and the trajectory of the CPU, to the bit.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Context, Result, anyhow};
use std::thread;
use std::time::Duration;
use syntonic_core::{DType, Tensor, group};
use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};

const RULES: [(&str, Rule); 4] = [
    ("separable", Rule::Separable),
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

/// The same of RES, whose work grows with the square of the unknowns: one, odd numbers of noise, one block of threads, and several.
const SQUARES: [[usize; 2]; 6] = [[4, 1], [6, 3], [10, 2], [16, 9], [40, 33], [30, 130]];

/// How long a rank waits for the others.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for function in Function::ALL {
        for dtype in [DType::F32, DType::F64] {
            let name = format!("evolve/{function:?}/{dtype}");
            all.push(Check::new(name, move |gpu| {
                RULES.iter().try_for_each(|(name, rule)| {
                    same(gpu, *rule, (function, dtype), &SIZES).context(*name)
                })
            }));
            let name = format!("evolve/res/{function:?}/{dtype}");
            all.push(Check::new(name, move |gpu| {
                same(gpu, Rule::Res, (function, dtype), &SQUARES)
            }));
        }
    }
    all.push(Check::new("evolve/res/shards", |gpu| {
        let sizes = [[6, 10], [30, 70]].into_iter();
        sizes
            .flat_map(|size| [1, 2, 3].map(|ranks| (size, ranks)))
            .try_for_each(|(size, ranks)| shared(gpu, Rule::Res, size, ranks))
    }));
    all.push(Check::new("evolve/shards", |gpu| {
        RULES.iter().try_for_each(|(name, rule)| {
            SHARED
                .into_iter()
                .flat_map(|size| [1, 2, 3].map(|ranks| (size, ranks)))
                .try_for_each(|(size, ranks)| shared(gpu, *rule, size, ranks))
                .context(*name)
        })
    }));
    all
}

/// Candidates and unknowns of searches that several ranks share: fewer tiles than ranks, one past a tile, and several groups of tiles.
const SHARED: [[usize; 2]; 3] = [[6, 10], [600, 257], [10, 17_001]];

/// Threads that share a search on the GPU, each with a copy: all have the bits of the search alone.
fn shared(gpu: &Gpu, rule: Rule, [population, n]: [usize; 2], ranks: usize) -> Result<()> {
    let start = Tensor::full_on(&[n], 1.75, DType::F32, &gpu.device)?;
    let new = || DeviceSearch::new(&start, 0.7, population, rule, 9);
    let (function, mut alone) = (Function::Rastrigin, new()?);
    let history = alone.run(function, 3, None)?.history;
    let found: Vec<Result<[Tensor; 3]>> = thread::scope(|scope| {
        let ranks: Vec<_> = group::threads(ranks, PATIENCE)
            .into_iter()
            .map(|rank| {
                scope.spawn(|| {
                    let mut search = new()?;
                    let rank = rank;
                    let history = search.run_in(&rank, function, 3, None)?.history;
                    Ok([history, search.mean()?, search.deviation()?])
                })
            })
            .collect();
        ranks
            .into_iter()
            .map(|rank| {
                rank.join()
                    .unwrap_or_else(|_| Err(anyhow!("a rank panicked")))
            })
            .collect()
    });
    for rank in found {
        let [history_in, mean, deviation] = rank?;
        compare(&history_in, &history, Exactness::Same)?;
        compare(&mean, &alone.mean()?, Exactness::Same)?;
        compare(&deviation, &alone.deviation()?, Exactness::Same)?;
    }
    Ok(())
}

fn same(
    gpu: &Gpu,
    rule: Rule,
    (function, dtype): (Function, DType),
    sizes: &[[usize; 2]],
) -> Result<()> {
    for &[population, n] in sizes {
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
