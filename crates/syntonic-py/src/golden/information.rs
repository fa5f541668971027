//! Transfer entropy and mutual information.

use crate::enter::enter;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::{Error, Tensor};
use syntonic_srt::transfer_entropy::{
    self as information, Estimator, Histories, Information, Past, Scaling, Scheme, Surrogates,
    Wanted,
};

/// Below this an estimate takes microseconds; each point is compared with many.
const WORK: usize = 1 << 20;

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

/// `k, window, scaling, kept, surrogates, scheme, seed`, whose words the layer above has checked.
#[derive(FromPyObject)]
pub(crate) struct Settings(usize, usize, bool, Vec<String>, usize, String, u64);

impl Settings {
    fn estimator(&self) -> Result<Estimator, Error> {
        let mut wanted = Wanted::default();
        for name in &self.3 {
            wanted = wanted.and(match name.as_str() {
                "local" => Wanted::LOCAL,
                "counts" => Wanted::COUNTS,
                "distances" => Wanted::DISTANCES,
                other => return Err(unknown("keep", other, "local, counts, distances")),
            });
        }
        let scheme = match self.5.as_str() {
            "permutation" => Scheme::Permutation,
            "shift" => Scheme::Shift,
            other => return Err(unknown("scheme", other, "permutation, shift")),
        };
        Ok(Estimator {
            k: self.0,
            window: self.1,
            scaling: match self.2 {
                true => Scaling::Standardised,
                false => Scaling::AsGiven,
            },
            wanted,
            surrogates: (self.4 > 0).then_some(Surrogates {
                count: self.4,
                scheme,
                seed: self.6,
            }),
        })
    }
}

fn unknown(what: &'static str, given: &str, known: &str) -> Error {
    Error::value(what, format!("{given:?} is none of {known}"))
}

fn past([length, step, delay]: [usize; 3]) -> Past {
    Past {
        length,
        step,
        delay,
    }
}

fn histories([source, target, condition]: [[usize; 3]; 3]) -> Histories {
    Histories {
        source: past(source),
        target: past(target),
        condition: past(condition),
    }
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
    pasts: [[usize; 3]; 3],
    settings: Settings,
) -> PyResult<Found> {
    let (x, y, z) = operands(source, target, condition)?;
    let work = || {
        let estimator = settings.estimator()?;
        information::transfer_entropy(&x, &y, z.as_ref(), histories(pasts), &estimator)
    };
    Ok(found(enter(source.py(), WORK, work)?))
}

/// `transfer_entropy_matrix(series, histories, settings)`.
#[pyfunction]
pub(crate) fn transfer_entropy_matrix(
    series: &Bound<'_, PyAny>,
    pasts: [[usize; 3]; 3],
    settings: Settings,
) -> PyResult<Found> {
    let x = operand::tensor(series)?;
    let work = || {
        let estimator = settings.estimator()?;
        information::transfer_entropy_matrix(&x, histories(pasts), &estimator)
    };
    Ok(found(enter(series.py(), WORK, work)?))
}

/// `mutual_information(x, y, condition, settings)`.
#[pyfunction]
pub(crate) fn mutual_information(
    x: &Bound<'_, PyAny>,
    y: &Bound<'_, PyAny>,
    condition: Option<&Bound<'_, PyAny>>,
    settings: Settings,
) -> PyResult<Found> {
    let py = x.py();
    let (x, y, z) = operands(x, y, condition)?;
    let work = || {
        let estimator = settings.estimator()?;
        information::mutual_information(&x, &y, z.as_ref(), &estimator)
    };
    Ok(found(enter(py, WORK, work)?))
}
