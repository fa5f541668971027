//! NumPy's `.npz`: a zip archive of `.npy` files.

use super::archive::{Archive, Member, Method};
use super::check_names;
use super::draft::Draft;
use super::memory::Memory;
use super::npy;
use super::selection::Selection;
use super::stream::{Place, Stream};
use crate::error::{Error, Result};
use crate::tensor::Tensor;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Cursor, Seek, Write};
use std::path::Path;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

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
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-save-npz-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("weights.npz");
/// io::save_npz(&path, &[("w", Tensor::from([1.0, 2.0])), ("step", Tensor::from([7]))])?;
/// let back = io::load_npz(&path)?;
/// assert_eq!(back["w"].to_vec::<f64>()?, [1.0, 2.0]);
/// assert_eq!(back["step"].to_vec::<i32>()?, [7]);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn save_npz(path: impl AsRef<Path>, tensors: &[(&str, Tensor)]) -> Result<()> {
    let op = "save_npz";
    check(op, tensors)?;
    let place = Place::file(op, path.as_ref());
    Draft::new(&place, path.as_ref())?.finish(|file| write(&place, tensors, file))
}

/// The bytes that [`save_npz`] would write.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let bytes = io::npz_to_bytes(&[("w", Tensor::from([1.0, 2.0]))])?;
/// assert_eq!(io::npz_from_bytes(&bytes)?["w"].to_vec::<f64>()?, [1.0, 2.0]);
/// let twice = [("w", Tensor::from([1])), ("w", Tensor::from([2]))];
/// assert!(io::npz_to_bytes(&twice).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn npz_to_bytes(tensors: &[(&str, Tensor)]) -> Result<Vec<u8>> {
    let op = "npz_to_bytes";
    check(op, tensors)?;
    let mut bytes = Memory::default();
    write(&Place::memory(op), tensors, &mut bytes)?;
    Ok(bytes.into_bytes())
}

/// Reads every array of a `.npz` file, stored or deflated, by its name without `.npy`.
///
/// Errors: as [`super::load_npy`], for the archive and for each member; also [`Error::File`] for an archive that
/// unpacks to more than a [`Selection`](super::Selection) lets it by default.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-load-npz-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("weights.npz");
/// io::save_npz(&path, &[("b", Tensor::from([1])), ("a", Tensor::from([2]))])?;
/// assert_eq!(io::load_npz(&path)?.into_keys().collect::<Vec<_>>(), ["a", "b"]);
/// assert!(io::load_npz(folder.join("other.npz")).is_err());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn load_npz(path: impl AsRef<Path>) -> Result<BTreeMap<String, Tensor>> {
    load_npz_with(path, &Selection::default())
}

/// As [`load_npz`], of the arrays that `wanted` names and with its limit; the others are not read.
///
/// Errors: also [`Error::Value`] for a name that the archive does not hold.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-load-npz-with-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("weights.npz");
/// io::save_npz(&path, &[("a", Tensor::from([1])), ("b", Tensor::from([2]))])?;
/// let wanted = io::Selection { names: Some(&["b"]), ..Default::default() };
/// let back = io::load_npz_with(&path, &wanted)?;
/// assert_eq!((back.len(), back["b"].to_vec::<i32>()?), (1, vec![2]));
/// let absent = io::Selection { names: Some(&["c"]), ..Default::default() };
/// assert!(io::load_npz_with(&path, &absent).is_err());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn load_npz_with(
    path: impl AsRef<Path>,
    wanted: &Selection<'_>,
) -> Result<BTreeMap<String, Tensor>> {
    let place = Place::file("load_npz", path.as_ref());
    let (file, len) = place.open(path.as_ref())?;
    read(&place, std::io::BufReader::new(file), len, wanted)
}

/// As [`load_npz`], from bytes in memory.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// let bytes = io::npz_to_bytes(&[("w", Tensor::from([[1, 2], [3, 4]]))])?;
/// assert_eq!(io::npz_from_bytes(&bytes)?["w"].shape(), [2, 2]);
/// assert!(io::npz_from_bytes(&bytes[..bytes.len() - 1]).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn npz_from_bytes(bytes: &[u8]) -> Result<BTreeMap<String, Tensor>> {
    let place = Place::memory("npz_from_bytes");
    let all = Selection::default();
    read(&place, Cursor::new(bytes), bytes.len() as u64, &all)
}

