//! Beliefs about hidden states: after an observation, and one action later.

use super::{DiscreteModel, agents_back, agents_of, along, rows, together};
use crate::infer::{FreeEnergy, categorical_kl_divergence};
use std::sync::Arc;
use syntonic_core::layout::Dims;
use syntonic_core::{
    DType, Device, Error, Result, Tensor, describe, interrupt, same_device, way_out,
};

/// How beliefs of several factors are made to fit each other; one factor needs no sweep.
#[derive(Clone, Copy, Debug)]
pub struct Sweeps {
    /// The most sweeps over all factors, one at least.
    pub most: usize,
    /// An agent is done where a sweep moves none of its probabilities by as much as this; 0 takes all sweeps.
    pub tolerance: f64,
}

impl Default for Sweeps {
    /// 64 sweeps, to within `1e-6`.
    fn default() -> Sweeps {
        Sweeps {
            most: 64,
            tolerance: 1e-6,
        }
    }
}

/// What [`infer_states`] finds, each part with a number for each agent.
#[derive(Clone, Debug)]
pub struct States {
    /// The belief about each factor, `[..., s_f]`.
    pub beliefs: Vec<Tensor>,
    /// Variational free energy in nats and its parts, `[...]`. With one factor it is minus the logarithm of the evidence.
    pub free_energy: FreeEnergy,
    /// Where no state that the prior allows can show what was seen, bool `[...]`: beliefs are the prior, and the free energy is infinite.
    pub impossible: Tensor,
    /// Where the last sweep moved beliefs by less than the tolerance, bool `[...]`; true with one factor.
    pub converged: Tensor,
}

/// Beliefs about the hidden states after an observation: for each modality outcomes `[...]` as integers from 0, or distributions over them
/// `[..., obs_m]` as floats `-> [..., s_f]` for each factor, with the free energy `[...]`. The prior is `[..., s_f]` for each factor, that of
/// the model where none is given. Operands broadcast.
///
/// With one factor the posterior is exact, `softmax(ln p(s) + ln p(o | s))`. With several the belief is the product that has the
/// least free energy near equal beliefs: from those each factor in turn takes `softmax(ln p(s_f) + E[ln p(o | s)])`, expected over the
/// others, which never raises the free energy. A likelihood of 0 counts there as `2^-52`, as in pymdp, which takes
/// the factors of a sweep together and finds the same beliefs where both come to rest.
///
/// A distribution adds `sum of p(o) ln p(o | s)`; one of zeros adds nothing, as if that modality was not looked at. An agent
/// at rest stays there, whatever others of the call need. NaN in a prior or a distribution stays NaN, and neither is normalised.
///
/// Errors where a part is missing, shapes do not fit, an outcome lies outside its modality, numbers are neither integers nor floats, there
/// is no sweep, the tolerance is negative or NaN, or devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::discrete::{DiscreteModel, Sweeps, infer_states};
///
/// let sensor = Tensor::from([[0.9, 0.1], [0.1, 0.9]]);
/// let stay = Tensor::from([[[1.0], [0.0]], [[0.0], [1.0]]]);
/// let model = DiscreteModel::new(&[sensor], &[stay], None, None)?;
/// // Three agents see outcomes 0, 1 and 0.
/// let seen = infer_states(&model, &[Tensor::from([0, 1, 0])], None, Sweeps::default())?;
/// let first = seen.beliefs[0].index((.., 0))?.to_vec::<f64>()?;
/// assert!(first.iter().zip([0.9, 0.1, 0.9]).all(|(got, want)| (got - want).abs() < 1e-15));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn infer_states(
    model: &DiscreteModel,
    observations: &[Tensor],
    prior: Option<&[Tensor]>,
    sweeps: Sweeps,
) -> Result<States> {
    const OP: &str = "infer_states";
    if sweeps.most == 0 || sweeps.tolerance.is_nan() || sweeps.tolerance < 0.0 {
        let text = format!(
            "takes one sweep or more, and a tolerance of 0 or more, not {} and {}",
            sweeps.most, sweeps.tolerance
        );
        return Err(Error::value(OP, text));
    }
    let prior = prior.unwrap_or(model.initial());
    if observations.len() != model.outcomes().len() {
        let text = format!(
            "{} observations for {} modalities; give one for each, a distribution of zeros where none was made",
            observations.len(),
            model.outcomes().len()
        );
        return Err(Error::value(OP, text));
    }
    check_beliefs(OP, model, prior)?;
    let mut operands: Vec<(&Tensor, usize)> = prior.iter().map(|t| (t, 1)).collect();
    for (modality, (t, n)) in observations.iter().zip(model.outcomes()).enumerate() {
        let dtype = t.dtype();
        if dtype.is_integer() {
            operands.push((t, 0));
        } else if dtype.is_float() && t.shape().last() == Some(n) {
            operands.push((t, 1));
        } else if dtype.is_float() {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[t]),
                hint: format!(
                    "observation {modality} is [..., {n}] as a distribution, or integers [...]"
                ),
            });
        } else {
            return Err(Error::DType {
                op: OP,
                operands: describe(&[t]),
                hint: format!(
                    "an observation is of integers or floats; {}",
                    way_out::CONVERT
                ),
            });
        }
    }
    let agents = agents_of(
        OP,
        &operands,
        "outcomes are [...], distributions [..., outcomes] and priors [..., states], and [...] broadcasts",
    )?;
    device_of(OP, model, &operands)?;
    let mut seen = Vec::with_capacity(observations.len()); // few: modalities.
    for (t, own) in &operands[prior.len()..] {
        seen.push(rows(t, &agents, *own)?);
    }
    let mut p = Vec::with_capacity(prior.len()); // few: factors.
    for t in prior {
        p.push(rows(&t.cast(model.dtype())?, &agents, 1)?);
    }
    let found = posterior(OP, model, &seen, &p, sweeps)?;
    let beliefs = found.beliefs.iter().map(|t| agents_back(t, &agents));
    let back = |t: &Tensor| agents_back(t, &agents);
    Ok(States {
        beliefs: beliefs.collect::<Result<_>>()?,
        free_energy: FreeEnergy {
            free_energy: back(&found.free_energy.free_energy)?,
            complexity: back(&found.free_energy.complexity)?,
            accuracy: back(&found.free_energy.accuracy)?,
        },
        impossible: back(&found.impossible)?,
        converged: back(&found.converged)?,
    })
}

