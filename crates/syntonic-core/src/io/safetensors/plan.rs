//! What is written, and in which order.

use super::{COMPLEX, LONGEST_HEADER, METADATA, PREFIX, stored};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::io::check_names;
use crate::io::elements::with_bytes;
use crate::io::stream::Place;
use crate::tensor::Tensor;
use ::safetensors::tensor::{Metadata, TensorInfo};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::io::Write;

/// What will be written: the header, and the tensors in the order of their bytes.
pub(super) struct Plan<'a> {
    header: Vec<u8>,
    tensors: Vec<&'a Tensor>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
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

    pub(super) fn write(&self, place: &Place, to: &mut impl Write) -> Result<()> {
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
