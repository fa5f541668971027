//! `syntonic-bench`: measures the committed rows on both sides, prints ratios, and compares them with the baseline.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use syntonic_bench::baseline::{Baseline, Tolerance};
use syntonic_bench::cases;
use syntonic_bench::clock::Effort;
use syntonic_bench::list::{PYTHON, RUST, Row, rows};
use syntonic_bench::machine::{Machine, on_first_processor, pin_workers};
use syntonic_bench::outcome::{Outcome, Outcomes};
use syntonic_bench::python::{Handed, Runner};
use syntonic_bench::verdict::{Verdict, table};
use syntonic_bench::yardstick;

/// Measures Syntonic and, where installed, its peers.
#[derive(Parser)]
struct Options {
    /// Where to compute
    #[arg(long, default_value = "cpu")]
    device: String,
    /// The rows that something is required of, with few repetitions
    #[arg(long)]
    quick: bool,
    /// Only this suite
    #[arg(long)]
    suite: Vec<String>,
    /// Only this case
    #[arg(long)]
    case: Vec<String>,
    /// Also write every result to FILE as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compare with the committed baseline; fail on a loss beyond the spread of repeated runs
    #[arg(long)]
    check: bool,
    /// Measure RUNS times and write the baseline
    #[arg(long, value_name = "RUNS")]
    write_baseline: Option<usize>,
    /// The committed baseline
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Compare with a loop of this program's own, at small sizes and in Rust alone, and not with peers
    #[arg(long, conflicts_with_all = ["json", "peers_python"])]
    yardstick: bool,
    /// The script of the Python side
    #[arg(long, value_name = "FILE", required_unless_present = "yardstick")]
    runner: Option<PathBuf>,
    /// An interpreter with the package
    #[arg(long, value_name = "PROGRAM", required_unless_present = "yardstick")]
    python: Option<PathBuf>,
    /// An interpreter with the package and the peers
    #[arg(long, value_name = "PROGRAM")]
    peers_python: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    ensure!(
        options.device == "cpu",
        "no rows for the device {}; cpu has some",
        options.device
    );
    let rows = chosen(&options)?;
    ensure!(!rows.is_empty(), "no row is chosen");
    let machine = Machine::here();
    if options.yardstick {
        return by_yardstick(&options, yardstick::shrunk(rows), machine);
    }
    pin_workers()?;
    match options.write_baseline {
        Some(runs) => write_baseline(&options, &rows, &machine, runs),
        None => measure_once(&options, &rows, machine),
    }
}

fn chosen(options: &Options) -> Result<Vec<Row>> {
    let among = |list: &[String], name: &String| list.is_empty() || list.contains(name);
    let wanted = |row: &Row| {
        (row.quick || !options.quick)
            && among(&options.suite, &row.suite)
            && among(&options.case, &row.case)
    };
    Ok(rows()?.into_iter().filter(wanted).collect())
}

/// Results of both sides, and who did not take part.
struct Measured {
    outcomes: Outcomes,
    absent: Vec<String>,
}

impl Measured {
    fn verdicts(&self, rows: &[Row]) -> Vec<Verdict> {
        let of = |row| Verdict::of(row, &self.outcomes.rows, &self.absent);
        rows.iter().map(of).collect()
    }
}

fn measure(options: &Options, rows: &[Row], machine: &Machine) -> Result<Measured> {
    let start = Instant::now();
    let effort = if options.quick {
        Effort::QUICK
    } else {
        Effort::FULL
    };
    let ours = rows
        .iter()
        .filter(|row| row.impls.iter().any(|i| i == RUST));
    let measured = ours.map(|row| cases::run(row, machine.cache_bytes, effort));
    let mut results: Vec<Outcome> = on_first_processor(|| measured.collect());
    eprintln!("rust: {:.0} s", start.elapsed().as_secs_f64());
    let handed = python_side(options, machine)?;
    let absent = handed.absent();
    // Without the package itself nothing is compared, so that is no row to skip.
    ensure!(
        !absent.iter().any(|name| name == PYTHON),
        "the package syntonic is not installed for {}",
        interpreter(options)?.display()
    );
    results.extend(handed.rows);
    eprintln!("all: {:.0} s", start.elapsed().as_secs_f64());
    Ok(Measured {
        outcomes: Outcomes {
            machine: machine.clone(),
            versions: handed.versions,
            rows: results,
        },
        absent,
    })
}

fn interpreter(options: &Options) -> Result<&Path> {
    let found = options.peers_python.as_ref().or(options.python.as_ref());
    found
        .map(PathBuf::as_path)
        .context("--python names an interpreter with the package")
}

