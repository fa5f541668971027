//! New tensors from numbers, on any device.

use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::float8;
use crate::layout::count;
use crate::ops::moves::{self, RAMP};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use std::sync::Arc;

mod pending;
#[cfg(test)]
mod tests;

/// `shape` filled with `value`, cast to `dtype`.
///
/// ```
/// use syntonic_core::ops::create;
/// use syntonic_core::prelude::*;
///
/// let x = create::full(&[2, 2], 7, DType::F32, &cpu())?;
/// assert_eq!(x.to_vec::<f32>()?, [7.0; 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn full(
    shape: &[usize],
    value: impl Into<Scalar>,
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    Tensor::full_on(shape, value, dtype, device)
}

/// Zeros.
///
/// ```
/// use syntonic_core::ops::create;
/// use syntonic_core::prelude::*;
///
/// assert_eq!(create::zeros(&[3], DType::I32, &cpu())?.to_vec::<i32>()?, [0; 3]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn zeros(shape: &[usize], dtype: DType, device: &Arc<dyn Device>) -> Result<Tensor> {
    full(shape, Scalar::Int(0), dtype, device)
}

/// Ones.
///
/// ```
/// use syntonic_core::ops::create;
/// use syntonic_core::prelude::*;
///
/// assert_eq!(create::ones(&[], DType::F64, &cpu())?.to_scalar::<f64>()?, 1.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ones(shape: &[usize], dtype: DType, device: &Arc<dyn Device>) -> Result<Tensor> {
    full(shape, Scalar::Int(1), dtype, device)
}

/// A tensor whose values do not matter. They are zeros: memory that nobody wrote is never shown.
///
/// ```
/// use syntonic_core::ops::create;
/// use syntonic_core::prelude::*;
///
/// assert_eq!(create::empty(&[2, 0, 3], DType::F64, &cpu())?.numel(), 0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn empty(shape: &[usize], dtype: DType, device: &Arc<dyn Device>) -> Result<Tensor> {
    zeros(shape, dtype, device)
}

/// `value` in the shape of `x`, on its device, as `dtype` or else its type.
///
/// ```
/// use syntonic_core::ops::create;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([1f32, 2.0]);
/// let y = create::full_like(&x, 0.5, None)?;
/// assert_eq!((y.dtype(), y.to_vec::<f32>()?), (DType::F32, vec![0.5, 0.5]));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn full_like(x: &Tensor, value: impl Into<Scalar>, dtype: Option<DType>) -> Result<Tensor> {
    full(x.shape(), value, dtype.unwrap_or(x.dtype()), x.device())
}

/// Zeros in the shape of `x`, on its device, as `dtype` or else its type.
///
/// ```
/// use syntonic_core::ops::create;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 4]]);
/// let y = create::zeros_like(&x, Some(DType::F64))?;
/// assert_eq!((y.shape(), y.dtype()), (&[2, 2][..], DType::F64));
/// assert!(!y.any(..)?.to_scalar::<bool>()?);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn zeros_like(x: &Tensor, dtype: Option<DType>) -> Result<Tensor> {
    full_like(x, Scalar::Int(0), dtype)
}

/// Ones in the shape of `x`, on its device, as `dtype` or else its type.
///
/// ```
/// use syntonic_core::ops::create;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([5, 6]);
/// assert_eq!(create::ones_like(&x, None)?.to_vec::<i32>()?, [1, 1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ones_like(x: &Tensor, dtype: Option<DType>) -> Result<Tensor> {
    full_like(x, Scalar::Int(1), dtype)
}

/// As [`empty`], in the shape of `x`, on its device, as `dtype` or else its type.
///
/// ```
/// use syntonic_core::ops::create;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1.0, 2.0]]);
/// assert_eq!(create::empty_like(&x, None)?.describe().shape, [1, 2]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn empty_like(x: &Tensor, dtype: Option<DType>) -> Result<Tensor> {
    zeros_like(x, dtype)
}

