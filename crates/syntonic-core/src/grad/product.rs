//! Products of matrices, plain and with an end.

use super::elementwise::evaluated;
use super::node::{Back, Cotangents, Keep, Reads, record, record_reading};
use crate::error::Result;
use crate::fuse::{Prim, Program};
use crate::ops::elementwise::{Arg, apply};
use crate::ops::linalg::{Precision, adjoint, matmul_scaled, times};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;

/// `alpha a @ b` over stacks of matrices of one type.
pub(crate) fn scaled(
    op: &'static str,
    asked: Precision,
    alpha: Scalar,
    a: &Tensor,
    b: &Tensor,
) -> Result<Tensor> {
    let value = times(op, asked, alpha, &a.stop_gradient(), &b.stop_gradient())?;
    record_reading(
        Reads::Stored,
        op,
        &[a, b],
        Keep::Operands,
        value,
        move |back| {
            let [left, right] = factors(op, asked, alpha, back, back.cotangent())?;
            Ok(SmallVec::from_iter([left, right]))
        },
    )
}

/// The cotangents of the first two operands, which are factors, from that of `alpha a @ b`.
fn factors(
    op: &'static str,
    asked: Precision,
    alpha: Scalar,
    back: &Back<'_>,
    g: &Tensor,
) -> Result<[Option<Tensor>; 2]> {
    let alpha = conjugate(alpha);
    let times = |x: &Tensor, y: &Tensor| {
        let dtype = x.dtype().promote(y.dtype());
        times(op, asked, alpha, &x.cast(dtype)?, &y.cast(dtype)?).map(Some)
    };
    let left = match back.wants(0) {
        true => times(g, &adjoint(&back.operand(1)?)?)?,
        false => None,
    };
    let right = match back.wants(1) {
        // One matrix for a stack: the rows of all are one sum.
        true if back.shape(1).len() == 2 && back.shape(0).len() > 2 => {
            let rows = |x: &Tensor| x.reshape(&[-1, x.shape()[x.ndim() - 1] as isize]);
            match g.numel() {
                0 => None,
                _ => times(&adjoint(&rows(&back.operand(0)?)?)?, &rows(g)?)?,
            }
        }
        true => times(&adjoint(&back.operand(0)?)?, g)?,
        false => None,
    };
    Ok([left, right])
}

fn conjugate(x: Scalar) -> Scalar {
    match x {
        Scalar::Complex(z) => Scalar::Complex(z.conj()),
        other => other,
    }
}

/// `alpha a @ b + beta c`, where `value` is that, and `a` and `b` are of one type.
pub(crate) fn added(
    op: &'static str,
    asked: Precision,
    (alpha, a, b): (Scalar, &Tensor, &Tensor),
    (beta, c): (Scalar, &Tensor),
) -> Result<Tensor> {
    let [x, y, z] = [a, b, c].map(Tensor::stop_gradient);
    let value = matmul_scaled(alpha, &x, &y, beta, &z)?;
    record_reading(
        Reads::Stored,
        op,
        &[a, b, c],
        Keep::These(0b11),
        value,
        move |back| {
            let [left, right] = factors(op, asked, alpha, back, back.cotangent())?;
            let last = match back.wants(2) && beta.to_bool() {
                true => {
                    let args = [back.cotangent().into(), Arg::Number(conjugate(beta))];
                    Some(apply(Prim::Mul, &args)?)
                }
                false => None,
            };
            Ok(SmallVec::from_iter([left, right, last]))
        },
    )
}

/// A product with an end: `value` is `program` over `alpha a @ b` and the operands behind the factors.
pub(crate) fn ended(
    op: &'static str,
    asked: Precision,
    alpha: Scalar,
    operands: &[&Tensor],
    program: Program,
    value: Tensor,
) -> Result<Tensor> {
    let count = operands.len();
    record(op, operands, Keep::Operands, value, move |back| {
        let inner = back.wants(0) || back.wants(1);
        let wanted = (0..count - 1).filter(|&k| if k == 0 { inner } else { back.wants(k + 1) });
        // few: the operands of one product.
        let wanted: Vec<usize> = wanted.collect();
        let gradient = program.grad(&wanted)?;
        let mut all: Cotangents = (0..count).map(|_| None).collect();
        for (at, &k) in wanted.iter().enumerate() {
            let (formula, reads) = gradient.of_output(at);
            let given: Vec<Tensor> = reads
                .iter()
                .map(|&i| match i {
                    0 => {
                        let (a, b) = (back.operand(0)?, back.operand(1)?);
                        times(op, asked, alpha, &a, &b)
                    }
                    i if i == count - 1 => Ok(back.cotangent().clone()),
                    i => back.operand(i + 1),
                })
                .collect::<Result<_>>()?;
            let g = evaluated(formula, &given, back.cotangent())?;
            if k > 0 {
                all[k + 1] = g;
            } else if let Some(g) = g {
                // Both products read one rounding of it.
                let [left, right] = factors(op, asked, alpha, back, &g.cast(g.dtype())?)?;
                (all[0], all[1]) = (left, right);
            }
        }
        Ok(all)
    })
}
