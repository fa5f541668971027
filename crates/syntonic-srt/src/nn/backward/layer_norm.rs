//! Gradients of the layer norm.

use super::super::check_real;
use super::super::layer_norm::{LAYER_NORM, LAYER_NORM_PLAIN, LayerNorm, check};
use super::{Operands, check_cotangent, gradient, next};
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::Program;
use syntonic_core::{Error, Result, Tensor, describe, same_device};

/// With respect to the elements, gamma and beta.
pub(super) static AFFINE: Lazy<Program> = Lazy::new(|| gradient(&LAYER_NORM, &[0, 1, 2], &[]));
static PLAIN: Lazy<Program> = Lazy::new(|| gradient(&LAYER_NORM_PLAIN, &[0], &[]));

pub(super) fn formulas() -> Vec<&'static Program> {
    vec![&AFFINE, &PLAIN]
}

/// Gradients of [`layer_norm`](super::super::layer_norm).
#[derive(Clone, Debug)]
pub struct LayerNormGradients {
    /// Of the elements.
    pub x: Tensor,
    /// Of gamma and beta, where there were any.
    pub affine: Option<(Tensor, Tensor)>,
}

/// The cotangents of `x`, `gamma` and `beta` from that of [`layer_norm`](super::super::layer_norm): with
/// `n = (x - mean) / sqrt(var + eps)`, `h = gamma g` and `v` the target variance,
/// `dx = sqrt(v / (var + eps)) (h - mean(h) - n mean(h n))`; `dgamma` and `dbeta` are the sums of `sqrt(v) g n` and
/// `g` over all rows. `grad, x: [..., row] -> [..., row]`; `gamma`, `dgamma` and `dbeta` have the row's shape.
///
/// Mean and variance are computed again from `x`. Real floats; half types are computed in `float32` and rounded
/// once. Errors where shapes, types, devices or settings do not fit.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{LayerNorm, layer_norm_backward};
///
/// let (grad, x) = (Tensor::from([[5.0, 5.0, 5.0]]), Tensor::from([[1.0, 3.0, 8.0]]));
/// let back = layer_norm_backward(&grad, &x, None, LayerNorm::default())?;
/// assert!(back.x.abs()?.max(..)?.to_scalar::<f64>()? < 1e-14);
/// assert!(back.affine.is_none());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn layer_norm_backward(
    grad: &Tensor,
    x: &Tensor,
    gamma: Option<&Tensor>,
    settings: LayerNorm,
) -> Result<LayerNormGradients> {
    let op = "layer_norm_backward";
    let (axes, [scale, eps]) = check(op, x, settings)?;
    check_cotangent(op, grad, x)?;
    let numbers = [("scale", scale), ("eps", eps)];
    let Some(gamma) = gamma else {
        let operands = Operands {
            tensors: &[("x", x), ("cotangent_0", grad)],
            numbers: &numbers,
        };
        let mut made = operands.rows(&PLAIN, &axes)?.into_iter();
        return Ok(LayerNormGradients {
            x: next(&mut made, x)?,
            affine: None,
        });
    };
    let row = &x.shape()[x.ndim() - settings.axes..];
    same_device(op, &[x, gamma])?;
    check_real(op, &[gamma])?;
    if gamma.shape() != row {
        return Err(Error::Shape {
            op,
            operands: describe(&[grad, x, gamma]),
            hint: format!("gamma has the shape of the row, {row:?}"),
        });
    }
    let operands = Operands {
        tensors: &[("x", x), ("gamma", gamma), ("cotangent_0", grad)],
        numbers: &numbers,
    };
    let mut made = operands.rows(&AFFINE, &axes)?.into_iter();
    Ok(LayerNormGradients {
        x: next(&mut made, x)?,
        affine: Some((next(&mut made, gamma)?, next(&mut made, gamma)?)),
    })
}
