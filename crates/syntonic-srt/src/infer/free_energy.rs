//! Variational free energy: what a belief costs, less how well it explains what was observed.

use super::{accuracy, categorical_kl_divergence, expected_accuracy, kl_divergence, types_of};
use crate::refusal::not_real;
use syntonic_core::device::{DeviceId, Kernel, Launch, NamedKernel};
use syntonic_core::layout::{Dims, broadcast_pair};
use syntonic_core::ops::vectors::{Operands, run_named};
use syntonic_core::{DType, Error, Result, Tensor, describe, same_device};

const OP: &str = "free_energy";

/// All of it in one launch. With `T` the type of all operands, of which `float16` and `bfloat16` are computed in `float32`, and where what
/// has one row serves all of them:
///
/// Inputs: `mean_q`, `mean_p`, `var_q`, `var_p`, `T` `[rows or 1, n]`; `observation`, `prediction`, `precision`, `T` `[rows or 1, m]`; the
/// `jacobian`, `T` `[rows or 1, m, n]`, or no elements. Outputs: `free_energy`, `complexity` and `accuracy`, `T` `[rows]`. Numbers: `rows`,
/// `n`, `m`.
///
/// The CPU has no version of it: there the two sums are a program each, which reads its own operands once.
pub static FREE_ENERGY: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: OP,
        cpu: programs_instead,
    },
    inputs: &[
        "mean_q",
        "mean_p",
        "var_q",
        "var_p",
        "observation",
        "prediction",
        "precision",
        "jacobian",
    ],
    outputs: &["free_energy", "complexity", "accuracy"],
    numbers: &["rows", "n", "m"],
    lists: &[],
};

/// # Safety
/// None is asked for.
unsafe fn programs_instead(_: &Launch) -> Result<()> {
    Err(Error::value(
        OP,
        "the CPU runs programs for this; nothing launches it there",
    ))
}

/// Free energy and its two parts, in nats.
#[derive(Clone, Debug)]
pub struct FreeEnergy {
    /// `complexity - accuracy`.
    pub free_energy: Tensor,
    /// How far the belief lies from its prior.
    pub complexity: Tensor,
    /// How well the belief predicts what was observed.
    pub accuracy: Tensor,
}

/// What was observed, beside what a belief predicts.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// What was observed, `[..., m]`.
    pub observation: &'a Tensor,
    /// What the belief's mean predicts, `[..., m]`.
    pub prediction: &'a Tensor,
    /// One over the variances of the noise, `[..., m]`.
    pub precision: &'a Tensor,
    /// What a state does to each prediction, `[m, n]` or `[..., m, n]`: with it the accuracy is the expected one.
    pub jacobian: Option<&'a Tensor>,
}

/// The variational free energy `F = KL(q || p) - E_q[ln p(o | x)]` of diagonal Gaussian beliefs in nats, with both its parts:
/// `[..., n]` four times and `[..., m]` three times `-> [...]` three times, over the last axes, in the type that all operands promote to.
/// Operands broadcast, so that rows may share a prior; `n` and `m` need not be equal.
///
/// The parts are those of [`kl_divergence`] and [`accuracy`], edges included. With a Jacobian the accuracy is [`expected_accuracy`] with
/// the variances `v_i = sum_j J_ij^2 var_q_j` of the predictions. Where both parts are infinite of one sign, F is NaN.
///
/// Half types are computed in `float32` and rounded once. On a GPU it is one launch. Errors where an operand is no real float, shapes do
/// not fit, there is no axis, or devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::{Evidence, free_energy};
///
/// let (zero, one) = (Tensor::from([0.0]), Tensor::from([1.0]));
/// let evidence = Evidence { observation: &one, prediction: &zero, precision: &one, jacobian: None };
/// let found = free_energy(&zero, &zero, &one, &one, evidence)?;
/// assert_eq!(found.complexity.to_scalar::<f64>()?, 0.0);
/// let (f, accuracy) = (found.free_energy.to_scalar::<f64>()?, found.accuracy.to_scalar::<f64>()?);
/// assert!(f == -accuracy && (f - 0.5 * (1.0 + std::f64::consts::TAU.ln())).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn free_energy(
    mean_q: &Tensor,
    mean_p: &Tensor,
    var_q: &Tensor,
    var_p: &Tensor,
    evidence: Evidence<'_>,
) -> Result<FreeEnergy> {
    let beliefs = [mean_q, mean_p, var_q, var_p];
    let seen = [
        evidence.observation,
        evidence.prediction,
        evidence.precision,
    ];
    let mut operands = [&beliefs[..], &seen[..]].concat(); // few: eight operands.
    operands.extend(evidence.jacobian);
    let device = same_device(OP, &operands)?;
    if operands.iter().any(|t| !t.dtype().is_float()) {
        return Err(not_real(OP, &operands));
    }
    let sizes = Sizes::of(beliefs, seen, evidence.jacobian).ok_or_else(|| Error::Shape {
        op: OP,
        operands: describe(&operands),
        hint: "beliefs broadcast to [..., n], observation, prediction and precision to [..., m], and the Jacobian is [..., m, n]".into(),
    })?;
    let (dtype, mut computed) = types_of(&operands);
    // The programs have gradients, the kernel has none.
    let tracked = operands.iter().any(|t| t.is_tracked());
    let on_gpu = device.id() != DeviceId::Cpu && !tracked;
    // The kernel widens halves by itself.
    if on_gpu && [DType::F16, DType::BF16].contains(&dtype) {
        computed = dtype;
    }
    let wide = operands.iter().map(|t| t.cast(computed));
    let wide: Vec<Tensor> = wide.collect::<Result<_>>()?; // few: eight operands.
    let made = match on_gpu {
        false => by_programs(&wide, &sizes)?,
        true => in_one_launch(&wide, &sizes, computed)?,
    };
    let [free_energy, complexity, accuracy] = made.map(|t| t.cast(dtype));
    Ok(FreeEnergy {
        free_energy: free_energy?,
        complexity: complexity?,
        accuracy: accuracy?,
    })
}

