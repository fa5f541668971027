//! Products of matrices and stacks of matrices.

use super::job::{Job, conjugated};
use super::precision::{Precision, precision};
use super::promise::{self, Check, Report};
use crate::dtype::DType;
use crate::error::{Error, Result, way_out};
use crate::grad;
use crate::layout::{Dims, broadcast_pair};
use crate::lazy::{self, as_type};
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe, same_device, shares};

/// The matrix product: `[.., m, k] @ [.., k, n] -> [.., m, n]`, leading axes broadcast.
///
/// A vector on the left is a row and one on the right a column; their axis goes from the result, so
/// `[k] @ [k] -> []`. Numeric dtypes promote as everywhere; integers wrap, the half types accumulate
/// in `float32` and round once. A large result stays an expression until somebody reads it, so that the element-wise operations that
/// follow run while its elements are at hand; how exact it is, [`set_precision`](super::set_precision) says.
///
/// Errors where the inner lengths differ, the leading axes do not broadcast, an operand has no axes
/// or is `bool`, or the devices differ.
///
/// ```
/// use syntonic_core::ops::linalg::matmul;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[1, 2], [3, 4]]);
/// assert_eq!(matmul(&a, &a)?.to_vec::<i32>()?, [7, 10, 15, 22]);
/// let stack = Tensor::ones(&[5, 2, 3], DType::F32)?;
/// assert_eq!(matmul(&stack, &Tensor::ones(&[3], DType::F32)?)?.shape(), [5, 2]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn matmul(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    with_vectors(a, b, |x, y| multiply("matmul", x, y))
}

/// The product of two operands in their common dtype, of which vectors are matrices of one row or column meanwhile.
fn with_vectors(
    a: &Tensor,
    b: &Tensor,
    multiply: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let (a, b) = common_type("matmul", a, b)?;
    let (x, y) = (as_matrix(&a, -2)?, as_matrix(&b, -1)?);
    let out = multiply(&x, &y).map_err(|e| rename(e, &a, &b))?;
    let mut gone: Vec<isize> = Vec::new();
    if a.ndim() == 1 {
        gone.push(-2);
    }
    if b.ndim() == 1 {
        gone.push(-1);
    }
    out.squeeze(&gone)
}

/// `alpha a @ b` as one product: `[.., m, k]`, `[.., k, n] -> [.., m, n]`.
///
/// The result has the common dtype of `a` and `b`; `alpha` is cast to the type that the product is
/// summed in, `float32` for the half types. Errors as [`matmul`] for operands of at least two axes.
///
/// ```
/// use syntonic_core::ops::linalg::matmul_times;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
/// assert_eq!(matmul_times(0.5, &a, &a)?.to_vec::<f64>()?, [3.5, 5.0, 7.5, 11.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn matmul_times(alpha: impl Into<Scalar>, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    const OP: &str = "matmul_times";
    let (a, b) = common_type(OP, a, b)?;
    times(OP, precision(), alpha.into(), &a, &b)
}

/// `alpha a @ b + beta c` without a temporary for the product: `[.., m, k]`, `[.., k, n]` and `c`,
/// which broadcasts to the result, `-> [.., m, n]`. With `beta` 0, `c` is not read.
///
/// The result has the common dtype of `a`, `b` and `c`; `alpha` and `beta` are cast to the type that
/// the product is summed in, `float32` for the half types. Errors as [`matmul`] for operands of at
/// least two axes, and where `c` does not broadcast.
///
/// ```
/// use syntonic_core::ops::linalg::matmul_scaled;
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
/// let c = Tensor::from([100.0, 200.0]);
/// let y = matmul_scaled(2, &a, &a, 1, &c)?;
/// assert_eq!(y.to_vec::<f64>()?, [114.0, 220.0, 130.0, 244.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn matmul_scaled(
    alpha: impl Into<Scalar>,
    a: &Tensor,
    b: &Tensor,
    beta: impl Into<Scalar>,
    c: &Tensor,
) -> Result<Tensor> {
    added(
        "matmul_scaled",
        (alpha.into(), a, b),
        beta.into(),
        c.clone(),
    )
}

