//! `cargo xtask hostile`: damaged files, killed writers and full disks, at length.
//!
//! The tests are those of `syntonic-srt`, which every `cargo xtask test` runs for some seconds; here they run with other
//! numbers, under the address sanitizer if asked, and show their tables.

use anyhow::Result;

use crate::asan;
use crate::command::{cargo, run as run_command};

/// Flags of the compiler that put a counter into every branch.
const COUNTERS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters";

/// How much of it.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Damaged files of each format
    #[arg(long, default_value_t = 20_000)]
    mutants: u64,
    /// Only formats with this in their names, such as npz
    #[arg(long)]
    format: Option<String>,
    /// Seconds in which two processes save to one path, for each format
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Processes killed while they save, for each format
    #[arg(long, default_value_t = 50)]
    kills: u64,
    /// Another one damages other bytes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// With every memory access checked
    #[arg(long)]
    asan: bool,
    /// With counters in every branch: files that reach new ones are damaged further. Also checks memory
    #[arg(long)]
    guided: bool,
    /// Only tests whose name contains one of these
    filters: Vec<String>,
}

/// Runs them one after the other, so that times are those of one program.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut command = cargo()?;
    command.args(["test", "--locked", "--package", "syntonic-srt"]);
    command.args(["--test", "hostile"]);
    if options.asan || options.guided {
        asan::sanitize(&mut command, if options.guided { COUNTERS } else { "" })?;
    }
    command.args(["--", "--nocapture", "--test-threads", "1"]);
    command.args(&options.filters);
    let numbers = [
        ("SYNTONIC_HOSTILE_MUTANTS", options.mutants),
        ("SYNTONIC_HOSTILE_MILLISECONDS", 1000 * options.seconds),
        ("SYNTONIC_HOSTILE_KILLS", options.kills),
        ("SYNTONIC_HOSTILE_SEED", options.seed),
    ];
    for (name, number) in numbers {
        command.env(name, number.to_string());
    }
    if let Some(format) = &options.format {
        command.env("SYNTONIC_HOSTILE_FORMAT", format);
    }
    run_command(&mut command)
}
