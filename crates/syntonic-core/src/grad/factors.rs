//! Decompositions into orthonormal factors: eigenvectors, singular vectors, QR; and pseudoinverses.
//!
//! A decomposition gives several values, each with a rule of its own that reads the others as well. It reads what was found; where
//! the gradient itself is put on a tape, it decomposes anew on that tape, which gives the same factors.
//!
//! Sources: Giles, Collected matrix derivative results, 2008, for eigenvalues and singular values; Seeger et al., Auto-differentiating
//! linear algebra, 2017, for their vectors and QR, with the phases of complex vectors as in Wan and Zhang, 2019; Golub and Pereyra,
//! SIAM J. Numer. Anal. 10, 413, 1973, for pseudoinverses.

use super::linalg::{half_diagonal, one, times};
use super::node::{Back, Cotangents, Keep, record};
use super::refusal::instead;
use crate::error::{Result, way_out};
use crate::fuse::Prim;
use crate::ops::create::eye;
use crate::ops::elementwise::apply;
use crate::ops::join::{concat, narrow};
use crate::ops::linalg::{self, Columns, Eigen, Qr, Svd, Triangle, adjoint, matmul};
use crate::ops::rearrange::tril;
use crate::tensor::Tensor;

/// Eigenvalues and vectors of tracked Hermitian matrices, with the cotangent of the triangle that is read. Where eigenvalues
/// meet, that of the vectors divides by zero.
pub(crate) fn eigh(a: &Tensor, triangle: Triangle) -> Result<Eigen> {
    if triangle == Triangle::Upper {
        return eigh(&adjoint(a)?, Triangle::Lower);
    }
    let found = linalg::eigh(&a.stop_gradient(), Triangle::Lower)?;
    let (w, v) = (found.eigenvalues, found.eigenvectors.contiguous()?);
    let operands = [a, &w, &v];
    let eigenvalues = record("eigh", &operands, Keep::Operands, w.clone(), |back| {
        let v = eigen(back)?.eigenvectors;
        of_triangle(&matmul(&columns(&v, back.cotangent())?, &adjoint(&v)?)?)
    })?;
    let eigenvectors = record("eigh", &operands, Keep::Operands, v.clone(), |back| {
        let Eigen {
            eigenvalues: w,
            eigenvectors: v,
        } = eigen(back)?;
        let turns = matmul(&adjoint(&v)?, back.cotangent())?;
        let inner = over(&beside_diagonal(&turns)?, &gaps(&w)?)?;
        of_triangle(&matmul(&matmul(&v, &inner)?, &adjoint(&v)?)?)
    })?;
    Ok(Eigen {
        eigenvalues,
        eigenvectors,
    })
}

fn eigen(back: &Back<'_>) -> Result<Eigen> {
    match back.tracked {
        true => linalg::eigh(&back.operand(0)?, Triangle::Lower),
        false => Ok(Eigen {
            eigenvalues: back.operand(1)?,
            eigenvectors: back.operand(2)?,
        }),
    }
}

/// The cotangent of the lower triangle and of the diagonal's real part, from that of the Hermitian matrix that they stand for.
fn of_triangle(g: &Tensor) -> Result<Cotangents> {
    one(half_diagonal(&tril(&plus(g, &adjoint(g)?)?, 0)?)?)
}

