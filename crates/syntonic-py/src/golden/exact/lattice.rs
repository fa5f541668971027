//! Resonant states on the lattice: crystallized ones own integers, a flux owns floats.

use super::array::PyGoldenArray;
use super::raise;
use crate::arguments::parameter;
use crate::errors::{Class, error};
use crate::golden::exclusive::Exclusive;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::{Error, Tensor};
use syntonic_srt::resonant::lattice::{
    self, Attractors, Crystallized, Flux, ResonantError, Stir, golden_recursion_inverse,
};

pub(super) fn refuse(e: ResonantError) -> PyErr {
    match e {
        ResonantError::Lattice(e) => raise(e),
        ResonantError::Tensor(e) => crate::errors::raise(e),
        other => error(Class::Argument, other.to_string()),
    }
}

/// Work without the interpreter.
pub(super) fn long<T: Send>(
    py: Python<'_>,
    elements: usize,
    work: impl FnOnce() -> Result<T, ResonantError> + Send,
) -> PyResult<T> {
    crate::enter::enter(py, elements, || Ok::<_, Error>(work()))?.map_err(refuse)
}

/// Norms that are given, in memory of their own: what is written to the operand later is not seen.
fn optional(obj: Option<&Bound<'_, PyAny>>, beside: &Tensor) -> PyResult<Option<Tensor>> {
    let owned = |obj| {
        let norms = operand::tensor_beside(obj, beside)?;
        norms.copy().map_err(crate::errors::raise)
    };
    obj.map(owned).transpose()
}

/// An argument that may be left out.
pub(super) type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The noise that a seed stands for; none without one.
fn stir(op: &'static str, given: [Given<'_, '_>; 3]) -> PyResult<Option<Stir>> {
    let [Some(seed), offset, strength] = given else {
        let unused = [("offset", given[1]), ("strength", given[2])];
        let unused = unused.into_iter().find_map(|(name, x)| Some((name, x?)));
        return match unused {
            None => Ok(None),
            Some((name, x)) => {
                let wanted = "left out where there is no noise; hint: give a seed";
                Err(parameter(op, name).refuse(Class::Argument, x, wanted))
            }
        };
    };
    Ok(Some(Stir {
        seed: parameter(op, "seed").integer(seed)?,
        offset: offset.map_or(Ok(0), |x| parameter(op, "offset").integer(x))?,
        strength: strength.map_or(Ok(0.01), |x| parameter(op, "strength").real(x))?,
    }))
}

/// States of exact integers.
#[pyclass(frozen, name = "Crystallized", module = "syntonic.resonant")]
pub(crate) struct PyCrystallized(pub(super) Crystallized);

/// States of floats.
#[pyclass(frozen, name = "Flux", module = "syntonic.resonant")]
pub(crate) struct PyFlux(pub(super) Flux);

/// States that others are drawn to.
#[pyclass(frozen, name = "Attractors", module = "syntonic.resonant")]
pub(crate) struct PyAttractors(Exclusive<Attractors>);

