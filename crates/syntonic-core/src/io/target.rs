//! What a file that is written will replace.

#[cfg(unix)]
use super::slot::MARK;
use super::stream::Place;
use crate::error::Result;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// No path has more links in a row.
const MOST_LINKS: usize = 40;

/// The name at the end of all links, and the file that has it now.
pub(super) struct Target {
    path: PathBuf,
    replaced: Option<Metadata>,
    /// None where a folder cannot be opened, which one needs no permission for to write into it.
    folder: Option<File>,
}

impl Target {
    /// Refuses what is no file, and a file that may not be written to.
    pub(super) fn find(place: &Place, path: &Path) -> Result<Target> {
        let path = followed(path).map_err(|e| place.failed(e))?;
        if path.file_name().is_none() {
            return Err(place.failed(is_a_folder()));
        }
        let replaced = match fs::symlink_metadata(&path) {
            Ok(about) if about.is_dir() => return Err(place.failed(is_a_folder())),
            Ok(about) => {
                place.check_regular(&about)?;
                // Moving a file over it would ask nobody.
                let mut options = OpenOptions::new();
                without_waiting(options.write(true))
                    .open(&path)
                    .map_err(|e| place.failed(e))?;
                Some(about)
            }
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(place.failed(e)),
        };
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Ok(Target {
            folder: File::open(folder).ok(),
            path,
            replaced,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Another name in the same folder.
    pub(super) fn beside(&self, name: &OsStr) -> PathBuf {
        self.path.with_file_name(name)
    }

    /// How the new file is made: with its mark, and nobody may read it before it has the mode of the one it replaces.
    pub(super) fn options(&self) -> OpenOptions {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        #[cfg(unix)]
        {
            let mode = if self.replaced.is_some() {
                0o600
            } else {
                0o666
            };
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode | MARK);
        }
        options
    }

    /// Gives the new file the owner and the mode of the one it replaces; the mark stays.
    #[cfg(unix)]
    pub(super) fn dress(&self, file: &File) -> io::Result<()> {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let new = file.metadata()?;
        let Some(old) = &self.replaced else {
            return Ok(());
        };
        let strange = (new.uid(), new.gid()) != (old.uid(), old.gid());
        let given = !strange || fchown(file, Some(old.uid()), Some(old.gid())).is_ok();
        // A program that runs as its owner may not come to run as another.
        let kept = if given { 0o7777 } else { 0o777 };
        let mode = old.mode() & kept & !MARK | new.mode() & MARK;
        file.set_permissions(fs::Permissions::from_mode(mode))
    }

    /// Gives the new file the permissions of the one it replaces.
    #[cfg(not(unix))]
    pub(super) fn dress(&self, file: &File) -> io::Result<()> {
        match &self.replaced {
            Some(old) => file.set_permissions(old.permissions()),
            None => Ok(()),
        }
    }

    /// Makes a new name last.
    pub(super) fn sync_folder(&self) -> io::Result<()> {
        match self.folder.as_ref().map(File::sync_all) {
            // Not every file system can.
            Some(Err(e)) if e.kind() == ErrorKind::InvalidInput => Ok(()),
            Some(Err(e)) if e.kind() == ErrorKind::Unsupported => Ok(()),
            Some(done) => done,
            None => Ok(()),
        }
    }
}

/// Opening never waits for another process, as opening a pipe would.
pub(super) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    options
}

/// The name that links from `path` lead to, whether it exists or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = match path.parent() {
            Some(folder) => folder.join(next),
            None => next,
        };
    }
    // The system finds the circle too, and says so in its own words.
    fs::metadata(&path).map(|_| path)
}

#[cfg(unix)]
fn is_a_folder() -> io::Error {
    io::Error::from_raw_os_error(libc::EISDIR)
}

#[cfg(not(unix))]
fn is_a_folder() -> io::Error {
    ErrorKind::IsADirectory.into()
}
