//! Quantiles and the median: positions in the sorted order.

use super::rank::Direction;
use super::sort::sort;
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::layout::normalize_axis;
use crate::ops::composites::LERP;
use crate::ops::elementwise::{Arg, apply, composite};
use crate::ops::join::stack;
use crate::ops::reduce::Over;
use crate::run::Axes;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe};

/// What is taken where a quantile falls between two elements `a <= b`, a fraction `t` on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `a + t (b - a)`, as [`LERP`].
    Linear,
    /// `a`.
    Lower,
    /// `b`.
    Higher,
    /// The nearer one; the one at the even position where `t` is one half.
    Nearest,
    /// `(a + b) / 2`.
    Midpoint,
}

/// The median along the axes; as [`quantile`] with `q` one half.
///
/// ```
/// use syntonic_core::ops::order::median;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[7, 1, 3], [2, 2, 9]]);
/// assert_eq!(median(&x, &Over::axes(&[1]))?.to_vec::<f64>()?, [3.0, 2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn median(x: &Tensor, over: &Over) -> Result<Tensor> {
    Ok(quantiles_named("median", x, &[0.5], over, Method::Linear)?.remove(0))
}

/// The element at position `q (n - 1)` of the sorted `n` elements along the axes, `0 <= q <= 1`:
/// `[.., n, ..] -> [..]`. NaN where any of them is NaN.
///
/// Integers and `bool` give `float64`, floats their own type. Errors where `q` is outside 0 to 1,
/// there are no elements, an axis is out of range, or `x` is complex.
///
/// ```
/// use syntonic_core::ops::order::{Method, quantile};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([10.0, 20.0, 30.0, 40.0]);
/// let at = |q, method| quantile(&x, q, &Over::all(), method)?.to_scalar::<f64>();
/// assert_eq!(at(0.5, Method::Linear)?, 25.0);
/// assert_eq!(at(0.5, Method::Lower)?, 20.0);
/// assert!(at(1.5, Method::Linear).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn quantile(x: &Tensor, q: f64, over: &Over, method: Method) -> Result<Tensor> {
    Ok(quantiles_named("quantile", x, &[q], over, method)?.remove(0))
}

/// Several quantiles of one sort, along a new first axis: `[.., n, ..] -> [len(q), ..]`; as
/// [`quantile`].
///
/// ```
/// use syntonic_core::ops::order::{Method, quantiles};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::arange(0, 101, 1)?;
/// let found = quantiles(&x, &[0.05, 0.5, 0.95], &Over::all(), Method::Nearest)?;
/// assert_eq!(found.to_vec::<f64>()?, [5.0, 50.0, 95.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn quantiles(x: &Tensor, q: &[f64], over: &Over, method: Method) -> Result<Tensor> {
    let all = quantiles_named("quantile", x, q, over, method)?;
    stack(&all.iter().collect::<Vec<_>>(), 0)
}

fn quantiles_named(
    op: &'static str,
    x: &Tensor,
    q: &[f64],
    over: &Over,
    method: Method,
) -> Result<Vec<Tensor>> {
    if x.dtype().is_complex() {
        return Err(Error::DType {
            op,
            operands: describe(&[x]),
            hint: "complex numbers have no quantiles; take the real part or the magnitude".into(),
        });
    }
    if q.is_empty() || q.iter().any(|q| !(0.0..=1.0).contains(q)) {
        return Err(Error::value(
            op,
            format!("q = {q:?}; hint: quantiles lie between 0 and 1"),
        ));
    }
    let (line, kept) = one_line(op, x, over)?;
    let n = line.shape().last().copied().unwrap_or(0);
    if n == 0 && line.numel() == 0 && kept.iter().all(|&d| d != 0) {
        return Err(Error::EmptyReduction {
            op,
            operands: describe(&[x]),
        });
    }
    let sorted = sort(
        &line.cast(x.dtype().to_inexact())?,
        -1,
        Direction::Ascending,
    )?;
    q.iter()
        .map(|&q| at(&sorted, q, n, method)?.reshape(&kept))
        .collect()
}

/// The reduced axes joined at the end, and the shape of the result.
fn one_line(op: &'static str, x: &Tensor, over: &Over) -> Result<(Tensor, Vec<isize>)> {
    let ndim = x.ndim();
    let mut gone = Vec::new();
    for axis in over.axes.clone().unwrap_or((0..ndim as isize).collect()) {
        let at = normalize_axis(op, axis, ndim)?;
        if gone.contains(&at) {
            return Err(Error::Axis { op, axis, ndim });
        }
        gone.push(at);
    }
    let kept: Vec<usize> = (0..ndim).filter(|i| !gone.contains(i)).collect();
    let order: Vec<isize> = kept.iter().chain(&gone).map(|&a| a as isize).collect();
    let n: usize = gone.iter().map(|&a| x.shape()[a]).product();
    let mut shape: Vec<isize> = kept.iter().map(|&a| x.shape()[a] as isize).collect();
    shape.push(n as isize);
    let line = x.permute(&order)?.reshape(&shape)?;
    let result = (0..ndim).filter_map(|i| match (gone.contains(&i), over.keep) {
        (false, _) => Some(x.shape()[i] as isize),
        (true, Axes::Keep) => Some(1),
        (true, Axes::Drop) => None,
    });
    Ok((line, result.collect()))
}

/// The quantile of sorted lines of `n` elements.
fn at(sorted: &Tensor, q: f64, n: usize, method: Method) -> Result<Tensor> {
    let pick = |i: usize| sorted.select(-1, i as i64);
    if n == 0 {
        // No lines either: the result is empty too.
        return sorted.reshape(&[-1]);
    }
    let place = q * (n - 1) as f64;
    let low = (place.floor() as usize).min(n - 1);
    let high = (low + 1).min(n - 1);
    let t = place - low as f64;
    let value = match method {
        _ if t == 0.0 => pick(low)?,
        Method::Lower => pick(low)?,
        Method::Higher => pick(high)?,
        Method::Nearest => pick(place.round_ties_even() as usize)?,
        Method::Linear => between(&pick(low)?, &pick(high)?, t)?,
        Method::Midpoint => between(&pick(low)?, &pick(high)?, 0.5)?,
    };
    // NaN is last in the order, so one look tells whether there is any.
    let last = pick(n - 1)?;
    let fine = apply(Prim::Eq, &[(&last).into(), (&last).into()])?;
    apply(
        Prim::Select,
        &[(&fine).into(), (&value).into(), (&last).into()],
    )
}

/// The fraction `t` of the way from `a` to `b`, which half types go in `float32`.
fn between(a: &Tensor, b: &Tensor, t: f64) -> Result<Tensor> {
    let t = Arg::Number(Scalar::Float(t));
    composite(LERP.name, LERP.build, &[a.into(), b.into(), t])
}
