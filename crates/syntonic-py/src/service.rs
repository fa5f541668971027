//! A leased service of a GPU. Requests are States of the CPU, or what makes one.

use crate::arguments::parameter;
use crate::cuda::gpu;
use crate::device::PyDevice;
use crate::enter::enter;
use crate::errors::{Class, error};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use syntonic_core::fork::lock;
use syntonic_core::{DType, DeviceId, Error, Tensor};
use syntonic_cuda::service::{
    Beliefs, Ending, Linear, Model, Operation, Report, Service, ServiceError, Settings, Steps,
};

/// A wait may take long: other Python threads go on meanwhile.
const LONG: usize = usize::MAX;
/// Words for how a belief update ended, by number.
const ENDINGS: [&str; 3] = ["limit", "converged", "diverged"];

/// A kernel that stays on the GPU for a while and answers tiny requests.
#[pyclass(frozen, name = "Service", module = "syntonic.cuda")]
pub(crate) struct PyService(Mutex<Option<Arc<Service>>>);

/// A linear model that a service has.
#[pyclass(frozen, name = "ServiceModel", module = "syntonic.cuda")]
pub(crate) struct PyServiceModel(Model);

#[pymethods]
impl PyServiceModel {
    /// Observations and states.
    #[getter]
    fn sizes(&self) -> (usize, usize) {
        let [m, n] = self.0.sizes();
        (m, n)
    }

    fn __repr__(&self) -> String {
        let [m, n] = self.0.sizes();
        format!("ServiceModel({m} x {n})")
    }
}

/// A time in seconds.
fn seconds(of: &'static str, name: &'static str, obj: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let given = parameter(of, name).real(obj)?;
    Duration::try_from_secs_f64(given).map_err(|_| {
        let text = format!("{of}: {name} is a time in seconds, not {given}");
        error(Class::Argument, text)
    })
}

/// What holds of a service or a queue, where it was given.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PySettings<'py> {
    idle: Option<Bound<'py, PyAny>>,
    lifetime: Option<Bound<'py, PyAny>>,
    most_commands: Option<Bound<'py, PyAny>>,
    deadline: Option<Bound<'py, PyAny>>,
    most_doubles: Option<Bound<'py, PyAny>>,
}

impl PySettings<'_> {
    pub(crate) fn read(&self, of: &'static str) -> PyResult<Settings> {
        let mut settings = Settings::default();
        let asked = |name| parameter(of, name);
        let times = [
            ("idle", &self.idle, &mut settings.idle),
            ("lifetime", &self.lifetime, &mut settings.lifetime),
            ("deadline", &self.deadline, &mut settings.deadline),
        ];
        for (name, given, time) in times {
            if let Some(given) = given {
                *time = seconds(of, name, given)?;
            }
        }
        if let Some(most) = &self.most_commands {
            settings.most_commands = asked("most_commands").size(most)? as u64;
        }
        if let Some(most) = &self.most_doubles {
            settings.most_doubles = asked("most_doubles").size(most)?;
        }
        Ok(settings)
    }
}

/// The numbers of a request, of one dimension.
pub(crate) fn numbers(op: &'static str, name: &str, obj: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let py = obj.py();
    let x = operand::tensor(obj)?;
    if x.device_id() != DeviceId::Cpu {
        let text = format!(
            "{op}: {name} is on {}, and a request is made of the host's numbers; hint: .cpu(), or a graph for what is on the GPU",
            x.device_id()
        );
        return Err(error(Class::Transfer, text));
    }
    if x.ndim() != 1 {
        let text = format!(
            "{op}: {name} has the shape {:?}, and a request has numbers in a row; hint: .ravel()",
            x.shape()
        );
        return Err(error(Class::Shape, text));
    }
    if x.dtype().is_complex() {
        let text = format!(
            "{op}: {name} is {}, and a service computes in float64; hint: .real",
            x.dtype()
        );
        return Err(error(Class::DType, text));
    }
    enter(py, x.waiting(), || x.cast(DType::F64)?.to_vec::<f64>())
}

/// A report as a dictionary.
pub(crate) fn reported<'py>(py: Python<'py>, found: &Report) -> PyResult<Bound<'py, PyDict>> {
    let ending = found.ending.map(|ending| match ending {
        Ending::Idle => "idle",
        Ending::Lifetime => "lifetime",
        Ending::Commands => "commands",
        Ending::Asked => "asked",
        Ending::Aborted => "aborted",
        _ => "other",
    });
    let report = PyDict::new(py);
    report.set_item("leases", found.leases)?;
    report.set_item("commands", found.commands)?;
    report.set_item("live", found.live)?;
    report.set_item("heartbeat", found.heartbeat)?;
    report.set_item("ending", ending)?;
    report.set_item("poisoned", found.poisoned)?;
    Ok(report)
}

