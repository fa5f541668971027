//! What the operators' crates have for their users, so that no operator is left out of a table.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names of all public functions that are operators, or stand among them.
pub(crate) fn functions() -> BTreeSet<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut names = BTreeSet::new();
    for folder in ["syntonic-core/src/ops", "syntonic-srt/src"] {
        collect(&crates.join(folder), &mut names);
    }
    names
}

/// The names of the public functions in the sources below a folder.
fn collect(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the sources lie beside the tests") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            collect(&path, names);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("a readable source");
            let names_here = text.lines().filter_map(|line| line.strip_prefix("pub fn "));
            names.extend(names_here.map(|rest| {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                rest[..end.unwrap_or(rest.len())].to_owned()
            }));
        }
    }
}
