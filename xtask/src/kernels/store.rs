//! Where images lie: one file a family, which holds the texts of all architectures, packed.
//!
//! These differ in little, and all of them together are a hundred times what they are packed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};

use super::architecture::Architecture;
use super::manifest::Record;
use super::numbers::absolute;
use super::relative::relative;

/// The texts of one family that are there.
pub(super) type Texts = BTreeMap<Architecture, String>;

/// Relative to the root.
pub(super) const IMAGES: &str = "kernels/ptx";

/// Where compression stops to gain much. Its window holds the largest text twice, so that the next one repeats it.
const PRESET: u32 = 6;

/// A match of this length is taken without a look for a longer one: the longest that there can be.
const NICE: u32 = 273;

/// What a reader has to keep of what it has read, at most and at least.
const WINDOW: (usize, usize) = (1 << 12, 1 << 23);

/// One function forms the name of the file of a family.
pub(super) fn file(family: &str) -> PathBuf {
    Path::new(IMAGES).join(format!("{family}.lzma"))
}

/// What one of the texts is called in what people read.
pub(super) fn label(family: &str, architecture: Architecture) -> String {
    format!("{family}.{architecture}.ptx")
}

/// Writes the texts of a family.
pub(super) fn write(root: &Path, family: &str, texts: &Texts) -> Result<()> {
    let packed = packed(texts.values().rev()).with_context(|| family.to_owned())?;
    let path = root.join(file(family));
    fs::create_dir_all(root.join(IMAGES))?;
    if fs::read(&path).ok().as_ref() != Some(&packed) {
        let told = || format!("cannot write {}", path.display());
        fs::write(&path, packed).with_context(told)?;
    }
    Ok(())
}

/// The texts of a family. The one that only the newest card takes comes first, since a reader stops where it has what it looks
/// for; each ends with a zero byte.
fn packed<'a>(texts: impl Iterator<Item = &'a String>) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    for text in texts {
        ensure!(!text.contains('\0'), "a zero byte within a text");
        all.extend_from_slice(relative(text)?.as_bytes());
        all.push(0);
    }
    lzma(&all, Content::Text)
}

/// What is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Text,
    /// Instructions of 16 bytes.
    MachineCode,
}

/// The bytes packed, with a header that says how many they are.
pub(super) fn lzma(bytes: &[u8], content: Content) -> Result<Vec<u8>> {
    let mut options = LzmaOptions::with_preset(PRESET);
    options.nice_len = NICE;
    if content == Content::MachineCode {
        // What a byte says depends on its place in its instruction, not on the byte before.
        (options.lc, options.lp, options.pb) = (0, 4, 4);
    }
    options.dict_size = bytes.len().next_power_of_two().clamp(WINDOW.0, WINDOW.1) as u32;
    let mut packer = LzmaWriter::new_use_header(Vec::new(), &options, Some(bytes.len() as u64))?;
    packer.write_all(bytes)?;
    Ok(packer.finish()?)
}

/// The texts that a family's file holds, which are those that the manifest knows, oldest first.
pub(super) fn read(root: &Path, family: &str, record: &Record) -> Result<Texts> {
    let texts = unpacked(&root.join(file(family)), record.kept().count())?;
    Ok(record.kept().rev().zip(texts).collect())
}

/// The texts in a file, which are as many as the manifest knows.
fn unpacked(path: &Path, known: usize) -> Result<Vec<String>> {
    let packed = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let damaged = || format!("{} is damaged", path.display());
    let mut all = String::new();
    LzmaReader::new_mem_limit(&packed[..], u32::MAX, None)
        .with_context(damaged)?
        .read_to_string(&mut all)
        .with_context(damaged)?;
    let texts: Option<Vec<String>> = all.split_terminator('\0').map(absolute).collect();
    let texts = texts.with_context(damaged)?;
    ensure!(
        texts.len() == known,
        "{} holds {} texts, and the manifest knows {known}",
        path.display(),
        texts.len()
    );
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::super::manifest::Made;
    use super::super::scratch::Scratch;
    use super::*;

    fn architectures(names: &[&str]) -> Vec<Architecture> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    fn record(architectures: &[Architecture]) -> Record {
        let made = Made {
            isa: "8.3".to_owned(),
            from: "beef".to_owned(),
            ptx: "beef".to_owned(),
            same: None,
        };
        Record {
            entries: vec!["fill".to_owned()],
            images: architectures.iter().map(|a| (*a, made.clone())).collect(),
        }
    }

    fn texts(architectures: &[Architecture], of: impl Fn(Architecture) -> String) -> Texts {
        architectures.iter().map(|a| (*a, of(*a))).collect()
    }

    #[test]
    fn texts_come_back_and_the_newest_is_the_first() {
        let tree = Scratch::new("store");
        let all = architectures(&["75", "80", "90"]);
        let texts = texts(&all, |a| format!("for {a}: %r1, %r2\n").repeat(1000));
        write(tree.root(), "a", &texts).unwrap();
        assert_eq!(read(tree.root(), "a", &record(&all)).unwrap(), texts);
        let packed = fs::read(tree.root().join(file("a"))).unwrap();
        assert!(packed.len() < 500, "{}", packed.len());
        let first = "for 90";
        let mut found = vec![0; first.len()];
        LzmaReader::new_mem_limit(&packed[..], u32::MAX, None)
            .unwrap()
            .read_exact(&mut found)
            .unwrap();
        assert_eq!(found, first.as_bytes());
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let tree = Scratch::new("store-faults");
        let all = architectures(&["75", "80"]);
        let record = record(&all);
        let error = || read(tree.root(), "a", &record).unwrap_err().to_string();
        assert!(error().contains("cannot read"));
        write(tree.root(), "a", &texts(&all[..1], |_| "text".to_owned())).unwrap();
        assert!(error().contains("holds 1 texts"), "{}", error());
        tree.write("kernels/ptx/a.lzma", "no packed text");
        assert!(error().contains("is damaged"), "{}", error());
        for wrong in ["a\0b", "%a+1"] {
            assert!(write(tree.root(), "a", &texts(&all, |_| wrong.to_owned())).is_err());
        }
    }
}
