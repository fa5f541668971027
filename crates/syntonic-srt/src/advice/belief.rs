//! Belief updates of an agent whose mean the host has.

use crate::infer::{self, History, Model, Prior, Stepping};
use std::sync::Arc;
use syntonic_core::advisor::{Runner, Workload, numbers_apart};
use syntonic_core::{DType, Device, Error, Graph, Result, Tensor, describe, room, same_device};

const OP: &str = "belief_update";
/// More launches for a request than this are never the quickest, and a graph of more is large.
const MOST_LAUNCHES: usize = 1_000;

/// What a belief is updated by: a linear model of what is observed, and how it is stepped. All on one device, `float64`.
#[derive(Clone, Copy, Debug)]
pub struct Belief<'a> {
    /// The model, of one agent: the Jacobian is `[m, n]`.
    pub model: Model<'a>,
    /// One over the variances of the noise, `[m]`.
    pub precision: &'a Tensor,
    /// Part of the gradient that a step adds.
    pub rate: f64,
    /// The most steps.
    pub steps: usize,
    /// Steps end where the free energy has changed by less; 0 takes them all.
    pub tolerance: f64,
}

/// A request: where the mean is, and what was observed.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// `[n]`.
    pub mean: Vec<f64>,
    /// `[m]`.
    pub observation: Vec<f64>,
}

/// [`infer::belief_update`] of what the host has: uploaded at once, stepped, and the mean read. The choices are `resident`, all steps in one
/// launch; `resident, captured`, a graph of it; and, where all steps are taken and there are no more than 1,000, `launches`, a launch
/// for each, and `launches, captured`. All give the same bits, and promise an error of 0.
///
/// # Errors
/// Operands that are not `float64`, live on several devices or do not fit.
///
/// ```
/// use syntonic_core::advisor::Advisor;
/// use syntonic_core::prelude::*;
/// use syntonic_srt::advice::{Belief, Observed, belief_update};
/// use syntonic_srt::infer::Model;
///
/// let (jacobian, precision) = (Tensor::from([[2.0]]), Tensor::from([1.0]));
/// let model = Model { jacobian: &jacobian, reference: None, prior: None };
/// let belief = Belief { model, precision: &precision, rate: 0.2, steps: 100, tolerance: 0.0 };
/// let asked = Observed { mean: vec![0.0], observation: vec![6.0] };
/// let mut chosen = Advisor::in_memory().choose(belief_update(belief)?, &asked)?;
/// // 6 was seen, and a state shows twice its value.
/// assert!((chosen.run(&asked)?[0] - 3.0).abs() < 1e-9);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn belief_update(belief: Belief<'_>) -> Result<Workload<'static, Observed, Vec<f64>>> {
    let owned = Arc::new(Owned::new(belief)?);
    let name = format!(
        "belief_update {:?} by {} steps of {:e} within {:e}",
        owned.sizes, belief.steps, belief.rate, belief.tolerance
    );
    let device = owned.device.clone();
    let operands = owned.operands();
    let distance = |a: &Vec<f64>, b: &Vec<f64>| Ok(numbers_apart(a, b));
    let mut workload = Workload::new(name, &device, distance).operands(&operands);
    let mut ways = vec![("resident", "resident, captured", Steps::Together)]; // few: two.
    if belief.tolerance == 0.0 && belief.steps <= MOST_LAUNCHES {
        ways.push(("launches", "launches, captured", Steps::Apart)); // few: two.
    }
    for (plain, captured, steps) in ways {
        let (here, there) = (owned.clone(), owned.clone());
        workload = workload
            .choice(plain, 0.0, move |_| {
                Ok(Runner::new(move |asked: &Observed| {
                    here.moved(&here.packed(asked)?, steps)?.to_vec::<f64>()
                }))
            })
            .choice(captured, 0.0, move |sample: &Observed| {
                let graph = Graph::capture(&[&there.packed(sample)?], |own| {
                    Ok(vec![there.moved(own[0], steps)?]) // few: one.
                })?;
                Ok(Runner::new(move |asked: &Observed| {
                    graph.replay(&[&there.packed(asked)?])?[0].to_vec::<f64>()
                }))
            });
    }
    Ok(workload)
}

