//! `cargo xtask array-api`: the public suite of the Array API, from a checkout that the caller names, and what became of it.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::command::run as run_command;
use crate::steps::begin;
use crate::tree::root;
use crate::venv::{Purpose, Venv};
use crate::wheel::{self, Profile};

const PROGRAM: &str = "crates/syntonic-py/tests/array_api/run.py";
/// The committed outcome, of each kind of device.
const OUTCOME: &str = "crates/syntonic-py/tests/array_api/outcome.json";

/// Which suite, and how much of it.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A checkout of data-apis/array-api-tests, with its submodule
    #[arg(long, value_name = "FOLDER")]
    suite: PathBuf,
    /// Where arrays are made: cpu or cuda
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Examples for each property; another number than the usual one leaves the committed outcome as it is
    #[arg(long, value_name = "N")]
    max_examples: Option<usize>,
    /// Of the examples; another one in each run where it is not given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Builds what is not built yet and runs the suite; an error where its outcome is not the expected one.
pub(crate) fn run(options: &Options) -> Result<()> {
    let suite = std::env::current_dir()?.join(&options.suite);
    ensure!(
        is_suite(&suite),
        "{} is no checkout of data-apis/array-api-tests with its submodule; hint: git clone --recurse-submodules",
        options.suite.display()
    );
    let tools = Venv::ready(Purpose::Project)?;
    let venv = Venv::ready(Purpose::ArrayApi)?;
    begin("the Python package", "3 minutes the first time");
    wheel::install(&tools, &venv, Profile::Checked)?;
    begin("the suite", "4 minutes");
    let mut command = venv.python()?;
    command
        .arg(root()?.join(PROGRAM))
        .arg("--suite")
        .arg(&suite);
    command.args(["--device", &options.device]);
    match options.max_examples {
        Some(examples) => command.args(["--max-examples", &examples.to_string()]),
        None => command.arg("--json").arg(root()?.join(OUTCOME)),
    };
    if let Some(seed) = options.seed {
        command.args(["--seed", &seed.to_string()]);
    }
    run_command(&mut command)
}

/// Whether a folder has the suite and the texts of the standard that it reads.
fn is_suite(folder: &Path) -> bool {
    folder.join("array_api_tests").is_dir() && folder.join("array-api/src").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_standard_is_no_suite() {
        let folder = std::env::temp_dir().join(format!("syntonic-suite-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("array_api_tests")).unwrap();
        assert!(!is_suite(&folder));
        std::fs::create_dir_all(folder.join("array-api/src")).unwrap();
        assert!(is_suite(&folder));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(root().unwrap().join(PROGRAM).is_file());
        assert!(root().unwrap().join(OUTCOME).is_file());
    }
}
