//! Where things are: the repository's root, its target folder and its files.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The root of the repository. Cargo names our own folder at run time, so no build path is baked into the binary.
pub(crate) fn root() -> Result<PathBuf> {
    let here = env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .context("CARGO_MANIFEST_DIR is not set: start this program as `cargo xtask`")?;
    let root = here.parent().context("xtask has no parent folder")?;
    Ok(root.to_path_buf())
}

/// The folder for everything that is built: `CARGO_TARGET_DIR`, else `target`.
pub(crate) fn target_dir() -> Result<PathBuf> {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => std::path::absolute(dir).context("CARGO_TARGET_DIR is no usable path"),
        None => Ok(root()?.join("target")),
    }
}

/// Every file that git tracks or would offer to track, relative to the root, sorted.
pub(crate) fn files() -> Result<Vec<PathBuf>> {
    let root = root()?;
    let listing = Command::new("git")
        .args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
        ])
        .current_dir(&root)
        .output()
        .context("git is needed to list the files of the repository")?;
    ensure!(
        listing.status.success(),
        "git ls-files failed: {}",
        String::from_utf8_lossy(&listing.stderr).trim()
    );
    let text = String::from_utf8(listing.stdout).context("a file name is not UTF-8")?;
    let mut files: Vec<PathBuf> = text
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .collect();
    files.retain(|file| root.join(file).is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

/// Whether a path relative to the root lies under `folder`.
pub(crate) fn is_under(path: &Path, folder: &str) -> bool {
    path.starts_with(folder)
}