/// How steps are launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steps {
    /// All in one launch.
    Together,
    /// One after the other.
    Apart,
}

/// A [`Belief`] that lives as long as its runners.
struct Owned {
    jacobian: Tensor,
    precision: Tensor,
    reference: Option<Tensor>,
    prior: Option<[Tensor; 2]>,
    stepping: Stepping,
    /// Observations and states.
    sizes: [usize; 2],
    device: Arc<dyn Device>,
}

impl Owned {
    fn new(belief: Belief<'_>) -> Result<Owned> {
        let Belief {
            model, precision, ..
        } = belief;
        let mut all = vec![model.jacobian, precision]; // few: five.
        all.extend(model.reference);
        all.extend(model.prior.iter().flat_map(|p| [p.mean, p.precision]));
        let device = same_device(OP, &all)?;
        if all.iter().any(|t| t.dtype() != DType::F64) {
            return Err(Error::DType {
                op: OP,
                operands: describe(&all),
                hint: "an agent's numbers are float64; convert with .cast(dtype)".into(),
            });
        }
        let &[m, n] = model.jacobian.shape() else {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&all),
                hint: "one agent has a Jacobian [m, n]".into(),
            });
        };
        Ok(Owned {
            jacobian: model.jacobian.clone(),
            precision: precision.clone(),
            reference: model.reference.cloned(),
            prior: model.prior.map(|p| [p.mean.clone(), p.precision.clone()]),
            stepping: Stepping {
                rate: belief.rate,
                steps: belief.steps,
                tolerance: belief.tolerance,
                history: History::Last,
            },
            sizes: [m, n],
            device,
        })
    }

    fn operands(&self) -> Vec<&Tensor> {
        let mut all = vec![&self.jacobian, &self.precision]; // few: five.
        all.extend(&self.reference);
        all.extend(self.prior.iter().flatten());
        all
    }

    /// Mean and observation in one tensor of the device, for one copy.
    fn packed(&self, asked: &Observed) -> Result<Tensor> {
        let [m, n] = self.sizes;
        if asked.mean.len() != n || asked.observation.len() != m {
            let text = format!(
                "the model has {m} observations and {n} states, and was asked for {} and {}; hint: give it as many numbers",
                asked.observation.len(),
                asked.mean.len()
            );
            return Err(Error::value(OP, text));
        }
        let mut all = room::empty(n + m)?;
        all.extend_from_slice(&asked.mean);
        all.extend_from_slice(&asked.observation);
        Tensor::from_vec(all, &[n + m])?.to(&self.device)
    }

    /// The mean after all steps.
    fn moved(&self, all: &Tensor, steps: Steps) -> Result<Tensor> {
        let n = self.sizes[1] as isize;
        let mut mean = all.slice(0, None, Some(n), 1)?;
        let observation = all.slice(0, Some(n), None, 1)?;
        let prior = self.prior.as_ref();
        let model = Model {
            jacobian: &self.jacobian,
            reference: self.reference.as_ref(),
            prior: prior.map(|[mean, precision]| Prior { mean, precision }),
        };
        let (times, stepping) = match steps {
            Steps::Together => (1, self.stepping),
            Steps::Apart => (
                self.stepping.steps,
                Stepping {
                    steps: 1,
                    ..self.stepping
                },
            ),
        };
        for _ in 0..times {
            let step = infer::belief_update(&mean, &observation, &self.precision, model, stepping)?;
            mean = step.mean;
        }
        // A mean that nothing has moved is the packed one's own memory, which no graph may return.
        if times == 0 { mean.copy() } else { mean.eval() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use syntonic_core::advisor::Advisor;

    fn drawn(k: usize, shape: &[usize]) -> Result<Tensor> {
        let value = |i: usize| ((i * 7919 + 31 * k) % 1009) as f64 / 1009.0 - 0.5;
        let all: Vec<f64> = (0..shape.iter().product()).map(value).collect();
        Tensor::from_slice(&all, shape)
    }

    fn names(
        workload: Workload<'static, Observed, Vec<f64>>,
        sample: &Observed,
    ) -> Result<Vec<String>> {
        let advisor = Advisor::in_memory().with_budget(Duration::ZERO);
        let advice = advisor.choose(workload, sample)?.advice;
        assert!(advice.left_out.is_empty(), "{advice}");
        Ok(advice.measured.into_iter().map(|m| m.choice).collect())
    }

    #[test]
    fn all_ways_give_the_bits_of_one_launch() -> Result<()> {
        let (m, n) = (40, 70);
        let (jacobian, reference) = (drawn(1, &[m, n])?, drawn(2, &[m])?);
        let precision = drawn(3, &[m])?.square()?.eval()?;
        let (mean, weight) = (drawn(4, &[n])?, drawn(5, &[n])?.square()?.eval()?);
        let model = Model {
            jacobian: &jacobian,
            reference: Some(&reference),
            prior: Some(Prior {
                mean: &mean,
                precision: &weight,
            }),
        };
        let belief = Belief {
            model,
            precision: &precision,
            rate: 1e-2,
            steps: 12,
            tolerance: 0.0,
        };
        let sample = Observed {
            mean: drawn(6, &[n])?.to_vec()?,
            observation: drawn(7, &[m])?.to_vec()?,
        };
        // An error of 0: the advisor itself refuses other bits.
        let all = [
            "resident",
            "resident, captured",
            "launches",
            "launches, captured",
        ];
        assert_eq!(names(belief_update(belief)?, &sample)?, all);
        let none = Belief { steps: 0, ..belief };
        assert_eq!(names(belief_update(none)?, &sample)?, all);
        let stopping = Belief {
            tolerance: 1e-9,
            ..belief
        };
        assert_eq!(names(belief_update(stopping)?, &sample)?, all[..2]);
        let long = Belief {
            steps: 1_001,
            ..belief
        };
        assert_eq!(names(belief_update(long)?, &sample)?, all[..2]);

        let advisor = Advisor::in_memory().with_budget(Duration::ZERO);
        let mut chosen = advisor.choose(belief_update(belief)?, &sample)?;
        let t = |x: &[f64]| Tensor::from_slice(x, &[x.len()]);
        let stepping = Stepping {
            rate: 1e-2,
            steps: 12,
            tolerance: 0.0,
            history: History::Last,
        };
        let (mu, seen) = (t(&sample.mean)?, t(&sample.observation)?);
        let want = infer::belief_update(&mu, &seen, &precision, model, stepping)?;
        assert_eq!(chosen.run(&sample)?, want.mean.to_vec::<f64>()?);
        let short = Observed {
            mean: vec![0.0; n - 1],
            ..sample
        };
        assert!(matches!(chosen.run(&short), Err(Error::Value { .. })));
        Ok(())
    }

    #[test]
    fn other_types_are_refused() -> Result<()> {
        let (jacobian, precision) = (drawn(1, &[3, 2])?, drawn(2, &[3])?);
        let narrow = jacobian.cast(DType::F32)?;
        let belief = |jacobian| Belief {
            model: Model {
                jacobian,
                reference: None,
                prior: None,
            },
            precision: &precision,
            rate: 0.1,
            steps: 1,
            tolerance: 0.0,
        };
        let refused = belief_update(belief(&narrow)).map(drop);
        assert!(matches!(refused, Err(Error::DType { .. })));
        let refused = belief_update(belief(&precision)).map(drop);
        assert!(matches!(refused, Err(Error::Shape { .. })));
        Ok(())
    }
}
