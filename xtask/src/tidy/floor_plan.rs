//! Doors open downward only: which crate may depend on which, and what no crate but one may link.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::{cargo, read};

/// The rooms, from the ground up, and the rooms each may enter.
const DOORS: &[(&str, &[&str])] = &[
    ("syntonic-core", &[]),
    ("syntonic-cuda", &["syntonic-core"]),
    ("syntonic-srt", &["syntonic-core"]),
    (
        "syntonic-bench",
        &["syntonic-core", "syntonic-cuda", "syntonic-srt"],
    ),
    (
        "syntonic-py",
        &["syntonic-core", "syntonic-cuda", "syntonic-srt"],
    ),
    ("xtask", &[]),
    ("syntonic-simulator", &[]),
];

/// Doors that tests and generators may use, and nothing that is built for a user.
const SIDE_DOORS: &[(&str, &str)] = &[("syntonic-cuda", "syntonic-srt")];

/// Libraries that reach outside, and the only rooms that may hold them.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("cudarc", &["syntonic-cuda"]),
    ("libloading", &["syntonic-cuda"]),
    ("pyo3", &["syntonic-py"]),
    ("numpy", &["syntonic-py"]),
    ("anyhow", &["syntonic-bench", "xtask"]),
    ("clap", &["syntonic-bench", "xtask"]),
    // Its own pool ends the process where the system gives no threads, and hangs in a forked child; `syntonic_core::cpu::threads`
    // has a pool that goes on alone, for everybody.
    ("rayon", &["syntonic-core", "syntonic-simulator"]),
    ("crossbeam-epoch", &["syntonic-core"]),
];

pub(super) fn complaints() -> Result<Vec<String>> {
    let text = read(cargo()?.args([
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
        "--offline",
    ]))?;
    let metadata: Value = serde_json::from_str(&text).context("cargo metadata wrote no JSON")?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?;
    Ok(packages.iter().flat_map(in_package).collect())
}

fn in_package(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let Some((_, doors)) = DOORS.iter().find(|(room, _)| *room == name) else {
        return vec![format!(
            "{name}: a crate that the floor plan in xtask/src/tidy/floor_plan.rs does not show"
        )];
    };
    let dependencies = package["dependencies"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let aside = |dependency: &&Value| {
        let wanted = dependency["name"].as_str().unwrap_or_default();
        dependency["kind"] == "dev" && SIDE_DOORS.contains(&(name, wanted))
    };
    let wanted = dependencies
        .iter()
        .filter(|dependency| !aside(dependency))
        .filter_map(|dependency| dependency["name"].as_str());
    wanted
        .filter(|wanted| !may_use(name, doors, wanted))
        .map(|wanted| format!("{name}: may not depend on {wanted}"))
        .collect()
}

fn may_use(name: &str, doors: &[&str], wanted: &str) -> bool {
    if wanted.starts_with("syntonic") {
        return doors.contains(&wanted);
    }
    OUTSIDE
        .iter()
        .all(|(library, rooms)| *library != wanted || rooms.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upward_doors_and_outside_doors_are_shut() {
        let core = serde_json::json!({"name": "syntonic-core", "dependencies": [{"name": "syntonic-srt"}, {"name": "pyo3"}, {"name": "half"}]});
        assert_eq!(in_package(&core).len(), 2);
        let srt = serde_json::json!({"name": "syntonic-srt", "dependencies": [{"name": "syntonic-core"}, {"name": "cudarc"}]});
        assert_eq!(in_package(&srt), ["syntonic-srt: may not depend on cudarc"]);
        let cuda = |kind: &str| serde_json::json!({"name": "syntonic-cuda", "dependencies": [{"name": "syntonic-srt", "kind": kind}]});
        assert!(in_package(&cuda("dev")).is_empty());
        assert_eq!(in_package(&cuda("normal")).len(), 1);
        let attic = serde_json::json!({"name": "syntonic-attic", "dependencies": []});
        assert_eq!(in_package(&attic).len(), 1);
    }
}
