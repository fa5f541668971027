//! E8, windings, theta and heat sums.

use crate::arguments::parameter;
use crate::device;
use crate::enter::enter;
use crate::errors::raise;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::{Error, Tensor};
use syntonic_srt::geometry::{self, Weighting};

type Made = Result<Tensor, Error>;

/// A sum at a number.
type Sum = fn(f64, Weighting) -> Result<f64, Error>;

/// What `make` gives, on a device.
fn moved(py: Python<'_>, at: &Bound<'_, PyAny>, make: impl FnOnce() -> Made) -> PyResult<State> {
    let at = device::parse(py, (!at.is_none()).then_some(at))?;
    Ok(make().and_then(|t| t.to(&at)).map_err(raise)?.into())
}

/// The 240 roots of E8.
#[pyfunction]
pub(crate) fn e8_roots(py: Python<'_>, device: &Bound<'_, PyAny>) -> PyResult<State> {
    moved(py, device, geometry::e8_roots)
}

/// Simple roots of E8.
#[pyfunction]
pub(crate) fn e8_simple_roots(py: Python<'_>, device: &Bound<'_, PyAny>) -> PyResult<State> {
    moved(py, device, geometry::e8_simple_roots)
}

/// Golden projections: the parallel and the perpendicular part, and the form.
#[pyfunction]
pub(crate) fn golden_project(x: &Bound<'_, PyAny>) -> PyResult<(State, State, State)> {
    let t = operand::tensor(x)?;
    let made = enter(x.py(), t.numel(), || geometry::project(&t))?;
    Ok((
        made.parallel.into(),
        made.perpendicular.into(),
        made.form.into(),
    ))
}

/// Whether vectors lie in the golden cone.
#[pyfunction]
pub(crate) fn cone_mask(x: &Bound<'_, PyAny>, tolerance: &Bound<'_, PyAny>) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let above = parameter("cone_mask", "tolerance").real(tolerance)?;
    Ok(enter(x.py(), t.numel(), || geometry::cone_mask(&t, above))?.into())
}

/// Weights of vectors in the golden cone.
#[pyfunction]
pub(crate) fn cone_weights(x: &Bound<'_, PyAny>, tolerance: &Bound<'_, PyAny>) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let above = parameter("cone_weights", "tolerance").real(tolerance)?;
    Ok(enter(x.py(), t.numel(), || geometry::cone_weights(&t, above))?.into())
}

/// All windings up to a squared norm.
#[pyfunction]
pub(crate) fn windings(most: &Bound<'_, PyAny>, device: &Bound<'_, PyAny>) -> PyResult<State> {
    let most_norm = parameter("windings", "most").integer::<u32>(most)?;
    moved(most.py(), device, || geometry::windings(most_norm))
}

/// How many windings there are up to a squared norm.
#[pyfunction]
pub(crate) fn winding_count(most: &Bound<'_, PyAny>) -> PyResult<usize> {
    let most = parameter("winding_count", "most").integer::<u16>(most)?;
    Ok(geometry::winding_count(most.into()))
}

/// Golden weights of windings.
#[pyfunction]
pub(crate) fn winding_weights(n: &Bound<'_, PyAny>) -> PyResult<State> {
    let t = operand::tensor(n)?;
    Ok(enter(n.py(), t.numel(), || geometry::winding_weights(&t))?.into())
}

/// Generations of windings.
#[pyfunction]
pub(crate) fn golden_generations(n: &Bound<'_, PyAny>) -> PyResult<State> {
    let t = operand::tensor(n)?;
    Ok(enter(n.py(), t.numel(), || geometry::golden_generations(&t))?.into())
}

/// The sum of this name at `t`: `theta`, `theta_derivative`, `heat_kernel`, `winding_zeta`.
#[pyfunction]
pub(crate) fn winding_sum(
    name: &str,
    t: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    let words = [("plain", Weighting::Plain), ("golden", Weighting::Golden)];
    let (op, of): (&'static str, Sum) = match name {
        "theta" => ("theta", geometry::theta),
        "theta_derivative" => ("theta_derivative", geometry::theta_derivative),
        "heat_kernel" => ("heat_kernel", geometry::heat_kernel),
        _ => ("winding_zeta", |s, _| geometry::winding_zeta(s)),
    };
    let weights = parameter(op, "weights").word(weights, &words)?;
    of(parameter(op, "t").real(t)?, weights).map_err(raise)
}
