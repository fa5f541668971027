//! The safetensors format: a JSON header that says where each tensor lies, then their bytes.
//!
//! `complex64` is the format's own `C64`. The format has no `complex128`: such a tensor is stored as
//! `F64` with one more axis of length 2 (real, imaginary), and the metadata entry
//! `syntonic.complex128` holds the names of these tensors as a JSON list. Other readers see pairs of
//! numbers; [`load_safetensors`] restores the complex tensor and hides the entry.

use super::check_names;
use super::draft::Draft;
use super::elements::{Order, with_bytes};
use super::selection::Selection;
use super::stream::{Place, Stream};
use crate::buffer::Buffer;
use crate::cpu::cpu;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::tensor::Tensor;
use ::safetensors::Dtype;
use ::safetensors::tensor::{Metadata, TensorInfo};
use memmap2::MmapOptions;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read, Seek, Write};
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
pub fn safetensors_to_bytes(
    tensors: &[(&str, Tensor)],
    metadata: &BTreeMap<String, String>,
) -> Result<Vec<u8>> {
    let op = "safetensors_to_bytes";
    let mut bytes = Vec::new();
    Plan::new(op, tensors, metadata)?.write(&Place::memory(op), &mut bytes)?;
    Ok(bytes)
}

/// Reads a file into memory of its own.
///
/// Errors: [`Error::File`] for a file that is not what it claims to be, [`Error::Io`] where the system
/// refuses.
pub fn load_safetensors(path: impl AsRef<Path>) -> Result<Loaded> {
    load_safetensors_with(path, &Selection::default())
}

/// As [`load_safetensors`], of the tensors that `wanted` names; the others are not read. Nothing in such a file is
/// compressed, so there is no limit on what it unpacks to.
///
/// Errors: also [`Error::Value`] for a name that the file does not hold.
pub fn load_safetensors_with(path: impl AsRef<Path>, wanted: &Selection<'_>) -> Result<Loaded> {
    load(Stream::open("load_safetensors", path.as_ref())?, wanted)
}

/// As [`load_safetensors`], from bytes in memory.
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

/// What the header says, checked.
struct Header {
    /// In the order of their bytes.
    entries: Vec<Entry>,
    metadata: BTreeMap<String, String>,
    /// Position of the first tensor's bytes in the file.
    data_at: u64,
}

struct Entry {
    name: String,
    dtype: DType,
    shape: Vec<usize>,
    from: usize,
    to: usize,
}

impl Header {
    fn read<R: Read>(stream: &mut Stream<R>) -> Result<Header> {
        let place = stream.place.clone();
        let length = stream.bytes(PREFIX, "the header's length")?;
        let length = u64::from_le_bytes(length.try_into().unwrap_or_default());
        if length > LONGEST_HEADER {
            return Err(place.wrong(format!(
                "its header claims {length} bytes, more than the format's {LONGEST_HEADER}"
            )));
        }
        let text = stream.bytes(length, "the header")?;
        let text = std::str::from_utf8(&text)
            .map_err(|e| place.wrong(format!("its header is not UTF-8: {e}")))?;
        let header = Header::parse(&place, text, PREFIX + length)?;
        let said = header.entries.last().map_or(0, |e| e.to as u64);
        if said != stream.rest() {
            return Err(place.wrong(format!(
                "its tensors take {said} bytes, but {} bytes follow the header",
                stream.rest()
            )));
        }
        Ok(header)
    }

    fn parse(place: &Place, text: &str, data_at: u64) -> Result<Header> {
        if !text.starts_with('{') {
            return Err(place.wrong("its header does not begin with '{'"));
        }
        let not_a_header =
            |e: serde_json::Error| place.wrong(format!("its header is no list of tensors: {e}"));
        serde_json::from_str::<Unrepeated>(text).map_err(not_a_header)?;
        // The crate checks that the parts cover the data in order, without holes or overlaps, and
        // that each is as long as its type and shape say.
        let header: Metadata = serde_json::from_str(text).map_err(not_a_header)?;
        let mut metadata: BTreeMap<String, String> = header
            .metadata()
            .clone()
            .unwrap_or_default()
            .into_iter()
            .collect();
        let mut entries = header
            .offset_keys()
            .into_iter()
            .map(|name| Entry::new(place, &header, name))
            .collect::<Result<Vec<_>>>()?;
        if let Some(names) = metadata.remove(COMPLEX) {
            join_complex(place, &mut entries, &names)?;
        }
        Ok(Header {
            entries,
            metadata,
            data_at,
        })
    }

    fn collect(
        &self,
        wanted: &Selection<'_>,
        mut tensor: impl FnMut(&Entry) -> Result<Tensor>,
    ) -> Result<Loaded> {
        let tensors = self
            .entries
            .iter()
            .filter(|entry| wanted.takes(&entry.name))
            .map(|entry| Ok((entry.name.clone(), tensor(entry)?)))
            .collect::<Result<_>>()?;
        Ok((tensors, self.metadata.clone()))
    }
}

impl Entry {
    fn new(place: &Place, header: &Metadata, name: String) -> Result<Entry> {
        let info = header
            .info(&name)
            .ok_or_else(|| place.wrong(format!("its header has no {name:?}")))?;
        let dtype = restored(info.dtype).ok_or_else(|| {
            place.wrong(format!(
                "{name:?} has the element type {}, which no tensor here can have",
                info.dtype
            ))
        })?;
        Ok(Entry {
            name,
            dtype,
            shape: info.shape.clone(),
            from: info.data_offsets.0,
            to: info.data_offsets.1,
        })
    }
}

