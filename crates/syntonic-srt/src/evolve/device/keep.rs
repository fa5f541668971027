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
//! | `recent` | `float64` `[k]`, the best scores of the latest generations of the present attempt, where it has any |
//!
//! The metadata has `format`, `version`, `search` (everything else, as JSON) and `crc32`, the checksum of all else: every later version
//! keeps these four. Noise is a function of seed and generation, so there is no generator to save. Versions 1 and 2 asked for the end of an attempt
//! after every 64 generations: the present attempt of such a file is asked from now on.

use super::about::{About, VERSION};
use super::checked::{Tensors, fault};
use super::file::{self, Form, Found, Saving, of_core};
use super::function::Function;
use super::past::Past;
use super::restarts::Attempts;
use super::search::{DeviceSearch, Generations};
use crate::evolve::CheckpointFault::{self, Damaged};
use crate::evolve::EvolveError;
use std::path::Path;
use std::sync::Arc;
use syntonic_core::cpu::cpu;
use syntonic_core::{Device, Error, Result, Tensor, io};

const SAVE: &str = "DeviceSearch: save";
const FORM: Form = Form {
    name: "syntonic DeviceSearch checkpoint",
    version: VERSION,
};

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
        file::write(path, &FORM, &about, &tensors)
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
        let Found {
            tensors,
            version,
            about,
        } = file::read(path, &FORM)?;
        let at = |fault: CheckpointFault| fault.at(&path.display().to_string());
        let about = About::read(&about, version).map_err(|e| at(Damaged(e.to_string())))?;
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
            (Some(start), Some(mut now)) => {
                if let Some(recent) = tensors.get("recent") {
                    now.attempt.recent = recent.to_vec::<f64>()?;
                }
                Some(Attempts { start, now })
            }
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
        file::run_saving(self, function, (generations, target), path, every)
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
        if let Some(attempts) = &self.attempts
            && let recent = &attempts.now.attempt.recent
            && !recent.is_empty()
        {
            let recent = Tensor::from_slice(recent, &[recent.len()])?;
            tensors.insert("recent".into(), recent);
        }
        Ok((about, tensors))
    }
}

impl Saving for DeviceSearch {
    fn generations(&self) -> u64 {
        self.generation
    }

    fn go_on(
        &mut self,
        function: Function,
        count: u64,
        target: Option<f64>,
    ) -> Result<Generations> {
        self.run(function, count, target)
    }

    fn save_to(&self, path: &Path) -> std::result::Result<(), EvolveError> {
        self.save(path)
    }
}