fn check(op: &'static str, tensors: &[(&str, Tensor)]) -> Result<()> {
    check_names(op, tensors.iter().map(|(name, _)| *name))?;
    tensors
        .iter()
        .try_for_each(|(_, t)| npy::check_dtype(op, t))
}

fn write(place: &Place, tensors: &[(&str, Tensor)], to: impl Write + Seek) -> Result<()> {
    let mut archive = ZipWriter::new(to);
    match write_members(place, tensors, &mut archive) {
        Ok(()) => {
            archive.finish().map_err(|e| failed(place, e))?;
            Ok(())
        }
        Err(e) => {
            // Dropped, it would try to write the rest, and complain on standard error.
            std::mem::forget(archive);
            Err(e)
        }
    }
}

fn write_members(
    place: &Place,
    tensors: &[(&str, Tensor)],
    archive: &mut ZipWriter<impl Write + Seek>,
) -> Result<()> {
    for (name, t) in tensors {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(npy::length(t) >= LARGE);
        archive
            .start_file(format!("{name}{ENDING}"), options)
            .map_err(|e| failed(place, e))?;
        npy::write(place, t, archive)?;
    }
    Ok(())
}

fn read(
    place: &Place,
    from: impl BufRead + Seek,
    len: u64,
    wanted: &Selection<'_>,
) -> Result<BTreeMap<String, Tensor>> {
    let (mut archive, mut members) = Archive::open(place, from, len)?;
    check_members(place, &mut members, len)?;
    let names = members.iter().map(|member| &member.name[..]);
    wanted.check(place.op, &place.path, names)?;
    members.retain(|member| wanted.takes(&member.name));
    let total = members
        .iter()
        .fold(0u64, |sum, member| sum.saturating_add(member.unpacked));
    let most = wanted.most_bytes(len);
    if total > most {
        return Err(place.wrong(format!(
            "its {len} bytes unpack to {total}, more than the {most} allowed; hint: name the arrays you need, or raise most_bytes"
        )));
    }
    let mut out = BTreeMap::new();
    for member in members {
        let inside = Place {
            op: place.op,
            path: format!("{}: {}{ENDING}", place.path, member.shown()),
        };
        if claims_much(&member) {
            // Memory is asked for only once it is known that so much will come.
            let mut all = archive.unpack(&member)?;
            inside.pass_over(&mut all)?;
        }
        let packed = archive.unpack(&member)?;
        let mut stream = Stream::new(inside, packed, member.unpacked);
        let t = npy::read(&mut stream)?;
        stream.finish()?;
        out.insert(member.name, t);
    }
    Ok(out)
}

/// Whether the size that a member claims is far from the bytes that are there.
fn claims_much(member: &Member) -> bool {
    /// Claims below this are not worth a look.
    const LITTLE: u64 = 64 << 10;
    member.unpacked > member.packed.saturating_mul(2).saturating_add(LITTLE)
}

/// Checks a list against the length of its file, and takes the endings off the names.
fn check_members(place: &Place, members: &mut [Member], len: u64) -> Result<()> {
    // Members may not claim the same bytes: together they are no longer than the file.
    let mut left = len;
    for member in &mut *members {
        let (packed, unpacked) = (member.packed, member.unpacked);
        let shown = || member.shown();
        let Some(short) = member.name.strip_suffix(ENDING).map(str::len) else {
            return Err(place.wrong(format!("its member {:?} is no {ENDING} file", shown())));
        };
        left = left.checked_sub(packed).ok_or_else(|| {
            place.wrong(format!(
                "its members claim more bytes than it has, {:?} {packed}",
                shown()
            ))
        })?;
        let fits = match member.method {
            Method::Stored => unpacked == packed,
            Method::Deflated => unpacked <= packed.saturating_mul(MOST_SHRUNK),
        };
        if !fits {
            return Err(place.wrong(format!(
                "{:?}: {packed} bytes cannot unpack to the {unpacked} it claims",
                shown()
            )));
        }
        member.name.truncate(short);
    }
    let names: BTreeSet<&str> = members.iter().map(|member| &member.name[..]).collect();
    if names.len() != members.len() {
        return Err(place.wrong(format!(
            "it lists {} members, but only {} names",
            members.len(),
            names.len()
        )));
    }
    Ok(())
}

fn failed(place: &Place, error: ZipError) -> Error {
    match error {
        ZipError::Io(source) => place.failed(source),
        other => place.wrong(format!("it is no readable zip archive: {other}")),
    }
}
