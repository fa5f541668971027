//! Files of searches on a device: safetensors with metadata that say what they are, and whether they are whole.

use super::checked::Tensors;
use super::function::Function;
use super::search::Generations;
use crate::evolve::CheckpointFault::{Damaged, Foreign, Truncated, Version};
use crate::evolve::EvolveError;
use crate::evolve::checkpoint::of_system;
use crate::evolve::sum::sum;
use crc32fast::Hasher;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use syntonic_core::{DType, Error, Result, Tensor, io, room};

/// The first bytes of the header, which follow its length.
const BEGINNING: &[u8] = b"{\"__metadata__\":{\"crc32\":\"";
/// A header of ours is far shorter.
const LONGEST_HEADER: u64 = 1 << 16;

type Metadata = BTreeMap<String, String>;

/// A kind of file.
pub(super) struct Form {
    /// What its metadata call it.
    pub(super) name: &'static str,
    /// The last version of it; all from 1 on are read.
    pub(super) version: u32,
}

/// What a whole file has.
pub(super) struct Found {
    pub(super) tensors: Tensors,
    pub(super) version: u32,
    /// What it says of the search, as JSON.
    pub(super) about: String,
}

/// Writes a file of a search.
pub(super) fn write(
    path: &Path,
    form: &Form,
    about: &impl Serialize,
    tensors: &Tensors,
) -> std::result::Result<(), EvolveError> {
    let mut metadata = Metadata::from([
        ("format".to_owned(), form.name.to_owned()),
        ("version".to_owned(), form.version.to_string()),
        ("search".to_owned(), serde_json::to_string(about)?),
    ]);
    metadata.insert("crc32".into(), checksum(&metadata, tensors)?);
    let named: Vec<(&str, Tensor)> = tensors.iter().map(|(k, t)| (&k[..], t.clone())).collect(); // few: ten.
    io::save_safetensors(path, &named, &metadata).map_err(|e| of_core(path, e))
}

/// What a file has, if it is whole, of this form, and of a version that is known.
pub(super) fn read(path: &Path, form: &Form) -> std::result::Result<Found, EvolveError> {
    let (tensors, mut metadata) = io::load_safetensors(path).map_err(|e| unread(path, e))?;
    let at = |fault: crate::evolve::CheckpointFault| Err(fault.at(&path.display().to_string()));
    let said = |key: &str| metadata.get(key).map_or("", |text| &text[..]);
    if said("format") != form.name {
        let what = "its metadata name no search on a device";
        return at(Foreign(what.into()));
    }
    // No search has tensors of other types, whose sum nobody could take.
    if let Some((name, t)) = tensors.iter().find(|(_, t)| !t.dtype().is_float()) {
        return at(Damaged(format!("its {name:?} is {}", t.describe())));
    }
    if checksum(&metadata, &tensors)? != said("crc32") {
        return at(Damaged("its contents do not fit its checksum".into()));
    }
    match said("version").parse() {
        Ok(version) if (1..=form.version).contains(&version) => Ok(Found {
            tensors,
            version,
            about: metadata.remove("search").unwrap_or_default(),
        }),
        Ok(found) => at(Version {
            found,
            known: form.version,
        }),
        Err(_) => at(Damaged("its version is no number".into())),
    }
}

/// A search that is run and saved.
pub(super) trait Saving {
    fn generations(&self) -> u64;

    /// Runs so many generations, fewer where the target is reached.
    fn go_on(&mut self, function: Function, count: u64, target: Option<f64>)
    -> Result<Generations>;

    fn save_to(&self, path: &Path) -> std::result::Result<(), EvolveError>;
}

/// Runs a search that is saved whenever the number of its generations is a multiple of `every`, and at its end; 0 is at its end alone.
pub(super) fn run_saving(
    search: &mut impl Saving,
    function: Function,
    (generations, target): (u64, Option<f64>),
    path: &Path,
    every: u64,
) -> std::result::Result<Generations, EvolveError> {
    let mut parts = Vec::new();
    let mut done = 0;
    loop {
        let left = generations - done;
        let count = match every {
            0 => left,
            _ => left.min(every - search.generations() % every),
        };
        let part = match search.go_on(function, count, target) {
            Ok(part) => part,
            Err(e) => {
                // The error of the run is the one to tell.
                let _ = search.save_to(path);
                return Err(e.into());
            }
        };
        done += part.done;
        room::push(&mut parts, part.history)?;
        search.save_to(path)?;
        if part.done < count || done == generations {
            return Ok(Generations::joined(&parts, done)?);
        }
    }
}

