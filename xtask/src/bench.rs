//! `cargo xtask bench`: the launcher of the benchmark program, as users get it, with the Python environments it may use.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::command::{WORKSPACE, cargo, run as run_command};
use crate::report;
use crate::tree::{root, target_dir};
use crate::venv::{Purpose, Venv};
use crate::wheel::{self, Profile};

const RUNNER: &str = "crates/syntonic-bench/python/run.py";
const BASELINE: &str = "crates/syntonic-bench/baseline.json";
const YARDSTICK: &str = "crates/syntonic-bench/yardstick.json";

/// What is measured, and where the result goes.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Where to compute
    #[arg(long, default_value = "cpu")]
    device: String,
    /// The rows that something is required of, with few repetitions
    #[arg(long)]
    quick: bool,
    /// Only this suite; may be repeated
    #[arg(long)]
    suite: Vec<String>,
    /// Only this case; may be repeated
    #[arg(long)]
    case: Vec<String>,
    /// Also write every row to FILE as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compare with the committed baseline; fail on a loss beyond the spread of repeated runs
    #[arg(long)]
    check: bool,
    /// Measure RUNS times and write the baseline
    #[arg(long, value_name = "RUNS", conflicts_with = "check")]
    write_baseline: Option<usize>,
    /// Draw the committed records of GPUs as a page, and the rows of --json and --rows. Measures only if --json is given
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "write_baseline"])]
    report: Option<PathBuf>,
    /// Rows that --json wrote earlier, for the page; may be repeated
    #[arg(long, value_name = "FILE", requires = "report")]
    rows: Vec<PathBuf>,
    /// Compare with a loop instead of peers: Rust alone, small sizes and the profile of the tests, for machines that others use too
    #[arg(long, conflicts_with_all = ["peers", "json", "report"])]
    yardstick: bool,
    /// Install the peers to compare with, once, into an environment of their own
    #[arg(long)]
    peers: bool,
}

/// Measures, draws a page, or both.
pub(crate) fn run(options: &Options) -> Result<()> {
    let Some(page) = &options.report else {
        return measure(options);
    };
    let mut results = options.rows.clone();
    if let Some(measured) = &options.json {
        measure(options)?;
        results.push(measured.clone());
    }
    report::write(page, &results)
}

/// What must hold before a change lands: the rows of `--quick` in units of the yardstick.
pub(crate) fn check_by_yardstick() -> Result<()> {
    let mut command = by_yardstick()?;
    run_command(command.args(["--quick", "--check"]))
}

/// Builds the benchmark binary and runs it, which interleaves all parties.
fn measure(options: &Options) -> Result<()> {
    let mut command = if options.yardstick {
        by_yardstick()?
    } else {
        with_python(options)?
    };
    command.args(["--device", &options.device]);
    for (wanted, flag) in [(options.quick, "--quick"), (options.check, "--check")] {
        if wanted {
            command.arg(flag);
        }
    }
    if let Some(file) = &options.json {
        command.arg("--json").arg(file);
    }
    for (flag, values) in [("--suite", &options.suite), ("--case", &options.case)] {
        for value in values {
            command.args([flag, value]);
        }
    }
    if let Some(runs) = options.write_baseline {
        command.arg("--write-baseline").arg(runs.to_string());
    }
    run_command(&mut command)
}

/// The program of the tests' profile, which they have compiled already.
fn by_yardstick() -> Result<Command> {
    let mut build = cargo()?;
    build.args(["build", "--locked", "--bin", "syntonic-bench"]);
    run_command(build.args(WORKSPACE))?;
    let mut command = program("debug")?;
    command
        .args(["--yardstick", "--baseline"])
        .arg(root()?.join(YARDSTICK));
    Ok(command)
}

/// The program and the wheel as users get them, with the environments it may use.
fn with_python(options: &Options) -> Result<Command> {
    run_command(cargo()?.args([
        "build",
        "--profile",
        "dist",
        "--locked",
        "--package",
        "syntonic-bench",
    ]))?;
    let project = Venv::ready(Purpose::Project)?;
    wheel::install(&project, &project, Profile::Dist)?;
    let mut command = program("dist")?;
    command
        .arg("--baseline")
        .arg(root()?.join(BASELINE))
        .arg("--runner")
        .arg(root()?.join(RUNNER))
        .arg("--python")
        .arg(project.program("python"));
    if let Some(peers) = peers(options)? {
        wheel::install(&project, &peers, Profile::Dist)?;
        command.arg("--peers-python").arg(peers.program("python"));
    }
    Ok(command)
}

fn program(folder: &str) -> Result<Command> {
    let name = format!("syntonic-bench{}", std::env::consts::EXE_SUFFIX);
    Ok(Command::new(target_dir()?.join(folder).join(name)))
}

/// The environment with the peers: made when asked for, used when it is there.
fn peers(options: &Options) -> Result<Option<Venv>> {
    if options.peers {
        Venv::ready(Purpose::Peers).map(Some)
    } else {
        Venv::at_hand(Purpose::Peers)
    }
}
