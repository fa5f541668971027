//! The formulas as somebody writes them who knows elements, sums and means, and no name of an operator over rows.

use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{Result, Tensor};

/// Which axis the rows of a formula lie along; it stays.
type Axis = isize;

const LAST: Axis = -1;
/// What keeps a root away from zero.
pub(super) const EPS: f64 = 1e-5;
/// The root of 2/pi, of the GELU by a hyperbolic tangent.
pub(super) const ROOT_2_OVER_PI: f64 = 0.797_884_560_802_865_4;
/// Its cubic part.
pub(super) const CUBIC: f64 = 0.044_715;

fn along(axis: Axis) -> Over {
    Over::axes(&[axis]).keep()
}

fn largest(x: &Tensor) -> Result<Tensor> {
    reduce::max(x, &along(LAST))
}

fn sum(x: &Tensor) -> Result<Tensor> {
    reduce::sum(x, &along(LAST), None)
}

fn mean(x: &Tensor, axis: Axis) -> Result<Tensor> {
    reduce::mean(x, &along(axis))
}

/// The sum of each row, without its axis.
fn sums(x: &Tensor) -> Result<Tensor> {
    reduce::sum(x, &Over::axes(&[LAST]), None)
}

fn one(prim: Prim, x: &Tensor) -> Result<Tensor> {
    apply(prim, &[x.into()])
}

fn two(prim: Prim, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    apply(prim, &[x.into(), y.into()])
}

fn with(prim: Prim, x: &Tensor, number: f64) -> Result<Tensor> {
    apply(prim, &[x.into(), Arg::from(number)])
}

/// `e / sum(e)` with `e = exp(x - max(x))`.
pub(super) fn softmax(x: &Tensor) -> Result<Tensor> {
    let e = one(Prim::Exp, &two(Prim::Sub, x, &largest(x)?)?)?;
    two(Prim::Div, &e, &sum(&e)?)
}

/// The softmax of the elements where the mask is true.
pub(super) fn masked_softmax(x: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let nothing = Arg::from(f64::NEG_INFINITY);
    softmax(&apply(Prim::Select, &[mask.into(), x.into(), nothing])?)
}

/// `x / sqrt(mean(x x) + eps) w`.
pub(super) fn rms_norm(x: &Tensor, w: &Tensor) -> Result<Tensor> {
    let square = mean(&two(Prim::Mul, x, x)?, LAST)?;
    let root = one(Prim::Sqrt, &with(Prim::Add, &square, EPS)?)?;
    two(Prim::Mul, &two(Prim::Div, x, &root)?, w)
}

/// `d / sqrt(mean(d d) + eps)` with `d = x - mean(x)`.
fn normed(x: &Tensor) -> Result<Tensor> {
    let d = two(Prim::Sub, x, &mean(x, LAST)?)?;
    let variance = mean(&two(Prim::Mul, &d, &d)?, LAST)?;
    two(
        Prim::Div,
        &d,
        &one(Prim::Sqrt, &with(Prim::Add, &variance, EPS)?)?,
    )
}

/// The same, times `gamma` plus `beta`.
pub(super) fn layer_norm(x: &Tensor, gamma: &Tensor, beta: &Tensor) -> Result<Tensor> {
    two(Prim::Add, &two(Prim::Mul, &normed(x)?, gamma)?, beta)
}

/// `(x - mean(x)) / std(x)` along an axis.
pub(super) fn standardised(x: &Tensor, axis: Axis) -> Result<Tensor> {
    let d = two(Prim::Sub, x, &mean(x, axis)?)?;
    two(Prim::Div, &d, &reduce::std(x, &along(axis), 0.0)?)
}

/// The mean over rows of `log(sum(exp(x - m))) + m - t` with `m = max(x)`.
pub(super) fn loss(x: &Tensor, t: &Tensor) -> Result<Tensor> {
    let m = largest(x)?;
    let e = one(Prim::Exp, &two(Prim::Sub, x, &m)?)?;
    let logs = two(Prim::Add, &one(Prim::Log, &sum(&e)?)?, &m)?;
    let losses = two(Prim::Sub, &logs.squeeze(&[LAST])?, t)?;
    reduce::mean(&losses, &Over::all())
}

/// `mean((x - y)^2)`.
pub(super) fn squared_error(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let d = two(Prim::Sub, x, y)?;
    reduce::mean(&one(Prim::Square, &d)?, &Over::all())
}

/// `sum((x - c)^2)` of each row.
pub(super) fn distances(x: &Tensor, c: &Tensor) -> Result<Tensor> {
    let d = two(Prim::Sub, x, c)?;
    sums(&one(Prim::Square, &d)?)
}

/// `sum(x y) / (sqrt(sum(x x)) sqrt(sum(y y)))` of each pair of rows.
pub(super) fn cosine(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let length = |x: &Tensor| one(Prim::Sqrt, &sums(&two(Prim::Mul, x, x)?)?);
    let product = sums(&two(Prim::Mul, x, y)?)?;
    two(
        Prim::Div,
        &product,
        &two(Prim::Mul, &length(x)?, &length(y)?)?,
    )
}

/// `n (1 + tanh(sqrt(2/pi) (n + 0.044715 n n n))) / 2` of a normalised row.
pub(super) fn gelu_of_norm(x: &Tensor) -> Result<Tensor> {
    let n = normed(x)?;
    let cube = two(Prim::Mul, &two(Prim::Mul, &n, &n)?, &n)?;
    let inner = two(Prim::Add, &n, &with(Prim::Mul, &cube, CUBIC)?)?;
    let slope = one(Prim::Tanh, &with(Prim::Mul, &inner, ROOT_2_OVER_PI)?)?;
    let half = with(Prim::Mul, &n, 0.5)?;
    two(Prim::Mul, &half, &with(Prim::Add, &slope, 1.0)?)
}

/// `-sum(p log(p))` of each row's softmax.
pub(super) fn entropy(x: &Tensor) -> Result<Tensor> {
    let p = softmax(x)?;
    one(
        Prim::Neg,
        &sums(&two(Prim::Mul, &p, &one(Prim::Log, &p)?)?)?,
    )
}
