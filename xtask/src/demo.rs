//! `cargo xtask demo`: the launcher of the example program, which is where the demonstration itself is to be read.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::command::run as run_command;
use crate::steps::begin;
use crate::tree::root;
use crate::venv::{Purpose, Venv};
use crate::wheel::{self, Profile};

const PROGRAM: &str = "crates/syntonic-py/examples/digits.py";

/// What the example program is told.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A short run: shows that all parts work, not what they reach
    #[arg(long)]
    quick: bool,
    /// Also write the result to FILE as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Where to compute: cpu or cuda
    #[arg(long)]
    device: Option<String>,
    /// Candidates of a generation; a GPU has room for a thousand and more
    #[arg(long, value_name = "K")]
    population: Option<usize>,
    /// Evaluations of the loss
    #[arg(long, value_name = "N")]
    evaluations: Option<usize>,
}

/// Builds what is not built yet and runs the example, whose exit status is ours.
pub(crate) fn run(options: &Options) -> Result<()> {
    launch(options, Profile::Release)
}

/// The short run on the wheel that the tests use: no second compilation, so this is what CI does.
pub(crate) fn run_quick_checked() -> Result<()> {
    launch(
        &Options {
            quick: true,
            json: None,
            device: None,
            population: None,
            evaluations: None,
        },
        Profile::Checked,
    )
}

/// Whether the tree holds the example program.
pub(crate) fn exists() -> Result<bool> {
    Ok(root()?.join(PROGRAM).is_file())
}

fn launch(options: &Options, profile: Profile) -> Result<()> {
    ensure!(
        exists()?,
        "this tree has no {PROGRAM}, which is the demonstration"
    );
    let venv = Venv::ready(Purpose::Project)?;
    begin(
        "the Python package, built",
        match profile {
            Profile::Release | Profile::Dist => "12 minutes the first time, then at once",
            Profile::Checked => "3 minutes the first time, then at once",
        },
    );
    wheel::install(&venv, &venv, profile)?;
    begin("the demonstration", "15 seconds on the CPU, less on a GPU");
    let mut command = venv.python()?;
    command.arg(root()?.join(PROGRAM));
    // What the program writes goes where the user stands, so a relative FILE means what it says.
    command.current_dir(std::env::current_dir()?);
    if options.quick {
        command.arg("--quick");
    }
    if let Some(file) = &options.json {
        command.arg("--json").arg(file);
    }
    if let Some(device) = &options.device {
        command.args(["--device", device]);
    }
    for (flag, value) in [
        ("--population", options.population),
        ("--evaluations", options.evaluations),
    ] {
        if let Some(value) = value {
            command.arg(flag).arg(value.to_string());
        }
    }
    run_command(&mut command)
}
