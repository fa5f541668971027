//! What the Rust side contributes, asked of example programs of `syntonic-cuda`: sources made from primitives and named maps, and texts as
//! they are made at run time. The generator is built without the images where these are to be made, since it has to run before
//! there are any.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::architecture::Architecture;
use crate::command::{cargo, example, read as output_of};

/// Writes sources into the folder that it is given.
const GENERATOR: &str = "generate_kernels";

/// Writes texts of kernels into the folder that it is given, for the architecture after it.
const MAKER: &str = "made_texts";

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
    write_texts(MAKER, folder, architecture)
}

/// Writes texts of made kernels that a wheel has as machine code into the folder that it is given, for the architecture after it.
const STOCK: &str = "stock_texts";

/// The texts of [`STOCK`] for a card of `architecture`, in `folder`. A file is named after the kind of the kernel, a dot, and what its
/// machine code is filed under.
pub(super) fn stock_texts(folder: &Path, architecture: Architecture) -> Result<()> {
    write_texts(STOCK, folder, architecture)
}

fn write_texts(name: &str, folder: &Path, architecture: Architecture) -> Result<()> {
    let mut command = example(name)?;
    let number = architecture.number.to_string();
    output_of(command.arg(folder).arg(number)).map(drop)
}

/// Makes `folder` hold what the generator makes now, and nothing else. It is made in `aside`, so that files that stay the same
/// are never gone: a compiler may be at them.
pub(super) fn sources(folder: &Path, aside: &Path, images: Images) -> Result<()> {
    if aside.exists() {
        fs::remove_dir_all(aside)?;
    }
    fs::create_dir_all(aside)?;
    generate(aside, images)?;
    copy(aside, folder)
}

/// Makes `into` hold the files of `from` and no others. Those that are the same are not touched.
fn copy(from: &Path, into: &Path) -> Result<()> {
    fs::create_dir_all(into)?;
    let made = names(from)?;
    for name in names(into)?.difference(&made) {
        fs::remove_file(into.join(name))?;
    }
    for name in &made {
        let content = fs::read(from.join(name))?;
        if fs::read(into.join(name)).ok().as_ref() != Some(&content) {
            fs::write(into.join(name), content)?;
        }
    }
    Ok(())
}

fn names(folder: &Path) -> Result<BTreeSet<OsString>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        names.insert(entry?.file_name());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    #[test]
    fn a_folder_becomes_what_the_other_is() {
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
        copy(&new, &old).unwrap();
        assert_eq!(names(&old).unwrap(), names(&new).unwrap());
        assert_eq!(
            (tree.read("old/a.cu"), tree.read("old/b.cu")),
            ("a".to_owned(), "b".to_owned())
        );
    }
}