/// As [`matmul_scaled`], into the memory of `c` where that is possible: where `c` is the only tensor
/// over its memory, has the dtype and the shape of the result, and `a` and `b` lie elsewhere. Else
/// the result gets memory of its own, and what shares memory with `c` keeps its values.
///
/// A sum of products, `sum_k alpha_k a_k @ b_k`, costs its products and nothing else.
///
/// ```
/// use syntonic_core::ops::linalg::accumulate;
/// use syntonic_core::prelude::*;
///
/// let (a, b) = (Tensor::from([[1.0], [2.0]]), Tensor::from([[3.0, 4.0]]));
/// let mut sum = Tensor::zeros(&[2, 2], DType::F64)?;
/// for _ in 0..3 {
///     sum = accumulate(1, &a, &b, 1, sum)?;
/// }
/// assert_eq!(sum.to_vec::<f64>()?, [9.0, 12.0, 18.0, 24.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn accumulate(
    alpha: impl Into<Scalar>,
    a: &Tensor,
    b: &Tensor,
    beta: impl Into<Scalar>,
    c: Tensor,
) -> Result<Tensor> {
    added("accumulate", (alpha.into(), a, b), beta.into(), c)
}

fn added(
    op: &'static str,
    (alpha, a, b): (Scalar, &Tensor, &Tensor),
    beta: Scalar,
    c: Tensor,
) -> Result<Tensor> {
    same_device(op, &[a, b, &c])?;
    let (a, b) = common_type(op, a, b)?;
    let dtype = a.dtype().promote(c.dtype());
    let (a, b) = (as_type(&a, dtype)?, as_type(&b, dtype)?);
    let shape = product_shape(op, &a, &b)?;
    if c.layout().broadcast_to(&shape).is_none() {
        return Err(Error::Shape {
            op,
            operands: describe(&[&a, &b, &c]),
            hint: format!("c must broadcast to the shape of a @ b, {:?}", &shape[..]),
        });
    }
    if grad::tracks(&[&a, &b, &c]) {
        return grad::added(op, precision(), (alpha, &a, &b), (beta, &c));
    }
    let c = if beta.to_bool() { computed(c)? } else { c };
    let fits = c.dtype() == dtype && c.shape() == &shape[..];
    let out = if fits && c.is_unique() && apart(&c, &a)? && apart(&c, &b)? {
        c
    } else {
        let out = Tensor::uninit(op, &shape, dtype, a.device())?;
        if beta.to_bool() {
            out.overwrite(&c)?;
        }
        out
    };
    let job = Job {
        alpha,
        beta,
        arithmetic: precision().arithmetic(),
        ..Job::default()
    };
    job.run(&a, &b, &out)?;
    Ok(out)
}

/// The elements in memory. Those of an expression that nobody else waits for are then held by nobody else.
fn computed(x: Tensor) -> Result<Tensor> {
    let there = x.eval()?;
    drop(x);
    Ok(there)
}

/// True where a product that reads `x` may write `c` meanwhile. What is pending is computed before the product begins.
fn apart(c: &Tensor, x: &Tensor) -> Result<bool> {
    let (read, _) = conjugated(x, true);
    Ok(read.is_pending() || !shares(c, &read)?)
}

/// Both operands in their common numeric type, on one device.
pub(super) fn common_type(op: &'static str, a: &Tensor, b: &Tensor) -> Result<(Tensor, Tensor)> {
    let dtype = product_type(op, &[a, b])?;
    Ok((as_type(a, dtype)?, as_type(b, dtype)?))
}

/// The dtype of a product of these operands, or of a sum of such products.
///
/// Errors where they are on different devices, or all `bool`.
///
/// ```
/// use syntonic_core::ops::linalg::product_type;
/// use syntonic_core::prelude::*;
///
/// let (a, b) = (Tensor::from([1]), Tensor::from([0.5f32]));
/// assert_eq!(product_type("matmul", &[&b, &b])?, DType::F32);
/// assert_eq!(product_type("matmul", &[&a, &b])?, DType::F32);
/// assert!(product_type("matmul", &[&Tensor::from([true])]).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn product_type(op: &'static str, operands: &[&Tensor]) -> Result<DType> {
    same_device(op, operands)?;
    let dtypes = operands.iter().map(|t| t.dtype());
    match dtypes.reduce(DType::promote).unwrap_or(DType::Bool) {
        DType::Bool => Err(Error::DType {
            op,
            operands: describe(operands),
            hint: "products need numbers; cast to an integer type to count, or use any(a & b)"
                .into(),
        }),
        dtype if dtype.is_stored() => Err(Error::DType {
            op,
            operands: describe(operands),
            hint: format!(
                "8-bit floats are multiplied by linalg.scaled_matmul, or cast to float16 first; {}",
                way_out::CONVERT
            ),
        }),
        dtype => Ok(dtype),
    }
}

