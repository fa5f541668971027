//! What is drawn: rows of the GPU records and of the CPU benchmark, in one form.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde_json::Value;

/// The Python package, whose time counts.
const OURS: &str = "syntonic";
/// The Rust interface: ours as well, and no peer.
const RUST: &str = "syntonic-rust";
/// What takes part in a ratio although its name has a dot, as that of a method of some library has.
const COMPILED: &str = "torch.compile";

/// Everything that one file says.
#[derive(Debug)]
pub(super) struct Source {
    /// The machine.
    pub(super) title: String,
    /// Name and value of what a reader wants to know of the run.
    pub(super) facts: Vec<(String, String)>,
    /// In the order of the file.
    pub(super) rows: Vec<Row>,
    /// What the suites of a record come to, by name.
    pub(super) suites: Vec<(String, Suite)>,
}

/// A suite in numbers: geometric means in which a row that is missing counts 0.1.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
pub(super) struct Suite {
    /// Rows of the list.
    pub(super) rows: u64,
    /// The best peer's time over ours.
    pub(super) best: f64,
    /// Rows without such a ratio.
    pub(super) best_missing: u64,
    /// PyTorch's time over ours, called one operation after the other.
    pub(super) eager: f64,
    /// Rows without such a ratio.
    pub(super) eager_missing: u64,
    /// Rows with at least 0.97 of the best.
    pub(super) level: u64,
}

impl std::fmt::Display for Suite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Suite { rows, level, .. } = self;
        write!(f, "best peer {:.2}×, eager {:.2}×", self.best, self.eager)?;
        write!(f, ", {level} of {rows} rows at 0.97 of the best or above")?;
        match self.best_missing {
            0 => Ok(()),
            missing => write!(f, ", {missing} missing"),
        }
    }
}

/// One computation, timed by everybody.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) suite: String,
    pub(super) case: String,
    pub(super) dtype: String,
    pub(super) size: String,
    /// Our time.
    pub(super) micros: Option<f64>,
    /// Peer time over ours.
    pub(super) ratios: BTreeMap<String, f64>,
    /// Our part of the copy bandwidth, where bytes decide.
    pub(super) fraction: Option<f64>,
    /// What was reached, where there is no ceiling to compare with.
    pub(super) rate: Option<String>,
    /// Why there is no time.
    pub(super) trouble: Option<String>,
}

impl Row {
    /// The peer that comes closest to us or is ahead, and its time over ours. A method of a library is no peer.
    pub(super) fn best(&self) -> Option<(&str, f64)> {
        let peers = self.ratios.iter().filter(|(name, _)| is_peer(name));
        peers
            .min_by(|a, b| a.1.total_cmp(b.1))
            .map(|(name, &ratio)| (name.as_str(), ratio))
    }
}

fn is_peer(name: &str) -> bool {
    !name.contains('.') || name == COMPILED
}

/// Reads a record of a GPU run or what `cargo xtask bench --json` wrote.
pub(super) fn source(value: &Value) -> Result<Source> {
    if value.get("kernels_hash").is_some() {
        Ok(of_record(value))
    } else if value.get("machine").is_some() {
        Ok(of_benchmark(value))
    } else {
        bail!("neither a GPU record nor the result of a benchmark")
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "unknown".to_owned(),
        other => other.to_string(),
    }
}

