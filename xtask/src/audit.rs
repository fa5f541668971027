//! `cargo xtask audit`: which of the crates in `Cargo.lock` have a known advisory.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::run as run_command;
use crate::tool::Tool;
use crate::tree::root;

/// Reads the lock file beside RustSec's advisories. Programs are not looked into, so what reads them is left out.
const AUDIT: Tool = Tool {
    name: "cargo-audit",
    version: "0.22.2",
    options: &["--no-default-features"],
    time: "ten minutes, once",
};

/// Where the advisories come from.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A checkout of RustSec's advisory-db, for a machine that cannot fetch it
    #[arg(long, value_name = "FOLDER")]
    db: Option<PathBuf>,
}

/// Vulnerabilities are an error, and so are crates that nobody keeps any more or that were withdrawn.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut command = Command::new(AUDIT.installed()?);
    command.args(["audit", "--deny", "warnings", "--file"]);
    command.arg(root()?.join("Cargo.lock"));
    if let Some(db) = &options.db {
        let db = db
            .canonicalize()
            .with_context(|| format!("there is no folder {}", db.display()))?;
        command.args(["--no-fetch", "--stale", "--db"]).arg(db);
    }
    run_command(&mut command)
        .context("an advisory is met by a newer version of the crate, or listed with its reason in .cargo/audit.toml")
}
