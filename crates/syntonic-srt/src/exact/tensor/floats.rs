//! From floats to lattice points and back.

use super::kernels::{FLOATS, Operands, SHARE, SNAP, checked, points, run_named};
use super::{GoldenTensor, Result};
use crate::exact::{ExactError, snap};
use crate::refusal::not_real;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Tensor, grad};

/// The nearest lattice points to floats, and how far they are.
#[derive(Clone, Debug)]
pub struct Snapped {
    /// The points.
    pub points: GoldenTensor,
    /// What was snapped less the points' values, `float64`.
    pub residual: Tensor,
}

/// The nearest point with `|a|, |b| <= bound` to each element, as [`snap`] finds it: `[..] -> [..]`. The integers are the same on
/// every device. Half types and `float32` are taken as the `float64` that they are exactly.
///
/// Errors: other types than real floats, tracked ones, and as [`snap`] with the place of the first element that has no point.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::exact::{Golden, snap_tensor};
///
/// let snapped = snap_tensor(&Tensor::from([2.0, 1.618]), 10)?;
/// assert_eq!(snapped.points.to_points()?, [Golden::new(2, 0), Golden::PHI]);
/// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
/// ```
pub fn snap_tensor(x: &Tensor, bound: u32) -> Result<Snapped> {
    let points = points_of(x, bound)?;
    let value = points.to_floats()?;
    let residual = apply(
        Prim::Sub,
        &[Arg::Tensor(&x.cast(DType::F64)?), Arg::Tensor(&value)],
    )?;
    Ok(Snapped { points, residual })
}

/// The points alone.
pub(crate) fn points_of(x: &Tensor, bound: u32) -> Result<GoldenTensor> {
    const OP: &str = "snap";
    if !x.dtype().is_float() || x.dtype().is_stored() {
        return Err(not_real(OP, &[x]).into());
    }
    grad::refuse(OP, &[x])?;
    let kept = match x.dtype() {
        DType::F32 => x.clone(),
        _ => x.cast(DType::F64)?,
    };
    let kept = kept.contiguous()?.eval()?;
    let operands = Operands {
        inputs: &[("x", &kept)],
        outputs: &points(x.shape()),
        numbers: &[("bound", bound.into())],
        ..Operands::default()
    };
    // SAFETY: a vector of floats, two of coefficients for the result, and one place.
    let made = unsafe { run_named(&SNAP, &operands)? };
    checked(made, |place| {
        let flat = kept.reshape(&[-1])?;
        let one = flat.slice(0, Some(place as isize), Some(place as isize + 1), 1)?;
        let value = one.item()?.to_f64();
        // It has no point, on whatever device it is.
        let error = snap(value, bound).err();
        Ok(error.unwrap_or(ExactError::NotFinite { value }))
    })
}

/// Syntony of `float64` states along the last axis by `float64` weights, `[.., n], [n] -> [..]`, with the same bits on every device.
pub(crate) fn shares(psi: &Tensor, weights: &Tensor) -> Result<Tensor> {
    let shape = &psi.shape()[..psi.ndim() - 1];
    if psi.numel() == 0 {
        return Ok(Tensor::full_on(shape, 0.0, DType::F64, psi.device())?);
    }
    let (psi, weights) = (psi.contiguous()?.eval()?, weights.contiguous()?.eval()?);
    let operands = Operands {
        inputs: &[("psi", &psi), ("weights", &weights)],
        outputs: &[("syntony", shape, DType::F64)],
        ..Operands::default()
    };
    // SAFETY: rows of as many elements as there are weights, and a number for each.
    let mut made = unsafe { run_named(&SHARE, &operands)? };
    Ok(made.take("syntony")?)
}

impl Snapped {
    /// The Euclidean norm of the residual.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::snap_tensor;
    ///
    /// let snapped = snap_tensor(&Tensor::from([2.0, 1.618]), 10)?;
    /// assert!((snapped.distance()? - 3.4e-5).abs() < 1e-6);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn distance(&self) -> Result<f64> {
        let norm = reduce::norm(&self.residual, 2.0, &Over::all())?;
        Ok(norm.item()?.to_f64())
    }

    /// What snapping moved each element by, `value - x`: the negated residual, times `weights` where they are given, which
    /// broadcast with it. Golden weights `e^(-|n|²/φ)` make it the gradient that favours low modes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::snap_tensor;
    ///
    /// let snapped = snap_tensor(&Tensor::from([2.0, 1.618]), 10)?;
    /// let moved = snapped.gradient(None)?.to_vec::<f64>()?;
    /// assert!(moved[0] == 0.0 && (moved[1] - 3.4e-5).abs() < 1e-6);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn gradient(&self, weights: Option<&Tensor>) -> Result<Tensor> {
        let moved = apply(Prim::Neg, &[Arg::Tensor(&self.residual)])?;
        Ok(match weights {
            Some(weights) => apply(Prim::Mul, &[Arg::Tensor(&moved), Arg::Tensor(weights)])?,
            None => moved,
        })
    }
}

impl GoldenTensor {
    /// The values `a + b φ` as `float64`, each with a relative error of at most 7 roundings, also where `a` and `b φ` cancel. The
    /// bits are the same on every device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI, Golden::new(3, 0)], &[2])?;
    /// let phi = (1.0 + 5f64.sqrt()) / 2.0;
    /// assert_eq!(x.to_floats()?.to_vec::<f64>()?, [phi, 3.0]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn to_floats(&self) -> Result<Tensor> {
        let x = self.spread(self.shape())?;
        let operands = Operands {
            inputs: &[("a", &x.a), ("b", &x.b)],
            outputs: &[("values", self.shape(), DType::F64)],
            ..Operands::default()
        };
        // SAFETY: two vectors of coefficients, and a value for each element.
        let mut made = unsafe { run_named(&FLOATS, &operands)? };
        Ok(made.take("values")?)
    }
}