/// The free energy `F = KL(q || p) - sum_i q_i ln p(o | i)` of categorical beliefs in nats, with both its parts: `[..., n]` three times
/// `-> [...]` three times. `log_likelihood` has the logarithm of how probable the observation is in each state: for a likelihood matrix
/// `A`, the logarithm of the row of what was observed.
///
/// The complexity is [`categorical_kl_divergence`]; a state without probability adds nothing to the accuracy, however impossible it
/// makes the observation. Nothing is normalised. Errors as those of [`free_energy`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::categorical_free_energy;
///
/// // The posterior has the least free energy: minus the logarithm of the evidence.
/// let (p, likelihood) = (Tensor::from([0.5, 0.5]), Tensor::from([0.9, 0.1]));
/// let found = categorical_free_energy(&likelihood, &p, &likelihood.log()?)?;
/// assert!((found.free_energy.to_scalar::<f64>()? - 2f64.ln()).abs() < 1e-15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn categorical_free_energy(
    q: &Tensor,
    p: &Tensor,
    log_likelihood: &Tensor,
) -> Result<FreeEnergy> {
    const OP: &str = "categorical_free_energy";
    let operands = [q, p, log_likelihood];
    same_device(OP, &operands)?;
    if operands.iter().any(|t| !t.dtype().is_float()) {
        return Err(not_real(OP, &operands));
    }
    let broadcast = broadcast_pair(q.shape(), p.shape())
        .and_then(|both| broadcast_pair(&both, log_likelihood.shape()));
    if broadcast.is_none_or(|shape| shape.is_empty()) {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&operands),
            hint: "the operands broadcast together, and their last axis is what is summed over"
                .into(),
        });
    }
    let (dtype, computed) = types_of(&operands);
    let [q, p, log_likelihood] = operands.map(|t| t.cast(computed));
    let (q, log_likelihood) = (q?, log_likelihood?);
    let complexity = categorical_kl_divergence(&q, &p?)?;
    let nothing = q.equal(0.0)?;
    let terms = q.try_mul(&log_likelihood)?;
    let accuracy = nothing.where_cond(0.0, &terms)?.sum(-1)?;
    let free_energy = complexity.try_sub(&accuracy)?;
    Ok(FreeEnergy {
        free_energy: free_energy.cast(dtype)?,
        complexity: complexity.cast(dtype)?,
        accuracy: accuracy.cast(dtype)?,
    })
}

/// The sizes of a call.
struct Sizes {
    rows: Dims,
    n: usize,
    m: usize,
}

