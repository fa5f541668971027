//! A file that appears all at once.

use super::gathered::Gathered;
use super::slot::Slot;
use super::stream::Place;
use super::target::Target;
use crate::error::{Error, Result};
use crate::interrupt::{Outcome, abandonable};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Bytes from which on a sync may take tenths of a second.
const LARGE: u64 = 16 << 20;

/// Writes a file whole or not at all: the one way in which this library writes files.
///
/// `write` fills a new file of a name of its own in the same folder. That file is synced, moved into the place of
/// `path`, and the folder is synced. So a reader sees the old file or the new one, whoever else writes the same path
/// meanwhile, and a failure (an error or a panic of `write`, a full disk) leaves the old file and nothing else. A
/// process that is killed may leave the new file, called `.NAME.K.part`; the next save to the same path removes it, if the file
/// system keeps the mark by which a file of ours is told from another of that name, as those of Linux do. A file that was not made
/// here is never removed.
///
/// A link is followed and stays; where it leads to nothing, that file is made. A file that is replaced gives the new one
/// its mode, and its owner where the system allows that; other links to it, access lists and extended attributes are
/// not carried over. A new file has the mode that the process gives all its files.
///
/// Errors: [`Error::Io`](crate::Error::Io) where the system refuses, also for a file that may not be written to;
/// [`Error::File`](crate::Error::File) where a pipe, a socket or a device has the name; what `write` returned.
///
/// ```
/// use syntonic_core::io::write_file;
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-write-file-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("notes.txt");
/// write_file("save", &path, |file| file.write_all(b"all of it"))?;
/// assert_eq!(std::fs::read(&path).unwrap(), b"all of it");
/// // A writer that fails leaves the file as it was.
/// let failed = write_file("save", &path, |file| {
///     file.write_all(b"half")?;
///     Err(std::io::Error::other("no more"))
/// });
/// assert!(failed.is_err() && std::fs::read(&path).unwrap() == b"all of it");
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn write_file(
    op: &'static str,
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    let place = Place::file(op, path.as_ref());
    Draft::new(&place, path.as_ref())?.finish(|file| write(file).map_err(|e| place.failed(e)))
}

/// Finds out now whether [`write_file`] could write `path`, by making its new file and removing it.
///
/// Errors: as [`write_file`].
///
/// ```
/// use syntonic_core::io::check_writable;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-check-writable-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// assert!(check_writable("save", folder.join("new.npy")).is_ok());
/// assert!(check_writable("save", folder.join("missing/new.npy")).is_err());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// ```
pub fn check_writable(op: &'static str, path: impl AsRef<Path>) -> Result<()> {
    Draft::new(&Place::file(op, path.as_ref()), path.as_ref()).map(drop)
}

/// A file being written under another name in the same folder; gone unless it is finished.
pub(super) struct Draft {
    place: Place,
    target: Target,
    // Before the file: fields go in this order, and a name that is left under no lock is another writer's to take.
    slot: Slot,
    file: Gathered,
}

impl Draft {
    /// A new file beside what `path` leads to.
    pub(super) fn new(place: &Place, path: &Path) -> Result<Draft> {
        let target = Target::find(place, path)?;
        let (slot, file) = Slot::take(&target).map_err(|e| place.failed(e))?;
        Ok(Draft {
            place: place.clone(),
            target,
            slot,
            file: Gathered::new(file),
        })
    }

    /// Writes it with `write`, then puts it in the target's place.
    pub(super) fn finish(mut self, write: impl FnOnce(&mut Gathered) -> Result<()>) -> Result<()> {
        write(&mut self.file)?;
        self.place.ask()?;
        let synced = self.sync().map_err(|e| self.place.failed(e))?;
        synced.map_err(|stopped| Error::from(stopped).named(self.place.op))?;
        self.publish().map_err(|e| self.place.failed(e))
    }

    /// Without this a crash of the machine may leave the new name with no contents. Of a large file it takes as long as the disk
    /// does, so the caller may leave it; the file has another name so far.
    fn sync(&mut self) -> std::io::Result<Outcome> {
        self.file.flush()?;
        let file = self.file.file();
        self.target.dress(file)?;
        if file.metadata()?.len() < LARGE {
            return file.sync_all().map(Ok);
        }
        let file = file.try_clone()?;
        match abandonable(move || file.sync_all()) {
            Ok(synced) => synced.map(Ok),
            Err(stopped) => Ok(Err(stopped)),
        }
    }

    fn publish(&mut self) -> std::io::Result<()> {
        fs::rename(self.slot.path()?, self.target.path())?;
        self.slot.let_go();
        // And without this the old name.
        self.target.sync_folder()
    }
}
