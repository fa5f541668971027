//! `cargo xtask npbench`: the public suite of NumPy programs, from a checkout that the caller names, beside NumPy.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::command::run as run_command;
use crate::steps::begin;
use crate::tree::root;
use crate::venv::{Purpose, Venv};
use crate::wheel::{self, Profile};

const PROGRAM: &str = "crates/syntonic-bench/python/npbench.py";
/// The committed outcome, of each kind of device and size.
const OUTCOME: &str = "crates/syntonic-bench/npbench.json";

/// Which suite, and how much of it.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A checkout of spcl/npbench
    #[arg(long, value_name = "FOLDER")]
    suite: PathBuf,
    /// Where arrays are made: cpu or cuda
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Of the suite's sizes: S, M, L or paper
    #[arg(long, default_value = "S")]
    size: String,
    /// Only these programs, with commas; the committed outcome then stays as it is
    #[arg(long, value_name = "NAMES")]
    programs: Option<String>,
}

/// Builds what is not built yet and runs the suite.
pub(crate) fn run(options: &Options) -> Result<()> {
    let suite = std::env::current_dir()?.join(&options.suite);
    ensure!(
        is_suite(&suite),
        "{} is no checkout of spcl/npbench; hint: git clone it",
        options.suite.display()
    );
    let tools = Venv::ready(Purpose::Project)?;
    let venv = Venv::ready(Purpose::NumpyPrograms)?;
    begin(
        "the Python package as users have it",
        "12 minutes the first time",
    );
    wheel::install(&tools, &venv, Profile::Dist)?;
    begin("the suite", "5 minutes for size S");
    let mut command = venv.python()?;
    command
        .arg(root()?.join(PROGRAM))
        .arg("--suite")
        .arg(&suite);
    command.args(["--device", &options.device, "--size", &options.size]);
    match &options.programs {
        Some(programs) => command.args(["--programs", programs]),
        None => command.arg("--json").arg(root()?.join(OUTCOME)),
    };
    run_command(&mut command)
}

/// Whether a folder has the suite's programs and what it says of them.
fn is_suite(folder: &Path) -> bool {
    folder.join("bench_info").is_dir() && folder.join("npbench/benchmarks").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_programs_is_no_suite() {
        let folder = std::env::temp_dir().join(format!("syntonic-npbench-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("bench_info")).unwrap();
        assert!(!is_suite(&folder));
        std::fs::create_dir_all(folder.join("npbench/benchmarks")).unwrap();
        assert!(is_suite(&folder));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(root().unwrap().join(PROGRAM).is_file());
    }
}
