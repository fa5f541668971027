//! Checks that need a GPU: what it computes is compared with the CPU.

mod backward;
pub mod bench;
mod bench_case;
mod bounds;
mod compare;
mod composites;
mod count;
mod doors;
mod ends;
mod factor_rows;
mod factors;
mod faults;
mod fill;
pub mod first;
mod folds;
pub(crate) mod formulas;
mod forward;
mod fp8;
mod gemv;
mod gemv_chain;
mod golden;
mod infer;
mod large;
mod layouts;
mod lazy;
mod made;
mod maps;
mod moves;
mod needs;
mod order;
pub mod pair;
mod precision;
mod product_rows;
mod products;
mod random;
mod row_spaces;
mod rows;
mod scan;
mod small;
pub mod soak;
mod streams;
mod thin;
mod transfers;

pub use compare::{Exactness, compare, compare_each};
pub use faults::play;
pub use layouts::{Layout, Pair, sample};
pub use needs::Need;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;
use syntonic_core::{DType, Device, Tensor, cpu};
use syntonic_cuda::Cuda;

/// The GPU under test.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The GPU as a device.
    pub device: Arc<dyn Device>,
}

impl Gpu {
    /// A copy of `x` on the GPU.
    pub fn take(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.to(&self.device)?)
    }

    /// A copy of `x` on the CPU.
    pub fn fetch(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.to(&cpu())?)
    }
}

/// Looks whether something holds on the GPU.
type Look = Box<dyn Fn(&Gpu) -> Result<()>>;

/// One statement about the GPU that holds or does not.
pub struct Check {
    /// What it says, in the form `topic/case/dtype/layout`.
    pub name: String,
    /// Looks; an error says what is wrong.
    pub look: Look,
}

impl Check {
    /// A check by name.
    pub fn new(name: impl Into<String>, look: impl Fn(&Gpu) -> Result<()> + 'static) -> Check {
        Check {
            name: name.into(),
            look: Box::new(look),
        }
    }
}

/// Every check.
pub fn checks() -> Vec<Check> {
    [
        transfers::checks(),
        fill::checks(),
        products::checks(),
        ends::checks(),
        factors::checks(),
        precision::checks(),
        gemv::checks(),
        gemv_chain::checks(),
        small::checks(),
        thin::checks(),
        fp8::checks(),
        golden::checks(),
        streams::checks(),
        doors::checks(),
        faults::checks(),
        maps::checks(),
        made::checks(),
        composites::checks(),
        folds::checks(),
        rows::checks(),
        formulas::checks(),
        lazy::checks(),
        backward::checks(),
        infer::checks(),
        moves::checks(),
        scan::checks(),
        count::checks(),
        random::checks(),
        order::checks(),
        large::checks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How a run of checks ended.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Checks that held.
    pub passed: usize,
    /// Checks that did not, with what was wrong.
    pub failed: Vec<(String, String)>,
    /// Checks that could not be made any more, since the GPU was lost.
    pub skipped: usize,
    /// Checks that were not made because what they need was said not to be there, by what that is.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, Vec<String>>,
    /// The slowest checks, in seconds.
    pub slowest: Vec<(String, f64)>,
    /// Embedded kernels that no check asked for, where all checks were made, or a part of all.
    pub unused: Vec<String>,
    /// How many kernels came as machine code, and how many the driver assembled.
    pub sources: BTreeMap<&'static str, usize>,
}

/// Which checks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All.
    Whole,
    /// Every operator and so every family of kernels, on a few dtypes and layouts: for tools under which a program takes a
    /// hundred times as long.
    Short,
}

/// What the short form leaves out: it is not done by kernels of ours, or happens in other processes.
const NOT_OURS: [&str; 5] = ["factors", "faults", "streams", "transfers", "digits"];
/// And what takes long: more than 2^31 elements, and lines of a million that are sorted elsewhere.
const LONG: [&str; 2] = ["large", "permutation"];
/// Lengths where the layout would stand: lines that take the other ways to sort, and odd ends.
const LENGTHS: [&str; 6] = ["[70001]", "[3, 2049]", "[300, 512]", "[9000, 2]", "17", "3"];

