//! What every product here asks of its operands, and how it says that they do not fit.

use super::gemm::Op;
use syntonic_core::layout::{Dims, broadcast_pair};
use syntonic_core::{DType, ops::linalg::product_type};
use syntonic_core::{Error, Result, Scalar, Tensor, describe};

/// The dtype of a product of `operands` with `factors`, which raise the kind and never the width.
///
/// Errors where the operands are on different devices, or all `bool`, or an integer type cannot hold a factor.
pub(super) fn dtype(op: &'static str, operands: &[&Tensor], factors: &[Scalar]) -> Result<DType> {
    let common = product_type(op, operands)?;
    let kinds = factors.iter();
    let dtype = kinds.fold(common, |dtype, x| x.promote_with(dtype));
    factors.iter().try_for_each(|x| x.check_fit(op, dtype))?;
    Ok(dtype)
}

/// The shape of `op_a(a) @ op_b(b)`. Errors where there is none.
pub(super) fn shape(
    op: &'static str,
    (a, op_a): (&Tensor, Op),
    (b, op_b): (&Tensor, Op),
) -> Result<Dims> {
    let fail = |hint: String| Error::Shape {
        op,
        operands: describe(&[a, b]),
        hint,
    };
    if a.ndim() < 2 || b.ndim() < 2 {
        return Err(fail(
            "the last two axes are those of the matrices; make a column of a vector with .reshape(-1, 1), a row with .reshape(1, -1)"
                .into(),
        ));
    }
    let ((x, [m, k]), (y, [p, n])) = (parts(a, op_a), parts(b, op_b));
    if k != p {
        return Err(fail(format!(
            "the product is of {} [{m}, {k}] and {} [{p}, {n}]; the inner lengths {k} and {p} must be one",
            op_a.of("a"),
            op_b.of("b"),
        )));
    }
    let mut shape = broadcast_pair(x, y).ok_or_else(|| {
        fail("the leading axes, aligned from the right, must be equal or 1".into())
    })?;
    shape.extend([m, n]);
    Ok(shape)
}

/// As [`shape`], of two square matrices of one size, which both orders of a product need.
pub(super) fn squares(op: &'static str, a: &Tensor, b: &Tensor) -> Result<()> {
    let ends = |t: &Tensor| t.shape().iter().rev().take(2).copied().collect::<Vec<_>>();
    let (x, y) = (ends(a), ends(b));
    if x.len() == 2 && x == y && x[0] == x[1] {
        return shape(op, (a, Op::None), (b, Op::None)).map(|_| ());
    }
    Err(Error::Shape {
        op,
        operands: describe(&[a, b]),
        hint: "AB and BA are added, so both are square matrices of one size, [.., n, n]".into(),
    })
}

/// Leading lengths, then rows and columns of the matrices that `op` makes.
fn parts(x: &Tensor, op: Op) -> (&[usize], [usize; 2]) {
    let (lead, last) = x.shape().split_at(x.ndim() - 2);
    match op {
        Op::None => (lead, [last[0], last[1]]),
        Op::Transpose | Op::Adjoint => (lead, [last[1], last[0]]),
    }
}
