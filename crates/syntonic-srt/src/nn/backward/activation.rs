//! The gradient of golden GELU.

use super::{Operands, check_cotangent, gradient, next};
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::Program;
use syntonic_core::{Result, Tensor};

static GRADIENT: Lazy<Program> =
    Lazy::new(|| gradient(super::super::activation::formula(), &[0], &[]));

pub(super) fn formula() -> &'static Program {
    &GRADIENT
}

/// The cotangent of `x` from that of golden GELU at `x`, both `[...]`: `g (s + phi x s (1 - s))` with
/// `s = 1 / (1 + e^(-phi x))`.
///
/// Real floats; half types are computed in `float32` and rounded once. Errors where shapes, types or devices do not fit.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::golden_gelu_backward;
///
/// let (grad, x) = (Tensor::from([2.0, 2.0]), Tensor::from([0.0, 100.0]));
/// // The slope is a half at 0, and 1 far above.
/// assert_eq!(golden_gelu_backward(&grad, &x)?.to_vec::<f64>()?, [1.0, 2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn golden_gelu_backward(grad: &Tensor, x: &Tensor) -> Result<Tensor> {
    check_cotangent("golden_gelu_backward", grad, x)?;
    let operands = Operands {
        tensors: &[("x", x), ("cotangent_0", grad)],
        numbers: &[],
    };
    next(&mut operands.map(&GRADIENT, x)?.into_iter(), x)
}