/// The sum of all that a file says, but for the sum itself.
pub(super) fn checksum(metadata: &Metadata, tensors: &Tensors) -> Result<String> {
    let mut wide = Vec::new(); // few: one for each tensor.
    for t in tensors.values() {
        wide.push(t.cast(DType::F64)?.host_slice::<f64>()?);
    }
    Ok(sum(|sum| {
        for (key, text) in metadata.iter().filter(|(key, _)| *key != "crc32") {
            sum.update(key.as_bytes());
            sum.update(text.as_bytes());
        }
        for ((name, t), values) in tensors.iter().zip(&wide) {
            sum.update(name.as_bytes());
            sum.update(t.describe().to_string().as_bytes());
            add(sum, values);
        }
    }))
}

fn add(sum: &mut Hasher, values: &[f64]) {
    const PIECE: usize = 512;
    let mut bytes = [0; PIECE * size_of::<f64>()];
    for piece in values.chunks(PIECE) {
        for (to, value) in bytes.chunks_exact_mut(size_of::<f64>()).zip(piece) {
            to.copy_from_slice(&value.to_le_bytes());
        }
        sum.update(&bytes[..size_of_val(piece)]);
    }
}

/// Why a file is no file of safetensors.
fn unread(path: &Path, error: Error) -> EvolveError {
    let Error::File { what, .. } = error else {
        return of_core(path, error);
    };
    let fault = match beginning(path) {
        Ok(Beginning::Foreign) => Foreign(what),
        Ok(Beginning::Short) => Truncated(what),
        Ok(Beginning::Whole) => Damaged(what),
        // It is no regular file, or was there and is no more.
        Err(_) => Foreign(what),
    };
    fault.at(&path.display().to_string())
}

/// How far a file is ours.
enum Beginning {
    Foreign,
    /// As far as it goes, but it does not go far enough.
    Short,
    Whole,
}

fn beginning(path: &Path) -> Result<Beginning> {
    let (file, len) = io::open_file("evolve: load", path)?;
    let mut start = Vec::new(); // few: no longer than a header of ours.
    let mut file = file.take(8 + LONGEST_HEADER);
    if file.read_to_end(&mut start).is_err() {
        return Ok(Beginning::Foreign);
    }
    let text = start.get(8..).unwrap_or_default();
    let common = text.len().min(BEGINNING.len());
    if text[..common] != BEGINNING[..common] {
        return Ok(Beginning::Foreign);
    }
    let Some(prefix) = start.first_chunk::<8>() else {
        return Ok(Beginning::Short);
    };
    let header = u64::from_le_bytes(*prefix);
    if header > LONGEST_HEADER {
        return Ok(match text.is_empty() {
            true => Beginning::Foreign,
            false => Beginning::Whole,
        });
    }
    let Some(text) = text.get(..header as usize) else {
        return Ok(Beginning::Short);
    };
    let said = serde_json::from_slice::<serde_json::Value>(text).ok();
    let ends = said.as_ref().and_then(serde_json::Value::as_object);
    let ends = ends
        .into_iter()
        .flatten()
        .filter_map(|(_, entry)| entry["data_offsets"][1].as_u64());
    Ok(match ends.max() {
        Some(end) if end > len.saturating_sub(8 + header) => Beginning::Short,
        _ => Beginning::Whole,
    })
}

/// An error of core's about a checkpoint.
pub(super) fn of_core(path: &Path, error: Error) -> EvolveError {
    match error {
        Error::Io { source, .. } => of_system(path, source),
        Error::File { what, .. } => Foreign(what).at(&path.display().to_string()),
        other => other.into(),
    }
}
