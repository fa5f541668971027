//! Active inference over discrete states.

use crate::arguments::{Parameter, parameter};
use crate::dtype;
use crate::enter::enter;
use crate::errors::{Class, raise};
use crate::operand::{self, Operand};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use syntonic_core::Tensor;
use syntonic_core::random::Generator;
use syntonic_srt::infer::discrete::{self, DiscreteModel, Sweeps};

/// A generative model, made once for many calls.
#[pyclass(frozen, name = "DiscreteModel", module = "syntonic.infer")]
pub(crate) struct PyDiscreteModel(DiscreteModel);

#[pymethods]
impl PyDiscreteModel {
    #[new]
    #[pyo3(signature = (likelihoods, transitions, preferences=None, initial=None))]
    fn new(
        likelihoods: &Bound<'_, PyAny>,
        transitions: &Bound<'_, PyAny>,
        preferences: Option<&Bound<'_, PyAny>>,
        initial: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyDiscreteModel> {
        let py = likelihoods.py();
        let asked = |name| parameter("DiscreteModel", name);
        let likelihoods = owned(parts(asked("likelihoods"), likelihoods, None)?)?;
        let beside = likelihoods.first();
        let transitions = owned(parts(asked("transitions"), transitions, beside)?)?;
        let optional = |name, given: Option<&Bound<'_, PyAny>>| {
            let given = given.map(|given| owned(parts(asked(name), given, beside)?));
            given.transpose()
        };
        let preferences = optional("preferences", preferences)?;
        let initial = optional("initial", initial)?;
        let work = || {
            let (preferences, initial) = (preferences.as_deref(), initial.as_deref());
            DiscreteModel::new(&likelihoods, &transitions, preferences, initial)
        };
        let numel = likelihoods.iter().chain(&transitions).map(Tensor::numel);
        Ok(PyDiscreteModel(enter(py, numel.sum(), work)?))
    }

    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.outcomes())
    }

    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.states())
    }

    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.actions())
    }

    #[getter]
    fn initial(&self) -> PyResult<Vec<State>> {
        Ok(states(owned(self.0.initial().to_vec())?))
    }

    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<Py<dtype::PyDType>> {
        dtype::object(py, self.0.dtype())
    }

    #[getter]
    fn device(&self) -> crate::device::PyDevice {
        crate::device::PyDevice(self.0.device().id())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "DiscreteModel(outcomes={}, states={}, actions={}, dtype={}, device={})",
            self.outcomes(py)?,
            self.states(py)?,
            self.actions(py)?,
            self.0.dtype(),
            self.0.device().id(),
        ))
    }
}

/// The tensors of a list or tuple, or the one that any other object is; those of lists go to the device of `beside`.
fn parts(
    parameter: Parameter,
    obj: &Bound<'_, PyAny>,
    beside: Option<&Tensor>,
) -> PyResult<Vec<Tensor>> {
    let one = |obj: &Bound<'_, PyAny>| {
        let found = match Operand::try_from_any(obj)? {
            Some(found) => found,
            None => return Err(parameter.refuse(Class::ArgumentType, obj, "arrays")),
        };
        match beside {
            None => found.into_tensor(),
            Some(beside) => found.into_tensor_on(beside.device()),
        }
    };
    match obj.is_instance_of::<PyList>() || obj.is_instance_of::<PyTuple>() {
        true => obj.try_iter()?.map(|item| one(&item?)).collect(),
        false => Ok(vec![one(obj)?]),
    }
}

/// Copies in memory of their own: what others write later is not seen.
fn owned(tensors: Vec<Tensor>) -> PyResult<Vec<Tensor>> {
    let copies = tensors.iter().map(Tensor::copy);
    copies.collect::<Result<_, _>>().map_err(raise)
}

fn model<'a>(op: &'static str, obj: &'a Bound<'_, PyAny>) -> PyResult<&'a DiscreteModel> {
    let found = obj.cast::<PyDiscreteModel>();
    let refused = |_| parameter(op, "model").refuse(Class::ArgumentType, obj, "a DiscreteModel");
    found.map(|found| &found.get().0).map_err(refused)
}

fn states(tensors: Vec<Tensor>) -> Vec<State> {
    tensors.into_iter().map(State::from).collect()
}

/// Elements that a call over these and the model goes through.
fn elements(model: &DiscreteModel, operands: &[Tensor]) -> usize {
    let joint: usize = model.states().iter().product();
    let largest = operands.iter().map(Tensor::numel).max().unwrap_or(0);
    joint.saturating_mul(largest)
}

/// `infer_states(model, observations, prior, sweeps, tolerance)`: beliefs, F, complexity, accuracy, where it is impossible, and where it
/// converged.
#[pyfunction]
pub(crate) fn infer_states(
    model: &Bound<'_, PyAny>,
    observations: &Bound<'_, PyAny>,
    prior: Option<&Bound<'_, PyAny>>,
    sweeps: &Bound<'_, PyAny>,
    tolerance: &Bound<'_, PyAny>,
) -> PyResult<(Vec<State>, State, State, State, State, State)> {
    const OP: &str = "infer_states";
    let py = model.py();
    let model = self::model(OP, model)?;
    let beside = model.initial().first();
    let observations = parts(parameter(OP, "observations"), observations, beside)?;
    let prior = prior.map(|prior| parts(parameter(OP, "prior"), prior, beside));
    let prior = prior.transpose()?;
    let sweeps = Sweeps {
        most: parameter(OP, "sweeps").size(sweeps)?,
        tolerance: parameter(OP, "tolerance").real(tolerance)?,
    };
    let work = || discrete::infer_states(model, &observations, prior.as_deref(), sweeps);
    let made = enter(py, elements(model, &observations), work)?;
    Ok((
        states(made.beliefs),
        made.free_energy.free_energy.into(),
        made.free_energy.complexity.into(),
        made.free_energy.accuracy.into(),
        made.impossible.into(),
        made.converged.into(),
    ))
}

