//! `cargo xtask tsan`: tests of what threads share, with every access to memory compared with those of other threads: the team of the
//! CPU, its blocks of memory, expressions that one thread reads while another writes, and ranks that are threads.
//!
//! The sanitizer sees what it has compiled. With `rust-src` beside the compiler the standard library is compiled with it; without, the
//! library's own locks are not seen, and `xtask/tsan.txt` names what it reports of them, with a reason each. As in `asan`, the switch
//! is unstable and the sanitizer is not.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::asan::host;
use crate::command::{cargo, read, run as run_command};
use crate::tree::{root, target_dir};

/// Modules of the core crate with unit tests of several threads.
const TESTS: [&str; 10] = [
    "buffer::",
    "cpu::memory",
    "cpu::pool",
    "cpu::team",
    "cpu::threads",
    "graph::",
    "group::",
    "interrupt::",
    "lazy::",
    "profile::",
];
/// Tests beside it in which threads read and write one memory.
const BESIDE: [&str; 2] = ["lazy_random", "lazy_memory"];

/// Which tests run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only unit tests whose name contains one of these; without one, those of the modules that threads share, and random expressions
    filters: Vec<String>,
}

/// Compiles the tests for the host with the sanitizer, and runs them; a report ends the run.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut unit = sanitized(&["--lib"])?;
    match &options.filters[..] {
        [] => unit.args(TESTS),
        filters => unit.args(filters),
    };
    run_command(&mut unit)?;
    if options.filters.is_empty() {
        let names: Vec<&str> = BESIDE.iter().flat_map(|name| ["--test", name]).collect();
        run_command(&mut sanitized(&names)?)?;
    }
    Ok(())
}

/// `cargo test` of these targets of the core crate, up to the arguments of the tests.
fn sanitized(targets: &[&str]) -> Result<Command> {
    let mut command = cargo()?;
    let host = host()?;
    command.args(["test", "--locked", "--package", "syntonic-core"]);
    command.args(targets);
    // With --target, build scripts and procedural macros are compiled without the flag.
    command.args(["--target", &host]);
    command.arg("--target-dir").arg(target_dir()?.join("tsan"));
    let mut flags = "-Zsanitizer=thread".to_owned();
    let sysroot = sysroot()?;
    if has_source(Path::new(&sysroot)) {
        command.arg("-Zbuild-std");
    } else {
        check_runtime(Path::new(&sysroot), &host)?;
        eprintln!(
            "there is no rust-src beside the compiler: the standard library's own locks are not seen, and reports of them are left out (xtask/tsan.txt)"
        );
        flags += " -Cunsafe-allow-abi-mismatch=sanitizer";
    }
    let known = root()?.join("xtask").join("tsan.txt");
    command
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", flags)
        // Tests ask for impossible sizes and expect an error, as the system's allocator gives one.
        .env(
            "TSAN_OPTIONS",
            format!(
                "suppressions={} allocator_may_return_null=1 second_deadlock_stack=1",
                known.display()
            ),
        )
        .env("SYNTONIC_LAZY_GRAPHS", "60");
    command.arg("--");
    Ok(command)
}

/// Where the compiler's libraries are.
fn sysroot() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    read(Command::new(rustc).args(["--print", "sysroot"]))
}

fn has_source(sysroot: &Path) -> bool {
    sysroot
        .join("lib/rustlib/src/rust/library/Cargo.lock")
        .is_file()
}

/// An error with the way out where the compiler has no sanitizer for threads.
fn check_runtime(sysroot: &Path, host: &str) -> Result<()> {
    let libraries = sysroot.join("lib/rustlib").join(host).join("lib");
    let listing = std::fs::read_dir(&libraries)
        .with_context(|| format!("cannot list {}", libraries.display()))?;
    let mut names = listing
        .filter_map(|entry| entry.ok())
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    ensure!(
        names.any(|name| name.contains("_rt.tsan")),
        "the compiler has no thread sanitizer for {host}; it is there for x86-64 and 64-bit ARM on Linux and macOS: run this on one of these"
    );
    Ok(())
}
