//! One entry of an archive's list.

use super::super::stream::Place;
use super::end::{u16_at, u32_at, u64_at};
use super::names;
use crate::error::{Error, Result};
use crate::room;
use std::io::{Read, Take};

/// An entry without its name and what follows that.
const ENTRY: usize = 46;
const ENTRY_MAGIC: &[u8; 4] = b"PK\x01\x02";
/// Flags: the bytes are encrypted; the name is UTF-8.
const ENCRYPTED: u16 = 1;
const UTF_8: u16 = 1 << 11;
/// The field of an entry that holds what does not fit into 32 bits.
const LONG_SIZES: u16 = 1;

/// What the list says of one member.
pub(in super::super) struct Member {
    pub(in super::super) name: String,
    pub(in super::super) method: Method,
    /// How many bytes it has in the archive, and how many outside of it.
    pub(in super::super) packed: u64,
    pub(in super::super) unpacked: u64,
    /// Where it begins, from the archive's start.
    pub(super) at: u64,
    /// The sum of its bytes outside of the archive.
    pub(super) sum: u32,
    /// The sum of its name as it stands in the list.
    pub(super) raw_sum: u32,
}

/// How a member's bytes are packed: the ways that NumPy writes.
#[derive(Clone, Copy)]
pub(in super::super) enum Method {
    /// Not at all.
    Stored,
    /// As a stream of deflate.
    Deflated,
}

impl Member {
    /// Its name for a message: of a long one, which may be longer than the rest of the file, the beginning.
    pub(in super::super) fn shown(&self) -> String {
        const SHOWN: usize = 200;
        match self.name.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}...", &self.name[..end]),
            None => self.name.clone(),
        }
    }
}

/// The next entry of a list.
pub(super) fn read(place: &Place, list: &mut Take<impl Read>) -> Result<Member> {
    let failed = |e| place.failed(e);
    let mut entry = [0; ENTRY];
    fits(place, list, ENTRY)?;
    list.read_exact(&mut entry).map_err(failed)?;
    if !entry.starts_with(ENTRY_MAGIC) {
        return Err(broken(place, "an entry does not begin as one"));
    }
    let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(u16_at(&entry, at)));
    fits(place, list, name + extra + comment)?;
    let mut text = room::zeros(name + extra + comment)?;
    list.read_exact(&mut text).map_err(failed)?;
    let (name, rest) = text.split_at(name);
    let extra = &rest[..extra];
    let flags = u16_at(&entry, 8);
    let decoded = match names::unicode(name, fields(extra)) {
        Some(better) => Some(better.to_owned()),
        None if flags & UTF_8 != 0 => std::str::from_utf8(name).ok().map(str::to_owned),
        None => Some(names::dos(name)),
    };
    let mut member = Member {
        name: decoded.ok_or_else(|| broken(place, "a name is not UTF-8"))?,
        method: Method::Stored,
        packed: u32_at(&entry, 20).into(),
        unpacked: u32_at(&entry, 24).into(),
        at: u32_at(&entry, 42).into(),
        sum: u32_at(&entry, 16),
        raw_sum: crc32fast::hash(name),
    };
    long_sizes(&mut member, extra);
    if flags & ENCRYPTED != 0 {
        return Err(place.wrong(format!("{:?}: it is encrypted", member.shown())));
    }
    member.method = match u16_at(&entry, 10) {
        0 => Method::Stored,
        8 => Method::Deflated,
        method => {
            return Err(place.wrong(format!(
                "{:?}: it is packed by method {method}; only stored and deflated members are read",
                member.shown()
            )));
        }
    };
    Ok(member)
}

/// Refuses what the rest of the list is too short for.
fn fits(place: &Place, list: &Take<impl Read>, bytes: usize) -> Result<()> {
    if list.limit() < bytes as u64 {
        return Err(broken(place, "it ends within an entry"));
    }
    Ok(())
}

fn broken(place: &Place, what: &str) -> Error {
    place.wrong(format!("its list is no zip archive's: {what}"))
}

/// Numbers of 64 bits in place of those that 32 bits cannot hold.
fn long_sizes(member: &mut Member, extra: &[u8]) {
    let Some((_, long)) = fields(extra).find(|(kind, _)| *kind == LONG_SIZES) else {
        return;
    };
    let mut numbers = long.chunks_exact(8).map(|eight| u64_at(eight, 0));
    for number in [&mut member.unpacked, &mut member.packed, &mut member.at] {
        if *number == u64::from(u32::MAX) {
            *number = numbers.next().unwrap_or(*number);
        }
    }
}

/// The fields after a name, with their kinds, up to one that is cut short.
fn fields(mut extra: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let (head, rest) = extra.split_at_checked(4)?;
        let (field, rest) = rest.split_at_checked(u16_at(head, 2).into())?;
        extra = rest;
        Some((u16_at(head, 0), field))
    })
}
