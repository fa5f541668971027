//! Results as they are written: one for each row and implementation.

use serde::{Deserialize, Serialize};

use crate::clock::{Times, median, quantile};
use crate::list::{RUST, Row, key};
use crate::machine::Machine;

/// Everything a run measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcomes {
    /// Where.
    pub machine: Machine,
    /// Versions of what was compared.
    pub versions: std::collections::BTreeMap<String, String>,
    /// What was found.
    pub rows: Vec<Outcome>,
}

/// What one implementation did in one row. Without a time it failed, and says why.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The family.
    pub suite: String,
    /// The computation.
    pub case: String,
    /// Where it ran.
    pub device: String,
    /// Element type of the inputs.
    pub dtype: String,
    /// Lengths.
    pub size: Vec<usize>,
    /// Who computed: `syntonic`, `syntonic-rust`, `numpy`, `torch`, ...
    #[serde(rename = "impl")]
    pub implementation: String,
    /// Middle of all samples.
    pub median_us: Option<f64>,
    /// Bytes of the floor over the median.
    pub gbps: Option<f64>,
    /// Operations of the floor over the median.
    pub tflops: Option<f64>,
    /// The largest error of a timed result as a part of its scale.
    pub error: Option<f64>,
    /// The quickest sample.
    pub min_us: Option<f64>,
    /// Distance of the quartiles over the median.
    pub spread: Option<f64>,
    /// How many samples.
    pub samples: Option<usize>,
    /// The median of each round; those of different libraries in one round were taken close together.
    #[serde(default)]
    pub rounds_us: Vec<f64>,
    /// Evaluations of an objective, where the row counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<f64>,
    /// Why there is no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl Outcome {
    /// The name of its row.
    pub fn key(&self) -> String {
        key(&self.suite, &self.case, &self.dtype, &self.size)
    }

    /// A result of this side.
    pub fn of_rust(row: &Row, times: anyhow::Result<Times>) -> Outcome {
        let mut outcome = Outcome {
            suite: row.suite.clone(),
            case: row.case.clone(),
            device: "cpu".into(),
            dtype: row.dtype.clone(),
            size: row.size.clone(),
            implementation: RUST.into(),
            median_us: None,
            gbps: None,
            tflops: None,
            error: None,
            min_us: None,
            spread: None,
            samples: None,
            rounds_us: Vec::new(),
            evaluations: None,
            failed: None,
        };
        match times {
            Ok(times) => outcome.fill(row, times),
            Err(complaint) => outcome.failed = Some(format!("{complaint:#}")),
        }
        outcome
    }

    fn fill(&mut self, row: &Row, times: Times) {
        let middle = median(&times.samples_us);
        let quarters = quantile(&times.samples_us, 0.75) - quantile(&times.samples_us, 0.25);
        self.median_us = Some(middle);
        self.min_us = Some(quantile(&times.samples_us, 0.0));
        self.spread = Some(quarters / middle);
        self.samples = Some(times.samples_us.len());
        self.gbps = Some(row.floor.bytes as f64 / middle / 1e3);
        self.tflops = Some(row.floor.flops as f64 / middle / 1e6);
        self.error = Some(times.error);
        self.rounds_us = times.rounds_us;
    }
}
