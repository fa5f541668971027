//! `cargo xtask semver --since REV`: what a release breaks of the public interface of the published crates.
//!
//! Nothing is published yet, so the interface is compared with that of a revision of this repository.

use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{read, run as run_command};
use crate::packages::PUBLISHED;
use crate::steps::begin;
use crate::tool::Tool;
use crate::tree::{root, target_dir};

/// A well-kept tool, which reads the documents that rustdoc makes of both versions; another version of it knows other rules.
const SEMVER_CHECKS: Tool = Tool {
    name: "cargo-semver-checks",
    version: "0.51.0",
    options: &[],
    time: "ten minutes, once",
};

/// With what the tree is compared.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The revision that was released last: a tag, a branch or a commit
    #[arg(long, value_name = "REV")]
    since: String,
}

/// Compares each published crate with what it was at the revision. What breaks users without a version that says so is an error.
pub(crate) fn run(options: &Options) -> Result<()> {
    let commit = format!("{}^{{commit}}", options.since);
    let mut git = Command::new("git");
    git.current_dir(root()?).args(["rev-parse", "--verify"]);
    let commit = read(git.arg(&commit))
        .with_context(|| format!("{} names no revision of this repository", options.since))?;
    let tool = SEMVER_CHECKS.installed()?;
    begin("the interfaces of both versions", "five minutes");
    let mut command = Command::new(tool);
    command.args(["semver-checks", "--baseline-rev", &commit]);
    command.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    command.current_dir(root()?);
    command.env("CARGO_TARGET_DIR", target_dir()?.join("semver"));
    run_command(&mut command)
}