#[pymethods]
impl PyCrystallized {
    #[new]
    #[pyo3(signature = (x, norms=None, bound=None), text_signature = "(x, norms=None, bound=100)")]
    fn new(
        x: &Bound<'_, PyAny>,
        norms: Option<&Bound<'_, PyAny>>,
        bound: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyCrystallized> {
        let py = x.py();
        let bound = bound.map_or(Ok(100), |bound| {
            parameter("Crystallized", "bound").integer::<u32>(bound)
        })?;
        if let Ok(points) = x.cast::<PyGoldenArray>() {
            let points = points.get().0.clone();
            let norms = optional(norms, points.a())?;
            let work = || Crystallized::new(points, norms.as_ref(), bound);
            return long(py, 0, work).map(PyCrystallized);
        }
        let t = operand::tensor(x)?;
        let norms = optional(norms, &t)?;
        let work = || Crystallized::from_floats(&t, norms.as_ref(), bound);
        long(py, t.numel(), work).map(PyCrystallized)
    }

    /// The integers.
    #[getter]
    fn points(&self) -> PyGoldenArray {
        PyGoldenArray(self.0.points().clone())
    }

    /// What coefficients are snapped to after a cycle.
    #[getter]
    fn bound(&self) -> u32 {
        self.0.bound()
    }

    /// The values, `float64`.
    fn values(&self, py: Python<'_>) -> PyResult<State> {
        Ok(long(py, self.size(), || self.0.values())?.into())
    }

    /// The floats that these states are.
    fn wake(&self, py: Python<'_>) -> PyResult<PyFlux> {
        long(py, self.size(), || self.0.wake()).map(PyFlux)
    }

    /// D, then H, both at the syntony of each state, then the nearest points: the new states, and their syntony. A `seed` adds noise
    /// of `strength` to D, whose next draw begins at `offset` plus the number of elements; `dwell` deepens the bound to
    /// `⌈φ^dwell bound⌉`. A state that would leave the range of the bound is divided by a power of φ first, as of `Flux.fitted`.
    #[pyo3(
        signature = (seed=None, offset=None, strength=None, dwell=None),
        text_signature = "($self, seed=None, offset=0, strength=0.01, dwell=0)"
    )]
    fn cycle(
        &self,
        py: Python<'_>,
        seed: Given<'_, '_>,
        offset: Given<'_, '_>,
        strength: Given<'_, '_>,
        dwell: Given<'_, '_>,
    ) -> PyResult<(PyCrystallized, State)> {
        let stir = stir("cycle", [seed, offset, strength])?;
        let dwell = dwell.map_or(Ok(0), |x| parameter("cycle", "dwell").integer::<u32>(x))?;
        let made = long(py, self.size(), || self.0.cycle(stir, dwell))?;
        Ok((PyCrystallized(made.state), made.after.into()))
    }

    /// Times φ.
    fn recur(&self, py: Python<'_>) -> PyResult<PyCrystallized> {
        long(py, self.size(), || self.0.recur()).map(PyCrystallized)
    }

    /// Over φ.
    fn unrecur(&self, py: Python<'_>) -> PyResult<PyCrystallized> {
        long(py, self.size(), || self.0.unrecur()).map(PyCrystallized)
    }

    /// Zero where `|x| e^(-|n|²/φ)` is smaller than q / divisor, so that high modes go; where `|x|` alone is, if not `weighted`.
    #[pyo3(
        signature = (divisor=None, weighted=None),
        text_signature = "($self, divisor=248.0, weighted=True)"
    )]
    fn prune(
        &self,
        py: Python<'_>,
        divisor: Given<'_, '_>,
        weighted: Given<'_, '_>,
    ) -> PyResult<PyCrystallized> {
        let by = divisor.map_or(Ok(248.0), |x| parameter("prune", "divisor").real(x))?;
        let weighted = weighted.map_or(Ok(true), |x| parameter("prune", "weighted").flag(x))?;
        long(py, self.size(), || self.0.prune(by, weighted)).map(PyCrystallized)
    }

    /// The positive part.
    fn relu(&self, py: Python<'_>) -> PyResult<PyCrystallized> {
        long(py, self.size(), || self.0.relu()).map(PyCrystallized)
    }

    fn __repr__(&self) -> String {
        let points = self.0.points();
        format!(
            "Crystallized(shape={:?}, bound={}, device={})",
            points.shape(),
            self.0.bound(),
            points.device().id()
        )
    }
}

#[pymethods]
impl PyFlux {
    #[new]
    #[pyo3(signature = (x, norms=None))]
    fn new(x: &Bound<'_, PyAny>, norms: Option<&Bound<'_, PyAny>>) -> PyResult<PyFlux> {
        let t = operand::tensor(x)?;
        let norms = optional(norms, &t)?;
        long(x.py(), t.numel(), || Flux::new(&t, norms.as_ref())).map(PyFlux)
    }

    /// The floats, `float64`.
    #[getter]
    fn values(&self) -> PyResult<State> {
        Ok(self.0.values().copy().map_err(crate::errors::raise)?.into())
    }

