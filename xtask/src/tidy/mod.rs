//! The rules of the house that no compiler knows. They run as `cargo xtask tidy` and as a plain test.
//!
//! Exceptions are rows of one table with their reasons; a row that is no longer needed is itself a complaint.

mod allocation;
mod examples;
mod exceptions;
mod figures;
mod floor_plan;
mod forks;
mod leftovers;
mod length;
mod links;
mod paths;
mod unsafe_code;

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::tree;

/// A text file of the repository.
struct Source {
    /// Relative to the root, with forward slashes.
    path: String,
    text: String,
}

impl Source {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        PathBuf::from(&self.path)
            .extension()
            .is_some_and(|end| extensions.iter().any(|wanted| end == *wanted))
    }

    /// Whether it has tests, or what only tests need.
    fn is_test(&self) -> bool {
        let path = &self.path;
        path.contains("/tests/")
            || path.ends_with("/tests.rs")
            || path.ends_with("_tests.rs")
            || path.ends_with("/samples.rs")
    }

    /// Numbered lines, from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line))
    }
}

/// Goes through all rules and reports every complaint at once.
pub(crate) fn run() -> Result<()> {
    let sources = sources()?;
    let mut complaints = floor_plan::complaints()?;
    for rule in [
        allocation::complaints,
        examples::complaints,
        figures::complaints,
        forks::complaints,
        leftovers::complaints,
        length::complaints,
        links::complaints,
        paths::complaints,
        unsafe_code::complaints,
    ] {
        complaints.extend(rule(&sources));
    }
    if complaints.is_empty() {
        return Ok(());
    }
    bail!("the house is not tidy:\n  {}", complaints.join("\n  "))
}

/// All files of the tree that are text; images and other bytes are left out, and so is PTX, megabytes of it, which has a
/// check of its own.
fn sources() -> Result<Vec<Source>> {
    let root = tree::root()?;
    let mut sources = Vec::new();
    let is_ptx = |file: &PathBuf| file.extension().is_some_and(|end| end == "ptx");
    for file in tree::files()?.into_iter().filter(|file| !is_ptx(file)) {
        if let Ok(text) = String::from_utf8(fs::read(root.join(&file))?) {
            sources.push(Source {
                path: file.to_string_lossy().replace('\\', "/"),
                text,
            });
        }
    }
    Ok(sources)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tree_is_tidy() {
        super::run().unwrap();
    }
}
