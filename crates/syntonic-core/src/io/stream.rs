//! A file being read, with how much of it is left.

use super::elements::{Order, from_fill, size};
use super::target::without_waiting;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::interrupt;
use crate::layout::MAX_NDIM;
use crate::room;
use crate::tensor::Tensor;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{BufReader, Read, Seek, Write};
use std::path::Path;

/// Bytes that are read or written before the caller is asked whether to go on.
pub(super) const PART: usize = 8 << 20;

/// Bytes that are read at a time where none of them are kept.
const PASSED: usize = 64 << 10;

/// Bytes to come, of a known number.
pub(super) struct Stream<R> {
    pub(super) place: Place,
    from: R,
    rest: u64,
}

/// Who reads what, for messages.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) op: &'static str,
    pub(super) path: String,
}

impl Place {
    pub(super) fn file(op: &'static str, path: &Path) -> Place {
        Place {
            op,
            path: path.display().to_string(),
        }
    }

    /// Bytes in memory, which have no path.
    pub(super) fn memory(op: &'static str) -> Place {
        Place {
            op,
            path: "bytes".to_owned(),
        }
    }

    /// The file is not what it claims to be.
    pub(super) fn wrong(&self, what: impl Into<String>) -> Error {
        Error::File {
            op: self.op,
            path: self.path.clone(),
            what: what.into(),
        }
    }

    /// What a reader or writer said: the system's errors have numbers, decoders complain about the file.
    pub(super) fn failed(&self, source: std::io::Error) -> Error {
        if source.kind() == std::io::ErrorKind::UnexpectedEof {
            return self.wrong("it ends too early");
        }
        if source.raw_os_error().is_none() && source.kind() == std::io::ErrorKind::OutOfMemory {
            // One of ours, where it says how much.
            let ours = source.into_inner().map(|inner| inner.downcast::<Error>());
            return match ours {
                Some(Ok(error)) => *error,
                _ => crate::room::refused(1),
            };
        }
        if source.raw_os_error().is_none() {
            return self.wrong(source.to_string());
        }
        Error::Io {
            op: self.op,
            path: self.path.clone(),
            source,
        }
    }

    /// An error if the caller wants no more of this.
    pub(super) fn ask(&self) -> Result<()> {
        interrupt::poll().map_err(|stopped| Error::from(stopped).named(self.op))
    }

    /// Reads all bytes there are, and keeps none.
    pub(super) fn pass_over(&self, from: &mut impl Read) -> Result<()> {
        let mut part = room::zeros::<u8>(PASSED)?;
        loop {
            self.ask()?;
            match from.read(&mut part) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.failed(e)),
            }
        }
    }

    /// Writes all bytes.
    pub(super) fn write(&self, to: &mut impl Write, bytes: &[u8]) -> Result<()> {
        for part in bytes.chunks(PART) {
            self.ask()?;
            to.write_all(part).map_err(|e| self.failed(e))?;
        }
        Ok(())
    }

    /// The file and its length.
    pub(super) fn open(&self, path: &Path) -> Result<(File, u64)> {
        // Asked first, since opening a device or a pipe may already do something.
        let about = fs::metadata(path).map_err(|e| self.failed(e))?;
        self.check_regular(&about)?;
        let mut options = OpenOptions::new();
        let file = without_waiting(options.read(true))
            .open(path)
            .map_err(|e| self.failed(e))?;
        // And of what was opened, since names change hands.
        let about = file.metadata().map_err(|e| self.failed(e))?;
        self.check_regular(&about)?;
        Ok((file, about.len()))
    }

    /// Refuses what has no contents of its own, or no end.
    pub(super) fn check_regular(&self, about: &Metadata) -> Result<()> {
        if about.is_file() {
            return Ok(());
        }
        let what = kind(about.file_type());
        Err(self.wrong(format!("it is {what}, not a regular file")))
    }
}

#[cfg(unix)]
fn kind(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_dir() => "a folder",
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn kind(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else {
        "a device"
    }
}

/// Opens a regular file for reading, and tells its length. Pipes, sockets, devices and folders are refused at once.
///
/// Errors: [`Error::File`] for what is no regular file, [`Error::Io`] where the system refuses.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-open-file-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("three.bin");
/// std::fs::write(&path, [1, 2, 3]).unwrap();
/// let (_, length) = io::open_file("load", &path)?;
/// assert_eq!(length, 3);
/// assert!(io::open_file("load", &folder).is_err());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn open_file(op: &'static str, path: impl AsRef<Path>) -> Result<(File, u64)> {
    Place::file(op, path.as_ref()).open(path.as_ref())
}

impl Stream<BufReader<File>> {
    pub(super) fn open(op: &'static str, path: &Path) -> Result<Self> {
        let place = Place::file(op, path);
        let (file, len) = place.open(path)?;
        Ok(Stream::new(place, BufReader::new(file), len))
    }
}

impl<R: Read> Stream<R> {
    pub(super) fn new(place: Place, from: R, len: u64) -> Stream<R> {
        Stream {
            place,
            from,
            rest: len,
        }
    }

    /// Bytes not read yet.
    pub(super) fn rest(&self) -> u64 {
        self.rest
    }

    /// The next `n` bytes, which `what` names.
    pub(super) fn bytes(&mut self, n: u64, what: &str) -> Result<Vec<u8>> {
        let Some(n) = usize::try_from(n).ok().filter(|&n| n as u64 <= self.rest) else {
            return Err(self.place.wrong(format!(
                "{what} should have {n} bytes, but only {} are left",
                self.rest
            )));
        };
        let mut bytes = room::zeros(n)?;
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Passes over the next `n` bytes, of which so many are there.
    pub(super) fn skip(&mut self, n: u64) -> Result<()>
    where
        R: Seek,
    {
        let far = n.min(self.rest);
        self.from
            .seek_relative(far as i64)
            .map_err(|e| self.place.failed(e))?;
        self.rest -= far;
        Ok(())
    }

    /// The next bytes as elements of `dtype` under `shape`; `name` is the tensor's, for messages.
    pub(super) fn tensor(
        &mut self,
        name: &str,
        dtype: DType,
        shape: &[usize],
        order: Order,
    ) -> Result<Tensor> {
        if shape.len() > MAX_NDIM {
            let axes = shape.len();
            return Err(self.place.wrong(format!(
                "{name}: {axes} axes; a tensor has at most {MAX_NDIM}"
            )));
        }
        let need = size(dtype, shape).ok_or_else(|| {
            self.place
                .wrong(format!("{name}: the size of {dtype}{shape:?} overflows"))
        })?;
        if need as u64 > self.rest {
            return Err(self.place.wrong(format!(
                "{name}: {dtype}{shape:?} needs {need} bytes, but only {} are left",
                self.rest
            )));
        }
        let place = self.place.clone();
        let bad = |at: usize, byte: u8| {
            place.wrong(format!(
                "{name}: element {at} of a bool tensor is {byte}, neither 0 nor 1"
            ))
        };
        from_fill(place.op, dtype, shape, order, |bytes| self.fill(bytes), bad)?
    }

    /// Reads on to the very end, where a decoder that checks sums speaks up.
    pub(super) fn finish(mut self) -> Result<()> {
        match self.from.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.place.wrong("it is longer than it claims")),
            Err(e) => Err(self.place.failed(e)),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        for part in bytes.chunks_mut(PART) {
            self.place.ask()?;
            self.from
                .read_exact(part)
                .map_err(|e| self.place.failed(e))?;
            self.rest -= part.len() as u64;
        }
        Ok(())
    }
}
