//! Every committed image can be read, and every kernel in it can be run.

use std::fs;
use std::io::Read;
use std::path::Path;

use lzma_rust2::LzmaReader;
use rayon::prelude::*;

use crate::{Memory, Module};

#[path = "../../../../crates/syntonic-cuda/src/images/numbers.rs"]
mod numbers;

/// Names and texts of all committed images: those of a family lie in one file, each with a zero byte at its end.
fn images() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/ptx");
    let files = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| texts(path)).collect()
}

/// The texts of one file.
pub(super) fn texts(path: &Path) -> Vec<(String, String)> {
    let packed = fs::read(path).unwrap();
    let mut all = String::new();
    let mut reader = LzmaReader::new_mem_limit(&packed[..], u32::MAX, None).unwrap();
    reader.read_to_string(&mut all).unwrap();
    let name = path.file_stem().unwrap().to_string_lossy();
    let texts = all.split_terminator('\0').enumerate();
    texts
        .map(|(place, text)| {
            (
                format!("text {place} of {name}"),
                numbers::absolute(text).unwrap(),
            )
        })
        .collect()
}

#[test]
fn every_kernel_of_every_image_can_be_lowered() {
    let images = images();
    assert!(images.len() > 60, "{}", images.len());
    let wrong: Vec<String> = images
        .par_iter()
        .flat_map_iter(|(name, text)| {
            let memory = Memory::new();
            let module = match Module::parse(text, &memory) {
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
