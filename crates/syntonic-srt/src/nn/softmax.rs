//! Syntonic softmax: a softmax whose classes carry weights from the golden lattice.

use super::check_real;
use crate::constants::INV_PHI;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use syntonic_core::fuse::Program;
use syntonic_core::fuse::notation::{Sym, eq, exp, max, select, stop_gradient, sum};
use syntonic_core::layout::normalize_axis;
pub(super) use syntonic_core::ops::softmax::{SOFTMAX, normalized as softmax};
use syntonic_core::run::{self, Axes};
use syntonic_core::{Error, Result, Tensor, describe, fuse, same_device};

/// As [`softmax`], but a row of nothing but minus infinities gives zeros.
fn softmax_or_zero(z: Sym) -> Sym {
    let m = max(z);
    let e = exp(z - stop_gradient(select(eq(m, f64::NEG_INFINITY), 0.0, m)));
    let total = sum(e);
    e / select(eq(total, 0.0), 1.0, total)
}

fuse! {
    SOFTMAX_OR_ZERO(x: element) -> (element) { softmax_or_zero(x) }
    SYNTONIC_SOFTMAX(x: element, log_w: row, s: number) -> (element) { softmax(x + log_w * s) }
    SYNTONIC_SOFTMAX_OR_ZERO(x: element, log_w: row, s: number) -> (element) { softmax_or_zero(x + log_w * s) }
    SYNTONIC_SOFTMAX_PROVIDED(x: element, w: element, s: number) -> (element) { softmax(x + log(w) * s) }
    SYNTONIC_SOFTMAX_PROVIDED_OR_ZERO(x: element, w: element, s: number) -> (element) {
        softmax_or_zero(x + log(w) * s)
    }
}

/// The formulas.
pub(super) fn formulas() -> Vec<&'static Program> {
    vec![
        &SOFTMAX,
        &SOFTMAX_OR_ZERO,
        &SYNTONIC_SOFTMAX,
        &SYNTONIC_SOFTMAX_OR_ZERO,
        &SYNTONIC_SOFTMAX_PROVIDED,
        &SYNTONIC_SOFTMAX_PROVIDED_OR_ZERO,
    ]
}

/// Where the weights come from.
#[derive(Clone, Copy, Debug)]
pub enum Weights<'a> {
    /// All 1: the ordinary softmax.
    Identity,
    /// Mode norms `|n_i|^2` of shape `[C]`: `w_i = e^(-|n_i|^2/phi)`.
    ModeNorms(&'a Tensor),
    /// Logarithms of the weights, of shape `[C]`; minus infinity rules a class out.
    Log(&'a Tensor),
    /// Weights of the shape of the logits, not negative; 0 rules an element out.
    Provided(&'a Tensor),
}

/// What a row that is minus infinity throughout gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AllMasked {
    /// NaN, as other libraries do.
    #[default]
    Nan,
    /// Zeros.
    Zero,
}

/// Settings of [`syntonic_softmax`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Softmax {
    /// The axis of the classes.
    pub axis: isize,
    /// The power of the weights; 0 is the ordinary softmax.
    pub scale: f64,
    /// What a row that is minus infinity throughout gives.
    pub all_masked: AllMasked,
}

impl Default for Softmax {
    fn default() -> Softmax {
        Softmax {
            axis: -1,
            scale: 1.0,
            all_masked: AllMasked::Nan,
        }
    }
}

const OP: &str = "syntonic_softmax";