/// `start, start + step, ...` up to but not including `stop`: `⌈(stop - start) / step⌉` numbers, at
/// least none. Without `dtype` it is `int64` if all three are integers, else `float64`. Each
/// is computed as `start + i · step` in the widest type of its kind and then rounded.
///
/// Under lazy evaluation a range of `int64` has no memory until somebody reads it as it is: what is made of it computes the numbers where
/// they are needed, and so does what is made of its views. A range of another type is an expression over one, as any other result.
///
/// Errors: [`Error::Value`] for a step of 0, and for numbers that are not finite or not real; [`Error::Range`] for those
/// that an integer type cannot hold;
/// [`Error::SizeOverflow`] for more numbers than memory can hold.
///
/// ```
/// use syntonic_core::ops::create::arange;
/// use syntonic_core::prelude::*;
///
/// let range = |start: Scalar, stop: Scalar, step: Scalar| arange(start, stop, step, None, &cpu());
/// assert_eq!(range(5.into(), 0.into(), (-2).into())?.to_vec::<i64>()?, [5, 3, 1]);
/// assert_eq!(range(0.into(), 1.into(), 0.5.into())?.to_vec::<f64>()?, [0.0, 0.5]);
/// assert!(range(0.into(), 1.into(), 0.into()).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn arange(
    start: Scalar,
    stop: Scalar,
    step: Scalar,
    dtype: Option<DType>,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let n = arange_count(start, stop, step)?;
    let whole = [start, stop, step]
        .iter()
        .all(|x| matches!(x, Scalar::Int(_) | Scalar::Bool(_)));
    let (start, step) = if whole {
        (Scalar::Int(start.to_i128()), Scalar::Int(step.to_i128()))
    } else {
        (Scalar::Float(start.to_f64()), Scalar::Float(step.to_f64()))
    };
    let dtype = dtype.unwrap_or(if whole { DType::I64 } else { DType::F64 });
    check_ends("arange", n, start, step, dtype)?;
    match pending::ramp(n, start, step, dtype, device)? {
        Some(range) => Ok(range),
        None => written("arange", n, start, step, dtype, device),
    }
}

/// The number of elements of [`arange`].
fn arange_count(start: Scalar, stop: Scalar, step: Scalar) -> Result<usize> {
    let bad = |what: &str| Err(Error::value("arange", what));
    let too_many = || Error::SizeOverflow {
        op: "arange",
        shape: vec![usize::MAX],
    };
    let all = [start, stop, step];
    if all.iter().any(|x| matches!(x, Scalar::Complex(_))) {
        return bad("complex numbers have no order; hint: make a real range and multiply it");
    }
    if step.to_f64() == 0.0 {
        return bad("step is 0; hint: use a positive or negative step");
    }
    if all.iter().any(|x| matches!(x, Scalar::Float(_))) {
        let n = ((stop.to_f64() - start.to_f64()) / step.to_f64()).ceil();
        if !all.iter().all(|x| x.to_f64().is_finite()) || !n.is_finite() {
            return bad("start, stop and step must be finite, and so must their range");
        }
        return if n > isize::MAX as f64 {
            Err(too_many())
        } else {
            Ok(n.max(0.0) as usize)
        };
    }
    let (a, b, s) = (start.to_i128(), stop.to_i128(), step.to_i128());
    let room = if s > 0 {
        b.checked_sub(a)
    } else {
        a.checked_sub(b)
    };
    let room = room.ok_or_else(too_many)?;
    if room <= 0 {
        return Ok(0);
    }
    let n = (room as u128).div_ceil(s.unsigned_abs());
    usize::try_from(n).map_err(|_| too_many())
}

/// An error unless the first and the last of `n` numbers `start + i · step`, and so all of them, fit an integer type.
fn check_ends(op: &'static str, n: usize, start: Scalar, step: Scalar, dtype: DType) -> Result<()> {
    count(op, &[n])?;
    if n == 0 || !dtype.is_integer() {
        return Ok(());
    }
    let (Scalar::Int(first), Scalar::Int(step)) = (start, step) else {
        let last = start.to_f64() + (n - 1) as f64 * step.to_f64();
        return [start.to_f64(), last]
            .into_iter()
            .try_for_each(|end| Scalar::Int(end as i128).check_fit(op, dtype));
    };
    let last = first.saturating_add(step.saturating_mul(n as i128 - 1));
    [first, last]
        .into_iter()
        .try_for_each(|end| Scalar::Int(end).check_fit(op, dtype))
}

