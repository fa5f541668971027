//! Saving a search on a device and taking it up again, to the bit, on this device or another.
//!
//! A file is one of safetensors, little-endian as those are:
//!
//! | tensor | |
//! |---|---|
//! | `state` | `float64` `[runs, rows · n + 12]`: mean, deviation, best candidate; where paths are followed variance, path of the step size and path of the shape; of RES its path and the columns of its matrix; then step size, missing variance, best score, generations of the last launch |
//! | `history` | `float64` `[runs, k]`, after the first generation: what [`DeviceSearch::history`] gives |
//! | `bounds` | of the search's type, `[2, n]`, where it has bounds |
//! | `start` | `float64` `[1, n]`, where attempts follow each other |
//!
//! The metadata has `format`, `version`, `search` (everything else, as JSON) and `crc32`, the checksum of all else: every later version
//! keeps these four. Noise is a function of seed and generation, so there is no generator to save.

use super::checked::{Tensors, fault};
use super::function::Function;
use super::past::Past;
use super::plan::Plan;
use super::restarts::{Attempt, Attempts};
use super::rules::Rule;
use super::search::{DeviceSearch, Generations};
use crate::evolve::CheckpointFault::{self, Damaged, Foreign, Truncated, Version};
use crate::evolve::checkpoint::of_system;
use crate::evolve::sum::sum;
use crate::evolve::{EvolveError, exact};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use syntonic_core::cpu::cpu;
use syntonic_core::{DType, Device, Error, Result, Tensor, io, room};

const SAVE: &str = "DeviceSearch: save";
const FORMAT: &str = "syntonic DeviceSearch checkpoint";
/// Raised when older programs can no longer read what is written.
const VERSION: u32 = 2;
/// The first version: its "res" is [`Rule::Separable`].
const FIRST: u32 = 1;
/// The first bytes of the header, which follow its length.
const BEGINNING: &[u8] = b"{\"__metadata__\":{\"crc32\":\"";
/// A header of ours is far shorter.
const LONGEST_HEADER: u64 = 1 << 16;

type Metadata = BTreeMap<String, String>;

/// Everything about a search but its tensors.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct About {
    rule: String,
    /// Of OpenAI's strategy; 0 for the others.
    #[serde(with = "exact")]
    learning_rate: f64,
    dtype: String,
    seed: u64,
    pub(super) generation: u64,
    runs: usize,
    n: usize,
    population: usize,
    pub(super) batched: bool,
    pub(super) bounded: bool,
    /// The present attempt, where they follow each other.
    pub(super) restarts: Option<Attempt>,
}

impl About {
    fn of(search: &DeviceSearch) -> About {
        let (rule, learning_rate) = match search.rule {
            Rule::Res => ("res", 0.0),
            Rule::Separable => ("separable", 0.0),
            Rule::SeparableCma => ("separable_cma", 0.0),
            Rule::Snes => ("snes", 0.0),
            Rule::OpenAi { rate } => ("openai", rate),
        };
        let plan = search.plan;
        About {
            rule: rule.into(),
            learning_rate,
            dtype: plan.dtype.to_string(),
            seed: search.seed,
            generation: search.generation,
            runs: plan.runs,
            n: plan.n,
            population: plan.population,
            batched: search.batched,
            bounded: search.bounds.numel() > 0,
            restarts: search.attempts.as_ref().map(|a| a.now.clone()),
        }
    }

    /// The same, with the names that rules have now.
    fn renamed(mut self, version: u32) -> About {
        if version == FIRST && self.rule == "res" {
            self.rule = "separable".into();
        }
        self
    }

    /// Rule and sizes, if words stand for them.
    fn named(&self) -> std::result::Result<(Rule, Plan), String> {
        let rule = match &self.rule[..] {
            "res" => Rule::Res,
            "separable" => Rule::Separable,
            "separable_cma" => Rule::SeparableCma,
            "snes" => Rule::Snes,
            "openai" => Rule::OpenAi {
                rate: self.learning_rate,
            },
            other => return Err(format!("its rule is {other:?}, which nobody knows")),
        };
        let dtype = match &self.dtype[..] {
            "float32" => DType::F32,
            "float64" => DType::F64,
            other => {
                return Err(format!(
                    "it is in {other:?}, and searches are in float32 or float64"
                ));
            }
        };
        let plan = Plan {
            runs: self.runs,
            n: self.n,
            population: self.population,
            mirrored: rule.is_mirrored(),
            dtype,
        };
        Ok((rule, plan))
    }
}

