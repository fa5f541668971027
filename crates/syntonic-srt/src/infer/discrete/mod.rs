//! Active inference over discrete states: what is hidden, given what was seen, and which actions to take.
//!
//! A [`DiscreteModel`] has modalities of outcomes and factors of hidden states. [`infer_states`] finds a belief for each factor,
//! [`predict_states`] carries beliefs forward, [`expected_free_energy`] values sequences of actions by what they are expected to bring and
//! to tell, and [`policy_posterior`], [`action_marginals`] and [`choose_action`] or [`sample_action`] make an action of the values. All of
//! it takes many agents that share a model: their axes lead. It is made of core's tensor operations alone, so every device has it,
//! and gradients flow through all but the choice of an action: from beliefs, and from the numbers of the model.
//!
//! Conventions are those of pymdp: values are negative expected free energies, `-G = utility + information gain`, in nats. Source:
//! L. Da Costa et al., "Active inference on discrete state-spaces: a synthesis", *Journal of Mathematical Psychology* 99 (2020);
//! C. Heins et al., "pymdp: a Python library for active inference in discrete state spaces", *Journal of Open Source Software* 7 (2022).
//!
//! ```
//! use syntonic_core::{DType, Tensor};
//! use syntonic_srt::infer::discrete::*;
//!
//! // A light is on or off, a sensor is right nine times of ten, and the second action turns the light over. Light is preferred.
//! let sensor = Tensor::from([[0.9, 0.1], [0.1, 0.9]]);
//! let switch = Tensor::from([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]);
//! let model = DiscreteModel::new(&[sensor], &[switch], Some(&[Tensor::from([0.0, 2.0])]), None)?;
//!
//! let seen = infer_states(&model, &[Tensor::scalar(0, DType::I64)?], None, Sweeps::default())?;
//! assert!((seen.beliefs[0].to_vec::<f64>()?[0] - 0.9).abs() < 1e-15);
//! assert!((seen.free_energy.free_energy.to_scalar::<f64>()? - 2f64.ln()).abs() < 1e-15);
//!
//! let plans = policies(&model, 1)?;
//! let values = expected_free_energy(&model, &seen.beliefs, &plans)?;
//! let posterior = policy_posterior(&values.negative_efe, 16.0, None)?;
//! let action = choose_action(&action_marginals(&model, &posterior, &plans)?)?;
//! assert_eq!(action.to_vec::<i64>()?, [1]);
//! let next = predict_states(&model, &seen.beliefs, &action)?;
//! assert!((next[0].to_vec::<f64>()?[1] - 0.9).abs() < 1e-15);
//! # Ok::<(), syntonic_core::Error>(())
//! ```

mod actions;
mod expected;
mod model;
mod policies;
mod states;
#[cfg(test)]
mod tests;

pub use actions::{action_marginals, choose_action, policy_posterior, sample_action};
pub use expected::{PolicyValues, expected_free_energy};
pub use model::DiscreteModel;
pub use policies::policies;
pub use states::{States, Sweeps, infer_states, predict_states};

use syntonic_core::layout::{Dims, broadcast_pair};
use syntonic_core::{Error, Result, Tensor, describe};

/// Lengths of axes as those calls take them that work one out.
fn lengths(axes: &[usize]) -> Vec<isize> {
    axes.iter().map(|&len| len as isize).collect()
}

/// The axes of the agents, which all operands broadcast to: every operand has those of `own` behind them.
fn agents_of(op: &'static str, operands: &[(&Tensor, usize)], hint: &str) -> Result<Dims> {
    let mut agents = Dims::new();
    for (t, own) in operands {
        let before = &t.shape()[..t.ndim().saturating_sub(*own)];
        agents = broadcast_pair(&agents, before).ok_or_else(|| {
            let operands: Vec<&Tensor> = operands.iter().map(|(t, _)| *t).collect();
            Error::Shape {
                op,
                operands: describe(&operands),
                hint: hint.into(),
            }
        })?;
    }
    Ok(agents)
}

/// One row for each agent: `[..., own...] -> [agents, own...]`.
fn rows(t: &Tensor, agents: &[usize], own: usize) -> Result<Tensor> {
    let own = &t.shape()[t.ndim() - own..];
    let shape: Dims = agents.iter().chain(own).copied().collect();
    let rows: usize = agents.iter().product();
    let flat: Dims = [rows].iter().chain(own).copied().collect();
    t.broadcast_to(&shape)?.reshape(&lengths(&flat))
}

/// The agents' axes in place of their rows: `[agents, own...] -> [..., own...]`.
fn agents_back(t: &Tensor, agents: &[usize]) -> Result<Tensor> {
    let shape: Dims = agents.iter().chain(&t.shape()[1..]).copied().collect();
    t.reshape(&lengths(&shape))
}

/// The product of independent beliefs, `[.., s_f]` for each factor of them `-> [.., s_1, .., s_F]`, all with the same axes before.
fn together(beliefs: &[Tensor]) -> Result<Tensor> {
    let mut joint: Option<Tensor> = None;
    for factor in 0..beliefs.len() {
        let belief = along(&beliefs[factor], factor, beliefs.len())?;
        joint = Some(match joint {
            None => belief,
            Some(joint) => joint.try_mul(&belief)?,
        });
    }
    joint.ok_or_else(|| Error::value("infer", "a model has a factor"))
}

/// A belief with an axis of length 1 for every other factor: `[.., s_f] -> [.., 1, s_f, 1]`.
fn along(belief: &Tensor, factor: usize, factors: usize) -> Result<Tensor> {
    let (before, own) = belief.shape().split_at(belief.ndim() - 1);
    let mut axes = Dims::from(before);
    axes.extend((0..factors).map(|f| if f == factor { own[0] } else { 1 }));
    belief.reshape(&lengths(&axes))
}
