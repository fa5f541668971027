//! Ready workloads: the service of a GPU is one choice more, where the others come from the engine.

use super::{LONG, Picked, PyAdvice};
use crate::arguments::parameter;
use crate::device::parse;
use crate::enter::enter;
use crate::errors::{Class, error};
use crate::operand;
use crate::service::numbers;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;
use syntonic_core::advisor::{Advisor, Chosen, Runner, Workload, precision_of};
use syntonic_core::fork::Turn;
use syntonic_core::ops::linalg::Precision;
use syntonic_core::{DeviceId, Error, Tensor};
use syntonic_cuda::service::{Beliefs, Linear, Service, Settings, Steps};
use syntonic_srt::advice::{Belief, Energy, Evidence, Observed};
use syntonic_srt::infer::{Model, Prior};

/// A picked choice that takes arguments of Python.
pub(super) trait Ready: Send + Sync {
    /// One request.
    fn call<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>>;
}

/// A runner with its way from Python and back.
struct Typed<I, O> {
    runner: Turn<Runner<'static, I, O>>,
    from: fn(&Bound<'_, PyTuple>) -> PyResult<I>,
    to: fn(Python<'_>, O) -> PyResult<Bound<'_, PyAny>>,
}

impl<I: Send + Sync, O: Send> Ready for Typed<I, O> {
    fn call<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let input = (self.from)(arguments)?;
        // Without the interpreter: another thread may have the runner, and need it to look for signals.
        let made = enter(py, LONG, || {
            let mut runner = self.runner.take("advise", "what was picked")?;
            runner.run(&input)
        })?;
        (self.to)(py, made)
    }
}

/// Chooses with the interpreter released.
fn choose<I: Send + Sync, O: Send>(
    py: Python<'_>,
    advisor: &Advisor,
    workload: impl FnOnce() -> Result<Workload<'static, I, O>, Error> + Send,
    sample: &I,
) -> PyResult<Chosen<'static, I, O>> {
    enter(py, LONG, || advisor.choose(workload()?, sample))
}