/// The singular value decomposition of tracked matrices. Columns beyond the singular values may be any, so they have no
/// gradient. Where singular values meet, or are zero beside a longer side, that of the vectors divides by zero.
pub(crate) fn svd(a: &Tensor, mode: Columns) -> Result<Svd> {
    let (m, n) = sides(a);
    if mode == Columns::Complete && m != n {
        return Err(instead("svd", &[a], way_out::REDUCED));
    }
    let found = linalg::svd(&a.stop_gradient(), Columns::Reduced)?;
    let s = singular_values(a, &found)?;
    let (u, vh) = (found.u.contiguous()?, found.vh.contiguous()?);
    let operands = [a, &u, &found.s, &vh];
    let left = record("svd", &operands, Keep::Operands, u.clone(), |back| {
        let (Svd { u, s, vh }, g) = (factors(back)?, back.cotangent());
        let (turns, gaps) = turns(&matmul(&adjoint(&u)?, g)?, &s)?;
        let mut inner = columns(&over(&beside_diagonal(&turns)?, &gaps)?, &s)?;
        if u.dtype().is_complex() {
            // Left and right vectors turn together without a change; here the right ones keep their phase.
            let diagonal = times(&turns, &identity(&turns)?)?;
            inner = plus(&inner, &over(&diagonal, &rows_of(&plus(&s, &s)?)?)?)?;
        }
        let mut out = matmul(&u, &inner)?;
        if back.shape(0)[g.ndim() - 2] > s.shape()[s.ndim() - 1] {
            let scaled = over(g, &rows_of(&s)?)?;
            let within = matmul(&u, &matmul(&adjoint(&u)?, &scaled)?)?;
            out = plus(&out, &minus(&scaled, &within)?)?;
        }
        one(matmul(&out, &vh)?)
    })?;
    let right = record("svd", &operands, Keep::Operands, vh.clone(), |back| {
        let (Svd { u, s, vh }, g) = (factors(back)?, back.cotangent());
        let v = adjoint(&vh)?;
        let (turns, gaps) = turns(&matmul(&vh, &adjoint(g)?)?, &s)?;
        let down = s.expand_dims(&[-1])?;
        let inner = times(&over(&beside_diagonal(&turns)?, &gaps)?, &down)?;
        let mut out = matmul(&inner, &vh)?;
        if back.shape(0)[g.ndim() - 1] > s.shape()[s.ndim() - 1] {
            let scaled = over(g, &down)?;
            let within = matmul(&matmul(&scaled, &v)?, &vh)?;
            out = plus(&out, &minus(&scaled, &within)?)?;
        }
        one(matmul(&u, &out)?)
    })?;
    Ok(Svd {
        u: left,
        s,
        vh: right,
    })
}

/// The singular values of tracked matrices, whose factors were found.
pub(crate) fn singular_values(a: &Tensor, found: &Svd) -> Result<Tensor> {
    let operands = [a, &found.u, &found.s, &found.vh];
    record("svd", &operands, Keep::Operands, found.s.clone(), |back| {
        let Svd { u, vh, .. } = factors(back)?;
        one(matmul(&columns(&u, back.cotangent())?, &vh)?)
    })
}

fn factors(back: &Back<'_>) -> Result<Svd> {
    match back.tracked {
        true => linalg::svd(&back.operand(0)?, Columns::Reduced),
        false => Ok(Svd {
            u: back.operand(1)?,
            s: back.operand(2)?,
            vh: back.operand(3)?,
        }),
    }
}

/// `x - x^H`, and by what its elements are divided.
fn turns(x: &Tensor, s: &Tensor) -> Result<(Tensor, Tensor)> {
    let squares = apply(Prim::Square, &[s.into()])?;
    Ok((minus(x, &adjoint(x)?)?, gaps(&squares)?))
}

/// QR of tracked matrices; the left square part of a wide matrix decides about Q. Complete factors of tall ones have columns
/// that may be any, and no gradient.
pub(crate) fn qr(a: &Tensor, mode: Columns) -> Result<Qr> {
    let (m, n) = sides(a);
    if mode == Columns::Complete && m > n {
        return Err(instead("qr", &[a], way_out::REDUCED));
    }
    if m >= n {
        return tall(a);
    }
    let axis = a.ndim() - 1;
    let Qr { q, r } = tall(&narrow(a, axis, 0, m)?)?;
    let rest = matmul(&adjoint(&q)?, &narrow(a, axis, m, n - m)?)?;
    let r = concat(&[&r, &rest], Some(-1))?;
    Ok(Qr { q, r })
}

