//! Vectors of floats in text: base64 of their bytes, little-endian. Every bit comes back, and reading takes less memory
//! than the text. Lists of numbers, as the first format had them, are read too.

use base64::Engine;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::Serializer;
use std::fmt::{self, Display};
use syntonic_core::room;

/// Bytes of a float.
const WIDTH: usize = size_of::<f64>();

pub(super) fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Text(values))
}

/// Floats as base64, piece by piece.
struct Text<'a>(&'a [f64]);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Floats of a piece: whole groups of base64, so that pieces follow each other without a gap.
        const PIECE: usize = 3 << 7;
        let mut bytes = [0; PIECE * WIDTH];
        for piece in self.0.chunks(PIECE) {
            for (to, value) in bytes.chunks_exact_mut(WIDTH).zip(piece) {
                to.copy_from_slice(&value.to_le_bytes());
            }
            Base64Display::new(&bytes[..piece.len() * WIDTH], &STANDARD).fmt(f)?;
        }
        Ok(())
    }
}

/// What an error of the parser begins with where floats have no room in memory.
const NO_ROOM: &str = "no memory for a vector of floats";

/// Whether reading ended since there was no memory.
pub(super) fn had_no_room(error: &serde_json::Error) -> bool {
    error.is_data() && error.to_string().starts_with(NO_ROOM)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<f64>, D::Error> {
    deserializer.deserialize_any(Values)
}

/// A list of numbers, or none.
pub(super) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<f64>>, D::Error> {
    #[derive(serde::Deserialize)]
    struct Inner(#[serde(deserialize_with = "list")] Vec<f64>);
    Ok(Option::<Inner>::deserialize(deserializer)?.map(|Inner(values)| values))
}

fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    deserializer.deserialize_seq(Values)
}

struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = Vec<f64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("floats as base64, or a list of numbers")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<f64>, E> {
        /// Characters decoded at a time: whole floats, whole groups of base64.
        const PIECE: usize = 32 << 10;
        let most = text.len() / 4 * 3 / WIDTH;
        let mut values = room::empty(most).map_err(|_| E::custom(NO_ROOM))?;
        let mut bytes = room::empty(PIECE).map_err(|_| E::custom(NO_ROOM))?;
        for piece in text.as_bytes().chunks(PIECE) {
            bytes.clear();
            STANDARD.decode_vec(piece, &mut bytes).map_err(E::custom)?;
            let (whole, rest) = bytes.as_chunks::<WIDTH>();
            if !rest.is_empty() {
                return Err(E::custom("a vector of floats ends within a float"));
            }
            values.extend(whole.iter().map(|float| f64::from_le_bytes(*float)));
        }
        Ok(values)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<f64>, A::Error> {
        let mut values: Vec<f64> = Vec::new();
        while let Some(value) = list.next_element()? {
            if values.len() == values.capacity() {
                // By an eighth and not by half: text of a few bytes a number must not take many times its length.
                let more = (values.len() / 8).max(64);
                room::more(&mut values, more).map_err(|_| A::Error::custom(NO_ROOM))?;
            }
            values.push(value);
        }
        Ok(values)
    }
}