impl DeviceSearch {
    /// Writes the search to a file of safetensors, whole or not at all, as [`io::write_file`] does. The file has what decides the next
    /// generations, and the [history](DeviceSearch::history): a search that is loaded goes on with the same bits, on any device. Its size
    /// does not grow with the length of a run.
    ///
    /// Errors: [`EvolveError::File`] where the system refuses, [`EvolveError::Checkpoint`] where `path` leads to what is no file,
    /// [`EvolveError::Engine`] for a search that has come to NaN, which nobody could load, and without memory.
    ///
    /// ```
    /// use syntonic_core::{Tensor, cpu::cpu};
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let start = Tensor::from_slice(&[3.0; 20], &[20])?;
    /// let mut search = DeviceSearch::new(&start, 2.0, 64, Rule::Res, 7)?;
    /// search.run(Function::Sphere, 10, None)?;
    /// let path = std::env::temp_dir().join(format!("search-{}.safetensors", std::process::id()));
    /// search.save(&path)?;
    /// let mut other = DeviceSearch::load(&path, &cpu())?;
    /// for search in [&mut search, &mut other] {
    ///     search.run(Function::Sphere, 10, None)?;
    /// }
    /// assert_eq!(search.mean()?.to_vec::<f64>()?, other.mean()?.to_vec::<f64>()?);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> std::result::Result<(), EvolveError> {
        let path = path.as_ref();
        let mut search = self.clone();
        search.settle()?;
        let (about, tensors) = search.parts()?;
        let improper = fault(&about, search.rule, search.plan, &tensors)?;
        if let Some(what) = improper {
            let what = format!("{what}; hint: such a search finds nothing, begin another");
            return Err(Error::value(SAVE, what).into());
        }
        let mut metadata = Metadata::from([
            ("format".to_owned(), FORMAT.to_owned()),
            ("version".to_owned(), VERSION.to_string()),
            ("search".to_owned(), serde_json::to_string(&about)?),
        ]);
        metadata.insert("crc32".into(), checksum(&metadata, &tensors)?);
        let named: Vec<(&str, Tensor)> = tensors.iter().map(|(k, t)| (&k[..], t.clone())).collect(); // few: four.
        io::save_safetensors(path, &named, &metadata).map_err(|e| of_core(path, e))
    }

    /// Finds out now whether [`DeviceSearch::save`] could write `path`: a run should not learn at its end that it could not.
    ///
    /// Errors: as [`DeviceSearch::save`].
    ///
    /// ```
    /// use syntonic_srt::evolve::device::DeviceSearch;
    ///
    /// let folder = std::env::temp_dir();
    /// assert!(DeviceSearch::check_save(folder.join("search.safetensors")).is_ok());
    /// assert!(DeviceSearch::check_save(folder.join("no such folder/search")).is_err());
    /// ```
    pub fn check_save(path: impl AsRef<Path>) -> std::result::Result<(), EvolveError> {
        let path = path.as_ref();
        io::check_writable(SAVE, path).map_err(|e| of_core(path, e))
    }

    /// Reads a file that [`DeviceSearch::save`] wrote, wherever that search lived, to go on with it on `device`.
    ///
    /// Errors: [`EvolveError::File`] if it cannot be read; [`EvolveError::Checkpoint`] if it is no checkpoint of a device search, cut
    /// short, damaged, of a version that is not known, or holds what no search has; [`EvolveError::Engine`] without memory for it.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let path = std::env::temp_dir().join(format!("syntonic-load-{}.safetensors", std::process::id()));
    /// DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?.save(&path)?;
    /// assert_eq!(DeviceSearch::load(&path, &cpu())?.mean()?.to_vec::<f64>()?, [3.0, 4.0]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(
        path: impl AsRef<Path>,
        device: &Arc<dyn Device>,
    ) -> std::result::Result<DeviceSearch, EvolveError> {
        let path = path.as_ref();
        let (tensors, metadata) = io::load_safetensors(path).map_err(|e| unread(path, e))?;
        let at = |fault: CheckpointFault| fault.at(&path.display().to_string());
        let about = read(&tensors, &metadata)?.map_err(at)?;
        let (rule, plan) = about.named().map_err(|what| at(Damaged(what)))?;
        if let Some(what) = fault(&about, rule, plan, &tensors)? {
            return Err(at(Damaged(what)));
        }
        let there = |name: &str| tensors.get(name).map(|t| t.to(device)).transpose();
        let bounds = match there("bounds")? {
            Some(bounds) => bounds,
            None => Tensor::zeros_on(&[0], plan.dtype, device)?,
        };
        let state = tensors["state"].to(device)?;
        let mut search =
            DeviceSearch::assembled(state, plan, rule, about.seed, about.batched, bounds)?;
        search.generation = about.generation;
        search.past = Past::of(there("history")?, about.generation);
        search.attempts = match (there("start")?, about.restarts) {
            (Some(start), Some(now)) => Some(Attempts { start, now }),
            _ => None,
        };
        Ok(search)
    }

    /// [`DeviceSearch::run`] that saves the search to `path` whenever the number of its generations is a multiple of `every`, and at its end;
    /// 0 is at its end alone. A process that is killed goes on from there: load the file, and run the rest.
    ///
    /// Errors: as [`DeviceSearch::run`], whose last finished launch is then saved if it can be, and as [`DeviceSearch::save`]. A path that
    /// cannot be written is found before the first generation.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let path = std::env::temp_dir().join(format!("syntonic-run-{}.safetensors", std::process::id()));
    /// let mut search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// search.run_saving(Function::Sphere, 20, None, &path, 10)?;
    /// assert_eq!(DeviceSearch::load(&path, &cpu())?.generation(), 20);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_saving(
        &mut self,
        function: Function,
        generations: u64,
        target: Option<f64>,
        path: impl AsRef<Path>,
        every: u64,
    ) -> std::result::Result<Generations, EvolveError> {
        let path = path.as_ref();
        DeviceSearch::check_save(path)?;
        let mut parts = Vec::new();
        let mut done = 0;
        loop {
            let left = generations - done;
            let count = match every {
                0 => left,
                _ => left.min(every - self.generation % every),
            };
            let part = match self.run(function, count, target) {
                Ok(part) => part,
                Err(e) => {
                    // The error of the run is the one to tell.
                    let _ = self.save(path);
                    return Err(e.into());
                }
            };
            done += part.done;
            room::push(&mut parts, part.history)?;
            self.save(path)?;
            if part.done < count || done == generations {
                return Ok(Generations::joined(&parts, done)?);
            }
        }
    }

    /// What goes into a file, in memory of the host; nothing waits any more.
    fn parts(&self) -> Result<(About, Tensors)> {
        let about = About::of(self);
        let here = cpu();
        let mut tensors = Tensors::from([("state".to_owned(), self.state.to(&here)?)]);
        let others = [
            ("history", self.past.kept.as_ref()),
            ("bounds", Some(&self.bounds).filter(|_| about.bounded)),
            ("start", self.attempts.as_ref().map(|a| &a.start)),
        ];
        for (name, t) in others {
            if let Some(t) = t {
                tensors.insert(name.into(), t.to(&here)?);
            }
        }
        Ok((about, tensors))
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

/// What the metadata say, if the file is whole and its version is known.
fn read(
    tensors: &Tensors,
    metadata: &Metadata,
) -> Result<std::result::Result<About, CheckpointFault>> {
    let said = |key: &str| metadata.get(key).map_or("", |text| &text[..]);
    if said("format") != FORMAT {
        let what = "its metadata name no search on a device";
        return Ok(Err(Foreign(what.into())));
    }
    // No search has tensors of other types, whose sum nobody could take.
    if let Some((name, t)) = tensors.iter().find(|(_, t)| !t.dtype().is_float()) {
        return Ok(Err(Damaged(format!("its {name:?} is {}", t.describe()))));
    }
    if checksum(metadata, tensors)? != said("crc32") {
        return Ok(Err(Damaged("its contents do not fit its checksum".into())));
    }
    match said("version").parse() {
        Ok(found @ (FIRST | VERSION)) => {
            let about = serde_json::from_str::<About>(said("search"));
            Ok(about
                .map(|about| about.renamed(found))
                .map_err(|e| Damaged(e.to_string())))
        }
        Ok(found) => Ok(Err(Version {
            found,
            known: VERSION,
        })),
        Err(_) => Ok(Err(Damaged("its version is no number".into()))),
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
    let (file, len) = io::open_file("DeviceSearch: load", path)?;
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
fn of_core(path: &Path, error: Error) -> EvolveError {
    match error {
        Error::Io { source, .. } => of_system(path, source),
        Error::File { what, .. } => Foreign(what).at(&path.display().to_string()),
        other => other.into(),
    }
}