/// An error unless there is a belief of floats for each factor, `[..., s_f]`.
pub(super) fn check_beliefs(
    op: &'static str,
    model: &DiscreteModel,
    beliefs: &[Tensor],
) -> Result<()> {
    if beliefs.len() != model.states().len() {
        let text = format!(
            "{} beliefs for {} factors; give one for each",
            beliefs.len(),
            model.states().len()
        );
        return Err(Error::value(op, text));
    }
    for (factor, (t, n)) in beliefs.iter().zip(model.states()).enumerate() {
        if !t.dtype().is_float() {
            return Err(crate::refusal::not_real(op, &[t]));
        }
        if t.shape().last() != Some(n) {
            return Err(Error::Shape {
                op,
                operands: describe(&[t]),
                hint: format!("the belief about factor {factor} is [..., {n}]"),
            });
        }
    }
    Ok(())
}

/// As [`infer_states`], for one axis of agents.
fn posterior(
    op: &'static str,
    model: &DiscreteModel,
    seen: &[Tensor],
    prior: &[Tensor],
    sweeps: Sweeps,
) -> Result<States> {
    let log_prior: Vec<Tensor> = prior.iter().map(Tensor::log).collect::<Result<_>>()?;
    let exact = log_likelihood(op, model, seen, Zeros::Excluded)?;
    let own: Vec<isize> = (1..=prior.len() as isize).collect(); // few: factors.
    let mut both = exact.clone();
    for (factor, t) in log_prior.iter().enumerate() {
        both = both.try_add(&along(t, factor, prior.len())?)?;
    }
    let impossible = both.max(&own[..])?.equal(f64::NEG_INFINITY)?.eval()?;
    let mut fits = exact;
    let (mut beliefs, converged);
    if let [_] = prior {
        beliefs = vec![both.softmax(-1)?]; // few: one.
        converged = impossible.logical_or(true)?;
    } else {
        fits = log_likelihood(op, model, seen, Zeros::AsEpsilon)?;
        (beliefs, converged) = swept(&fits, &log_prior, sweeps)?;
    }
    let excluded = impossible.expand_dims(&[-1])?;
    for (belief, prior) in beliefs.iter_mut().zip(prior) {
        *belief = excluded.where_cond(prior, &*belief)?.eval()?;
    }
    let mut complexity: Option<Tensor> = None;
    for (belief, prior) in beliefs.iter().zip(prior) {
        let apart = categorical_kl_divergence(belief, prior)?;
        complexity = Some(match complexity {
            None => apart,
            Some(all) => all.try_add(&apart)?,
        });
    }
    let joint = together(&beliefs)?;
    let terms = joint.equal(0.0)?.where_cond(0.0, &joint.try_mul(&fits)?)?;
    let accuracy = impossible
        .where_cond(f64::NEG_INFINITY, &terms.sum(&own[..])?)?
        .eval()?;
    let complexity = complexity.unwrap_or(accuracy.clone());
    Ok(States {
        beliefs,
        free_energy: FreeEnergy {
            free_energy: complexity.try_sub(&accuracy)?,
            complexity,
            accuracy,
        },
        impossible,
        converged,
    })
}

