//! How far results are apart.

use crate::dtype::DType;
use crate::error::Result;
use crate::tensor::Tensor;

/// The largest of `|a - b| / |b|` over pairs of tensors, Euclidean norms both: 0 for equal results, of which NaN equals NaN, and infinite
/// where shapes or numbers of tensors differ, for an infinity on one side alone, and for anything beside zeros.
///
/// # Errors
/// Those of the devices; both sides of a pair live on one.
///
/// ```
/// use syntonic_core::{Tensor, advisor::apart};
///
/// let (a, b) = (Tensor::from([3.0, 4.0]), Tensor::from([3.0, 4.5]));
/// assert_eq!(apart(&[b], &[a.clone()])?, 0.1);
/// assert_eq!(apart(&[a.clone()], &[a])?, 0.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn apart(a: &[Tensor], b: &[Tensor]) -> Result<f64> {
    if a.len() != b.len() {
        return Ok(f64::INFINITY);
    }
    let mut most = 0.0f64;
    for (a, b) in a.iter().zip(b) {
        most = most.max(pair_apart(a, b)?);
    }
    Ok(most)
}

fn pair_apart(a: &Tensor, b: &Tensor) -> Result<f64> {
    if a.shape() != b.shape() {
        return Ok(f64::INFINITY);
    }
    if a.numel() == 0 {
        return Ok(0.0);
    }
    let both_nan = match a.dtype().is_inexact() && b.dtype().is_inexact() {
        true => Some(a.is_nan()?.logical_and(&b.is_nan()?)?),
        false => None,
    };
    let equal = a.equal(b)?;
    let same = match both_nan {
        Some(nan) => equal.logical_or(&nan)?,
        None => equal,
    };
    if same.all(..)?.to_scalar::<bool>()? {
        return Ok(0.0);
    }
    let complex = a.dtype().is_complex() || b.dtype().is_complex();
    let wide = if complex { DType::C128 } else { DType::F64 };
    let (a, b) = (a.cast(wide)?, b.cast(wide)?);
    let apart = same.where_cond(0.0, &a.try_sub(&b)?.abs()?)?;
    let size = b.abs()?;
    let size = size.is_finite()?.where_cond(&size, 0.0)?;
    // Nothing that is finite overflows when it is squared.
    let scale = size.max(..)?.to_scalar::<f64>()?;
    if scale == 0.0 {
        return Ok(f64::INFINITY);
    }
    let length = |x: &Tensor| -> Result<f64> {
        let squares = x.try_div(scale)?.square()?.sum(..)?;
        Ok(squares.to_scalar::<f64>()?.sqrt())
    };
    Ok(relative(length(&apart)?, length(&size)?))
}

/// As [`apart`] for numbers of the host.
///
/// ```
/// use syntonic_core::advisor::numbers_apart;
///
/// assert_eq!(numbers_apart(&[2.5, f64::NAN], &[2.0, f64::NAN]), 0.25);
/// assert_eq!(numbers_apart(&[1.0], &[1.0, 2.0]), f64::INFINITY);
/// ```
pub fn numbers_apart(a: &[f64], b: &[f64]) -> f64 {
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    if a.iter().zip(b).all(|(a, b)| same(*a, *b)) {
        return 0.0;
    }
    let finite = || b.iter().copied().filter(|b| b.is_finite());
    let scale = finite().map(f64::abs).fold(0.0, f64::max);
    if scale == 0.0 {
        return f64::INFINITY;
    }
    let differ = a.iter().zip(b).filter(|(a, b)| !same(**a, **b));
    let apart: f64 = differ.map(|(a, b)| ((a - b) / scale).powi(2)).sum();
    let size: f64 = finite().map(|b| (b / scale).powi(2)).sum();
    relative(apart.sqrt(), size.sqrt())
}

/// What is not the same is not at distance 0, and what has no distance is as far as can be.
fn relative(apart: f64, size: f64) -> f64 {
    match apart / size {
        far if far.is_nan() => f64::INFINITY,
        far => far.max(f64::MIN_POSITIVE),
    }
}
