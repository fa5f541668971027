//! Free energies of beliefs that the host has.

use super::UNIT;
use crate::infer;
use std::sync::Arc;
use syntonic_core::advisor::{Runner, Workload};
use syntonic_core::{Device, Error, Graph, Result, Tensor, room};

const OP: &str = "free_energy";

/// Beliefs and evidence: diagonal Gaussians, `[n]` and `[m]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// Means of the belief and of the prior, `[n]`.
    pub mean: [Vec<f64>; 2],
    /// Variances of the belief and of the prior, `[n]`.
    pub variance: [Vec<f64>; 2],
    /// What is observed and what was predicted, `[m]`.
    pub observation: [Vec<f64>; 2],
    /// One over the variances of the noise, `[m]`.
    pub precision: Vec<f64>,
}

/// A free energy in nats, and its parts: `free_energy = complexity - accuracy`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// The free energy.
    pub free_energy: f64,
    /// The divergence of the belief from the prior.
    pub complexity: f64,
    /// The expected logarithm of the likelihood.
    pub accuracy: f64,
}

/// How far a free energy of `n` states and `m` observations may be from the exact one, as a part of the sum of all its terms without their
/// signs: a rounding for each term, and a few for what a term is made of.
///
/// ```
/// use syntonic_srt::advice::promised_error;
///
/// assert!(promised_error(100, 10) < 1e-13 && promised_error(10_000, 10) > promised_error(100, 10));
/// ```
pub fn promised_error(n: usize, m: usize) -> f64 {
    (n + m + 16) as f64 * UNIT
}

/// [`infer::free_energy`] of what the host has, as `float64` on a device: uploaded at once, computed, and read. The choices are `plain`, which
/// launches, and `captured`, which replays a graph.
///
/// Errors are parts of the sum of all terms without their signs; see [`promised_error`].
///
/// # Errors
/// Where lengths do not fit.
///
/// ```
/// use syntonic_core::advisor::Advisor;
/// use syntonic_core::prelude::*;
/// use syntonic_srt::advice::{Evidence, free_energy};
///
/// let sample = Evidence {
///     mean: [vec![2.0], vec![0.0]],
///     variance: [vec![1.0], vec![1.0]],
///     observation: [vec![0.0], vec![0.0]],
///     precision: vec![1.0],
/// };
/// let mut chosen = Advisor::in_memory().choose(free_energy(&sample, &cpu())?, &sample)?;
/// assert!((chosen.run(&sample)?.complexity - 2.0).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn free_energy(
    sample: &Evidence,
    device: &Arc<dyn Device>,
) -> Result<Workload<'static, Evidence, Energy>> {
    let sizes = sample.sizes()?;
    let [n, m] = sizes;
    let size = sample.size();
    let distance = move |a: &Energy, b: &Energy| Ok(a.apart(b, size));
    let promised = promised_error(n, m);
    let (here, there) = (device.clone(), device.clone());
    let workload = Workload::new(format!("free_energy [{n}], [{m}]"), device, distance)
        .choice("plain", promised, move |_| {
            Ok(Runner::new(move |asked: &Evidence| {
                Energy::read(&computed(&asked.packed(sizes, &here)?, sizes)?)
            }))
        })
        .choice("captured", promised, move |sample: &Evidence| {
            let all = sample.packed(sizes, &there)?;
            let graph = Graph::capture(&[&all], |own| {
                Ok(vec![computed(own[0], sizes)?]) // few: one.
            })?;
            Ok(Runner::new(move |asked: &Evidence| {
                let made = graph.replay(&[&asked.packed(sizes, &there)?])?;
                Energy::read(&made[0])
            }))
        });
    Ok(workload)
}

impl Evidence {
    /// States and observations, where lengths fit.
    fn sizes(&self) -> Result<[usize; 2]> {
        let (n, m) = (self.mean[0].len(), self.observation[0].len());
        let states = [&self.mean[1], &self.variance[0], &self.variance[1]];
        let seen = [&self.observation[1], &self.precision];
        let fits = states.iter().all(|x| x.len() == n) && seen.iter().all(|x| x.len() == m);
        if !fits {
            let text = format!(
                "means and variances have {n}, {} numbers, and observation, prediction and precision {m}, {}; hint: all of one kind have the same",
                states.map(|x| x.len().to_string()).join(", "),
                seen.map(|x| x.len().to_string()).join(", ")
            );
            return Err(Error::value(OP, text));
        }
        Ok([n, m])
    }

    /// All numbers in one tensor of a device, for one copy.
    fn packed(&self, prepared: [usize; 2], device: &Arc<dyn Device>) -> Result<Tensor> {
        let sizes = self.sizes()?;
        if sizes != prepared {
            let text = format!(
                "it was prepared for {prepared:?} states and observations, not for {sizes:?}; hint: choose anew for these"
            );
            return Err(Error::value(OP, text));
        }
        let mut all = room::empty(4 * sizes[0] + 3 * sizes[1])?;
        let parts = self.mean.iter().chain(&self.variance);
        let parts = parts.chain(&self.observation).chain([&self.precision]);
        parts.for_each(|part| all.extend_from_slice(part));
        let count = all.len();
        Tensor::from_vec(all, &[count])?.to(device)
    }

    /// The sum of all terms without their signs.
    fn size(&self) -> f64 {
        let [q, p] = &self.mean;
        let [vq, vp] = &self.variance;
        let states = (0..q.len()).map(|i| {
            let (r, apart) = (vq[i] / vp[i], q[i] - p[i]);
            r.abs() + 1.0 + r.abs().ln().abs() + apart * apart / vp[i].abs()
        });
        let [o, g] = &self.observation;
        let seen = (0..o.len()).map(|i| {
            let (pi, apart) = (self.precision[i], o[i] - g[i]);
            std::f64::consts::TAU.ln() + pi.abs().ln().abs() + pi.abs() * apart * apart
        });
        0.5 * (states.sum::<f64>() + seen.sum::<f64>())
    }
}

