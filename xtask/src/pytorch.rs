//! `cargo xtask pytorch`: the tests of the operators for PyTorch. They are no part of `test`, since PyTorch is some gigabytes; a GPU
//! host, which has it anyway, runs them for its record.

use anyhow::{Result, ensure};

use crate::pytest;
use crate::steps::begin;
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
    begin(
        "the tests",
        "10 minutes, most of them for the database of operators and the transforms",
    );
    let tally = pytest::counted(venv.python()?, "pytest_pytorch.xml", &[TESTS])?;
    ensure!(tally.failed == 0, "{} tests failed", tally.failed);
    Ok(())
}
