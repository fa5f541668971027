//! Belief updates: the mean of a Gaussian belief follows the gradient of the free energy, many steps in one launch.

pub(super) mod kernel;
mod real;
#[cfg(test)]
mod tests;

use super::{rows_of, types_of};
use crate::refusal::not_real;
use kernel::BELIEF_UPDATE;
use syntonic_core::layout::{Dims, broadcast_pair};
use syntonic_core::ops::vectors::{Operands, run_named};
use syntonic_core::{DType, Error, Result, Tensor, describe, same_device};

const OP: &str = "belief_update";

/// What an agent believes a priori.
#[derive(Clone, Copy, Debug)]
pub struct Prior<'a> {
    /// `[..., n]`, or what broadcasts to it.
    pub mean: &'a Tensor,
    /// One over the variances, `[..., n]` or what broadcasts to it.
    pub precision: &'a Tensor,
}

/// A linear model of what is observed: `o = J mu + reference`, with noise.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// `[m, n]`, shared by all agents, or `[..., m, n]`.
    pub jacobian: &'a Tensor,
    /// What is observed where all states are 0, `[..., m]`; zeros where there is none.
    pub reference: Option<&'a Tensor>,
    /// Flat where there is none.
    pub prior: Option<Prior<'a>>,
}

/// Whether the free energy before every step is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// Of every step.
    Kept,
    /// Of the last mean alone.
    Last,
}

/// How to step.
#[derive(Clone, Copy, Debug)]
pub struct Stepping {
    /// Part of the gradient that a step adds. Steps converge for rates below `2 / lambda` with the largest eigenvalue `lambda` of
    /// `J^T Pi J + Pi_p`.
    pub rate: f64,
    /// The most steps.
    pub steps: usize,
    /// Steps end where the free energy has changed by less than this; 0 takes them all.
    pub tolerance: f64,
    /// What is kept of the free energy.
    pub history: History,
}

/// How the steps of an agent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All steps were taken.
    Limit = 0,
    /// The free energy changed by less than the tolerance.
    Converged = 1,
    /// The free energy was no finite number: the mean is the last one where it was.
    Diverged = 2,
}

/// What [`belief_update`] leaves, on the device of its operands.
#[derive(Clone, Debug)]
pub struct BeliefUpdate {
    /// The mean, `[..., n]`.
    pub mean: Tensor,
    /// Steps that led to it, `int64` `[...]`.
    pub steps: Tensor,
    /// The [`Ending`] as a number, `int64` `[...]`.
    pub ending: Tensor,
    /// The Euclidean length of the last of these steps, `[...]`; 0 where none was taken.
    pub change: Tensor,
    /// The part of the free energy that depends on the mean, `[...]`.
    pub free_energy: Tensor,
    /// The same of every mean on the way, `[..., steps + 1]`, NaN behind the last.
    pub history: Option<Tensor>,
}

impl BeliefUpdate {
    /// Where the free energy has come to rest, bool `[...]`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::infer::{History, Model, Stepping, belief_update};
    ///
    /// let (mu, seen, precision) = (Tensor::from([0.0]), Tensor::from([6.0]), Tensor::from([1.0]));
    /// let jacobian = Tensor::from([[2.0]]);
    /// let model = Model { jacobian: &jacobian, reference: None, prior: None };
    /// let stepping = Stepping { rate: 0.2, steps: 1000, tolerance: 1e-12, history: History::Last };
    /// let found = belief_update(&mu, &seen, &precision, model, stepping)?;
    /// assert!(found.converged()?.to_scalar::<bool>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn converged(&self) -> Result<Tensor> {
        self.ending.equal(Ending::Converged as i64)
    }

    /// Where the steps left the finite numbers, bool `[...]`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::infer::{History, Model, Stepping, belief_update};
    ///
    /// let (mu, seen, precision) = (Tensor::from([0.0]), Tensor::from([6.0]), Tensor::from([1.0]));
    /// let jacobian = Tensor::from([[2.0]]);
    /// let model = Model { jacobian: &jacobian, reference: None, prior: None };
    /// // Steps converge for rates below 2/4.
    /// let stepping = Stepping { rate: 10.0, steps: 1000, tolerance: 1e-12, history: History::Last };
    /// let found = belief_update(&mu, &seen, &precision, model, stepping)?;
    /// assert!(found.diverged()?.to_scalar::<bool>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn diverged(&self) -> Result<Tensor> {
        self.ending.equal(Ending::Diverged as i64)
    }
}

