//! `cargo xtask bench --report FILE.html`: what was measured, as a page that needs nothing but itself.

mod chart;
mod page;
mod rows;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::gpu_record;

/// Draws the committed records of GPUs, and the results of the CPU benchmark in `results`.
pub(crate) fn write(file: &Path, results: &[PathBuf]) -> Result<()> {
    let mut sources = Vec::new();
    for from in gpu_record::files()?.iter().chain(results) {
        let named = || from.display().to_string();
        let text = fs::read_to_string(from).with_context(named)?;
        let value: Value = serde_json::from_str(&text).with_context(named)?;
        sources.push(rows::source(&value).with_context(named)?);
    }
    for source in &sources {
        for (name, suite) in &source.suites {
            println!("{}, {name}: {suite}", source.title);
        }
    }
    fs::write(file, page::page(&sources)).with_context(|| file.display().to_string())?;
    let drawn: usize = sources.iter().map(|source| source.rows.len()).sum();
    println!(
        "{}: {drawn} rows of {} machines",
        file.display(),
        sources.len()
    );
    Ok(())
}