impl Sizes {
    /// None where shapes do not fit.
    fn of(beliefs: [&Tensor; 4], seen: [&Tensor; 3], jacobian: Option<&Tensor>) -> Option<Sizes> {
        let joined = |tensors: &[&Tensor]| {
            let mut shapes = tensors.iter().map(|t| t.shape());
            shapes.try_fold(Dims::new(), |all, shape| broadcast_pair(&all, shape))
        };
        let (of_beliefs, of_seen) = (joined(&beliefs)?, joined(&seen)?);
        let (n, before) = of_beliefs.split_last()?;
        let (m, others) = of_seen.split_last()?;
        let mut rows = broadcast_pair(before, others)?;
        if let Some(jacobian) = jacobian {
            let [stack @ .., of_m, of_n] = jacobian.shape() else {
                return None;
            };
            if (of_m, of_n) != (m, n) {
                return None;
            }
            rows = broadcast_pair(&rows, stack)?;
        }
        Some(Sizes { rows, n: *n, m: *m })
    }

    fn count(&self) -> usize {
        self.rows.iter().product()
    }
}

/// A program for each part.
fn by_programs(operands: &[Tensor], sizes: &Sizes) -> Result<[Tensor; 3]> {
    let [
        mean_q,
        mean_p,
        var_q,
        var_p,
        observation,
        prediction,
        precision,
        rest @ ..,
    ] = operands
    else {
        return Err(Error::value(OP, "takes seven operands"));
    };
    let complexity = kl_divergence(mean_q, mean_p, var_q, var_p)?;
    let accuracy = match rest {
        [jacobian, ..] => {
            let var_q = match var_q.shape().last() {
                Some(&last) if last == sizes.n => var_q.clone(),
                _ => var_q.broadcast_to(&[sizes.n])?,
            };
            let column: Vec<isize> = var_q
                .shape()
                .iter()
                .map(|&len| len as isize)
                .chain([1])
                .collect();
            let variance = jacobian.square()?.matmul(&var_q.reshape(&column)?)?;
            let flat: Vec<isize> = variance.shape()[..variance.ndim() - 1]
                .iter()
                .map(|&len| len as isize)
                .collect();
            expected_accuracy(
                observation,
                prediction,
                precision,
                &variance.reshape(&flat)?,
            )?
        }
        [] => accuracy(observation, prediction, precision)?,
    };
    let (complexity, accuracy) = (
        complexity.broadcast_to(&sizes.rows)?,
        accuracy.broadcast_to(&sizes.rows)?,
    );
    Ok([complexity.try_sub(&accuracy)?, complexity, accuracy])
}