/// What a likelihood of 0 is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeros {
    /// Its logarithm is minus infinity.
    Excluded,
    /// It is 2^-52: a product of beliefs would else exclude all states that may go with an excluded one.
    AsEpsilon,
}

/// The logarithm of how probable the observations of all modalities are, `[agents, s_1, .., s_F]`.
fn log_likelihood(
    op: &'static str,
    model: &DiscreteModel,
    seen: &[Tensor],
    zeros: Zeros,
) -> Result<Tensor> {
    let mut sum: Option<Tensor> = None;
    let mut first = 0;
    for (modality, (t, &n)) in seen.iter().zip(model.outcomes()).enumerate() {
        let (from, to) = (first as isize, (first + n) as isize);
        first += n;
        let shown = model.likelihood().slice(0, Some(from), Some(to), 1)?;
        let shown = match zeros {
            Zeros::Excluded => shown,
            Zeros::AsEpsilon => shown.maximum(f64::EPSILON)?,
        };
        let log = shown.log()?;
        let term = if t.dtype().is_integer() {
            within(op, "observation", modality, t, n)?;
            log.take(t, 0)?
        } else {
            let t = t.cast(model.dtype())?;
            let excluded = shown.equal(0.0)?;
            let term = t.matmul(&excluded.where_cond(0.0, &log)?)?;
            let hit = t.matmul(&excluded.cast(model.dtype())?)?;
            hit.greater(0.0)?.where_cond(f64::NEG_INFINITY, &term)?
        };
        sum = Some(match sum {
            None => term,
            Some(all) => all.try_add(&term)?,
        });
    }
    let sum = sum.ok_or_else(|| Error::value(op, "a model has a modality"))?;
    let mut shape = vec![sum.shape()[0]]; // few: factors.
    shape.extend(model.states());
    sum.reshape(&super::lengths(&shape))?.eval()
}

/// An error where integers lie outside `0..n`.
pub(super) fn within(
    op: &'static str,
    what: &str,
    which: usize,
    t: &Tensor,
    n: usize,
) -> Result<()> {
    if t.numel() == 0 {
        return Ok(());
    }
    let (least, most) = (t.min(..)?.item()?, t.max(..)?.item()?);
    let outside = [least, most]
        .map(|x| x.to_i128())
        .into_iter()
        .find(|x| !(0..n as i128).contains(x));
    outside.map_or(Ok(()), |x| {
        let text = format!(
            "{what} {which} has the number {x}; it goes from 0 to {}",
            n - 1
        );
        Err(Error::value(op, text))
    })
}

/// Beliefs that fit each other, from equal ones, and where they came to rest.
fn swept(fits: &Tensor, log_prior: &[Tensor], sweeps: Sweeps) -> Result<(Vec<Tensor>, Tensor)> {
    let factors = log_prior.len();
    let mut beliefs = Vec::with_capacity(factors); // few: factors.
    for t in log_prior {
        let alike = 1.0 / t.shape()[1] as f64;
        let belief = Tensor::full_on(t.shape(), alike, t.dtype(), t.device())?;
        beliefs.push(belief.eval()?);
    }
    let agents = &fits.shape()[..1];
    let mut moving = Tensor::full_on(agents, true, DType::Bool, fits.device())?.eval()?;
    for _ in 0..sweeps.most {
        interrupt::poll()?;
        let mut moved: Option<Tensor> = None;
        for factor in 0..factors {
            let mut expected = fits.clone();
            for (other, belief) in beliefs.iter().enumerate().filter(|(f, _)| *f != factor) {
                expected = expected.try_mul(&along(belief, other, factors)?)?;
            }
            let others: Vec<isize> = (0..factors)
                .filter(|f| *f != factor)
                .map(|f| f as isize + 1)
                .collect(); // few: factors.
            let next = expected
                .sum(&others[..])?
                .try_add(&log_prior[factor])?
                .softmax(-1)?;
            // An agent at rest stays there, whatever others of the call need.
            let next = moving
                .expand_dims(&[-1])?
                .where_cond(&next, &beliefs[factor])?
                .eval()?;
            let by = next.try_sub(&beliefs[factor])?.abs()?.max(-1)?;
            moved = Some(match moved {
                None => by,
                Some(most) => most.maximum(&by)?,
            });
            beliefs[factor] = next;
        }
        let Some(moved) = moved.filter(|_| sweeps.tolerance > 0.0) else {
            continue;
        };
        moving = moved.less(sweeps.tolerance)?.logical_not()?.eval()?;
        if !moving.any(..)?.to_scalar::<bool>()? {
            break;
        }
    }
    Ok((beliefs, moving.logical_not()?))
}

