//! The program `ncu` of NVIDIA's: finding it, and running ourselves under it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

use super::sheet::{self, Launch, METRICS};
use crate::gpu::pipelines::Form;

/// What `ncu` says where the driver lets only administrators count.
const REFUSED: &str = "ERR_NVGPUCTRPERM";

/// Why there is no profile.
#[derive(Debug, Error)]
pub enum ProfilerError {
    /// It is not installed.
    #[error(
        "ncu is in no folder of PATH, CUDA_HOME or CUDA_PATH; hint: install NVIDIA Nsight Compute, which is part of the CUDA toolkit, \
         or call `syntonic-gpu pipeline NAME` without --ncu, which tells launches and times"
    )]
    Absent,
    /// The driver does not let this user count.
    #[error(
        "ncu may not read the counters of this GPU ({REFUSED}); hint: run it as an administrator, or load the driver with \
         NVreg_RestrictProfilingToAdminUsers=0"
    )]
    Refused,
    /// It ended with something else.
    #[error("ncu ended with {status}: {said}; hint: the same command by hand says more: {line}")]
    Failed {
        /// How it ended.
        status: String,
        /// The last that it said.
        said: String,
        /// The command.
        line: String,
    },
    /// What it wrote is no table with the metrics that were asked for.
    #[error(
        "what ncu wrote cannot be read: {what}; hint: Nsight Compute 2022.1 and newer are known to write it"
    )]
    Unreadable {
        /// What is wrong with it.
        what: String,
    },
    /// It saw no launch.
    #[error("ncu saw no launch of a run; hint: only one process at a time may profile a GPU")]
    NoLaunch,
}

/// The program.
pub(super) struct Ncu(PathBuf);

impl Ncu {
    pub(super) fn find() -> Result<Ncu, ProfilerError> {
        let toolkits = ["CUDA_HOME", "CUDA_PATH"]
            .into_iter()
            .filter_map(env::var_os);
        let toolkits = toolkits.map(|home| Path::new(&home).join("bin"));
        let path = env::var_os("PATH").unwrap_or_default();
        Ncu::among(env::split_paths(&path).chain(toolkits))
    }

    fn among(folders: impl Iterator<Item = PathBuf>) -> Result<Ncu, ProfilerError> {
        let name = format!("ncu{}", env::consts::EXE_SUFFIX);
        let mut places = folders.map(|folder| folder.join(&name));
        let found = places.find(|place| place.is_file());
        found.map(Ncu).ok_or(ProfilerError::Absent)
    }

    /// The launches of this program where it runs a form of a pipeline so many times, in order.
    pub(super) fn launches(
        &self,
        name: &str,
        form: Form,
        runs: usize,
    ) -> Result<Vec<Launch>, ProfilerError> {
        let mut command = Command::new(&self.0);
        command
            .args(["--csv", "--page", "raw", "--print-units", "base"])
            // Clocks as they are outside of a profiler, and caches as the launch before leaves them.
            .args(["--clock-control", "none", "--cache-control", "none"])
            .args(["--metrics", &METRICS.join(",")])
            .arg(env::current_exe().map_err(|error| failed(&error.to_string(), "", ""))?)
            .args(["pipeline", name, "--form", form.word(), "--bare", "--runs"])
            .arg(runs.to_string());
        let line = line(&command);
        let output = command
            .output()
            .map_err(|error| failed(&error.to_string(), "", &line))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let said = format!("{text}{}", String::from_utf8_lossy(&output.stderr));
        if said.contains(REFUSED) {
            return Err(ProfilerError::Refused);
        }
        if !output.status.success() {
            let last = said.lines().rev().find(|line| !line.trim().is_empty());
            let last = last.unwrap_or("nothing was said");
            return Err(failed(&output.status.to_string(), last, &line));
        }
        sheet::launches(&text).map_err(|what| ProfilerError::Unreadable { what })
    }
}

fn failed(status: &str, said: &str, line: &str) -> ProfilerError {
    ProfilerError::Failed {
        status: status.to_owned(),
        said: said.to_owned(),
        line: line.to_owned(),
    }
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    // few: the words of a command.
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_no_ncu_the_error_says_what_to_install() {
        let Err(error) = Ncu::among([PathBuf::from("no-such-folder")].into_iter()) else {
            panic!("no folder, no program");
        };
        assert!(matches!(error, ProfilerError::Absent));
        let said = error.to_string();
        assert!(
            said.contains("hint: install NVIDIA Nsight Compute"),
            "{said}"
        );
    }

    #[test]
    fn the_command_is_told_as_it_would_be_typed() {
        let mut command = Command::new("ncu");
        command.args(["--csv", "a"]);
        assert_eq!(line(&command), "ncu --csv a");
    }
}
