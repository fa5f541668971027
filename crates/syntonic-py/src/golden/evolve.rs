//! RES: the evolution strategy, one call at a time. The loop around it is Python's.

use super::exclusive::Exclusive;
use super::placed::{Placed, Values, there};
use super::res_options::{config, described, rows, vector};
use crate::arguments::parameter;
use crate::device::{self, PyDevice};
use crate::enter::{Turns, enter};
use crate::errors::{Class, error, os_error};
use crate::memory::made;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use std::sync::Arc;
use std::time::Duration;
use syntonic_core::{Device, Error, Tensor};
use syntonic_srt::evolve::{EvolveError, Limits, Record, Res, Stagnation, Tolerance};

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

pub(super) fn raise(e: EvolveError) -> PyErr {
    match e {
        EvolveError::Engine(e) => crate::errors::raise(e),
        EvolveError::File { path, source } => os_error(&source, &path.to_string_lossy()),
        EvolveError::FullTooLarge { n, limit } => error(
            Class::Argument,
            format!(
                "RES: a full matrix for {n} unknowns; strategy=\"full\" goes up to {limit}, use strategy=\"low_rank\" or strategy=\"separable\""
            ),
        ),
        EvolveError::Ignored {
            option: option @ "handling of noise",
            ..
        } => error(
            Class::Argument,
            format!(
                "RES: {option} with strategy=\"elitist\", whose parent may be a lucky one for ever; hint: take another strategy, or noise=\"off\""
            ),
        ),
        EvolveError::Ignored {
            option: option @ "a step size for each coordinate",
            strategy,
            ..
        } => error(
            Class::Argument,
            format!(
                "RES: {option} with strategy={strategy:?}, which would not look at it; hint: give one sigma, or take strategy=\"separable\", \"full\" or \"low_rank\""
            ),
        ),
        EvolveError::Checkpoint { .. } => error(Class::File, e.to_string()),
        other => error(Class::Argument, other.to_string()),
    }
}

/// Work without the interpreter.
pub(super) fn long<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, EvolveError> + Send,
) -> PyResult<T> {
    enter(py, usize::MAX, || Ok::<_, Error>(work()))?.map_err(raise)
}

/// The device that was asked for, if one was.
fn place(py: Python<'_>, device: Object<'_, '_>) -> PyResult<Option<Arc<dyn Device>>> {
    match device {
        Some(given) if !given.is_none() => device::parse(py, Some(given)).map(Some),
        _ => Ok(None),
    }
}

/// Whether this is Python's False itself, which takes a limit away; 0 is a number.
fn is_false(given: &Bound<'_, PyAny>) -> bool {
    given.cast::<PyBool>().is_ok_and(|b| !b.is_true())
}

/// A search under way.
#[pyclass(frozen, name = "Res", module = "syntonic._core")]
pub(crate) struct PyRes(Exclusive<Placed>);

impl PyRes {
    fn of(search: Placed) -> PyRes {
        PyRes(Exclusive::new("RES", search))
    }

    /// Works with the search, without the interpreter.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Placed) -> Result<T, EvolveError> + Send,
    ) -> PyResult<T> {
        self.0.work(py, work)?.map_err(raise)
    }
}

fn record<'py>(py: Python<'py>, r: &Record) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("generation", r.generation)?;
    out.set_item("evaluations", r.evaluations)?;
    out.set_item("best", r.best)?;
    out.set_item("mean", r.mean)?;
    out.set_item("median", r.median)?;
    out.set_item("sigma", r.sigma)?;
    out.set_item("deviation_ratio", r.deviation_ratio)?;
    out.set_item("syntony", r.syntony)?;
    out.set_item("nan", r.nan)?;
    Ok(out)
}

