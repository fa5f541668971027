//! Tools of cargo's that a command needs: one pinned version each, compiled once into the target folder.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::command::{cargo, run};
use crate::steps::begin;
use crate::tree::target_dir;

/// A published subcommand of cargo.
pub(crate) struct Tool {
    /// The crate, which is the program's name too.
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// What else `cargo install` is told.
    pub(crate) options: &'static [&'static str],
    /// How long compiling it takes.
    pub(crate) time: &'static str,
}

impl Tool {
    /// The program.
    pub(crate) fn installed(&self) -> Result<PathBuf> {
        let label = format!("{}-{}", self.name, self.version);
        let home = target_dir()?.join("tools").join(&label);
        let program =
            home.join("bin")
                .join(format!("{}{}", self.name, std::env::consts::EXE_SUFFIX));
        if !program.is_file() {
            begin(
                &format!("{} {} into target/tools", self.name, self.version),
                self.time,
            );
            let mut command = cargo()?;
            command.args(["install", "--locked", "--quiet", self.name]);
            command
                .args(["--version", self.version, "--root"])
                .arg(&home);
            command.args(self.options);
            command.env("CARGO_TARGET_DIR", target_dir()?.join("tools/build"));
            run(&mut command).context(
                "the tool is fetched once, so this step needs a network or a local mirror",
            )?;
        }
        ensure!(
            program.is_file(),
            "cargo install made no {}",
            program.display()
        );
        Ok(program)
    }
}
