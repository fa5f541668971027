//! Updates of parameters by their gradients.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::Class;
use crate::memory::object;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyList;
use syntonic_srt::optim::{self, Adam, Decay, Lion, Momentum, Optimizer, Sgd};

/// An optimiser with its settings, for one parameter at a time.
#[pyclass(frozen, name = "Optimizer", module = "syntonic._core")]
pub(crate) struct PyOptimizer(Optimizer);

fn both(op: &'static str, betas: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
    let refused =
        |_| parameter(op, "betas").refuse(Class::ArgumentType, betas, "a pair of real numbers");
    betas.extract().map_err(refused)
}

#[pymethods]
impl PyOptimizer {
    /// Gradient descent.
    #[staticmethod]
    fn sgd(
        momentum: &Bound<'_, PyAny>,
        nesterov: &Bound<'_, PyAny>,
        weight_decay: &Bound<'_, PyAny>,
    ) -> PyResult<PyOptimizer> {
        const OP: &str = "sgd";
        let m = parameter(OP, "momentum").real(momentum)?;
        let momentum = match parameter(OP, "nesterov").flag(nesterov)? {
            true => Momentum::Nesterov(m),
            false if m == 0.0 => Momentum::None,
            false => Momentum::Heavy(m),
        };
        let weight_decay = parameter(OP, "weight_decay").real(weight_decay)?;
        Ok(PyOptimizer(Optimizer::Sgd(Sgd {
            momentum,
            weight_decay,
        })))
    }

    /// Adam, or AdamW where the decay is decoupled.
    #[staticmethod]
    fn adam(
        betas: &Bound<'_, PyAny>,
        eps: &Bound<'_, PyAny>,
        weight_decay: &Bound<'_, PyAny>,
        decoupled: &Bound<'_, PyAny>,
    ) -> PyResult<PyOptimizer> {
        const OP: &str = "adam";
        let decay = match parameter(OP, "decoupled").flag(decoupled)? {
            true => Decay::Decoupled,
            false => Decay::Gradient,
        };
        Ok(PyOptimizer(Optimizer::Adam(Adam {
            betas: both(OP, betas)?,
            eps: parameter(OP, "eps").real(eps)?,
            weight_decay: parameter(OP, "weight_decay").real(weight_decay)?,
            decay,
        })))
    }

    /// Lion.
    #[staticmethod]
    fn lion(betas: &Bound<'_, PyAny>, weight_decay: &Bound<'_, PyAny>) -> PyResult<PyOptimizer> {
        const OP: &str = "lion";
        Ok(PyOptimizer(Optimizer::Lion(Lion {
            betas: both(OP, betas)?,
            weight_decay: parameter(OP, "weight_decay").real(weight_decay)?,
        })))
    }

    /// The moments of a parameter before the first update.
    fn moments<'py>(&self, x: &Bound<'py, State>) -> PyResult<Vec<Bound<'py, State>>> {
        let (py, x) = (x.py(), &x.get().tensor);
        object::each(py, enter(py, x.numel(), || self.0.moments(x))?)
    }

    /// The new parameter, and behind it its new moments.
    fn update<'py>(
        &self,
        step: &Bound<'py, PyAny>,
        rate: &Bound<'py, PyAny>,
        x: &Bound<'py, State>,
        gradient: &Bound<'py, State>,
        moments: &Bound<'py, PyList>,
    ) -> PyResult<Vec<Bound<'py, State>>> {
        let (py, op) = (x.py(), self.0.name());
        let step: u64 = parameter(op, "step").integer(step)?;
        let rate = parameter(op, "learning_rate").real(rate)?;
        let (x, gradient) = (&x.get().tensor, &gradient.get().tensor);
        let moments = parameter(op, "moments").states(moments)?;
        let work = x.numel().max(gradient.waiting());
        let made = enter(py, work, || {
            self.0.update(step, rate, x, gradient, &moments)
        })?;
        object::each(
            py,
            [made.parameter].into_iter().chain(made.moments).collect(),
        )
    }
}

/// The gradients scaled to a common length of at most `most`, and their length.
#[pyfunction]
pub(crate) fn clip_by_global_norm<'py>(
    gradients: &Bound<'py, PyList>,
    most: &Bound<'py, PyAny>,
) -> PyResult<(Vec<Bound<'py, State>>, Bound<'py, State>)> {
    const OP: &str = "clip_by_global_norm";
    let py = gradients.py();
    let most = parameter(OP, "most").real(most)?;
    let given = parameter(OP, "gradients").states(gradients)?;
    let (clipped, length) = enter(py, usize::MAX, || optim::clip_by_global_norm(&given, most))?;
    Ok((object::each(py, clipped)?, object::new(py, length)?))
}