fn versions(value: &Value) -> String {
    let all = value.as_object().into_iter().flatten();
    all.filter(|(name, _)| *name != OURS)
        .map(|(name, version)| format!("{name} {}", text(version)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A row's size as people write it: powers of two by their letters.
fn lengths(size: &Value) -> String {
    let all = size
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64);
    let short = |n: u64| match n {
        n if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{} Mi", n >> 20),
        n if n >= 1 << 12 && n % (1 << 10) == 0 => format!("{} Ki", n >> 10),
        n => n.to_string(),
    };
    all.map(short).collect::<Vec<_>>().join(" × ")
}

fn of_record(record: &Value) -> Source {
    let mut facts = vec![
        ("driver".to_owned(), text(&record["driver"])),
        ("CUDA".to_owned(), text(&record["cuda"])),
        ("peers".to_owned(), versions(&record["peers"])),
    ];
    if let Some(speed) = record["copy_tbps"].as_f64() {
        facts.push(("copy".to_owned(), format!("{speed:.2} TB/s")));
    }
    let count = |part: &Value, name: &str| part[name].as_u64().unwrap_or(0);
    let tests = &record["tests"];
    if tests.is_object() {
        let told = format!(
            "{} passed, {} failed, {} skipped",
            count(tests, "passed"),
            count(tests, "failed"),
            count(tests, "skipped")
        );
        facts.push(("checks".to_owned(), told));
    }
    if let Some(tools) = record["sanitizer"].as_object() {
        let told: Vec<_> = tools
            .iter()
            .map(|(tool, n)| format!("{tool} {}", text(n)))
            .collect();
        facts.push(("findings".to_owned(), told.join(", ")));
    }
    let demo = &record["demo"]["cuda"];
    if let Some(accuracy) = demo["test_accuracy"].as_f64() {
        let seconds = demo["seconds"].as_f64().unwrap_or(0.0);
        facts.push((
            "demo".to_owned(),
            format!("test accuracy {accuracy:.4} in {seconds:.1} s"),
        ));
    }
    if let Some(speed) = record["demo"]["cuda_many"]["search_tflops"].as_f64() {
        facts.push(("search".to_owned(), format!("{speed:.1} TFLOP/s")));
    }
    facts.push(("kernels".to_owned(), text(&record["kernels_hash"])));
    let rows = record["rows"].as_array().into_iter().flatten();
    Source {
        title: text(&record["gpu"]),
        facts,
        rows: rows.filter(|row| row["impl"] == OURS).map(of_gpu).collect(),
        suites: suites(&record["suites"]),
    }
}

/// The largest first.
fn suites(value: &Value) -> Vec<(String, Suite)> {
    let all = value.as_object().into_iter().flatten();
    let read = |(name, suite): (&String, &Value)| {
        let suite = serde_json::from_value(suite.clone()).ok()?;
        Some((name.clone(), suite))
    };
    let mut suites: Vec<(String, Suite)> = all.filter_map(read).collect();
    suites.sort_by(|a, b| b.1.rows.cmp(&a.1.rows).then(a.0.cmp(&b.0)));
    suites
}

fn of_gpu(row: &Value) -> Row {
    let case = text(&row["case"]);
    let ratios = row["ratios"].as_object().into_iter().flatten();
    // Products are bound by arithmetic and copies of the host by its bus: a part of the copy bandwidth says nothing there.
    let bound_by_bytes = row["tflops"].is_null() && suite_of(&case) != "copies";
    let speed = row["tflops"].as_f64().map(|x| format!("{x:.1} TFLOP/s"));
    let per_second = || Some(row["bytes"].as_f64()? / row["median_us"].as_f64()? / 1e3);
    Row {
        suite: row["suite"]
            .as_str()
            .unwrap_or_else(|| suite_of(&case))
            .to_owned(),
        dtype: text(&row["dtype"]),
        size: lengths(&row["size"]),
        micros: row["median_us"].as_f64(),
        ratios: ratios
            .filter_map(|(name, ratio)| Some((name.clone(), ratio.as_f64()?)))
            .collect(),
        fraction: row["fraction"].as_f64().filter(|_| bound_by_bytes),
        rate: speed.or_else(|| per_second().map(|x| format!("{x:.0} GB/s"))),
        trouble: row["error"].as_str().map(str::to_owned),
        case,
    }
}

/// The heading under which a row of the GPU's list stands.
fn suite_of(case: &str) -> &'static str {
    let starts = |heads: &[&str]| heads.iter().any(|head| case.starts_with(head));
    match case {
        _ if starts(&["random"]) => "random programs",
        _ if starts(&["sum", "max", "min", "var", "argmax", "prod", "mean"]) => "reductions",
        _ if starts(&["matmul", "bmm", "gemv"]) => "products",
        _ if starts(&["upload", "download"]) => "copies",
        _ if starts(&["sort", "argsort", "topk", "cumsum", "unique", "search"]) => {
            "order and scans"
        }
        _ if starts(&[
            "transpose",
            "gather",
            "scatter",
            "mask",
            "concat",
            "normal",
            "uniform",
        ]) =>
        {
            "moves and random numbers"
        }
        _ if case.contains("norm") || case.contains("softmax") => "rows",
        _ => "element by element",
    }
}

fn of_benchmark(result: &Value) -> Source {
    let machine = &result["machine"];
    let facts = vec![
        ("threads".to_owned(), text(&machine["threads"])),
        ("system".to_owned(), text(&machine["system"])),
        ("peers".to_owned(), versions(&result["versions"])),
    ];
    let mut rows: Vec<Row> = Vec::new();
    let mut times: Vec<BTreeMap<String, f64>> = Vec::new();
    for outcome in result["rows"].as_array().into_iter().flatten() {
        let row = Row {
            suite: text(&outcome["suite"]),
            case: text(&outcome["case"]),
            dtype: text(&outcome["dtype"]),
            size: lengths(&outcome["size"]),
            ..Row::default()
        };
        let same = |other: &Row| {
            (&other.suite, &other.case, &other.dtype, &other.size)
                == (&row.suite, &row.case, &row.dtype, &row.size)
        };
        let place = rows.iter().position(same).unwrap_or_else(|| {
            rows.push(row);
            times.push(BTreeMap::new());
            rows.len() - 1
        });
        let name = text(&outcome["impl"]);
        if let Some(micros) = outcome["median_us"].as_f64() {
            times[place].insert(name.clone(), micros);
        }
        if name == OURS {
            rows[place].rate = reached(outcome);
            rows[place].trouble = outcome["failed"].as_str().map(str::to_owned);
        }
    }
    for (row, times) in rows.iter_mut().zip(&times) {
        row.micros = times.get(OURS).or_else(|| times.get(RUST)).copied();
        let Some(ours) = row.micros else { continue };
        let peers = times
            .iter()
            .filter(|(name, _)| *name != OURS && *name != RUST);
        row.ratios = peers
            .map(|(name, theirs)| (name.clone(), theirs / ours))
            .collect();
    }
    Source {
        title: text(&machine["cpu"]),
        facts,
        rows,
        suites: Vec::new(),
    }
}

/// Arithmetic where there is plenty of it for each byte, else bytes.
fn reached(outcome: &Value) -> Option<String> {
    let (bytes, flops) = (outcome["gbps"].as_f64()?, outcome["tflops"].as_f64()?);
    match () {
        () if flops * 1e3 > 4.0 * bytes => Some(format!("{:.0} GFLOP/s", flops * 1e3)),
        () if bytes > 0.0 => Some(format!("{bytes:.0} GB/s")),
        () => None,
    }
}
