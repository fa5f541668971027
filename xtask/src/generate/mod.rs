//! Files that are made from others: committed, so that nobody needs a tool to read them, and checked, so that they are
//! never out of date.

mod elementwise;
mod row_operators;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::tree::root;

/// Write or only compare.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Change nothing; fail if a file is out of date
    #[arg(long)]
    check: bool,
}

/// What to do with a file whose text is not what it should be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    Check,
}

/// One generated file: where it is, and the function that makes its whole text.
struct Generated {
    path: &'static str,
    text: fn() -> Result<String>,
}

/// Every generated file. A new one is a row here and a function.
const FILES: &[Generated] = &[
    // A published crate carries its licences with it, and a package holds only what lies under its own folder.
    Generated {
        path: "crates/syntonic-core/LICENSE-MIT",
        text: licence_mit,
    },
    Generated {
        path: "crates/syntonic-core/LICENSE-APACHE",
        text: licence_apache,
    },
    Generated {
        path: "crates/syntonic-cuda/LICENSE-MIT",
        text: licence_mit,
    },
    Generated {
        path: "crates/syntonic-cuda/LICENSE-APACHE",
        text: licence_apache,
    },
    Generated {
        path: "crates/syntonic-srt/LICENSE-MIT",
        text: licence_mit,
    },
    Generated {
        path: "crates/syntonic-srt/LICENSE-APACHE",
        text: licence_apache,
    },
    Generated {
        path: "crates/syntonic-py/LICENSE-MIT",
        text: licence_mit,
    },
    Generated {
        path: "crates/syntonic-py/LICENSE-APACHE",
        text: licence_apache,
    },
    // A formula is written once, in Rust; its Python function has a signature and a docstring of its own.
    Generated {
        path: "crates/syntonic-py/python/syntonic/_elementwise.py",
        text: elementwise::module,
    },
    Generated {
        path: "crates/syntonic-py/python/syntonic/_rows.py",
        text: row_operators::module,
    },
];

/// `cargo xtask gen`.
pub(crate) fn run(options: &Options) -> Result<()> {
    run_in(if options.check {
        Mode::Check
    } else {
        Mode::Write
    })
}

/// Goes through all files; in check mode one error names all that are out of date.
pub(crate) fn run_in(mode: Mode) -> Result<()> {
    let root = root()?;
    let mut stale = Vec::new();
    for file in FILES {
        let text = (file.text)().with_context(|| format!("cannot make {}", file.path))?;
        if ensure_contents(&root.join(file.path), &text, mode)? == Found::Different {
            stale.push(file.path);
        }
    }
    match (mode, stale.is_empty()) {
        (Mode::Check, false) => bail!(
            "out of date, run `cargo xtask gen`:\n  {}",
            stale.join("\n  ")
        ),
        _ => Ok(()),
    }
}

/// Whether `path`, relative to the root, is written by this module.
pub(crate) fn is_generated(path: &Path) -> bool {
    FILES.iter().any(|file| Path::new(file.path) == path)
}

/// What was on disk before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Same,
    Different,
}

/// Compares `path` with `text` and, when writing, makes them the same. An unchanged file keeps its time stamp.
fn ensure_contents(path: &Path, text: &str, mode: Mode) -> Result<Found> {
    // A checkout may have turned line ends into those of its system.
    let found = fs::read_to_string(path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    if found == text {
        return Ok(Found::Same);
    }
    if mode == Mode::Write {
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("wrote {}", path.display());
    }
    Ok(Found::Different)
}

/// The head of a Python function, on one line where it fits.
fn definition(name: &str, parameters: &str, result: &str) -> String {
    let head = format!("def {name}({parameters}) -> {result}:");
    match head.len() <= 120 {
        true => head,
        false => format!("def {name}(\n    {parameters}\n) -> {result}:"),
    }
}

fn licence_mit() -> Result<String> {
    Ok(fs::read_to_string(root()?.join("LICENSE-MIT"))?)
}

fn licence_apache() -> Result<String> {
    Ok(fs::read_to_string(root()?.join("LICENSE-APACHE"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_once_and_checks_without_writing() {
        let path = std::env::temp_dir().join(format!("syntonic-gen-{}", std::process::id()));
        assert_eq!(
            ensure_contents(&path, "a\n", Mode::Check).unwrap(),
            Found::Different
        );
        assert!(!path.exists());
        assert_eq!(
            ensure_contents(&path, "a\n", Mode::Write).unwrap(),
            Found::Different
        );
        assert_eq!(
            ensure_contents(&path, "a\n", Mode::Check).unwrap(),
            Found::Same
        );
        fs::remove_file(&path).unwrap();
    }
}
