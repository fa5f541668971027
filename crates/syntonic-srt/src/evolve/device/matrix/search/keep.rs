//! Saving a search by tensor operations and taking it up again, to the bit on a device like the one it was on.
//!
//! A file is one of safetensors, with the metadata of [`DeviceSearch`](crate::evolve::device::DeviceSearch)'s files. Its tensors are `float64`, but for
//! those in the search's type:
//!
//! | tensor | |
//! |---|---|
//! | `mean`, `path`, `shape_path` | `[n]` |
//! | `sigma`, `best_score` | one number |
//! | `covariance`, `root` | of CMA-ES, `[n, n]`: the covariance, and its root as of the last decomposition |
//! | `v`, `scale` | of CR-FM-NES, `[n]` |
//! | `best` | of the search's type, `[n]` |
//! | `bounds` | of the search's type, `[2, n]`, where it has bounds |

use super::{FEWEST, MatrixRule, MatrixSearch, State, check};
use crate::evolve::CheckpointFault::{self, Damaged};
use crate::evolve::EvolveError;
use crate::evolve::device::checked::{Tensors, is_positive, misfit, unordered};
use crate::evolve::device::file::{self, Form, Found, Saving, of_core};
use crate::evolve::device::matrix::cma::Cma;
use crate::evolve::device::matrix::cr_fm_nes::CrFmNes;
use crate::evolve::device::{Function, Generations};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use syntonic_core::cpu::cpu;
use syntonic_core::{DType, Device, Error, Result, Tensor, io};

const SAVE: &str = "MatrixSearch: save";
const FORM: Form = Form {
    name: "syntonic MatrixSearch checkpoint",
    version: 1,
};

/// Everything about a search but its tensors.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    rule: String,
    dtype: String,
    seed: u64,
    generation: u64,
    n: usize,
    population: usize,
    bounded: bool,
    /// The generation of CMA-ES's last decomposition.
    decomposed: u64,
}

impl About {
    fn of(search: &MatrixSearch) -> About {
        let (rule, decomposed) = match &search.state {
            State::Cma(s) => ("cma", s.last_decomposition()),
            State::CrFmNes(_) => ("cr_fm_nes", 0),
        };
        About {
            rule: rule.into(),
            dtype: search.dtype.to_string(),
            seed: search.seed,
            generation: search.generation,
            n: search.n,
            population: search.population,
            bounded: search.bounds.is_some(),
            decomposed,
        }
    }

    /// Rule and type, if words stand for them.
    fn named(&self) -> std::result::Result<(MatrixRule, DType), String> {
        let rule = match &self.rule[..] {
            "cma" => MatrixRule::Cma,
            "cr_fm_nes" => MatrixRule::CrFmNes,
            other => return Err(format!("its rule is {other:?}, which nobody knows")),
        };
        match &self.dtype[..] {
            "float32" => Ok((rule, DType::F32)),
            "float64" => Ok((rule, DType::F64)),
            other => Err(format!(
                "it is in {other:?}, and searches are in float32 or float64"
            )),
        }
    }
}

/// Names of tensors with n numbers, and of those with n by n.
fn names_of(rule: MatrixRule) -> (&'static [&'static str], &'static [&'static str]) {
    match rule {
        MatrixRule::Cma => (&["mean", "path", "shape_path"], &["covariance", "root"]),
        MatrixRule::CrFmNes => (&["mean", "path", "shape_path", "v", "scale"], &[]),
    }
}

