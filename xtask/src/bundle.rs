//! `cargo xtask bundle`: a folder with everything that a GPU host without Rust needs to check and measure this tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::command::{cargo, read, run as run_command};
use crate::kernels::cubins::Cards;
use crate::kernels::kernels_hash;
use crate::pytorch;
use crate::tree::{root, target_dir};
use crate::venv::{Purpose, Venv};
use crate::wheel::{self, Profile};

/// What is copied as it is: where it lies in the tree, and its name in the bundle.
const FILES: &[(&str, &str)] = &[
    ("crates/syntonic-bench/python/gpu_run.py", "run.py"),
    ("crates/syntonic-bench/python/gpu_known.py", "known.py"),
    ("crates/syntonic-bench/python/gpu_parity.py", "parity.py"),
    (
        "crates/syntonic-bench/python/gpu_sanitizer.py",
        "sanitizer.py",
    ),
    ("crates/syntonic-bench/python/gpu_suites.py", "suites.py"),
    ("crates/syntonic-bench/python/gpu_peers.py", "peers.py"),
    ("crates/syntonic-bench/python/gpu_checks.py", "checks.py"),
    ("crates/syntonic-bench/python/gpu_layers.py", "layers.py"),
    (
        "crates/syntonic-bench/python/gpu_formulas.py",
        "formulas.py",
    ),
    (
        "crates/syntonic-bench/python/gpu_products.py",
        "products.py",
    ),
    (
        "crates/syntonic-bench/python/gpu_pipelines.py",
        "pipelines.py",
    ),
    (
        "crates/syntonic-bench/python/gpu_optimizers.py",
        "optimizers.py",
    ),
    ("crates/syntonic-bench/python/gpu_factors.py", "factors.py"),
    (
        "crates/syntonic-bench/python/gpu_searches.py",
        "searches.py",
    ),
    ("crates/syntonic-bench/python/gpu_blocks.py", "blocks.py"),
    (
        "crates/syntonic-bench/python/gpu_anything.py",
        "anything.py",
    ),
    ("crates/syntonic-bench/python/gpu_timing.py", "timing.py"),
    ("crates/syntonic-bench/python/gpu_first.py", "first.py"),
    ("crates/syntonic-bench/python/gpu_start.py", "start.py"),
    ("crates/syntonic-bench/gpu_cases.json", "gpu_cases.json"),
    ("crates/syntonic-py/examples/digits.py", "digits.py"),
    // What the tests of both devices go over.
    ("crates/syntonic-py/tests/calls.py", "tests/calls.py"),
    ("crates/syntonic-py/tests/hostile.py", "tests/hostile.py"),
    (
        "crates/syntonic-py/tests/numpy_names.py",
        "tests/numpy_names.py",
    ),
    (
        "crates/syntonic-py/tests/test_numpy_random.py",
        "tests/test_numpy_random.py",
    ),
];
/// Writes the images of the demonstration, which a GPU host need not have scikit-learn for.
const DIGITS: &str = "import sys, numpy; from sklearn.datasets import load_digits; d = load_digits(); \
    numpy.savez_compressed(sys.argv[1], data=d.data.astype('uint8'), target=d.target)";
/// Tests of the Python package that need a GPU.
const TESTS: &str = "crates/syntonic-py/tests/gpu";
/// What is known already: a record of the same kernels is gone on with.
const RECORDS: &str = "crates/syntonic-bench/records";
/// What each primitive takes on a card, which random programs are compared with.
const ARITHMETIC: &str = "crates/syntonic-bench/arithmetic";
/// Where the program finds the kernels as machine code, beside itself.
const CUBINS: &str = "cubins";
/// No bundle is larger, in bytes.
const CEILING: u64 = 60_000_000;

/// Where the bundle goes and what is in it.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder to make; the default is `bundle` in the target folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Build as users get it, in the profile `dist`; else as the tests do, with overflow checks
    #[arg(long)]
    release: bool,
    #[command(flatten)]
    cards: Cards,
}

/// Builds the program and the wheel and puts the bundle together. Outcomes in an earlier bundle's folder stay.
pub(crate) fn run(options: &Options) -> Result<()> {
    let root = root()?;
    let out = match &options.out {
        Some(out) => std::path::absolute(out)?,
        None => target_dir()?.join("bundle"),
    };
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    let venv = Venv::ready(Purpose::Project)?;
    programs(options, &venv, &out)?;
    run_command(
        venv.python()?
            .args(["-c", DIGITS])
            .arg(out.join("digits.npz")),
    )?;
    fs::create_dir_all(out.join("tests"))?;
    for (from, name) in FILES {
        fs::copy(root.join(from), out.join(name)).with_context(|| (*from).to_owned())?;
    }
    copy_folder(&root.join(TESTS), &out.join("tests"))?;
    copy_folder(&root.join(pytorch::TESTS), &out.join("tests/pytorch"))?;
    copy_folder(&root.join(RECORDS), &out.join("known"))?;
    copy_folder(&root.join(ARITHMETIC), &out.join("arithmetic"))?;
    fs::write(out.join("origin.json"), origin(&root)?)?;
    let bytes = size(&out)?;
    ensure!(
        bytes < CEILING,
        "the bundle has {bytes} bytes, more than {CEILING}"
    );
    println!("{}: {:.1} MB", out.display(), bytes as f64 / 1e6);
    Ok(())
}

/// The program without its symbols, the cubins and the wheel, in one archive: most of all is the same kernels, which one window of
/// the packer holds twice for the price of once. `run.py` unpacks it.
fn programs(options: &Options, venv: &Venv, out: &Path) -> Result<()> {
    let release = options.release;
    let shelf = target_dir()?.join("programs");
    if shelf.exists() {
        fs::remove_dir_all(&shelf)?;
    }
    fs::create_dir_all(&shelf)?;
    let mut build = cargo()?;
    build.args(["build", "--locked", "--package", "syntonic-bench"]);
    build.args(["--bin", "syntonic-gpu"]);
    if release {
        build.args(["--profile", "dist"]);
    }
    run_command(&mut build)?;
    let folder = if release { "dist" } else { "debug" };
    let built = target_dir()?.join(folder).join("syntonic-gpu");
    let program = shelf.join("syntonic-gpu");
    run_command(Command::new("strip").arg("-o").arg(program).arg(built))?;
    let profile = match release {
        true => Profile::Dist,
        false => Profile::Checked,
    };
    let cubins = options.cards.assemble(&shelf.join(CUBINS))?;
    let wheel = wheel::to_carry(venv, profile, &cubins)?;
    let name = wheel.file_name().context("the wheel has no name")?;
    fs::copy(&wheel, shelf.join(name))?;
    let mut names: Vec<_> = fs::read_dir(&shelf)?
        .map(|entry| Ok(entry?.file_name()))
        .collect::<Result<_>>()?;
    names.sort();
    let mut pack = Command::new("tar");
    pack.env("XZ_OPT", "--lzma2=preset=6,dict=256MiB -T1");
    pack.args(["--create", "--xz", "--file"])
        .arg(out.join("programs.tar.xz"));
    run_command(pack.arg("--directory").arg(&shelf).args(names))
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
