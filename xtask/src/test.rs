//! `cargo xtask test`: Rust tests, kernels run by a stand-in driver, the wheel, Python tests, and one line with the sum.

use std::ops::AddAssign;
use std::time::Instant;

use anyhow::{Error, Result};

use crate::steps::begin;
use crate::venv::{Purpose, Venv};
use crate::wheel::{self, Profile};
use crate::{fresh, gpu_record, pytest, rust_tests, simulated};

/// How many tests held and how many did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Runs everything even after a failure, so that one run shows all there is to mend.
pub(crate) fn run() -> Result<Tally> {
    let venv = Venv::ready(Purpose::Project)?;
    let mut summary = Summary::default();
    begin(
        "Rust tests",
        "9 minutes the first time, half of it compiling; then 4",
    );
    summary.measure("cargo test", rust_tests::run)?;
    begin("the kernels of GPUs, run on the CPU", "2 minutes");
    summary.measure("simulated", simulated::run)?;
    begin("the Python package", "3 minutes the first time");
    match wheel::install(&venv, &venv, Profile::Checked) {
        Ok(()) => {
            begin("the wheel in an empty environment", "10 seconds");
            summary.measure("empty venv", || fresh::run_fresh(&venv))?;
            begin("Python tests", "4 minutes");
            summary.measure("pytest", || pytest::run_pytest(&venv))?;
            summary.measure("simulated py", || pytest::run_simulated(&venv))?;
            summary.measure("stubtest", || pytest::run_stubtest(&venv))?;
        }
        Err(complaint) => summary.fail("wheel", &complaint),
    }
    summary.print()?;
    Ok(summary.total())
}

#[derive(Default)]
struct Summary(Vec<(&'static str, Tally, f64)>);

impl Summary {
    fn measure(&mut self, name: &'static str, work: impl FnOnce() -> Result<Tally>) -> Result<()> {
        let start = Instant::now();
        let tally = work()?;
        self.0.push((name, tally, start.elapsed().as_secs_f64()));
        Ok(())
    }

    /// A step that did not come to counting counts as one failure.
    fn fail(&mut self, name: &'static str, complaint: &Error) {
        eprintln!("{complaint:#}");
        let tally = Tally {
            passed: 0,
            failed: 1,
        };
        self.0.push((name, tally, 0.0));
    }

    fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.0.iter().for_each(|(_, tally, _)| total += *tally);
        total
    }

    fn print(&self) -> Result<()> {
        println!();
        for (name, Tally { passed, failed }, seconds) in &self.0 {
            println!("{name:<12} {passed:>6} passed {failed:>4} failed {seconds:>8.1} s");
        }
        println!("{}", gpu_record::state()?);
        let Tally { passed, failed } = self.total();
        println!("{passed} passed, {failed} failed");
        Ok(())
    }
}
