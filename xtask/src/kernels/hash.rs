//! One name for everything that decides what runs on a GPU. A record of a run carries it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::compiler::{FLAGS, VERSION};
use super::digest::Digest;
use super::examples;

/// What makes kernels and what decides how they are launched. A folder stands for all that lies in it.
const SOURCES: &[&str] = &[
    "kernels/include",
    "kernels/generated",
    "crates/syntonic-cuda/src",
];

/// Files of the device that decide neither what is computed nor how it is spread over a GPU: finding a driver, unpacking
/// texts, memory, streams, errors. Everything that is not listed counts, so that a new file cannot be forgotten.
const PLUMBING: &[&str] = &[
    "crates/syntonic-cuda/src/device.rs",
    "crates/syntonic-cuda/src/entry.rs",
    "crates/syntonic-cuda/src/event.rs",
    "crates/syntonic-cuda/src/fault.rs",
    "crates/syntonic-cuda/src/foreign.rs",
    "crates/syntonic-cuda/src/images",
    "crates/syntonic-cuda/src/images.rs",
    "crates/syntonic-cuda/src/lib.rs",
    "crates/syntonic-cuda/src/lending.rs",
    "crates/syntonic-cuda/src/library.rs",
    "crates/syntonic-cuda/src/module.rs",
    "crates/syntonic-cuda/src/peer.rs",
    "crates/syntonic-cuda/src/pool.rs",
    "crates/syntonic-cuda/src/probe.rs",
    "crates/syntonic-cuda/src/reason.rs",
    "crates/syntonic-cuda/src/staging.rs",
    "crates/syntonic-cuda/src/stream.rs",
    "crates/syntonic-cuda/src/toolkit.rs",
];

/// The hash over every kernel source, header, generator and launch-geometry source, and over how they are compiled.
pub(crate) fn kernels_hash(root: &Path) -> Result<String> {
    let mut files = vec![examples::generator()];
    files.extend(SOURCES.iter().map(PathBuf::from));
    let written = super::family::sources_in(&root.join(super::family::WRITTEN))?;
    files.extend(
        written
            .iter()
            .map(|name| Path::new(super::family::WRITTEN).join(name)),
    );
    let mut all = Vec::new();
    for file in files {
        collect(root, &file, &mut all)?;
    }
    all.sort();
    let digest = Digest::new().text(VERSION).text(&FLAGS.join(" "));
    Ok(digest.files(root, &all)?.finish())
}

/// Adds the sources at or under `path`, which is relative to `root`.
fn collect(root: &Path, path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if PLUMBING.iter().any(|listed| path == Path::new(listed)) {
        return Ok(());
    }
    let place = root.join(path);
    if place.is_dir() {
        for entry in fs::read_dir(&place)? {
            collect(root, &path.join(entry?.file_name()), files)?;
        }
    } else if place
        .extension()
        .is_some_and(|end| ["cu", "cuh", "rs"].iter().any(|own| end == *own))
        && place.is_file()
    {
        files.push(path.to_path_buf());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    #[test]
    fn every_kind_of_source_counts_and_nothing_else() {
        let tree = Scratch::new("hash");
        tree.write("kernels/a.cu", "");
        let mut seen = vec![kernels_hash(tree.root()).unwrap()];
        for file in [
            "kernels/b.cu",
            "kernels/include/deep/a.cuh",
            "kernels/generated/c.cu",
            "crates/syntonic-cuda/examples/generate_kernels.rs",
            "crates/syntonic-cuda/src/codegen/text.rs",
            "crates/syntonic-cuda/src/map/mod.rs",
            "crates/syntonic-cuda/src/walk.rs",
            "crates/syntonic-cuda/src/invented.rs",
        ] {
            tree.write(file, "");
            seen.push(kernels_hash(tree.root()).unwrap());
            tree.write(file, "x");
            seen.push(kernels_hash(tree.root()).unwrap());
        }
        let before = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), before);

        let hash = kernels_hash(tree.root()).unwrap();
        tree.write("kernels/README.md", "x");
        tree.write("kernels/ptx/a.75.ptx", "x");
        tree.write("crates/syntonic-cuda/src/probe.rs", "x");
        tree.write("crates/syntonic-cuda/src/images.rs", "x");
        tree.write("crates/syntonic-cuda/src/images/table.rs", "x");
        assert_eq!(kernels_hash(tree.root()).unwrap(), hash);
    }

    #[test]
    fn what_is_left_out_exists() {
        let root = crate::tree::root().unwrap();
        for path in PLUMBING {
            assert!(root.join(path).exists(), "{path} is listed and not there");
        }
    }
}
