//! Transfer entropy and mutual information.

use super::exclusive::Exclusive;
use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_srt::transfer_entropy::{
    self as information, Estimates, Estimator, Histories, Information, Jitter, Past, Scaling,
    Scheme, Surrogates, TransferEntropy, Wanted,
};

/// Below this an estimate takes microseconds; each point is compared with many.
const WORK: usize = 1 << 20;

/// A scheme, given the points of a block.
type OfBlocks = fn(usize) -> Scheme;

/// What can be kept of each point, and the orders of surrogates, by their names in Python.
const KEPT: [(&str, Wanted); 3] = [
    ("local", Wanted::LOCAL),
    ("counts", Wanted::COUNTS),
    ("distances", Wanted::DISTANCES),
];
const SCHEMES: [(&str, OfBlocks); 4] = [
    ("auto", |_| Scheme::Auto),
    ("permutation", |_| Scheme::Permutation),
    ("shift", |_| Scheme::Shift),
    ("blocks", Scheme::Blocks),
];

/// Values, p-values, surrogates, points with a distance of 0, tied samples of each series with how many series each operand is and
/// their length, the name of the
/// scheme and the points of a block, local values, counts, distances.
type Found = (
    Vec<f64>,
    Vec<f64>,
    Vec<f64>,
    Vec<usize>,
    (Vec<usize>, Vec<usize>, usize),
    (Option<&'static str>, Option<usize>),
    Option<State>,
    Option<State>,
    Option<State>,
);

/// `k, window, scaling, jitter, kept, surrogates, scheme, block, seed` as they were given to `op`.
type Settings<'py> = [Bound<'py, PyAny>; 9];

fn estimator(op: &'static str, settings: &Settings<'_>) -> PyResult<Estimator> {
    let [
        k,
        window,
        scaling,
        jitter,
        kept,
        surrogates,
        scheme,
        block,
        seed,
    ] = settings;
    let keep = parameter(op, "keep");
    let mut wanted = Wanted::default();
    let names = kept
        .try_iter()
        .map_err(|_| keep.refuse(Class::ArgumentType, kept, "names of what is kept"))?;
    for name in names {
        wanted = wanted.and(keep.word(&name?, &KEPT)?);
    }
    let count = parameter(op, "surrogates").size(surrogates)?;
    let seed = parameter(op, "seed").integer(seed)?;
    let points = parameter(op, "block").size(block)?;
    let order = parameter(op, "scheme").word(scheme, &SCHEMES)?(points);
    if points != 1 && !matches!(order, Scheme::Blocks(_)) {
        let wanted = "1, unless scheme=\"blocks\"";
        return Err(parameter(op, "block").refuse(Class::Argument, block, wanted));
    }
    if count == 0 && order != Scheme::Auto {
        let wanted = "\"auto\" where there are no surrogates; hint: give surrogates=99";
        return Err(parameter(op, "scheme").refuse(Class::Argument, scheme, wanted));
    }
    let surrogates = Surrogates {
        count,
        scheme: order,
        seed,
    };
    let level = parameter(op, "jitter").real(jitter)?;
    Ok(Estimator {
        k: parameter(op, "k").size(k)?,
        window: parameter(op, "window").size(window)?,
        scaling: match parameter(op, "standardise").flag(scaling)? {
            true => Scaling::Standardised,
            false => Scaling::AsGiven,
        },
        jitter: (level != 0.0).then_some(Jitter { level, seed }),
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
        source: Past {
            length: parameter(op, "source_history").size(&source[0])?,
            step: parameter(op, "source_step").size(&source[1])?,
            delay: delays(op, &source[2])?.first().copied().unwrap_or(1),
        },
        target: past(target, ["target_history", "target_step", "delay"])?,
        condition: past(condition, ["condition_history", "step", "delay"])?,
    })
}

