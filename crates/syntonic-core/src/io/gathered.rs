//! Writes of a few bytes that go to the system together.

use crate::room;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// Bytes gathered before they go to the system; where there is no room for so many, fewer: a file may be what is saved when
/// memory has run out.
const AMOUNTS: [usize; 4] = [1 << 20, 64 << 10, 4 << 10, 0];

/// A file and what is on its way there. What is left at the end goes there with [`Write::flush`].
pub(super) struct Gathered {
    file: File,
    bytes: Vec<u8>,
}

impl Gathered {
    pub(super) fn new(file: File) -> Gathered {
        let mut amounts = AMOUNTS.into_iter();
        let bytes = amounts.find_map(|amount| room::empty(amount).ok());
        Gathered {
            file,
            bytes: bytes.unwrap_or_default(),
        }
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Sends what was gathered. What the system did not take stays.
    fn send(&mut self) -> io::Result<()> {
        let mut sent = 0;
        let outcome = loop {
            if sent == self.bytes.len() {
                break Ok(());
            }
            match self.file.write(&self.bytes[sent..]) {
                Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => sent += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => break Err(e),
            }
        };
        self.bytes.drain(..sent);
        outcome
    }
}

impl Write for Gathered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.bytes.capacity() {
            self.send()?;
        }
        if bytes.len() >= self.bytes.capacity() {
            return self.file.write(bytes);
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()?;
        self.file.flush()
    }
}

impl Seek for Gathered {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.send()?;
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_arrives_in_order_with_any_room() {
        for room in [0, 1, 7, 4096] {
            let path = std::env::temp_dir()
                .join(format!("syntonic-gathered-{}-{room}", std::process::id()));
            let mut gathered = Gathered {
                file: File::create(&path).unwrap(),
                bytes: Vec::with_capacity(room),
            };
            let mut want = Vec::new();
            for k in 0..200u8 {
                let piece = vec![k; usize::from(k) * 37 % 101];
                gathered.write_all(&piece).unwrap();
                want.extend(piece);
            }
            gathered.seek(SeekFrom::Start(10)).unwrap();
            gathered.write_all(b"here").unwrap();
            gathered.flush().unwrap();
            want[10..14].copy_from_slice(b"here");
            assert_eq!(std::fs::read(&path).unwrap(), want);
            std::fs::remove_file(&path).unwrap();
        }
    }
}
