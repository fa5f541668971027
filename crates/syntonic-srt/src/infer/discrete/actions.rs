//! From the values of policies to an action.

use super::DiscreteModel;
use super::model::probabilities;
use super::policies::Plans;
use crate::infer::types_of;
use crate::refusal::not_real;
use syntonic_core::layout::{Dims, broadcast_pair};
use syntonic_core::ops::reduce::Over;
use syntonic_core::random::Source;
use syntonic_core::{DType, Error, Result, Tensor, describe, same_device};

/// How probable each policy is, `softmax(gamma * negative_efe + ln prior)`: values `[..., policies]` and a prior `[policies]`, of equal
/// policies where none is given, `-> [..., policies]`, in the type that both promote to.
///
/// A policy whose value is minus infinity, which leads to what must not happen, has the probability 0; where all are such the posterior is
/// the prior. A `gamma` of 0 is the prior too. NaN stays NaN. Half types are computed in `float32` and rounded once.
///
/// Errors where `gamma` is negative or not finite, the prior is no distribution within `n 2^-23`, shapes do not fit, an operand is no real
/// float, or devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::discrete::policy_posterior;
///
/// let p = policy_posterior(&Tensor::from([0.0, 3f64.ln()]), 1.0, None)?.to_vec::<f64>()?;
/// assert!((p[0] - 0.25).abs() < 1e-15 && (p[1] - 0.75).abs() < 1e-15);
/// let even = policy_posterior(&Tensor::from([0.0, 3f64.ln()]), 0.0, None)?;
/// assert_eq!(even.to_vec::<f64>()?, [0.5, 0.5]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn policy_posterior(
    negative_efe: &Tensor,
    gamma: f64,
    prior: Option<&Tensor>,
) -> Result<Tensor> {
    const OP: &str = "policy_posterior";
    if !(gamma >= 0.0 && gamma.is_finite()) {
        let text = format!("gamma is 0 or positive and finite, not {gamma}");
        return Err(Error::value(OP, text));
    }
    let operands: Vec<&Tensor> = [negative_efe].into_iter().chain(prior).collect();
    let device = same_device(OP, &operands)?;
    if operands.iter().any(|t| !t.dtype().is_float()) {
        return Err(not_real(OP, &operands));
    }
    let count = negative_efe.shape().last().copied().unwrap_or(0);
    if count == 0 || prior.is_some_and(|p| p.shape() != [count]) {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&operands),
            hint: "values are [..., policies] and the prior [policies]".into(),
        });
    }
    let (dtype, computed) = types_of(&operands);
    let prior = match prior {
        Some(prior) => {
            let prior = prior.cast(computed)?;
            probabilities(OP, "the prior", &prior)?;
            prior
        }
        None => Tensor::full_on(&[count], 1.0 / count as f64, computed, &device)?,
    };
    let value = negative_efe.cast(computed)?;
    let value = match gamma > 0.0 {
        true => {
            // Less the best that is allowed: products of the others may leave the type's numbers, and that of the best does not.
            let allowed = prior.greater(0.0)?.where_cond(&value, f64::NEG_INFINITY)?;
            let best = allowed.max(Over::from(-1).keep())?;
            let behind = allowed.try_sub(&best)?;
            let behind = best.is_finite()?.where_cond(&behind, &allowed)?;
            let largest = match computed {
                DType::F32 => f64::from(f32::MAX),
                _ => f64::MAX,
            };
            behind.try_mul(gamma.min(largest))?
        }
        // Minus infinity is not taken 0 times.
        false => value.is_nan()?.where_cond(&value, 0.0)?,
    };
    let sum = value.try_add(&prior.log()?)?;
    let nothing = sum.max(Over::from(-1).keep())?.equal(f64::NEG_INFINITY)?;
    nothing.where_cond(&prior, &sum.softmax(-1)?)?.cast(dtype)
}

/// How probable each first action is, `[..., policies] -> [..., a_f]` for each factor: the sum over the policies `[policies, horizon, factors]`
/// that begin with it.
///
/// Errors where shapes do not fit, an action lies outside its factor, or types are others; policies may be anywhere.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::discrete::{DiscreteModel, action_marginals, policies};
///
/// let sensor = Tensor::from([[0.9, 0.1], [0.1, 0.9]]);
/// let switch = Tensor::from([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]);
/// let model = DiscreteModel::new(&[sensor], &[switch], None, None)?;
/// // Two actions over two steps: the first of them decides the first two policies and the last two.
/// let posterior = Tensor::from([0.125, 0.125, 0.25, 0.5]);
/// let first = action_marginals(&model, &posterior, &policies(&model, 2)?)?;
/// assert_eq!(first[0].to_vec::<f64>()?, [0.25, 0.75]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn action_marginals(
    model: &DiscreteModel,
    posterior: &Tensor,
    policies: &Tensor,
) -> Result<Vec<Tensor>> {
    const OP: &str = "action_marginals";
    if !posterior.dtype().is_float() {
        return Err(not_real(OP, &[posterior]));
    }
    let plans = Plans::of(OP, model, policies)?;
    if posterior.shape().last() != Some(&plans.count) {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[posterior, policies]),
            hint: "the posterior is [..., policies], and policies are [policies, horizon, factors]"
                .into(),
        });
    }
    let mut marginals = Vec::with_capacity(model.actions().len()); // few: factors.
    for (factor, &n) in model.actions().iter().enumerate() {
        let first = Tensor::from_vec(plans.first_actions(factor)?, &[plans.count, 1])?;
        let begins = first.equal(&Tensor::arange(0, n, 1)?)?;
        let begins = begins.cast(posterior.dtype())?.to(posterior.device())?;
        marginals.push(posterior.matmul(&begins)?);
    }
    Ok(marginals)
}

