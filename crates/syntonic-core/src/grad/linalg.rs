//! Systems of equations, determinants and Cholesky factors.

use super::node::{Back, Cotangents, Keep, record};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::ops::create::{eye, zeros_like};
use crate::ops::elementwise::{Arg, apply};
use crate::ops::join::{concat, narrow};
use crate::ops::linalg::{
    self, Columns, MatrixNorm, Slogdet, Svd, Triangle, adjoint, as_of, conj, matmul,
    matrix_transpose, of_systems,
};
use crate::ops::rearrange::tril;
use crate::ops::reduce::{self, Over};
use crate::ops::scan::{Initial, cumulative_prod};
use crate::run::Axes;
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

/// Determinants of tracked matrices: the cotangent is the conjugate matrix of cofactors, which is there for singular ones, too.
pub(crate) fn det(a: &Tensor) -> Result<Tensor> {
    let value = linalg::det(&a.stop_gradient())?;
    record("det", &[a], Keep::All, value, |back| {
        let a = back.operand(0)?;
        let cofactors = match regular_inverse(&a)? {
            Some(_) if back.tracked => {
                let scale = for_matrices(&conj(&back.value()?)?)?;
                times(&scale, &inverse_adjoint(back)?)?
            }
            Some(inverse) => {
                let scale = for_matrices(&conj(&back.value()?)?)?;
                times(&scale, &adjoint(&inverse)?)?
            }
            None if back.tracked => adjoint(&adjugate(&a)?)?,
            None => cofactors(&a)?,
        };
        one(times(&for_matrices(back.cotangent())?, &cofactors)?)
    })
}

/// The inverses of the matrices, without a way back, if each has most of its digits: with a condition number of `c` all but
/// `log2(c)` bits are right, and half of them are asked for.
fn regular_inverse(a: &Tensor) -> Result<Option<Tensor>> {
    let a = &a.stop_gradient();
    let inverse = match linalg::inv(a) {
        Ok(inverse) => inverse,
        Err(Error::Matrix { .. }) => return Ok(None),
        Err(other) => return Err(other),
    };
    if a.numel() == 0 {
        return Ok(Some(inverse));
    }
    let size = |x: &Tensor| linalg::matrix_norm(x, MatrixNorm::Frobenius, Axes::Drop);
    let condition = times(&size(a)?, &size(&inverse)?)?.cast(DType::F64)?;
    let worst = reduce::max(&condition, &Over::all())?.item()?.to_f64();
    let most = match a.dtype().real() {
        DType::F32 => 1.0 / f64::from(f32::EPSILON).sqrt(),
        _ => 1.0 / f64::EPSILON.sqrt(),
    };
    // NaN marks matrices that are not finite, which have neither.
    Ok((worst < most || worst.is_nan()).then_some(inverse))
}

/// The conjugate matrices of cofactors, of finite matrices of any rank: with `a = U S V^H` they are `conj(det U det V^H) U C V^H`,
/// where `C` has the products of all other singular values. Those of rank n-1 have one that is not zero, of less none.
fn cofactors(a: &Tensor) -> Result<Tensor> {
    let Svd { u, s, vh } = linalg::svd(a, Columns::Reduced)?;
    let n = s.shape()[s.ndim() - 1];
    let ahead = |s: &Tensor| {
        let products = cumulative_prod(s, Some(-1), None, Initial::Include)?;
        narrow(&products, s.ndim() - 1, 0, n)
    };
    // What rounding left of a singular value that is zero is no more than this.
    let noise = match s.dtype() {
        DType::F32 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    };
    let largest = reduce::max(&s, &Over::axes(&[-1]).keep())?;
    let floor = apply(
        Prim::Mul,
        &[(&largest).into(), Arg::Number((noise * n as f64).into())],
    )?;
    let kept = apply(Prim::Gt, &[(&s).into(), (&floor).into()])?;
    let s = apply(
        Prim::Select,
        &[(&kept).into(), (&s).into(), Arg::Number(0.0.into())],
    )?;
    let behind = ahead(&s.flip(&[-1])?)?.flip(&[-1])?;
    let others = times(&ahead(&s)?, &behind)?;
    let turn = times(&linalg::det(&u)?, &linalg::det(&vh)?)?;
    let scaled = times(&u, &others.expand_dims(&[-2])?)?;
    times(&matmul(&scaled, &vh)?, &for_matrices(&conj(&turn)?)?)
}

/// The adjugates of matrices of any rank, by products and sums alone, so that they have derivatives of any order: with `m` of
/// rank one more each time, `m_k = a m_{k-1} + c_{k-1} 1` and `c_k = -tr(a m_k)/k`, the adjugate is `(-1)^(n-1) m_n`.
/// Faddeev and Leverrier, as in Householder, The Theory of Matrices in Numerical Analysis, 1964, section 6.7.
fn adjugate(a: &Tensor) -> Result<Tensor> {
    let n = a.shape()[a.ndim() - 1];
    let wide = match a.dtype().is_complex() {
        true => DType::C128,
        false => DType::F64,
    };
    let x = a.cast(wide)?;
    let one = eye(n, n, 0, wide, a.device())?;
    let mut m = one.broadcast_to(x.shape())?;
    for k in 1..n {
        let product = matmul(&x, &m)?;
        let trace = linalg::trace(&product, 0, None)?;
        let c = apply(
            Prim::Div,
            &[(&trace).into(), Arg::Number((-(k as f64)).into())],
        )?;
        let shift = times(&for_matrices(&c)?, &one)?;
        m = apply(Prim::Add, &[(&product).into(), (&shift).into()])?;
    }
    let signed = match n.is_multiple_of(2) {
        true => apply(Prim::Neg, &[(&m).into()])?,
        false => m,
    };
    signed.cast(a.dtype())
}

/// Signs of determinants, and logarithms of their magnitudes. A real sign is constant in pieces; a complex one turns with
/// the imaginary part of the logarithm. At a singular matrix the logarithm is minus infinity and has no gradient: its rule is an
/// error that says so.
pub(crate) fn slogdet(a: &Tensor) -> Result<Slogdet> {
    let plain = linalg::slogdet(&a.stop_gradient())?;
    let logabsdet = record("slogdet", &[a], Keep::Operands, plain.logabsdet, |back| {
        let g = for_matrices(back.cotangent())?;
        one(times(&g, &as_of(inverse_adjoint(back), "slogdet")?)?)
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
        let inverse = as_of(inverse_adjoint(back), "slogdet")?;
        one(times(&for_matrices(&angle)?, &inverse)?)
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
