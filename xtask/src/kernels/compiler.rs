//! The CUDA compiler: finding one of exactly our version, and running it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::architecture::Architecture;
use super::family::{Family, Sources};
use crate::command::read;
use crate::venv::{Purpose, Venv};

/// The one version whose PTX is committed: another one, also an older or newer one of the same release, may write other
/// bytes for the same source, and from 13.1 on an instruction set that the drivers of release 13.0 refuse.
pub(super) const VERSION: &str = "13.0.88";

/// Headers of ours, relative to the root, as the compiler is told.
pub(super) const INCLUDE: &str = "kernels/include";

/// Everything the compiler is told but the architecture. No contraction behind a formula's back: `fma` is a primitive.
pub(super) const FLAGS: &[&str] = &["-ptx", "-O3", "-std=c++17", "--fmad=false", "-I", INCLUDE];

pub(super) struct Compiler(PathBuf);

impl Compiler {
    /// The first compiler of our version in `CUDA_HOME` and `PATH`, else the pinned one. Others are named with the reason
    /// why they are not taken.
    pub(super) fn find() -> Result<Self> {
        for place in installed() {
            match examine(&place) {
                Ok(()) => return Ok(Self(place)),
                Err(reason) => eprintln!("not taken: {}: {reason:#}", place.display()),
            }
        }
        let pinned = Venv::ready(Purpose::Nvcc)?.packaged("nvidia/cu13/bin/nvcc")?;
        examine(&pinned).context("the pinned packages hold another compiler than expected")?;
        Ok(Self(pinned))
    }

    /// Compiles one image to `output`, from the root, so that the compiler sees relative paths where it can.
    pub(super) fn compile(
        &self,
        sources: &Sources,
        family: &Family,
        architecture: Architecture,
        output: &Path,
    ) -> Result<()> {
        let source = sources.place(&family.source);
        let mut command = Command::new(&self.0);
        command
            .current_dir(&sources.root)
            .args(FLAGS)
            .arg("-I")
            .arg(&sources.generated)
            .arg(format!("-arch=compute_{architecture}"))
            .arg(source.strip_prefix(&sources.root).unwrap_or(&source))
            .arg("-o")
            .arg(output);
        let output = command
            .output()
            .with_context(|| format!("cannot start {}", self.0.display()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}", said.trim());
        if !said.trim().is_empty() {
            eprintln!("{}", said.trim());
        }
        Ok(())
    }
}

/// Compilers that somebody installed, in the order in which they are asked.
fn installed() -> Vec<PathBuf> {
    let name = format!("nvcc{}", env::consts::EXE_SUFFIX);
    let home = env::var_os("CUDA_HOME").filter(|home| !home.is_empty());
    let home = home.map(|home| Path::new(&home).join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = home.into_iter().chain(env::split_paths(&path));
    let mut found: Vec<PathBuf> = folders
        .map(|folder| folder.join(&name))
        .filter(|place| place.is_file())
        .collect();
    found.dedup();
    found
}

fn examine(compiler: &Path) -> Result<()> {
    accept(&read(Command::new(compiler).arg("--version"))?)
}

/// Reads what `nvcc --version` says.
fn accept(text: &str) -> Result<()> {
    let version = text
        .split_once("release ")
        .and_then(|(_, rest)| rest.split_once(", V"))
        .and_then(|(_, rest)| rest.split_whitespace().next());
    match version {
        Some(VERSION) => Ok(()),
        Some(other) => bail!(
            "it is nvcc {other}; only {VERSION} writes the committed bytes, and releases after 13.0 write PTX that drivers of that release refuse"
        ),
        None => bail!("it does not say its version as nvcc does"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_version_is_taken() {
        let says = |release: &str, version: &str| {
            accept(&format!(
                "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release {release}, V{version}\nBuild x"
            ))
        };
        assert!(says("13.0", VERSION).is_ok());
        for (release, version) in [
            ("13.1", "13.1.80"),
            ("12.8", "12.8.93"),
            ("13.0", "13.0.48"),
        ] {
            let reason = says(release, version).unwrap_err().to_string();
            assert!(reason.contains(version), "{reason}");
        }
        assert!(accept("clang version 19").is_err());
    }

    #[test]
    fn the_compiler_and_the_pins_are_of_one_version() {
        let pins = include_str!("../../requirements-nvcc.txt");
        assert!(pins.contains(&format!("nvidia-cuda-nvcc=={VERSION}\n")));
        assert!(pins.contains(&format!("nvidia-nvvm=={VERSION}\n")));
    }
}
