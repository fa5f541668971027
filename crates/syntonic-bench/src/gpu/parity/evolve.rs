//! Searches on a device: the candidates, the scores and the trajectory of the CPU, to the bit.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::Result;
use syntonic_core::{DType, Tensor};
use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};

const RULES: [(&str, Rule); 2] = [
    ("snes", Rule::Snes),
    ("open_ai", Rule::OpenAi { rate: 0.1 }),
];
/// Candidates and unknowns: one, less than a block of noise, one past a block of threads, several pieces and several segments.
const SIZES: [[usize; 2]; 7] = [
    [2, 1],
    [4, 3],
    [6, 1025],
    [10, 2],
    [600, 257],
    [4, 70_001],
    [1030, 5],
];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for (name, rule) in RULES {
        for dtype in [DType::F32, DType::F64] {
            for function in Function::ALL {
                let name = format!("evolve/{name}_{function:?}/{dtype}");
                all.push(Check::new(name, move |gpu| {
                    same(gpu, rule, function, dtype)
                }));
            }
        }
    }
    all
}

fn same(gpu: &Gpu, rule: Rule, function: Function, dtype: DType) -> Result<()> {
    for [population, n] in SIZES {
        let start: Vec<f64> = (0..n).map(|j| (j % 7) as f64 * 0.75 - 1.5).collect();
        let start = Tensor::from_slice(&start, &[n])?.cast(dtype)?.eval()?;
        let mut here = DeviceSearch::new(&start, 0.7, population, rule, 9)?;
        let mut there = DeviceSearch::new(&start.to(&gpu.device)?, 0.7, population, rule, 9)?;
        for _ in 0..3 {
            let exact = Exactness::Same;
            let middle = population / 4 * 2;
            for (from, to) in [(0, middle), (middle, population)] {
                compare(
                    &there.candidates(from, to)?,
                    &here.candidates(from, to)?,
                    exact,
                )?;
            }
            let (one, other) = (here.step(function)?, there.step(function)?);
            compare(&other.scores, &one.scores, exact)?;
            compare(&there.mean()?, &here.mean()?, exact)?;
            compare(&there.deviation()?, &here.deviation()?, exact)?;
        }
    }
    Ok(())
}