fn found(made: Information, rows: Rows) -> Found {
    let scheme = match made.scheme {
        Some(Scheme::Blocks(points)) => (Some("blocks"), Some(points)),
        Some(Scheme::Permutation) => (Some("permutation"), None),
        Some(Scheme::Auto | Scheme::Shift) => (Some("shift"), None),
        None => (None, None),
    };
    (
        made.values,
        made.p_values,
        made.surrogates,
        made.zero_distances,
        (made.ties, rows.each, rows.length),
        scheme,
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

/// How many series each operand is, and how long they are.
#[derive(Clone)]
struct Rows {
    each: Vec<usize>,
    length: usize,
}

impl Rows {
    fn of(x: &Tensor, others: &[Option<&Tensor>]) -> Rows {
        let count = |t: &Tensor| t.shape().iter().rev().skip(1).product();
        let others = others.iter().flatten().map(|t| count(t));
        Rows {
            each: std::iter::once(count(x)).chain(others).collect(), // few: three.
            length: x.shape().last().copied().unwrap_or(0),
        }
    }
}

/// The delay of the source: one, or a sequence of them.
fn delays(op: &'static str, given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let parameter = parameter(op, "delay");
    match given.try_iter() {
        Ok(all) => all.map(|delay| parameter.size(&delay?)).collect(),
        Err(_) => Ok(vec![parameter.size(given)?]),
    }
}

/// `TransferEntropy(source, target, condition, pasts, settings, captured)`: prepared for series like these.
#[pyclass(frozen, name = "TransferEntropy", module = "syntonic._core")]
pub(crate) struct Prepared {
    made: TransferEntropy,
    rows: Rows,
}

/// A run's estimates, which may still be computed.
#[pyclass(frozen, name = "_Estimates", module = "syntonic._core")]
pub(crate) struct Pending {
    made: Exclusive<Option<Estimates>>,
    rows: Rows,
}

#[pymethods]
impl Prepared {
    #[new]
    fn new(
        source: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        condition: Option<&Bound<'_, PyAny>>,
        pasts: Pasts<'_>,
        settings: Settings<'_>,
        captured: bool,
    ) -> PyResult<Prepared> {
        const OP: &str = "transfer_entropy";
        let (x, y, z) = operands(source, target, condition)?;
        let delays = delays(OP, &pasts[0][2])?;
        let (pasts, estimator) = (histories(OP, &pasts)?, estimator(OP, &settings)?);
        let made = enter(source.py(), WORK, || {
            let z = z.as_ref();
            let made = TransferEntropy::prepare(&x, &y, z, pasts, &delays, &estimator)?;
            if captured {
                made.capture(&x, &y, z)
            } else {
                Ok(made)
            }
        })?;
        let rows = Rows::of(&x, &[Some(&y), z.as_ref()]);
        Ok(Prepared { made, rows })
    }

    /// Runs it, without waiting for a GPU.
    fn run(
        &self,
        source: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        condition: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Pending> {
        let (x, y, z) = operands(source, target, condition)?;
        let made = enter(source.py(), WORK, || self.made.run(&x, &y, z.as_ref()))?;
        Ok(Pending {
            made: Exclusive::new("transfer_entropy", Some(made)),
            rows: self.rows.clone(),
        })
    }
}

#[pymethods]
impl Pending {
    /// On the device, `float64` `[tasks, 1 + surrogates]`.
    fn values(&self, py: Python<'_>) -> PyResult<State> {
        // A copy: what is written to it does not change what is read later.
        let values =
            |made: &mut Option<Estimates>| Some(made.as_ref()?.values().and_then(|v| v.copy()));
        let values = self.made.work(py, values)?.ok_or_else(spent)?;
        Ok(values.map_err(raise)?.into())
    }

    /// Waits and reads them, once.
    fn read(&self, py: Python<'_>) -> PyResult<Found> {
        let made = self.made.look(py)?.take().ok_or_else(spent)?;
        Ok(found(enter(py, WORK, || made.read())?, self.rows.clone()))
    }
}

fn spent() -> PyErr {
    error(
        Class::Argument,
        "transfer_entropy: these estimates were read; hint: run it again",
    )
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
    // Of several delays it would take the first.
    parameter(OP, "delay").size(&pasts[0][2])?;
    let (pasts, estimator) = (histories(OP, &pasts)?, estimator(OP, &settings)?);
    let work = || information::transfer_entropy_matrix(&x, pasts, &estimator);
    Ok(found(enter(series.py(), WORK, work)?, Rows::of(&x, &[])))
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
    let rows = Rows::of(&x, &[Some(&y), z.as_ref()]);
    Ok(found(enter(py, WORK, work)?, rows))
}
