//! `cargo xtask miri`: unit tests of the core crate in an interpreter that knows what Rust's memory is: every access is inside of its
//! allocation, aligned, initialised and by a pointer that may make it, also where a processor would not mind.
//!
//! It is some thousand times slower than a processor and has no instructions but the plain ones, so it runs the tests of what the rest is
//! built on: layouts, memory, programs and their lowering, and walks over elements. Under `cfg(miri)` the lanes are those of the plain
//! level and blocks are not mapped. Of products, decompositions and files it knows nothing: `cargo xtask asan` runs all tests.

use anyhow::{Result, ensure};

use crate::command::{read, run as run_command};
use crate::portable::rustup;
use crate::tree::{root, target_dir};

/// Where the interpreter is: it comes with no stable toolchain.
const TOOLCHAIN: &str = "nightly";
/// What of the toolchain has to be there.
const COMPONENTS: [&str; 2] = ["miri", "rust-src"];

/// Modules whose unit tests need no wide instructions, no files and little time.
const TESTS: [&str; 20] = [
    "buffer::",
    "cpu::exec::space",
    "cpu::lanes::level",
    "cpu::lanes::moves",
    "cpu::memory",
    "device::",
    "dtype::",
    "fuse::backward",
    "fuse::builder",
    "fuse::check",
    "fuse::interpreter",
    "fuse::known",
    "fuse::typed::tests",
    "interrupt::",
    "layout::",
    "ops::conversion",
    "ops::join",
    "room::",
    "scalar::",
    "tensor::iterate",
];

/// Which tests run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only tests whose name contains one of these; without one, those of the modules that need no SIMD, no files and little time
    filters: Vec<String>,
}

/// Looks for the interpreter, says how to get it where it is not there, and runs the tests in it.
pub(crate) fn run(options: &Options) -> Result<()> {
    check_components()?;
    let mut command = rustup()?;
    command.args(["run", TOOLCHAIN, "cargo", "miri", "test", "--locked"]);
    command.args(["--package", "syntonic-core", "--lib", "--"]);
    match &options.filters[..] {
        [] => command.args(TESTS),
        filters => command.args(filters),
    };
    command
        .current_dir(root()?)
        // Clocks and the settings of the environment are the host's; helpers may still wait for work when the last test is done.
        .env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-ignore-leaks")
        .env("RAYON_NUM_THREADS", "2")
        .env("CARGO_TARGET_DIR", target_dir()?.join("miri"));
    for inherited in ["RUSTC", "RUSTUP_TOOLCHAIN", "CARGO", "RUSTFLAGS"] {
        command.env_remove(inherited);
    }
    run_command(&mut command)
}

/// An error with the way out where a component is missing.
fn check_components() -> Result<()> {
    let mut list = rustup()?;
    list.args(["component", "list", "--installed", "--toolchain", TOOLCHAIN]);
    let there = read(&mut list).unwrap_or_default();
    let absent = missing(&there);
    ensure!(
        absent.is_empty(),
        "the {TOOLCHAIN} toolchain is not there, or lacks {}; get it with\n    rustup toolchain install {TOOLCHAIN} --profile minimal --component {}",
        absent.join(" and "),
        COMPONENTS.join(" --component ")
    );
    Ok(())
}

/// Components that are not among those that are listed, one a line, as `miri-x86_64-unknown-linux-gnu`.
fn missing(there: &str) -> Vec<&'static str> {
    let is_there = |name: &&str| there.lines().any(|line| line.starts_with(*name));
    COMPONENTS
        .into_iter()
        .filter(|name| !is_there(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(missing(""), COMPONENTS);
        assert_eq!(
            missing("cargo-x86_64-unknown-linux-gnu\nrust-src\n"),
            ["miri"]
        );
        assert!(missing("miri-aarch64-apple-darwin\nrust-src").is_empty());
    }
}
