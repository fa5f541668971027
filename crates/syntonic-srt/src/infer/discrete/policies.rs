//! Sequences of actions, and what they share from their beginnings on.

use super::DiscreteModel;
use syntonic_core::ops::order::sort_by;
use syntonic_core::{DType, Error, Result, Tensor, describe, interrupt, room, way_out};

/// Policies that are gone through before the caller is asked whether to go on.
const UNASKED: usize = 1 << 16;

/// All sequences of actions over a horizon: `int64` `[policies, horizon, factors]` in memory of the host, in the order of their digits, the
/// last action of the last factor fastest; as `construct_policies` of pymdp.
///
/// There are `(a_1 .. a_F)^horizon` of them. Errors where the horizon is 0, and where so many do not fit memory.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::discrete::{DiscreteModel, policies};
///
/// let sensor = Tensor::from([[0.9, 0.1], [0.1, 0.9]]);
/// let switch = Tensor::from([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]);
/// let all = policies(&DiscreteModel::new(&[sensor], &[switch], None, None)?, 2)?;
/// assert_eq!(all.shape(), [4, 2, 1]);
/// assert_eq!(all.to_vec::<i64>()?, [0, 0, 0, 1, 1, 0, 1, 1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn policies(model: &DiscreteModel, horizon: usize) -> Result<Tensor> {
    const OP: &str = "policies";
    if horizon == 0 {
        return Err(Error::value(OP, "the horizon is one step or more"));
    }
    let actions = model.actions();
    let joint = actions
        .iter()
        .try_fold(1usize, |all, &n| all.checked_mul(n));
    let steps = u32::try_from(horizon).ok();
    let count = joint.zip(steps).and_then(|(n, steps)| n.checked_pow(steps));
    let digits = horizon.checked_mul(actions.len());
    let all = count
        .zip(digits)
        .and_then(|(n, digits)| n.checked_mul(digits));
    let (Some(count), Some(digits), Some(all)) = (count, digits, all) else {
        let text = format!(
            "actions {actions:?} over {horizon} steps make more policies than can be counted; take a shorter horizon, or policies of your own"
        );
        return Err(Error::value(OP, text));
    };
    let mut values = room::empty(all)?;
    values.resize(digits, 0i64); // few: a part of the room that was made.
    for policy in 1..count {
        if policy % UNASKED == 0 {
            interrupt::poll()?;
        }
        let before = (policy - 1) * digits;
        values.extend_from_within(before..before + digits);
        let digit = &mut values[policy * digits..];
        for at in (0..digits).rev() {
            digit[at] += 1;
            if digit[at] < actions[at % actions.len()] as i64 {
                break;
            }
            digit[at] = 0;
        }
    }
    Tensor::from_vec(values, &[count, horizon, actions.len()])
}

/// Policies as numbers on the host, checked.
pub(super) struct Plans {
    values: Vec<i64>,
    pub(super) count: usize,
    pub(super) horizon: usize,
    factors: usize,
}

impl Plans {
    pub(super) fn of(op: &'static str, model: &DiscreteModel, policies: &Tensor) -> Result<Plans> {
        let factors = model.actions().len();
        if !policies.dtype().is_integer() {
            return Err(Error::DType {
                op,
                operands: describe(&[policies]),
                hint: format!("policies are integers; {}", way_out::CONVERT),
            });
        }
        let (count, horizon) = match *policies.shape() {
            [count, horizon, f] if f == factors && count > 0 && horizon > 0 => (count, horizon),
            _ => {
                return Err(Error::Shape {
                    op,
                    operands: describe(&[policies]),
                    hint: format!(
                        "policies are [policies, horizon, {factors}], and no length is 0"
                    ),
                });
            }
        };
        for (factor, &n) in model.actions().iter().enumerate() {
            let own = policies.select(2, factor as i64)?;
            super::states::within(op, "the action of factor", factor, &own, n)?;
        }
        Ok(Plans {
            values: policies.cast(DType::I64)?.to_vec::<i64>()?,
            count,
            horizon,
            factors,
        })
    }

    /// The first actions of a factor, one for each policy.
    pub(super) fn first_actions(&self, factor: usize) -> Result<Vec<i64>> {
        let mut first = room::empty(self.count)?;
        let step = self.horizon * self.factors;
        first.extend(self.values.iter().skip(factor).step_by(step));
        Ok(first)
    }

    fn policy(&self, k: usize) -> &[i64] {
        let digits = self.horizon * self.factors;
        &self.values[k * digits..][..digits]
    }

    /// The beginnings of the policies.
    pub(super) fn beginnings(&self) -> Result<Beginnings<'_>> {
        let mut order = room::collected(0..self.count)?;
        // Equal policies have the same beginnings, whichever comes first; positions tell them apart.
        sort_by(&mut order, |&a, &b| {
            self.policy(a).cmp(self.policy(b)).then(a.cmp(&b))
        })?;
        let mut shared = room::filled(self.count, 0)?;
        for k in 1..self.count {
            if k % UNASKED == 0 {
                interrupt::poll()?;
            }
            let pair = self.policy(order[k - 1]).iter().zip(self.policy(order[k]));
            shared[k] = pair.take_while(|(a, b)| a == b).count() / self.factors;
        }
        Ok(Beginnings {
            plans: self,
            order,
            shared,
            node: room::filled(self.count, 0)?,
        })
    }
}

/// Policies in order, so that those with one beginning are neighbours: what many begin with is looked at once.
pub(super) struct Beginnings<'a> {
    plans: &'a Plans,
    order: Vec<usize>,
    /// How many steps a policy shares with the one before it in order.
    shared: Vec<usize>,
    /// Which of the beginnings so far is that of a policy, in order.
    node: Vec<usize>,
}

/// The beginnings that are one step longer.
pub(super) struct Level {
    /// Which of the shorter ones each goes on from.
    pub(super) parents: Vec<i64>,
    /// The actions of the step, for each factor one of each beginning.
    pub(super) actions: Vec<Vec<i64>>,
}

impl Beginnings<'_> {
    pub(super) fn step(&mut self, step: usize) -> Result<Level> {
        let factors = self.plans.factors;
        let begins = |k: usize| k == 0 || self.shared[k] <= step;
        let count = (0..self.plans.count).filter(|&k| begins(k)).count();
        let mut parents = room::empty(count)?;
        let mut actions = Vec::with_capacity(factors); // few: factors.
        for _ in 0..factors {
            actions.push(room::empty(count)?);
        }
        for k in 0..self.plans.count {
            if k == 0 || self.shared[k] <= step {
                parents.push(self.node[k] as i64);
                let taken = &self.plans.policy(self.order[k])[step * factors..];
                for (all, &action) in actions.iter_mut().zip(taken) {
                    all.push(action);
                }
            }
            self.node[k] = parents.len() - 1;
        }
        Ok(Level { parents, actions })
    }

    /// The last beginning of each policy, which is the policy.
    pub(super) fn ends(&self) -> Result<Vec<i64>> {
        let mut ends = room::filled(self.plans.count, 0)?;
        for (&policy, &node) in self.order.iter().zip(&self.node) {
            ends[policy] = node as i64;
        }
        Ok(ends)
    }
}
