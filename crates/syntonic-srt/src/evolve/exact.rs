//! Floats in text: finite values as numbers, which the JSON reader of this crate returns to the
//! bit, the others by name, which JSON numbers cannot express.

use serde::{Deserialize, Deserializer, Serializer, de};

#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Number(f64),
    Name(String),
}

pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        serializer.serialize_f64(*value)
    } else {
        serializer.serialize_str(&value.to_string())
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match Text::deserialize(deserializer)? {
        Text::Number(value) => Ok(value),
        Text::Name(name) => name.parse().map_err(de::Error::custom),
    }
}
