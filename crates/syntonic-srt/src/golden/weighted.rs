//! Products whose inner axis has golden weights.

use super::gemm::Op;
use super::operands;
use crate::constants::INV_PHI;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::linalg::matmul;
use syntonic_core::{DType, Result, Scalar, Tensor};

/// What [`INV_PHI`] lacks of 1/φ.
const INV_PHI_REST: f64 = -5.432_115_203_682_506e-17;

/// Weights from here on are 0, rounded to `float64` and to `float32`.
const DOUBLE: usize = 35;
const SINGLE: usize = 13;

/// The golden weight `w(k) = e^(-k²/φ)`, to a unit in the last place or two. It is 0 from 35 on.
///
/// ```
/// use syntonic_srt::golden::golden_weight;
///
/// let phi = (1.0 + 5f64.sqrt()) / 2.0;
/// assert!((golden_weight(2) - (-4.0 / phi).exp()).abs() < 1e-16);
/// assert_eq!((golden_weight(0), golden_weight(35)), (1.0, 0.0));
/// ```
pub fn golden_weight(k: usize) -> f64 {
    if k >= DOUBLE {
        return 0.0;
    }
    let square = (k as f64) * (k as f64);
    let high = square * INV_PHI;
    // The exponential makes the exponent's absolute error a relative one, so that of the product counts.
    let rest = square.mul_add(INV_PHI, -high) + square * INV_PHI_REST;
    (-high).exp() * (1.0 - rest)
}

/// `C_ij = Σ_k A_ik e^(-k²/φ) B_kj` with k from 0: `[.., m, k], [.., k, n] -> [.., m, n]`. Integers become `float64`.
///
/// Weights fall off so fast that all but the first are 0: those from 13 on in `float32`, `complex64` and the half types, which
/// are computed in `float32` and rounded once, and those from 35 on in `float64` and `complex128`. Columns of A and rows of B
/// that meet such a weight are not read, so that NaN and infinities there do not matter. The weights are multiplied into
/// the columns of A that are left, and what follows is one small product.
///
/// Errors as [`super::mm`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::{golden_weight, mm_golden_weighted};
///
/// let (a, b) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]));
/// let y = mm_golden_weighted(&a, &b)?.to_scalar::<f64>()?;
/// assert!((y - (3.0 + 8.0 * golden_weight(1))).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_golden_weighted(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    const OP: &str = "mm_golden_weighted";
    let dtype = operands::dtype(OP, &[a, b], &[Scalar::Float(1.0)])?;
    operands::shape(OP, (a, Op::None), (b, Op::None))?;
    let computed = dtype.compute();
    let most = match computed.real() {
        DType::F64 => DOUBLE,
        _ => SINGLE,
    };
    let first = b.shape()[b.ndim() - 2].min(most);
    let weights: Vec<f64> = (0..first).map(golden_weight).collect();
    let weights = Tensor::from_vec(weights, &[first])?
        .cast(computed.real())?
        .to(a.device())?;
    let end = Some(first as isize);
    let a = a.slice(-1, None, end, 1)?.cast(computed)?;
    let b = b.slice(-2, None, end, 1)?.cast(computed)?;
    let weighted = apply(Prim::Mul, &[(&a).into(), (&weights).into()])?;
    matmul(&weighted, &b)?.cast(dtype)
}
