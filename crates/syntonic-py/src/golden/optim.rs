//! Updates of parameters by their gradients.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::Class;
use crate::memory::object;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyList;
use syntonic_core::{DType, Tensor};
use syntonic_srt::optim::{self, Adam, Decay, Leaf, Lion, Momentum, Optimizer, Sgd};

/// An optimiser with its settings.
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

    /// The master copy of a parameter of a half type, and None of another.
    fn master<'py>(&self, x: &Bound<'py, State>) -> PyResult<Option<Bound<'py, State>>> {
        let (py, x) = (x.py(), &x.get().tensor);
        if !x.dtype().is_half() {
            return Ok(None);
        }
        let copy = enter(py, x.numel(), || x.cast(DType::F32)?.contiguous()?.eval())?;
        object::new(py, copy).map(Some)
    }

    /// The new parameters, the new moments kind by kind, and the new master copies, of all leaves of a tree.
    #[expect(clippy::too_many_arguments, reason = "the columns of one table")]
    fn step<'py>(
        &self,
        step: &Bound<'py, PyAny>,
        rate: &Bound<'py, PyAny>,
        max_norm: Option<&Bound<'py, PyAny>>,
        parameters: &Bound<'py, PyList>,
        gradients: &Bound<'py, PyList>,
        moments: Vec<Bound<'py, PyList>>,
        masters: Option<Vec<Option<Bound<'py, State>>>>,
    ) -> PyResult<Moved<'py>> {
        let (py, op) = (parameters.py(), self.0.name());
        let step: u64 = parameter(op, "step").integer(step)?;
        let rate = parameter(op, "learning_rate").real(rate)?;
        let max_norm = max_norm
            .map(|most| parameter(op, "max_norm").real(most))
            .transpose()?;
        let parameters = parameter(op, "parameters").states(parameters)?;
        let gradients = parameter(op, "gradients").states(gradients)?;
        // By leaf, since each has all of its moments.
        let mut kept: Vec<Vec<Tensor>> = vec![Vec::new(); parameters.len()];
        for column in &moments {
            let column = parameter(op, "moments").states(column)?;
            for (kept, moment) in kept.iter_mut().zip(column) {
                kept.push(moment);
            }
        }
        let masters = masters.unwrap_or_default();
        let leaves = parameters.iter().zip(&gradients).zip(&kept).enumerate();
        let leaves: Vec<Leaf<'_>> = leaves
            .map(|(k, ((parameter, gradient), moments))| Leaf {
                parameter,
                master: masters
                    .get(k)
                    .and_then(|m| m.as_ref())
                    .map(|m| &*m.get().tensor),
                gradient,
                moments,
            })
            .collect();
        let work = |leaf: &Leaf<'_>| leaf.parameter.numel().max(leaf.gradient.waiting());
        let work = leaves.iter().map(work).fold(0, usize::saturating_add);
        let made = enter(py, work, || {
            self.0.update_each(step, rate, &leaves, max_norm)
        })?;
        let mut moved: Moved<'py> = (Vec::new(), vec![Vec::new(); moments.len()], Vec::new());
        for made in made {
            moved.0.push(object::new(py, made.parameter)?);
            for (column, moment) in moved.1.iter_mut().zip(made.moments) {
                column.push(object::new(py, moment)?);
            }
            let master = made.master.map(|master| object::new(py, master));
            moved.2.push(master.transpose()?);
        }
        Ok(moved)
    }
}

/// Parameters, their moments kind by kind, and their master copies.
type Moved<'py> = (
    Vec<Bound<'py, State>>,
    Vec<Vec<Bound<'py, State>>>,
    Vec<Option<Bound<'py, State>>>,
);

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