/// The most probable action of each factor, `[..., a_f]` for each `-> int64` `[..., factors]`; the first of those that are alike.
///
/// Errors where there is no factor or no action, leading axes do not broadcast, an operand is no real float, or devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::discrete::choose_action;
///
/// let marginals = [Tensor::from([0.25, 0.75]), Tensor::from([0.5, 0.25, 0.25])];
/// assert_eq!(choose_action(&marginals)?.to_vec::<i64>()?, [1, 0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn choose_action(marginals: &[Tensor]) -> Result<Tensor> {
    let agents = check(CHOOSE, marginals)?;
    let chosen = marginals
        .iter()
        .map(|t| t.argmax(-1)?.broadcast_to(&agents));
    let chosen: Vec<Tensor> = chosen.collect::<Result<_>>()?;
    Tensor::stack(&chosen.iter().collect::<Vec<_>>(), -1)
}

const CHOOSE: &str = "choose_action";

/// An action of each factor drawn with probabilities that go as `marginal^alpha`, `[..., a_f]` for each `-> int64` `[..., factors]`: an
/// `alpha` of 1 draws from the marginals themselves, larger ones keep closer to the most probable action. pymdp takes 16.
///
/// Agent `i` takes element `i * factors + f` of the generator for factor `f`: a uniform number in `float64`, at which the running sum of
/// probabilities is read. So an action depends on seed and place alone, and not on device or type. One without probability is never drawn.
///
/// Errors as those of [`choose_action`], where `alpha` is not positive and finite, and where a marginal is NaN or negative or all are 0.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::discrete::sample_action;
///
/// let certain = [Tensor::from([0.0, 1.0])];
/// let drawn = sample_action(&certain, 1.0, &mut Generator::new(7))?;
/// assert_eq!(drawn.to_vec::<i64>()?, [1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn sample_action(
    marginals: &[Tensor],
    alpha: f64,
    generator: &mut impl Source,
) -> Result<Tensor> {
    const OP: &str = "sample_action";
    if !(alpha > 0.0 && alpha.is_finite()) {
        let text = format!(
            "alpha is positive and finite, not {alpha}; choose_action takes the most probable"
        );
        return Err(Error::value(OP, text));
    }
    let agents = check(OP, marginals)?;
    let mut shape = agents.clone();
    shape.push(marginals.len());
    let mut sums = Vec::with_capacity(marginals.len()); // few: factors.
    for (factor, t) in marginals.iter().enumerate() {
        let t = t.cast(DType::F64)?;
        let most = t.max(Over::from(-1).keep())?;
        let some = most.greater(0.0)?.logical_and(&most.is_finite()?)?;
        let usable = t.greater_equal(0.0)?.logical_and(&some)?;
        if !usable.all(..)?.to_scalar::<bool>()? {
            let text = format!(
                "the marginal of factor {factor} has NaN, an infinity or a negative number, or is 0 everywhere"
            );
            return Err(Error::value(OP, text));
        }
        sums.push(t.try_div(&most)?.pow(alpha)?.cumulative_sum(-1)?);
    }
    let draws = Tensor::rand_on(&shape, DType::F64, generator, marginals[0].device())?;
    let mut drawn = Vec::with_capacity(sums.len()); // few: factors.
    for (factor, sums) in sums.iter().enumerate() {
        let all = sums.slice(-1, Some(-1), None, 1)?;
        let draw = draws.slice(-1, Some(factor as isize), Some(factor as isize + 1), 1)?;
        // A draw is below 1 by more than rounding takes, so it lies below the whole sum.
        let passed = sums.less_equal(&draw.try_mul(&all)?)?;
        drawn.push(passed.sum(-1)?.cast(DType::I64)?.broadcast_to(&agents)?);
    }
    Tensor::stack(&drawn.iter().collect::<Vec<_>>(), -1)
}

/// The axes of the agents.
fn check(op: &'static str, marginals: &[Tensor]) -> Result<Dims> {
    let operands: Vec<&Tensor> = marginals.iter().collect();
    if operands.is_empty() {
        return Err(Error::value(op, "takes the marginal of one factor or more"));
    }
    same_device(op, &operands)?;
    if operands.iter().any(|t| !t.dtype().is_float()) {
        return Err(not_real(op, &operands));
    }
    let mut agents = Some(Dims::new());
    for t in &operands {
        agents = match t.shape() {
            [before @ .., n] if *n > 0 => agents.and_then(|all| broadcast_pair(&all, before)),
            _ => None,
        };
    }
    agents.ok_or_else(|| Error::Shape {
        op,
        operands: describe(&operands),
        hint: "marginals are [..., actions] with one action or more, and [...] broadcasts".into(),
    })
}