/// What is wrong with a search of these tensors, if anything is.
fn fault(
    about: &About,
    rule: MatrixRule,
    dtype: DType,
    tensors: &Tensors,
) -> Result<Option<String>> {
    let (n, population) = (about.n, about.population);
    if n == 0 || population < FEWEST {
        return Ok(Some(format!(
            "it has {population} candidates of {n} numbers"
        )));
    }
    let (rows, squares) = names_of(rule);
    let (one, row, square, pair) = ([], [n], [n, n], [2, n]);
    // few: ten.
    let mut wanted: Vec<(&str, &[usize], DType)> = vec![
        ("sigma", &one, DType::F64),
        ("best_score", &one, DType::F64),
        ("best", &row, dtype),
    ];
    wanted.extend(rows.iter().map(|name| (*name, &row[..], DType::F64)));
    wanted.extend(squares.iter().map(|name| (*name, &square[..], DType::F64)));
    if about.bounded {
        wanted.push(("bounds", &pair, dtype));
    }
    if let Some(what) = misfit(tensors, &wanted) {
        return Ok(Some(what));
    }
    let number = |name: &str| tensors[name].to_scalar::<f64>();
    if let Err(refused) = check(number("sigma")?, population, n, rule) {
        return Ok(Some(refused.to_string()));
    }
    if about.decomposed > about.generation {
        return Ok(Some("its decomposition is from the future".into()));
    }
    if number("best_score")?.is_nan() {
        return Ok(Some("its best score is NaN".into()));
    }
    for name in rows.iter().chain(squares).chain(&["best"]) {
        let proper = match *name {
            "scale" => is_positive,
            _ => f64::is_finite,
        };
        let values = tensors[*name].to_vec::<f64>()?;
        if let Some(j) = values.iter().position(|x| !proper(*x)) {
            return Ok(Some(format!("its {name} has {} at {j}", values[j])));
        }
    }
    match about.bounded {
        true => Ok(unordered(&tensors["bounds"].to_vec::<f64>()?, n)),
        false => Ok(None),
    }
}

