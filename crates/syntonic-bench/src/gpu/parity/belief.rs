//! Free energy with its parts, and belief updates: the CPU's bits, but for the order of the sums of the free energy.

use super::Check;
use crate::gpu::{Exactness, Gpu, bounds, compare};
use anyhow::{Context, Result};
use syntonic_core::{DType, Tensor};
use syntonic_srt::infer::{
    BeliefUpdate, Evidence, History, Model, Prior, Stepping, belief_update, free_energy,
};

/// Agents, observations and states: one of each, parts of a warp, of a slice and of a block; a cluster, many blocks, matrices that
/// shared memory does not hold, and more rows than each block adds up alone.
const SIZES: [[usize; 3]; 9] = [
    [1, 1, 1],
    [1, 3, 5],
    [3, 40, 70],
    [2, 0, 40],
    [2, 7, 0],
    [1, 100, 900],
    [40, 9, 33],
    [1, 600, 700],
    [1, 40_000, 40],
];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::F64] {
        let name = format!("infer/belief_update/{dtype}");
        all.push(Check::new(name, move |gpu| {
            SIZES.into_iter().try_for_each(|sizes| {
                updates(gpu, sizes, dtype).with_context(|| format!("{sizes:?}"))
            })
        }));
        all.push(Check::new(
            format!("infer/belief_update ends/{dtype}"),
            move |gpu| ends(gpu, dtype),
        ));
    }
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        let name = format!("infer/free_energy/{dtype}");
        all.push(Check::new(name, move |gpu| {
            let sizes = [
                [1, 900, 100],
                [1, 9000, 3],
                [3, 5, 70],
                [1, 3, 20_000],
                [20_000, 3, 2],
                [2, 0, 5],
            ];
            sizes.into_iter().try_for_each(|sizes| {
                energies(gpu, sizes, dtype).with_context(|| format!("{sizes:?}"))
            })
        }));
    }
    all
}

/// Numbers between -0.5 and 0.5.
fn drawn(k: usize, dtype: DType, shape: &[usize]) -> Result<Tensor> {
    let value = |i: usize| ((i * 7919 + 31 * k) % 1009) as f64 / 1009.0 - 0.5;
    let all: Vec<f64> = (0..shape.iter().product()).map(value).collect();
    Ok(Tensor::from_vec(all, shape)?.cast(dtype)?.eval()?)
}

fn model<'a>(x: &'a [Tensor], whole: bool) -> Model<'a> {
    let prior = Prior {
        mean: &x[4],
        precision: &x[5],
    };
    Model {
        jacobian: &x[3],
        reference: whole.then_some(&x[6]),
        prior: whole.then_some(prior),
    }
}

fn same(got: &BeliefUpdate, want: &BeliefUpdate) -> Result<()> {
    let parts = |made: &BeliefUpdate| -> Vec<Tensor> {
        let all = [
            &made.mean,
            &made.steps,
            &made.ending,
            &made.change,
            &made.free_energy,
        ];
        all.into_iter().chain(&made.history).cloned().collect()
    };
    let names = [
        "mean",
        "steps",
        "ending",
        "change",
        "free energy",
        "history",
    ];
    let pairs = parts(got).into_iter().zip(parts(want)).zip(names);
    pairs
        .into_iter()
        .try_for_each(|((got, want), name)| compare(&got, &want, Exactness::Same).context(name))
}