impl Energy {
    fn read(numbers: &Tensor) -> Result<Energy> {
        match numbers.to_vec::<f64>()?[..] {
            [free_energy, complexity, accuracy] => Ok(Energy {
                free_energy,
                complexity,
                accuracy,
            }),
            _ => Err(Error::value(OP, "three numbers are made")),
        }
    }

    /// The largest difference as a part of `size`; numbers that are not finite are the same or infinitely far.
    fn apart(&self, other: &Energy, size: f64) -> f64 {
        let pairs = [
            (self.free_energy, other.free_energy),
            (self.complexity, other.complexity),
            (self.accuracy, other.accuracy),
        ];
        let apart = pairs.map(|(a, b)| match a == b || (a.is_nan() && b.is_nan()) {
            true => 0.0,
            false => (a - b).abs() / size,
        });
        let known = |x: f64| if x.is_nan() { f64::INFINITY } else { x };
        apart.into_iter().map(known).fold(0.0, f64::max)
    }
}

/// Free energy, complexity and accuracy, `[3]`, of what [`Evidence::packed`] makes.
fn computed(all: &Tensor, [n, m]: [usize; 2]) -> Result<Tensor> {
    let mut from = 0;
    let mut next = |length: usize| {
        let part = all.slice(0, Some(from), Some(from + length as isize), 1);
        from += length as isize;
        part
    };
    let [mean_q, mean_p, var_q, var_p] = [next(n)?, next(n)?, next(n)?, next(n)?];
    let [observation, prediction, precision] = [next(m)?, next(m)?, next(m)?];
    let evidence = infer::Evidence {
        observation: &observation,
        prediction: &prediction,
        precision: &precision,
        jacobian: None,
    };
    let made = infer::free_energy(&mean_q, &mean_p, &var_q, &var_p, evidence)?;
    Tensor::stack(&[&made.free_energy, &made.complexity, &made.accuracy], 0)?.eval()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use syntonic_core::advisor::Advisor;
    use syntonic_core::cpu;

    fn sample(n: usize, m: usize) -> Evidence {
        let some = |n: usize, k: usize| {
            let value = |i: usize| ((i * 7919 + 31 * k) % 1009) as f64 / 1009.0 + 0.25;
            (0..n).map(value).collect::<Vec<f64>>()
        };
        Evidence {
            mean: [some(n, 1), some(n, 2)],
            variance: [some(n, 3), some(n, 4)],
            observation: [some(m, 5), some(m, 6)],
            precision: some(m, 7),
        }
    }

    /// The formulas, term by term.
    fn slow(e: &Evidence) -> Energy {
        let complexity: f64 = (0..e.mean[0].len())
            .map(|i| {
                let (r, d) = (
                    e.variance[0][i] / e.variance[1][i],
                    e.mean[0][i] - e.mean[1][i],
                );
                0.5 * (r - 1.0 - r.ln() + d * d / e.variance[1][i])
            })
            .sum();
        let accuracy: f64 = (0..e.precision.len())
            .map(|i| {
                let d = e.observation[0][i] - e.observation[1][i];
                -0.5 * (std::f64::consts::TAU.ln() - e.precision[i].ln() + e.precision[i] * d * d)
            })
            .sum();
        Energy {
            free_energy: complexity - accuracy,
            complexity,
            accuracy,
        }
    }

    #[test]
    fn both_choices_keep_their_promise() -> Result<()> {
        let advisor = Advisor::in_memory().with_budget(Duration::ZERO);
        for (n, m) in [(1, 1), (900, 100), (3, 2000)] {
            let (first, other) = (sample(n, m), sample(n, m));
            let mut chosen = advisor.choose(free_energy(&first, &cpu())?, &first)?;
            let names: Vec<&str> = chosen.advice.measured.iter().map(|x| &*x.choice).collect();
            assert_eq!(names, ["plain", "captured"]);
            // The slow formulas have as many roundings again.
            let apart = chosen.run(&other)?.apart(&slow(&other), other.size());
            assert!(apart <= 2.0 * promised_error(n, m), "{n} {m}: {apart}");
        }
        Ok(())
    }

    #[test]
    fn requests_of_other_lengths_are_refused() -> Result<()> {
        let mut wrong = sample(5, 3);
        wrong.precision.pop();
        let text = free_energy(&wrong, &cpu())
            .map(drop)
            .unwrap_err()
            .to_string();
        assert!(
            text.starts_with("free_energy: ") && text.contains("3, 3, 2"),
            "{text}"
        );
        let advisor = Advisor::in_memory().with_budget(Duration::ZERO);
        let first = sample(6, 4);
        let mut chosen = advisor.choose(free_energy(&first, &cpu())?, &first)?;
        // As many numbers in all: 4 n + 3 m.
        assert!(chosen.run(&sample(3, 8)).is_err());
        assert!(chosen.run(&sample(6, 4)).is_ok());
        Ok(())
    }

    #[test]
    fn what_is_not_finite_agrees_with_itself_alone() {
        let e = |x: f64| Energy {
            free_energy: x,
            complexity: 1.0,
            accuracy: 2.0,
        };
        assert_eq!(e(f64::NAN).apart(&e(f64::NAN), 1.0), 0.0);
        assert_eq!(e(f64::INFINITY).apart(&e(f64::INFINITY), 1.0), 0.0);
        assert_eq!(e(f64::NAN).apart(&e(1.0), 1.0), f64::INFINITY);
        assert_eq!(e(3.0).apart(&e(1.0), 4.0), 0.5);
    }
}
