//! The Rust file that lists the images, since what is embedded in a program has to be named by a literal.

use std::path::Path;

use anyhow::Result;

use super::architecture::Architecture;
use super::digest::read;
use super::manifest::Manifest;
use super::programs::programs;
use super::store;

/// Relative to the root.
pub(super) const FILE: &str = "crates/syntonic-cuda/src/images/table.rs";

const HEAD: &str = "\
//! Written by `cargo xtask kernels` from `kernels/manifest.json`: one family a line, sorted by name.

use super::{Family, Kind, Program};

pub(super) const FAMILIES: &[Family] = &[
";

pub(super) fn text(manifest: &Manifest) -> String {
    let mut text = HEAD.to_owned();
    for (name, record) in &manifest.0 {
        let images: Vec<String> = record.kept().rev().map(row).collect();
        let program = |program: &str| {
            let file = store::file(name, program);
            format!(
                "Program {{ prefix: {program:?}, packed: include_bytes!(\"../../{}\") }}",
                file.display()
            )
        };
        let programs: Vec<String> = programs(&record.entries).into_iter().map(program).collect();
        let entries: Vec<String> = record
            .entries
            .iter()
            .map(|entry| format!("{entry:?}"))
            .collect();
        text.push_str(&format!(
            "    Family {{ name: {name:?}, images: &[{}], programs: &[{}], entries: &[{}] }},\n",
            images.join(", "),
            programs.join(", "),
            entries.join(", ")
        ));
    }
    text + "];\n"
}

fn row(architecture: Architecture) -> String {
    let reach = if architecture.exact {
        "exactly"
    } else {
        "onward"
    };
    format!("Kind::{reach}({})", architecture.number)
}

/// Whether the file is what the manifest makes it.
pub(super) fn is_current(root: &Path, manifest: &Manifest) -> Result<bool> {
    let file = root.join(FILE);
    Ok(file.is_file() && read(&file)? == text(manifest))
}
