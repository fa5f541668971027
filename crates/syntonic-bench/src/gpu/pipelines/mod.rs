//! The pipelines as plans on a GPU: what each way to run them launches, and how long it takes, beside the operators written by hand.

pub(crate) mod plans;

use std::fmt;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;
use syntonic_core::pipeline::{Mode, Plan};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Tensor};
use syntonic_srt::infer::{self, History, Model, Prior, Stepping};
use syntonic_srt::transfer_entropy::{Estimator, Histories, TransferEntropy};

use crate::gpu::timing::vector_chain;

/// Runs before any is timed.
const WARM: usize = 5;

/// A pipeline, over the numbers that it is measured with.
struct Pipeline {
    plan: &'static Plan,
    inputs: Vec<Tensor>,
    /// The operators written by hand that do the same.
    by_hand: Box<dyn Fn() -> syntonic_core::Result<Vec<Tensor>>>,
}

/// A form of a pipeline: how much of it runs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The baseline: every stage by itself.
    Stages,
    /// Partial fusion: chains and reductions are programs, and products, loops and values of several shapes are launches of their own.
    Partial,
    /// Full fusion: the plan, in one launch where the device has that.
    Plan,
    /// The plan as a graph.
    Graph,
    /// The operators written by hand.
    Hand,
}

impl Form {
    /// All of them, the baseline first.
    pub const ALL: [Form; 5] = [
        Form::Stages,
        Form::Partial,
        Form::Plan,
        Form::Graph,
        Form::Hand,
    ];

    /// What tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Form::Stages => "every stage by itself",
            Form::Partial => "partly fused",
            Form::Plan => "the plan",
            Form::Graph => "the plan as a graph",
            Form::Hand => "by hand",
        }
    }

    /// What a command calls it.
    pub fn word(self) -> &'static str {
        match self {
            Form::Stages => "stages",
            Form::Partial => "partial",
            Form::Plan => "plan",
            Form::Graph => "graph",
            Form::Hand => "hand",
        }
    }
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
    /// The ways to run it, the baseline first, in the order of [`Form::ALL`].
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
    let chosen: Vec<&str> = match name {
        "" => NAMES.to_vec(),
        name => vec![known(name)?],
    };
    chosen
        .into_iter()
        .map(|name| {
            let pipeline = Pipeline::of(name, device)?;
            let ways = Form::ALL.map(|form| pipeline.way(form, device, runs));
            Ok(Table {
                pipeline: name.to_owned(),
                ways: ways.into_iter().collect::<Result<_>>()?,
            })
        })
        .collect()
}

/// Measures one form of a pipeline, over `runs` runs.
///
/// # Errors
/// As [`pipelines`].
pub fn measured(device: &Arc<dyn Device>, name: &str, form: Form, runs: usize) -> Result<Way> {
    Pipeline::of(known(name)?, device)?.way(form, device, runs)
}

/// Runs one form of a pipeline so many times, and measures nothing: what a profiler watches.
///
/// # Errors
/// As [`pipelines`].
pub fn bare(device: &Arc<dyn Device>, name: &str, form: Form, runs: usize) -> Result<()> {
    let pipeline = Pipeline::of(known(name)?, device)?;
    let run = pipeline.runner(form)?;
    for _ in 0..runs {
        run()?;
    }
    Ok(device.synchronize()?)
}

/// The name of a pipeline that there is.
fn known(name: &str) -> Result<&'static str> {
    let found = NAMES.iter().find(|known| **known == name);
    found
        .copied()
        .with_context(|| format!("no pipeline is called {name}; there are {NAMES:?}"))
}

/// A run, whose results are dropped.
type Runner<'a> = Box<dyn Fn() -> syntonic_core::Result<()> + 'a>;