/// The device of a model and of all operands.
fn device_of(
    op: &'static str,
    model: &DiscreteModel,
    operands: &[(&Tensor, usize)],
) -> Result<Arc<dyn Device>> {
    let given = operands.iter().map(|(t, _)| *t);
    let all: Vec<&Tensor> = given.chain([&model.initial()[0]]).collect();
    same_device(op, &all)
}

/// Beliefs one action later, `q'(s') = sum over s of p(s' | s, a) q(s)`: `[..., s_f]` for each factor and actions `[..., factors]` as integers
/// `-> [..., s_f]` for each factor, which are the prior of the next observation. Leading axes broadcast, so that agents may share an action.
///
/// Errors where a belief is missing, shapes do not fit, an action lies outside its factor, types are others, or devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::discrete::{DiscreteModel, predict_states};
///
/// let sensor = Tensor::from([[0.9, 0.1], [0.1, 0.9]]);
/// let switch = Tensor::from([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]);
/// let model = DiscreteModel::new(&[sensor], &[switch], None, None)?;
/// let belief = [Tensor::from([0.75, 0.25])];
/// let after = predict_states(&model, &belief, &Tensor::from([1]))?;
/// assert_eq!(after[0].to_vec::<f64>()?, [0.25, 0.75]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn predict_states(
    model: &DiscreteModel,
    beliefs: &[Tensor],
    actions: &Tensor,
) -> Result<Vec<Tensor>> {
    const OP: &str = "predict_states";
    check_beliefs(OP, model, beliefs)?;
    let factors = model.states().len();
    if !actions.dtype().is_integer() {
        return Err(Error::DType {
            op: OP,
            operands: describe(&[actions]),
            hint: format!("actions are integers; {}", way_out::CONVERT),
        });
    }
    if actions.shape().last() != Some(&factors) {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[actions]),
            hint: format!("actions are [..., {factors}], one for each factor"),
        });
    }
    let mut operands: Vec<(&Tensor, usize)> = beliefs.iter().map(|t| (t, 1)).collect();
    operands.push((actions, 1));
    let agents = agents_of(
        OP,
        &operands,
        "beliefs are [..., states] and actions [..., factors], and [...] broadcasts",
    )?;
    let device = device_of(OP, model, &operands)?;
    let count: usize = agents.iter().product();
    let actions = rows(&actions.cast(DType::I64)?, &agents, 1)?;
    let each = Tensor::arange(0, count, 1)?.to(&device)?;
    let mut next = Vec::with_capacity(factors); // few: factors.
    for (factor, belief) in beliefs.iter().enumerate() {
        let (states, choices) = (model.states()[factor], model.actions()[factor]);
        let action = actions.select(1, factor as i64)?;
        within(OP, "the action of factor", factor, &action, choices)?;
        let belief = rows(&belief.cast(model.dtype())?, &agents, 1)?;
        // Under every action, and then that of the agent: one product, in which no agent has matrices of its own.
        let under = belief.matmul(model.transition(factor))?;
        let under = under.reshape(&[(count * choices) as isize, states as isize])?;
        let row = each.try_mul(choices as i64)?.try_add(&action)?;
        let belief = under.take(&row, 0)?;
        let shape: Dims = agents.iter().copied().chain([states]).collect();
        next.push(belief.reshape(&super::lengths(&shape))?);
    }
    Ok(next)
}
