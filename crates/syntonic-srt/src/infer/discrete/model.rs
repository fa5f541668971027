//! The model that agents share: what states show, how actions move them, what is preferred, and where things begin.

use crate::refusal::not_real;
use std::sync::Arc;
use syntonic_core::ops::row_operators::entropy;
use syntonic_core::{DType, Device, Error, Result, Tensor, describe, same_device, way_out};

const OP: &str = "DiscreteModel";

/// A generative model of discrete outcomes and hidden states, for any number of agents.
///
/// Outcomes have one or several modalities and hidden states one or several factors, which move on their own. Made once: the matrices
/// that inference reads are kept beside each other, those of all modalities together.
#[derive(Clone, Debug)]
pub struct DiscreteModel {
    outcomes: Vec<usize>,
    states: Vec<usize>,
    actions: Vec<usize>,
    /// Of all modalities one after the other, `[outcomes, joint states]`.
    likelihood: Tensor,
    /// How uncertain outcomes are in each joint state: the sum over modalities of `H[p(o | s)]`, `[joint states]`.
    ambiguity: Tensor,
    /// For each factor `[s before, actions * s after]`.
    transitions: Vec<Tensor>,
    /// Of all modalities, `[1 or steps, outcomes]`.
    preferences: Tensor,
    /// Steps that preferences are given for, where they hang on the step.
    horizon: Option<usize>,
    initial: Vec<Tensor>,
}

