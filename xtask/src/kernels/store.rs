//! Where images lie: one file a family, which holds the texts of all its architectures, packed.
//!
//! The texts of one family differ in little, and all of them together are a hundred times what they are packed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};

use super::architecture::Architecture;

/// Relative to the root.
pub(super) const IMAGES: &str = "kernels/ptx";

/// Where compression stops to gain much. Its window holds the largest text twice, so that the next one repeats it.
const PRESET: u32 = 6;

/// One function forms the name of the file of a family.
pub(super) fn file(family: &str) -> PathBuf {
    Path::new(IMAGES).join(format!("{family}.lzma"))
}

/// What one of the images is called in what people read.
pub(super) fn label(family: &str, architecture: Architecture) -> String {
    format!("{family}.{architecture}.ptx")
}

/// The texts of a family. Those that only the newest card takes come first, since a reader stops where it has what it
/// looks for; each ends with a zero byte, as a driver wants it.
pub(super) fn write(
    root: &Path,
    family: &str,
    texts: &BTreeMap<Architecture, String>,
) -> Result<()> {
    let mut all = Vec::new();
    for text in texts.values().rev() {
        ensure!(!text.contains('\0'), "{family}: a zero byte within a text");
        all.extend_from_slice(text.as_bytes());
        all.push(0);
    }
    let options = LzmaOptions::with_preset(PRESET);
    let mut packer = LzmaWriter::new_use_header(Vec::new(), &options, Some(all.len() as u64))?;
    packer.write_all(&all)?;
    let path = root.join(file(family));
    fs::create_dir_all(root.join(IMAGES))?;
    fs::write(&path, packer.finish()?).with_context(|| format!("cannot write {}", path.display()))
}

/// The texts that a family's file holds, which are those of `architectures`, oldest first.
pub(super) fn read(
    root: &Path,
    family: &str,
    architectures: impl DoubleEndedIterator<Item = Architecture>,
) -> Result<BTreeMap<Architecture, String>> {
    let path = root.join(file(family));
    let packed = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut all = String::new();
    LzmaReader::new_mem_limit(&packed[..], u32::MAX, None)?
        .read_to_string(&mut all)
        .with_context(|| format!("{} is damaged", path.display()))?;
    let texts: Vec<&str> = all.split_terminator('\0').collect();
    let architectures: Vec<Architecture> = architectures.rev().collect();
    ensure!(
        texts.len() == architectures.len(),
        "{} holds {} texts, and the manifest knows {}",
        path.display(),
        texts.len(),
        architectures.len()
    );
    let texts = texts.into_iter().map(str::to_owned);
    Ok(architectures.into_iter().zip(texts).collect())
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    fn architectures(names: &[&str]) -> Vec<Architecture> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn texts_come_back_and_the_newest_is_the_first() {
        let tree = Scratch::new("store");
        let all = architectures(&["75", "80", "90"]);
        let texts: BTreeMap<_, _> = all
            .iter()
            .map(|&a| (a, format!("text of {a}\n").repeat(1000)))
            .collect();
        write(tree.root(), "a", &texts).unwrap();
        assert_eq!(read(tree.root(), "a", all.iter().copied()).unwrap(), texts);
        let packed = fs::read(tree.root().join(file("a"))).unwrap();
        assert!(packed.len() < 500, "{}", packed.len());
        let mut first = [0; 10];
        LzmaReader::new_mem_limit(&packed[..], u32::MAX, None)
            .unwrap()
            .read_exact(&mut first)
            .unwrap();
        assert_eq!(&first, b"text of 90");
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let tree = Scratch::new("store-faults");
        let all = architectures(&["75", "80"]);
        assert!(read(tree.root(), "a", all.iter().copied()).is_err());
        let texts = BTreeMap::from([(all[0], "text".to_owned())]);
        write(tree.root(), "a", &texts).unwrap();
        let error = read(tree.root(), "a", all.iter().copied()).unwrap_err();
        assert!(error.to_string().contains("holds 1 texts"), "{error}");
        tree.write("kernels/ptx/a.lzma", "no packed text");
        assert!(read(tree.root(), "a", all.iter().copied()).is_err());
        let zero = BTreeMap::from([(all[0], "a\0b".to_owned())]);
        assert!(write(tree.root(), "a", &zero).is_err());
    }
}