/// `predict_states(model, beliefs, actions)`: beliefs one action later.
#[pyfunction]
pub(crate) fn predict_states(
    model: &Bound<'_, PyAny>,
    beliefs: &Bound<'_, PyAny>,
    actions: &Bound<'_, PyAny>,
) -> PyResult<Vec<State>> {
    const OP: &str = "predict_states";
    let py = model.py();
    let model = self::model(OP, model)?;
    let beliefs = parts(parameter(OP, "beliefs"), beliefs, model.initial().first())?;
    let actions = operand::tensor_beside(actions, &model.initial()[0])?;
    let work = || discrete::predict_states(model, &beliefs, &actions);
    enter(py, elements(model, &beliefs), work).map(states)
}

/// `policies(model, horizon)`: all sequences of actions.
#[pyfunction]
pub(crate) fn policies(model: &Bound<'_, PyAny>, horizon: &Bound<'_, PyAny>) -> PyResult<State> {
    const OP: &str = "policies";
    let py = model.py();
    let model = self::model(OP, model)?;
    let horizon = parameter(OP, "horizon").size(horizon)?;
    let joint: usize = model.actions().iter().product();
    let count = joint.saturating_pow(u32::try_from(horizon).unwrap_or(u32::MAX));
    let made = enter(py, count.saturating_mul(horizon), || {
        discrete::policies(model, horizon)
    });
    made.map(State::from)
}

/// `expected_free_energy(model, beliefs, policies)`: minus G, utility and information gain.
#[pyfunction]
pub(crate) fn expected_free_energy(
    model: &Bound<'_, PyAny>,
    beliefs: &Bound<'_, PyAny>,
    policies: &Bound<'_, PyAny>,
) -> PyResult<(State, State, State)> {
    const OP: &str = "expected_free_energy";
    let py = model.py();
    let model = self::model(OP, model)?;
    let beliefs = parts(parameter(OP, "beliefs"), beliefs, model.initial().first())?;
    let policies = operand::tensor(policies)?;
    let work = || discrete::expected_free_energy(model, &beliefs, &policies);
    let numel = elements(model, &beliefs).saturating_mul(policies.numel().max(1));
    let made = enter(py, numel, work)?;
    Ok((
        made.negative_efe.into(),
        made.utility.into(),
        made.information_gain.into(),
    ))
}

/// `policy_posterior(negative_efe, gamma, prior)`.
#[pyfunction]
pub(crate) fn policy_posterior(
    negative_efe: &Bound<'_, PyAny>,
    gamma: &Bound<'_, PyAny>,
    prior: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let py = negative_efe.py();
    let gamma = parameter("policy_posterior", "gamma").real(gamma)?;
    let values = operand::tensor(negative_efe)?;
    let prior = prior.map(|p| operand::tensor_beside(p, &values));
    let prior = prior.transpose()?;
    let work = || discrete::policy_posterior(&values, gamma, prior.as_ref());
    enter(py, values.numel(), work).map(State::from)
}

/// `action_marginals(model, posterior, policies)`: one of each factor.
#[pyfunction]
pub(crate) fn action_marginals(
    model: &Bound<'_, PyAny>,
    posterior: &Bound<'_, PyAny>,
    policies: &Bound<'_, PyAny>,
) -> PyResult<Vec<State>> {
    let py = model.py();
    let model = self::model("action_marginals", model)?;
    let posterior = operand::tensor_beside(posterior, &model.initial()[0])?;
    let policies = operand::tensor(policies)?;
    let work = || discrete::action_marginals(model, &posterior, &policies);
    let numel = posterior.numel().saturating_add(policies.numel());
    enter(py, numel, work).map(states)
}

/// `choose_action(marginals)`: the most probable one of each factor.
#[pyfunction]
pub(crate) fn choose_action(marginals: &Bound<'_, PyAny>) -> PyResult<State> {
    let py = marginals.py();
    let marginals = parts(parameter("choose_action", "marginals"), marginals, None)?;
    let numel = marginals.iter().map(Tensor::numel).sum();
    enter(py, numel, || discrete::choose_action(&marginals)).map(State::from)
}

/// `sample_action(marginals, alpha, seed, offset)`: one drawn of each factor.
#[pyfunction]
pub(crate) fn sample_action(
    marginals: &Bound<'_, PyAny>,
    alpha: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    offset: &Bound<'_, PyAny>,
) -> PyResult<State> {
    const OP: &str = "sample_action";
    let py = marginals.py();
    let marginals = parts(parameter(OP, "marginals"), marginals, None)?;
    let alpha = parameter(OP, "alpha").real(alpha)?;
    let mut generator = Generator {
        seed: parameter(OP, "seed").integer(seed)?,
        offset: parameter(OP, "offset").integer(offset)?,
    };
    let numel = marginals.iter().map(Tensor::numel).sum();
    let work = || discrete::sample_action(&marginals, alpha, &mut generator);
    enter(py, numel, work).map(State::from)
}
