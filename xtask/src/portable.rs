//! `cargo xtask portable`: whether the published crates compile for other systems and with the oldest Rust that they promise, and the
//! Python package for an interpreter without a global lock.
//!
//! Nothing is linked and nothing runs: a machine of that kind is not needed. Standard libraries and toolchains that are missing are
//! fetched with `rustup`.

use std::fs;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::command::run;
use crate::packages::PUBLISHED;
use crate::steps;
use crate::tree::{root, target_dir};
use crate::wheel::FREE_THREADED;

/// Systems that users have besides 64-bit Linux on x86.
const TARGETS: [&str; 4] = [
    "x86_64-pc-windows-msvc",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "aarch64-unknown-linux-gnu",
];

/// Checks everything, and then says how long each took and what did not compile.
pub(crate) fn check() -> Result<()> {
    let oldest = oldest_rust()?;
    let mut outcomes = Vec::new();
    let mut measure = |what: String, check: &dyn Fn() -> Result<()>| {
        steps::begin(&what, "four minutes the first time");
        let start = Instant::now();
        let failed = check().is_err();
        outcomes.push((what, failed, start.elapsed().as_secs_f64()));
    };
    for target in TARGETS {
        run(rustup()?.args(["target", "add", target]))?;
        measure(format!("for {target}"), &|| {
            run(published(&mut cargo_check(None)?).args(["--target", target]))
        });
    }
    run(rustup()?.args(["toolchain", "install", "--profile", "minimal", &oldest]))?;
    measure(format!("with Rust {oldest}"), &|| {
        run(published(&mut cargo_check(Some(&oldest))?))
    });
    measure(format!("for Python {FREE_THREADED}t"), &free_threaded);
    for (what, failed, seconds) in &outcomes {
        let outcome = if *failed { "not compiled" } else { "compiled" };
        println!("{what:<30} {outcome:<12} {seconds:>7.1} s");
    }
    let failed: Vec<&str> = outcomes
        .iter()
        .filter_map(|(what, failed, _)| failed.then_some(what.as_str()))
        .collect();
    ensure!(failed.is_empty(), "not compiled: {}", failed.join(", "));
    Ok(())
}

/// Checks the Python package as for an interpreter without a global lock, which need not be here: PyO3 is told what it would ask it.
/// Its stable interface is left aside by PyO3 there.
fn free_threaded() -> Result<()> {
    let interpreter = format!(
        "implementation=CPython\nversion={FREE_THREADED}\ntarget_abi=CPython-free_threaded-{FREE_THREADED}\nshared=true\n\
         pointer_width=64\nbuild_flags=Py_GIL_DISABLED\nsuppress_build_script_link_lines=true\n"
    );
    let folder = target_dir()?.join("elsewhere");
    fs::create_dir_all(&folder)?;
    let told = folder.join("free-threaded.txt");
    // An older file by the same text compiles nothing anew.
    if fs::read_to_string(&told).ok().as_deref() != Some(&interpreter) {
        fs::write(&told, interpreter)?;
    }
    let mut command = cargo_check(None)?;
    run(command
        .args(["--package", "syntonic-py"])
        .env("PYO3_CONFIG_FILE", told))
}

fn published(command: &mut Command) -> &mut Command {
    command.args(PUBLISHED.iter().flat_map(|name| ["--package", name]))
}

/// `cargo check` in a folder of its own, so that no other build starts anew.
fn cargo_check(toolchain: Option<&str>) -> Result<Command> {
    let mut command = Command::new("rustup");
    // The toolchain that runs this command is named as any other is.
    let toolchain = match toolchain {
        Some(toolchain) => toolchain.to_owned(),
        None => std::env::var("RUSTUP_TOOLCHAIN").context("cargo was not started by rustup")?,
    };
    command.args(["run", &toolchain, "cargo", "check", "--locked", "--quiet"]);
    command.env("RUSTFLAGS", "-D warnings");
    command.env("CARGO_TARGET_DIR", target_dir()?.join("elsewhere"));
    command
        .env_remove("RUSTC")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    command.current_dir(root()?);
    Ok(command)
}

/// `rustup`, if it is there.
pub(crate) fn rustup() -> Result<Command> {
    let found = Command::new("rustup").arg("--version").output();
    match found.is_ok_and(|output| output.status.success()) {
        true => Ok(Command::new("rustup")),
        false => {
            bail!("there is no rustup here, which has other toolchains and what belongs to them")
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
