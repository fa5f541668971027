//! The wheel as a user gets it: alone in a new virtual environment, with no compiler in reach.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::command::{read, run};
use crate::test::Tally;
use crate::tree::target_dir;
use crate::venv::Venv;
use crate::wheel::{self, Profile};

/// What an import may cost at most, beside `YARDSTICK` in the same environment: a slow machine is slow at both.
const LARGEST_IMPORT: f64 = 0.65;
/// A package of the standard library that imports about a hundred modules.
const YARDSTICK: &str =
    "from time import process_time as t; a = t(); import asyncio; b = t(); print(b - a)";
/// Imports the package, and says how long that took. No NumPy is there that it could import.
const IMPORT: &str = "from time import process_time as t; a = t(); import syntonic; b = t(); import importlib.util as u; \
    assert u.find_spec('numpy') is None; assert (syntonic.ones(3) + 1).tolist() == [2.0, 2.0, 2.0]; print(b - a)";

/// Installs the wheel that the tests have built; one check, passed or failed.
pub(crate) fn run_fresh(tools: &Venv) -> Result<Tally> {
    let outcome = wheel::last(Profile::Checked).and_then(|wheel| install_and_import(tools, &wheel));
    if let Err(complaint) = &outcome {
        eprintln!("the wheel in an empty environment: {complaint:#}");
    }
    let failed = usize::from(outcome.is_err());
    Ok(Tally {
        passed: 1 - failed,
        failed,
    })
}

fn install_and_import(tools: &Venv, wheel: &Path) -> Result<()> {
    let home = target_dir()?.join("venv-fresh");
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    run(tools.python()?.args(["-m", "venv"]).arg(&home))?;
    let programs = home.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let pip = ["-m", "pip", "install", "--quiet", "--no-input"];
    // NumPy alone is left out, which is fetched: what else the package needs to start it has to bring along.
    let alone = ["--disable-pip-version-check", "--no-index", "--no-deps"];
    run(python(&programs)
        .args(pip)
        .args(alone)
        .args(["--only-binary", ":all:"])
        .arg(wheel))?;
    let (mut ours, mut yardstick) = (f64::INFINITY, f64::INFINITY);
    // The best of many, in turn: what other programs do to the caches costs up to a third.
    for _ in 0..25 {
        ours = ours.min(seconds_of(&programs, IMPORT)?);
        yardstick = yardstick.min(seconds_of(&programs, YARDSTICK)?);
    }
    let share = ours / yardstick;
    let (ours, yardstick) = (ours * 1e3, yardstick * 1e3);
    println!("import syntonic: {ours:.1} ms of the processor; import asyncio: {yardstick:.1} ms");
    ensure!(
        share < LARGEST_IMPORT,
        "import syntonic takes {share:.2} of the time of import asyncio; it must stay below {LARGEST_IMPORT}"
    );
    fs::remove_dir_all(&home)?;
    Ok(())
}

/// What a program says of its own time: it takes compiled bytecode, as every import but the first.
fn seconds_of(programs: &PathBuf, program: &str) -> Result<f64> {
    let said = read(python(programs).args(["-c", program]))?;
    said.parse().context(said)
}

/// The Python of an environment, which finds the programs of that environment and no others.
fn python(programs: &PathBuf) -> Command {
    let mut command = Command::new(programs.join("python"));
    command.current_dir(programs).env("PATH", programs);
    for setting in ["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "CC", "CXX"] {
        command.env_remove(setting);
    }
    command
}
