//! `cargo xtask kernels --check`: whether the committed images are those of the committed sources. It needs no compiler.

use std::path::Path;

use anyhow::Result;

use super::architecture::Architecture;
use super::digest::Digest;
use super::family::{Family, Sources, families};
use super::manifest::{self, Made, Manifest, Record};
use super::refresh::orphans;
use super::{ptx, store, table};

/// Everything that does not fit together.
pub(super) fn complaints(sources: &Sources) -> Result<Vec<String>> {
    let families = families(sources)?;
    let manifest = Manifest::load(&sources.root)?;
    let mut complaints = Vec::new();
    for family in &families {
        complaints.extend(changes(sources, family, manifest.0.get(&family.name))?);
    }
    for name in manifest.0.keys() {
        if !families.iter().any(|family| family.name == *name) {
            complaints.push(format!("{}: {name} has no source", manifest::FILE));
        }
    }
    complaints.extend(complaints_of_images(&sources.root, &manifest)?);
    Ok(complaints)
}

/// What does not fit together of the files that are committed, whatever their sources are.
pub(super) fn complaints_of_images(root: &Path, manifest: &Manifest) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for (name, record) in &manifest.0 {
        complaints.extend(images(root, name, record));
    }
    let strangers = orphans(root, manifest)?;
    complaints.extend(
        strangers
            .iter()
            .map(|file| format!("{}: belongs to no family", file.display())),
    );
    if !table::is_current(root, manifest)? {
        complaints.push(format!(
            "{}: is not what the manifest makes it",
            table::FILE
        ));
    }
    Ok(complaints)
}

/// Whether each image of the family was made from the sources as they are now.
fn changes(sources: &Sources, family: &Family, record: Option<&Record>) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let made = |architecture| record.and_then(|record| record.images.get(architecture));
    for architecture in &family.architectures {
        let from = family.digest(sources, *architecture)?;
        let source = family.source.display();
        match made(architecture) {
            None => complaints.push(format!("{source}: there is no image for {architecture}")),
            Some(made) if made.from != from => complaints.push(format!(
                "{source}: it, a header or the flags changed since the image for {architecture} was made"
            )),
            Some(_) => {}
        }
    }
    let images = record.iter().flat_map(|record| record.images.keys());
    let idle = images.filter(|image| !family.architectures.contains(image));
    complaints.extend(idle.map(|image| {
        format!(
            "{}: has an image for {image}, which it does not ask for",
            family.source.display()
        )
    }));
    Ok(complaints)
}

/// Whether the images of a family are what the manifest says.
fn images(root: &Path, name: &str, record: &Record) -> Vec<String> {
    let mut complaints = Vec::new();
    for (architecture, made) in &record.images {
        let Some(older) = made.same else { continue };
        let known = record.images.get(&older);
        if older >= *architecture || known.is_none_or(|image| image.same.is_some()) {
            complaints.push(format!("{name}: {architecture} cannot be left to {older}"));
        }
    }
    let texts = match store::read(root, name, record) {
        Ok(texts) => texts,
        Err(error) => {
            complaints.push(format!("{name}: {error:#}"));
            return complaints;
        }
    };
    for (architecture, text) in &texts {
        let said = contents(text, *architecture, record, &record.images[architecture]);
        let label = store::label(name, *architecture);
        complaints.extend(said.iter().map(|said| format!("{label}: {said}")));
    }
    complaints
}