/// Makes `complex128` of the tensors that the metadata names.
fn join_complex(place: &Place, entries: &mut [Entry], names: &str) -> Result<()> {
    let names: BTreeSet<String> = serde_json::from_str(names).map_err(|e| {
        place.wrong(format!(
            "its metadata entry {COMPLEX} is no list of names: {e}"
        ))
    })?;
    for name in names {
        let pairs = entries
            .iter_mut()
            .find(|e| e.name == name && e.dtype == DType::F64 && e.shape.last() == Some(&2));
        let Some(entry) = pairs else {
            return Err(place.wrong(format!(
                "its metadata calls {name:?} complex128, but there is no F64 tensor [..., 2] of that name"
            )));
        };
        entry.shape.pop();
        entry.dtype = DType::C128;
    }
    Ok(())
}

/// What will be written: the header, and the tensors in the order of their bytes.
struct Plan<'a> {
    header: Vec<u8>,
    tensors: Vec<&'a Tensor>,
}

impl<'a> Plan<'a> {
    fn new(
        op: &'static str,
        tensors: &'a [(&str, Tensor)],
        metadata: &BTreeMap<String, String>,
    ) -> Result<Plan<'a>> {
        check_names(op, tensors.iter().map(|(name, _)| *name))?;
        if tensors.iter().any(|(name, _)| *name == METADATA) || metadata.contains_key(COMPLEX) {
            let what = format!(
                "{METADATA:?} as a tensor's name and {COMPLEX:?} in the metadata are taken by the format; hint: choose another"
            );
            return Err(Error::value(op, what));
        }
        let mut sorted: Vec<&(&str, Tensor)> = tensors.iter().collect();
        // Strictly aligned types first, so that every tensor is aligned where the data begin so.
        // few: one for each tensor.
        sorted.sort_by_key(|(name, t)| (std::cmp::Reverse(t.dtype().align()), *name));
        let infos = infos(&sorted);
        // A file that we would not read is not written.
        Metadata::new(None, infos.clone()).map_err(|e| Error::value(op, e.to_string()))?;
        let header = Headline {
            metadata: with_complex(metadata, &sorted),
            infos,
        };
        let mut header =
            serde_json::to_vec(&header).map_err(|e| Error::value(op, e.to_string()))?;
        // few: up to a multiple of 8.
        header.resize(header.len().next_multiple_of(PREFIX as usize), b' ');
        if header.len() as u64 > LONGEST_HEADER {
            let what = format!(
                "names and metadata take {} bytes, more than the format's {LONGEST_HEADER}",
                header.len()
            );
            return Err(Error::value(op, what));
        }
        Ok(Plan {
            header,
            tensors: sorted.into_iter().map(|(_, t)| t).collect(),
        })
    }

    fn write(&self, place: &Place, to: &mut impl Write) -> Result<()> {
        let length = (self.header.len() as u64).to_le_bytes();
        to.write_all(&length)
            .and_then(|()| to.write_all(&self.header))
            .map_err(|e| place.failed(e))?;
        for t in &self.tensors {
            with_bytes(t, |bytes| place.write(to, bytes))??;
        }
        Ok(())
    }
}

fn infos(tensors: &[&(&str, Tensor)]) -> Vec<(String, TensorInfo)> {
    let mut at = 0;
    let info = |(name, t): &&(&str, Tensor)| {
        let mut shape = t.shape().to_vec();
        if t.dtype() == DType::C128 {
            shape.push(2);
        }
        let from = at;
        at += t.numel() * t.dtype().size();
        let info = TensorInfo {
            dtype: stored(t.dtype()),
            shape,
            data_offsets: (from, at),
        };
        ((*name).to_owned(), info)
    };
    tensors.iter().map(info).collect()
}

/// The metadata with the names of the complex tensors, where there are any.
fn with_complex(
    metadata: &BTreeMap<String, String>,
    tensors: &[&(&str, Tensor)],
) -> BTreeMap<String, String> {
    let mut metadata = metadata.clone();
    let names: Vec<&str> = tensors
        .iter()
        .filter(|(_, t)| t.dtype() == DType::C128)
        .map(|(name, _)| *name)
        .collect();
    if !names.is_empty() {
        metadata.insert(COMPLEX.to_owned(), serde_json::json!(names).to_string());
    }
    metadata
}

/// A header to be written, in a fixed order: equal tensors give equal files.
struct Headline {
    metadata: BTreeMap<String, String>,
    infos: Vec<(String, TensorInfo)>,
}

impl Serialize for Headline {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !self.metadata.is_empty() {
            map.serialize_entry(METADATA, &self.metadata)?;
        }
        for (name, info) in &self.infos {
            map.serialize_entry(name, info)?;
        }
        map.end()
    }
}

/// A JSON object in which no name occurs twice, nor in the metadata inside: maps would keep the last.
struct Unrepeated;

impl<'de> Deserialize<'de> for Unrepeated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(Names)
    }
}

struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = Unrepeated;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Unrepeated, A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == METADATA {
                map.next_value::<Unrepeated>()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
            if seen.contains(&name) {
                let what = format_args!("the name {name:?} occurs twice");
                return Err(serde::de::Error::custom(what));
            }
            seen.insert(name);
        }
        Ok(Unrepeated)
    }
}
