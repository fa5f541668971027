//! NumPy's `.npz`: a zip archive of `.npy` files.

use super::check_names;
use super::draft::Draft;
use super::npy;
use super::stream::{Place, Stream};
use crate::error::{Error, Result};
use crate::tensor::Tensor;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;
use zip::read::ZipFile;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The ending of every member's name.
const ENDING: &str = ".npy";
/// Deflate cannot shrink anything further than this.
const MOST_SHRUNK: u64 = 1032;
/// Members of at least this many bytes need the archive's longer form.
const LARGE: u64 = 0xffff_0000;

/// Writes tensors to an uncompressed `.npz` file, which appears when it is complete.
///
/// Errors: [`Error::DType`] for `bfloat16`, [`Error::Value`] for a name that occurs twice,
/// [`Error::Io`] where the system refuses.
pub fn save_npz(path: impl AsRef<Path>, tensors: &[(&str, Tensor)]) -> Result<()> {
    let op = "save_npz";
    check(op, tensors)?;
    let place = Place::file(op, path.as_ref());
    Draft::new(op, path.as_ref())?.finish(|file| write(&place, tensors, file))
}

/// The bytes that [`save_npz`] would write.
pub fn npz_to_bytes(tensors: &[(&str, Tensor)]) -> Result<Vec<u8>> {
    let op = "npz_to_bytes";
    check(op, tensors)?;
    let mut bytes = Cursor::new(Vec::new());
    write(&Place::memory(op), tensors, &mut bytes)?;
    Ok(bytes.into_inner())
}

/// Reads every array of a `.npz` file, stored or deflated, by its name without `.npy`.
///
/// Errors: as [`super::load_npy`], for the archive and for each member.
pub fn load_npz(path: impl AsRef<Path>) -> Result<BTreeMap<String, Tensor>> {
    let place = Place::file("load_npz", path.as_ref());
    let (file, len) = place.open(path.as_ref())?;
    read(&place, std::io::BufReader::new(file), len)
}

/// As [`load_npz`], from bytes in memory.
pub fn npz_from_bytes(bytes: &[u8]) -> Result<BTreeMap<String, Tensor>> {
    let place = Place::memory("npz_from_bytes");
    read(&place, Cursor::new(bytes), bytes.len() as u64)
}

fn check(op: &'static str, tensors: &[(&str, Tensor)]) -> Result<()> {
    check_names(op, tensors.iter().map(|(name, _)| *name))?;
    tensors
        .iter()
        .try_for_each(|(_, t)| npy::check_dtype(op, t))
}

fn write(place: &Place, tensors: &[(&str, Tensor)], to: impl Write + Seek) -> Result<()> {
    let failed = |e| failed(place, e);
    let mut archive = ZipWriter::new(to);
    for (name, t) in tensors {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(npy::length(t) >= LARGE);
        archive
            .start_file(format!("{name}{ENDING}"), options)
            .map_err(failed)?;
        npy::write(place, t, &mut archive)?;
    }
    archive.finish().map_err(failed)?;
    Ok(())
}

fn read<R: Read + Seek>(place: &Place, from: R, len: u64) -> Result<BTreeMap<String, Tensor>> {
    let mut archive = ZipArchive::new(from).map_err(|e| failed(place, e))?;
    let mut out = BTreeMap::new();
    // Members may not claim the same bytes: together they are no longer than the file.
    let mut left = len;
    for at in 0..archive.len() {
        let member = archive.by_index(at).map_err(|e| failed(place, e))?;
        let (name, t) = read_member(place, member, &mut left)?;
        out.insert(name, t);
    }
    // Of members with one name the archive's reader keeps the last, so the list is counted.
    let list = archive.central_directory_start();
    let listed = count_listed(archive.into_inner(), list).map_err(|e| place.failed(e))?;
    if listed != out.len() {
        let what = format!("it lists {listed} members, but only {} names", out.len());
        return Err(place.wrong(what));
    }
    Ok(out)
}

/// The number of entries in an archive's list, which begins at `at`.
fn count_listed(mut from: impl Read + Seek, at: u64) -> std::io::Result<usize> {
    /// An entry's fixed part, with the lengths of what follows at 28, 30 and 32.
    const ENTRY: usize = 46;
    from.seek(SeekFrom::Start(at))?;
    let mut entry = [0; ENTRY];
    let mut count = 0;
    while from.read_exact(&mut entry[..4]).is_ok() && entry.starts_with(b"PK\x01\x02") {
        from.read_exact(&mut entry[4..])?;
        let length = |k: usize| i64::from(u16::from_le_bytes([entry[k], entry[k + 1]]));
        from.seek_relative(length(28) + length(30) + length(32))?;
        count += 1;
    }
    Ok(count)
}

fn read_member<R: Read>(
    place: &Place,
    mut member: ZipFile<'_, R>,
    left: &mut u64,
) -> Result<(String, Tensor)> {
    let name = member.name().map_err(|e| failed(place, e))?.into_owned();
    let Some(short) = name.strip_suffix(ENDING).map(str::to_owned) else {
        return Err(place.wrong(format!("its member {name:?} is no {ENDING} file")));
    };
    let (packed, unpacked) = (member.compressed_size(), member.size());
    *left = left.checked_sub(packed).ok_or_else(|| {
        place.wrong(format!(
            "its members claim more bytes than it has, {name:?} {packed}"
        ))
    })?;
    let most = match member.compression() {
        CompressionMethod::Stored => packed,
        _ => packed.saturating_mul(MOST_SHRUNK),
    };
    if unpacked > most {
        return Err(place.wrong(format!(
            "{name}: {packed} bytes cannot unpack to the {unpacked} it claims"
        )));
    }
    let inside = Place {
        op: place.op,
        path: format!("{}: {name}", place.path),
    };
    let mut stream = Stream::new(inside, &mut member, unpacked);
    let t = npy::read(&mut stream)?;
    stream.finish()?;
    Ok((short, t))
}

fn failed(place: &Place, error: ZipError) -> Error {
    match error {
        ZipError::Io(source) => place.failed(source),
        other => place.wrong(format!("it is no readable zip archive: {other}")),
    }
}