/// `p_i = w_i^s e^(x_i) / sum_j w_j^s e^(x_j)` along an axis of `C` classes: `[..., C, ...] -> [..., C, ...]`.
///
/// Computed with the largest exponent taken out. Plus infinity in a row, or NaN, gives NaN there.
/// Errors where the axis does not exist, the weights' shape does not fit, or a type is not a real float.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{Softmax, Weights, syntonic_softmax};
///
/// let x = Tensor::from([0.0, 0.0]);
/// let even = syntonic_softmax(&x, Weights::Identity, Softmax::default())?;
/// assert_eq!(even.to_vec::<f64>()?, [0.5, 0.5]);
/// let weights = Tensor::from([1.0, 3.0]);
/// let p = syntonic_softmax(&x, Weights::Provided(&weights), Softmax::default())?.to_vec::<f64>()?;
/// assert!((p[0] - 0.25).abs() < 1e-15 && (p[1] - 0.75).abs() < 1e-15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn syntonic_softmax(x: &Tensor, weights: Weights<'_>, settings: Softmax) -> Result<Tensor> {
    let axis = normalize_axis(OP, settings.axis, x.ndim())?;
    if !settings.scale.is_finite() {
        return Err(Error::value(
            OP,
            format!("scale is {}; it must be finite", settings.scale),
        ));
    }
    let weights = checked(x, weights, axis)?;
    if x.numel() == 0 {
        return x.copy();
    }
    let zero = settings.all_masked == AllMasked::Zero;
    let axes = [axis as isize];
    let run = |program, inputs: &[&Tensor], numbers: &[_]| {
        run::rows(program, inputs, numbers, &axes, Axes::Drop)
    };
    let out = match weights {
        _ if settings.scale == 0.0 => {
            run(if zero { &SOFTMAX_OR_ZERO } else { &SOFTMAX }, &[x], &[])?
        }
        Checked::Identity => run(if zero { &SOFTMAX_OR_ZERO } else { &SOFTMAX }, &[x], &[])?,
        Checked::Log { of, times } => run(
            if zero {
                &SYNTONIC_SOFTMAX_OR_ZERO
            } else {
                &SYNTONIC_SOFTMAX
            },
            &[x, &of],
            &[(settings.scale * times).into()],
        )?,
        Checked::Provided(w) => {
            let program = if zero {
                &SYNTONIC_SOFTMAX_PROVIDED_OR_ZERO
            } else {
                &SYNTONIC_SOFTMAX_PROVIDED
            };
            run(program, &[x, w], &[settings.scale.into()])?
        }
    };
    out.into_iter()
        .next()
        .ok_or_else(|| Error::value(OP, "the program has an output"))
}

pub(super) enum Checked<'a> {
    Identity,
    /// The logarithms are `of` times a number. They are not computed here: half types would round them, and an exponent's
    /// error is the result's, as many times as it is large.
    Log {
        of: Cow<'a, Tensor>,
        times: f64,
    },
    Provided(&'a Tensor),
}

