//! Whether each crate that is meant to be published can be packed on its own.

use anyhow::{Context, Result, ensure};

use crate::command::cargo;

/// What users get from a registry.
pub(crate) const PUBLISHED: [&str; 3] = ["syntonic-core", "syntonic-cuda", "syntonic-srt"];

/// Packs all of them together, as one release would. A warning of cargo about a manifest is a failure here.
///
/// The packed crates are not compiled once more: their files are those of the tree, which the tests compile.
pub(crate) fn check() -> Result<()> {
    let mut command = cargo()?;
    command.args([
        "package",
        "--locked",
        "--offline",
        "--allow-dirty",
        "--no-verify",
        "--quiet",
    ]);
    command.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    let output = command.output().context("cannot start cargo package")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success() && !complaint.contains("warning"),
        "cargo package: {}",
        complaint.trim()
    );
    Ok(())
}