impl MatrixSearch {
    /// Writes the search to a file of safetensors, whole or not at all, as [`io::write_file`] does. A search that is loaded goes on with the
    /// same bits on a device like this one, whose products and decompositions round in the same way.
    ///
    /// Errors: [`EvolveError::File`] where the system refuses, [`EvolveError::Checkpoint`] where `path` leads to what is no file, and
    /// [`EvolveError::Engine`] without memory.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{Function, MatrixRule, MatrixSearch};
    ///
    /// let mut search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
    /// search.run(Function::Rosenbrock, 10, None)?;
    /// let path = std::env::temp_dir().join(format!("syntonic-matrix-save-{}", std::process::id()));
    /// search.save(&path)?;
    /// let mut other = MatrixSearch::load(&path, &cpu())?;
    /// for search in [&mut search, &mut other] {
    ///     search.run(Function::Rosenbrock, 10, None)?;
    /// }
    /// assert_eq!(search.mean()?.to_vec::<f64>()?, other.mean()?.to_vec::<f64>()?);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> std::result::Result<(), EvolveError> {
        let (about, tensors) = (About::of(self), self.tensors()?);
        let (rule, dtype) = (self.rule(), self.dtype);
        if let Some(what) = fault(&about, rule, dtype, &tensors)? {
            let what = format!("{what}; hint: such a search finds nothing, begin another");
            return Err(Error::value(SAVE, what).into());
        }
        file::write(path.as_ref(), &FORM, &about, &tensors)
    }

    /// Finds out now whether [`MatrixSearch::save`] could write `path`: a run should not learn at its end that it could not.
    ///
    /// Errors: as [`MatrixSearch::save`].
    ///
    /// ```
    /// use syntonic_srt::evolve::device::MatrixSearch;
    ///
    /// let folder = std::env::temp_dir();
    /// assert!(MatrixSearch::check_save(folder.join("search.safetensors")).is_ok());
    /// assert!(MatrixSearch::check_save(folder.join("no such folder/search")).is_err());
    /// ```
    pub fn check_save(path: impl AsRef<Path>) -> std::result::Result<(), EvolveError> {
        let path = path.as_ref();
        io::check_writable(SAVE, path).map_err(|e| of_core(path, e))
    }

    /// Reads a file that [`MatrixSearch::save`] wrote, wherever that search lived, to go on with it on `device`.
    ///
    /// Errors: [`EvolveError::File`] if it cannot be read; [`EvolveError::Checkpoint`] if it is no checkpoint of such a search, cut
    /// short, damaged, of a version that is not known, or holds what no search has; [`EvolveError::Engine`] without memory for it.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};
    ///
    /// let path = std::env::temp_dir().join(format!("syntonic-matrix-load-{}", std::process::id()));
    /// MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::CrFmNes, 7)?.save(&path)?;
    /// assert_eq!(MatrixSearch::load(&path, &cpu())?.mean()?.to_vec::<f64>()?, [3.0, 4.0]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(
        path: impl AsRef<Path>,
        device: &Arc<dyn Device>,
    ) -> std::result::Result<MatrixSearch, EvolveError> {
        let path = path.as_ref();
        let Found { tensors, about, .. } = file::read(path, &FORM)?;
        let at = |fault: CheckpointFault| fault.at(&path.display().to_string());
        let about =
            serde_json::from_str::<About>(&about).map_err(|e| at(Damaged(e.to_string())))?;
        let (rule, dtype) = about.named().map_err(|what| at(Damaged(what)))?;
        if let Some(what) = fault(&about, rule, dtype, &tensors)? {
            return Err(at(Damaged(what)));
        }
        let there = |name: &str| tensors[name].to(device);
        let state = match rule {
            MatrixRule::Cma => State::Cma(Box::new(Cma::of(
                there,
                about.population,
                about.decomposed,
            )?)),
            MatrixRule::CrFmNes => {
                let s = CrFmNes::of(there, about.population, about.seed)?;
                State::CrFmNes(Box::new(s))
            }
        };
        let bounds = match about.bounded {
            true => {
                let both = there("bounds")?;
                Some([both.select(0, 0)?.copy()?, both.select(0, 1)?.copy()?])
            }
            false => None,
        };
        let mut search = MatrixSearch {
            state,
            dtype,
            population: about.population,
            n: about.n,
            seed: about.seed,
            generation: about.generation,
            bounds,
            best: there("best")?,
            best_score: there("best_score")?,
        };
        let drawn = search.drawn(&search.state, about.generation);
        search.state = drawn.map_err(|e| match e {
            Error::Value { .. } => at(Damaged(e.to_string())),
            e => e.into(),
        })?;
        Ok(search)
    }

    /// [`MatrixSearch::run`] that saves the search to `path` whenever the number of its generations is a multiple of `every`, and at its end;
    /// 0 is at its end alone. A process that is killed goes on from there: load the file, and run the rest.
    ///
    /// Errors: as [`MatrixSearch::run`], whose finished generations are then saved if they can be, and as [`MatrixSearch::save`]. A path that
    /// cannot be written is found before the first generation.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{Function, MatrixRule, MatrixSearch};
    ///
    /// let path = std::env::temp_dir().join(format!("syntonic-matrix-run-{}", std::process::id()));
    /// let mut search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
    /// search.run_saving(Function::Sphere, 20, None, &path, 10)?;
    /// assert_eq!(MatrixSearch::load(&path, &cpu())?.generation(), 20);
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
        MatrixSearch::check_save(path)?;
        file::run_saving(self, function, (generations, target), path, every)
    }

    fn rule(&self) -> MatrixRule {
        match &self.state {
            State::Cma(_) => MatrixRule::Cma,
            State::CrFmNes(_) => MatrixRule::CrFmNes,
        }
    }

    /// What goes into a file, in memory of the host.
    fn tensors(&self) -> Result<Tensors> {
        let here = cpu();
        let mut tensors = Tensors::new();
        let mut add = |name: &str, t: &Tensor| -> Result<()> {
            tensors.insert(name.into(), t.to(&here)?);
            Ok(())
        };
        match &self.state {
            State::Cma(s) => s
                .kept()
                .into_iter()
                .try_for_each(|(name, t)| add(name, t))?,
            State::CrFmNes(s) => s
                .kept()
                .into_iter()
                .try_for_each(|(name, t)| add(name, t))?,
        }
        add("best", &self.best)?;
        add("best_score", &self.best_score)?;
        if let Some(both) = &self.bounds {
            add("bounds", &Tensor::stack(&both.each_ref(), 0)?.eval()?)?;
        }
        Ok(tensors)
    }
}

impl Saving for MatrixSearch {
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
