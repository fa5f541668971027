//! A file that appears all at once.

use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file being written under another name in the same folder; gone unless it is finished.
pub(super) struct Draft {
    op: &'static str,
    target: PathBuf,
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Draft {
    /// A new file beside `target`.
    pub(super) fn new(op: &'static str, target: &Path) -> Result<Draft> {
        // Through a link, the file it leads to is replaced, not the link.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_path_buf());
        let refuse = |source| Error::Io {
            op,
            path: target.display().to_string(),
            source,
        };
        let name = target
            .file_name()
            .ok_or_else(|| refuse(ErrorKind::IsADirectory.into()))?;
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let mut own = std::ffi::OsString::from(".");
            own.push(name);
            let n = COUNT.fetch_add(1, Ordering::Relaxed);
            own.push(format!(".{}-{n}.part", std::process::id()));
            let path = target.with_file_name(own);
            match OpenOptions::new()
                .read(true)
                .write(true)
                .create_new(true)
                .open(&path)
            {
                Ok(file) => {
                    return Ok(Draft {
                        op,
                        target,
                        path,
                        // few: a mebibyte, whatever is written.
                        file: Some(BufWriter::with_capacity(1 << 20, file)),
                    });
                }
                // Left behind by a process of the same number: the next name is tried.
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                Err(e) => return Err(refuse(e)),
            }
        }
    }

    /// Writes it with `write`, then puts it in the target's place.
    pub(super) fn finish(
        mut self,
        write: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
    ) -> Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        write(&mut file)?;
        let moved = file
            .flush()
            // Without this a crash of the machine may leave the new name with no contents.
            .and_then(|()| file.get_ref().sync_all())
            .and_then(|()| fs::rename(&self.path, &self.target));
        moved.map_err(|source| Error::Io {
            op: self.op,
            path: self.target.display().to_string(),
            source,
        })
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After a rename nothing has this name any more, and failing to clean up is not an error.
        let _ = fs::remove_file(&self.path);
    }
}