/// Whether the text of an image is what the manifest says.
fn contents(text: &str, architecture: Architecture, record: &Record, made: &Made) -> Vec<String> {
    let mut complaints = Vec::new();
    if Digest::new().text(text).finish() != made.ptx {
        complaints.push("is not the text that was made".to_owned());
    }
    if let Some(path) = ptx::absolute_path(text) {
        complaints.push(format!("names {path}, a place on somebody's machine"));
    }
    match ptx::claims(text) {
        Err(error) => complaints.push(format!("is no PTX: {error:#}")),
        Ok(claims) => {
            let floor = architecture.floor();
            if claims.isa != floor || made.isa != floor.to_string() {
                complaints.push(format!(
                    "is of PTX {}, by the manifest of {}; the floor for {architecture} is {floor}",
                    claims.isa, made.isa
                ));
            }
            if claims.target != architecture.to_string() {
                complaints.push(format!("is for sm_{}", claims.target));
            }
            let own = record.entries.iter();
            let missing = own.filter(|entry| !claims.entries.contains(entry));
            complaints.extend(missing.map(|entry| format!("the entry {entry} is missing")));
            let orphans = claims
                .entries
                .iter()
                .filter(|entry| !record.entries.contains(entry));
            complaints.extend(
                orphans.map(|entry| format!("the manifest does not know the entry {entry}")),
            );
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::super::refresh::{Wish, refresh};
    use super::super::scratch::{Scratch, image_of, tree_with};
    use super::*;

    /// A tree in which everything fits together.
    fn sound(name: &str) -> Scratch {
        let tree = tree_with(name, &["a", "b"]);
        refresh(&tree.sources(), Wish::default(), |_| {
            Ok(Box::new(|job| {
                Ok(image_of(&job.family.name, job.architecture))
            }))
        })
        .unwrap();
        assert_eq!(complaints(&tree.sources()).unwrap(), [""; 0]);
        tree
    }

    /// Complaints about `tree`, of which one at least has all of `words`.
    fn complains(tree: &Scratch, words: &[&str]) {
        let complaints = complaints(&tree.sources()).unwrap();
        let fits = |complaint: &String| words.iter().all(|word| complaint.contains(word));
        assert!(complaints.iter().any(fits), "{words:?} in {complaints:?}");
    }

    /// Rewrites an image and makes the manifest vouch for it, as somebody who means well would.
    fn replace(tree: &Scratch, image: &str, from: &str, to: &str) {
        let (family, architecture) = image.split_once('.').unwrap();
        let which = architecture.parse().unwrap();
        let (before, manifest) = (
            tree.texts(family)[&which].clone(),
            tree.read(manifest::FILE),
        );
        let after = before.replace(from, to);
        assert_ne!(before, after);
        let digest = |text: &str| Digest::new().text(text).finish();
        tree.replace(family, architecture, Some(after.clone()));
        tree.write(
            manifest::FILE,
            &manifest.replace(&digest(&before), &digest(&after)),
        );
    }

    #[test]
    fn an_edited_source_or_header_is_found() {
        let tree = sound("edited");
        tree.write("kernels/a.cu", "// Edited.\n");
        complains(&tree, &["kernels/a.cu", "changed since", "90"]);
        let tree = sound("header");
        tree.write("kernels/include/all.cuh", "// Edited.\n");
        complains(&tree, &["kernels/b.cu", "changed since", "75"]);
        tree.write("kernels/c.cu", "");
        complains(&tree, &["kernels/c.cu", "no image for 80"]);
    }

    #[test]
    fn a_missing_entry_is_found() {
        let tree = sound("missing");
        replace(&tree, "a.80", ".entry a_f32(", ".func a_f32(");
        complains(&tree, &["a.80.ptx", "a_f32 is missing"]);
    }

    #[test]
    fn an_orphan_entry_is_found() {
        let tree = sound("orphan");
        replace(&tree, "b.75", ".visible", ".entry stray(\n.visible");
        complains(&tree, &["b.75.ptx", "does not know the entry stray"]);
    }

    #[test]
    fn a_raised_version_is_found() {
        let tree = sound("raised");
        replace(&tree, "b.90", ".version 8.3", ".version 9.0");
        complains(&tree, &["b.90.ptx", "PTX 9.0", "floor for 90 is 8.3"]);
        let tree = sound("claimed");
        let manifest = tree.read(manifest::FILE).replacen("\"8.3\"", "\"9.0\"", 1);
        tree.write(manifest::FILE, &manifest);
        complains(&tree, &["a.75.ptx", "manifest of 9.0"]);
    }

    #[test]
    fn an_edited_lost_or_stray_image_is_found() {
        let tree = sound("images");
        let text = tree.texts("a")[&"75".parse().unwrap()].clone();
        tree.replace("a", "75", Some(text + "\n"));
        complains(&tree, &["a.75.ptx", "not the text that was made"]);
        tree.replace("a", "80", None);
        complains(&tree, &["a.lzma", "holds 2 texts"]);
        tree.remove("kernels/ptx/a.lzma");
        complains(&tree, &["a.lzma", "cannot read"]);
        tree.write("kernels/ptx/old.lzma", "");
        complains(&tree, &["old.lzma", "belongs to no family"]);
        replace(&tree, "b.80", "sm_80", "sm_90");
        complains(&tree, &["b.80.ptx", "is for sm_90"]);
        replace(&tree, "b.75", ".visible", ".file 1 \"/srv/a.cu\"\n.visible");
        complains(&tree, &["b.75.ptx", "/srv/a.cu"]);
        tree.remove("kernels/a.cu");
        complains(&tree, &["a has no source"]);
        tree.write("kernels/b.cu", "// arch: 90a\n");
        complains(&tree, &["kernels/b.cu", "image for 75", "does not ask for"]);
    }

    #[test]
    fn a_table_that_was_edited_is_found() {
        let tree = sound("table");
        tree.write(table::FILE, "");
        complains(&tree, &["table.rs"]);
        tree.write(manifest::FILE, "{");
        assert!(complaints(&tree.sources()).is_err());
    }
}
