//! Updates of parameters by their gradients.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::Class;
use crate::memory::object;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyList;
use syntonic_core::{DType, Error, describe};
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

    /// The master copy of a parameter of a half type, and None of another.
    fn master<'py>(&self, x: &Bound<'py, State>) -> PyResult<Option<Bound<'py, State>>> {
        let (py, x) = (x.py(), &x.get().tensor);
        if !x.dtype().is_half() {
            return Ok(None);
        }
        let copy = enter(py, x.numel(), || x.cast(DType::F32)?.contiguous()?.eval())?;
        object::new(py, copy).map(Some)
    }

    /// The new parameter with its new moments, and its new master copy if it has one.
    fn update<'py>(
        &self,
        step: &Bound<'py, PyAny>,
        rate: &Bound<'py, PyAny>,
        x: &Bound<'py, State>,
        gradient: &Bound<'py, State>,
        moments: &Bound<'py, PyList>,
        master: Option<&Bound<'py, State>>,
    ) -> PyResult<Moved<'py>> {
        let (py, op) = (x.py(), self.0.name());
        let step: u64 = parameter(op, "step").integer(step)?;
        let rate = parameter(op, "learning_rate").real(rate)?;
        let (x, gradient) = (&x.get().tensor, &gradient.get().tensor);
        let moments = parameter(op, "moments").states(moments)?;
        let master = master.map(|master| &master.get().tensor);
        let work = x.numel().max(gradient.waiting());
        let made = enter(py, work, || match master {
            None => self.0.update(step, rate, x, gradient, &moments),
            Some(master) if master.shape() != x.shape() => Err(Error::Shape {
                op,
                operands: describe(&[x, master]),
                hint: "a parameter and its master copy have one shape".into(),
            }),
            Some(master) => {
                let dtype = x.dtype();
                self.0
                    .update_master(step, rate, master, dtype, gradient, &moments)
            }
        })?;
        let all = [made.parameter].into_iter().chain(made.moments).collect();
        let master = made.master.map(|master| object::new(py, master));
        Ok((object::each(py, all)?, master.transpose()?))
    }
}

/// A parameter with its moments, and its master copy.
type Moved<'py> = (Vec<Bound<'py, State>>, Option<Bound<'py, State>>);

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