fn row(x: Vec<f64>) -> Result<Tensor, Error> {
    let n = x.len();
    Tensor::from_vec(x, &[n])
}

fn zeros(n: usize) -> Result<Vec<f64>, ServiceError> {
    Ok(syntonic_core::room::filled(n, 0.0)?)
}

impl PyService {
    /// The service, where it is open.
    fn open(&self, op: &str) -> PyResult<Arc<Service>> {
        let place = lock(&self.0);
        place.clone().ok_or_else(|| {
            let text = format!("{op}: this service is closed; hint: start another");
            error(Class::Argument, text)
        })
    }

    /// Asks it, with the interpreter released.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        op: &str,
        work: impl FnOnce(&Service) -> Result<T, ServiceError> + Send,
    ) -> PyResult<T> {
        let service = self.open(op)?;
        enter(py, LONG, || work(&service).map_err(Error::from))
    }
}

#[pymethods]
impl PyService {
    #[new]
    #[pyo3(signature = (device=None, *, idle=None, lifetime=None, most_commands=None, deadline=None, most_doubles=None))]
    fn new(
        py: Python<'_>,
        device: Option<&Bound<'_, PyAny>>,
        idle: Option<Bound<'_, PyAny>>,
        lifetime: Option<Bound<'_, PyAny>>,
        most_commands: Option<Bound<'_, PyAny>>,
        deadline: Option<Bound<'_, PyAny>>,
        most_doubles: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PyService> {
        let settings = PySettings {
            idle,
            lifetime,
            most_commands,
            deadline,
            most_doubles,
        };
        let settings = settings.read("Service")?;
        let gpu = gpu(py, device)?;
        let start = || Service::start(&gpu, settings).map_err(Error::from);
        let service = enter(py, LONG, start)?;
        Ok(PyService(Mutex::new(Some(Arc::new(service)))))
    }

    /// The GPU it runs on.
    #[getter]
    fn device(&self) -> PyResult<PyDevice> {
        Ok(PyDevice(self.open("device")?.device()))
    }

    /// The same numbers: a round trip.
    fn echo(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<State> {
        let x = numbers("echo", "x", x)?;
        let echo = |service: &Service| {
            let mut answer = zeros(x.len())?;
            service.echo(&x, &mut answer)?;
            Ok(row(answer)?)
        };
        Ok(self.ask(py, "echo", echo)?.into())
    }

    /// The sum of numbers.
    fn sum(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<f64> {
        let x = numbers("sum", "x", x)?;
        self.ask(py, "sum", |service| service.sum(&x))
    }

    /// `a x + b`.
    fn affine(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        x: &Bound<'_, PyAny>,
    ) -> PyResult<State> {
        let asked = |name| parameter("affine", name);
        let ab = [asked("a").real(a)?, asked("b").real(b)?];
        let x = numbers("affine", "x", x)?;
        let affine = |service: &Service| {
            let mut answer = zeros(x.len())?;
            service.affine(ab, &x, &mut answer)?;
            Ok(row(answer)?)
        };
        Ok(self.ask(py, "affine", affine)?.into())
    }

    /// Free energy, complexity and accuracy of diagonal Gaussians.
    #[expect(clippy::too_many_arguments, reason = "as Python names them")]
    fn free_energy(
        &self,
        py: Python<'_>,
        mean_q: &Bound<'_, PyAny>,
        mean_p: &Bound<'_, PyAny>,
        var_q: &Bound<'_, PyAny>,
        var_p: &Bound<'_, PyAny>,
        observation: &Bound<'_, PyAny>,
        prediction: &Bound<'_, PyAny>,
        precision: &Bound<'_, PyAny>,
    ) -> PyResult<(f64, f64, f64)> {
        let op = "free_energy";
        let mean = [
            numbers(op, "mean_q", mean_q)?,
            numbers(op, "mean_p", mean_p)?,
        ];
        let variance = [numbers(op, "var_q", var_q)?, numbers(op, "var_p", var_p)?];
        let seen = [
            numbers(op, "observation", observation)?,
            numbers(op, "prediction", prediction)?,
        ];
        let precision = numbers(op, "precision", precision)?;
        let energy = self.ask(py, op, |service| {
            service.free_energy(Beliefs {
                mean: [&mean[0], &mean[1]],
                variance: [&variance[0], &variance[1]],
                observation: [&seen[0], &seen[1]],
                precision: &precision,
            })
        })?;
        Ok((energy.free_energy, energy.complexity, energy.accuracy))
    }

    /// Takes a linear model into the GPU's memory.
    #[pyo3(signature = (jacobian, precision, reference=None, prior_mean=None, prior_precision=None))]
    fn register(
        &self,
        py: Python<'_>,
        jacobian: &Bound<'_, PyAny>,
        precision: &Bound<'_, PyAny>,
        reference: Option<&Bound<'_, PyAny>>,
        prior_mean: Option<&Bound<'_, PyAny>>,
        prior_precision: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyServiceModel> {
        if prior_mean.is_some() != prior_precision.is_some() {
            return Err(error(
                Class::Argument,
                "register: a prior has a mean and a precision; hint: give both prior_mean and prior_precision, or neither",
            ));
        }
        let (jacobian, precision) = (operand::tensor(jacobian)?, operand::tensor(precision)?);
        let reference = reference.map(operand::tensor).transpose()?;
        let mean = prior_mean.map(operand::tensor).transpose()?;
        let sure = prior_precision.map(operand::tensor).transpose()?;
        let model = self.ask(py, "register", |service| {
            service.register(Linear {
                jacobian: &jacobian,
                precision: &precision,
                reference: reference.as_ref(),
                prior: mean.as_ref().zip(sure.as_ref()).map(|(m, p)| [m, p]),
            })
        })?;
        Ok(PyServiceModel(model))
    }

    /// Steps of a mean down the free energy of a registered model.
    #[pyo3(signature = (model, mu, observation, rate, steps, tolerance=None))]
    #[expect(clippy::too_many_arguments, reason = "as Python names them")]
    fn belief_update<'py>(
        &self,
        py: Python<'py>,
        model: &PyServiceModel,
        mu: &Bound<'_, PyAny>,
        observation: &Bound<'_, PyAny>,
        rate: &Bound<'_, PyAny>,
        steps: &Bound<'_, PyAny>,
        tolerance: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let op = "belief_update";
        let asked = |name| parameter(op, name);
        let most = u32::try_from(asked("steps").size(steps)?).unwrap_or(u32::MAX);
        let steps = Steps {
            rate: asked("rate").real(rate)?,
            most,
            tolerance: tolerance.map_or(Ok(0.0), |t| asked("tolerance").real(t))?,
        };
        let mut mean = numbers(op, "mu", mu)?;
        let seen = numbers(op, "observation", observation)?;
        let (mean, made) = self.ask(py, op, |service| {
            let made = service.belief_update(&model.0, &mut mean, &seen, steps)?;
            Ok((row(mean)?, made))
        })?;
        let result = PyDict::new(py);
        result.set_item("mean", Bound::new(py, State::from(mean))?)?;
        result.set_item("steps", made.steps)?;
        let ending = ENDINGS.get(made.ending as usize).unwrap_or(&"stopped");
        result.set_item("ending", ending)?;
        result.set_item("change", made.change)?;
        result.set_item("free_energy", made.free_energy)?;
        Ok(result)
    }

    /// Any opcode: `answers` numbers for these arguments.
    fn call(
        &self,
        py: Python<'_>,
        opcode: &Bound<'_, PyAny>,
        arguments: &Bound<'_, PyAny>,
        answers: &Bound<'_, PyAny>,
    ) -> PyResult<State> {
        let asked = |name| parameter("call", name);
        let opcode: u8 = asked("opcode").integer(opcode)?;
        let answers = asked("answers").size(answers)?;
        let arguments = numbers("call", "arguments", arguments)?;
        let call = |service: &Service| {
            let most = service.settings().most_doubles;
            // As many as cannot be are refused before there is room for them.
            let mut answer = zeros(answers.min(most + 1))?;
            service.call(Operation::Opcode(opcode), &arguments, &mut answer)?;
            Ok(row(answer)?)
        };
        Ok(self.ask(py, "call", call)?.into())
    }

    /// Ends the lease, and waits for it. The next request begins another.
    fn pause(&self, py: Python<'_>) -> PyResult<()> {
        self.ask(py, "pause", Service::pause)
    }

    /// How the service has fared.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.ask(py, "report", Service::report)?;
        reported(py, &found)
    }

    /// Ends the service, once requests of other threads are answered. Again is nothing.
    fn close(&self, py: Python<'_>) {
        let service = lock(&self.0).take();
        py.detach(|| drop(service));
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (kind, error, trace, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        error: &Bound<'_, PyAny>,
        trace: &Bound<'_, PyAny>,
    ) {
        let _ = (kind, error, trace);
        self.close(py);
    }

    fn __repr__(&self) -> String {
        let place = lock(&self.0);
        match place.as_ref() {
            Some(service) => format!("Service({}, {} blocks)", service.device(), service.blocks()),
            None => "Service(closed)".to_owned(),
        }
    }
}
