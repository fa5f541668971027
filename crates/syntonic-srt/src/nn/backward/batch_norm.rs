//! Gradients of the golden batch norm in training.

use super::super::batch_norm::{
    BATCH_NORM, BATCH_NORM_PLAIN, BatchNorm, BatchStats, Channels, check_as,
};
use super::{Operands, check_cotangent, gradient, next};
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::Program;
use syntonic_core::{Result, Tensor};

/// With respect to the elements, gamma and beta; mean and variance are kept from the forward run, or computed again.
pub(super) static AFFINE: Lazy<Program> = Lazy::new(|| gradient(&BATCH_NORM, &[0, 1, 2], &[]));
static AFFINE_KEPT: Lazy<Program> = Lazy::new(|| gradient(&BATCH_NORM, &[0, 1, 2], &[1, 2]));
static PLAIN: Lazy<Program> = Lazy::new(|| gradient(&BATCH_NORM_PLAIN, &[0], &[]));
static PLAIN_KEPT: Lazy<Program> = Lazy::new(|| gradient(&BATCH_NORM_PLAIN, &[0], &[1, 2]));

pub(super) fn formulas() -> Vec<&'static Program> {
    vec![&AFFINE, &AFFINE_KEPT, &PLAIN, &PLAIN_KEPT]
}

/// Gradients of [`batch_norm`](super::super::batch_norm).
#[derive(Clone, Debug)]
pub struct BatchNormGradients {
    /// Of the elements.
    pub x: Tensor,
    /// Of gamma and beta, where there were any.
    pub affine: Option<(Tensor, Tensor)>,
}

/// The cotangents of `x`, `gamma` and `beta` from that of the values of [`batch_norm`](super::super::batch_norm):
/// over the positions of each channel, with `n = (x - mean) / sqrt(var + eps)` and `v` the target variance,
/// `dx = gamma sqrt(v / (var + eps)) (g - mean(g) - n mean(g n))`, `dgamma = sqrt(v) sum(g n)`, `dbeta = sum(g)`.
/// `grad, x: [B, F]` or `[B, C, H, W]`; `gamma`, `dgamma`, `dbeta`: `[C]`.
///
/// `stats` are those that the forward run gave; without them, or where they are of a half type and so rounded, mean
/// and variance are computed again. Real floats; half types are computed in `float32` and rounded once. Errors where
/// shapes, types, devices or settings do not fit, and for an empty batch.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{BatchNorm, Channels, batch_norm_backward};
///
/// let x = Tensor::from([[1.0], [3.0], [8.0]]);
/// let grad = Tensor::from([[5.0], [5.0], [5.0]]);
/// // What moves all values of a channel alike is taken out by the norm.
/// let back = batch_norm_backward(&grad, &x, None, None, BatchNorm::golden(Channels::Features))?;
/// assert!(back.x.abs()?.max(..)?.to_scalar::<f64>()? < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn batch_norm_backward(
    grad: &Tensor,
    x: &Tensor,
    gamma: Option<&Tensor>,
    stats: Option<&BatchStats>,
    settings: BatchNorm,
) -> Result<BatchNormGradients> {
    let op = match settings.channels {
        Channels::Features => "golden_batch_norm_1d_backward",
        Channels::Planes => "golden_batch_norm_2d_backward",
    };
    let mut per_channel: Vec<&Tensor> = gamma.into_iter().collect();
    per_channel.extend(stats.into_iter().flat_map(|s| [&s.mean, &s.var]));
    let scale = check_as(op, x, &per_channel, settings)?;
    super::super::check_real(op, &per_channel)?;
    check_cotangent(op, grad, x)?;
    let mut tensors = vec![("x", x), ("cotangent_0", grad)];
    tensors.extend(gamma.into_iter().map(|g| ("gamma", g)));
    // Those of half types are computed again, in the pass that there is for them.
    let kept = stats
        .filter(|s| !x.dtype().is_half() && !s.mean.dtype().is_half() && !s.var.dtype().is_half());
    tensors.extend(
        kept.into_iter()
            .flat_map(|s| [("given_1", &s.mean), ("given_2", &s.var)]),
    );
    let operands = Operands {
        tensors: &tensors,
        numbers: &[("scale", scale.into()), ("eps", settings.eps.into())],
    };
    let program = match (gamma.is_some(), kept.is_some()) {
        (true, true) => &AFFINE_KEPT,
        (true, false) => &AFFINE,
        (false, true) => &PLAIN_KEPT,
        (false, false) => &PLAIN,
    };
    let mut made = operands
        .rows(program, settings.channels.axes())?
        .into_iter();
    let x = next(&mut made, x)?;
    let affine = match gamma {
        Some(gamma) => Some((next(&mut made, gamma)?, next(&mut made, gamma)?)),
        None => None,
    };
    Ok(BatchNormGradients { x, affine })
}
