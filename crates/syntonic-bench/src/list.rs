//! The committed list of rows, which both sides read.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

const CASES: &str = include_str!("../cases.json");

/// The name of this side in `impls` and in results.
pub const RUST: &str = "syntonic-rust";
/// The name of the Python package in `impls` and in results.
pub const PYTHON: &str = "syntonic";

/// One row: a computation at one type and size.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The family of the case; the Python side has one file for each.
    pub suite: String,
    /// What is computed.
    pub case: String,
    /// Element type of the inputs.
    pub dtype: String,
    /// Lengths: the shape of the first input, or `[.., m, k, n]` of a product.
    pub size: Vec<usize>,
    /// Inputs stay in the cache; otherwise they rotate through more than four times its size.
    pub resident: bool,
    /// The least that any implementation has to do.
    pub floor: Floor,
    /// Who runs it.
    pub impls: Vec<String>,
    /// Part of `--quick`.
    pub quick: bool,
    /// Peer time over ours that must be reached, by peer.
    #[serde(default)]
    pub require: BTreeMap<String, f64>,
    /// What must hold without a peer.
    #[serde(default)]
    pub limit: Limit,
}

/// The least memory traffic, and the arithmetic that the formula names.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// Bytes of inputs and outputs.
    pub bytes: u64,
    /// Arithmetic operations.
    pub flops: u64,
}

/// Upper limits for our own result.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Microseconds.
    pub median_us: Option<f64>,
    /// Evaluations of an objective, for the worst seed.
    pub evaluations: Option<f64>,
}

impl Row {
    /// A name that no other row has.
    pub fn key(&self) -> String {
        key(&self.suite, &self.case, &self.dtype, &self.size)
    }
}

/// `suite/case/dtype/2048x2048`.
pub fn key(suite: &str, case: &str, dtype: &str, size: &[usize]) -> String {
    let size: Vec<String> = size.iter().map(usize::to_string).collect();
    format!("{suite}/{case}/{dtype}/{}", size.join("x"))
}

/// All rows in the order of the file.
pub fn rows() -> Result<Vec<Row>> {
    serde_json::from_str(CASES).context("cases.json does not hold rows")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rows_have_names_of_their_own_and_our_package_runs_all() {
        let rows = rows().unwrap();
        let names: HashSet<String> = rows.iter().map(Row::key).collect();
        assert_eq!(names.len(), rows.len());
        for row in &rows {
            assert!(row.impls.iter().any(|i| i == PYTHON), "{}", row.key());
            assert!(
                row.require.keys().all(|peer| row.impls.contains(peer)),
                "{} requires a ratio to someone who does not run",
                row.key()
            );
        }
    }

    #[test]
    fn only_what_rust_has_no_word_for_is_left_to_python() {
        let rows = rows().unwrap();
        let without: Vec<&str> = rows
            .iter()
            .filter(|row| !row.impls.iter().any(|i| i == RUST))
            .map(|row| row.case.as_str())
            .collect();
        assert_eq!(without, ["import"]);
    }
}
