//! CMA-ES and CR-FM-NES on the device of their start.

use super::device_search::{FUNCTIONS, run_of};
use super::evolve;
use super::exclusive::Exclusive;
use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::raise;
use crate::operand::{self, Operand};
use crate::state::State;
use pyo3::prelude::*;
use std::path::PathBuf;
use syntonic_core::Error;
use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};

const OP: &str = "DeviceSearch";
/// Every rule by name, of which those without a value are another class's.
const RULES: [(&str, Option<MatrixRule>); 7] = [
    ("res", None),
    ("separable", None),
    ("separable_cma", None),
    ("snes", None),
    ("openai", None),
    ("cma", Some(MatrixRule::Cma)),
    ("cr_fm_nes", Some(MatrixRule::CrFmNes)),
];
/// Work of so many elements that the interpreter is released.
const LONG: usize = usize::MAX;

/// A minimisation by tensor operations, whose state is on the device of its start.
#[pyclass(frozen, name = "MatrixSearch", module = "syntonic._core")]
pub(crate) struct PyMatrixSearch(Exclusive<MatrixSearch>);

#[pymethods]
impl PyMatrixSearch {
    #[new]
    fn new(
        x0: &Bound<'_, PyAny>,
        sigma: &Bound<'_, PyAny>,
        population: &Bound<'_, PyAny>,
        rule: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
    ) -> PyResult<PyMatrixSearch> {
        let start = operand::tensor(x0)?;
        let sigma = parameter(OP, "sigma").real(sigma)?;
        let population = parameter(OP, "population").size(population)?;
        let rule = parameter(OP, "rule").word(rule, &RULES)?;
        let seed = parameter(OP, "seed").integer::<u64>(seed)?;
        enter(x0.py(), LONG, || {
            let rule = rule.ok_or_else(|| Error::value(OP, "no rule of this class"))?;
            MatrixSearch::new(&start, sigma, population, rule, seed)
        })
        .map(PyMatrixSearch::of)
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.0
            .work(py, |search| search.save(path))?
            .map_err(evolve::raise)
    }

    /// Raises what `save` would raise for this path, as far as it can be known before.
    #[staticmethod]
    fn check_save(py: Python<'_>, path: PathBuf) -> PyResult<()> {
        evolve::long(py, || MatrixSearch::check_save(path))
    }

    /// Scores a generation by a function of this name, and learns from it: the scores.
    fn step(&self, py: Python<'_>, function: &Bound<'_, PyAny>) -> PyResult<State> {
        let function = parameter(OP, "function").word(function, &FUNCTIONS)?;
        Ok(self.work(py, |search| search.step(function))?.into())
    }

    /// Runs generations of a function of this name: the best score of each.
    fn run_named(
        &self,
        py: Python<'_>,
        function: &Bound<'_, PyAny>,
        generations: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
    ) -> PyResult<State> {
        let (function, generations, target) = run_of(function, generations, target)?;
        Ok(self
            .work(py, |search| search.run(function, generations, target))?
            .history
            .into())
    }

    /// Keeps candidates between two bounds.
    fn bound(
        &self,
        py: Python<'_>,
        least: &Bound<'_, PyAny>,
        most: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let there = self.0.look(py)?.device().clone();
        let least = Operand::from_any(least)?.into_tensor_on(&there)?;
        let most = Operand::from_any(most)?.into_tensor_on(&there)?;
        self.work(py, |search| {
            *search = search.clone().bounded(&least, &most)?;
            Ok(())
        })
    }

    /// The best candidate so far, and its score.
    fn best(&self, py: Python<'_>) -> PyResult<(State, State)> {
        let (x, score) = self.work(py, |search| search.best())?;
        Ok((x.into(), score.into()))
    }

    /// The next generation's candidates from one place up to another.
    fn candidates(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        stop: &Bound<'_, PyAny>,
    ) -> PyResult<State> {
        let from = parameter("candidates", "start").size(start)?;
        let to = match stop.is_none() {
            true => self.population(py)?,
            false => parameter("candidates", "stop").size(stop)?,
        };
        Ok(self.work(py, |search| search.candidates(from, to))?.into())
    }

    /// Learns from the values of the generation's candidates.
    fn tell(&self, py: Python<'_>, scores: &Bound<'_, PyAny>) -> PyResult<()> {
        let there = self.0.look(py)?.device().clone();
        let scores = Operand::from_any(scores)?.into_tensor_on(&there)?;
        self.work(py, |search| search.tell(&scores))?;
        Ok(())
    }

    #[getter]
    fn mean(&self, py: Python<'_>) -> PyResult<State> {
        Ok(self.work(py, |search| search.mean())?.into())
    }

    #[getter]
    fn deviation(&self, py: Python<'_>) -> PyResult<State> {
        Ok(self.work(py, |search| search.deviation())?.into())
    }

    #[getter]
    fn generation(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.0.look(py)?.generation())
    }

    #[getter]
    fn population(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.look(py)?.population())
    }
}

impl PyMatrixSearch {
    pub(super) fn of(search: MatrixSearch) -> PyMatrixSearch {
        PyMatrixSearch(Exclusive::new(OP, search))
    }

    /// Works with the search, without the interpreter.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut MatrixSearch) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.0.work(py, work)?.map_err(raise)
    }
}
