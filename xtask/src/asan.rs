//! `cargo xtask asan`: the core crate's tests with every memory access checked.
//!
//! The sanitizer is part of the stable toolchain but its switch is not, hence `RUSTC_BOOTSTRAP`, for this one build only
//! and in a target folder of its own. Overflow of a buffer, use after free and leaks end the run.

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
    // With --target, build scripts and procedural macros are compiled without the flag.
    command.args([
        "test",
        "--locked",
        "--package",
        "syntonic-core",
        "--lib",
        "--tests",
        "--target",
        &host()?,
    ]);
    command.arg("--target-dir").arg(target_dir()?.join("asan"));
    command.args(["--"]).args(&options.filters);
    command
        .env("RUSTC_BOOTSTRAP", "1")
        // Tests ask for impossible sizes and expect an error, as the system's allocator gives one.
        .env("ASAN_OPTIONS", "allocator_may_return_null=1")
        .env("RUSTFLAGS", "-Zsanitizer=address");
    run_command(&mut command)
}

fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = read(std::process::Command::new(rustc).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}
