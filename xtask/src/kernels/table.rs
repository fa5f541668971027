//! The Rust file that lists the images, since what is embedded in a program has to be named by a literal.

use std::path::Path;

use anyhow::Result;

use super::architecture::Architecture;
use super::digest::{Digest, read};
use super::manifest::Manifest;
use super::store;

/// Relative to the root.
pub(super) const FILE: &str = "crates/syntonic-cuda/src/images/table.rs";

const HEAD: &str = "\
//! Written by `cargo xtask kernels` from `kernels/manifest.json`: one family a line, sorted by name.

use super::{Family, Kind};

";

pub(super) fn text(manifest: &Manifest) -> String {
    let digest = digest(manifest);
    let mut text = format!(
        "{HEAD}pub(crate) const DIGEST: &str = {digest:?};\n\npub(super) const FAMILIES: &[Family] = &[\n"
    );
    for (name, record) in &manifest.0 {
        let images: Vec<String> = record.kept().rev().map(row).collect();
        let entries: Vec<String> = record
            .entries
            .iter()
            .map(|entry| format!("{entry:?}"))
            .collect();
        text.push_str(&format!(
            "    Family {{ name: {name:?}, images: &[{}], packed: include_bytes!(\"../../{}\"), entries: &[{}] }},\n",
            images.join(", "),
            store::file(name).display(),
            entries.join(", ")
        ));
    }
    text + "];\n"
}

/// One digest of all images, which ties cubins to the texts that they were assembled from.
pub(super) fn digest(manifest: &Manifest) -> String {
    let mut all = Digest::new();
    for (name, record) in &manifest.0 {
        for (architecture, made) in &record.images {
            all = all.text(&format!("{name} {architecture} {}", made.ptx));
        }
    }
    all.finish()
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
