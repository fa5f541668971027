//! The Rust file that lists the images, since what is embedded in a program has to be named by a literal.

use std::path::Path;

use anyhow::Result;

use super::architecture::Architecture;
use super::digest::read;
use super::manifest::Manifest;

/// Relative to the root.
pub(super) const FILE: &str = "crates/syntonic-cuda/src/images/table.rs";

const HEAD: &str = "\
//! Written by `cargo xtask kernels` from `kernels/manifest.json`: one family a line, sorted by name.

use super::{Family, ptx};

pub(super) const FAMILIES: &[Family] = &[
";

pub(super) fn text(manifest: &Manifest) -> String {
    let mut text = HEAD.to_owned();
    for (name, record) in &manifest.0 {
        let images: Vec<String> = record.kept().map(|image| row(name, image)).collect();
        let entries: Vec<String> = record
            .entries
            .iter()
            .map(|entry| format!("{entry:?}"))
            .collect();
        text.push_str(&format!(
            "    Family {{ name: {name:?}, images: &[{}], entries: &[{}] }},\n",
            images.join(", "),
            entries.join(", ")
        ));
    }
    text + "];\n"
}

fn row(family: &str, architecture: Architecture) -> String {
    let reach = if architecture.exact {
        "Exactly"
    } else {
        "Onward"
    };
    format!(
        "ptx!({}, {reach}, \"{family}.{architecture}\")",
        architecture.number
    )
}

/// Whether the file is what the manifest makes it.
pub(super) fn is_current(root: &Path, manifest: &Manifest) -> Result<bool> {
    let file = root.join(FILE);
    Ok(file.is_file() && read(&file)? == text(manifest))
}
