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

/// One of the names `.NAME.0.part`, `.NAME.1.part` and so on. The file is always one of our own making, never one that was found, and
/// bears a mark for as long as it has such a name. Whoever writes it holds a lock on it, so one that is marked and not
/// locked was left by a process that died: it is removed, and names are few. A file without the mark is a user's, whatever its name: it
/// stays, and the next name is tried.
pub(super) struct Slot {
    /// None once the name is not ours any more.
    path: Option<PathBuf>,
    shown: PathBuf,
    file: File,
}

/// The mark of a file that is written: the sticky bit, which means nothing on a file to the systems that keep it, and which nobody gives
/// to a file that is no program. Where a system keeps none, nothing bears the mark, and what the dead left stays.
#[cfg(unix)]
pub(super) const MARK: u32 = 0o1000;
/// The bits of a program's mode, which no file of ours has before it is whole.
#[cfg(unix)]
const PROGRAM: u32 = 0o111;

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
                    file: file.try_clone()?,
                };
                return Ok((slot, file));
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// The name, which still leads to our file.
    pub(super) fn path(&self) -> io::Result<&Path> {
        if is_at(&self.shown, &self.file) {
            return Ok(&self.shown);
        }
        Err(io::Error::new(
            ErrorKind::NotFound,
            format!(
                "{} was moved or removed while it was written",
                self.shown.display()
            ),
        ))
    }

    /// The file was moved: from now on the name is anybody's, and the file needs no mark.
    pub(super) fn let_go(&mut self) {
        self.path = None;
        // One that stays means nothing, and the next save leaves it out.
        let _ = unmark(&self.file);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(path) = &self.path
            && is_at(path, &self.file)
        {
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

#[cfg(unix)]
fn unmark(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode() & 0o7777;
    if mode & MARK == 0 {
        return Ok(());
    }
    file.set_permissions(fs::Permissions::from_mode(mode & !MARK))
}

#[cfg(not(unix))]
fn unmark(_: &File) -> io::Result<()> {
    Ok(())
}

/// Whether it is a file that was made under one of these names.
#[cfg(unix)]
fn is_marked(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    about.is_file() && about.mode() & (MARK | PROGRAM) == MARK
}

/// Whether it is a file that was made under one of these names: here files bear no mark.
#[cfg(not(unix))]
fn is_marked(_: &fs::Metadata) -> bool {
    false
}

/// Removes what a dead process left; false where it is alive, or the file is another's.
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
            let ours = file.metadata().is_ok_and(|about| is_marked(&about));
            // While we hold the lock nobody else removes the file or moves it.
            ours && file.try_lock().is_ok()
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
