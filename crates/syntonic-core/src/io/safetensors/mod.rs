//! The safetensors format: a JSON header that says where each tensor lies, then their bytes.
//!
//! `complex64` is the format's own `C64`. The format has no `complex128`: such a tensor is stored as
//! `F64` with one more axis of length 2 (real, imaginary), and the metadata entry
//! `syntonic.complex128` holds the names of these tensors as a JSON list. Other readers see pairs of
//! numbers; [`load_safetensors`] restores the complex tensor and hides the entry.

mod header;
mod plan;

use super::draft::Draft;
use super::elements::Order;
use super::memory::Memory;
use super::selection::Selection;
use super::stream::{Place, Stream};
use crate::buffer::Buffer;
use crate::cpu::cpu;
use crate::dtype::DType;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;
use crate::layout::Layout;
use crate::tensor::Tensor;
use ::safetensors::Dtype;
use header::{Entry, Header};
use memmap2::MmapOptions;
use plan::Plan;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek};
use std::path::Path;
use std::sync::Arc;

/// Tensors by name, and the file's metadata.
pub type Loaded = (BTreeMap<String, Tensor>, BTreeMap<String, String>);

/// The metadata entry that names the tensors of `complex128`.
const COMPLEX: &str = "syntonic.complex128";
/// The header's name for the metadata, which no tensor may have.
const METADATA: &str = "__metadata__";
/// The format allows no longer header.
const LONGEST_HEADER: u64 = 100_000_000;
/// Bytes of the header's length.
const PREFIX: u64 = 8;

fn stored(dtype: DType) -> Dtype {
    match dtype {
        DType::Bool => Dtype::BOOL,
        DType::I8 => Dtype::I8,
        DType::I16 => Dtype::I16,
        DType::I32 => Dtype::I32,
        DType::I64 => Dtype::I64,
        DType::U8 => Dtype::U8,
        DType::U16 => Dtype::U16,
        DType::U32 => Dtype::U32,
        DType::U64 => Dtype::U64,
        DType::F16 => Dtype::F16,
        DType::BF16 => Dtype::BF16,
        DType::F32 => Dtype::F32,
        DType::F64 | DType::C128 => Dtype::F64,
        DType::C64 => Dtype::C64,
        DType::F8E4M3 => Dtype::F8_E4M3,
        DType::F8E5M2 => Dtype::F8_E5M2,
    }
}

fn restored(dtype: Dtype) -> Option<DType> {
    DType::every().find(|&d| d != DType::C128 && stored(d) == dtype)
}

/// Writes tensors and metadata to a file, which appears when it is complete.
///
/// Tensors may have any layout and device; they are written row-major. Errors: [`Error::Value`] for a
/// name that occurs twice or is reserved, [`Error::Io`] where the system refuses.
///
/// ```
/// use std::collections::BTreeMap;
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-save-safetensors-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("model.safetensors");
/// let metadata = BTreeMap::from([("epoch".to_owned(), "3".to_owned())]);
/// io::save_safetensors(&path, &[("w", Tensor::from([1.0, 2.0]))], &metadata)?;
/// let (back, notes) = io::load_safetensors(&path)?;
/// assert_eq!(back["w"].to_vec::<f64>()?, [1.0, 2.0]);
/// assert_eq!(notes, metadata);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn save_safetensors(
    path: impl AsRef<Path>,
    tensors: &[(&str, Tensor)],
    metadata: &BTreeMap<String, String>,
) -> Result<()> {
    let op = "save_safetensors";
    let plan = Plan::new(op, tensors, metadata)?;
    let place = Place::file(op, path.as_ref());
    Draft::new(&place, path.as_ref())?.finish(|file| plan.write(&place, file))
}

/// The bytes that [`save_safetensors`] would write.
///
/// ```
/// use std::collections::BTreeMap;
/// use syntonic_core::prelude::*;
///
/// let tensors = [("w", Tensor::from([[1, 2], [3, 4]]).t()?)];
/// let bytes = io::safetensors_to_bytes(&tensors, &BTreeMap::new())?;
/// let (back, _) = io::safetensors_from_bytes(&bytes)?;
/// assert_eq!(back["w"].to_vec::<i32>()?, [1, 3, 2, 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn safetensors_to_bytes(
    tensors: &[(&str, Tensor)],
    metadata: &BTreeMap<String, String>,
) -> Result<Vec<u8>> {
    let op = "safetensors_to_bytes";
    let mut bytes = Memory::default();
    Plan::new(op, tensors, metadata)?.write(&Place::memory(op), &mut bytes)?;
    Ok(bytes.into_bytes())
}

/// Reads a file into memory of its own.
///
/// Errors: [`Error::File`] for a file that is not what it claims to be, [`Error::Io`] where the system
/// refuses.
///
/// ```
/// use std::collections::BTreeMap;
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-load-safetensors-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("model.safetensors");
/// io::save_safetensors(&path, &[("w", Tensor::from([1f32]))], &BTreeMap::new())?;
/// assert_eq!(io::load_safetensors(&path)?.0["w"].dtype(), DType::F32);
/// std::fs::write(&path, b"not a tensor").unwrap();
/// assert!(io::load_safetensors(&path).is_err());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn load_safetensors(path: impl AsRef<Path>) -> Result<Loaded> {
    load_safetensors_with(path, &Selection::default())
}

