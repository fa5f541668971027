//! Whether each crate that is meant to be published can be packed on its own.

use anyhow::{Context, Result, ensure};

use crate::command::cargo;

/// What users get from a registry.
pub(crate) const PUBLISHED: [&str; 3] = ["syntonic-core", "syntonic-cuda", "syntonic-srt"];

/// Packs all of them together, as one release would. A warning of cargo about a manifest is a failure here.
///
/// The packed crates are not compiled once more: their files are those of the tree, which the tests compile.
pub(crate) fn check() -> Result<()> {
    let mut command = cargo()?;
    command.args([
        "package",
        "--locked",
        "--offline",
        "--allow-dirty",
        "--no-verify",
        "--quiet",
    ]);
    command.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    let output = command.output().context("cannot start cargo package")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success() && !complaint.contains("warning"),
        "cargo package: {}",
        complaint.trim()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::tree::{files, root};
    use std::fs;

    /// The package is in no registry: what a text tells to install is there.
    #[test]
    fn no_text_installs_what_is_not_published() {
        let root = root().unwrap();
        for file in files().unwrap() {
            // Files that are no text, and those that the index has and the tree lacks.
            let Ok(text) = fs::read_to_string(root.join(&file)) else {
                continue;
            };
            for line in text.lines() {
                let unknown = |words: &str| {
                    let words = words.trim_start_matches([' ', '-', 'U', '\\', '"', '\'']);
                    words.starts_with("syntonic")
                };
                let found = line.split("pip install").skip(1).any(unknown);
                assert!(!found, "{}: {line}", file.display());
            }
        }
    }

    /// Where the extension looks for a library of NVIDIA's, and what users are told to install for it.
    #[test]
    fn each_extra_brings_the_libraries_that_are_looked_for() {
        let root = root().unwrap();
        let project = fs::read_to_string(root.join("crates/syntonic-py/pyproject.toml")).unwrap();
        let toolkit =
            fs::read_to_string(root.join("crates/syntonic-cuda/src/driver/toolkit.rs")).unwrap();
        let folder = |library: &str| {
            let file = format!("name: \"lib{library}.so\",");
            let entry = toolkit.split(&file).nth(1).expect(library);
            entry
                .split("package: \"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
        };
        for (extra, ending) in [("cuda12", "-cu12"), ("cuda13", "")] {
            let key = format!("optional-dependencies.{extra} = [");
            let listed = project.lines().find_map(|line| line.strip_prefix(&key));
            let listed: Vec<&str> = listed.expect(extra).split('"').skip(1).step_by(2).collect();
            for library in ["cublasLt", "cublas", "cusolver", "cufft"] {
                // The packages of CUDA 12 have a folder each, called as they are; those of CUDA 13 share one.
                let package = format!("nvidia-{}{ending}>=", folder(library));
                let found = listed.iter().any(|wanted| wanted.starts_with(&package));
                assert!(found, "{extra} lacks {package}: {listed:?}");
            }
            assert_eq!(listed.len(), 3, "{listed:?}");
        }
    }
}
