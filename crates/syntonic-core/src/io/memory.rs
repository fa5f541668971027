//! Bytes that are written in memory, which takes more of it only where there is some.

use crate::room;
use std::io::{self, Cursor, ErrorKind, Seek, SeekFrom, Write};

/// A vector as a file. Where it finds no room to grow, the error is that of [`room::refused`], as [`io::Error`] carries it.
#[derive(Debug, Default)]
pub(super) struct Memory(Cursor<Vec<u8>>);

impl Memory {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner()
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = self.0.position().saturating_add(bytes.len() as u64);
        let held = self.0.get_mut();
        let more = usize::try_from(end).unwrap_or(usize::MAX);
        let more = more.saturating_sub(held.len());
        if held.try_reserve(more).is_err() {
            return Err(io::Error::new(ErrorKind::OutOfMemory, room::refused(more)));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Memory {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_lies_where_it_was_put() {
        let mut memory = Memory::default();
        memory.write_all(b"abcdef").unwrap();
        memory.seek(SeekFrom::Start(2)).unwrap();
        memory.write_all(b"XY").unwrap();
        memory.seek(SeekFrom::End(0)).unwrap();
        memory.write_all(b"g").unwrap();
        assert_eq!(memory.into_bytes(), b"abXYefg");
    }
}