/// The operand with at least two axes; a vector gets a new one at `axis`.
fn as_matrix(x: &Tensor, axis: isize) -> Result<Tensor> {
    match x.ndim() {
        0 => Err(Error::Shape {
            op: "matmul",
            operands: describe(&[x]),
            hint: "operands need at least one axis; multiply by a number with *".into(),
        }),
        1 => x.expand_dims(&[axis]),
        _ => Ok(x.clone()),
    }
}

/// The shape error of two matrices, told with the operands as the caller gave them.
fn rename(error: Error, a: &Tensor, b: &Tensor) -> Error {
    match error {
        Error::Shape { op, hint, .. } => Error::Shape {
            op,
            operands: describe(&[a, b]),
            hint,
        },
        other => other,
    }
}

/// The shape of the product of two stacks of matrices.
pub(super) fn product_shape(op: &'static str, a: &Tensor, b: &Tensor) -> Result<Dims> {
    let fail = |hint: String| Error::Shape {
        op,
        operands: describe(&[a, b]),
        hint,
    };
    if a.ndim() < 2 || b.ndim() < 2 {
        return Err(fail("both operands need at least two axes".into()));
    }
    let ((x, y), (p, q)) = (split(a.shape()), split(b.shape()));
    if y[1] != q[0] {
        return Err(fail(format!(
            "the last axis of the first operand has length {} and must match the rows of the second, {}",
            y[1], q[0]
        )));
    }
    let mut shape = broadcast_pair(x, p).ok_or_else(|| {
        fail("the leading axes, aligned from the right, must be equal or 1".into())
    })?;
    shape.extend([y[0], q[1]]);
    Ok(shape)
}

/// Leading lengths, and the lengths of the last two axes.
fn split(shape: &[usize]) -> (&[usize], &[usize]) {
    shape.split_at(shape.len() - 2)
}

/// The product of two stacks of matrices of one dtype on one device.
pub(super) fn multiply(op: &'static str, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    times(op, precision(), Scalar::Int(1), a, b)
}

/// As [`multiply`], times `alpha`: later, if the result is large and nothing has to be checked.
pub(crate) fn times(
    op: &'static str,
    asked: Precision,
    alpha: Scalar,
    a: &Tensor,
    b: &Tensor,
) -> Result<Tensor> {
    let shape = product_shape(op, a, b)?;
    if grad::tracks(&[a, b]) {
        return grad::scaled(op, asked, alpha, a, b);
    }
    match asked {
        asked @ Precision::Tolerance(_) => {
            let (out, _) = promise::keep(op, asked, Check::WhereNeeded, (alpha, a, b))?;
            Ok(out)
        }
        asked => lazy::product(alpha, asked.arithmetic(), a, b, shape),
    }
}

/// [`matmul`] of operands of at least two axes with the precision `asked`, computed now, and what became of it: in which
/// arithmetic it was computed, and how far off it is by an estimate with random vectors.
///
/// ```
/// use syntonic_core::ops::linalg::{Level, Precision, matmul_reported};
/// use syntonic_core::{DType, Tensor};
/// let a = Tensor::ones(&[8, 8], DType::F32)?;
/// let (c, report) = matmul_reported(&a, &a, Precision::Tolerance(1e-5))?;
/// assert_eq!(c.to_vec::<f32>()?, [8.0; 64]);
/// assert_eq!((report.chosen, report.estimated_error), (Level::Native, Some(0.0)));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// Errors as [`matmul`], and for a tolerance that is negative or not a number.
pub fn matmul_reported(a: &Tensor, b: &Tensor, asked: Precision) -> Result<(Tensor, Report)> {
    const OP: &str = "matmul_reported";
    let asked = asked.check(OP)?;
    let (a, b) = common_type(OP, a, b)?;
    product_shape(OP, &a, &b)?;
    grad::refuse(OP, &[&a, &b])?;
    promise::keep(OP, asked, Check::Always, (Scalar::Int(1), &a, &b))
}

/// [`matmul`] with the precision `asked` instead of that of the process.
///
/// Errors as [`matmul`], and for a tolerance that is negative or not a number.
///
/// ```
/// use syntonic_core::ops::linalg::{Precision, matmul_as};
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[1f32, 2.0], [3.0, 4.0]]);
/// assert_eq!(matmul_as(&a, &a, Precision::Highest)?.to_vec::<f32>()?, [7.0, 10.0, 15.0, 22.0]);
/// assert!(matmul_as(&a, &a, Precision::Tolerance(-1.0)).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn matmul_as(a: &Tensor, b: &Tensor, asked: Precision) -> Result<Tensor> {
    let asked = asked.check("matmul")?;
    with_vectors(a, b, |x, y| times("matmul", asked, Scalar::Int(1), x, y))
}