impl Extent {
    /// Whether a check is made. Names are `topic/case/dtype/layout`, where the last two may be absent.
    fn takes(self, name: &str) -> bool {
        let parts: Vec<&str> = name.split('/').collect();
        if self == Extent::Whole {
            return true;
        }
        let left_out = |part: &&str| NOT_OURS.contains(part) || LONG.contains(part);
        if parts.iter().any(left_out) {
            return false;
        }
        let Some(dtype) = DType::from_name(parts.get(2).unwrap_or(&"")) else {
            // What has no dtype is a statement of its own; most of the random programs are left to the whole.
            return !name.contains("random program") || name.ends_with('7');
        };
        match parts.get(3) {
            // Under a tool each takes a minute; those of half types are the same text with other vectors.
            None if matches!(parts[0], "rows" | "formulas") => dtype == DType::F32,
            // Every primitive takes these, by way of float64 where it wants floats.
            None if parts[0] == "made" => dtype == DType::I64,
            // An end is one program more over sums that `products` has in every type.
            None | Some(&"Strided") if parts[0] == "ends" => dtype == DType::F32,
            Some(&"Plain") if parts[0] == "precision" => dtype == DType::F32,
            None => matches!(dtype, DType::F32 | DType::F64 | DType::BF16 | DType::I64),
            Some(&"Strided") => matches!(dtype, DType::F32 | DType::I32),
            Some(&"even") => matches!(dtype, DType::F32 | DType::BF16),
            Some(&"PastBlock") => matches!(dtype, DType::C64 | DType::BF16),
            Some(length) => dtype == DType::F32 && LENGTHS.contains(length),
        }
    }
}

/// Neighbours in the list of checks, so that several processes may share them: neighbours use the same kernels, and a process
/// loads only those of its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which part, from 1 on.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl Part {
    /// All checks.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// Which of `count` things are in it. Every one is in one part, and no two parts differ by more than one in length.
    fn range(self, count: usize) -> std::ops::Range<usize> {
        let begin = |part: usize| part * count / self.of;
        begin(self.number - 1)..begin(self.number)
    }
}

impl std::str::FromStr for Part {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Part> {
        let (number, of) = text.split_once('/').context("a part is written 2/8")?;
        let (number, of) = (number.parse()?, of.parse()?);
        ensure!(
            (1..=of).contains(&number),
            "there is no part {number} of {of}"
        );
        Ok(Part { number, of })
    }
}

/// Which checks are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Those whose name contains this.
    pub filter: String,
    /// All of these, or some of each operator.
    pub extent: Extent,
    /// One of so many of them.
    pub every: NonZero<usize>,
    /// A part of what is left.
    pub part: Part,
    /// But for those that need what is not there.
    pub without: Vec<Need>,
}

impl Choice {
    /// All whose name contains `filter`.
    pub fn named(filter: &str) -> Choice {
        Choice {
            filter: filter.to_owned(),
            extent: Extent::Whole,
            every: NonZero::<usize>::MIN,
            part: Part::WHOLE,
            without: Vec::new(),
        }
    }

    /// All that there are, or a part of them.
    pub fn is_everything(&self) -> bool {
        let everything = Choice {
            part: self.part,
            ..Choice::named("")
        };
        *self == everything
    }

    fn checks(&self) -> Vec<Check> {
        let named = checks()
            .into_iter()
            .filter(|c| c.name.contains(&self.filter) && self.extent.takes(&c.name));
        let mut chosen: Vec<Check> = named.step_by(self.every.get()).collect();
        let part = self.part.range(chosen.len());
        chosen.drain(part).collect()
    }
}