#[pymethods]
impl PyRes {
    /// A search from `x0` with the options of `syntonic.evolve.RES`, on a device if one is given.
    #[new]
    #[pyo3(signature = (x0, options, device=None))]
    fn new(
        x0: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        device: Object<'_, '_>,
    ) -> PyResult<PyRes> {
        let device = place(x0.py(), device)?;
        let start = vector(x0, "x0")?;
        let mut config = config(options, start.len())?;
        if device.is_some() {
            config = there(config);
        }
        let made = enter(x0.py(), start.len(), || {
            Ok(Res::new(&start, config).and_then(|search| Placed::of(search, device.as_ref())))
        })?;
        Ok(PyRes::of(made.map_err(raise)?))
    }

    /// The search that `to_json` wrote.
    #[staticmethod]
    #[pyo3(signature = (text, device=None))]
    fn from_json(py: Python<'_>, text: &str, device: Object<'_, '_>) -> PyResult<PyRes> {
        let device = place(py, device)?;
        let read = || Placed::of(Res::from_json(text)?, device.as_ref());
        Ok(PyRes::of(long(py, read)?))
    }

    /// The search that `save` wrote.
    #[staticmethod]
    #[pyo3(signature = (path, device=None))]
    fn load(py: Python<'_>, path: std::path::PathBuf, device: Object<'_, '_>) -> PyResult<PyRes> {
        let device = place(py, device)?;
        let read = || Placed::of(Res::load(path)?, device.as_ref());
        Ok(PyRes::of(long(py, read)?))
    }