fn python_side(options: &Options, machine: &Machine) -> Result<Handed> {
    let mut passed = vec!["--cache-bytes".to_owned(), machine.cache_bytes.to_string()];
    passed.extend(options.quick.then(|| "--quick".to_owned()));
    for (flag, values) in [("--suite", &options.suite), ("--case", &options.case)] {
        passed.extend(values.iter().flat_map(|v| [flag.to_owned(), v.clone()]));
    }
    let script = options.runner.clone();
    Runner {
        python: interpreter(options)?.to_owned(),
        script: script.context("--runner names the script of the Python side")?,
        options: passed,
    }
    .run()
}

fn measure_once(options: &Options, rows: &[Row], machine: Machine) -> Result<()> {
    let measured = measure(options, rows, &machine)?;
    if let Some(file) = &options.json {
        write(file, &serde_json::to_string_pretty(&measured.outcomes)?)?;
    }
    let verdicts = measured.verdicts(rows);
    println!("{}", table(&verdicts));
    if options.check {
        compare(options, &verdicts, &measured.absent)?;
    }
    let failed = verdicts.iter().filter(|v| v.failed()).count();
    ensure!(failed == 0, "{failed} of {} rows failed", verdicts.len());
    Ok(())
}

/// Measures the rows beside the loop: once, or as often as a baseline is made of.
fn by_yardstick(options: &Options, rows: Vec<Row>, machine: Machine) -> Result<()> {
    let measure = || -> Result<Vec<Verdict>> {
        let verdicts: Vec<Verdict> = rows.iter().map(yardstick::run).collect();
        println!("{}", table(&verdicts));
        let failed = verdicts.iter().filter(|v| v.failed()).count();
        ensure!(failed == 0, "{failed} of {} rows failed", verdicts.len());
        Ok(verdicts)
    };
    if let Some(runs) = options.write_baseline {
        let runs: Vec<_> = (0..runs.max(1)).map(|_| measure()).collect::<Result<_>>()?;
        let baseline = Baseline::of(machine, Default::default(), &runs, Tolerance::YARDSTICK);
        return write_to(&options.baseline, &baseline);
    }
    let mut verdicts = measure()?;
    if !options.check {
        return Ok(());
    }
    let baseline = read(&options.baseline)?;
    if baseline.machine.cpu != machine.cpu {
        println!(
            "the baseline is of {}, this is {}: nothing is compared",
            baseline.machine.cpu, machine.cpu
        );
        return Ok(());
    }
    held(&yardstick::losses(
        &rows,
        &baseline,
        &mut verdicts,
        yardstick::run,
    ))?;
    println!("{} rows hold their baseline", verdicts.len());
    Ok(())
}

fn compare(options: &Options, verdicts: &[Verdict], absent: &[String]) -> Result<()> {
    let baseline = read(&options.baseline)?;
    held(&baseline.losses(verdicts, absent))?;
    let compared = verdicts
        .iter()
        .filter(|v| baseline.rows.contains_key(&v.key));
    println!("{} rows hold their baseline", compared.count());
    Ok(())
}

fn held(losses: &[String]) -> Result<()> {
    if !losses.is_empty() {
        bail!("slower than the baseline:\n  {}", losses.join("\n  "));
    }
    Ok(())
}

fn read(file: &Path) -> Result<Baseline> {
    let text = std::fs::read_to_string(file).with_context(|| {
        format!(
            "no baseline at {}; `cargo xtask bench --write-baseline 3` makes one",
            file.display()
        )
    })?;
    serde_json::from_str(&text).with_context(|| file.display().to_string())
}

fn write_baseline(options: &Options, rows: &[Row], machine: &Machine, runs: usize) -> Result<()> {
    let mut judged = Vec::new();
    let mut versions = Default::default();
    for _ in 0..runs.max(1) {
        let measured = measure(options, rows, machine)?;
        let verdicts = measured.verdicts(rows);
        println!("{}", table(&verdicts));
        ensure!(
            !verdicts.iter().any(Verdict::failed),
            "no baseline is made of rows that failed"
        );
        judged.push(verdicts);
        versions = measured.outcomes.versions;
    }
    let baseline = Baseline::of(machine.clone(), versions, &judged, Tolerance::PEERS);
    write_to(&options.baseline, &baseline)
}

fn write_to(file: &Path, baseline: &Baseline) -> Result<()> {
    write(file, &(serde_json::to_string_pretty(baseline)? + "\n"))
}

fn write(file: &Path, text: &str) -> Result<()> {
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
