//! What policies are worth: how much their outcomes are liked, and how much they tell.

use super::policies::Plans;
use super::states::check_beliefs;
use super::{DiscreteModel, agents_of, lengths, rows, together};
use syntonic_core::ops::row_operators::entropy;
use syntonic_core::{Result, Tensor, interrupt, room, same_device};

/// Values of policies in nats, `[..., policies]` each; larger is better.
#[derive(Clone, Debug)]
pub struct PolicyValues {
    /// Minus the expected free energy: `utility + information_gain`, what pymdp calls `neg_efe` or G.
    pub negative_efe: Tensor,
    /// The expected preference, summed over steps and modalities.
    pub utility: Tensor,
    /// How much outcomes are expected to tell about states, summed over steps and modalities; never negative.
    pub information_gain: Tensor,
}

/// What each policy is expected to bring: beliefs `[..., s_f]` for each factor and policies `[policies, horizon, factors]` as integers
/// `-> [..., policies]` three times.
///
/// At each step of a policy, with the predicted states `q(s)` and outcomes `q(o) = sum over s of p(o | s) q(s)` of each modality:
///
/// `utility = sum of q(o) C(o)`, `information gain = H[q(o)] - sum over s of q(s) H[p(o | s)]`, both summed over modalities and steps.
///
/// The information gain is the Bayesian surprise that is expected of an outcome, its mutual information with the states. `0 ln 0` is 0,
/// and so is `0 C` for a preference of minus infinity. What policies share from their beginnings on is computed once, so all policies of a
/// horizon cost as much as their last steps.
///
/// Errors where a belief is missing, shapes do not fit, an action lies outside its factor, preferences are given for fewer steps than the
/// policies have, types are others, or devices differ; policies may be anywhere.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::discrete::{DiscreteModel, expected_free_energy, policies};
///
/// // What is seen is where one is, and the second action changes it. The second place is liked by 3 nats more.
/// let sensor = Tensor::from([[1.0, 0.0], [0.0, 1.0]]);
/// let switch = Tensor::from([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]);
/// let model = DiscreteModel::new(&[sensor], &[switch], Some(&[Tensor::from([0.0, 3.0])]), None)?;
/// let values = expected_free_energy(&model, &[Tensor::from([1.0, 0.0])], &policies(&model, 1)?)?;
/// assert_eq!(values.utility.to_vec::<f64>()?, [0.0, 3.0]);
/// assert_eq!(values.information_gain.to_vec::<f64>()?, [0.0, 0.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn expected_free_energy(
    model: &DiscreteModel,
    beliefs: &[Tensor],
    policies: &Tensor,
) -> Result<PolicyValues> {
    const OP: &str = "expected_free_energy";
    check_beliefs(OP, model, beliefs)?;
    let plans = Plans::of(OP, model, policies)?;
    let operands: Vec<(&Tensor, usize)> = beliefs.iter().map(|t| (t, 1)).collect();
    let agents = agents_of(
        OP,
        &operands,
        "beliefs are [..., states], and [...] broadcasts",
    )?;
    let all: Vec<&Tensor> = beliefs.iter().chain([&model.initial()[0]]).collect(); // few: factors.
    let device = same_device(OP, &all)?;
    let count: usize = agents.iter().product();
    // [beginnings, agents, states] of each factor, and [beginnings, agents] of what has come together; at first of no step.
    let mut states = Vec::with_capacity(beliefs.len()); // few: factors.
    for belief in beliefs {
        let belief = rows(&belief.cast(model.dtype())?, &agents, 1)?;
        states.push(belief.expand_dims(&[0])?);
    }
    let nothing = Tensor::zeros_on(&[1, count], model.dtype(), &device)?.eval()?;
    let (mut utility, mut gain) = (nothing.clone(), nothing);
    let outcomes = model.likelihood().t()?;
    let mut beginnings = plans.beginnings()?;
    for step in 0..plans.horizon {
        interrupt::poll()?;
        let level = beginnings.step(step)?;
        let many = level.parents.len();
        for (factor, state) in states.iter_mut().enumerate() {
            let (own, choices) = (model.states()[factor], model.actions()[factor]);
            // Under every action, which a horizon's policies all take.
            let before = state.shape()[0];
            let under = state.reshape(&lengths(&[before * count, own]))?;
            let under = under.matmul(model.transition(factor))?;
            let under = under.reshape(&lengths(&[before, count, choices, own]))?;
            let under = under.permute(&[0, 2, 1, 3])?;
            let under = under.reshape(&lengths(&[before * choices, count, own]))?;
            let mut from = room::empty(many)?;
            let pairs = level.parents.iter().zip(&level.actions[factor]);
            from.extend(pairs.map(|(&parent, &action)| parent * choices as i64 + action));
            let from = Tensor::from_vec(from, &[many])?.to(&device)?;
            *state = under.take(&from, 0)?.eval()?;
        }
        let joint =
            together(&states)?.reshape(&lengths(&[many * count, model.ambiguity().numel()]))?;
        let shown = joint.matmul(&outcomes)?.eval()?;
        let told = entropy(&shown)?.try_sub(&joint.matmul(model.ambiguity())?)?;
        let liked = shown.try_mul(&model.preferences(OP, step)?)?;
        let liked = shown.equal(0.0)?.where_cond(0.0, &liked)?.sum(-1)?;
        let parents = Tensor::from_vec(level.parents, &[many])?.to(&device)?;
        let shape = lengths(&[many, count]);
        // Rounding alone makes it negative.
        let told = told.maximum(0.0)?.reshape(&shape)?;
        gain = gain.take(&parents, 0)?.try_add(&told)?.eval()?;
        utility = utility
            .take(&parents, 0)?
            .try_add(&liked.reshape(&shape)?)?
            .eval()?;
    }
    let ends = Tensor::from_vec(beginnings.ends()?, &[plans.count])?.to(&device)?;
    let each = |t: &Tensor| -> Result<Tensor> {
        let shape: Vec<usize> = agents.iter().copied().chain([plans.count]).collect(); // few: axes.
        t.take(&ends, 0)?.t()?.reshape(&lengths(&shape))?.eval()
    };
    let (utility, information_gain) = (each(&utility)?, each(&gain)?);
    Ok(PolicyValues {
        negative_efe: utility.try_add(&information_gain)?,
        utility,
        information_gain,
    })
}