impl DiscreteModel {
    /// The model of likelihoods `p(o | s)` `[obs_m, s_1, .., s_F]` for each modality, transitions `p(s' | s, a)` `[s_f, s_f, actions_f]` for
    /// each factor, preferences `[obs_m]` or `[steps, obs_m]` for each modality, and initial beliefs `[s_f]` for each factor.
    ///
    /// Preferences are logarithms in nats, up to a constant, and minus infinity is what must not happen; without them all outcomes are
    /// alike. Without initial beliefs all states are. `float32` or `float64`, in the type that all parts promote to.
    ///
    /// Errors name the part: where shapes do not fit, where a column of a likelihood, a transition or an initial belief has a negative number
    /// or does not sum to one within `n 2^-23` (what `n` numbers lose that were rounded to `float32`; nothing is normalised), where a
    /// preference is NaN or plus infinity, and where a part is of another type or device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::infer::discrete::DiscreteModel;
    ///
    /// let sensor = Tensor::from([[0.9, 0.1], [0.1, 0.9]]);
    /// let stay = Tensor::from([[[1.0], [0.0]], [[0.0], [1.0]]]);
    /// let model = DiscreteModel::new(&[sensor], &[stay.clone()], None, None)?;
    /// assert_eq!((model.outcomes(), model.states(), model.actions()), (&[2][..], &[2][..], &[1][..]));
    /// let unsound = Tensor::from([[0.9, 0.1], [0.9, 0.9]]);
    /// assert!(DiscreteModel::new(&[unsound], &[stay], None, None).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(
        likelihoods: &[Tensor],
        transitions: &[Tensor],
        preferences: Option<&[Tensor]>,
        initial: Option<&[Tensor]>,
    ) -> Result<DiscreteModel> {
        let given = [likelihoods, transitions];
        let optional = [preferences, initial].into_iter().flatten();
        let operands: Vec<&Tensor> = given.into_iter().chain(optional).flatten().collect();
        let (Some(first), Some(_)) = (likelihoods.first(), transitions.first()) else {
            let what = "a model has one or more likelihoods and one or more transitions";
            return Err(Error::value(OP, what));
        };
        let device = same_device(OP, &operands)?;
        if operands.iter().any(|t| !t.dtype().is_float()) {
            return Err(not_real(OP, &operands));
        }
        if operands.iter().any(|t| t.dtype().is_half()) {
            return Err(Error::DType {
                op: OP,
                operands: describe(&operands),
                hint: format!("takes float32 and float64; {}", way_out::CONVERT),
            });
        }
        let dtypes = operands.iter().map(|t| t.dtype());
        let dtype = dtypes.reduce(DType::promote).unwrap_or(first.dtype());
        let cast = |parts: &[Tensor]| parts.iter().map(|t| t.cast(dtype)).collect();
        let (likelihoods, transitions): (Result<Vec<_>>, Result<Vec<_>>) =
            (cast(likelihoods), cast(transitions));
        let (likelihoods, transitions) = (likelihoods?, transitions?);
        let (states, actions) = moves(&transitions)?;
        let outcomes = shown(&likelihoods, &states)?;
        let (preferences, horizon) = match preferences {
            Some(given) => preferred(&cast(given)?, &outcomes)?,
            None => {
                let all = [1, outcomes.iter().sum()];
                (Tensor::zeros_on(&all, dtype, &device)?.eval()?, None)
            }
        };
        let initial = match initial {
            Some(given) => begun(&cast(given)?, &states)?,
            None => {
                let alike = |&n: &usize| {
                    Tensor::full_on(&[n], 1.0 / n as f64, dtype, &device).and_then(|t| t.eval())
                };
                states.iter().map(alike).collect::<Result<_>>()?
            }
        };
        let mut flat = Vec::with_capacity(likelihoods.len()); // few: modalities.
        let mut ambiguity: Option<Tensor> = None;
        for (likelihood, &n) in likelihoods.iter().zip(&outcomes) {
            let likelihood = likelihood.reshape(&[n as isize, -1])?;
            let unsure = entropy(&likelihood.t()?)?;
            ambiguity = Some(match ambiguity {
                None => unsure,
                Some(all) => all.try_add(&unsure)?,
            });
            flat.push(likelihood);
        }
        let flat: Vec<&Tensor> = flat.iter().collect();
        let matrix = |t: &Tensor| {
            let before = t.shape()[1] as isize;
            t.permute(&[1, 2, 0])?
                .contiguous()?
                .reshape(&[before, -1])?
                .eval()
        };
        Ok(DiscreteModel {
            likelihood: Tensor::concat(&flat, 0)?.eval()?,
            ambiguity: ambiguity.unwrap_or(first.clone()).eval()?,
            transitions: transitions.iter().map(matrix).collect::<Result<_>>()?,
            outcomes,
            states,
            actions,
            preferences,
            horizon,
            initial,
        })
    }

    /// How many outcomes each modality has.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::infer::discrete::DiscreteModel;
    ///
    /// let sensor = Tensor::from([[0.5, 0.0], [0.5, 0.0], [0.0, 1.0]]);
    /// let stay = Tensor::from([[[1.0], [0.0]], [[0.0], [1.0]]]);
    /// assert_eq!(DiscreteModel::new(&[sensor], &[stay], None, None)?.outcomes(), [3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn outcomes(&self) -> &[usize] {
        &self.outcomes
    }

    /// How many states each factor has.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::infer::discrete::DiscreteModel;
    ///
    /// let sensor = Tensor::from([[0.5, 0.0], [0.5, 0.0], [0.0, 1.0]]);
    /// let stay = Tensor::from([[[1.0], [0.0]], [[0.0], [1.0]]]);
    /// assert_eq!(DiscreteModel::new(&[sensor], &[stay], None, None)?.states(), [2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn states(&self) -> &[usize] {
        &self.states
    }

    /// How many actions each factor has.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::infer::discrete::DiscreteModel;
    ///
    /// let sensor = Tensor::from([[0.9, 0.1], [0.1, 0.9]]);
    /// let switch = Tensor::from([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]);
    /// assert_eq!(DiscreteModel::new(&[sensor], &[switch], None, None)?.actions(), [2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn actions(&self) -> &[usize] {
        &self.actions
    }

    /// The beliefs before anything was seen, `[s_f]` for each factor.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::infer::discrete::DiscreteModel;
    ///
    /// let sensor = Tensor::from([[0.9, 0.1], [0.1, 0.9]]);
    /// let stay = Tensor::from([[[1.0], [0.0]], [[0.0], [1.0]]]);
    /// let model = DiscreteModel::new(&[sensor], &[stay], None, None)?;
    /// assert_eq!(model.initial()[0].to_vec::<f64>()?, [0.5, 0.5]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn initial(&self) -> &[Tensor] {
        &self.initial
    }

    /// The type of all numbers.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::infer::discrete::DiscreteModel;
    ///
    /// let sensor = Tensor::from([[0.5f32, 0.5], [0.5, 0.5]]);
    /// let stay = Tensor::from([[[1f32], [0.0]], [[0.0], [1.0]]]);
    /// assert_eq!(DiscreteModel::new(&[sensor], &[stay], None, None)?.dtype(), DType::F32);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn dtype(&self) -> DType {
        self.likelihood.dtype()
    }

    /// Where the model is.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::infer::discrete::DiscreteModel;
    ///
    /// let sensor = Tensor::from([[0.9, 0.1], [0.1, 0.9]]);
    /// let stay = Tensor::from([[[1.0], [0.0]], [[0.0], [1.0]]]);
    /// let model = DiscreteModel::new(&[sensor], &[stay], None, None)?;
    /// assert_eq!(model.device().id(), DeviceId::Cpu);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn device(&self) -> &Arc<dyn Device> {
        self.likelihood.device()
    }

    pub(super) fn likelihood(&self) -> &Tensor {
        &self.likelihood
    }

    pub(super) fn ambiguity(&self) -> &Tensor {
        &self.ambiguity
    }

    pub(super) fn transition(&self, factor: usize) -> &Tensor {
        &self.transitions[factor]
    }

    /// Preferences at a step from now, `[outcomes]`; an error of `op` where there are none for it.
    pub(super) fn preferences(&self, op: &'static str, step: usize) -> Result<Tensor> {
        match self.horizon {
            None => self.preferences.select(0, 0),
            Some(steps) if step < steps => self.preferences.select(0, step as i64),
            Some(steps) => Err(Error::value(
                op,
                format!(
                    "preferences are given for {steps} steps, and the policies have more; shorten them, or give more rows of preferences"
                ),
            )),
        }
    }
}

