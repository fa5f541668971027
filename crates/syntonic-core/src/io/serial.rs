//! Tensors through serde: `{dtype, shape, data}`.
//!
//! The data are the elements in row-major, little-endian order: bytes in binary formats, base64 text
//! in formats for people, where it keeps every bit of every number (JSON has no NaN and no infinity).
//! A tensor comes back row-major on the CPU, wherever it was.

use super::elements::{Order, from_fill, size, with_bytes};
use crate::dtype::DType;
use crate::layout::check_ndim;
use crate::room;
use crate::tensor::Tensor;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};

impl Serialize for Tensor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let write = |bytes: &[u8]| {
            let mut out = serializer.serialize_struct("Tensor", 3)?;
            out.serialize_field("dtype", &self.dtype())?;
            out.serialize_field("shape", self.shape())?;
            out.serialize_field("data", &Data(bytes))?;
            out.end()
        };
        with_bytes(self, write).map_err(S::Error::custom)?
    }
}

impl<'de> Deserialize<'de> for Tensor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tensor, D::Error> {
        let parts = Parts::deserialize(deserializer)?;
        let (dtype, shape, Owned(bytes)) = (parts.dtype, parts.shape, parts.data);
        check_ndim("deserialize", shape.len()).map_err(D::Error::custom)?;
        if size(dtype, &shape) != Some(bytes.len()) {
            return Err(D::Error::custom(format_args!(
                "{dtype}{shape:?} does not have {} bytes",
                bytes.len()
            )));
        }
        let fill = |room: &mut [u8]| {
            room.copy_from_slice(&bytes);
            Ok(())
        };
        let bad = |at, byte| {
            D::Error::custom(format_args!(
                "element {at} of a bool tensor is {byte}, neither 0 nor 1"
            ))
        };
        from_fill("deserialize", dtype, &shape, Order::Little, fill, bad)
            .map_err(D::Error::custom)?
    }
}

#[derive(serde::Deserialize)]
#[serde(rename = "Tensor")]
struct Parts {
    dtype: DType,
    shape: Vec<usize>,
    data: Owned,
}

struct Data<'a>(&'a [u8]);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&STANDARD.encode(self.0))
        } else {
            serializer.serialize_bytes(self.0)
        }
    }
}

struct Owned(Vec<u8>);

impl<'de> Deserialize<'de> for Owned {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Owned, D::Error> {
        if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            return STANDARD.decode(text).map(Owned).map_err(D::Error::custom);
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}

struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = Owned;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Owned, E> {
        room::copied(bytes).map(Owned).map_err(E::custom)
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Owned, E> {
        Ok(Owned(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Owned, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            room::push(&mut bytes, byte).map_err(A::Error::custom)?;
        }
        Ok(Owned(bytes))
    }
}
