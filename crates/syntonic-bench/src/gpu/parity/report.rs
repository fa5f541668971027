//! Runs checks and says how they ended.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde::Serialize;
use syntonic_cuda::Cuda;

use super::{Check, Choice, Need};
use crate::gpu::Gpu;

/// How a run of checks ended.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Checks that held.
    pub passed: usize,
    /// Checks that did not, with what was wrong.
    pub failed: Vec<(String, String)>,
    /// Checks that could not be made any more, since the GPU was lost.
    pub skipped: usize,
    /// Checks that were not made because what they need was said not to be there, by what that is.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, Vec<String>>,
    /// The slowest checks, in seconds.
    pub slowest: Vec<(String, f64)>,
    /// Embedded kernels that no check asked for, where all checks were made, or a part of all.
    pub unused: Vec<String>,
    /// How many kernels came as machine code, and how many the driver assembled.
    pub sources: BTreeMap<&'static str, usize>,
}

/// Makes the checks of a choice. Goes on after a failure; stops when the GPU is lost.
pub fn run(gpu: &Gpu, choice: &Choice) -> Report {
    let mut report = Report::default();
    let mut lost = false;
    for check in choice.checks() {
        if let Some(need) = Need::of(&check.name).filter(|need| choice.without.contains(need)) {
            let names = report.left_out.entry(need.to_string()).or_default();
            names.push(check.name.clone());
            continue;
        }
        if lost {
            report.skipped += 1;
            continue;
        }
        let start = Instant::now();
        let outcome = run_one(&check, gpu);
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

/// Makes one check; a panic is a failure.
pub(super) fn run_one(check: &Check, gpu: &Gpu) -> Result<()> {
    catch_unwind(AssertUnwindSafe(|| {
        (check.look)(gpu)?;
        Ok(gpu.device.synchronize()?)
    }))
    .unwrap_or_else(|panic| Err(anyhow!("panic: {}", words(&panic))))
}

/// How many of the kernels that this process requested came as machine code, and how many the driver assembled.
pub fn sources() -> BTreeMap<&'static str, usize> {
    let sources = syntonic_cuda::kernel_sources();
    BTreeMap::from([("cubins", sources.cubins), ("ptx", sources.ptx)])
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
