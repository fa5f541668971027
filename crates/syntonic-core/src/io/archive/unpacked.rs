//! The bytes of one member, checked as they come.

use super::end::no_room;
use super::entry::{Member, Method};
use crate::room;
use crc32fast::Hasher;
use flate2::bufread::DeflateDecoder;
use std::io::{BufRead, Error, ErrorKind, Read, Result, Take};

/// Bytes that unpacking works in: a window of 32 KiB twice, and the state.
const WORKING: usize = 128 << 10;

/// What a member unpacks to: so many bytes of this sum as the list says, or an error.
pub(in super::super) struct Unpacked<R> {
    bytes: Bytes<Take<R>>,
    /// Bytes to come.
    left: u64,
    sum: u32,
    summed: Hasher,
}

enum Bytes<R> {
    Stored(R),
    Deflated(DeflateDecoder<R>),
}

impl<R: BufRead> Unpacked<R> {
    pub(super) fn new(member: &Member, from: R) -> Result<Self> {
        let packed = from.take(member.packed);
        if matches!(member.method, Method::Deflated) {
            // The library asks for it in a way that cannot fail, so it is seen to be there.
            room::probe(WORKING).map_err(no_room)?;
        }
        Ok(Unpacked {
            bytes: match member.method {
                Method::Stored => Bytes::Stored(packed),
                Method::Deflated => Bytes::Deflated(DeflateDecoder::new(packed)),
            },
            left: member.unpacked,
            sum: member.sum,
            summed: Hasher::new(),
        })
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let n = match &mut self.bytes {
            Bytes::Stored(bytes) => bytes.read(into)?,
            Bytes::Deflated(bytes) => bytes.read(into)?,
        };
        self.summed.update(&into[..n]);
        self.left = self
            .left
            .checked_sub(n as u64)
            .ok_or_else(|| wrong("a member is longer than its archive's list says"))?;
        if n == 0 && !into.is_empty() {
            if self.left > 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if self.summed.clone().finalize() != self.sum {
                return Err(wrong("a member does not fit its checksum"));
            }
        }
        Ok(n)
    }
}

fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}
