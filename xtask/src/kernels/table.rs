//! The Rust file that lists the images, since what is embedded in a program has to be named by a literal.

use std::path::Path;

use anyhow::Result;

use super::architecture::Architecture;
use super::digest::read;
use super::manifest::Manifest;
use super::store;

/// Relative to the root.
pub(super) const FILE: &str = "crates/syntonic-cuda/src/images/table.rs";

const HEAD: &str = "\
//! Written by `cargo xtask kernels` from `kernels/manifest.json`: one family a line, sorted by name.

use super::{Family, Kind};

pub(super) const FAMILIES: &[Family] = &[
";

pub(super) fn text(manifest: &Manifest) -> String {
    let mut text = HEAD.to_owned();
    for (name, record) in &manifest.0 {
        let images: Vec<String> = record.kept().rev().map(row).collect();
        let entries: Vec<String> = record
            .entries
            .iter()
            .map(|entry| format!("{entry:?}"))
            .collect();
        text.push_str(&format!(
            "    Family {{ name: {name:?}, packed: include_bytes!(\"../../{}\"), images: &[{}], entries: &[{}] }},\n",
            store::file(name).display(),
            images.join(", "),
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
