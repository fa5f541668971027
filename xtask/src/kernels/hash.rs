//! One name for everything that decides what runs on a GPU. A record of a run carries it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::digest::{Digest, read};
use super::items::items;
use super::manifest::Manifest;

/// What decides which kernels run and how they are launched, and puts kernels together at run time. A folder stands for all that
/// lies in it. What the compiled kernels are made from is not here: their texts count, which `cargo xtask kernels --check` ties
/// to their sources.
const SOURCES: &[&str] = &["crates/syntonic-cuda/src"];

/// Files of the device that decide neither what is computed nor how it is spread over a GPU: finding a driver, unpacking
/// texts, memory, streams, errors. Everything that is not listed counts, so that a new file cannot be forgotten.
const PLUMBING: &[&str] = &[
    "crates/syntonic-cuda/src/context/gpu.rs",
    "crates/syntonic-cuda/src/cubins",
    "crates/syntonic-cuda/src/cubins.rs",
    "crates/syntonic-cuda/src/device.rs",
    "crates/syntonic-cuda/src/driver",
    "crates/syntonic-cuda/src/foreign",
    "crates/syntonic-cuda/src/guest.rs",
    "crates/syntonic-cuda/src/images",
    "crates/syntonic-cuda/src/images.rs",
    "crates/syntonic-cuda/src/kernel/registry.rs",
    "crates/syntonic-cuda/src/lib.rs",
    "crates/syntonic-cuda/src/memory/lending.rs",
    "crates/syntonic-cuda/src/memory/peer.rs",
    "crates/syntonic-cuda/src/memory/pool.rs",
    "crates/syntonic-cuda/src/memory/staging.rs",
    "crates/syntonic-cuda/src/modules/function.rs",
    "crates/syntonic-cuda/src/modules/loading.rs",
    "crates/syntonic-cuda/src/modules/machine_code.rs",
    "crates/syntonic-cuda/src/modules/module.rs",
    "crates/syntonic-cuda/src/nvrtc.rs",
    "crates/syntonic-cuda/src/streams/event.rs",
    "crates/syntonic-cuda/src/streams/stream.rs",
];

/// The hash over the text of every kernel and over the code that plans and launches them. What only says where things lie or
/// is told to people does not count: a file may be renamed and a comment mended without a new record.
pub(crate) fn kernels_hash(root: &Path) -> Result<String> {
    let files = sources(root)?;
    let modules = files.iter().flat_map(|file| file.iter());
    let modules = modules.map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned());
    let modules: BTreeSet<String> = modules.collect();
    let mut parts = Vec::new();
    for file in &files {
        let found = items(&read(&root.join(file))?, &modules);
        parts.extend(found.with_context(|| file.display().to_string())?);
    }
    let manifest = Manifest::load(root)?;
    let images = manifest.0.values().flat_map(|record| &record.images);
    parts.extend(images.map(|(architecture, made)| format!("{architecture} {}", made.ptx)));
    parts.sort();
    let all = parts.iter().fold(Digest::new(), |all, part| all.text(part));
    Ok(all.finish())
}

/// The sources that decide what is launched, without files of tests; relative to `root`.
pub(super) fn sources(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in SOURCES {
        collect(root, Path::new(folder), &mut files)?;
    }
    Ok(files)
}

/// Adds the sources at or under `path`, which is relative to `root`.
fn collect(root: &Path, path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if PLUMBING.iter().any(|listed| path == Path::new(listed)) {
        return Ok(());
    }
    let place = root.join(path);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if stem == "tests" || stem.ends_with("_tests") {
        return Ok(());
    }
    if place.is_dir() {
        for entry in fs::read_dir(&place)? {
            collect(root, &path.join(entry?.file_name()), files)?;
        }
    } else if place.extension().is_some_and(|end| end == "rs") && place.is_file() {
        files.push(path.to_path_buf());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::manifest::FILE;
    use super::super::scratch::Scratch;
    use super::*;

    const CODE: &str = "pub fn a() -> u32 { 1 }";

    /// One kernel, and one file of code.
    fn tree(name: &str) -> Scratch {
        let tree = Scratch::new(name);
        tree.write(FILE, &manifest("aa"));
        tree.write("crates/syntonic-cuda/src/walk.rs", CODE);
        tree
    }

    fn manifest(ptx: &str) -> String {
        format!(
            r#"{{"a": {{"entries": ["a"], "images": {{"75": {{"isa": "8.3", "from": "00", "ptx": "{ptx}"}}}}}}}}"#
        )
    }

    #[test]
    fn kernels_and_code_count() {
        let tree = tree("hash-counts");
        let mut seen = vec![kernels_hash(tree.root()).unwrap()];
        tree.write(FILE, &manifest("bb"));
        seen.push(kernels_hash(tree.root()).unwrap());
        for file in [
            "crates/syntonic-cuda/src/map/mod.rs",
            "crates/syntonic-cuda/src/walk.rs",
            "crates/syntonic-cuda/src/invented.rs",
        ] {
            tree.write(file, &format!("fn b() -> usize {{ {} }}", seen.len()));
            seen.push(kernels_hash(tree.root()).unwrap());
        }
        let before = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), before);
    }

    #[test]
    fn places_comments_and_plumbing_do_not() {
        let tree = tree("hash-places");
        let hash = kernels_hash(tree.root()).unwrap();
        tree.write("kernels/README.md", "x");
        tree.write("crates/syntonic-cuda/src/driver/probe.rs", "fn b() {}");
        tree.write("crates/syntonic-cuda/src/images/table.rs", "fn b() {}");
        tree.write("crates/syntonic-cuda/src/walk/tests.rs", "fn b() {}");
        assert_eq!(kernels_hash(tree.root()).unwrap(), hash);
        tree.remove("crates/syntonic-cuda/src/walk.rs");
        tree.write(
            "crates/syntonic-cuda/src/map/pace.rs",
            &format!("//! Paces.\n{}", CODE.replace("pub", "// Why.\npub(crate)")),
        );
        assert_eq!(kernels_hash(tree.root()).unwrap(), hash);
    }

    #[test]
    fn a_source_that_is_no_rust_is_told() {
        let tree = tree("hash-damaged");
        tree.write("crates/syntonic-cuda/src/walk.rs", "fn a( {");
        let error = format!("{:#}", kernels_hash(tree.root()).unwrap_err());
        assert!(error.contains("walk.rs"), "{error}");
    }

    #[test]
    fn what_is_left_out_exists() {
        let root = crate::tree::root().unwrap();
        for path in PLUMBING {
            assert!(root.join(path).exists(), "{path} is listed and not there");
        }
    }
}