/// As [`load_safetensors`], of the tensors that `wanted` names; the others are not read. Nothing in such a file is
/// compressed, so there is no limit on what it unpacks to.
///
/// Errors: also [`Error::Value`] for a name that the file does not hold.
///
/// ```
/// use std::collections::BTreeMap;
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-load-safetensors-with-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("model.safetensors");
/// let tensors = [("a", Tensor::from([1])), ("b", Tensor::from([2]))];
/// io::save_safetensors(&path, &tensors, &BTreeMap::new())?;
/// let wanted = io::Selection { names: Some(&["b"]), ..Default::default() };
/// let back = io::load_safetensors_with(&path, &wanted)?.0;
/// assert_eq!((back.len(), back["b"].to_vec::<i32>()?), (1, vec![2]));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn load_safetensors_with(path: impl AsRef<Path>, wanted: &Selection<'_>) -> Result<Loaded> {
    load(Stream::open("load_safetensors", path.as_ref())?, wanted)
}

/// As [`load_safetensors`], from bytes in memory.
///
/// ```
/// use std::collections::BTreeMap;
/// use syntonic_core::prelude::*;
///
/// let bytes = io::safetensors_to_bytes(&[("w", Tensor::from([1, 2]))], &BTreeMap::new())?;
/// assert_eq!(io::safetensors_from_bytes(&bytes)?.0["w"].to_vec::<i32>()?, [1, 2]);
/// assert!(io::safetensors_from_bytes(&bytes[..bytes.len() - 1]).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn safetensors_from_bytes(bytes: &[u8]) -> Result<Loaded> {
    let place = Place::memory("safetensors_from_bytes");
    let stream = Stream::new(place, Cursor::new(bytes), bytes.len() as u64);
    load(stream, &Selection::default())
}

/// As [`load_safetensors`], but the tensors share a private map of the file: pages are read when they
/// are first touched. Writing a tensor does not change the file. Tensors of `bool`, and those the file
/// does not align, are copied.
///
/// # Safety
/// Nobody changes or shortens the file while a tensor that came from it lives. Replacing it by
/// [`save_safetensors`] is fine.
///
/// ```
/// use std::collections::BTreeMap;
/// use syntonic_core::prelude::*;
///
/// let folder = std::env::temp_dir().join(format!("syntonic-map-safetensors-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("model.safetensors");
/// io::save_safetensors(&path, &[("w", Tensor::from([1.0, 2.0]))], &BTreeMap::new())?;
/// // SAFETY: nobody changes the file while it is mapped.
/// let (mapped, _) = unsafe { io::map_safetensors(&path)? };
/// assert_eq!(mapped["w"].sum(..)?.to_scalar::<f64>()?, 3.0);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub unsafe fn map_safetensors(path: impl AsRef<Path>) -> Result<Loaded> {
    let place = Place::file("map_safetensors", path.as_ref());
    let (file, len) = place.open(path.as_ref())?;
    if len == 0 {
        return Err(place.wrong("it is empty"));
    }
    // SAFETY: the caller keeps the file as it is; the map is private, so we may write to it.
    let mut map = unsafe { MmapOptions::new().map_copy(&file) }.map_err(|e| place.failed(e))?;
    let len = map.len() as u64;
    let header = Header::read(&mut Stream::new(place.clone(), &map[..], len))?;
    let base = map.as_mut_ptr();
    let whole = map.len();
    // SAFETY: the map is writable, has this length, does not move, and lives in the buffer.
    let buffer = unsafe { Buffer::foreign(&cpu(), base, whole, Box::new(map)) };
    let buffer = Arc::new(buffer);
    let all = Selection::default();
    header.collect(&all, |entry| mapped(&place, &buffer, header.data_at, entry))
}

/// A tensor inside a map: shared where it may be, else copied.
fn mapped(place: &Place, map: &Arc<Buffer>, data_at: u64, entry: &Entry) -> Result<Tensor> {
    let at = data_at as usize + entry.from;
    let address = map.address().wrapping_add(at);
    let aligned = (address as usize).is_multiple_of(entry.dtype.align());
    // SAFETY: the header was checked against the length of the map.
    let bytes = unsafe { std::slice::from_raw_parts(address, entry.to - entry.from) };
    if entry.dtype.is_bool() || !aligned || Order::NATIVE != Order::Little || bytes.is_empty() {
        let mut stream = Stream::new(place.clone(), bytes, bytes.len() as u64);
        return stream.tensor(&entry.name, entry.dtype, &entry.shape, Order::Little);
    }
    // SAFETY: the part lies in the map, which lives in the new buffer as its owner.
    let part = unsafe { Buffer::foreign(&cpu(), address, bytes.len(), Box::new(map.clone())) };
    let layout = Layout::contiguous(place.op, &entry.shape)?;
    // SAFETY: the bytes are initialised, not bool, and changed by nobody, as the caller promised.
    unsafe { Tensor::from_buffer(entry.dtype, layout, Arc::new(part)) }
}

fn load<R: Read + Seek>(mut stream: Stream<R>, wanted: &Selection<'_>) -> Result<Loaded> {
    let header = Header::read(&mut stream)?;
    let names = header.entries.iter().map(|entry| &entry.name[..]);
    wanted.check(stream.place.op, &stream.place.path, names)?;
    let mut at = 0;
    header.collect(wanted, |entry| {
        stream.skip((entry.from - at) as u64)?;
        at = entry.to;
        stream.tensor(&entry.name, entry.dtype, &entry.shape, Order::Little)
    })
}