    /// The device that was asked for.
    #[getter]
    fn device(&self, py: Python<'_>) -> PyResult<Option<PyDevice>> {
        let search = self.0.look(py)?;
        Ok(search.device().map(|device| PyDevice(device.id())))
    }

    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        made::text(py, &self.work(py, |search| search.whole()?.to_json())?)
    }

    fn save(&self, py: Python<'_>, path: std::path::PathBuf) -> PyResult<()> {
        self.work(py, |search| search.whole()?.save(path))
    }

    /// Raises what `save` would raise for this path, as far as it can be known before.
    #[staticmethod]
    fn check_save(py: Python<'_>, path: std::path::PathBuf) -> PyResult<()> {
        long(py, || Res::check_save(path))
    }

    /// The next candidates, [K, n].
    fn ask(&self, py: Python<'_>) -> PyResult<State> {
        Ok(self.work(py, Placed::ask)?.into())
    }

    /// Takes the values of the candidates, or of points `[K, n]` in their place.
    #[pyo3(signature = (values, x=None))]
    fn tell(&self, py: Python<'_>, values: &Bound<'_, PyAny>, x: Object<'_, '_>) -> PyResult<()> {
        if let Some(x) = x {
            let points = rows(x, "x", self.dimension(py)?)?;
            let values = vector(values, "values")?;
            return self.work(py, |search| search.tell_points(&points, &values));
        }
        let device = self.0.look(py)?.device().cloned();
        let values = Values::read(values, device.as_ref())?;
        self.work(py, |search| search.tell(&values))
    }

    /// Puts a point among the candidates of the next generation that is asked for.
    fn inject(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<()> {
        let x = vector(x, "the injected point")?;
        self.work(py, |search| search.inject(&x))
    }

    /// What the search was made with, and what that comes to now.
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = described(py, &*self.0.look(py)?)?;
        options.set_item("device", self.device(py)?)?;
        Ok(options)
    }

    /// The covariance of the candidates.
    fn covariance(&self, py: Python<'_>) -> PyResult<State> {
        let covariance = self.work(py, |search| {
            let search = search.whole()?;
            let n = search.dimension();
            Ok(Tensor::from_slice(&search.covariance()?, &[n, n])?)
        })?;
        Ok(covariance.into())
    }

    /// The deviation of each coordinate.
    fn deviations(&self, py: Python<'_>) -> PyResult<State> {
        row(&self.work(py, |search| search.deviations())?)
    }

    /// The longest axis over the shortest one.
    fn axis_ratio(&self, py: Python<'_>) -> PyResult<f64> {
        self.work(py, |search| search.whole()?.axis_ratio())
    }

    /// Sets when a run ends.
    #[pyo3(signature = (generations=None, evaluations=None, seconds=None, target=None, stagnation=None, tolfun=None, tolx=None))]
    #[allow(
        clippy::too_many_arguments,
        reason = "the keywords of Python's function"
    )]
    fn set_limits(
        &self,
        py: Python<'_>,
        generations: Object<'_, '_>,
        evaluations: Object<'_, '_>,
        seconds: Object<'_, '_>,
        target: Object<'_, '_>,
        stagnation: Object<'_, '_>,
        tolfun: Object<'_, '_>,
        tolx: Object<'_, '_>,
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
        let off = |given: Object<'_, '_>| given.is_some_and(is_false);
        let stagnation = match off(stagnation) {
            true => Stagnation::Off,
            false => {
                count("stagnation", stagnation)?.map_or(Stagnation::Auto, Stagnation::Generations)
            }
        };
        let tolerance = |name, given| match off(given) {
            true => Ok(Tolerance::Off),
            false => PyResult::Ok(number(name, given)?.map_or(Tolerance::Auto, Tolerance::Below)),
        };
        let limits = Limits {
            generations,
            evaluations,
            seconds,
            target,
            stagnation,
            tolfun: tolerance("tolfun", tolfun)?,
            tolx: tolerance("tolx", tolx)?,
        };
        self.0.look(py)?.set_limits(limits).map_err(raise)
    }

    /// The stopping rule that holds after these seconds, if any.
    fn finished(&self, py: Python<'_>, elapsed: f64) -> PyResult<Option<String>> {
        let elapsed = Duration::try_from_secs_f64(elapsed).unwrap_or_default();
        let reason = self.0.look(py)?.finished(elapsed);
        Ok(reason.map(|reason| format!("{reason:?}").to_lowercase()))
    }

    /// Begins another attempt where the configuration wants one; says whether it did.
    fn restart(&self, py: Python<'_>) -> PyResult<bool> {
        self.work(py, Placed::restart)
    }

    /// Attempts before the present one.
    #[getter]
    fn restarts(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.0.look(py)?.restarts())
    }

    /// Evaluations of a candidate in the next generation.
    #[getter]
    fn repeats(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.look(py)?.repeats())
    }

    #[getter]
    fn dimension(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.look(py)?.dimension())
    }

    #[getter]
    fn generation(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.0.look(py)?.generation())
    }

    #[getter]
    fn evaluations(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.0.look(py)?.evaluations())
    }

    #[getter]
    fn sigma(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.0.look(py)?.sigma())
    }

    #[getter]
    fn centre(&self, py: Python<'_>) -> PyResult<State> {
        row(self.0.look(py)?.centre())
    }

    #[getter]
    fn best(&self, py: Python<'_>) -> PyResult<Option<State>> {
        self.0.look(py)?.best().map(row).transpose()
    }

    #[getter]
    fn best_value(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(self.0.look(py)?.best_value())
    }

    /// Every generation so far.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let records = made::vector(self.0.look(py)?.history().iter().cloned())?;
        made::list(py, records.len(), &mut Turns::new(), |k, _| {
            Ok(record(py, &records[k])?.into_any())
        })
    }

    /// The latest generation.
    fn latest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let latest = self.0.look(py)?.history().last().cloned();
        latest.map(|r| record(py, &r)).transpose()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Saved<'py>)> {
        let class = py.get_type::<PyRes>();
        let device = self
            .0
            .look(py)?
            .device()
            .map(|device| device.id().to_string());
        Ok((class.getattr("from_json")?, (self.to_json(py)?, device)))
    }
}

/// A search as text, and its device.
type Saved<'py> = (Bound<'py, PyString>, Option<String>);

fn row(x: &[f64]) -> PyResult<State> {
    let t = Tensor::from_slice(x, &[x.len()]).map_err(crate::errors::raise)?;
    Ok(t.into())
}
