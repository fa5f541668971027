//! The end of a zip archive, which says how many members there are and where they are listed.

use crate::room;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::ops::Range;

/// The end record without its comment.
const END: usize = 22;
/// The pointer to the longer end record, which lies before the end record.
const LOCATOR: u64 = 20;
/// The longer end record, without what may follow in it.
const LONG_END: usize = 56;
/// No comment is longer.
const LONGEST_COMMENT: usize = 0xffff;
/// A member takes more bytes: 46 in the list and 30 in front of it, twice its name, and a header inside.
const LEAST_MEMBER: u64 = 128;

const END_MAGIC: &[u8; 4] = b"PK\x05\x06";
const LOCATOR_MAGIC: &[u8; 4] = b"PK\x06\x07";
const LONG_END_MAGIC: &[u8; 4] = b"PK\x06\x06";

/// An error of ours where a reader's is due.
pub(super) fn no_room(error: crate::error::Error) -> Error {
    Error::new(ErrorKind::OutOfMemory, error)
}

/// What the end of an archive says, as far as it can be true.
pub(super) struct End {
    pub(super) members: u64,
    /// Where the list lies in the file.
    pub(super) list: Range<u64>,
    /// Where the archive begins in the file.
    pub(super) start: u64,
}

/// The end of an archive in a file of `len` bytes, if the file can hold what it claims.
pub(super) fn find(from: &mut (impl Read + Seek), len: u64) -> Result<End> {
    let tail = len.min((END + LONGEST_COMMENT) as u64);
    from.seek(SeekFrom::Start(len - tail))?;
    let mut bytes = room::empty(tail as usize).map_err(no_room)?;
    from.take(tail).read_to_end(&mut bytes)?;
    let at = bytes.windows(4).rposition(|four| four == END_MAGIC);
    let at = at.ok_or_else(|| wrong("its end is missing"))?;
    let end = &bytes[at..];
    if end.len() < END || end.len() != END + usize::from(u16_at(end, 20)) {
        return Err(wrong("its end is cut short, or something follows it"));
    }
    let mut members = u64::from(u16_at(end, 10));
    let mut list = u64::from(u32_at(end, 12));
    let mut list_at = u64::from(u32_at(end, 16));
    let mut list_end = len - tail + at as u64;
    // Some writers add the longer form where the shorter would do.
    if let Some((long_at, long)) = long_end(from, list_end)? {
        [members, list, list_at] = [32, 40, 48].map(|at| u64_at(&long, at));
        list_end = long_at;
    }
    // The list lies right before its end, as NumPy's reader has it; what is in front of the archive moves it.
    let list_start = list_end.checked_sub(list);
    let Some((list_start, start)) =
        list_start.and_then(|start| Some((start, start.checked_sub(list_at)?)))
    else {
        return Err(wrong("its list lies outside of it"));
    };
    if members
        .checked_mul(LEAST_MEMBER)
        .is_none_or(|least| least > len)
    {
        return Err(wrong(&format!(
            "{len} bytes cannot hold the {members} members it claims"
        )));
    }
    Ok(End {
        members,
        list: list_start..list_end,
        start,
    })
}

/// The longer end record and its place, where an archive whose end record is at `end` has one.
fn long_end(from: &mut (impl Read + Seek), end: u64) -> Result<Option<(u64, [u8; LONG_END])>> {
    let Some(at) = end.checked_sub(LOCATOR) else {
        return Ok(None);
    };
    let mut locator = [0; LOCATOR as usize];
    from.seek(SeekFrom::Start(at))?;
    from.read_exact(&mut locator)?;
    if !locator.starts_with(LOCATOR_MAGIC) {
        return Ok(None);
    }
    // Right before the pointer, whatever is in front of the archive; or, with more in it, where the pointer says.
    let last = at.checked_sub(LONG_END as u64);
    let places = [last, Some(u64_at(&locator, 8))].into_iter().flatten();
    for long_at in places.filter(|place| Some(*place) <= last) {
        let mut long = [0; LONG_END];
        from.seek(SeekFrom::Start(long_at))?;
        from.read_exact(&mut long)?;
        if long.starts_with(LONG_END_MAGIC) {
            return Ok(Some((long_at, long)));
        }
    }
    Err(wrong("the longer form of its end is missing"))
}

fn wrong(what: &str) -> Error {
    Error::new(
        ErrorKind::InvalidData,
        format!("it is no readable zip archive: {what}"),
    )
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
