//! `cargo xtask portable`: whether the published crates compile for other systems and with the oldest Rust that they promise.
//!
//! Nothing is linked and nothing runs: a machine of that kind is not needed. Standard libraries and toolchains that are missing are
//! fetched with `rustup`.

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::command::run;
use crate::packages::PUBLISHED;
use crate::steps;
use crate::tree::{root, target_dir};

/// Systems that users have besides 64-bit Linux on x86.
const TARGETS: [&str; 4] = [
    "x86_64-pc-windows-msvc",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "aarch64-unknown-linux-gnu",
];

/// Checks everything, and then says what did not compile.
pub(crate) fn check() -> Result<()> {
    let oldest = oldest_rust()?;
    let mut failed = Vec::new();
    for target in TARGETS {
        steps::begin(&format!("for {target}"), "two minutes the first time");
        run(rustup()?.args(["target", "add", target]))?;
        if compile(&["--target", target], None).is_err() {
            failed.push(target.to_owned());
        }
    }
    steps::begin(&format!("with Rust {oldest}"), "two minutes the first time");
    run(rustup()?.args(["toolchain", "install", "--profile", "minimal", &oldest]))?;
    if compile(&[], Some(&oldest)).is_err() {
        failed.push(format!("Rust {oldest}"));
    }
    ensure!(failed.is_empty(), "not compiled: {}", failed.join(", "));
    Ok(())
}

/// Checks the published crates in a folder of its own, so that no other build starts anew.
fn compile(more: &[&str], toolchain: Option<&str>) -> Result<()> {
    let mut command = Command::new("rustup");
    // The toolchain that runs this command is named as any other is.
    let toolchain = match toolchain {
        Some(toolchain) => toolchain.to_owned(),
        None => std::env::var("RUSTUP_TOOLCHAIN").context("cargo was not started by rustup")?,
    };
    command.args(["run", &toolchain, "cargo", "check", "--locked", "--quiet"]);
    command.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    command.args(more);
    command.env("RUSTFLAGS", "-D warnings");
    command.env("CARGO_TARGET_DIR", target_dir()?.join("elsewhere"));
    command
        .env_remove("RUSTC")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    run(command.current_dir(root()?))
}

fn rustup() -> Result<Command> {
    let found = Command::new("rustup").arg("--version").output();
    match found.is_ok_and(|output| output.status.success()) {
        true => Ok(Command::new("rustup")),
        false => {
            bail!("there is no rustup here, which fetches standard libraries of other systems")
        }
    }
}

/// `rust-version` of the workspace.
fn oldest_rust() -> Result<String> {
    let manifest = std::fs::read_to_string(root()?.join("Cargo.toml"))?;
    let line = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = \""));
    let version = line.and_then(|rest| rest.strip_suffix('"'));
    Ok(version
        .context("Cargo.toml has no rust-version")?
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_says_its_oldest_rust() {
        let version = oldest_rust().unwrap();
        assert!(version.split('.').count() >= 2, "{version}");
    }
}
