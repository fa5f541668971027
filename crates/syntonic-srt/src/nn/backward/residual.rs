//! Gradients of the phi-residual, alone and with layer norm.

use super::super::residual::{Activation, Mode, check, index, normed, plain, table};
use super::super::{check_eps, check_real};
use super::{Operands, check_cotangent, gradient, next};
use crate::constants::INV_PHI;
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::{Prim, Program};
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{Error, Result, Tensor, describe, same_device};

/// The inputs of the formulas by position: identity, residual, and what the norm takes.
const X: usize = 0;
const R: usize = 1;
const GAMMA: usize = 2;
const BETA: usize = 3;

/// Gradients of [`phi_residual`](super::super::phi_residual).
#[derive(Clone, Debug)]
pub struct ResidualGradients {
    /// Of the identity.
    pub x: Tensor,
    /// Of the residual.
    pub residual: Tensor,
}

/// Gradients of [`phi_residual_layer_norm`](super::super::phi_residual_layer_norm).
#[derive(Clone, Debug)]
pub struct ResidualNormGradients {
    /// Of the identity.
    pub x: Tensor,
    /// Of the residual.
    pub residual: Tensor,
    /// Of the factor.
    pub gamma: Tensor,
    /// Of the term.
    pub beta: Tensor,
}

/// Identity and residual have the same gradient but for mode phi.
fn of_sum(mode: Mode) -> &'static [usize] {
    match mode {
        Mode::Phi => &[X, R],
        Mode::PhiSymmetric | Mode::Standard => &[X],
    }
}

fn plain_gradient(mode: Mode, activation: Activation) -> Program {
    gradient(&plain(mode, activation), of_sum(mode), &[])
}

fn normed_gradient(mode: Mode, activation: Activation) -> Program {
    let wrt = [of_sum(mode), &[GAMMA, BETA]].concat();
    gradient(&normed(mode, activation), &wrt, &[])
}

static PLAIN: Lazy<Vec<Program>> = Lazy::new(|| table(plain_gradient));
static NORMED: Lazy<Vec<Program>> = Lazy::new(|| table(normed_gradient));

pub(super) fn formulas() -> Vec<&'static Program> {
    NORMED.iter().collect()
}

pub(super) fn maps() -> Vec<&'static Program> {
    PLAIN.iter().collect()
}

/// The cotangents of `x` and `residual` from that of [`phi_residual`](super::super::phi_residual), all of one shape
/// `[...]`: with `a` the slope of the activation at the sum, `a g` and `a g/phi` for mode phi, twice `a g/phi` for
/// phi-symmetric, twice `a g` for standard. The slope of relu at 0 is 0.
///
/// Real floats; half types are computed in `float32` and rounded once. Errors where shapes, types or devices do not
/// fit.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{Activation, Mode, phi_residual_backward};
///
/// let (x, r, grad) = (Tensor::from([1.0, -5.0]), Tensor::from([2.0, 1.0]), Tensor::from([10.0, 10.0]));
/// let back = phi_residual_backward(&grad, &x, &r, Mode::Standard, Activation::Relu)?;
/// assert_eq!(back.x.to_vec::<f64>()?, [10.0, 0.0]);
/// assert_eq!(back.residual.to_vec::<f64>()?, [10.0, 0.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn phi_residual_backward(
    grad: &Tensor,
    x: &Tensor,
    residual: &Tensor,
    mode: Mode,
    activation: Activation,
) -> Result<ResidualGradients> {
    let op = "phi_residual_backward";
    check(op, x, residual)?;
    check_cotangent(op, grad, x)?;
    if activation == Activation::None {
        return of_plain_sum(grad, x, residual, mode);
    }
    let operands = Operands {
        tensors: &[("x", x), ("r", residual), ("cotangent_0", grad)],
        numbers: &[],
    };
    let program = &PLAIN[index(mode, activation)];
    summands(
        &mut operands.map(program, x)?.into_iter(),
        x,
        residual,
        mode,
    )
}

