//! Every committed image can be read, and every kernel in it can be run.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::{Memory, Module};

/// Names and texts of all committed images.
fn images() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/ptx");
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ptx"))
        .map(|path| {
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                path,
            )
        })
        .collect();
    all.sort();
    all
}

/// The text of one.
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_kernel_of_every_image_can_be_lowered() {
    let images = images();
    assert!(!images.is_empty());
    let wrong: Vec<String> = images
        .par_iter()
        .flat_map_iter(|(name, path)| {
            let memory = Memory::new();
            let module = match Module::parse(&text(path), &memory) {
                Ok(module) => module,
                Err(error) => return vec![format!("{name}: {error}")],
            };
            let errors = module
                .entries()
                .filter_map(|entry| module.check(entry).err());
            errors
                .map(|error| format!("{name}: {error}"))
                .take(5)
                .collect()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