/// Reduced factors of tracked matrices of at least as many rows as columns, which have to be independent for their gradient.
fn tall(a: &Tensor) -> Result<Qr> {
    let found = linalg::qr(&a.stop_gradient(), Columns::Reduced)?;
    let (q, r) = (found.q.contiguous()?, found.r.contiguous()?);
    let operands = [a, &q, &r];
    let left = record("qr", &operands, Keep::Operands, q.clone(), |back| {
        let (Qr { q, r }, g) = (triangular(back)?, back.cotangent());
        let within = matmul(&q, &mirrored(&matmul(&adjoint(&q)?, g)?)?)?;
        one(divided(&minus(g, &within)?, &r)?)
    })?;
    let right = record("qr", &operands, Keep::Operands, r.clone(), |back| {
        let Qr { q, r } = triangular(back)?;
        let inner = mirrored(&matmul(back.cotangent(), &adjoint(&r)?)?)?;
        one(divided(&matmul(&q, &inner)?, &r)?)
    })?;
    Ok(Qr { q: left, r: right })
}

fn triangular(back: &Back<'_>) -> Result<Qr> {
    match back.tracked {
        true => linalg::qr(&back.operand(0)?, Columns::Reduced),
        false => Ok(Qr {
            q: back.operand(1)?,
            r: back.operand(2)?,
        }),
    }
}

/// The Hermitian matrices with the upper triangle of `x`, and the real part of its diagonal.
fn mirrored(x: &Tensor) -> Result<Tensor> {
    let half = half_diagonal(&tril(&adjoint(x)?, 0)?)?;
    plus(&half, &adjoint(&half)?)
}

/// `x r^-H`.
fn divided(x: &Tensor, r: &Tensor) -> Result<Tensor> {
    adjoint(&linalg::solve(r, &adjoint(x)?)?)
}

/// The pseudoinverses `value` of tracked matrices, at constant rank: what counts as zero is taken as zero.
pub(crate) fn pinv(a: &Tensor, value: Tensor) -> Result<Tensor> {
    record("pinv", &[a], Keep::All, value, |back| {
        let (a, p) = (back.operand(0)?, back.value()?);
        let (g, ph) = (adjoint(back.cotangent())?, adjoint(&p)?);
        let (m, n) = sides(&a);
        // The smaller of the products first.
        let all = if m <= n {
            let k = matmul(&g, &p)?;
            let kp = matmul(&k, &ph)?;
            let first = minus(&kp, &adjoint(&matmul(&p, &k)?)?)?;
            let second = minus(&first, &matmul(&matmul(&a, &p)?, &kp)?)?;
            let outside = minus(&g, &matmul(&k, &a)?)?;
            plus(&second, &matmul(&matmul(&ph, &p)?, &outside)?)?
        } else {
            let k = matmul(&p, &g)?;
            let pk = matmul(&ph, &k)?;
            let first = minus(&pk, &adjoint(&matmul(&k, &p)?)?)?;
            let second = minus(&first, &matmul(&pk, &matmul(&p, &a)?)?)?;
            let outside = minus(&g, &matmul(&a, &k)?)?;
            plus(&second, &matmul(&outside, &matmul(&p, &ph)?)?)?
        };
        one(all)
    })
}

fn sides(x: &Tensor) -> (usize, usize) {
    (x.shape()[x.ndim() - 2], x.shape()[x.ndim() - 1])
}

fn plus(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    apply(Prim::Add, &[a.into(), b.into()])
}

fn minus(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    apply(Prim::Sub, &[a.into(), b.into()])
}

fn over(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    apply(Prim::Div, &[a.into(), b.into()])
}

/// Numbers for the columns of matrices: `[.., k] -> [.., 1, k]`.
fn rows_of(x: &Tensor) -> Result<Tensor> {
    x.expand_dims(&[-2])
}

/// The columns of matrices, each times its number.
fn columns(x: &Tensor, by: &Tensor) -> Result<Tensor> {
    times(x, &rows_of(by)?)
}

/// `x_j - x_i` in row i and column j, and 1 on the diagonal: `[.., k] -> [.., k, k]`.
fn gaps(x: &Tensor) -> Result<Tensor> {
    let gaps = minus(&rows_of(x)?, &x.expand_dims(&[-1])?)?;
    plus(&gaps, &identity(&gaps)?)
}

fn identity(like: &Tensor) -> Result<Tensor> {
    let (rows, cols) = sides(like);
    eye(rows, cols, 0, like.dtype().real(), like.device())
}

/// Square matrices with zeros on their diagonals.
fn beside_diagonal(x: &Tensor) -> Result<Tensor> {
    minus(x, &times(x, &identity(x)?)?)
}
