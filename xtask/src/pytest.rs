//! The Python side of the tests: pytest over the package and the benchmark runner, and mypy's stubtest over the package.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{run, watch};
use crate::simulate::{self, Card};
use crate::test::Tally;
use crate::tree::{root, target_dir};
use crate::venv::Venv;

const TESTS: &[&str] = &["crates/syntonic-py/tests", "crates/syntonic-bench/python"];
/// Of the tests on a GPU those that need nothing but a driver.
const SIMULATED: &[&str] = &[
    "crates/syntonic-py/tests/gpu/test_gpu_captured.py",
    "crates/syntonic-py/tests/gpu/test_gpu_custom.py",
    "crates/syntonic-py/tests/gpu/test_gpu_hostile.py",
    "crates/syntonic-py/tests/gpu/test_gpu_profile.py",
    "crates/syntonic-py/tests/gpu/test_gpu_queue.py",
    "crates/syntonic-py/tests/test_loops.py",
    "crates/syntonic-py/tests/test_numpy_places.py",
];
/// Settings of mypy and of pytest, which otherwise looks for them above all folders with tests.
const SETTINGS: &str = "crates/syntonic-py/pyproject.toml";
/// Differences between stub and module that are meant, one a line with its reason. Absent while there are none.
const ALLOWED: &str = "crates/syntonic-py/stubtest.allow";

/// Runs pytest. A skipped test counts as failed: what a dtype lacks is declared in a table, not skipped.
pub(crate) fn run_pytest(venv: &Venv) -> Result<Tally> {
    counted(venv.python()?, "pytest.xml", TESTS)
}

/// Runs those tests of the package on a GPU that need no other library, with the stand-in for the driver.
pub(crate) fn run_simulated(venv: &Venv) -> Result<Tally> {
    if !cfg!(target_os = "linux") {
        println!("kernels are not simulated on this system");
        return Ok(Tally::default());
    }
    let mut python = venv.python()?;
    simulate::build()?.start_with(&mut python, &Card::of("9.0"))?;
    counted(python, "pytest_simulated.xml", SIMULATED)
}

/// Runs pytest over these places with this interpreter, and counts by its report.
pub(crate) fn counted(mut command: Command, report: &str, places: &[&str]) -> Result<Tally> {
    let report = target_dir()?.join(report);
    if report.exists() {
        fs::remove_file(&report)?;
    }
    command.args(["-m", "pytest", "-q", "-o"]).arg(format!(
        "cache_dir={}",
        target_dir()?.join("pytest").display()
    ));
    command.args(["-c", SETTINGS, "--rootdir", "."]);
    command.arg("--junitxml").arg(&report).args(places);
    command.env(
        "HYPOTHESIS_STORAGE_DIRECTORY",
        target_dir()?.join("hypothesis"),
    );
    let status = watch(&mut command, |_| ())?;
    let mut tally = match fs::read_to_string(&report) {
        Ok(text) => summary(&text).context("pytest wrote a report without its counts")?,
        Err(_) => Tally::default(),
    };
    if !status.success() && tally.failed == 0 {
        tally.failed = 1;
    }
    Ok(tally)
}

/// Compares the stubs with what the installed package really offers; one check, passed or failed.
pub(crate) fn run_stubtest(venv: &Venv) -> Result<Tally> {
    let mut command = venv.python()?;
    command.args(["-m", "mypy.stubtest", "syntonic", "--concise"]);
    command.args(["--mypy-config-file", SETTINGS]);
    command.env("MYPY_CACHE_DIR", target_dir()?.join("mypy"));
    if root()?.join(ALLOWED).is_file() {
        command.args(["--allowlist", ALLOWED]);
    }
    match run(&mut command) {
        Ok(()) => Ok(Tally {
            passed: 1,
            failed: 0,
        }),
        Err(complaint) => {
            eprintln!("{complaint}");
            Ok(Tally {
                passed: 0,
                failed: 1,
            })
        }
    }
}

/// Reads the counts in the opening tag of the test suite.
fn summary(report: &str) -> Option<Tally> {
    let tag = report.split("<testsuite ").nth(1)?.split('>').next()?;
    let count = |name: &str| {
        tag.split(&format!("{name}=\""))
            .nth(1)?
            .split('"')
            .next()?
            .parse::<usize>()
            .ok()
    };
    let failed = count("failures")? + count("errors")? + count("skipped")?;
    Some(Tally {
        passed: count("tests")?.checked_sub(failed)?,
        failed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_counts_as_failed() {
        let report = r#"<?xml version="1.0"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1"
            failures="2" skipped="3" tests="10" time="0.1"><testcase/></testsuite></testsuites>"#;
        assert_eq!(
            summary(report),
            Some(Tally {
                passed: 4,
                failed: 6
            })
        );
        assert_eq!(summary("<testsuites/>"), None);
    }
}
