//! A search that lives where its start does.

use super::evolve::{self, long};
use super::exclusive::Exclusive;
use super::matrix_search::PyMatrixSearch;
use crate::arguments::parameter;
use crate::device;
use crate::enter::enter;
use crate::errors::raise;
use crate::graph;
use crate::group::PyGroup;
use crate::operand::{self, Operand};
use crate::state::State;
use pyo3::prelude::*;
use std::path::PathBuf;
use syntonic_core::{Error, Tensor, room};
use syntonic_srt::evolve::device::{
    CapturedGeneration, DeviceSearch, Function, MatrixSearch, Rule,
};
use syntonic_srt::evolve::{CheckpointFault, EvolveError, Restarts};

/// The functions with kernels of their own.
pub(super) const FUNCTIONS: [(&str, Function); 7] = [
    ("sphere", Function::Sphere),
    ("ellipsoid", Function::Ellipsoid),
    ("cigar", Function::Cigar),
    ("discus", Function::Discus),
    ("rastrigin", Function::Rastrigin),
    ("ackley", Function::Ackley),
    ("rosenbrock", Function::Rosenbrock),
];

/// Work of so many elements that the interpreter is released.
const LONG: usize = usize::MAX;

/// A minimisation whose state is on the device of its start.
#[pyclass(frozen, name = "DeviceSearch", module = "syntonic._core")]
pub(crate) struct PyDeviceSearch(Exclusive<DeviceSearch>);

#[pymethods]
impl PyDeviceSearch {
    #[new]
    fn new(
        x0: &Bound<'_, PyAny>,
        sigma: &Bound<'_, PyAny>,
        population: &Bound<'_, PyAny>,
        rule: &Bound<'_, PyAny>,
        rate: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
    ) -> PyResult<PyDeviceSearch> {
        const OP: &str = "DeviceSearch";
        let start = operand::tensor(x0)?;
        let sigma = parameter(OP, "sigma").real(sigma)?;
        let population = parameter(OP, "population").size(population)?;
        let rate = parameter(OP, "learning_rate").real(rate)?;
        let rules = [
            ("res", Rule::Res),
            ("separable", Rule::Separable),
            ("separable_cma", Rule::SeparableCma),
            ("snes", Rule::Snes),
            ("openai", Rule::OpenAi { rate }),
        ];
        let rule = parameter(OP, "rule").word(rule, &rules)?;
        let seed = parameter(OP, "seed").integer::<u64>(seed)?;
        let work = || DeviceSearch::new(&start, sigma, population, rule, seed);
        enter(x0.py(), start.numel(), work)
            .map(|search| PyDeviceSearch(Exclusive::new("DeviceSearch", search)))
    }

