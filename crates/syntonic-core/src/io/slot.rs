//! The name that a file has while it is written.

use super::target::Target;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Writers of one path at one time; there are no more names.
const SLOTS: usize = 10_000;
/// A target's name is cut to this many bytes, since systems allow 255.
const LONGEST_STEM: usize = 200;

/// One of the names `.NAME.0.part`, `.NAME.1.part` and so on. Whoever writes under one holds a lock on its file, so one
/// that is not locked was left by a process that died: it is removed, and names are few. The file is always one of our
/// own making, never one that was found.
pub(super) struct Slot {
    /// None once the name is not ours any more.
    path: Option<PathBuf>,
    shown: PathBuf,
}

impl Slot {
    /// The first free name beside `target`, with its new and empty file, which is open for writing.
    pub(super) fn take(target: &Target) -> io::Result<(Slot, File)> {
        for number in 0..SLOTS {
            let path = target.beside(&name(target.path(), number));
            if let Some(file) = make(target, &path)? {
                remove_dead(target, number + 1);
                let slot = Slot {
                    path: Some(path.clone()),
                    shown: path,
                };
                return Ok((slot, file));
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    pub(super) fn path(&self) -> &Path {
        &self.shown
    }

    /// The file was moved: from now on the name is anybody's.
    pub(super) fn let_go(&mut self) {
        self.path = None;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Failing to clean up is not an error.
            let _ = fs::remove_file(path);
        }
    }
}

fn name(target: &Path, number: usize) -> OsString {
    let name = target.file_name().unwrap_or_default();
    let mut own = OsString::from(".");
    if name.len() <= LONGEST_STEM {
        own.push(name);
    } else {
        // Two targets that begin alike share these names, and take turns.
        let text = name.to_string_lossy();
        let mut end = LONGEST_STEM.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        own.push(&text[..end]);
    }
    own.push(format!(".{number}.part"));
    own
}

/// Removes what several writers left that died at once: names from this number on, while there are any.
fn remove_dead(target: &Target, first: usize) {
    for number in first..SLOTS {
        let path = target.beside(&name(target.path(), number));
        if fs::symlink_metadata(&path).is_err() || !removed(&path) {
            return;
        }
    }
}

/// A new file of this name, locked, or nothing where somebody writes under it.
fn make(target: &Target, path: &Path) -> io::Result<Option<File>> {
    // Another writer may take our file for a dead one's between its making and its lock.
    for _ in 0..100 {
        match target.options().create_new(true).open(path) {
            Ok(file) => {
                if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && is_at(path, &file) {
                    return Ok(Some(file));
                }
            }
            Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(e),
            Err(_) if !removed(path) => return Ok(None),
            Err(_) => {}
        }
    }
    Ok(None)
}

/// Removes what a dead process left; false where it is alive, or the name is another's.
fn removed(path: &Path) -> bool {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOFOLLOW,
    );
    match options.open(path) {
        Ok(file) => {
            let regular = file.metadata().is_ok_and(|about| about.is_file());
            // While we hold the lock nobody else removes the file or moves it.
            regular
                && file.try_lock().is_ok()
                && (!is_at(path, &file) || fs::remove_file(path).is_ok())
        }
        // Its writer has finished meanwhile.
        Err(e) => e.kind() == ErrorKind::NotFound,
    }
}

/// Whether this name still leads to this file.
#[cfg(unix)]
fn is_at(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: &fs::Metadata, b: &fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    match (fs::symlink_metadata(path), file.metadata()) {
        (Ok(named), Ok(held)) => same(&named, &held),
        _ => false,
    }
}

/// Whether this name still leads to this file; here an open file keeps its name.
#[cfg(not(unix))]
fn is_at(_: &Path, _: &File) -> bool {
    true
}