/// The next results: the gradients that a program gives for `of_sum(mode)`.
fn summands(
    results: &mut impl Iterator<Item = Tensor>,
    x: &Tensor,
    residual: &Tensor,
    mode: Mode,
) -> Result<ResidualGradients> {
    let first = next(results, x)?;
    let second = match mode {
        Mode::Phi => next(results, residual)?,
        Mode::PhiSymmetric | Mode::Standard => first.cast(residual.dtype())?,
    };
    Ok(ResidualGradients {
        x: first,
        residual: second,
    })
}

/// Without an activation nothing has to be read but the cotangent.
fn of_plain_sum(
    grad: &Tensor,
    x: &Tensor,
    residual: &Tensor,
    mode: Mode,
) -> Result<ResidualGradients> {
    let scaled = || apply(Prim::Mul, &[grad.into(), Arg::from(INV_PHI)]);
    let (first, second) = match mode {
        Mode::Phi => (grad.clone(), scaled()?),
        Mode::PhiSymmetric => {
            let both = scaled()?;
            (both.clone(), both)
        }
        Mode::Standard => (grad.clone(), grad.clone()),
    };
    Ok(ResidualGradients {
        x: first.cast(x.dtype())?,
        residual: second.cast(residual.dtype())?,
    })
}

/// The cotangents of `x`, `residual`, `gamma` and `beta` from that of
/// [`phi_residual_layer_norm`](super::super::phi_residual_layer_norm): `[..., n]` three times and `[n]` to
/// `[..., n]` twice and `[n]` twice. With `n_i = (y_i - mean) / sqrt(var + eps)` and `h = gamma g`,
/// `dy = (h - mean(h) - n mean(h n)) / sqrt(var + eps)`, which goes on as in [`phi_residual_backward`];
/// `dgamma` and `dbeta` are the sums of `g n` and `g` over all rows.
///
/// Mean and variance are computed again from `x` and `residual`. Types and errors as [`phi_residual_backward`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::nn::{Activation, Mode, phi_residual_layer_norm_backward};
///
/// let (x, r) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[0.0, 1.0]]));
/// let (grad, gamma) = (Tensor::from([[3.0, 4.0]]), Tensor::from([1.0, 1.0]));
/// let back = phi_residual_layer_norm_backward(&grad, &x, &r, Mode::Standard, Activation::None, &gamma, 0.0)?;
/// // Normalised, the row is -1 and 1.
/// assert_eq!(back.gamma.to_vec::<f64>()?, [-3.0, 4.0]);
/// assert_eq!(back.beta.to_vec::<f64>()?, [3.0, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn phi_residual_layer_norm_backward(
    grad: &Tensor,
    x: &Tensor,
    residual: &Tensor,
    mode: Mode,
    activation: Activation,
    gamma: &Tensor,
    eps: f64,
) -> Result<ResidualNormGradients> {
    let op = "phi_residual_layer_norm_backward";
    check(op, x, residual)?;
    check_eps(op, eps)?;
    check_cotangent(op, grad, x)?;
    same_device(op, &[x, gamma])?;
    check_real(op, &[gamma])?;
    let last = x.shape().last().copied().unwrap_or(0);
    if x.ndim() == 0 || gamma.shape() != [last] {
        return Err(Error::Shape {
            op,
            operands: describe(&[grad, x, residual, gamma]),
            hint: format!("gamma has the length of the last axis, [{last}]"),
        });
    }
    let operands = Operands {
        tensors: &[
            ("x", x),
            ("r", residual),
            ("gamma", gamma),
            ("cotangent_0", grad),
        ],
        numbers: &[("eps", eps.into())],
    };
    let program = &NORMED[index(mode, activation)];
    let mut made = operands.rows(program, &[-1])?.into_iter();
    let both = summands(&mut made, x, residual, mode)?;
    Ok(ResidualNormGradients {
        x: both.x,
        residual: both.residual,
        gamma: next(&mut made, gamma)?,
        beta: next(&mut made, gamma)?,
    })
}
