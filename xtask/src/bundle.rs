//! `cargo xtask bundle`: a folder with everything that a GPU host without Rust needs to check and measure this tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::command::{cargo, read, run as run_command};
use crate::kernels::kernels_hash;
use crate::tree::{root, target_dir};

/// What is copied as it is: where it lies in the tree, and its name in the bundle.
const FILES: &[(&str, &str)] = &[
    ("crates/syntonic-bench/python/gpu_run.py", "run.py"),
    ("crates/syntonic-bench/python/gpu_peers.py", "peers.py"),
    ("crates/syntonic-bench/gpu_cases.json", "gpu_cases.json"),
];
/// Tests of the Python package that need a GPU.
const TESTS: &str = "crates/syntonic-py/tests/gpu";
/// No bundle is larger, in bytes.
const CEILING: u64 = 60_000_000;

/// Where the bundle goes and what is in it.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder to make; the default is `bundle` in the target folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Build in release, as users get it; else as the tests do, with overflow checks
    #[arg(long)]
    release: bool,
    /// A wheel to put in
    #[arg(long, value_name = "FILE")]
    wheel: Option<PathBuf>,
}

/// Builds the program and puts the bundle together. Outcomes in an earlier bundle's folder stay.
pub(crate) fn run(options: &Options) -> Result<()> {
    let root = root()?;
    let out = match &options.out {
        Some(out) => std::path::absolute(out)?,
        None => target_dir()?.join("bundle"),
    };
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    program(options.release, &out)?;
    for (from, name) in FILES {
        fs::copy(root.join(from), out.join(name)).with_context(|| (*from).to_owned())?;
    }
    if root.join(TESTS).is_dir() {
        copy_folder(&root.join(TESTS), &out.join("tests"))?;
    }
    if let Some(wheel) = &options.wheel {
        let name = wheel.file_name().context("the wheel has no name")?;
        fs::copy(wheel, out.join(name)).with_context(|| wheel.display().to_string())?;
    }
    fs::write(out.join("origin.json"), origin(&root)?)?;
    let bytes = size(&out)?;
    ensure!(
        bytes < CEILING,
        "the bundle has {bytes} bytes, more than {CEILING}"
    );
    println!("{}: {:.1} MB", out.display(), bytes as f64 / 1e6);
    Ok(())
}

/// The program without its symbols, packed: most of it is the text of kernels, and `run.py` unpacks it.
fn program(release: bool, out: &Path) -> Result<()> {
    let mut build = cargo()?;
    build.args(["build", "--locked", "--package", "syntonic-bench"]);
    build.args(["--bin", "syntonic-gpu"]);
    if release {
        build.arg("--release");
    }
    run_command(&mut build)?;
    let folder = if release { "release" } else { "debug" };
    let built = target_dir()?.join(folder).join("syntonic-gpu");
    run_command(
        Command::new("strip")
            .arg("-o")
            .arg(out.join("syntonic-gpu"))
            .arg(built),
    )?;
    run_command(
        Command::new("gzip")
            .arg("--force")
            .arg(out.join("syntonic-gpu")),
    )
}

/// What the bundle is made from. A tree with changes that are not committed is not its commit.
fn origin(root: &Path) -> Result<String> {
    let git = |words: &[&str]| read(Command::new("git").current_dir(root).args(words));
    let mut commit = git(&["rev-parse", "HEAD"])?;
    if !git(&["status", "--porcelain"])?.is_empty() {
        commit.push_str(" with changes");
    }
    let origin = json!({ "kernels_hash": kernels_hash(root)?, "commit": commit });
    Ok(serde_json::to_string_pretty(&origin)?)
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), target)?;
        } else if entry.file_name() != "__pycache__" {
            copy_folder(&entry.path(), &target)?;
        }
    }
    Ok(())
}

fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes += match entry.file_type()?.is_dir() {
            true => size(&entry.path())?,
            false => entry.metadata()?.len(),
        };
    }
    Ok(bytes)
}
