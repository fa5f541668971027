//! `cargo xtask simulate`: programs that use a GPU, on a machine that has none.
//!
//! A stand-in for the driver runs the kernels' PTX on the CPU; `simulator/README.md` says what that shows.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::command::{WORKSPACE, cargo, run as run_command};
use crate::rust_tests;
use crate::tree::target_dir;

/// What runs, and on which card.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only checks whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Two dtypes and two layouts of each operator
    #[arg(long)]
    short: bool,
    /// Of so many neighbours only one
    #[arg(long, default_value = "1")]
    every: String,
    /// Only one part of the checks, such as 2/8
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    part: String,
    #[command(flatten)]
    card: Card,
    /// A program and its words, in place of the comparison with the CPU
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    program: Vec<OsString>,
}

/// The card that is stood in for.
#[derive(Clone, clap::Args)]
pub(crate) struct Card {
    /// Compute capability: 7.5, 8.0 or 9.0
    #[arg(long, default_value = "9.0")]
    capability: String,
    /// Faults to look for beyond those of every card: `init`, `race`, `proxy`, or several with commas
    #[arg(long, default_value = "")]
    checks: String,
    /// Processors of the card
    #[arg(long)]
    processors: Option<u32>,
    /// How many cards
    #[arg(long, default_value_t = 1)]
    gpus: u32,
}

impl Card {
    /// One card of a compute capability.
    pub(crate) fn of(capability: &str) -> Card {
        Card {
            capability: capability.to_owned(),
            checks: String::new(),
            processors: None,
            gpus: 1,
        }
    }

    /// So many of them.
    pub(crate) fn times(self, gpus: u32) -> Card {
        Card { gpus, ..self }
    }
}

/// Checks that need what is not there: a library of NVIDIA's, memory and time for 2^31 elements, and a host that goes on while a
/// kernel runs, which here is over when its launch is.
const WITHOUT: &str = "cublas,cusolver,cufft,large,side_by_side";

/// Builds the driver and the program, and runs it.
pub(crate) fn run(options: &Options) -> Result<()> {
    let built = build()?;
    let mut command = match options.program.split_first() {
        Some((program, words)) => {
            let mut command = Command::new(program);
            command.args(words);
            command
        }
        None => {
            let mut command = parity(&built, &options.card);
            command.args(["--filter", &options.filter, "--part", &options.part]);
            command.args(["--every", &options.every]);
            command.args(options.short.then_some("--short"));
            command
        }
    };
    built.start_with(&mut command, &options.card)?;
    run_command(&mut command)
}

/// The comparison with the CPU.
pub(crate) fn parity(built: &Built, card: &Card) -> Command {
    let mut without = WITHOUT.to_owned();
    if card.capability != "9.0" {
        without.push_str(",warpgroups");
    }
    let mut command = Command::new(&built.program);
    command.args(["parity", "--without", &without]);
    command
}

/// What was built: the folder of the driver, and the program that compares.
pub(crate) struct Built {
    driver: PathBuf,
    program: PathBuf,
}

/// Compiles the driver and the program. With the examples beside it, which are tests, features are chosen as for `cargo test`, so what
/// was compiled for that is used again. The driver has a command of its own: `--lib` over all packages would compile the extension module.
pub(crate) fn build() -> Result<Built> {
    run_command(cargo()?.args([
        "build",
        "--locked",
        "--lib",
        "--package",
        "syntonic-simulator",
    ]))?;
    let mut command = cargo()?;
    command.args(["build", "--locked", "--bin", "syntonic-gpu"]);
    command.args(["--test", rust_tests::EXAMPLES]);
    command.args(WORKSPACE);
    run_command(&mut command)?;
    let folder = target_dir()?;
    let driver = folder.join("simulator");
    fs::create_dir_all(&driver)?;
    let library = folder.join("debug").join("libsyntonic_simulator.so");
    // Programs ask for either name, and must find one driver behind both.
    let names = ["libcuda.so.1", "libcuda.so"].map(|name| driver.join(name));
    replace(&names[0], |to| fs::copy(&library, to).map(|_| ()))?;
    replace(&names[1], |to| fs::hard_link(&names[0], to))?;
    Ok(Built {
        driver,
        program: folder.join("debug").join("syntonic-gpu"),
    })
}

/// Puts a file where another may be, which a program that runs may have open.
fn replace(to: &Path, make: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<()> {
    if to.exists() {
        fs::remove_file(to).with_context(|| to.display().to_string())?;
    }
    make(to).with_context(|| to.display().to_string())
}

impl Built {
    /// Lets a program find this driver before any other.
    pub(crate) fn start_with(&self, command: &mut Command, card: &Card) -> Result<()> {
        ensure!(
            cfg!(target_os = "linux"),
            "the driver is stood in for on Linux alone"
        );
        let mut folders = vec![self.driver.clone()];
        folders.extend(
            env::var_os("LD_LIBRARY_PATH")
                .iter()
                .flat_map(env::split_paths),
        );
        command.env("LD_LIBRARY_PATH", env::join_paths(folders)?);
        command.env("SYNTONIC_SIMULATOR_CAPABILITY", &card.capability);
        command.env("SYNTONIC_SIMULATOR_CHECKS", &card.checks);
        command.env("SYNTONIC_SIMULATOR_GPUS", card.gpus.to_string());
        if let Some(processors) = card.processors {
            command.env("SYNTONIC_SIMULATOR_PROCESSORS", processors.to_string());
        }
        Ok(())
    }
}
