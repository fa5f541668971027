//! The Python side: a program of its own, which hands its results over in a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::outcome::Outcome;

/// What the Python side hands over.
#[derive(Debug, Deserialize)]
pub struct Handed {
    /// Versions of what was compared.
    pub versions: BTreeMap<String, String>,
    /// Why libraries did not take part, a line each; the line begins with the name.
    pub skipped: Vec<String>,
    /// Results.
    pub rows: Vec<Outcome>,
}

/// How the Python side is started.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The interpreter.
    pub python: PathBuf,
    /// The script.
    pub script: PathBuf,
    /// What is passed on.
    pub options: Vec<String>,
}

impl Runner {
    /// Runs it to the end and reads what it wrote.
    pub fn run(&self) -> Result<Handed> {
        let folder = std::env::temp_dir();
        let file = folder.join(format!("syntonic-bench-{}.json", std::process::id()));
        let status = self
            .command(&file)
            .status()
            .with_context(|| format!("cannot start {}", self.python.display()))?;
        ensure!(status.success(), "the Python side ended with {status}");
        let text = std::fs::read_to_string(&file).context("the Python side wrote nothing")?;
        // The file is ours alone; if it cannot be removed, the system will in time.
        let _ = std::fs::remove_file(&file);
        serde_json::from_str(&text).context("the Python side wrote something else")
    }

    fn command(&self, file: &Path) -> Command {
        let mut command = Command::new(&self.python);
        command.arg(&self.script).args(&self.options);
        command.arg("--json").arg(file);
        for setting in ["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP"] {
            command.env_remove(setting);
        }
        command
    }
}

impl Handed {
    /// Names of the libraries that did not take part.
    pub fn absent(&self) -> Vec<String> {
        let name = |line: &String| line.split(':').next().unwrap_or_default().to_owned();
        self.skipped.iter().map(name).collect()
    }
}
