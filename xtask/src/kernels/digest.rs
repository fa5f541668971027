//! The name of a content: what a committed image, and a record of a run on a GPU, say they were made from.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest as _, Sha256};

/// SHA-256, of which the first half is written down.
pub(super) struct Digest(Sha256);

impl Digest {
    pub(super) fn new() -> Self {
        Self(Sha256::new())
    }

    pub(super) fn text(mut self, text: &str) -> Self {
        self.part(text.as_bytes());
        self
    }

    pub(super) fn finish(self) -> String {
        let bytes = self.0.finalize();
        bytes[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// The length goes in first, so that moving a boundary between two parts changes the result.
    fn part(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }
}

/// A text file with the line ends that were committed, whatever the checkout made of them.
pub(super) fn read(path: &Path) -> Result<String> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(if text.contains('\r') {
        text.replace("\r\n", "\n")
    } else {
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_and_content_count() {
        let of = |parts: &[&str]| {
            let digest = parts.iter().fold(Digest::new(), |all, part| all.text(part));
            digest.finish()
        };
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["abc"]), of(&["abd"]));
        // SHA-256 of nothing at all.
        assert_eq!(of(&[]), "e3b0c44298fc1c149afbf4c8996fb924");
    }
}