/// The mean of a Gaussian belief after steps down the free energy at fixed variances: `mu [..., n]`, `observation` and `precision`
/// `[..., m]`, and
///
/// `mu <- mu + rate (J^T Pi (o - J mu - reference) - Pi_p (mu - mu_p))`
///
/// up to `steps` times, all in one launch. The free energy of the result is its part that depends on the mean,
/// `1/2 sum pi (o - J mu - reference)^2 + 1/2 sum pi_p (mu - mu_p)^2`; what [`free_energy`](super::free_energy) has beside it is constant
/// while variances are. Without end the steps lead to the mean that solves `(J^T Pi J + Pi_p) mu = J^T Pi (o - reference) + Pi_p mu_p`.
///
/// Steps end where the free energy has changed by less than the tolerance, and where it is no finite number: of a rate that is too
/// large, of operands that are none, and of a precision that is negative or infinite. Such an agent has the last mean whose free energy
/// was finite, or the one it began with, and [`Ending::Diverged`]; the others go on. A precision of 0 is no information.
///
/// The order of each sum depends on `m` and `n` alone, so that devices agree to the bit. `float32` and `float64`; other real floats are
/// computed in `float32` and rounded once. Errors where an operand is no real float, shapes do not fit, the rate is not positive and
/// finite, the tolerance is negative or NaN, or devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::{History, Model, Stepping, belief_update};
///
/// // 6 was seen, and a state shows twice its value.
/// let (mu, seen, precision) = (Tensor::from([0.0]), Tensor::from([6.0]), Tensor::from([1.0]));
/// let jacobian = Tensor::from([[2.0]]);
/// let model = Model { jacobian: &jacobian, reference: None, prior: None };
/// let stepping = Stepping { rate: 0.2, steps: 1000, tolerance: 1e-20, history: History::Last };
/// let found = belief_update(&mu, &seen, &precision, model, stepping)?;
/// assert!((found.mean.to_scalar::<f64>()? - 3.0).abs() < 1e-9);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn belief_update(
    mu: &Tensor,
    observation: &Tensor,
    precision: &Tensor,
    model: Model<'_>,
    stepping: Stepping,
) -> Result<BeliefUpdate> {
    let Stepping {
        rate, tolerance, ..
    } = stepping;
    if !(rate > 0.0 && rate.is_finite()) {
        return Err(Error::value(
            OP,
            format!("the rate is positive and finite, not {rate}"),
        ));
    }
    if tolerance.is_nan() || tolerance < 0.0 {
        let text = format!("the tolerance is 0 or positive, not {tolerance}; 0 takes all steps");
        return Err(Error::value(OP, text));
    }
    if stepping.steps >= 1 << 24 {
        let text = format!(
            "takes fewer than 2^24 steps, not {}; go on from the mean",
            stepping.steps
        );
        return Err(Error::value(OP, text));
    }
    let mut operands = vec![mu, model.jacobian, observation, precision]; // few: seven.
    operands.extend(model.reference);
    operands.extend(model.prior.iter().flat_map(|p| [p.mean, p.precision]));
    same_device(OP, &operands)?;
    if operands.iter().any(|t| !t.dtype().is_float()) {
        return Err(not_real(OP, &operands));
    }
    let agents = agents_of(mu, observation, precision, model).ok_or_else(|| Error::Shape {
        op: OP,
        operands: describe(&operands),
        hint: "mu is [..., n], the Jacobian [m, n] or [..., m, n], observation, precision and reference [..., m], and the prior broadcasts to [..., n]".into(),
    })?;
    launch(
        mu,
        observation,
        precision,
        (model, &operands),
        stepping,
        &agents,
    )
}

