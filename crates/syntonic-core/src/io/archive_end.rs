//! The end of a zip archive, which says how many members there are: checked before a reader believes it.

use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

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

/// The number of members that an archive of `len` bytes lists, if it can have so many.
///
/// The archive's reader takes memory for each, and searches the whole file where the end is not what it should be.
pub(super) fn members(from: &mut (impl Read + Seek), len: u64) -> Result<u64> {
    let tail = len.min((END + LONGEST_COMMENT) as u64);
    from.seek(SeekFrom::Start(len - tail))?;
    // few: an end and its comment.
    let mut bytes = Vec::with_capacity(tail as usize);
    from.take(tail).read_to_end(&mut bytes)?;
    let at = bytes.windows(4).rposition(|four| four == END_MAGIC);
    let at = at.ok_or_else(|| wrong("its end is missing"))?;
    let end = &bytes[at..];
    if end.len() < END || end.len() != END + usize::from(u16_at(end, 20)) {
        return Err(wrong("its end is cut short, or something follows it"));
    }
    let mut count = u64::from(u16_at(end, 10));
    let mut list = u64::from(u32_at(end, 12));
    let mut list_at = u64::from(u32_at(end, 16));
    if count == 0xffff || list == 0xffff_ffff || list_at == 0xffff_ffff {
        let end_at = len - tail + at as u64;
        if let Some(long) = long_end(from, end_at)? {
            (count, list, list_at) = (u64_at(&long, 32), u64_at(&long, 40), u64_at(&long, 48));
        }
    }
    if list_at.checked_add(list).is_none_or(|end| end > len) {
        return Err(wrong("its list lies outside of it"));
    }
    if count
        .checked_mul(LEAST_MEMBER)
        .is_none_or(|least| least > len)
    {
        return Err(wrong(&format!(
            "{len} bytes cannot hold the {count} members it claims"
        )));
    }
    Ok(count)
}

/// The longer end record, where an archive whose end record is at `end` has one.
fn long_end(from: &mut (impl Read + Seek), end: u64) -> Result<Option<[u8; LONG_END]>> {
    let Some(at) = end.checked_sub(LOCATOR) else {
        return Ok(None);
    };
    let mut locator = [0; LOCATOR as usize];
    from.seek(SeekFrom::Start(at))?;
    from.read_exact(&mut locator)?;
    if !locator.starts_with(LOCATOR_MAGIC) {
        return Ok(None);
    }
    let mut long = [0; LONG_END];
    from.seek(SeekFrom::Start(u64_at(&locator, 8)))?;
    from.read_exact(&mut long)?;
    if !long.starts_with(LONG_END_MAGIC) {
        return Err(wrong("the longer form of its end is missing"));
    }
    Ok(Some(long))
}

fn wrong(what: &str) -> Error {
    Error::new(
        ErrorKind::InvalidData,
        format!("it is no readable zip archive: {what}"),
    )
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
