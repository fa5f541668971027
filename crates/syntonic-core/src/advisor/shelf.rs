//! Advice on disk and in memory.

use super::advice::{Lasting, LeftOut, Measured, Origin};
use super::{FOLDER, OP};
use crate::error::{Error, Result};
use crate::fork::lock;
use crate::io;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The form of a file. One of another form is no advice.
const FORM: u32 = 1;
/// No file of advice is longer, in bytes.
const LONGEST: u64 = 1 << 16;
/// Advice that is kept in memory; the oldest goes first.
const MOST: usize = 1_000;

/// What is kept of advice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// All that it depends on.
    pub(super) key: String,
    pub(super) picked: String,
    pub(super) measured: Vec<Measured>,
    pub(super) left_out: Vec<LeftOut>,
}

#[derive(Serialize, Deserialize)]
struct Page<K> {
    syntonic_advice: u32,
    advice: K,
}

/// Where an advisor keeps its advice.
#[derive(Debug)]
pub(super) struct Shelf {
    folder: Option<PathBuf>,
    near: Mutex<Vec<Kept>>,
    /// Whether it was said that the folder is of no use.
    told: AtomicBool,
}

/// The folder that is asked where nobody names one; none where the user has none.
pub(super) fn usual_folder() -> Option<PathBuf> {
    folder_of(|name| env::var_os(name).map(PathBuf::from))
}

fn folder_of(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(named) = variable(FOLDER) {
        return (!named.as_os_str().is_empty()).then_some(named);
    }
    let caches = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let home = || variable("HOME").filter(|path| path.is_absolute());
    let caches = caches.or_else(|| Some(home()?.join(".cache")))?;
    Some(caches.join("syntonic").join("advice"))
}

impl Shelf {
    pub(super) fn new(folder: Option<PathBuf>) -> Shelf {
        Shelf {
            folder,
            near: Mutex::new(Vec::new()),
            told: AtomicBool::new(false),
        }
    }

    /// What was kept under a key.
    pub(super) fn find(&self, key: &str) -> Option<(Kept, Origin)> {
        if let Some(kept) = lock(&self.near).iter().find(|kept| kept.key == key) {
            return Some((kept.clone(), Origin::Memory));
        }
        let path = self.path(key)?;
        match read(&path) {
            Ok(kept) if kept.key == key && is_sound(&kept) => {
                self.keep_near(kept.clone());
                Some((kept, Origin::Disk))
            }
            Ok(_) => {
                let file = path.display();
                tracing::warn!(%file, "this is not the advice that its name says, so choices are measured");
                None
            }
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!(%error, "advice cannot be read, so choices are measured");
                None
            }
        }
    }

    /// Keeps advice, and writes it where its reasons last.
    pub(super) fn keep(&self, kept: Kept, lasting: Lasting) {
        if let (Some(path), Lasting::Always) = (self.path(&kept.key), lasting)
            && let Err(error) = write(&path, &kept)
            && !self.told.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(%error, "advice cannot be written, so it lives in memory");
        }
        self.keep_near(kept);
    }

    fn keep_near(&self, kept: Kept) {
        let mut near = lock(&self.near);
        near.retain(|old| old.key != kept.key);
        if near.len() >= MOST {
            near.remove(0);
        }
        near.push(kept); // few: `MOST`.
    }

    pub(super) fn forget(&self, key: &str) -> Result<()> {
        lock(&self.near).retain(|kept| kept.key != key);
        let Some(path) = self.path(key) else {
            return Ok(());
        };
        match fs::remove_file(&path) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(Error::Io {
                op: OP,
                path: path.display().to_string(),
                source,
            }),
            _ => Ok(()),
        }
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        let mut name = String::new();
        for byte in &Sha256::digest(key)[..16] {
            let _ = write!(name, "{byte:02x}");
        }
        Some(self.folder.as_ref()?.join(name + ".json"))
    }
}

/// Whether it can have been written by an advisor: the picked choice was measured.
fn is_sound(kept: &Kept) -> bool {
    kept.measured.iter().any(|m| m.choice == kept.picked)
}

fn read(path: &Path) -> Result<Kept> {
    let (file, long) = io::open_file(OP, path)?;
    let bad = |what: String| Error::File {
        op: OP,
        path: path.display().to_string(),
        what,
    };
    if long > LONGEST {
        return Err(bad(format!("{long} bytes are too many for advice")));
    }
    let mut text = String::new(); // few: `LONGEST`.
    let read = file.take(LONGEST).read_to_string(&mut text);
    read.map_err(|e| bad(e.to_string()))?;
    let page: Page<Kept> = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
    match page.syntonic_advice {
        FORM => Ok(page.advice),
        other => Err(bad(format!("it has form {other}, and this is form {FORM}"))),
    }
}

fn write(path: &Path, kept: &Kept) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| Error::Io {
            op: OP,
            path: folder.display().to_string(),
            source,
        })?;
    }
    let page = Page {
        syntonic_advice: FORM,
        advice: kept,
    };
    io::write_file(OP, path, |file| {
        Ok(serde_json::to_writer_pretty(file, &page)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_folder_is_the_users() {
        let asked = |given: &[(&str, &str)]| {
            folder_of(|name| {
                let found = given.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| PathBuf::from(value))
            })
        };
        let caches = [("XDG_CACHE_HOME", "/c"), ("HOME", "/h")];
        assert_eq!(asked(&caches), Some("/c/syntonic/advice".into()));
        let home = [("XDG_CACHE_HOME", "here"), ("HOME", "/h")];
        assert_eq!(asked(&home), Some("/h/.cache/syntonic/advice".into()));
        assert_eq!(asked(&[("HOME", "/h"), (FOLDER, "x")]), Some("x".into()));
        assert_eq!(asked(&[("HOME", "/h"), (FOLDER, "")]), None);
        assert_eq!(asked(&[]), None);
    }
}
