//! The header of a file, as it is read and believed in nothing.

use super::{COMPLEX, LONGEST_HEADER, Loaded, METADATA, PREFIX, restored};
use crate::dtype::DType;
use crate::error::Result;
use crate::io::selection::Selection;
use crate::io::stream::{Place, Stream};
use crate::tensor::Tensor;
use ::safetensors::tensor::Metadata;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// What the header says, checked.
pub(super) struct Header {
    /// In the order of their bytes.
    pub(super) entries: Vec<Entry>,
    metadata: BTreeMap<String, String>,
    /// Position of the first tensor's bytes in the file.
    pub(super) data_at: u64,
}

/// Where a tensor lies, from the first byte of the data on.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) dtype: DType,
    pub(super) shape: Vec<usize>,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Header {
    pub(super) fn read<R: Read>(stream: &mut Stream<R>) -> Result<Header> {
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

    pub(super) fn collect(
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
