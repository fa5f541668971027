//! How long the first result of a row takes: in a process of its own, with the driver's cache off and the operands on the card,
//! from the call until the result is there. Kernels are loaded and assembled meanwhile.

use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use syntonic_core::Device;

use super::bench::Row;
use super::bench_case::Case;

/// The variable that takes from the driver what it assembled in earlier processes, and its value.
const CACHE_OFF: (&str, &str) = ("CUDA_CACHE_DISABLE", "1");

/// Microseconds of the first and the second call of a process.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Calls {
    /// From the first call until its result is there.
    pub first_us: f64,
    /// From the second.
    pub second_us: f64,
}

/// What came of a row.
#[derive(Debug, Serialize)]
pub struct First {
    suite: String,
    case: String,
    dtype: String,
    size: Vec<usize>,
    #[serde(rename = "impl")]
    implementation: &'static str,
    #[serde(flatten)]
    calls: Option<Calls>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The first results of the rows of a suite, or of all if it has no name, whose own name contains `case`: a process for each,
/// which is this program with the command `first-of`. A row that fails says so and the others go on.
///
/// # Errors
/// Where the list has another form than the committed one.
pub fn first(list: &str, suite: &str, case: &str) -> Result<Vec<First>> {
    let rows: Vec<Row> = serde_json::from_str(list).context("the list of rows")?;
    let of_suite = |row: &&Row| suite.is_empty() || row.suite == suite;
    let chosen = rows.iter().filter(of_suite);
    let chosen = chosen.filter(|row| row.case.contains(case));
    Ok(chosen.map(|row| told(row, in_a_process(row))).collect())
}

fn told(row: &Row, calls: Result<Calls>) -> First {
    let first = First {
        suite: row.suite.clone(),
        case: row.case.clone(),
        dtype: row.dtype.clone(),
        size: row.size.clone(),
        implementation: "syntonic",
        calls: calls.as_ref().ok().copied(),
        error: calls.err().map(|e| format!("{e:#}")),
    };
    let millis = |pick: fn(&Calls) -> f64| first.calls.as_ref().map_or(0.0, pick) / 1e3;
    println!(
        "{:28} {:10} {:?} first {:.2} ms, second {:.2} ms {}",
        first.case,
        first.dtype,
        first.size,
        millis(|calls| calls.first_us),
        millis(|calls| calls.second_us),
        first.error.as_deref().unwrap_or("")
    );
    first
}

fn in_a_process(row: &Row) -> Result<Calls> {
    let mut child = Command::new(std::env::current_exe()?);
    child.args(["first-of", &serde_json::to_string(row)?]);
    let done = child.env(CACHE_OFF.0, CACHE_OFF.1).output()?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "{}: {said}", done.status);
    serde_json::from_slice(&done.stdout).context("what the process said")
}

/// The first two calls of a row, which is written as in the list. The result is right.
///
/// # Errors
/// Where there is no such row, or the result is wrong.
pub fn first_of(device: &Arc<dyn Device>, row: &str) -> Result<Calls> {
    let row: Row = serde_json::from_str(row).context("the row")?;
    let case = Case::new(&row)?;
    let x = case.inputs(0, device)?;
    device.synchronize()?;
    let timed = || -> Result<_> {
        let start = Instant::now();
        let result = case.work(&x, device)?;
        device.synchronize()?;
        Ok((start.elapsed().as_secs_f64() * 1e6, result))
    };
    let (first_us, result) = timed()?;
    let (second_us, _) = timed()?;
    case.check(&x, &result).context("a wrong result")?;
    Ok(Calls {
        first_us,
        second_us,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::cpu;

    #[test]
    fn a_row_is_timed_and_checked() {
        let row = r#"{"suite": "formulas", "case": "written_softmax", "kind": "written_softmax", "dtype": "float32", "size": [40, 500], "bytes": 160000}"#;
        let calls = first_of(&cpu(), row).unwrap();
        assert!(calls.first_us > 0.0 && calls.second_us > 0.0);
        let row: Row = serde_json::from_str(row).unwrap();
        let text = serde_json::to_value(told(&row, Ok(calls))).unwrap();
        assert_eq!(text["first_us"].as_f64(), Some(calls.first_us));
        assert_eq!(text["impl"], "syntonic");
        let failed = serde_json::to_value(told(&row, first_of(&cpu(), "{}"))).unwrap();
        assert!(failed["error"].as_str().unwrap().contains("the row"));
        // A row goes to its process as it stands in the list.
        let again = serde_json::to_string(&row).unwrap();
        assert!(first_of(&cpu(), &again).is_ok());
    }
}
