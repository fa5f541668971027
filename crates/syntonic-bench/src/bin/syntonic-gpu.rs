//! `syntonic-gpu`: what only a machine with a GPU can tell.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use syntonic_bench::gpu::{Gpu, checks, run};

/// Checks Syntonic on a GPU.
#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compares the GPU with the CPU over operators, dtypes and layouts
    Parity {
        /// Only checks whose name contains this
        #[arg(long, default_value = "")]
        filter: String,
        /// Which GPU
        #[arg(long, default_value_t = 0)]
        gpu: u32,
        /// Write the outcome to FILE as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Lists the checks by name
    List,
}

fn main() -> Result<()> {
    match Options::parse().command {
        Command::List => {
            for check in checks() {
                println!("{}", check.name);
            }
            Ok(())
        }
        Command::Parity { filter, gpu, json } => parity(&filter, gpu, json),
    }
}

fn parity(filter: &str, ordinal: u32, json: Option<PathBuf>) -> Result<()> {
    let gpu = Gpu {
        device: syntonic_cuda::device(ordinal)?,
    };
    let report = run(&gpu, filter);
    for (name, seconds) in &report.slowest {
        println!("{seconds:8.2} s  {name}");
    }
    println!(
        "{} passed, {} failed, {} skipped",
        report.passed,
        report.failed.len(),
        report.skipped
    );
    if let Some(path) = json {
        let text = serde_json::to_string_pretty(&report)?;
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    ensure!(report.passed > 0, "no check has the name {filter:?}");
    ensure!(
        report.failed.is_empty() && report.skipped == 0,
        "the GPU differs from the CPU"
    );
    Ok(())
}
