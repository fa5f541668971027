//! `cargo xtask asan`: the core crate's tests with every memory access checked.
//!
//! The sanitizer is part of the stable toolchain but its switch is not, hence `RUSTC_BOOTSTRAP`, for this one build only
//! and in a target folder of its own. Overflow of a buffer, use after free and leaks end the run.

use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{cargo, read, run as run_command};
use crate::tree::target_dir;

/// Which tests run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only tests whose name contains one of these
    filters: Vec<String>,
}

/// Compiles the library's unit tests and those beside it for the host with the sanitizer, and runs them.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut command = cargo()?;
    command.args([
        "test",
        "--locked",
        "--package",
        "syntonic-core",
        "--lib",
        "--tests",
    ]);
    sanitize(&mut command, "")?;
    command.args(["--"]).args(&options.filters);
    run_command(&mut command)
}

/// Has a command of cargo compile for the host with the sanitizer and these flags, in a folder of its own.
pub(crate) fn sanitize(command: &mut Command, flags: &str) -> Result<()> {
    // With --target, build scripts and procedural macros are compiled without the flag.
    command.args(["--target", &host()?]);
    command.arg("--target-dir").arg(target_dir()?.join("asan"));
    command
        .env("RUSTC_BOOTSTRAP", "1")
        // Tests ask for impossible sizes and expect an error, as the system's allocator gives one.
        .env("ASAN_OPTIONS", "allocator_may_return_null=1")
        .env("RUSTFLAGS", format!("-Zsanitizer=address {flags}"));
    Ok(())
}

/// The triple that the compiler compiles for by itself.
pub(crate) fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = read(Command::new(rustc).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}
