//! Whether the CUDA kernels of this tree were run on a GPU, and are still the ones that were.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::kernels::kernels_hash;
use crate::tree::root;

/// Records of runs, one file a GPU, relative to the root.
const RECORDS: &str = "crates/syntonic-bench/records";

/// Lines for people: what each record vouches for, loudly if it is for other kernels than those of this tree.
pub(crate) fn state() -> Result<String> {
    let root = root()?;
    state_of(&root.join(RECORDS), &kernels_hash(&root)?)
}

/// The committed records.
pub(crate) fn files() -> Result<Vec<PathBuf>> {
    files_of(&root()?.join(RECORDS))
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    Ok(files)
}

fn state_of(folder: &Path, hash: &str) -> Result<String> {
    let mut lines = Vec::new();
    for file in files_of(folder)? {
        let record = fs::read_to_string(&file)?;
        let record: Value = serde_json::from_str(&record)
            .with_context(|| format!("{} is no JSON", file.display()))?;
        lines.push(line(&record, hash));
    }
    Ok(match lines.is_empty() {
        true => format!("GPU record: none; the kernels of this tree ({hash}) have no recorded run"),
        false => lines.join("\n"),
    })
}

fn line(record: &Value, hash: &str) -> String {
    let text = |name: &str| record[name].as_str().unwrap_or("unknown");
    let tests = |name: &str| record["tests"][name].as_u64().unwrap_or(0);
    let (gpu, ran) = (text("gpu"), text("kernels_hash"));
    if ran == hash && record["tests"].is_null() {
        return format!(
            "GPU record: {gpu} ran the kernels of this tree ({hash}), but not the suite of checks"
        );
    }
    if ran == hash {
        let slower = record["slower"].as_array().map_or(0, Vec::len);
        let slower = match slower {
            0 => String::new(),
            rows => format!(", *** {rows} rows slower than in the record before ***"),
        };
        return format!(
            "GPU record: {gpu} ran the kernels of this tree ({hash}): {} passed, {} failed, {} skipped{slower}",
            tests("passed"),
            tests("failed"),
            tests("skipped")
        );
    }
    format!(
        "GPU record: *** OUT OF DATE ***\n  {gpu} ran kernels {ran}\n  this tree has    {hash}\n  nothing it says holds for this tree until the kernels are run again"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_for_one_hash() {
        let folder = std::env::temp_dir().join(format!("syntonic-records-{}", std::process::id()));
        assert!(state_of(&folder, "aa").unwrap().contains("none"));
        fs::create_dir_all(&folder).unwrap();
        let record =
            r#"{"gpu":"G","kernels_hash":"aa","tests":{"passed":7,"failed":0,"skipped":0}}"#;
        fs::write(folder.join("g.json"), record).unwrap();
        let (same, other) = (
            state_of(&folder, "aa").unwrap(),
            state_of(&folder, "bb").unwrap(),
        );
        fs::write(folder.join("g.json"), "{}").unwrap();
        let empty = state_of(&folder, "aa").unwrap();
        let untested = r#"{"gpu":"G","kernels_hash":"aa","tests":null}"#;
        fs::write(folder.join("g.json"), untested).unwrap();
        let untested = state_of(&folder, "aa").unwrap();
        let lost = r#"{"gpu":"G","kernels_hash":"aa","tests":{"passed":7},"slower":["a: 2.0 us"]}"#;
        fs::write(folder.join("g.json"), lost).unwrap();
        let lost = state_of(&folder, "aa").unwrap();
        assert!(
            !same.contains("slower") && lost.contains("*** 1 rows slower"),
            "{lost}"
        );
        fs::remove_dir_all(&folder).unwrap();
        assert!(
            same.contains("G ran the kernels of this tree") && same.contains("7 passed"),
            "{same}"
        );
        assert!(untested.contains("not the suite"), "{untested}");
        for stale in [other, empty] {
            assert!(stale.contains("*** OUT OF DATE ***"), "{stale}");
        }
    }
}
