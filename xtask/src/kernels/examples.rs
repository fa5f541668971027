//! What the Rust side contributes, asked of example programs of `syntonic-cuda`: sources made from named programs, and texts as
//! they are made at run time. The generator is built without the images where these are to be made, since it has to run before
//! there are any.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::architecture::Architecture;
use super::digest::read;
use super::family::{GENERATED, sources_in};
use crate::command::{cargo, example, read as output_of};

/// Writes sources into the folder that it is given.
const GENERATOR: &str = "generate_kernels";

/// Writes texts of kernels into the folder that it is given, for the architecture after it.
const MAKER: &str = "made_texts";

/// The file of the generator, part of what generated sources depend on.
pub(super) fn generator() -> PathBuf {
    Path::new("crates/syntonic-cuda/examples").join(format!("{GENERATOR}.rs"))
}

/// Whether there are images, which a crate with its usual features carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Images {
    /// They are about to be made.
    Coming,
    /// They are committed: what is compiled with them serves the tests, too.
    There,
}

fn generate(folder: &Path, images: Images) -> Result<()> {
    let mut command = match images {
        Images::There => {
            example(GENERATOR).context("the images are made by `cargo xtask kernels`")?
        }
        Images::Coming => {
            let mut command = cargo()?;
            command.args(["run", "--quiet", "--locked", "--package", "syntonic-cuda"]);
            command.args(["--no-default-features", "--example", GENERATOR, "--"]);
            command
        }
    };
    output_of(command.arg(folder)).map(drop)
}

/// Kernels as they are made at run time, for a card of `architecture`, in `folder`.
pub(super) fn made_texts(folder: &Path, architecture: Architecture) -> Result<()> {
    let mut command = example(MAKER)?;
    let number = architecture.number.to_string();
    output_of(command.arg(folder).arg(number)).map(drop)
}

/// What the generator makes now, in a folder of its own; nothing if there is no generator.
pub(super) fn generated(root: &Path, folder: &Path, images: Images) -> Result<Option<PathBuf>> {
    if !root.join(generator()).is_file() {
        let left = sources_in(&root.join(GENERATED))?;
        ensure!(
            left.is_empty(),
            "{GENERATED} has sources, and {} is not there to make them",
            generator().display()
        );
        return Ok(None);
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    generate(folder, images)?;
    Ok(Some(folder.to_path_buf()))
}

/// Makes `into` hold the sources of `from` and no others. Unchanged files keep their time stamps.
pub(super) fn copy(from: &Path, into: &Path) -> Result<()> {
    fs::create_dir_all(into)?;
    let made = sources_in(from)?;
    for name in sources_in(into)?.difference(&made) {
        fs::remove_file(into.join(name))?;
    }
    for name in &made {
        let text = read(&from.join(name))?;
        if read(&into.join(name)).ok().as_ref() != Some(&text) {
            fs::write(into.join(name), text)?;
        }
    }
    Ok(())
}

/// The names of the sources in which the two folders differ.
pub(super) fn differing(made: &Path, committed: &Path) -> Result<Vec<String>> {
    let names: BTreeSet<PathBuf> = &sources_in(made)? | &sources_in(committed)?;
    let text = |folder: &Path, name: &PathBuf| read(&folder.join(name)).ok();
    let differ = names
        .iter()
        .filter(|name| text(made, name) != text(committed, name));
    Ok(differ.map(|name| name.display().to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    #[test]
    fn stale_generated_sources_are_named_and_mended() {
        let tree = Scratch::new("generated");
        for (file, text) in [
            ("new/a.cu", "a"),
            ("new/b.cu", "b"),
            ("old/b.cu", "edited"),
            ("old/c.cu", "c"),
        ] {
            tree.write(file, text);
        }
        let (new, old) = (tree.root().join("new"), tree.root().join("old"));
        assert_eq!(differing(&new, &old).unwrap(), ["a.cu", "b.cu", "c.cu"]);
        copy(&new, &old).unwrap();
        assert_eq!(differing(&new, &old).unwrap(), [""; 0]);
    }

    #[test]
    fn sources_without_their_generator_are_an_error() {
        let tree = Scratch::new("generator");
        let folder = tree.root().join("made");
        assert_eq!(
            generated(tree.root(), &folder, Images::There).unwrap(),
            None
        );
        tree.write("kernels/generated/a.cu", "");
        assert!(generated(tree.root(), &folder, Images::There).is_err());
    }
}