/// The axes of the agents; none where shapes do not fit.
fn agents_of(
    mu: &Tensor,
    observation: &Tensor,
    precision: &Tensor,
    model: Model<'_>,
) -> Option<Dims> {
    let [stack @ .., m, n] = model.jacobian.shape() else {
        return None;
    };
    let ends = |t: &Tensor, own: usize| t.ndim() > 0 && t.shape().last() == Some(&own);
    let fits = ends(mu, *n) && ends(observation, *m) && ends(precision, *m);
    let behind = |t: &Tensor, own: usize| {
        let full = broadcast_pair(t.shape(), &[own])?;
        (full.last() == Some(&own)).then(|| Dims::from(&full[..full.len() - 1]))
    };
    let mut all = broadcast_pair(stack, &behind(mu, *n)?)?;
    for seen in [Some(observation), Some(precision), model.reference]
        .into_iter()
        .flatten()
    {
        all = broadcast_pair(&all, &behind(seen, *m)?)?;
    }
    for prior in model.prior.iter().flat_map(|p| [p.mean, p.precision]) {
        all = broadcast_pair(&all, &behind(prior, *n)?)?;
    }
    fits.then_some(all)
}

fn launch(
    mu: &Tensor,
    observation: &Tensor,
    precision: &Tensor,
    (model, operands): (Model<'_>, &[&Tensor]),
    stepping: Stepping,
    agents: &Dims,
) -> Result<BeliefUpdate> {
    let (dtype, computed) = types_of(operands);
    let [.., m, n] = *model.jacobian.shape() else {
        return Err(Error::value(OP, "the Jacobian is a matrix"));
    };
    let none = Tensor::zeros_on(&[0], computed, mu.device())?;
    let given = |t: Option<&Tensor>, own: &[usize]| -> Result<Tensor> {
        match t {
            Some(t) => rows_of(&t.cast(computed)?, agents, own),
            None => none.eval(),
        }
    };
    // A transposed matrix in order is read as it lies.
    let jacobian = model.jacobian.cast(computed)?;
    let turned = jacobian.transpose(-2, -1)?;
    let columns = turned.is_contiguous() && !jacobian.is_contiguous();
    let jacobian = match columns {
        true => given(Some(&turned), &[n, m])?,
        false => given(Some(&jacobian), &[m, n])?,
    };
    let axis = |own: usize| -> Dims { agents.iter().copied().chain([own]).collect() };
    let kept = match stepping.history {
        History::Kept => stepping.steps + 1,
        History::Last => 0,
    };
    let prior = model.prior;
    let operands = Operands {
        inputs: &[
            ("start", &given(Some(mu), &[n])?),
            ("jacobian", &jacobian),
            ("observation", &given(Some(observation), &[m])?),
            ("precision", &given(Some(precision), &[m])?),
            ("reference", &given(model.reference, &[m])?),
            ("prior_mean", &given(prior.map(|p| p.mean), &[n])?),
            ("prior_precision", &given(prior.map(|p| p.precision), &[n])?),
        ],
        outputs: &[
            ("means", &axis(n), computed),
            ("steps", agents, DType::I64),
            ("endings", agents, DType::I64),
            ("change", agents, computed),
            ("energy", agents, computed),
            ("history", &axis(kept), computed),
        ],
        numbers: &[
            ("agents", agents.iter().product::<usize>().into()),
            ("m", m.into()),
            ("n", n.into()),
            ("most", stepping.steps.into()),
            ("by_columns", columns.into()),
            ("rate", stepping.rate.into()),
            ("tolerance", stepping.tolerance.into()),
        ],
        lists: &[],
    };
    // SAFETY: shapes, types and numbers are those that the kernel asks for.
    let mut made = unsafe { run_named(&BELIEF_UPDATE, &operands)? };
    Ok(BeliefUpdate {
        mean: made.take("means")?.cast(dtype)?,
        steps: made.take("steps")?,
        ending: made.take("endings")?,
        change: made.take("change")?.cast(dtype)?,
        free_energy: made.take("energy")?.cast(dtype)?,
        history: match stepping.history {
            History::Kept => Some(made.take("history")?.cast(dtype)?),
            History::Last => None,
        },
    })
}