fn advice<I: Send + Sync + 'static, O: Send + 'static>(
    chosen: Chosen<'static, I, O>,
    precision: Option<String>,
    from: fn(&Bound<'_, PyTuple>) -> PyResult<I>,
    to: fn(Python<'_>, O) -> PyResult<Bound<'_, PyAny>>,
) -> PyAdvice {
    PyAdvice {
        advice: chosen.advice.clone(),
        precision,
        picked: Picked::Ready(Box::new(Typed {
            runner: Turn::new(chosen.into_runner()),
            from,
            to,
        })),
    }
}

/// Exactly so many arguments.
fn exactly<'py, const N: usize>(
    op: &str,
    names: &str,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<[Bound<'py, PyAny>; N]> {
    let all: Vec<Bound<'py, PyAny>> = arguments.iter().collect();
    let given = all.len();
    all.try_into().map_err(|_| {
        let text = format!("{op}: a request is {names}, and {given} arguments were given");
        error(Class::ArgumentType, text)
    })
}

pub(super) fn product(
    advisor: &Advisor,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    tolerance: f64,
) -> PyResult<PyAdvice> {
    let py = a.py();
    let sample = pair(&PyTuple::new(py, [a, b])?)?;
    let make = || syntonic_core::advisor::product(&sample[0], &sample[1], tolerance);
    let chosen = choose(py, advisor, make, &sample)?;
    let precision = precision_of(&chosen.advice, tolerance).map(|p| match p {
        Precision::Tolerance(t) => format!("{t:e}"),
        _ => chosen.advice.picked.clone(),
    });
    Ok(advice(chosen, precision, pair, state))
}

fn state(py: Python<'_>, made: Tensor) -> PyResult<Bound<'_, PyAny>> {
    Ok(Bound::new(py, State::from(made))?.into_any())
}

fn pair(arguments: &Bound<'_, PyTuple>) -> PyResult<[Tensor; 2]> {
    let [a, b] = exactly("product", "a and b", arguments)?;
    let a = operand::tensor(&a)?;
    let b = operand::tensor_beside(&b, &a)?;
    Ok([a, b])
}

pub(super) fn free_energy(
    advisor: &Advisor,
    arguments: &Bound<'_, PyTuple>,
    device: Option<&Bound<'_, PyAny>>,
    tolerance: f64,
) -> PyResult<PyAdvice> {
    let py = arguments.py();
    let sample = evidence(arguments)?;
    let device = parse(py, device)?;
    let make = || {
        let workload = syntonic_srt::advice::free_energy(&sample, &device)?;
        let sizes = (sample.mean[0].len(), sample.precision.len());
        let promised = syntonic_srt::advice::promised_error(sizes.0, sizes.1);
        Ok(match device.id() {
            DeviceId::Cuda(_) => with_service(workload, device.id(), promised, |service| {
                Ok(move |asked: &Evidence| energy(&service, asked))
            }),
            _ => workload,
        }
        .within(tolerance))
    };
    let chosen = choose(py, advisor, make, &sample)?;
    Ok(advice(chosen, None, evidence, parts))
}

/// Free energy, complexity and accuracy.
fn parts(py: Python<'_>, made: Energy) -> PyResult<Bound<'_, PyAny>> {
    let all = (made.free_energy, made.complexity, made.accuracy);
    Ok(all.into_pyobject(py)?.into_any())
}

fn evidence(arguments: &Bound<'_, PyTuple>) -> PyResult<Evidence> {
    const OP: &str = "free_energy";
    const NAMES: [&str; 7] = [
        "mean_q",
        "mean_p",
        "var_q",
        "var_p",
        "observation",
        "prediction",
        "precision",
    ];
    let given: [Bound<'_, PyAny>; 7] = exactly(OP, &NAMES.join(", "), arguments)?;
    let at = |k: usize| numbers(OP, NAMES[k], &given[k]);
    Ok(Evidence {
        mean: [at(0)?, at(1)?],
        variance: [at(2)?, at(3)?],
        observation: [at(4)?, at(5)?],
        precision: at(6)?,
    })
}

fn energy(service: &Service, asked: &Evidence) -> Result<Energy, Error> {
    let made = service.free_energy(Beliefs {
        mean: [&asked.mean[0], &asked.mean[1]],
        variance: [&asked.variance[0], &asked.variance[1]],
        observation: [&asked.observation[0], &asked.observation[1]],
        precision: &asked.precision,
    })?;
    Ok(Energy {
        free_energy: made.free_energy,
        complexity: made.complexity,
        accuracy: made.accuracy,
    })
}

/// A service as a choice more, whose lease ends with its turn.
fn with_service<I, O, F>(
    workload: Workload<'static, I, O>,
    device: DeviceId,
    promised: f64,
    run: impl FnOnce(Arc<Service>) -> Result<F, Error> + Send + 'static,
) -> Workload<'static, I, O>
where
    F: FnMut(&I) -> Result<O, Error> + Send + 'static,
{
    workload.choice("service", promised, move |_| {
        let service = Arc::new(Service::on(device, Settings::default())?);
        let resting = service.clone();
        Ok(Runner::new(run(service)?).resting(move || Ok(resting.pause()?)))
    })
}

pub(super) fn belief_update(
    advisor: &Advisor,
    request: &Bound<'_, PyTuple>,
    model: &[Option<Bound<'_, PyAny>>; 5],
    stepping: &[Bound<'_, PyAny>; 3],
) -> PyResult<PyAdvice> {
    const OP: &str = "Advisor.belief_update";
    let py = request.py();
    let sample = observed(request)?;
    let mut given = model.iter();
    let mut next = || -> PyResult<Option<Tensor>> {
        let given = given.next().and_then(Option::as_ref);
        given.map(operand::tensor).transpose()
    };
    let [jacobian, precision, reference, mean, weight] =
        [next()?, next()?, next()?, next()?, next()?];
    let (Some(jacobian), Some(precision)) = (jacobian, precision) else {
        let text = format!("{OP}: a model has a Jacobian and a precision; hint: give both");
        return Err(error(Class::Argument, text));
    };
    if mean.is_some() != weight.is_some() {
        let text = format!(
            "{OP}: a prior has a mean and a precision; hint: give both prior_mean and prior_precision, or neither"
        );
        return Err(error(Class::Argument, text));
    }
    let [rate, steps, tolerance] = stepping;
    let rate = parameter(OP, "rate").real(rate)?;
    let steps = parameter(OP, "steps").size(steps)?;
    let tolerance = parameter(OP, "tolerance").real(tolerance)?;
    let make = || {
        let prior = mean.as_ref().zip(weight.as_ref());
        let workload = syntonic_srt::advice::belief_update(Belief {
            model: Model {
                jacobian: &jacobian,
                reference: reference.as_ref(),
                prior: prior.map(|(mean, precision)| Prior { mean, precision }),
            },
            precision: &precision,
            rate,
            steps,
            tolerance,
        })?;
        let id = jacobian.device_id();
        let (Ok(most), DeviceId::Cuda(_)) = (u32::try_from(steps), id) else {
            return Ok(workload);
        };
        let all = (jacobian.clone(), precision.clone(), reference.clone());
        let prior = mean.clone().zip(weight.clone());
        Ok(with_service(workload, id, 0.0, move |service| {
            let model = service.register(Linear {
                jacobian: &all.0,
                precision: &all.1,
                reference: all.2.as_ref(),
                prior: prior.as_ref().map(|(mean, weight)| [mean, weight]),
            })?;
            let steps = Steps {
                rate,
                most,
                tolerance,
            };
            Ok(move |asked: &Observed| {
                let mut mean = syntonic_core::room::copied(&asked.mean)?;
                service.belief_update(&model, &mut mean, &asked.observation, steps)?;
                Ok(mean)
            })
        }))
    };
    let chosen = choose(py, advisor, make, &sample)?;
    Ok(advice(chosen, None, observed, row))
}

fn row(py: Python<'_>, made: Vec<f64>) -> PyResult<Bound<'_, PyAny>> {
    let n = made.len();
    let mean = Tensor::from_vec(made, &[n]).map_err(crate::errors::raise)?;
    state(py, mean)
}

fn observed(arguments: &Bound<'_, PyTuple>) -> PyResult<Observed> {
    const OP: &str = "belief_update";
    let [mean, observation] = exactly(OP, "mu and observation", arguments)?;
    Ok(Observed {
        mean: numbers(OP, "mu", &mean)?,
        observation: numbers(OP, "observation", &observation)?,
    })
}