fn misshapen(part: &str, wanted: &str, t: &Tensor) -> Error {
    Error::Shape {
        op: OP,
        operands: describe(&[t]),
        hint: format!("{part} is {wanted}"),
    }
}

/// How many states and actions each factor has.
fn moves(transitions: &[Tensor]) -> Result<(Vec<usize>, Vec<usize>)> {
    let mut sizes = (Vec::new(), Vec::new()); // few: factors.
    for (factor, t) in transitions.iter().enumerate() {
        let part = format!("transition {factor}");
        let &[after, before, actions] = t.shape() else {
            return Err(misshapen(&part, "[states, states before, actions]", t));
        };
        if after != before || after == 0 || actions == 0 {
            let wanted = "[states, states before, actions] with as many states before as after, and no length 0";
            return Err(misshapen(&part, wanted, t));
        }
        probabilities(OP, &part, t)?;
        sizes.0.push(after);
        sizes.1.push(actions);
    }
    Ok(sizes)
}

/// How many outcomes each modality has.
fn shown(likelihoods: &[Tensor], states: &[usize]) -> Result<Vec<usize>> {
    let mut outcomes = Vec::with_capacity(likelihoods.len()); // few: modalities.
    for (modality, t) in likelihoods.iter().enumerate() {
        let part = format!("likelihood {modality}");
        match t.shape() {
            [n, rest @ ..] if *n > 0 && rest == states => outcomes.push(*n),
            _ => {
                let wanted = format!(
                    "[outcomes, states...] with the states {states:?} of the transitions, and no length 0"
                );
                return Err(misshapen(&part, &wanted, t));
            }
        }
        probabilities(OP, &part, t)?;
    }
    Ok(outcomes)
}

/// Preferences of all modalities beside each other, and for how many steps they are.
fn preferred(given: &[Tensor], outcomes: &[usize]) -> Result<(Tensor, Option<usize>)> {
    one_each(given.len(), "preferences", outcomes.len(), "modality")?;
    let mut horizon = None;
    for (modality, (t, n)) in given.iter().zip(outcomes).enumerate() {
        let part = format!("preference {modality}");
        let fits = match *t.shape() {
            [own] => own == *n,
            [steps, own] => own == *n && steps > 0 && *horizon.get_or_insert(steps) == steps,
            _ => false,
        };
        if !fits {
            let wanted =
                format!("[{n}] or [steps, {n}], with as many steps as the other preferences have");
            return Err(misshapen(&part, &wanted, t));
        }
        let values = t.stop_gradient();
        if !values.less(f64::INFINITY)?.all(..)?.to_scalar::<bool>()? {
            let what = format!(
                "{part} is NaN or infinite somewhere; minus infinity is what must not happen, anything else is finite"
            );
            return Err(Error::value(OP, what));
        }
    }
    let rows = horizon.unwrap_or(1);
    let each = given.iter().zip(outcomes);
    let each = each.map(|(t, &n)| t.broadcast_to(&[rows, n]));
    let each: Vec<Tensor> = each.collect::<Result<_>>()?;
    let each: Vec<&Tensor> = each.iter().collect();
    Ok((Tensor::concat(&each, 1)?.eval()?, horizon))
}

/// The initial beliefs.
fn begun(given: &[Tensor], states: &[usize]) -> Result<Vec<Tensor>> {
    one_each(given.len(), "initial beliefs", states.len(), "factor")?;
    for (factor, (t, n)) in given.iter().zip(states).enumerate() {
        let part = format!("initial belief {factor}");
        if t.shape() != [*n] {
            return Err(misshapen(&part, &format!("[{n}]"), t));
        }
        probabilities(OP, &part, t)?;
    }
    given.iter().map(Tensor::eval).collect()
}

fn one_each(given: usize, what: &str, wanted: usize, of: &str) -> Result<()> {
    if given == wanted {
        return Ok(());
    }
    let text = format!("{given} {what} for {wanted}; give one for each {of}");
    Err(Error::value(OP, text))
}

/// An error where a column along the first axis is no distribution.
pub(super) fn probabilities(op: &'static str, part: &str, t: &Tensor) -> Result<()> {
    // What is checked is read; gradients flow beside it.
    let t = t.stop_gradient();
    let least = t.min(..)?.item()?.to_f64();
    // Also where one is NaN.
    if least.is_nan() || least < 0.0 {
        let text = format!("{part} has the number {least}; probabilities are not negative");
        return Err(Error::value(op, text));
    }
    let bound = t.shape()[0] as f64 * f64::from(f32::EPSILON);
    let apart = t.sum(0)?.try_sub(1.0)?.abs()?.max(..)?.item()?.to_f64();
    if apart.is_nan() || apart > bound {
        let text = format!(
            "{part} has a distribution along its first axis whose sum is {apart:e} away from one, which is more than {bound:e}; divide by the sum"
        );
        return Err(Error::value(op, text));
    }
    Ok(())
}
