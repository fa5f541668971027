//! Functions of a flux by its values: the layers of `syntonic.nn`, and any other function of a State.

use super::lattice::{PyCrystallized, PyFlux, long, refuse};
use crate::operand;
use crate::state::State;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use syntonic_core::Tensor;
use syntonic_srt::resonant::lattice::{Flux, ResonantError, States};

/// What a flux has and a Crystallized, which owns integers, has not.
const FORMS: [&str; 11] = [
    "batch_norm",
    "crystallize",
    "differentiate",
    "fitted",
    "harmonize",
    "layer_norm",
    "map",
    "phi_residual",
    "snap_gradient",
    "softmax",
    "syntonic_softmax",
];

#[pymethods]
impl PyCrystallized {
    fn __getattr__(&self, name: &str) -> PyResult<()> {
        let text = match FORMS.contains(&name) {
            true => format!(
                "{name}: a Crystallized owns integers, and {name} makes floats; hint: wake().{name}(..), then crystallize()"
            ),
            false => format!("'Crystallized' object has no attribute '{name}'"),
        };
        Err(PyAttributeError::new_err(text))
    }
}

#[pymethods]
impl PyFlux {
    /// What `function` makes of the values, a State, by the element: each keeps its mode.
    fn map(&self, function: &Bound<'_, PyAny>) -> PyResult<PyFlux> {
        let made = function.call1((self.state()?,))?;
        self.made(&made)
    }

    /// `syntonic.nn.softmax` of the values.
    #[pyo3(signature = (*, axis=None), text_signature = "($self, *, axis=-1)")]
    fn softmax(&self, py: Python<'_>, axis: Option<&Bound<'_, PyAny>>) -> PyResult<PyFlux> {
        let named = PyDict::new(py);
        if let Some(axis) = axis {
            named.set_item("axis", axis)?;
        }
        self.layer("softmax", &PyTuple::empty(py), Some(&named))
    }

    /// The syntonic softmax of each state by its own modes: `w_i e^(ψ_i) / Σ w_j e^(ψ_j)`.
    fn syntonic_softmax(&self, py: Python<'_>) -> PyResult<PyFlux> {
        long(py, self.size(), || self.0.syntonic_softmax()).map(PyFlux)
    }

    /// `syntonic.nn.layer_norm` of the values, with its arguments.
    #[pyo3(signature = (*args, **named))]
    fn layer_norm(
        &self,
        args: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyFlux> {
        self.layer("layer_norm", args, named)
    }

    /// `syntonic.nn.golden_batch_norm_1d` of states `[B, F]`, `golden_batch_norm_2d` of `[B, C, H, W]`, with their arguments.
    #[pyo3(signature = (*args, **named))]
    fn batch_norm(
        &self,
        args: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyFlux> {
        let planes = self.0.values().ndim() == 4;
        let name = if planes {
            "golden_batch_norm_2d"
        } else {
            "golden_batch_norm_1d"
        };
        self.layer(name, args, named)
    }

    /// `syntonic.nn.phi_residual` of the values and those of another flux of the same modes, or of a State, with its arguments.
    #[pyo3(signature = (residual, *args, **named))]
    fn phi_residual(
        &self,
        residual: &Bound<'_, PyAny>,
        args: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyFlux> {
        let py = residual.py();
        let Ok(other) = residual.cast::<PyFlux>() else {
            let all = [residual.clone()].into_iter().chain(args.iter());
            return self.layer(
                "phi_residual",
                &PyTuple::new(py, all.collect::<Vec<_>>())?,
                named,
            ); // few: arguments.
        };
        let other = &other.get().0;
        let joined = |x: &Tensor, y: &Tensor| -> PyResult<Tensor> {
            let (x, y) = (x.clone(), y.clone());
            let given = [Bound::new(py, State::from(y))?.into_any()].into_iter();
            let all = PyTuple::new(py, given.chain(args.iter()).collect::<Vec<_>>())?; // few: arguments.
            layered(py, "phi_residual", x, &all, named)
        };
        let made = joined(self.0.values(), other.values())?;
        let made = self
            .0
            .zipped("phi_residual", other, |_, _| Ok::<_, ResonantError>(made));
        made.map(PyFlux).map_err(refuse)
    }

    fn __truediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        super::states::divided(&self.0, other, false)
    }

    fn __rtruediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        super::states::divided(&self.0, other, true)
    }
}

/// A layer of values.
fn layered(
    py: Python<'_>,
    name: &str,
    x: Tensor,
    args: &Bound<'_, PyTuple>,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<Tensor> {
    let layer = py.import("syntonic.nn")?.getattr(name)?;
    let given = [Bound::new(py, State::from(x))?.into_any()].into_iter();
    let all = PyTuple::new(py, given.chain(args.iter()).collect::<Vec<_>>())?; // few: arguments.
    operand::tensor(&layer.call(all, named)?)
}

impl PyFlux {
    /// The values, which nobody else writes.
    fn state(&self) -> PyResult<State> {
        Ok(self.0.values().copy().map_err(crate::errors::raise)?.into())
    }

    fn layer(
        &self,
        name: &str,
        args: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyFlux> {
        let made = layered(args.py(), name, self.0.values().clone(), args, named)?;
        self.with_values(made)
    }

    fn made(&self, values: &Bound<'_, PyAny>) -> PyResult<PyFlux> {
        self.with_values(operand::tensor(values)?)
    }

    fn with_values(&self, values: Tensor) -> PyResult<PyFlux> {
        let made: Result<Flux, ResonantError> = self.0.mapped(|_| Ok::<_, ResonantError>(values));
        made.map(PyFlux).map_err(refuse)
    }
}