/// Makes the checks of a choice. Goes on after a failure; stops when the GPU is lost.
pub fn run(gpu: &Gpu, choice: &Choice) -> Report {
    let mut report = Report::default();
    let mut lost = false;
    for check in choice.checks() {
        if let Some(need) = Need::of(&check.name).filter(|need| choice.without.contains(need)) {
            let names = report.left_out.entry(need.to_string()).or_default();
            names.push(check.name.clone());
            continue;
        }
        if lost {
            report.skipped += 1;
            continue;
        }
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            (check.look)(gpu)?;
            Ok(gpu.device.synchronize()?)
        }))
        .unwrap_or_else(|panic| Err(anyhow!("panic: {}", words(&panic))));
        report
            .slowest
            .push((check.name.clone(), start.elapsed().as_secs_f64()));
        match outcome {
            Ok(()) => report.passed += 1,
            Err(complaint) => {
                let text = format!("{complaint:#}");
                println!("FAILED {}: {text}", check.name);
                lost = text.contains("context is lost");
                report.failed.push((check.name.clone(), text));
            }
        }
    }
    report.slowest.sort_by(|a, b| b.1.total_cmp(&a.1));
    report.slowest.truncate(10);
    report
}

/// Embedded kernels that this process never asked for: nothing vouches for them.
pub fn unused(gpu: &Cuda) -> Vec<String> {
    let used: BTreeSet<String> = gpu
        .context()
        .kernels_used()
        .into_iter()
        .map(|(family, entry)| format!("{family} {entry}"))
        .collect();
    let embedded = syntonic_cuda::images::entries()
        .flat_map(|(family, entries)| entries.iter().map(move |entry| format!("{family} {entry}")));
    embedded.filter(|kernel| !used.contains(kernel)).collect()
}

/// How many of the kernels that this process requested came as machine code, and how many the driver assembled.
pub fn sources() -> BTreeMap<&'static str, usize> {
    let sources = syntonic_cuda::kernel_sources();
    BTreeMap::from([("cubins", sources.cubins), ("ptx", sources.ptx)])
}

fn words(panic: &Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_as_fractions() {
        assert_eq!("2/8".parse::<Part>().unwrap(), Part { number: 2, of: 8 });
        for wrong in ["", "2", "0/8", "9/8", "a/8", "1/0"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_are_neighbours_and_leave_nothing_out() {
        for (count, of) in [(0, 1), (5, 8), (64, 64), (983, 64), (10, 3)] {
            let parts = (1..=of).map(|number| Part { number, of }.range(count));
            let parts: Vec<_> = parts.collect();
            assert_eq!((parts[0].start, parts[of - 1].end), (0, count));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            let lengths = || parts.iter().map(|part| part.len());
            assert!(lengths().max().unwrap() - lengths().min().unwrap() <= 1);
        }
    }

    /// The CPU beside itself: operands fit, and no bound is so tight that nothing holds it.
    #[test]
    fn checks_of_formulas_hold_on_the_cpu() {
        let here = Gpu { device: cpu() };
        for topic in [
            "infer/",
            "resonant/",
            "composites/",
            "formulas/",
            "moves/ramps",
            "float8/",
        ] {
            let report = run(&here, &Choice::named(topic));
            assert!(report.passed > 0 && report.failed.is_empty(), "{report:?}");
        }
    }

    #[test]
    fn the_short_form_has_every_operator() {
        let case = |name: &str| name.splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
        let all = checks();
        let short: std::collections::BTreeSet<String> = all
            .iter()
            .filter(|c| Extent::Short.takes(&c.name))
            .map(|c| case(&c.name))
            .collect();
        let left_out: Vec<&String> = all
            .iter()
            .map(|c| &c.name)
            .filter(|name| !short.contains(&case(name)))
            .filter(|name| !NOT_OURS.iter().chain(&LONG).any(|part| name.contains(part)))
            .filter(|name| !name.contains("random program"))
            .collect();
        assert!(left_out.is_empty(), "{left_out:?}");
        assert!(all.iter().filter(|c| Extent::Short.takes(&c.name)).count() < 1350);
    }
}
