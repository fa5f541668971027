//! The golden recursion map of integers.

use super::Result;
use crate::exact::GoldenTensor;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{DType, Tensor};

/// `⌊φ n⌋` of integers, exactly: `[..] -> [..]`, `int64`. The lower Wythoff numbers 0, 1, 3, 4, 6, 8, 9, ... of 0, 1, 2, ...
///
/// Errors: other types than integers, and a result that `int64` does not hold.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::resonant::lattice::golden_recursion;
///
/// let n = Tensor::from([0, 1, 2, 3, 4, 5]);
/// assert_eq!(golden_recursion(&n)?.to_vec::<i64>()?, [0, 1, 3, 4, 6, 8]);
/// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
/// ```
pub fn golden_recursion(n: &Tensor) -> Result<Tensor> {
    let zero = zeros_like(n)?;
    Ok(GoldenTensor::new(&zero, n)?.floor()?)
}

/// `⌈m / φ⌉` of integers, exactly, which undoes [`golden_recursion`]: `[..] -> [..]`, `int64`. Errors as there.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::resonant::lattice::golden_recursion_inverse;
///
/// let m = Tensor::from([0, 1, 3, 4, 6, 8]);
/// assert_eq!(golden_recursion_inverse(&m)?.to_vec::<i64>()?, [0, 1, 2, 3, 4, 5]);
/// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
/// ```
pub fn golden_recursion_inverse(m: &Tensor) -> Result<Tensor> {
    // m/φ is -m + m φ, and its ceiling the negated floor of m - m φ.
    let point = GoldenTensor::new(m, &zeros_like(m)?)?;
    let turned = point.minus(&point.times_phi()?)?;
    Ok(apply(Prim::Neg, &[Arg::Tensor(&turned.floor()?)])?.eval()?)
}

fn zeros_like(n: &Tensor) -> syntonic_core::Result<Tensor> {
    Tensor::full_on(n.shape(), 0, DType::I64, n.device())
}
