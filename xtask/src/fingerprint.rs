//! A short name for the content of files, so that work whose inputs did not change is not done again.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// 64-bit FNV-1a. It guards against doing work twice, not against an adversary.
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn text(mut self, text: &str) -> Self {
        self.bytes(text.as_bytes());
        self
    }

    /// Takes in the names and the contents of `files`, which are relative to `root`.
    pub(crate) fn files(mut self, root: &Path, files: &[PathBuf]) -> Result<Self> {
        for file in files {
            let content = fs::read(root.join(file))
                .with_context(|| format!("cannot read {}", file.display()))?;
            self.bytes(file.to_string_lossy().as_bytes());
            self.bytes(&content);
        }
        Ok(self)
    }

    pub(crate) fn finish(self) -> String {
        format!("{:016x}", self.0)
    }

    /// The length goes in first, so that moving a boundary between two files changes the result.
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Whether `stamp` holds exactly this fingerprint.
pub(crate) fn is_current(stamp: &Path, fingerprint: &str) -> bool {
    fs::read_to_string(stamp).is_ok_and(|found| found == fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_and_content_count() {
        let of = |parts: &[&str]| {
            parts
                .iter()
                .fold(Fingerprint::new(), |all, part| all.text(part))
                .finish()
        };
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["abc"]), of(&["abd"]));
    }
}
