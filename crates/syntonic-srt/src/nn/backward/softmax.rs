//! Gradients of the syntonic softmax.

use super::super::softmax::{Checked, SOFTMAX, Softmax, Weights, checked, softmax};
use super::{Operands, check_cotangent, gradient, next};
use crate::constants::INV_PHI;
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::{Prim, Program};
use syntonic_core::layout::normalize_axis;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{Result, Tensor, fuse};

fuse! {
    /// The softmax of weights that are not 0. Where one is, the result is 0 however the others change.
    WEIGHTED(x: element, log_w: row, s: number) -> (element) {
        softmax(x + select(eq(log_w, f64::NEG_INFINITY), 0.0, log_w) * s)
    }
    WEIGHTED_EACH(x: element, w: element, s: number) -> (element) {
        softmax(x + log(select(eq(w, 0.0), 1.0, w)) * s)
    }
}

/// With respect to the logits. The result is kept, and the weights do not matter where it is.
static LOGITS: Lazy<Program> = Lazy::new(|| gradient(&SOFTMAX, &[0], &[0]));
/// With respect to the logits, the logarithms of the weights, and the scale.
static LOG: Lazy<Program> = Lazy::new(|| gradient(&WEIGHTED, &[0, 1, 2], &[0]));
/// With respect to the logits, the weights, and the scale.
static PROVIDED: Lazy<Program> = Lazy::new(|| gradient(&WEIGHTED_EACH, &[0, 1, 2], &[0]));

pub(super) fn formulas() -> Vec<&'static Program> {
    vec![&LOGITS, &LOG, &PROVIDED]
}

/// Gradients of [`syntonic_softmax`](super::super::syntonic_softmax).
#[derive(Clone, Debug)]
pub struct SoftmaxGradients {
    /// Of the logits.
    pub x: Tensor,
    /// Of what the weights were made from, where they are not all 1: mode norms, logarithms, or weights.
    pub weights: Option<Tensor>,
    /// Of the scale, without axes; where the weights are all 1 it is 0.
    pub scale: Tensor,
}

/// The cotangent of the logits from that of the result and the result `p` itself:
/// `dx_i = p_i (g_i - sum_j p_j g_j)` along an axis, whatever the weights and their scale were.
/// `grad, p: [..., C, ...] -> [..., C, ...]`.
///
/// Real floats; half types are computed in `float32` and rounded once. Errors where the axis does not exist, or
/// shapes, types or devices do not fit.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::syntonic_softmax_backward;
///
/// let (grad, p) = (Tensor::from([1.0, 0.0]), Tensor::from([0.5, 0.5]));
/// assert_eq!(syntonic_softmax_backward(&grad, &p, -1)?.to_vec::<f64>()?, [0.25, -0.25]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn syntonic_softmax_backward(grad: &Tensor, p: &Tensor, axis: isize) -> Result<Tensor> {
    let op = "syntonic_softmax_backward";
    let axis = normalize_axis(op, axis, p.ndim())?;
    check_cotangent(op, grad, p)?;
    let operands = Operands {
        tensors: &[("given_0", p), ("cotangent_0", grad)],
        numbers: &[],
    };
    let mut made = operands.rows(&LOGITS, &[axis as isize])?.into_iter();
    next(&mut made, p)
}

/// As [`syntonic_softmax_backward`], with the gradients of the weights and of their scale `s` as well: those of the
/// logarithms of the weights are `s dx_i` summed over all rows, of mode norms `-1/phi` times as much, of provided
/// weights `s dx_i / w_i` each; that of `s` is the sum of `dx_i ln w_i`.
///
/// A class whose weight is 0 has no part in the gradient of the scale, and none of its own.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{Softmax, Weights, syntonic_softmax_gradients};
///
/// let (grad, p) = (Tensor::from([[1.0, 0.0]]), Tensor::from([[0.5, 0.5]]));
/// let back = syntonic_softmax_gradients(&grad, &p, Weights::Identity, Softmax::default())?;
/// assert_eq!(back.x.to_vec::<f64>()?, [0.25, -0.25]);
/// assert!(back.weights.is_none());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn syntonic_softmax_gradients(
    grad: &Tensor,
    p: &Tensor,
    weights: Weights<'_>,
    settings: Softmax,
) -> Result<SoftmaxGradients> {
    let op = "syntonic_softmax_gradients";
    let axis = normalize_axis(op, settings.axis, p.ndim())?;
    check_cotangent(op, grad, p)?;
    let (program, name, w) = match checked(p, weights, axis)? {
        Checked::Identity => {
            return Ok(SoftmaxGradients {
                x: syntonic_softmax_backward(grad, p, settings.axis)?,
                weights: None,
                scale: Tensor::full_on(&[], 0.0, p.dtype(), p.device())?,
            });
        }
        Checked::Log { of, times: 1.0 } => (&LOG, "log_w", of.into_owned()),
        Checked::Log { of, times } => {
            let logs = apply(Prim::Mul, &[of.as_ref().into(), Arg::from(times)])?;
            (&LOG, "log_w", logs)
        }
        Checked::Provided(w) => (&PROVIDED, "w", w.clone()),
    };
    let operands = Operands {
        tensors: &[("given_0", p), ("cotangent_0", grad), (name, &w)],
        numbers: &[("s", settings.scale.into())],
    };
    let mut made = operands.rows(program, &[axis as isize])?.into_iter();
    let x = next(&mut made, p)?;
    let of_weights = next(&mut made, &w)?;
    let of_weights = match weights {
        Weights::ModeNorms(norms) => {
            let scaled = apply(Prim::Mul, &[(&of_weights).into(), Arg::from(-INV_PHI)])?;
            scaled.cast(norms.dtype())?
        }
        _ => of_weights,
    };
    let parts = next(&mut made, p)?;
    Ok(SoftmaxGradients {
        x,
        weights: Some(of_weights),
        scale: reduce::sum(&parts, &Over::all(), None)?,
    })
}
