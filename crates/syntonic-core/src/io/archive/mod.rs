//! A zip archive being read: its list, checked as a whole, and the bytes of its members.
//!
//! One list is read, where the one end of the file says, and nothing is searched for. The `zip` crate, which writes our
//! archives, tries every end record that a file seems to have, and takes memory for as many members as each claims.

mod end;
mod entry;
mod names;
mod unpacked;

pub(super) use entry::{Member, Method};
pub(super) use unpacked::Unpacked;

use super::stream::Place;
use crate::error::{Error, Result};
use crate::room;
use std::io::{BufRead, Read, Seek, SeekFrom};

/// What stands in front of a member's bytes, without its name and what follows that.
const FRONT: usize = 30;
const FRONT_MAGIC: &[u8; 4] = b"PK\x03\x04";

/// An archive whose list has been read.
pub(super) struct Archive<'p, R> {
    place: &'p Place,
    from: R,
    /// Where the archive begins: in front of it there may be something else.
    start: u64,
    /// Where the list begins, before which every member lies.
    list: u64,
}

impl<'p, R: BufRead + Seek> Archive<'p, R> {
    /// The archive in a file of `len` bytes, and its members as listed.
    pub(super) fn open(place: &'p Place, mut from: R, len: u64) -> Result<(Self, Vec<Member>)> {
        let end = end::find(&mut from, len).map_err(|e| place.failed(e))?;
        // few: no more than fit into the file.
        let mut members = room::empty(end.members as usize)?;
        from.seek(SeekFrom::Start(end.list.start))
            .map_err(|e| place.failed(e))?;
        let mut list = from
            .by_ref()
            .take(end.list.end.saturating_sub(end.list.start));
        for _ in 0..end.members {
            members.push(entry::read(place, &mut list)?);
        }
        if list.limit() > 0 {
            return Err(place.wrong(format!(
                "its list is longer than the {} members it claims",
                end.members
            )));
        }
        let archive = Archive {
            place,
            from,
            start: end.start,
            list: end.list.start,
        };
        Ok((archive, members))
    }

    /// The bytes of a member, which end with an error where they are not what the list says.
    pub(super) fn unpack(&mut self, member: &Member) -> Result<Unpacked<&mut R>> {
        self.seek_bytes(member)?;
        let place = self.place;
        Unpacked::new(member, &mut self.from).map_err(|e| place.failed(e))
    }

    /// Goes to where a member's bytes begin.
    fn seek_bytes(&mut self, member: &Member) -> Result<()> {
        let place = self.place;
        let failed = |e| place.failed(e);
        let wrong = |what: &str| -> Error { place.wrong(format!("{:?}: {what}", member.shown())) };
        let outside = || wrong("it does not lie between the archive's start and its list");
        let front_at = self.start.checked_add(member.at);
        let front_at = front_at.filter(|at| *at < self.list).ok_or_else(outside)?;
        self.from.seek(SeekFrom::Start(front_at)).map_err(failed)?;
        let mut front = [0; FRONT];
        self.from.read_exact(&mut front).map_err(failed)?;
        if !front.starts_with(FRONT_MAGIC) {
            return Err(wrong("it does not begin where the list says"));
        }
        let (name, extra) = (end::u16_at(&front, 26), end::u16_at(&front, 28));
        let mut raw = room::zeros(name.into())?;
        self.from.read_exact(&mut raw).map_err(failed)?;
        if crc32fast::hash(&raw) != member.raw_sum {
            return Err(wrong("the list and the member differ in its name"));
        }
        let at = front_at + FRONT as u64 + u64::from(name) + u64::from(extra);
        if at
            .checked_add(member.packed)
            .is_none_or(|end| end > self.list)
        {
            return Err(outside());
        }
        self.from.seek(SeekFrom::Start(at)).map_err(failed)?;
        Ok(())
    }
}
