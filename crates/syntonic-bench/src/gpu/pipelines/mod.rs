//! The pipelines as plans on a GPU: what each way to run them launches, and how long it takes, beside the operators written by hand.

pub(crate) mod plans;

use std::fmt;
use std::sync::Arc;

use anyhow::Result;
use serde::Serialize;
use syntonic_core::pipeline::{Mode, Plan};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Tensor};
use syntonic_srt::infer::{self, History, Model, Prior, Stepping};
use syntonic_srt::transfer_entropy::{Estimator, Histories, TransferEntropy};

use crate::gpu::timing::vector_chain;

/// Runs before any is timed.
const WARM: usize = 5;

/// A pipeline by name, over the numbers that it is measured with.
struct Pipeline {
    name: &'static str,
    plan: &'static Plan,
    inputs: Vec<Tensor>,
    /// The operators written by hand that do the same.
    by_hand: Box<dyn Fn() -> syntonic_core::Result<Vec<Tensor>>>,
}

/// One way to run a pipeline.
#[derive(Clone, Debug, Serialize)]
pub struct Way {
    /// What it is called.
    pub name: &'static str,
    /// Launches of a run.
    pub launches: usize,
    /// Microseconds of a run, of many one after another.
    pub microseconds: f64,
}

/// What was measured of a pipeline.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// Its name.
    pub pipeline: String,
    /// The ways to run it: every stage by itself, the plan, the plan as a graph, and by hand.
    pub ways: Vec<Way>,
}

/// The pipelines there are.
pub const NAMES: [&str; 4] = [
    "inference",
    "transfer_entropy",
    "long_transfer_entropy",
    "linear_chain",
];

/// Measures the pipelines of this name, or all, over `runs` runs each.
///
/// # Errors
/// Where none has the name, and what runs meet.
pub fn pipelines(device: &Arc<dyn Device>, name: &str, runs: usize) -> Result<Vec<Table>> {
    let chosen = NAMES
        .iter()
        .filter(|known| name.is_empty() || **known == name);
    let tables: Vec<Table> = chosen
        .map(|name| Pipeline::of(name, device)?.table(device, runs))
        .collect::<Result<_>>()?;
    anyhow::ensure!(
        !tables.is_empty(),
        "no pipeline is called {name}; there are {NAMES:?}"
    );
    Ok(tables)
}

impl Pipeline {
    fn of(name: &str, device: &Arc<dyn Device>) -> Result<Pipeline> {
        let numbers = |seed: u64, shape: &[usize]| -> Result<Tensor> {
            let mut values = vec![0.0; shape.iter().product()];
            Generator::new(seed).normal_f64(&mut values);
            let t = Tensor::from_vec(values, shape)?.cast(DType::F32)?;
            Ok(t.to(device)?.eval()?)
        };
        match name {
            "inference" => inference(plans::beliefs((100, 900), DType::F32, numbers)?),
            "transfer_entropy" => entropy("transfer_entropy", 1_000, numbers),
            "long_transfer_entropy" => entropy("long_transfer_entropy", 10_000, numbers),
            _ => chain(numbers),
        }
    }

    fn table(&self, device: &Arc<dyn Device>, runs: usize) -> Result<Table> {
        // few: inputs of a plan.
        let inputs: Vec<&Tensor> = self.inputs.iter().collect();
        let report = self.plan.report(&inputs, Mode::Fused)?;
        let captured = self.plan.capture(&inputs)?;
        let run = |mode: Mode| self.plan.run(&inputs, mode).map(drop);
        let recording = syntonic_core::profile::start();
        (self.by_hand)()?;
        let by_hand = recording
            .finish()?
            .lines
            .iter()
            .map(|line| line.calls)
            .sum();
        let ways = vec![
            Way {
                name: "every stage by itself",
                launches: report.unfused_launches(),
                microseconds: timed(device, runs, || run(Mode::Unfused))?,
            },
            Way {
                name: "the plan",
                launches: report.launches(),
                microseconds: timed(device, runs, || run(Mode::Fused))?,
            },
            Way {
                name: "the plan as a graph",
                launches: captured.graph().launches(),
                microseconds: timed(device, runs, || captured.replay(&inputs).map(drop))?,
            },
            Way {
                name: "by hand",
                launches: by_hand,
                microseconds: timed(device, runs, || (self.by_hand)().map(drop))?,
            },
        ];
        Ok(Table {
            pipeline: self.name.to_owned(),
            ways,
        })
    }
}

