//! A small tree of files for one test.

use std::fs;
use std::path::{Path, PathBuf};

use super::architecture::Architecture;
use super::family::Sources;
use super::manifest::Manifest;
use super::{store, table};

/// A folder of its own, gone when the test ends.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new(name: &str) -> Self {
        let folder = format!("syntonic-kernels-{name}-{}", std::process::id());
        let root = std::env::temp_dir().join(folder);
        fs::create_dir_all(&root).unwrap();
        Self(root)
    }

    pub(super) fn root(&self) -> &Path {
        &self.0
    }

    /// Its sources, and those in `made` for the generator's.
    pub(super) fn sources(&self) -> Sources {
        Sources {
            root: self.0.clone(),
            generated: self.0.join("made"),
        }
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap()
    }

    pub(super) fn remove(&self, path: &str) {
        fs::remove_file(self.0.join(path)).unwrap();
    }

    /// The texts of a family's images, by the manifest.
    pub(super) fn texts(&self, family: &str) -> store::Texts {
        let manifest = Manifest::load(&self.0).unwrap();
        store::read(&self.0, family, &manifest.0[family]).unwrap()
    }

    /// Puts another text in the place of `family.architecture`, or takes it out.
    pub(super) fn replace(&self, family: &str, architecture: &str, text: Option<String>) {
        let mut texts = self.texts(family);
        let which = architecture.parse().unwrap();
        texts.remove(&which);
        texts.extend(text.map(|text| (which, text)));
        store::write(&self.0, family, &texts).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A tree with one source for each name, all of which include one header. No image is there yet.
pub(super) fn tree_with(name: &str, families: &[&str]) -> Scratch {
    let tree = Scratch::new(name);
    tree.write("kernels/include/all.cuh", "// Everybody's.\n");
    fs::create_dir_all(tree.root().join(table::FILE).parent().unwrap()).unwrap();
    for family in families {
        let include = if *family == "b" {
            "#include \"all.cuh\"\n"
        } else {
            "// Alone.\n"
        };
        tree.write(&format!("kernels/{family}.cu"), include);
    }
    tree
}

/// What an imitated compiler writes: an image with one entry, other instructions for every architecture.
pub(super) fn image_of(family: &str, architecture: Architecture) -> String {
    let floor = architecture.floor();
    format!(
        ".version {floor}\n.target sm_{architecture}\n.visible .entry {family}_f32(\n// {architecture}\n"
    )
}
