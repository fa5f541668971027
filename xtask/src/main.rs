//! Builds, checks and measures Syntonic. Ships nothing: no crate depends on this one.

mod array_api;
mod asan;
mod audit;
mod bench;
mod bundle;
mod ci;
mod command;
mod demo;
mod fingerprint;
mod fresh;
mod generate;
mod gpu_record;
mod hostile;
mod kernels;
mod miri;
mod npbench;
mod packages;
mod portable;
mod pytest;
mod pytorch;
mod report;
mod rust_tests;
mod semver;
mod simulate;
mod simulated;
mod site;
mod steps;
mod test;
mod tidy;
mod tool;
mod tree;
mod tsan;
mod venv;
mod wheel;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Trains a network on handwritten digits and shows what came of it
    Demo(demo::Options),
    /// Runs every test, Rust and Python; the last line is `N passed, N failed`
    Test,
    /// Writes the files that are made from others; --check only compares
    Gen(generate::Options),
    /// Compiles the CUDA sources that changed into the committed PTX; --check only compares, and needs no compiler
    Kernels(kernels::Options),
    /// Measures Syntonic and, where installed, its peers
    Bench(bench::Options),
    /// Makes the wheel that users download, with the kernels as machine code for the usual cards
    Wheel(wheel::Options),
    /// Makes a folder that checks and measures this tree on a GPU host without Rust
    Bundle(bundle::Options),
    /// Runs kernels on the CPU: compares them with the CPU's own operators, or starts a program that uses a GPU
    Simulate(simulate::Options),
    /// Makes the documentation site: runs guides and notebooks, and writes a page for each operator
    Site(site::Options),
    /// Checks the rules of the house: floor plan, file length, left-overs, unsafe code
    Tidy,
    /// Runs the public suite of the Array API from a checkout, and writes down what became of it
    ArrayApi(array_api::Options),
    /// Runs NPBench's programs from a checkout beside NumPy, and writes down how each fared
    Npbench(npbench::Options),
    /// Runs the tests of the operators for PyTorch, on the CPU and on a GPU if there is one; PyTorch is 3 GB to download
    Pytorch,
    /// Runs tests of the core crate under the address sanitizer
    Asan(asan::Options),
    /// Runs tests of what threads share under the thread sanitizer
    Tsan(tsan::Options),
    /// Runs unit tests of the core crate in an interpreter that sees undefined behaviour; needs a nightly toolchain with miri and rust-src
    Miri(miri::Options),
    /// Damages files, kills writers and fills disks, for as long as you like, and shows what came of it
    Hostile(hostile::Options),
    /// Checks that the published crates compile for other systems and with the oldest Rust that they promise, and the Python package for
    /// an interpreter without a global lock
    Portable,
    /// Compares the public interface of the published crates with that of a revision; fetches cargo-semver-checks, once
    Semver(semver::Options),
    /// Looks for known advisories of the crates in Cargo.lock; fetches cargo-audit, once
    Audit(audit::Options),
    /// Everything that must hold before a change lands
    Ci,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        // The sum is the last line, whether it pleases or not.
        Task::Test => match test::run() {
            Ok(tally) if tally.failed > 0 => return ExitCode::FAILURE,
            outcome => outcome.map(|_| ()),
        },
        Task::Demo(options) => demo::run(&options),
        Task::Gen(options) => generate::run(&options),
        Task::Kernels(options) => kernels::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Wheel(options) => wheel::run_wheel(&options),
        Task::Bundle(options) => bundle::run(&options),
        Task::Simulate(options) => simulate::run(&options),
        Task::Site(options) => site::run(&options),
        Task::Tidy => tidy::run(),
        Task::ArrayApi(options) => array_api::run(&options),
        Task::Npbench(options) => npbench::run(&options),
        Task::Pytorch => pytorch::run(),
        Task::Asan(options) => asan::run(&options),
        Task::Tsan(options) => tsan::run(&options),
        Task::Miri(options) => miri::run(&options),
        Task::Hostile(options) => hostile::run(&options),
        Task::Portable => portable::check(),
        Task::Semver(options) => semver::run(&options),
        Task::Audit(options) => audit::run(&options),
        Task::Ci => ci::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
