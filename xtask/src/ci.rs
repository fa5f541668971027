//! `cargo xtask ci`: what must hold before a change lands, cheap checks first, with the time each took.
//!
//! Dependencies are compiled twice: once as metadata for clippy and the documents, once for the tests, for the programs that
//! print what is generated, for the program that the simulator runs, and for the wheel, which are built in the same profile and
//! with the same features chosen.

use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, run as run_command};
use crate::generate::{self, Mode};
use crate::{bench, demo, kernels, packages, site, test, tidy};

/// Stops at the first phase that fails.
pub(crate) fn run() -> Result<()> {
    let mut times = Vec::new();
    for (name, phase) in PHASES {
        eprintln!("== {name}");
        let start = Instant::now();
        phase().with_context(|| format!("`{name}` does not hold"))?;
        times.push((name, start.elapsed().as_secs_f64()));
    }
    for (name, seconds) in times {
        eprintln!("{name:<9} {seconds:>7.1} s");
    }
    Ok(())
}

type Phase = fn() -> Result<()>;

const PHASES: [(&str, Phase); 11] = [
    ("format", || {
        run_command(cargo()?.args(["fmt", "--all", "--check"]))
    }),
    ("generated", || generate::run_in(Mode::Check)),
    ("tidy", tidy::run),
    ("clippy", || {
        let clippy = [
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ];
        run_command(cargo()?.args(clippy))
    }),
    ("documents", documents),
    ("packages", packages::check),
    ("kernels", kernels::check),
    ("test", || match test::run()?.failed {
        0 => Ok(()),
        failed => bail!("{failed} tests failed"),
    }),
    ("speed", bench::check_by_yardstick),
    ("demo", || {
        if demo::exists()? {
            demo::run_quick_checked()
        } else {
            Ok(())
        }
    }),
    ("site", site::check),
];

/// The documentation of the crates, without a warning.
pub(crate) fn documents() -> Result<()> {
    let doc = [
        "doc",
        "--workspace",
        "--no-deps",
        "--locked",
        "--exclude",
        "xtask",
    ];
    run_command(cargo()?.args(doc).env("RUSTDOCFLAGS", "-D warnings"))
}
