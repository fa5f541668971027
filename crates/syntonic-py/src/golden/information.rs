//! Transfer entropy and mutual information.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::Class;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_srt::transfer_entropy::{
    self as information, Estimator, Histories, Information, Past, Scaling, Scheme, Surrogates,
    Wanted,
};

/// Below this an estimate takes microseconds; each point is compared with many.
const WORK: usize = 1 << 20;

/// What can be kept of each point, and the orders of surrogates, by their names in Python.
const KEPT: [(&str, Wanted); 3] = [
    ("local", Wanted::LOCAL),
    ("counts", Wanted::COUNTS),
    ("distances", Wanted::DISTANCES),
];
const SCHEMES: [(&str, Scheme); 2] = [
    ("permutation", Scheme::Permutation),
    ("shift", Scheme::Shift),
];

/// Values, p-values, surrogates, points with a distance of 0, local values, counts, distances.
type Found = (
    Vec<f64>,
    Vec<f64>,
    Vec<f64>,
    Vec<usize>,
    Option<State>,
    Option<State>,
    Option<State>,
);

/// `k, window, scaling, kept, surrogates, scheme, seed` as they were given to `op`.
type Settings<'py> = [Bound<'py, PyAny>; 7];

fn estimator(op: &'static str, settings: &Settings<'_>) -> PyResult<Estimator> {
    let [k, window, scaling, kept, surrogates, scheme, seed] = settings;
    let keep = parameter(op, "keep");
    let mut wanted = Wanted::default();
    let names = kept
        .try_iter()
        .map_err(|_| keep.refuse(Class::ArgumentType, kept, "names of what is kept"))?;
    for name in names {
        wanted = wanted.and(keep.word(&name?, &KEPT)?);
    }
    let count = parameter(op, "surrogates").size(surrogates)?;
    let surrogates = Surrogates {
        count,
        scheme: parameter(op, "scheme").word(scheme, &SCHEMES)?,
        seed: parameter(op, "seed").integer(seed)?,
    };
    Ok(Estimator {
        k: parameter(op, "k").size(k)?,
        window: parameter(op, "window").size(window)?,
        scaling: match parameter(op, "standardise").flag(scaling)? {
            true => Scaling::Standardised,
            false => Scaling::AsGiven,
        },
        wanted,
        surrogates: (count > 0).then_some(surrogates),
    })
}

/// Length, step and delay of the pasts of source, target and condition, as they were given.
type Pasts<'py> = [[Bound<'py, PyAny>; 3]; 3];

fn histories(op: &'static str, pasts: &Pasts<'_>) -> PyResult<Histories> {
    let past = |[length, step, delay]: &[Bound<'_, PyAny>; 3], names: [&'static str; 3]| {
        Ok::<_, PyErr>(Past {
            length: parameter(op, names[0]).size(length)?,
            step: parameter(op, names[1]).size(step)?,
            delay: parameter(op, names[2]).size(delay)?,
        })
    };
    let [source, target, condition] = pasts;
    Ok(Histories {
        source: past(source, ["source_history", "source_step", "delay"])?,
        target: past(target, ["target_history", "target_step", "delay"])?,
        condition: past(condition, ["condition_history", "step", "delay"])?,
    })
}

fn found(made: Information) -> Found {
    (
        made.values,
        made.p_values,
        made.surrogates,
        made.zero_distances,
        made.local.map(State::from),
        made.counts.map(State::from),
        made.distances.map(State::from),
    )
}

fn operands(
    x: &Bound<'_, PyAny>,
    y: &Bound<'_, PyAny>,
    condition: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Tensor, Tensor, Option<Tensor>)> {
    let x = operand::tensor(x)?;
    let y = operand::tensor_beside(y, &x)?;
    let condition = condition
        .map(|c| operand::tensor_beside(c, &x))
        .transpose()?;
    Ok((x, y, condition))
}

/// `transfer_entropy(source, target, condition, histories, settings)`.
#[pyfunction]
pub(crate) fn transfer_entropy(
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    condition: Option<&Bound<'_, PyAny>>,
    pasts: Pasts<'_>,
    settings: Settings<'_>,
) -> PyResult<Found> {
    const OP: &str = "transfer_entropy";
    let (x, y, z) = operands(source, target, condition)?;
    let (pasts, estimator) = (histories(OP, &pasts)?, estimator(OP, &settings)?);
    let work = || information::transfer_entropy(&x, &y, z.as_ref(), pasts, &estimator);
    Ok(found(enter(source.py(), WORK, work)?))
}

/// `transfer_entropy_matrix(series, histories, settings)`.
#[pyfunction]
pub(crate) fn transfer_entropy_matrix(
    series: &Bound<'_, PyAny>,
    pasts: Pasts<'_>,
    settings: Settings<'_>,
) -> PyResult<Found> {
    const OP: &str = "transfer_entropy_matrix";
    let x = operand::tensor(series)?;
    let (pasts, estimator) = (histories(OP, &pasts)?, estimator(OP, &settings)?);
    let work = || information::transfer_entropy_matrix(&x, pasts, &estimator);
    Ok(found(enter(series.py(), WORK, work)?))
}

/// `mutual_information(x, y, condition, settings)`.
#[pyfunction]
pub(crate) fn mutual_information(
    x: &Bound<'_, PyAny>,
    y: &Bound<'_, PyAny>,
    condition: Option<&Bound<'_, PyAny>>,
    settings: Settings<'_>,
) -> PyResult<Found> {
    let py = x.py();
    let op = match condition {
        Some(_) => "conditional_mutual_information",
        None => "mutual_information",
    };
    let (x, y, z) = operands(x, y, condition)?;
    let estimator = estimator(op, &settings)?;
    let work = || information::mutual_information(&x, &y, z.as_ref(), &estimator);
    Ok(found(enter(py, WORK, work)?))
}
