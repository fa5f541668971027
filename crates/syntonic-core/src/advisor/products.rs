//! Products of matrices by a tolerance.

use super::OP;
use super::advice::Advice;
use super::workload::{Runner, Workload};
use crate::dtype::DType;
use crate::error::Result;
use crate::ops::linalg::{Precision, matmul_as, product_type};
use crate::tensor::{Tensor, same_device};

/// Half the spacing of floats around 1, by type.
const SINGLE: f64 = 1.0 / (1u64 << 24) as f64;
const DOUBLE: f64 = 1.0 / (1u64 << 53) as f64;

/// `a @ b`, `[.., m, k] @ [.., k, n] -> [.., m, n]`, in every [`Precision`] that its type has, within a tolerance: the request is the pair
/// `[a, b]`, the result is in memory when a run ends. [`precision_of`] says which was picked.
///
/// Errors are in the units of [`Precision::Tolerance`], `|result - a @ b| / | |a| @ |b| |` in the Frobenius norm, so that the tolerance is that of
/// one. Choices that nobody checks afterwards promise a bound that holds for all finite factors, with `k` terms in a sum and `u` half the
/// spacing of floats around 1: `k u` for sums in the type, `2 k u` for `high`, and 2^-10 more for factors that are rounded to TF32.
/// `double` computes `float32` in `float64` and rounds once. `tolerance` is [`Precision::Tolerance`], which begins with the cheapest
/// arithmetic that should do and checks every product with random vectors; its estimate may be off by a factor of 2. Half types and
/// integers have one arithmetic.
///
/// # Errors
/// Operands that [`matmul`](crate::ops::linalg::matmul) refuses.
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_core::advisor::{Advisor, precision_of, product};
/// use syntonic_core::ops::linalg::matmul_as;
///
/// let a = Tensor::linspace(0.0, 1.0, 64 * 64)?.reshape(&[64, 64])?.eval()?;
/// let chosen = Advisor::in_memory().choose(product(&a, &a, 1e-6)?, &[a.clone(), a.clone()])?;
/// let precision = precision_of(&chosen.advice, 1e-6).expect("it is one of a product's");
/// let b = matmul_as(&a, &a, precision)?;
/// # assert_eq!(b.shape(), [64, 64]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn product(
    a: &Tensor,
    b: &Tensor,
    tolerance: f64,
) -> Result<Workload<'static, [Tensor; 2], Tensor>> {
    let device = same_device(OP, &[a, b])?;
    let dtype = product_type(OP, &[a, b])?;
    let asked = Precision::Tolerance(tolerance).check(OP)?;
    // Also asks whether the shapes fit, where nothing is computed yet.
    let scale = matmul_as(a, b, Precision::Highest)?;
    drop(scale);
    let k = a.shape().last().copied().unwrap_or(1).max(1) as f64;
    let factors = [a.clone(), b.clone()];
    let mut size = None;
    let distance = move |x: &Tensor, y: &Tensor| {
        let size = match size {
            Some(size) => size,
            None => *size.insert(magnitude(&factors)?),
        };
        // By half, since the estimate behind a tolerance may be off by a factor of 2.
        Ok(between(x, y, size)? / 2.0)
    };
    let all: &[(Precision, f64)] = match dtype {
        DType::F32 | DType::C64 => &[
            (Precision::Highest, k * SINGLE),
            (Precision::High, 2.0 * k * SINGLE),
            (Precision::Medium, k * SINGLE + 1.0 / 1024.0),
        ],
        DType::F64 | DType::C128 => &[
            (Precision::Highest, k * DOUBLE),
            (Precision::High, 2.0 * k * DOUBLE),
        ],
        // One rounding to 8 or 11 bits, after sums in float32.
        DType::BF16 => &[(Precision::Highest, k * SINGLE + 1.0 / 256.0)],
        DType::F16 => &[(Precision::Highest, k * SINGLE + 1.0 / 2048.0)],
        _ => &[(Precision::Highest, 0.0)],
    };
    let mut workload = Workload::new("matmul", &device, distance)
        .operands(&[a, b])
        .within(tolerance);
    for &(precision, promised) in all {
        workload = workload.choice(name(precision), promised, move |_| Ok(runner(precision)));
    }
    if all.len() > 1 {
        workload = workload.choice(name(asked), tolerance, move |_| Ok(runner(asked)));
    }
    Ok(workload)
}

/// The precision that was picked for a [`product`] within a tolerance; none for advice of something else.
///
/// ```
/// use syntonic_core::advisor::{Advisor, precision_of, product};
/// use syntonic_core::ops::linalg::Precision;
/// use syntonic_core::prelude::*;
///
/// let (a, b) = (Tensor::eye(8, DType::BF16)?, Tensor::eye(8, DType::BF16)?);
/// let workload = product(&a, &b, 0.01)?;
/// let advice = Advisor::in_memory().choose(workload, &[a, b])?.advice;
/// // There is one way to multiply bfloat16.
/// assert_eq!(precision_of(&advice, 0.01), Some(Precision::Highest));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn precision_of(advice: &Advice, tolerance: f64) -> Option<Precision> {
    let all = [
        Precision::Highest,
        Precision::High,
        Precision::Medium,
        Precision::Tolerance(tolerance),
    ];
    all.into_iter().find(|p| name(*p) == advice.picked)
}

const fn name(precision: Precision) -> &'static str {
    match precision {
        Precision::Highest => "highest",
        Precision::High => "high",
        Precision::Medium => "medium",
        Precision::Tolerance(_) => "tolerance",
    }
}

fn runner(precision: Precision) -> Runner<'static, [Tensor; 2], Tensor> {
    Runner::new(move |[a, b]: &[Tensor; 2]| {
        let made = matmul_as(a, b, precision)?.eval()?;
        made.device().synchronize()?;
        Ok(made)
    })
}

/// `| |a| @ |b| |`, of which errors are fractions.
fn magnitude([a, b]: &[Tensor; 2]) -> Result<f64> {
    let product = matmul_as(&a.abs()?, &b.abs()?, Precision::Highest)?;
    length(&product)
}

/// `|x - y| / size`, 0 for equal results.
fn between(x: &Tensor, y: &Tensor, size: f64) -> Result<f64> {
    if super::apart(std::slice::from_ref(x), std::slice::from_ref(y))? == 0.0 {
        return Ok(0.0);
    }
    let wide = match x.dtype().is_complex() {
        true => DType::C128,
        false => DType::F64,
    };
    let apart = length(&x.cast(wide)?.try_sub(&y.cast(wide)?)?)?;
    Ok(apart / size)
}

/// The Frobenius norm, of a stack as of one matrix.
fn length(x: &Tensor) -> Result<f64> {
    let squares = x.abs()?.cast(DType::F64)?.square()?.sum(..)?;
    Ok(squares.to_scalar::<f64>()?.sqrt())
}
