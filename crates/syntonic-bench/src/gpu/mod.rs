//! Checks that need a GPU: what it computes is compared with the CPU.

pub mod bench;
mod bench_case;
mod compare;
mod count;
mod doors;
mod fill;
mod folds;
mod layouts;
mod maps;
mod moves;
mod order;
pub mod pair;
mod products;
mod random;
mod rows;
mod scan;
pub mod soak;
mod streams;
mod transfers;

pub use compare::{Exactness, compare};
pub use layouts::{Layout, Pair, sample};

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde::Serialize;
use syntonic_core::{DType, Device, Tensor, cpu};
use syntonic_cuda::Cuda;

/// The GPU under test.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The GPU as a device.
    pub device: Arc<dyn Device>,
}

impl Gpu {
    /// A copy of `x` on the GPU.
    pub fn take(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.to(&self.device)?)
    }

    /// A copy of `x` on the CPU.
    pub fn fetch(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.to(&cpu())?)
    }
}

/// Looks whether something holds on the GPU.
type Look = Box<dyn Fn(&Gpu) -> Result<()>>;

/// One statement about the GPU that holds or does not.
pub struct Check {
    /// What it says, in the form `topic/case/dtype/layout`.
    pub name: String,
    /// Looks; an error says what is wrong.
    pub look: Look,
}

impl Check {
    /// A check by name.
    pub fn new(name: impl Into<String>, look: impl Fn(&Gpu) -> Result<()> + 'static) -> Check {
        Check {
            name: name.into(),
            look: Box::new(look),
        }
    }
}

/// Every check.
pub fn checks() -> Vec<Check> {
    [
        transfers::checks(),
        fill::checks(),
        products::checks(),
        streams::checks(),
        doors::checks(),
        maps::checks(),
        folds::checks(),
        rows::checks(),
        moves::checks(),
        scan::checks(),
        count::checks(),
        random::checks(),
        order::checks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How a run of checks ended.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Checks that held.
    pub passed: usize,
    /// Checks that did not, with what was wrong.
    pub failed: Vec<(String, String)>,
    /// Checks that could not be made any more, since the GPU was lost.
    pub skipped: usize,
    /// The slowest checks, in seconds.
    pub slowest: Vec<(String, f64)>,
    /// Embedded kernels that no check asked for, where all checks were made.
    pub unused: Vec<String>,
}

/// Which checks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All.
    Whole,
    /// Of each operator two dtypes and two layouts: for tools under which a program takes a hundred times as long.
    Short,
}

impl Extent {
    /// Whether a check is made. Names are `topic/case/dtype/layout`; a check without a layout counts by its dtype.
    fn takes(self, name: &str) -> bool {
        if self == Extent::Whole {
            return true;
        }
        let parts: Vec<&str> = name.split('/').collect();
        let one_of =
            |part: usize, chosen: &[&str]| parts.get(part).is_none_or(|p| chosen.contains(p));
        match DType::from_name(parts.get(2).unwrap_or(&"")) {
            Some(_) => {
                one_of(2, &["float32", "complex64", "int32"])
                    && one_of(3, &["Strided", "PastBlock"])
            }
            // What has no dtype is a statement of its own; most of the random programs are left to the whole.
            None => !name.contains("random program") || name.ends_with('7'),
        }
    }
}

/// Makes the checks of `extent` whose name contains `filter`. Goes on after a failure; stops when the GPU is lost.
pub fn run(gpu: &Gpu, filter: &str, extent: Extent) -> Report {
    let mut report = Report::default();
    let mut lost = false;
    for check in checks()
        .iter()
        .filter(|c| c.name.contains(filter) && extent.takes(&c.name))
    {
        if lost {
            report.skipped += 1;
            continue;
        }
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            (check.look)(gpu)?;
            Ok(gpu.device.synchronize()?)
        }))
        .unwrap_or_else(|panic| Err(anyhow!("panic: {}", words(&panic))));
        report
            .slowest
            .push((check.name.clone(), start.elapsed().as_secs_f64()));
        match outcome {
            Ok(()) => report.passed += 1,
            Err(complaint) => {
                let text = format!("{complaint:#}");
                println!("FAILED {}: {text}", check.name);
                lost = text.contains("context is lost");
                report.failed.push((check.name.clone(), text));
            }
        }
    }
    report.slowest.sort_by(|a, b| b.1.total_cmp(&a.1));
    report.slowest.truncate(10);
    report
}

/// Embedded kernels that this process never asked for: nothing vouches for them.
pub fn unused(gpu: &Cuda) -> Vec<String> {
    let used: BTreeSet<String> = gpu
        .context()
        .kernels_used()
        .into_iter()
        .map(|(family, entry)| format!("{family} {entry}"))
        .collect();
    let embedded = syntonic_cuda::images::entries()
        .flat_map(|(family, entries)| entries.iter().map(move |entry| format!("{family} {entry}")));
    embedded.filter(|kernel| !used.contains(kernel)).collect()
}

fn words(panic: &Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_else(|| "no message".to_owned())
}
