//! Systems of equations, determinants and Cholesky factors.

use super::node::{Back, Cotangents, Keep, record};
use crate::error::Result;
use crate::fuse::Prim;
use crate::ops::create::zeros_like;
use crate::ops::elementwise::{Arg, apply};
use crate::ops::join::{concat, narrow};
use crate::ops::linalg::{
    self, Slogdet, Triangle, adjoint, conj, matmul, matrix_transpose, of_systems,
};
use crate::ops::rearrange::tril;
use crate::tensor::Tensor;
use smallvec::SmallVec;

pub(super) fn times(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    apply(Prim::Mul, &[a.into(), b.into()])
}

/// The solutions x of `a x = b`: `b` gets `a^-H g`, and `a` minus that times `x^H`.
pub(crate) fn solved(op: &'static str, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let value = of_systems(op, &a.stop_gradient(), &b.stop_gradient())?;
    record(op, &[a, b], Keep::All, value, move |back| {
        let right = linalg::solve(&adjoint(&back.operand(0)?)?, back.cotangent())?;
        let left = match back.wants(0) {
            true => {
                let outer = matmul(&right, &adjoint(&back.value()?)?)?;
                Some(apply(Prim::Neg, &[(&outer).into()])?)
            }
            false => None,
        };
        Ok(SmallVec::from_iter([left, back.wants(1).then_some(right)]))
    })
}

/// `a^-H`, and a number for each matrix as one that broadcasts.
fn inverse_adjoint(back: &Back<'_>) -> Result<Tensor> {
    adjoint(&linalg::inv(&back.operand(0)?)?)
}

fn for_matrices(x: &Tensor) -> Result<Tensor> {
    x.expand_dims(&[-2, -1])
}

pub(super) fn one(g: Tensor) -> Result<Cotangents> {
    Ok(SmallVec::from_iter([Some(g)]))
}

/// Determinants of tracked matrices, which have to be regular for their gradient.
pub(crate) fn det(a: &Tensor) -> Result<Tensor> {
    let value = linalg::det(&a.stop_gradient())?;
    record("det", &[a], Keep::All, value, |back| {
        let scale = times(back.cotangent(), &conj(&back.value()?)?)?;
        one(times(&for_matrices(&scale)?, &inverse_adjoint(back)?)?)
    })
}

/// Signs of determinants, and logarithms of their magnitudes. A real sign is constant in pieces; a complex one turns with
/// the imaginary part of the logarithm.
pub(crate) fn slogdet(a: &Tensor) -> Result<Slogdet> {
    let plain = linalg::slogdet(&a.stop_gradient())?;
    let logabsdet = record("slogdet", &[a], Keep::Operands, plain.logabsdet, |back| {
        let g = for_matrices(back.cotangent())?;
        one(times(&g, &inverse_adjoint(back)?)?)
    })?;
    if !plain.sign.dtype().is_complex() {
        let sign = record("slogdet", &[a], Keep::Nothing, plain.sign, |_| {
            Ok(SmallVec::from_iter([None]))
        })?;
        return Ok(Slogdet { sign, logabsdet });
    }
    let sign = record("slogdet", &[a], Keep::All, plain.sign, |back| {
        let turned = times(&conj(back.cotangent())?, &back.value()?)?;
        let angle = apply(Prim::Neg, &[(&turned.imag()?).into()])?;
        let angle = apply(Prim::Complex, &[Arg::Number(0.0.into()), (&angle).into()])?;
        one(times(&for_matrices(&angle)?, &inverse_adjoint(back)?)?)
    })?;
    Ok(Slogdet { sign, logabsdet })
}

/// The Cholesky factor of tracked matrices, with the cotangent of the triangle that is read; the other one has none.
/// Murray, Differentiation of the Cholesky decomposition, 2016.
pub(crate) fn cholesky(a: &Tensor, triangle: Triangle) -> Result<Tensor> {
    if triangle == Triangle::Upper {
        return adjoint(&cholesky(&adjoint(a)?, Triangle::Lower)?);
    }
    let value = linalg::cholesky(&a.stop_gradient(), Triangle::Lower)?;
    record("cholesky", &[a], Keep::All, value, |back| {
        let l = back.value()?;
        let half = half_diagonal(&tril(&matmul(&adjoint(&l)?, back.cotangent())?, 0)?)?;
        let both = apply(Prim::Add, &[(&half).into(), (&adjoint(&half)?).into()])?;
        // l^-H both l^-1, as two systems with l^H.
        let lh = adjoint(&l)?;
        let first = linalg::solve(&lh, &both)?;
        let g = linalg::solve(&lh, &adjoint(&first)?)?;
        // The elements below the diagonal stand for those above it, too.
        one(half_diagonal(&tril(&g, 0)?)?)
    })
}

/// Exponentials of tracked matrices. The cotangent is the derivative of the exponential of `a^H` in the direction `g`, which is
/// the upper right block of the exponential of `[[a^H, g], [0, a^H]]`. Higham, Functions of Matrices, 2008, theorem 3.6.
pub(crate) fn expm(a: &Tensor) -> Result<Tensor> {
    let value = linalg::expm(&a.stop_gradient())?;
    record("expm", &[a], Keep::Operands, value, |back| {
        let (a, g) = (adjoint(&back.operand(0)?)?, back.cotangent());
        let n = a.shape()[a.ndim() - 1];
        let none = zeros_like(&a, None)?;
        let upper = concat(&[&a, g], Some(-1))?;
        let lower = concat(&[&none, &a], Some(-1))?;
        let both = linalg::expm(&concat(&[&upper, &lower], Some(-2))?)?;
        let rows = narrow(&both, a.ndim() - 2, 0, n)?;
        one(narrow(&rows, a.ndim() - 1, n, n)?)
    })
}

/// The matrices with half their diagonals, which are real.
pub(super) fn half_diagonal(x: &Tensor) -> Result<Tensor> {
    let below = tril(x, -1)?;
    let on = apply(Prim::Sub, &[x.into(), (&below).into()])?;
    let on = apply(
        Prim::Add,
        &[(&on).into(), (&conj(&matrix_transpose(&on)?)?).into()],
    )?;
    let on = apply(Prim::Mul, &[(&on).into(), Arg::Number(0.25.into())])?;
    apply(Prim::Add, &[(&below).into(), (&on).into()])
}