/// `n` numbers `start + i · step`, in memory.
pub(crate) fn written(
    op: &'static str,
    n: usize,
    start: Scalar,
    step: Scalar,
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let out = Tensor::uninit(op, &[n], dtype, device)?;
    float8::check(op, &[&out])?;
    // SAFETY: the output is fresh and contiguous.
    unsafe {
        moves::launch(
            &RAMP,
            &out,
            vec![],
            vec![moves::arg(&out)?],
            vec![start, step],
        )?
    };
    Ok(out)
}

/// Whether a range holds its last number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// It does: `n` numbers, `n - 1` steps.
    Included,
    /// It does not: `n` numbers, `n` steps.
    Excluded,
}

/// `n` numbers from `start` to `stop` at equal distances; with [`Endpoint::Included`] the last one is
/// `stop` itself. Without `dtype` it is `float64`, or `complex128` if an end is complex.
///
/// Errors: [`Error::Value`] for complex ends and a real `dtype`, [`Error::Range`] for ends that an integer type cannot hold.
///
/// ```
/// use syntonic_core::ops::create::{Endpoint, linspace};
/// use syntonic_core::prelude::*;
///
/// let four = |endpoint| linspace(0.into(), 3.into(), 4, endpoint, None, &cpu())?.to_vec::<f64>();
/// assert_eq!(four(Endpoint::Included)?, [0.0, 1.0, 2.0, 3.0]);
/// assert_eq!(four(Endpoint::Excluded)?, [0.0, 0.75, 1.5, 2.25]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn linspace(
    start: Scalar,
    stop: Scalar,
    n: usize,
    endpoint: Endpoint,
    dtype: Option<DType>,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let complex = [start, stop]
        .iter()
        .any(|x| matches!(x, Scalar::Complex(_)));
    let dtype = dtype.unwrap_or(if complex { DType::C128 } else { DType::F64 });
    if complex && !dtype.is_complex() {
        return Err(Error::value(
            "linspace",
            format!("complex ends do not fit {dtype}; hint: ask for complex128"),
        ));
    }
    let steps = match endpoint {
        Endpoint::Included => n.saturating_sub(1),
        Endpoint::Excluded => n,
    };
    let (a, b) = (start.to_complex(), stop.to_complex());
    let step = (b - a) / (steps.max(1) as f64);
    let (first, step) = if complex {
        (Scalar::Complex(a), Scalar::Complex(step))
    } else {
        (Scalar::Float(a.re), Scalar::Float(step.re))
    };
    check_ends("linspace", n, first, step, dtype)?;
    if endpoint == Endpoint::Included && n > 1 {
        // Exactly: a float may have been rounded into the type.
        stop.check_fit("linspace", dtype)?;
    }
    let last = (endpoint == Endpoint::Included && n > 1).then_some(stop);
    if let Some(line) = pending::line(n, first, step, last, dtype, device)? {
        return Ok(line);
    }
    let out = written("linspace", n, first, step, dtype, device)?;
    if let Some(stop) = last {
        let last = Tensor::scalar(stop, dtype)?.to(device)?;
        out.select(0, -1)?.overwrite(&last)?;
    }
    Ok(out)
}

/// A `rows x cols` matrix with ones on diagonal `k` (above the main one if positive), else zeros.
///
/// ```
/// use syntonic_core::ops::create::eye;
/// use syntonic_core::prelude::*;
///
/// let x = eye(2, 3, 1, DType::I32, &cpu())?;
/// assert_eq!(x.to_vec::<i32>()?, [0, 1, 0, 0, 0, 1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn eye(
    rows: usize,
    cols: usize,
    k: isize,
    dtype: DType,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    if let Some(eye) = pending::eye(rows, cols, k, dtype, device)? {
        return Ok(eye);
    }
    let out = zeros(&[rows, cols], dtype, device)?;
    let one = Tensor::scalar(1, dtype)?.to(device)?;
    out.diagonal(k, 0, 1)?.overwrite(&one)?;
    Ok(out)
}
