//! Products of matrices and stacks of matrices.

use super::product::MATMUL;
use crate::device::Arg;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::{Dims, broadcast_pair};
use crate::lazy::conjugate_of;
use crate::ops::moves::{self, arg};
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe, same_device};

/// The matrix product: `[.., m, k] @ [.., k, n] -> [.., m, n]`, leading axes broadcast.
///
/// A vector on the left is a row and one on the right a column; their axis goes from the result, so
/// `[k] @ [k] -> []`. Numeric dtypes promote as everywhere; integers wrap, the half types accumulate
/// in `float32` and round once.
///
/// Errors where the inner lengths differ, the leading axes do not broadcast, an operand has no axes
/// or is `bool`, or the devices differ.
pub fn matmul(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (a, b) = common_type("matmul", a, b)?;
    let (x, y) = (as_matrix(&a, -2)?, as_matrix(&b, -1)?);
    let out = multiply("matmul", &x, &y).map_err(|e| rename(e, &a, &b))?;
    let mut gone: Vec<isize> = Vec::new();
    if a.ndim() == 1 {
        gone.push(-2);
    }
    if b.ndim() == 1 {
        gone.push(-1);
    }
    out.squeeze(&gone)
}

/// `alpha a @ b + beta c` without a temporary for the product: `[.., m, k]`, `[.., k, n]` and `c`,
/// which broadcasts to the result, `-> [.., m, n]`. With `beta` 0, `c` is not read.
///
/// The result has the common dtype of `a`, `b` and `c`; `alpha` and `beta` are cast to it. Errors as
/// [`matmul`] for operands of at least two axes, and where `c` does not broadcast.
pub fn matmul_scaled(
    alpha: impl Into<Scalar>,
    a: &Tensor,
    b: &Tensor,
    beta: impl Into<Scalar>,
    c: &Tensor,
) -> Result<Tensor> {
    const OP: &str = "matmul_scaled";
    let (alpha, beta) = (alpha.into(), beta.into());
    same_device(OP, &[a, b, c])?;
    let (a, b) = common_type(OP, a, b)?;
    let dtype = a.dtype().promote(c.dtype());
    let (a, b) = (a.cast(dtype)?, b.cast(dtype)?);
    let shape = product_shape(OP, &a, &b)?;
    if c.layout().broadcast_to(&shape).is_none() {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[&a, &b, c]),
            hint: format!("c must broadcast to the shape of a @ b, {:?}", &shape[..]),
        });
    }
    let out = Tensor::uninit(OP, &shape, dtype, a.device())?;
    if beta.to_bool() {
        out.overwrite(c)?;
    }
    launch(&a, &b, &out, alpha, beta)?;
    Ok(out)
}

/// Both operands in their common numeric type, on one device.
pub(super) fn common_type(op: &'static str, a: &Tensor, b: &Tensor) -> Result<(Tensor, Tensor)> {
    same_device(op, &[a, b])?;
    let dtype = a.dtype().promote(b.dtype());
    if dtype == DType::Bool {
        return Err(Error::DType {
            op,
            operands: describe(&[a, b]),
            hint: "products need numbers; cast to an integer type to count, or use any(a & b)"
                .into(),
        });
    }
    Ok((a.cast(dtype)?, b.cast(dtype)?))
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
fn product_shape(op: &'static str, a: &Tensor, b: &Tensor) -> Result<Dims> {
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
    let shape = product_shape(op, a, b)?;
    let out = Tensor::uninit(op, &shape, a.dtype(), a.device())?;
    launch(a, b, &out, Scalar::Int(1), Scalar::Int(0))?;
    Ok(out)
}

/// Runs the kernel into `out`, which nobody else holds.
fn launch(a: &Tensor, b: &Tensor, out: &Tensor, alpha: Scalar, beta: Scalar) -> Result<()> {
    if out.numel() == 0 {
        return Ok(());
    }
    let lead = &out.shape()[..out.ndim() - 2];
    // A product with one row or column reads each element once: there the library has no fast path
    // for conjugates, and a pass of its own costs less.
    let fold = out.shape()[lead.len()..].iter().all(|&len| len > 1);
    let ((a, conj_a), (b, conj_b)) = (conjugated(a, fold), conjugated(b, fold));
    let inputs = vec![stacked(&a, lead)?, stacked(&b, lead)?];
    let flags = [conj_a, conj_b].map(Scalar::Bool);
    let params = vec![alpha, beta, flags[0], flags[1]];
    // SAFETY: the inputs are live tensors broadcast to the output's stack, with the inner lengths
    // checked by `product_shape`; the output is fresh memory of this device.
    unsafe { moves::launch(&MATMUL, out, inputs, vec![arg(out)?], params) }
}

/// What a pending conjugate is the conjugate of, so that the kernel conjugates while it reads.
fn conjugated(x: &Tensor, fold: bool) -> (Tensor, bool) {
    match conjugate_of(x).filter(|_| fold) {
        Some(original) => (original, true),
        None => (x.clone(), false),
    }
}

/// The operand with its leading axes broadcast to `lead`.
fn stacked(x: &Tensor, lead: &[usize]) -> Result<Arg> {
    let mut shape: Dims = lead.into();
    shape.extend_from_slice(split(x.shape()).1);
    arg(&x.broadcast_to(&shape)?)
}
