//! `syntonic-gpu`: what only a machine with a GPU can tell.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use serde::Serialize;
use syntonic_bench::gpu::Gpu;
use syntonic_bench::gpu::anything::{Arithmetic, anything, lines};
use syntonic_bench::gpu::parity::mutants::{Finding, survey};
use syntonic_bench::gpu::parity::{Choice, Need, Report, checks, run, sources, unused};
use syntonic_bench::gpu::pipelines::{Form, bare, measured, pipelines};
use syntonic_bench::gpu::profiler::profiled;
use syntonic_bench::gpu::queue::queue;
use syntonic_bench::gpu::sanitizer::{Extent, Part};
use syntonic_bench::gpu::soak::{pair, play, soak};
use syntonic_bench::gpu::timing::{bench, first, first_of, overlap};
use syntonic_cuda::Cuda;

/// The suite of random programs.
const ANYTHING: &str = "anything";
const LINES: &str = "lines";

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
        /// Two dtypes and two layouts of each operator
        #[arg(long)]
        short: bool,
        /// Of so many neighbours only one
        #[arg(long, default_value = "1")]
        every: NonZero<usize>,
        /// Only one part of them, such as 2/8
        #[arg(long, value_name = "K/N", default_value = "1/1")]
        part: Part,
        /// Leave out, and count, checks that need what is not there: `cublas`, `cusolver`, `cufft`, `large` or several with commas
        #[arg(long, value_name = "WHAT", value_delimiter = ',')]
        without: Vec<Need>,
        /// Which GPU
        #[arg(long, default_value_t = 0)]
        gpu: u32,
        /// Write the outcome to FILE as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Measures the rows of a list; as the suite `anything`, random programs beside what their bytes and their arithmetic allow; as the suite
    /// `lines`, lines of ordinary programs beside a copy
    Bench {
        /// The list
        #[arg(long, value_name = "FILE")]
        cases: Option<PathBuf>,
        /// Only rows of this suite
        #[arg(long, default_value = "")]
        suite: String,
        /// Which programs of the suite `anything`: a number that nobody has used before
        #[arg(long, required_if_eq("suite", ANYTHING))]
        seed: Option<u64>,
        /// How many of them, a class after the other in turn
        #[arg(long, default_value_t = 400)]
        count: usize,
        /// What each primitive takes on this card; measured where FILE is not there, and written to it
        #[arg(long, value_name = "FILE", default_value = "arithmetic.json")]
        arithmetic: PathBuf,
        /// Show the launches of programs of the suite `anything` that reach less than this fraction of what is possible, and of lines
        /// that reach less of a copy
        #[arg(long, value_name = "FRACTION", default_value_t = 0.0)]
        launches_below: f64,
        /// Only rows whose name contains this; of the suite `anything`, programs of such a class
        #[arg(long, default_value = "")]
        case: String,
        /// Write the rows to FILE as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Measures the first result of each row, in a process of its own with the driver's cache off
    First {
        /// The list
        #[arg(long, value_name = "FILE")]
        cases: PathBuf,
        /// Only rows of this suite
        #[arg(long, default_value = "formulas")]
        suite: String,
        /// Only rows whose name contains this
        #[arg(long, default_value = "")]
        case: String,
        /// Write the rows to FILE as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// The first results of one row; `first` starts this
    #[command(hide = true)]
    FirstOf {
        /// The row as in the list
        row: String,
    },
    /// Works for a long time: threads and streams, memory that comes and goes, several GPUs
    Soak {
        /// How long
        #[arg(long, default_value_t = 300)]
        seconds: u64,
        /// Write the outcome to FILE as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Measures what goes on at the same time: copies beside products, and between GPUs. The GPU must have nothing else to do
    Overlap {
        /// Write the outcome to FILE as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Checks two GPUs of one process
    Pair {
        /// Write the outcome to FILE as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Looks at one fault that no process survives unharmed; `parity` starts this one by one
    Scene {
        /// Which
        name: String,
        /// Which GPU
        #[arg(long, default_value_t = 0)]
        gpu: u32,
    },
    /// Checks the checks of `parity`, without a GPU: with results that are wrong each of them has to fail
    Mutants {
        /// Only checks whose name contains this
        #[arg(long, default_value = "")]
        filter: String,
        /// Of so many neighbours only one
        #[arg(long, default_value = "1")]
        every: NonZero<usize>,
        /// Only one part of them, such as 2/8
        #[arg(long, value_name = "K/N", default_value = "1/1")]
        part: Part,
    },
    /// Runs the pipelines as plans: every stage by itself, partly fused, in one launch, as a graph, and by hand
    Pipeline {
        /// Only this one
        #[arg(default_value = "")]
        name: String,
        /// Only this form of it
        #[arg(long, value_enum, requires = "name")]
        form: Option<Form>,
        /// Measure nothing, as a profiler wants it
        #[arg(long, requires = "form")]
        bare: bool,
        /// Run it under Nsight Compute: launches, parts of the peaks of memory and tensor cores, occupancy and gaps; without --form, of
        /// each form
        #[arg(long, requires = "name", conflicts_with = "bare")]
        ncu: bool,
        /// So many runs of each way
        #[arg(long, default_value_t = 100)]
        runs: usize,
        /// Write the outcome to FILE as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Times round trips of a small program: through the queue of a persistent kernel, by a launch, and by a graph
    Queue {
        /// So many requests of four threads
        #[arg(long, default_value_t = 1_000_000)]
        requests: usize,
        /// Requests that run at the same time: 1, 2, 4 or 8
        #[arg(long, default_value_t = 4)]
        lanes: usize,
        /// Write the outcome to FILE as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Lists the checks by name
    List,
}

fn main() -> Result<()> {
    // A bundle has the kernels as machine code beside this program.
    if let Some(folder) = std::env::current_exe()?.parent() {
        syntonic_cuda::cubins::use_folder(folder.join("cubins"));
    }
    match Options::parse().command {
        Command::List => {
            for check in checks() {
                println!("{}", check.name);
            }
            Ok(())
        }
        Command::Pipeline {
            name,
            form,
            bare: unmeasured,
            ncu,
            runs,
            json,
        } => {
            let (gpu, runs) = (syntonic_cuda::device(0)?, runs.max(1));
            match form {
                _ if ncu => {
                    let forms = form.map_or(Form::ALL.to_vec(), |form| vec![form]);
                    let profiles = forms.iter().map(|form| profiled(&gpu, &name, *form, runs));
                    let profiles = profiles.collect::<Result<Vec<_>>>()?;
                    profiles.iter().for_each(|profile| print!("{profile}"));
                    write(json, &profiles)
                }
                Some(form) if unmeasured => bare(&gpu, &name, form, runs),
                Some(form) => {
                    let way = measured(&gpu, &name, form, runs)?;
                    println!("{way}");
                    write(json, &way)
                }
                None => {
                    let tables = pipelines(&gpu, &name, runs)?;
                    tables.iter().for_each(|table| print!("{table}"));
                    write(json, &tables)
                }
            }
        }
        Command::Queue {
            requests,
            lanes,
            json,
        } => {
            let ways = queue(&syntonic_cuda::open(0)?, lanes, requests)?;
            ways.iter().for_each(|way| println!("{way}"));
            write(json, &ways)
        }
        Command::Parity {
            filter,
            short,
            every,
            part,
            without,
            gpu,
            json,
        } => {
            let extent = if short { Extent::Short } else { Extent::Whole };
            let choice = Choice {
                filter,
                extent,
                every,
                part,
                without,
            };
            parity(&choice, gpu, json)
        }
        Command::Mutants {
            filter,
            every,
            part,
        } => {
            let all = Choice::named(&filter);
            mutants(&Choice { every, part, ..all })
        }
        Command::Bench {
            cases,
            suite,
            case,
            seed,
            count,
            arithmetic,
            launches_below,
            json,
        } => {
            let gpu = syntonic_cuda::open(0)?;
            if let (ANYTHING, Some(seed)) = (&*suite, seed) {
                let table = table(&gpu, &arithmetic)?;
                let outcome = anything(&gpu, &table, (seed, count), (&case, launches_below))?;
                println!("{outcome}");
                write(json, &outcome)?;
                let wrong = outcome.wrong();
                ensure!(wrong == 0, "{wrong} programs gave a wrong result or none");
                return Ok(());
            }
            if suite == LINES {
                return write(json, &lines(&gpu, &case, launches_below)?);
            }
            let cases = cases.context("--cases says which rows")?;
            write(json, &bench(&gpu, &read(&cases)?, &suite, &case)?)
        }
        Command::First {
            cases,
            suite,
            case,
            json,
        } => write(json, &first(&read(&cases)?, &suite, &case)?),
        Command::FirstOf { row } => {
            let calls = first_of(&syntonic_cuda::device(0)?, &row)?;
            println!("{}", serde_json::to_string(&calls)?);
            Ok(())
        }
        Command::Overlap { json } => {
            let outcome = overlap()?;
            write(json, &outcome)?;
            ensure!(outcome.failed.is_empty(), "{}", outcome.failed.join("\n"));
            Ok(())
        }
        Command::Pair { json } => {
            let outcome = pair()?;
            println!("{outcome:#?}");
            write(json, &outcome)?;
            ensure!(outcome.failed.is_empty(), "{}", outcome.failed.join("\n"));
            Ok(())
        }
        Command::Scene { name, gpu } => play(&name, gpu),
        Command::Soak { seconds, json } => {
            let outcome = soak(Duration::from_secs(seconds))?;
            write(json, &outcome)?;
            ensure!(outcome.failed.is_empty(), "{}", outcome.failed.join("\n"));
            Ok(())
        }
    }
}

/// The card's table of arithmetic in a file, which is measured where there is none.
fn table(gpu: &Arc<Cuda>, file: &Path) -> Result<Arithmetic> {
    if file.is_file() {
        let table: Arithmetic =
            serde_json::from_str(&read(file)?).context("the table of arithmetic")?;
        let card = gpu.context().name()?;
        ensure!(
            table.gpu == card,
            "{} is of a {}, this is a {card}",
            file.display(),
            table.gpu
        );
        return Ok(table);
    }
    let measured = Arithmetic::measured(gpu)?;
    write(Some(file.to_owned()), &measured)?;
    Ok(measured)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Writes an outcome where one is asked for.
fn write(path: Option<PathBuf>, outcome: &impl Serialize) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let text = serde_json::to_string_pretty(outcome)?;
    std::fs::write(&path, text).with_context(|| path.display().to_string())
}

fn parity(choice: &Choice, ordinal: u32, json: Option<PathBuf>) -> Result<()> {
    let gpu = Gpu {
        device: syntonic_cuda::device(ordinal)?,
    };
    let mut report = run(&gpu, choice);
    report.sources = sources();
    if choice.is_everything() {
        report.unused = unused(&*syntonic_cuda::open(ordinal)?);
        println!("{} embedded kernels were not used", report.unused.len());
    }
    for (name, seconds) in &report.slowest {
        println!("{seconds:8.2} s  {name}");
    }
    print_sums(&report);
    write(json, &report)?;
    let made = report.passed + report.failed.len() + report.left_out.len();
    ensure!(made > 0, "no check has the name {:?}", choice.filter);
    ensure!(
        report.failed.is_empty() && report.skipped == 0,
        "the GPU differs from the CPU"
    );
    Ok(())
}

fn print_sums(report: &Report) {
    for (need, names) in &report.left_out {
        println!("{} checks left out that need {need}", names.len());
    }
    println!(
        "{} passed, {} failed, {} skipped",
        report.passed,
        report.failed.len(),
        report.skipped
    );
}

fn mutants(choice: &Choice) -> Result<()> {
    let (mut caught, mut missed, mut unchanged, mut left_out) = (0, 0, 0, 0);
    survey(choice, |name, mutation, finding| match finding {
        Finding::Caught => caught += 1,
        Finding::Unchanged => unchanged += 1,
        Finding::Missed => {
            missed += 1;
            println!("HOLDS WITH {mutation}: {name}");
        }
        Finding::NeedsGpu => {
            left_out += 1;
            println!("needs a GPU: {name}");
        }
    });
    println!(
        "{caught} wrong results caught, {missed} not; {unchanged} were the same; {left_out} need a GPU"
    );
    ensure!(missed == 0, "checks hold with wrong results");
    Ok(())
}