    /// What snapping to a state of integers would move each element by, `(a + b φ) - ψ`, times its golden weight where `weighted`. The
    /// state is the nearest one of this `bound` where none is given.
    #[pyo3(
        signature = (state=None, bound=None, weighted=None),
        text_signature = "($self, state=None, bound=100, weighted=True)"
    )]
    fn snap_gradient(
        &self,
        py: Python<'_>,
        state: Option<&PyCrystallized>,
        bound: Given<'_, '_>,
        weighted: Given<'_, '_>,
    ) -> PyResult<State> {
        const OP: &str = "snap_gradient";
        if let (Some(_), Some(bound)) = (state, bound) {
            let wanted = "left out beside a state, whose integers are known";
            return Err(parameter(OP, "bound").refuse(Class::Argument, bound, wanted));
        }
        let weighted = weighted.map_or(Ok(true), |x| parameter(OP, "weighted").flag(x))?;
        let to = bound.map_or(Ok(100), |x| parameter(OP, "bound").integer::<u32>(x))?;
        let work = || match state {
            Some(state) => self.0.snap_gradient(&state.0, weighted),
            None => self.0.snap_gradient(&self.0.crystallize(to)?.0, weighted),
        };
        Ok(long(py, self.size(), work)?.into())
    }

    /// The D phase at syntony `s` of each state, with noise where there is a `seed`.
    #[pyo3(
        signature = (s, seed=None, offset=None, strength=None),
        text_signature = "($self, s, seed=None, offset=0, strength=0.01)"
    )]
    fn differentiate(
        &self,
        s: &Bound<'_, PyAny>,
        seed: Given<'_, '_>,
        offset: Given<'_, '_>,
        strength: Given<'_, '_>,
    ) -> PyResult<PyFlux> {
        let stir = stir("differentiate", [seed, offset, strength])?;
        let at = operand::tensor_beside(s, self.0.values())?;
        long(s.py(), self.size(), || self.0.differentiate(&at, stir)).map(PyFlux)
    }

    /// The H phase.
    fn harmonize(&self, s: &Bound<'_, PyAny>) -> PyResult<PyFlux> {
        let at = operand::tensor_beside(s, self.0.values())?;
        long(s.py(), self.size(), || self.0.harmonize(&at)).map(PyFlux)
    }

    /// The states that a lattice of this bound has room for, and the power of φ that each was divided by: the least with which a state
    /// whose largest element is beyond `bound φ²` lies within `bound / φ`, and 0 for others.
    #[pyo3(signature = (bound=None), text_signature = "($self, bound=100)")]
    fn fitted(&self, py: Python<'_>, bound: Given<'_, '_>) -> PyResult<(PyFlux, State)> {
        let named = parameter("fitted", "bound");
        let to = bound.map_or(Ok(100), |bound| named.integer::<u32>(bound))?;
        let (fitted, powers) = long(py, self.size(), || self.0.fitted(to))?;
        Ok((PyFlux(fitted), powers.into()))
    }

    /// The nearest states, and the distance to them.
    #[pyo3(signature = (bound=None), text_signature = "($self, bound=100)")]
    fn crystallize(&self, py: Python<'_>, bound: Given<'_, '_>) -> PyResult<(PyCrystallized, f64)> {
        let named = parameter("crystallize", "bound");
        let to = bound.map_or(Ok(100), |bound| named.integer::<u32>(bound))?;
        let (state, residual) = long(py, self.size(), || self.0.crystallize(to))?;
        Ok((PyCrystallized(state), residual))
    }

    fn __repr__(&self) -> String {
        let values = self.0.values();
        format!(
            "Flux(shape={:?}, device={})",
            values.shape(),
            values.device_id()
        )
    }
}

#[pymethods]
impl PyAttractors {
    #[new]
    #[pyo3(
        signature = (capacity=None, least=None, decay=None),
        text_signature = "(capacity=32, least=0.7, decay=0.98)"
    )]
    fn new(
        capacity: Given<'_, '_>,
        least: Given<'_, '_>,
        decay: Given<'_, '_>,
    ) -> PyResult<PyAttractors> {
        let named = |name| parameter("Attractors", name);
        let made = Attractors::new(
            capacity.map_or(Ok(32), |x| named("capacity").size(x))?,
            least.map_or(Ok(0.7), |x| named("least").real(x))?,
            decay.map_or(Ok(0.98), |x| named("decay").real(x))?,
        );
        made.map(|kept| PyAttractors(Exclusive::new("Attractors", kept)))
            .map_err(refuse)
    }

    /// Keeps a state, if its syntony is high enough and there is room, or one of lower weight.
    fn offer(&self, py: Python<'_>, state: &PyCrystallized) -> PyResult<bool> {
        self.0
            .work(py, |kept| kept.offer(&state.0))?
            .map_err(refuse)
    }

    /// Lets a generation pass.
    fn age(&self, py: Python<'_>) -> PyResult<()> {
        self.0.look(py)?.age();
        Ok(())
    }

    /// States drawn to the attractors.
    #[pyo3(signature = (flux, pull=None), text_signature = "($self, flux, pull=0.3)")]
    fn blend(&self, py: Python<'_>, flux: &PyFlux, pull: Given<'_, '_>) -> PyResult<PyFlux> {
        let by = pull.map_or(Ok(0.3), |x| parameter("Attractors", "pull").real(x))?;
        let blended = self.0.work(py, |kept| kept.blend(&flux.0, by))?;
        blended.map(PyFlux).map_err(refuse)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.look(py)?.len())
    }
}

/// `⌊φ n⌋` of integers.
#[pyfunction]
pub(crate) fn golden_recursion(n: &Bound<'_, PyAny>) -> PyResult<State> {
    let t = operand::tensor(n)?;
    Ok(long(n.py(), t.numel(), || lattice::golden_recursion(&t))?.into())
}

/// `⌈m / φ⌉` of integers.
#[pyfunction]
pub(crate) fn golden_recursion_undo(m: &Bound<'_, PyAny>) -> PyResult<State> {
    let t = operand::tensor(m)?;
    Ok(long(m.py(), t.numel(), || golden_recursion_inverse(&t))?.into())
}