/// Microseconds of a run, of so many one after another: the shortest of three series.
fn timed(
    device: &Arc<dyn Device>,
    runs: usize,
    run: impl Fn() -> syntonic_core::Result<()>,
) -> Result<f64> {
    for _ in 0..WARM {
        run()?;
    }
    let mut shortest = f64::INFINITY;
    for _ in 0..3 {
        device.synchronize()?;
        let mut watch = device.stopwatch()?;
        for _ in 0..runs {
            run()?;
        }
        watch.stop()?;
        shortest = shortest.min(watch.microseconds()? / runs as f64);
    }
    Ok(shortest)
}

fn inference(inputs: Vec<Tensor>) -> Result<Pipeline> {
    let x = inputs.clone();
    let precise = (1.0 / &x[3]).eval()?;
    let by_hand = move || {
        let model = Model {
            jacobian: &x[4],
            reference: None,
            prior: Some(Prior {
                mean: &x[2],
                precision: &precise,
            }),
        };
        let stepping = Stepping {
            rate: 0.01,
            steps: 10,
            tolerance: 0.0,
            history: History::Last,
        };
        let mean = infer::belief_update(&x[0], &x[5], &x[6], model, stepping)?.mean;
        let complexity = infer::kl_divergence(&x[0], &x[1], &x[2], &x[3])?;
        let told = syntonic_core::ops::linalg::matmul(&x[4], &mean)?;
        let accuracy = infer::accuracy(&x[5], &told, &x[6])?;
        [mean, complexity, accuracy]
            .into_iter()
            .map(|t| t.eval())
            .collect()
    };
    Ok(Pipeline {
        name: "inference",
        plan: plans::Inference::plan(),
        inputs,
        by_hand: Box::new(by_hand),
    })
}

fn entropy(
    name: &'static str,
    n: usize,
    numbers: impl Fn(u64, &[usize]) -> Result<Tensor>,
) -> Result<Pipeline> {
    let (source, noise) = (numbers(1, &[n + 1])?, numbers(2, &[n + 1])?);
    let shifted = syntonic_core::ops::rearrange::roll(&source, &[1], None)?;
    let target = (shifted * 0.6 + &noise).eval()?;
    let inputs = plans::coordinates(&source, &target)?;
    let estimator = Estimator::default();
    let prepared = TransferEntropy::prepare(
        &source,
        &target,
        None,
        Histories::default(),
        &[1],
        &estimator,
    )?
    .capture(&source, &target, None)?;
    let by_hand = move || Ok(vec![prepared.run(&source, &target, None)?.values()?]);
    Ok(Pipeline {
        name,
        plan: plans::TransferEntropy::plan(),
        inputs,
        by_hand: Box::new(by_hand),
    })
}

fn chain(numbers: impl Fn(u64, &[usize]) -> Result<Tensor>) -> Result<Pipeline> {
    let n = 4096;
    let shapes: [&[usize]; 4] = [&[n, n], &[n], &[n], &[n]];
    let inputs: Vec<Tensor> = (1..)
        .zip(shapes)
        .map(|(seed, shape)| numbers(seed, shape))
        .collect::<Result<_>>()?;
    let x = inputs.clone();
    let by_hand = move || vector_chain(&x);
    Ok(Pipeline {
        name: "linear_chain",
        plan: plans::LinearChain::plan(),
        inputs,
        by_hand: Box::new(by_hand),
    })
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.pipeline)?;
        let first = self.ways.first().map_or(0.0, |way| way.microseconds);
        for way in &self.ways {
            writeln!(
                f,
                "  {:24} {:>5} launches {:>10.1} us {:>7.2} x",
                way.name,
                way.launches,
                way.microseconds,
                first / way.microseconds
            )?;
        }
        Ok(())
    }
}