/// The weights as the formulas take them; shapes and types are checked.
pub(super) fn checked<'a>(x: &Tensor, weights: Weights<'a>, axis: usize) -> Result<Checked<'a>> {
    check_real(OP, &[x])?;
    let (w, shape) = match weights {
        Weights::Identity => return Ok(Checked::Identity),
        Weights::ModeNorms(w) | Weights::Log(w) => (w, &x.shape()[axis..=axis]),
        Weights::Provided(w) => (w, x.shape()),
    };
    same_device(OP, &[x, w])?;
    if w.dtype().is_complex() {
        return Err(Error::DType {
            op: OP,
            operands: describe(&[x, w]),
            hint: "weights are real".into(),
        });
    }
    if w.shape() != shape {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[x, w]),
            hint: format!("these weights have the shape {shape:?}"),
        });
    }
    Ok(match weights {
        Weights::ModeNorms(_) => Checked::Log {
            of: Cow::Owned(w.cast(x.dtype())?),
            times: -INV_PHI,
        },
        Weights::Log(w) => Checked::Log {
            of: Cow::Borrowed(w),
            times: 1.0,
        },
        _ => Checked::Provided(w),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::DType;

    fn t(values: &[f64], shape: &[usize]) -> Tensor {
        Tensor::from_slice(values, shape).unwrap()
    }

    fn close(got: &Tensor, want: &[f64]) {
        for (g, w) in got.to_vec::<f64>().unwrap().iter().zip(want) {
            assert!((g - w).abs() < 1e-15, "{g} is not {w}");
        }
    }

    #[test]
    fn known_values() {
        let norms = t(&[0.0, 1.0, 4.0], &[3]);
        let f = |x: &[f64]| {
            syntonic_softmax(&t(x, &[3]), Weights::ModeNorms(&norms), Softmax::default()).unwrap()
        };
        close(
            &f(&[0.0; 3]),
            &[
                0.615_988_297_150_381_9,
                0.332_019_591_085_990_7,
                0.051_992_111_763_627_4,
            ],
        );
        close(
            &f(&[1.0, 2.0, 3.0]),
            &[
                0.323_747_074_380_581_75,
                0.474_342_003_343_16,
                0.201_910_922_276_258_23,
            ],
        );
    }

    #[test]
    fn half_types_round_no_exponent() {
        let n = 64;
        // Numbers that both types hold.
        let x: Vec<f64> = (0..n).map(|k| f64::from(k % 5)).collect();
        let norms: Vec<f64> = (0..n).map(|k| f64::from(3 * k)).collect();
        let p = |dtype| {
            let [x, norms] = [&x, &norms].map(|v| t(v, &[64]).cast(dtype).unwrap());
            let settings = Softmax {
                scale: 0.75,
                ..Softmax::default()
            };
            let p = syntonic_softmax(&x, Weights::ModeNorms(&norms), settings).unwrap();
            p.cast(DType::F64).unwrap().to_vec::<f64>().unwrap()
        };
        let exact = p(DType::F64);
        for (dtype, digits, least) in [(DType::F16, 11, -25), (DType::BF16, 8, -134)] {
            for (got, want) in p(dtype).iter().zip(&exact) {
                // One rounding to the type, and in float32 an exponent of at most 100: each of its roundings is 2^-24 of it.
                let tolerance = want * (2f64.powi(-digits) + 400.0 * 2f64.powi(-24));
                assert!(
                    (got - want).abs() <= tolerance + 2f64.powi(least),
                    "{dtype}: {got} is not {want}"
                );
            }
        }
    }

    #[test]
    fn laws() {
        let (rows, n) = (7, 300);
        let x: Vec<f64> = (0..rows * n)
            .map(|i| ((i * 7919) % 1999) as f64 / 100.0 - 10.0)
            .collect();
        let norms: Vec<f64> = (0..n).map(|i| ((i * i) % 17) as f64).collect();
        let (tx, tn) = (t(&x, &[rows, n]), t(&norms, &[n]));
        let base = Softmax::default();
        let p = syntonic_softmax(&tx, Weights::ModeNorms(&tn), base).unwrap();
        for row in p.to_vec::<f64>().unwrap().chunks(n) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-15 * n as f64);
        }
        let shifted: Vec<f64> = x.iter().map(|v| v + 1024.0).collect();
        let q = syntonic_softmax(&t(&shifted, &[rows, n]), Weights::ModeNorms(&tn), base).unwrap();
        for (a, b) in p
            .to_vec::<f64>()
            .unwrap()
            .iter()
            .zip(q.to_vec::<f64>().unwrap())
        {
            // x + 1024 is rounded to 2^-42, which moves each exponent by as much.
            assert!((a - b).abs() <= 2.0 * a * 2f64.powi(-42));
        }
        let weights: Vec<f64> = x
            .iter()
            .enumerate()
            .map(|(i, _)| (-norms[i % n] / crate::constants::PHI).exp())
            .collect();
        let provided =
            syntonic_softmax(&tx, Weights::Provided(&t(&weights, &[rows, n])), base).unwrap();
        for (a, b) in p
            .to_vec::<f64>()
            .unwrap()
            .iter()
            .zip(provided.to_vec::<f64>().unwrap())
        {
            assert!((a - b).abs() <= 1e-13 * a);
        }
        let plain = syntonic_softmax(&tx, Weights::Identity, base).unwrap();
        let zero =
            syntonic_softmax(&tx, Weights::ModeNorms(&tn), Softmax { scale: 0.0, ..base }).unwrap();
        assert_eq!(
            plain.to_vec::<f64>().unwrap(),
            zero.to_vec::<f64>().unwrap()
        );
    }

    #[test]
    fn any_axis() {
        let x: Vec<f64> = (0..4 * 300 * 70)
            .map(|i| ((i * 31) % 113) as f64 / 9.0)
            .collect();
        let tx = t(&x, &[4, 300, 70]);
        let norms = t(
            &(0..300).map(|i| f64::from(i % 5)).collect::<Vec<_>>(),
            &[300],
        );
        let middle = Softmax {
            axis: 1,
            ..Softmax::default()
        };
        let p = syntonic_softmax(&tx, Weights::ModeNorms(&norms), middle).unwrap();
        let moved = tx.transpose(1, 2).unwrap().contiguous().unwrap();
        let q = syntonic_softmax(&moved, Weights::ModeNorms(&norms), Softmax::default()).unwrap();
        let q = q.transpose(1, 2).unwrap();
        for (a, b) in p
            .to_vec::<f64>()
            .unwrap()
            .iter()
            .zip(q.to_vec::<f64>().unwrap())
        {
            assert!((a - b).abs() <= 1e-13 * b);
        }
    }

    #[test]
    fn masks_infinities_and_single_classes() {
        let inf = f64::INFINITY;
        let f = |x: &[f64], all_masked| {
            let s = Softmax {
                all_masked,
                ..Softmax::default()
            };
            syntonic_softmax(&t(x, &[x.len()]), Weights::Identity, s)
                .unwrap()
                .to_vec::<f64>()
                .unwrap()
        };
        assert_eq!(f(&[0.0, -inf, 0.0], AllMasked::Nan), [0.5, 0.0, 0.5]);
        assert!(f(&[-inf, -inf], AllMasked::Nan).iter().all(|v| v.is_nan()));
        assert_eq!(f(&[-inf, -inf], AllMasked::Zero), [0.0, 0.0]);
        assert!(f(&[1.0, inf], AllMasked::Zero)[1].is_nan());
        assert_eq!(f(&[123.0], AllMasked::Nan), [1.0]);
        let x = t(&[0.0, 0.0], &[2]);
        let ruled_out = syntonic_softmax(
            &x,
            Weights::Provided(&t(&[0.0, 3.0], &[2])),
            Softmax::default(),
        )
        .unwrap();
        assert_eq!(ruled_out.to_vec::<f64>().unwrap(), [0.0, 1.0]);
    }

    #[test]
    fn mistakes_are_errors() {
        let x = t(&[0.0; 6], &[2, 3]);
        let two = t(&[0.0; 2], &[2]);
        let e = syntonic_softmax(&x, Weights::ModeNorms(&two), Softmax::default()).unwrap_err();
        assert!(matches!(e, Error::Shape { .. }), "{e}");
        let e = syntonic_softmax(
            &x,
            Weights::Identity,
            Softmax {
                axis: 2,
                ..Softmax::default()
            },
        )
        .unwrap_err();
        assert!(matches!(e, Error::Axis { .. }), "{e}");
        let ints = Tensor::zeros(&[3], DType::I64).unwrap();
        let e = syntonic_softmax(&ints, Weights::Identity, Softmax::default()).unwrap_err();
        assert!(matches!(e, Error::DType { .. }), "{e}");
    }

    /// dz_i = p_i (g_i - sum_j p_j g_j), by hand for one row.
    #[test]
    fn gradients() {
        let (x, log_w, g) = ([0.5, -1.0, 2.0], [0.0, -0.6, -2.5], [0.3, -0.7, 1.1]);
        let s = 1.5;
        let grad = SYNTONIC_SOFTMAX.grad(&[0, 1, 2]).unwrap();
        let inputs = [t(&x, &[1, 3]), t(&log_w, &[3]), t(&g, &[1, 3])];
        let inputs: Vec<&Tensor> = inputs.iter().collect();
        let got = run::rows(&grad, &inputs, &[s.into()], &[-1], Axes::Drop).unwrap();
        let e: Vec<f64> = (0..3).map(|i| (x[i] + s * log_w[i]).exp()).collect();
        let total: f64 = e.iter().sum();
        let mean: f64 = (0..3).map(|i| e[i] / total * g[i]).sum();
        let dz: Vec<f64> = (0..3).map(|i| e[i] / total * (g[i] - mean)).collect();
        close(&got[0], &dz);
        close(&got[1], &dz.iter().map(|d| d * s).collect::<Vec<_>>());
        close(&got[2], &[(0..3).map(|i| dz[i] * log_w[i]).sum()]);
    }

    #[test]
    fn a_masked_row_of_zeros_has_no_gradient() {
        let grad = SOFTMAX_OR_ZERO.grad(&[0]).unwrap();
        let x = t(&[f64::NEG_INFINITY; 3], &[1, 3]);
        let g = t(&[1.0, 2.0, 3.0], &[1, 3]);
        let got = run::rows(&grad, &[&x, &g], &[], &[-1], Axes::Drop).unwrap();
        close(&got[0], &[0.0; 3]);
    }
}
