//! RES: the evolution strategy, one call at a time. The loop around it is Python's.

use crate::arguments::{Parameter, parameter};
use crate::enter::enter;
use crate::errors::{Class, error, os_error};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use syntonic_core::{Error, Tensor};
use syntonic_srt::evolve::{
    EvolveError, Goal, Limits, Record, Res, ResConfig, Sampling, Shape, Stagnation, Strategy,
    Survivors, SyntonyWeight,
};

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

fn raise(e: EvolveError) -> PyErr {
    match &e {
        EvolveError::File { path, source } => os_error(source, &path.to_string_lossy()),
        EvolveError::FullTooLarge { n, limit } => error(
            Class::Argument,
            format!(
                "RES: a full matrix for {n} unknowns; strategy=\"full\" goes up to {limit}, use strategy=\"separable\""
            ),
        ),
        EvolveError::Format(_) | EvolveError::Damaged(_) => error(Class::File, e.to_string()),
        _ => error(Class::Argument, e.to_string()),
    }
}

/// What a keyword of the configuration holds, or `None` where it is absent or None.
fn option<T>(
    options: &Bound<'_, PyDict>,
    name: &'static str,
    read: impl FnOnce(Parameter, &Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    match options.get_item(name)? {
        Some(value) if !value.is_none() => read(parameter("RES", name), &value).map(Some),
        _ => Ok(None),
    }
}

fn real(options: &Bound<'_, PyDict>, name: &'static str) -> PyResult<Option<f64>> {
    option(options, name, |named, value| named.real(value))
}

fn size(options: &Bound<'_, PyDict>, name: &'static str) -> PyResult<Option<usize>> {
    option(options, name, |named, value| named.size(value))
}

fn word<T: Copy>(
    options: &Bound<'_, PyDict>,
    name: &'static str,
    words: &[(&str, T)],
) -> PyResult<Option<T>> {
    option(options, name, |named, value| named.word(value, words))
}

fn config(options: &Bound<'_, PyDict>) -> PyResult<ResConfig> {
    let mut config = ResConfig::new();
    let goals = [
        ("minimise", Goal::Minimise),
        ("maximise", Goal::Maximise),
        ("minimize", Goal::Minimise),
        ("maximize", Goal::Maximise),
    ];
    config.goal = word(options, "goal", &goals)?.unwrap_or_default();
    let seed = option(options, "seed", crate::random::word)?;
    config.seed = seed.unwrap_or(config.seed);
    config.sigma = real(options, "sigma")?.unwrap_or(config.sigma);
    config.sigma_floor = real(options, "sigma_floor")?.unwrap_or(config.sigma_floor);
    config.population = size(options, "population")?;
    config.survivors = match (size(options, "survivors")?, real(options, "prefilter")?) {
        (Some(count), None) => Survivors::Count(count),
        (None, Some(part)) => Survivors::Fraction(part),
        (None, None) => Survivors::All,
        _ => {
            return Err(error(
                Class::Argument,
                "RES: survivors and prefilter say the same thing; give one",
            ));
        }
    };
    let samplings = [
        ("antithetic", Sampling::Antithetic),
        ("independent", Sampling::Independent),
    ];
    config.sampling = word(options, "sampling", &samplings)?.unwrap_or_default();
    let strategies = [
        ("auto", Strategy::Recombine(Shape::Auto)),
        ("isotropic", Strategy::Recombine(Shape::Isotropic)),
        ("separable", Strategy::Recombine(Shape::Separable)),
        ("full", Strategy::Recombine(Shape::Full)),
        ("elitist", Strategy::Elitist),
    ];
    config.strategy = word(options, "strategy", &strategies)?.unwrap_or_default();
    config.syntony = match (
        real(options, "syntony_weight")?,
        real(options, "syntony_spread")?,
    ) {
        (Some(weight), None) => SyntonyWeight::Absolute(weight),
        (None, Some(spread)) => SyntonyWeight::Spread(spread),
        (None, None) => SyntonyWeight::Off,
        _ => {
            return Err(error(
                Class::Argument,
                "RES: syntony_weight and syntony_spread exclude each other; give one",
            ));
        }
    };
    config.mode_norms = match options.get_item("mode_norms")? {
        Some(norms) if !norms.is_none() => Some(vector(&norms, "mode_norms")?),
        _ => None,
    };
    Ok(config)
}

/// Real numbers of one axis.
fn vector(obj: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<f64>> {
    let t = operand::tensor(obj)?;
    if t.dtype().is_complex() {
        return Err(error(
            Class::DType,
            format!("RES: {name} is {}; it must be real", t.describe()),
        ));
    }
    if t.ndim() != 1 {
        return Err(error(
            Class::Shape,
            format!("RES: {name} is {}; it must have one axis", t.describe()),
        ));
    }
    enter(obj.py(), t.numel(), || t.to_vec::<f64>())
}

/// A search under way.
#[pyclass(frozen, name = "Res", module = "syntonic._core")]
pub(crate) struct PyRes(Mutex<Res>);

impl PyRes {
    fn lock(&self) -> MutexGuard<'_, Res> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record<'py>(py: Python<'py>, r: &Record) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("generation", r.generation)?;
    out.set_item("evaluations", r.evaluations)?;
    out.set_item("best", r.best)?;
    out.set_item("mean", r.mean)?;
    out.set_item("sigma", r.sigma)?;
    out.set_item("syntony", r.syntony)?;
    out.set_item("nan", r.nan)?;
    Ok(out)
}

#[pymethods]
impl PyRes {
    /// A search from `x0` with the options of `syntonic.evolve.RES`.
    #[new]
    fn new(x0: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<PyRes> {
        let start = vector(x0, "x0")?;
        Ok(PyRes(Mutex::new(
            Res::new(&start, config(options)?).map_err(raise)?,
        )))
    }

    /// The search that `to_json` wrote.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<PyRes> {
        Ok(PyRes(Mutex::new(Res::from_json(text).map_err(raise)?)))
    }

    /// The search that `save` wrote.
    #[staticmethod]
    fn load(path: std::path::PathBuf) -> PyResult<PyRes> {
        Ok(PyRes(Mutex::new(Res::load(path).map_err(raise)?)))
    }

    fn to_json(&self) -> PyResult<String> {
        self.lock().to_json().map_err(raise)
    }

    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        self.lock().save(path).map_err(raise)
    }

    /// The next candidates, [K, n].
    fn ask(&self, py: Python<'_>) -> PyResult<State> {
        let candidates = enter(py, usize::MAX, || {
            let mut search = self.lock();
            let population = search.ask();
            Tensor::from_slice(
                population.as_slice(),
                &[population.rows(), population.cols()],
            )
        });
        Ok(candidates?.into())
    }

    /// Takes the values of the candidates.
    fn tell(&self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let values = vector(values, "values")?;
        enter(py, usize::MAX, || Ok::<_, Error>(self.lock().tell(&values)))?.map_err(raise)
    }

    /// Sets when a run ends.
    #[pyo3(signature = (generations=None, evaluations=None, seconds=None, target=None, stagnation=None, patient=false))]
    fn set_limits(
        &self,
        generations: Object<'_, '_>,
        evaluations: Object<'_, '_>,
        seconds: Object<'_, '_>,
        target: Object<'_, '_>,
        stagnation: Object<'_, '_>,
        patient: bool,
    ) -> PyResult<()> {
        let count = |name, given: Object<'_, '_>| {
            let read = |given| parameter("run", name).size(given).map(|n| n as u64);
            given.map(read).transpose()
        };
        let number = |name, given: Object<'_, '_>| {
            let read = |given| parameter("run", name).real(given);
            given.map(read).transpose()
        };
        let generations = count("generations", generations)?;
        let evaluations = count("evaluations", evaluations)?;
        let (seconds, target) = (number("seconds", seconds)?, number("target", target)?);
        let stagnation = count("stagnation", stagnation)?;
        let stagnation = match stagnation {
            _ if patient => Stagnation::Off,
            Some(count) => Stagnation::Generations(count),
            None => Stagnation::Auto,
        };
        let limits = Limits {
            generations,
            evaluations,
            seconds,
            target,
            stagnation,
        };
        self.lock().set_limits(limits).map_err(raise)
    }

    /// The stopping rule that holds after these seconds, if any.
    fn finished(&self, elapsed: f64) -> Option<String> {
        let elapsed = Duration::try_from_secs_f64(elapsed).unwrap_or_default();
        let reason = self.lock().finished(elapsed)?;
        Some(format!("{reason:?}").to_lowercase())
    }

    #[getter]
    fn dimension(&self) -> usize {
        self.lock().dimension()
    }

    #[getter]
    fn generation(&self) -> u64 {
        self.lock().generation()
    }

    #[getter]
    fn evaluations(&self) -> u64 {
        self.lock().evaluations()
    }

    #[getter]
    fn sigma(&self) -> f64 {
        self.lock().sigma()
    }

    #[getter]
    fn centre(&self) -> PyResult<State> {
        let search = self.lock();
        row(search.centre())
    }

    #[getter]
    fn best(&self) -> PyResult<Option<State>> {
        self.lock().best().map(row).transpose()
    }

    #[getter]
    fn best_value(&self) -> Option<f64> {
        self.lock().best_value()
    }

    /// Every generation so far.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let records = self.lock().history().to_vec();
        records.iter().map(|r| record(py, r)).collect()
    }

    /// The latest generation.
    fn latest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let latest = self.lock().history().last().cloned();
        latest.map(|r| record(py, &r)).transpose()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class = py.get_type::<PyRes>();
        Ok((class.getattr("from_json")?, (self.to_json()?,)))
    }
}

fn row(x: &[f64]) -> PyResult<State> {
    let t = Tensor::from_slice(x, &[x.len()]).map_err(crate::errors::raise)?;
    Ok(t.into())
}