fn updates(gpu: &Gpu, [agents, m, n]: [usize; 3], dtype: DType) -> Result<()> {
    let drawn = |k, shape: &[usize]| drawn(k, dtype, shape);
    let x = [
        drawn(0, &[agents, n])?,
        drawn(1, &[agents, m])?,
        drawn(2, &[m])?.square()?.eval()?,
        drawn(3, &[m, n])?,
        drawn(4, &[n])?,
        drawn(5, &[agents, n])?.square()?.eval()?,
        drawn(6, &[m])?,
    ];
    let there = x.iter().map(|t| gpu.take(t)).collect::<Result<Vec<_>>>()?;
    for (whole, history) in [(false, History::Last), (true, History::Kept)] {
        // About one over the largest eigenvalue, that a matrix with a mean row has.
        let rate = 4.0 / (m * n).max(16) as f64;
        let stepping = Stepping {
            rate,
            steps: 3,
            tolerance: 0.0,
            history,
        };
        let update = |x: &[Tensor]| belief_update(&x[0], &x[1], &x[2], model(x, whole), stepping);
        same(&update(&there)?, &update(&x)?)?;
    }
    if m * n > 100_000 {
        return Ok(());
    }
    // By columns, and a matrix for each agent.
    let turned = |x: &[Tensor]| -> Result<Vec<Tensor>> {
        let mut x = x.to_vec();
        x[3] = x[3].transpose(0, 1)?.copy()?.transpose(0, 1)?;
        Ok(x)
    };
    let stacked = |x: &[Tensor]| -> Result<Vec<Tensor>> {
        let mut x = x.to_vec();
        x[3] = x[3].broadcast_to(&[agents, m, n])?.copy()?;
        Ok(x)
    };
    let stepping = Stepping {
        rate: 0.01,
        steps: 4,
        tolerance: 0.0,
        history: History::Kept,
    };
    let update = |x: &[Tensor]| belief_update(&x[0], &x[1], &x[2], model(x, true), stepping);
    same(&update(&turned(&there)?)?, &update(&turned(&x)?)?).context("by columns")?;
    same(&update(&stacked(&there)?)?, &update(&stacked(&x)?)?).context("a matrix each")
}

/// Agents that converge, diverge and are not finite from the beginning, side by side.
fn ends(gpu: &Gpu, dtype: DType) -> Result<()> {
    let of = |values: &[f64], shape: &[usize]| -> Result<Tensor> {
        Ok(Tensor::from_slice(values, shape)?.cast(dtype)?.eval()?)
    };
    let precision = [1.0, 8.0, -1.0, f64::NAN, f64::INFINITY, 0.0];
    let x = [
        of(&[1.0; 6], &[6, 1])?,
        of(&[0.5], &[1])?,
        of(&precision, &[6, 1])?,
        of(&[1.0], &[1, 1])?,
    ];
    let there = x.iter().map(|t| gpu.take(t)).collect::<Result<Vec<_>>>()?;
    let stepping = Stepping {
        rate: 0.5,
        steps: 700,
        tolerance: 1e-12,
        history: History::Kept,
    };
    let update = |x: &[Tensor]| {
        let model = Model {
            jacobian: &x[3],
            reference: None,
            prior: None,
        };
        belief_update(&x[0], &x[1], &x[2], model, stepping)
    };
    let (got, want) = (update(&there)?, update(&x)?);
    anyhow::ensure!(
        want.ending.to_vec::<i64>()? == [1, 2, 2, 2, 2, 1],
        "{}",
        want.ending
    );
    same(&got, &want)
}

fn energies(gpu: &Gpu, [rows, n, m]: [usize; 3], dtype: DType) -> Result<()> {
    let above = |k, shape: &[usize]| -> Result<Tensor> {
        Ok(drawn(k, dtype, shape)?.try_add(1.0)?.eval()?)
    };
    let mut x = vec![
        drawn(0, dtype, &[rows, n])?,
        drawn(1, dtype, &[n])?,
        above(2, &[rows, n])?,
        above(3, &[n])?,
        drawn(4, dtype, &[rows, m])?,
        drawn(5, dtype, &[rows, m])?,
        above(6, &[m])?,
    ];
    if rows * n * m < 1 << 20 {
        x.push(drawn(7, dtype, &[m, n])?);
    }
    let there = x.iter().map(|t| gpu.take(t)).collect::<Result<Vec<_>>>()?;
    for jacobian in [false, true] {
        let work = |x: &[Tensor]| {
            let evidence = Evidence {
                observation: &x[4],
                prediction: &x[5],
                precision: &x[6],
                jacobian: x.get(7).filter(|_| jacobian),
            };
            free_energy(&x[0], &x[1], &x[2], &x[3], evidence)
        };
        let (got, want) = (work(&there)?, work(&x)?);
        // Sums of n and m terms below 8, in another order: a rounding of the sum for each level of either tree, and 16 for the terms.
        let rounding = if dtype.is_half() {
            2.0 * bounds::rounding(dtype)
        } else {
            64.0 * bounds::rounding(dtype)
        };
        let close = Exactness::Within {
            relative: rounding,
            scale: 8.0 * (n + m) as f64,
        };
        compare(&got.complexity, &want.complexity, close)?;
        compare(&got.accuracy, &want.accuracy, close)?;
        compare(&got.free_energy, &want.free_energy, close)?;
    }
    Ok(())
}