impl Pipeline {
    fn of(name: &'static str, device: &Arc<dyn Device>) -> Result<Pipeline> {
        let numbers = |seed: u64, shape: &[usize]| -> Result<Tensor> {
            let mut values = vec![0.0; shape.iter().product()];
            Generator::new(seed).normal_f64(&mut values);
            let t = Tensor::from_vec(values, shape)?.cast(DType::F32)?;
            Ok(t.to(device)?.eval()?)
        };
        match name {
            "inference" => inference(plans::beliefs((100, 900), DType::F32, numbers)?),
            "transfer_entropy" => entropy(1_000, numbers),
            "long_transfer_entropy" => entropy(10_000, numbers),
            _ => chain(numbers),
        }
    }

    fn inputs(&self) -> Vec<&Tensor> {
        self.inputs.iter().collect() // few: inputs of a plan.
    }

    fn runner(&self, form: Form) -> Result<Runner<'_>> {
        let planned = |mode: Mode| -> Runner<'_> {
            Box::new(move || self.plan.run(&self.inputs(), mode).map(drop))
        };
        Ok(match form {
            Form::Stages => planned(Mode::Unfused),
            Form::Partial => planned(Mode::Partial),
            Form::Plan => planned(Mode::Fused),
            Form::Graph => {
                let captured = self.plan.capture(&self.inputs())?;
                Box::new(move || captured.replay(&self.inputs()).map(drop))
            }
            Form::Hand => Box::new(|| (self.by_hand)().map(drop)),
        })
    }

    fn launches(&self, form: Form) -> Result<usize> {
        let inputs = self.inputs();
        let reported = |mode: Mode| self.plan.report(&inputs, mode);
        Ok(match form {
            Form::Stages => reported(Mode::Unfused)?.launches(),
            Form::Partial => reported(Mode::Partial)?.launches(),
            Form::Plan => reported(Mode::Fused)?.launches(),
            Form::Graph => self.plan.capture(&inputs)?.graph().launches(),
            Form::Hand => {
                let recording = syntonic_core::profile::start();
                (self.by_hand)()?;
                let lines = recording.finish()?.lines;
                lines.iter().map(|line| line.calls).sum()
            }
        })
    }

    fn way(&self, form: Form, device: &Arc<dyn Device>, runs: usize) -> Result<Way> {
        Ok(Way {
            name: form.name(),
            launches: self.launches(form)?,
            microseconds: timed(device, runs, self.runner(form)?)?,
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
        plan: plans::Inference::plan(),
        inputs,
        by_hand: Box::new(by_hand),
    })
}

fn entropy(n: usize, numbers: impl Fn(u64, &[usize]) -> Result<Tensor>) -> Result<Pipeline> {
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
        plan: plans::LinearChain::plan(),
        inputs,
        by_hand: Box::new(by_hand),
    })
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Way {
            name,
            launches,
            microseconds,
        } = self;
        write!(
            f,
            "{name:24} {launches:>5} launches {microseconds:>10.1} us"
        )
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.pipeline)?;
        let baseline = self.ways.first().map_or(0.0, |way| way.microseconds);
        for way in &self.ways {
            writeln!(f, "  {way} {:>7.2} x", baseline / way.microseconds)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::cpu;

    #[test]
    fn every_form_runs_and_more_fusion_launches_no_more() {
        let ways = Form::ALL.map(|form| measured(&cpu(), "inference", form, 1).unwrap());
        assert_eq!(
            ways.each_ref().map(|way| way.name),
            Form::ALL.map(Form::name)
        );
        let [stages, partial, plan, ..] = ways.each_ref().map(|way| way.launches);
        // So little is computed at once on a CPU.
        assert!(stages >= partial && partial >= plan, "{ways:?}");
        assert!(ways.iter().all(|way| way.microseconds > 0.0), "{ways:?}");
        bare(&cpu(), "inference", Form::Graph, 2).unwrap();
    }

    #[test]
    fn words_are_those_of_the_command() {
        for form in Form::ALL {
            assert_eq!(Form::from_str(form.word(), false), Ok(form));
        }
    }

    #[test]
    fn an_unknown_pipeline_is_told_which_there_are() {
        let error = pipelines(&cpu(), "softmax", 1).unwrap_err().to_string();
        assert!(error.contains("softmax") && error.contains("linear_chain"));
    }
}
