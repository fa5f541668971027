//! `cargo xtask pytorch`: the tests of the operators for PyTorch. They are no part of `test`, since PyTorch is some gigabytes; a GPU
//! host, which has it anyway, runs them for its record.

use anyhow::Result;

use crate::command::run as run_command;
use crate::steps::begin;
use crate::tree::target_dir;
use crate::venv::{Purpose, Venv};
use crate::wheel::{self, Profile};

pub(crate) const TESTS: &str = "crates/syntonic-py/tests/pytorch";

/// Builds what is not built yet and runs the tests.
pub(crate) fn run() -> Result<()> {
    let tools = Venv::ready(Purpose::Project)?;
    begin("PyTorch", "5 minutes the first time, then at once");
    let venv = Venv::ready(Purpose::Peers)?;
    begin("the Python package", "3 minutes the first time");
    wheel::install(&tools, &venv, Profile::Checked)?;
    begin("the tests", "2 minutes");
    let mut command = venv.python()?;
    command.args(["-m", "pytest", "-q", "-o"]).arg(format!(
        "cache_dir={}",
        target_dir()?.join("pytest").display()
    ));
    command.args(["-c", "crates/syntonic-py/pyproject.toml"]);
    command.args(["--rootdir", ".", TESTS]);
    run_command(&mut command)
}
