//! `kernels/manifest.json`: what every committed image was made from, and what is in it.
//!
//! One family a line, sorted, so that two branches that change different families merge without a word.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::architecture::Architecture;
use super::digest::read;

/// Relative to the root.
pub(super) const FILE: &str = "kernels/manifest.json";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest(pub(super) BTreeMap<String, Record>);

/// One family.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    /// The same in every image, sorted.
    pub(super) entries: Vec<String>,
    pub(super) images: BTreeMap<Architecture, Made>,
}

/// One image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Made {
    /// The version of PTX.
    pub(super) isa: String,
    /// The digest of sources, headers, flags and compiler.
    pub(super) from: String,
    /// The digest of the image.
    pub(super) ptx: String,
    /// The older architecture whose image is the same text but for its target. It runs here too, so this one has no text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) same: Option<Architecture>,
}

impl Record {
    /// The images that have a text, oldest first.
    pub(super) fn kept(&self) -> impl DoubleEndedIterator<Item = Architecture> {
        let texts = self.images.iter().filter(|(_, made)| made.same.is_none());
        texts.map(|(architecture, _)| *architecture)
    }
}

impl Manifest {
    /// The manifest of the tree; an empty one where there is none.
    pub(super) fn load(root: &Path) -> Result<Self> {
        let file = root.join(FILE);
        if !file.is_file() {
            return Ok(Self::default());
        }
        serde_json::from_str(&read(&file)?).with_context(|| {
            format!("{FILE} is damaged; `cargo xtask kernels` mends it, also after a conflict of a merge")
        })
    }

    /// Every line that can be understood. What a conflict left unclear is compiled anew.
    pub(super) fn salvage(root: &Path) -> Self {
        let text = read(&root.join(FILE)).unwrap_or_default();
        let lines = text.lines().filter_map(|line| {
            let line = line.trim().trim_end_matches(',');
            serde_json::from_str::<Self>(&format!("{{{line}}}")).ok()
        });
        Self(lines.flat_map(|line| line.0).collect())
    }

    pub(super) fn text(&self) -> Result<String> {
        let lines: Vec<String> = self
            .0
            .iter()
            .map(|(name, record)| {
                let record = serde_json::to_string(record)?;
                Ok(format!("{}: {record}", serde_json::to_string(name)?))
            })
            .collect::<Result<_>>()?;
        Ok(format!("{{\n{}\n}}\n", lines.join(",\n")))
    }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    fn sample() -> Manifest {
        let made = |from: &str| Made {
            isa: "8.3".to_owned(),
            from: from.to_owned(),
            ptx: "beef".to_owned(),
            same: None,
        };
        let record = |from: &str| Record {
            entries: vec!["x_f32".to_owned(), "x_f64".to_owned()],
            images: ["75", "90a"]
                .map(|name| (name.parse().unwrap(), made(from)))
                .into(),
        };
        Manifest(
            ["fill", "moves", "sort"]
                .map(|name| (name.to_owned(), record(name)))
                .into(),
        )
    }

    #[test]
    fn one_family_a_line_and_back() {
        let tree = Scratch::new("manifest");
        assert_eq!(Manifest::load(tree.root()).unwrap(), Manifest::default());
        let text = sample().text().unwrap();
        assert_eq!(text.lines().count(), 5);
        tree.write(FILE, &text);
        assert_eq!(Manifest::load(tree.root()).unwrap(), sample());
        assert_eq!(Manifest::salvage(tree.root()), sample());
    }

    #[test]
    fn what_a_merge_conflict_leaves_is_used() {
        let tree = Scratch::new("conflict");
        let text = sample().text().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let conflict = [
            lines[0],
            lines[1],
            "<<<<<<< a",
            lines[2],
            "=======",
            "\"moves\": {}",
            ">>>>>>> b",
            lines[3],
            lines[4],
        ];
        tree.write(FILE, &conflict.join("\n"));
        assert!(Manifest::load(tree.root()).is_err());
        assert_eq!(Manifest::salvage(tree.root()), sample());
    }
}