/// One launch of [`FREE_ENERGY`].
fn in_one_launch(operands: &[Tensor], sizes: &Sizes, dtype: DType) -> Result<[Tensor; 3]> {
    let [
        mean_q,
        mean_p,
        var_q,
        var_p,
        observation,
        prediction,
        precision,
        rest @ ..,
    ] = operands
    else {
        return Err(Error::value(OP, "takes seven operands"));
    };
    let Sizes { ref rows, n, m } = *sizes;
    let of_states = |operand: &Tensor| super::rows_of(operand, rows, &[n]);
    let of_seen = |operand: &Tensor| super::rows_of(operand, rows, &[m]);
    let jacobian = match rest {
        [jacobian, ..] => super::rows_of(jacobian, rows, &[m, n])?,
        [] => Tensor::zeros_on(&[0], dtype, mean_q.device())?.eval()?,
    };
    let operands = Operands {
        inputs: &[
            ("mean_q", &of_states(mean_q)?),
            ("mean_p", &of_states(mean_p)?),
            ("var_q", &of_states(var_q)?),
            ("var_p", &of_states(var_p)?),
            ("observation", &of_seen(observation)?),
            ("prediction", &of_seen(prediction)?),
            ("precision", &of_seen(precision)?),
            ("jacobian", &jacobian),
        ],
        outputs: &[
            ("free_energy", rows, dtype),
            ("complexity", rows, dtype),
            ("accuracy", rows, dtype),
        ],
        numbers: &[
            ("rows", sizes.count().into()),
            ("n", n.into()),
            ("m", m.into()),
        ],
        lists: &[],
    };
    // SAFETY: shapes, types and numbers are those that the kernel asks for.
    let mut made = unsafe { run_named(&FREE_ENERGY, &operands)? };
    Ok([
        made.take("free_energy")?,
        made.take("complexity")?,
        made.take("accuracy")?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(values: &[f64], shape: &[usize]) -> Tensor {
        Tensor::from_slice(values, shape).unwrap()
    }

    fn read(t: &Tensor) -> Vec<f64> {
        t.to_vec::<f64>().unwrap()
    }

    /// 4 states and 2 observations, whose sums were made term by term from the formulas.
    #[test]
    fn parts_of_unequal_lengths() {
        let (mq, mp) = (t(&[0.5, -1.0, 2.0, 0.0], &[4]), t(&[0.0; 4], &[4]));
        let (vq, vp) = (
            t(&[1.0, 0.5, 0.25, 2.0], &[4]),
            t(&[1.0, 1.0, 2.0, 2.0], &[4]),
        );
        let (o, g, pi) = (
            t(&[1.0, 0.0], &[2]),
            t(&[0.5, 0.25], &[2]),
            t(&[4.0, 0.5], &[2]),
        );
        let evidence = Evidence {
            observation: &o,
            prediction: &g,
            precision: &pi,
            jacobian: None,
        };
        let made = free_energy(&mq, &mp, &vq, &vp, evidence).unwrap();
        let kl = |m: f64, vq: f64, vp: f64| 0.5 * (vq / vp - 1.0 - (vq / vp).ln() + m * m / vp);
        let complexity = kl(0.5, 1.0, 1.0) + kl(-1.0, 0.5, 1.0) + kl(2.0, 0.25, 2.0);
        let fit =
            |d: f64, pi: f64| -0.5 * (pi * d * d - pi.ln() + (2.0 * std::f64::consts::PI).ln());
        let accuracy = fit(0.5, 4.0) + fit(0.25, 0.5);
        let near =
            |got: &Tensor, want: f64| assert!((read(got)[0] - want).abs() < 1e-14, "{got} {want}");
        near(&made.complexity, complexity);
        near(&made.accuracy, accuracy);
        near(&made.free_energy, complexity - accuracy);
        // Variances of the predictions: 1 + 4 * 0.5 and 0.25 + 2.
        let j = t(&[1.0, -2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0], &[2, 4]);
        let expected = free_energy(
            &mq,
            &mp,
            &vq,
            &vp,
            Evidence {
                jacobian: Some(&j),
                ..evidence
            },
        )
        .unwrap();
        near(
            &expected.accuracy,
            accuracy - 0.5 * (4.0 * 3.0 + 0.5 * 2.25),
        );
    }

    #[test]
    fn rows_share_what_has_none_and_mistakes_are_errors() {
        let x = |v: f64, shape: &[usize]| Tensor::full(shape, v, DType::F32).unwrap();
        let (many, one, seen) = (x(0.0, &[3, 5]), x(1.0, &[5]), x(1.0, &[2]));
        let evidence = Evidence {
            observation: &seen,
            prediction: &seen,
            precision: &seen,
            jacobian: None,
        };
        let made = free_energy(&many, &one, &one, &one, evidence).unwrap();
        assert_eq!(made.free_energy.shape(), [3]);
        assert_eq!(made.accuracy.shape(), [3]);
        let wrong = x(1.0, &[5, 2]);
        let bad = free_energy(
            &many,
            &one,
            &one,
            &one,
            Evidence {
                jacobian: Some(&wrong),
                ..evidence
            },
        );
        assert!(matches!(
            bad,
            Err(Error::Shape {
                op: "free_energy",
                ..
            })
        ));
        let none = x(1.0, &[0]);
        let of_none = Evidence {
            observation: &none,
            prediction: &none,
            precision: &none,
            jacobian: None,
        };
        let made = free_energy(&none, &none, &none, &none, of_none).unwrap();
        assert_eq!(made.free_energy.item().unwrap().to_f64(), 0.0);
        // No precision at all: the observation is as good as impossible.
        let flat = x(0.0, &[2]);
        let made = free_energy(
            &many,
            &one,
            &one,
            &one,
            Evidence {
                precision: &flat,
                ..evidence
            },
        )
        .unwrap();
        assert_eq!(
            made.free_energy.to_vec::<f32>().unwrap(),
            [f32::INFINITY; 3]
        );
    }

    #[test]
    fn categories() {
        let (q, p) = (t(&[0.5, 0.5, 0.0], &[3]), t(&[0.25, 0.5, 0.25], &[3]));
        let seen = t(&[0.5f64.ln(), 0.25f64.ln(), f64::NEG_INFINITY], &[3]);
        let made = categorical_free_energy(&q, &p, &seen).unwrap();
        let want = 0.5 * 2f64.ln() - 0.5 * (0.5f64.ln() + 0.25f64.ln());
        assert!((read(&made.free_energy)[0] - want).abs() < 1e-15);
        // At the posterior it is minus the log evidence: p(o) = 0.25/2 + 0.5/4 = 1/4.
        let made = categorical_free_energy(&q, &p, &seen).unwrap();
        assert!((read(&made.free_energy)[0] - 4f64.ln()).abs() < 1e-15);
    }
}