    /// The search that `save` wrote, on this device: of this class, or of the other.
    #[staticmethod]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        device: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let device = device::parse(py, device)?;
        let refused = match long(py, || match DeviceSearch::load(&path, &device) {
            Err(
                refused @ EvolveError::Checkpoint {
                    fault: CheckpointFault::Foreign(_),
                    ..
                },
            ) => Ok(Err(refused)),
            loaded => loaded.map(Ok),
        })? {
            Ok(search) => {
                let search = PyDeviceSearch(Exclusive::new("DeviceSearch", search));
                return Ok(Py::new(py, search)?.into_any());
            }
            Err(refused) => refused,
        };
        // A file that neither class knows is told as this one sees it.
        let search = long(py, || match MatrixSearch::load(&path, &device) {
            Err(EvolveError::Checkpoint {
                fault: CheckpointFault::Foreign(_),
                ..
            }) => Err(refused),
            loaded => loaded,
        })?;
        Ok(Py::new(py, PyMatrixSearch::of(search))?.into_any())
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.0
            .work(py, |search| search.save(path))?
            .map_err(evolve::raise)
    }

    /// Raises what `save` would raise for this path, as far as it can be known before.
    #[staticmethod]
    fn check_save(py: Python<'_>, path: PathBuf) -> PyResult<()> {
        long(py, || DeviceSearch::check_save(path))
    }

    /// Chooses whether attempts follow each other.
    fn restarting(&self, py: Python<'_>, restarts: &Bound<'_, PyAny>) -> PyResult<()> {
        let words = [("off", Restarts::Off), ("growing", Restarts::Growing)];
        let restarts = parameter("DeviceSearch", "restarts").word(restarts, &words)?;
        self.work(py, |search| {
            *search = search.clone().restarting(restarts)?;
            Ok(())
        })
    }

    /// Begins another attempt where the present one is over; says whether it did.
    fn restart(&self, py: Python<'_>) -> PyResult<bool> {
        self.work(py, DeviceSearch::restart)
    }

    /// Numbers of generations, and the best score of each.
    fn history(&self, py: Python<'_>) -> PyResult<(State, State)> {
        let (numbers, scores) = self.work(py, |search| {
            let (numbers, scores) = search.history()?;
            let numbers: Vec<i64> = room::collected(numbers.into_iter().map(|k| k as i64))?;
            let shape = [numbers.len()];
            Ok((
                Tensor::from_vec(numbers, &shape)?.to(scores.device())?,
                scores,
            ))
        })?;
        Ok((numbers.into(), scores.into()))
    }

    /// Scores a generation by a function of this name, and learns from it: the scores.
    fn step(&self, py: Python<'_>, function: &Bound<'_, PyAny>) -> PyResult<State> {
        let function = parameter("DeviceSearch", "function").word(function, &FUNCTIONS)?;
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

    /// Runs generations of a function of this name with the other ranks of a group: the best score of each.
    fn run_shared(
        &self,
        py: Python<'_>,
        group: &PyGroup,
        function: &Bound<'_, PyAny>,
        generations: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
    ) -> PyResult<State> {
        let (function, generations, target) = run_of(function, generations, target)?;
        let group = group.open()?;
        Ok(self
            .work(py, |search| {
                search.run_in(&*group, function, generations, target)
            })?
            .history
            .into())
    }

    /// Captures a generation of an objective that is work on States.
    fn capture(
        &self,
        py: Python<'_>,
        objective: Py<PyAny>,
        chunk: &Bound<'_, PyAny>,
    ) -> PyResult<PyCapturedGeneration> {
        let chunk = match chunk.is_none() {
            true => None,
            false => Some(parameter("DeviceSearch", "chunk").size(chunk)?),
        };
        // The objective may ask the search.
        let search = self.0.look(py)?.clone();
        let mut raised = None;
        let captured = enter(py, LONG, || {
            search.capture(chunk, |x| {
                Python::attach(|py| graph::value(py, &objective, x)).map_err(|exception| {
                    raised = Some(exception);
                    Error::value("capture", "the objective raised an exception")
                })
            })
        });
        match raised {
            Some(exception) => Err(exception),
            None => Ok(PyCapturedGeneration(captured?)),
        }
    }

    /// Runs a captured generation: its best score.
    fn replay(&self, py: Python<'_>, generation: &PyCapturedGeneration) -> PyResult<State> {
        Ok(self.work(py, |search| search.replay(&generation.0))?.into())
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

    /// Attempts before the present one.
    #[getter]
    fn restarts(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.0.look(py)?.restarts())
    }

    #[getter]
    fn population(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.look(py)?.population())
    }
}

/// A generation that was captured.
#[pyclass(frozen, name = "CapturedGeneration", module = "syntonic._core")]
pub(crate) struct PyCapturedGeneration(CapturedGeneration);

/// What a run is asked for.
pub(super) fn run_of(
    function: &Bound<'_, PyAny>,
    generations: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
) -> PyResult<(Function, u64, Option<f64>)> {
    const OP: &str = "DeviceSearch";
    let function = parameter(OP, "function").word(function, &FUNCTIONS)?;
    let generations = parameter(OP, "generations").integer::<u64>(generations)?;
    let target = match target.is_none() {
        true => None,
        false => Some(parameter(OP, "target").real(target)?),
    };
    Ok((function, generations, target))
}

impl PyDeviceSearch {
    /// Works with the search, without the interpreter.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut DeviceSearch) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.0.work(py, work)?.map_err(raise)
    }
}
