//! The decompositions themselves, and what is solved with them.

use super::matrices::{
    Form, adjoint, bound, definite, distance, hermitian, norm, numbers, ordered, orthonormal,
    scaled, tame, times, triangular, wide, within,
};
use crate::gpu::Gpu;
use anyhow::{Result, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::create::{arange, eye};
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::linalg::{self, Columns, Eigen, Qr, Svd, Triangle};
use syntonic_core::{DType, Tensor};

/// `a x = b`, for several right sides and for one vector.
pub(super) fn solve(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let (a, n) = (tame(dtype, form)?, form.side());
    let b = numbers(dtype, &form.shape(n, 3), 5)?;
    let there = form.put(gpu, &a)?;
    let x = wide(gpu, &linalg::solve(&there, &form.put(gpu, &b)?)?)?;
    let (wide_a, wide_b) = (wide(gpu, &a)?, wide(gpu, &b)?);
    let off = distance(&times(&wide_a, &x)?, &wide_b)?;
    let most = bound(dtype, n) * (norm(&wide_a)? * norm(&x)? + norm(&wide_b)?);
    within(off, most, "several right sides")?;
    let vector = numbers(dtype, &[n], 6)?;
    let x = linalg::solve(&there, &gpu.take(&vector)?)?;
    let x = wide(gpu, &x)?.expand_dims(&[-1])?;
    let wanted = wide(gpu, &vector)?.expand_dims(&[-1])?;
    let wanted = wanted.broadcast_to(x.shape())?;
    let most = bound(dtype, n) * (norm(&wide_a)? * norm(&x)? + norm(&wanted)?);
    within(distance(&times(&wide_a, &x)?, &wanted)?, most, "a vector")
}

pub(super) fn inv(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let (a, n) = (tame(dtype, form)?, form.side());
    let x = wide(gpu, &linalg::inv(&form.put(gpu, &a)?)?)?;
    let product = times(&wide(gpu, &a)?, &x)?;
    let one = eye(n, n, 0, product.dtype(), product.device())?;
    let one = one.broadcast_to(product.shape())?;
    // The condition of the matrices is below 10.
    let most = 10.0 * bound(dtype, n) * norm(&one)?;
    within(distance(&product, &one)?, most, "a inv(a)")
}

/// How far a determinant may be off, as a part of it: each factor of the product errs as the matrix times its condition.
fn of_determinant(dtype: DType, n: usize) -> f64 {
    10.0 * n as f64 * bound(dtype, n)
}

/// Close to the CPU's determinant in double precision.
pub(super) fn det(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let (a, n) = (tame(dtype, form)?, form.side());
    let got = linalg::det(&form.put(gpu, &a)?)?;
    ensure!(got.dtype() == dtype && got.shape() == form.lead());
    let want = linalg::det(&wide(gpu, &a)?)?;
    let most = of_determinant(dtype, n) * norm(&want)?;
    within(distance(&wide(gpu, &got)?, &want)?, most, "det")?;
    // A number far off the diagonal takes every pivot to another row.
    let turned = apply(
        Prim::Mul,
        &[
            (&a.flip(&[-2])?).into(),
            (if n > 1 { 2.0 / n as f64 } else { 1.0 }).into(),
        ],
    )?;
    let turned = apply(Prim::Mul, &[(&turned).into(), (n as f64 / 2.0).into()])?.eval()?;
    let got = linalg::det(&form.put(gpu, &turned)?)?;
    let want = linalg::det(&wide(gpu, &turned)?)?;
    let most = of_determinant(dtype, n) * norm(&want)?;
    within(distance(&wide(gpu, &got)?, &want)?, most, "det, turned")
}

pub(super) fn slogdet(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let (a, n) = (tame(dtype, form)?, form.side());
    let far = apply(Prim::Mul, &[(&a).into(), (-1e3).into()])?.eval()?;
    let got = linalg::slogdet(&form.put(gpu, &far)?)?;
    ensure!(got.logabsdet.dtype() == dtype.real() && got.sign.dtype() == dtype);
    let want = linalg::slogdet(&wide(gpu, &far)?)?;
    let most = of_determinant(dtype, n);
    let count = form.lead().iter().product::<usize>() as f64;
    let off = distance(&wide(gpu, &got.sign)?, &want.sign)?;
    within(off, most * count, "sign")?;
    let logs = wide(gpu, &got.logabsdet)?;
    let off = distance(&logs, &want.logabsdet)?;
    within(off, most * (count + norm(&want.logabsdet)?), "logabsdet")
}

/// The matrices with NaN in the triangle that is not named, off the diagonal.
fn half(x: &Tensor, triangle: Triangle) -> Result<Tensor> {
    let nan = Tensor::full(x.shape(), f64::NAN, x.dtype())?;
    let n = x.shape()[x.ndim() - 1] as i64;
    let row = arange(0.into(), n.into(), 1.into(), None, x.device())?;
    let column = row.expand_dims(&[1])?;
    let keep = match triangle {
        Triangle::Lower => Prim::Le,
        Triangle::Upper => Prim::Ge,
    };
    let mask = apply(keep, &[(&row).into(), (&column).into()])?;
    let chosen = apply(Prim::Select, &[(&mask).into(), x.into(), (&nan).into()])?;
    Ok(chosen.eval()?)
}

pub(super) fn cholesky(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let (a, n) = (definite(dtype, form)?, form.side());
    let want = wide(gpu, &a)?;
    for triangle in [Triangle::Lower, Triangle::Upper] {
        let there = form.put(gpu, &half(&a, triangle)?)?;
        let f = wide(gpu, &linalg::cholesky(&there, triangle)?)?;
        let product = match triangle {
            Triangle::Lower => {
                triangular(&f, |i, j| i >= j)?;
                times(&f, &adjoint(&f)?)?
            }
            Triangle::Upper => {
                triangular(&f, |i, j| i <= j)?;
                times(&adjoint(&f)?, &f)?
            }
        };
        let most = bound(dtype, n) * norm(&want)?;
        within(distance(&product, &want)?, most, &format!("{triangle:?}"))?;
    }
    Ok(())
}

/// Square matrices, and such as are longer one way or the other.
fn oblong(form: Form) -> Vec<(usize, usize)> {
    let n = form.side();
    match form {
        Form::Large => vec![(n, n), (n + 90, n)],
        _ => vec![(n, n), (2 * n + 3, n), (n, 2 * n + 3)],
    }
}

pub(super) fn qr(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    for (m, n) in oblong(form) {
        let a = numbers(dtype, &form.shape(m, n), 11)?;
        let (there, want) = (form.put(gpu, &a)?, wide(gpu, &a)?);
        for mode in [Columns::Reduced, Columns::Complete] {
            let what = format!("{m} x {n}, {mode:?}");
            let Qr { q, r } = linalg::qr(&there, mode)?;
            let p = match mode {
                Columns::Reduced => m.min(n),
                Columns::Complete => m,
            };
            ensure!(q.shape() == form.shape(m, p) && r.shape() == form.shape(p, n));
            let (q, r) = (wide(gpu, &q)?, wide(gpu, &r)?);
            triangular(&r, |i, j| i <= j)?;
            let most = bound(dtype, m.max(n));
            orthonormal(&q, most * norm(&q)?, &what)?;
            within(
                distance(&times(&q, &r)?, &want)?,
                most * norm(&want)?,
                &what,
            )?;
        }
    }
    Ok(())
}

pub(super) fn svd(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    for (m, n) in oblong(form) {
        let a = numbers(dtype, &form.shape(m, n), 13)?;
        let (there, k) = (form.put(gpu, &a)?, m.min(n));
        for mode in [Columns::Reduced, Columns::Complete] {
            let found = linalg::svd(&there, mode)?;
            let (p, q) = match mode {
                Columns::Reduced => (k, k),
                Columns::Complete => (m, n),
            };
            let Svd { u, s, vh } = &found;
            ensure!(u.shape() == form.shape(m, p) && vh.shape() == form.shape(q, n));
            ensure!(s.shape() == [form.lead(), &[k]].concat() && s.dtype() == dtype.real());
            reconstructed(gpu, &a, &found, &format!("{m} x {n}, {mode:?}"))?;
            let alone = wide(gpu, &linalg::svdvals(&there)?)?;
            let most = bound(dtype, m.max(n)) * norm(&wide(gpu, &a)?)?;
            within(distance(&alone, &wide(gpu, s)?)?, most, "svdvals")?;
        }
    }
    Ok(())
}

/// Complains where factors are not those of the matrices.
pub(super) fn reconstructed(gpu: &Gpu, a: &Tensor, found: &Svd, what: &str) -> Result<()> {
    let [u, s, vh] = [&found.u, &found.s, &found.vh].map(|t| wide(gpu, t));
    let (u, s, vh) = (u?, s?, vh?);
    let want = wide(gpu, a)?;
    let k = s.shape()[s.ndim() - 1] as isize;
    let [m, n] = [2, 1].map(|axis| want.shape()[want.ndim() - axis]);
    let most = bound(a.dtype(), m.max(n));
    ordered(&s, |a, b| a >= b && b >= 0.0)?;
    orthonormal(&u, most * norm(&u)?, what)?;
    let v = adjoint(&vh)?;
    orthonormal(&v, most * norm(&v)?, what)?;
    let left = scaled(&u.slice(-1, None, Some(k), 1)?, &s)?;
    let product = times(&left, &vh.slice(-2, None, Some(k), 1)?)?;
    within(distance(&product, &want)?, most * norm(&want)?, what)
}

pub(super) fn eigh(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let (a, n) = (hermitian(dtype, form)?, form.side());
    let (want, most) = (wide(gpu, &a)?, bound(dtype, n));
    for triangle in [Triangle::Lower, Triangle::Upper] {
        let what = format!("{triangle:?}");
        let there = form.put(gpu, &half(&a, triangle)?)?;
        let Eigen {
            eigenvalues,
            eigenvectors,
        } = linalg::eigh(&there, triangle)?;
        ensure!(eigenvalues.dtype() == dtype.real());
        let (w, v) = (wide(gpu, &eigenvalues)?, wide(gpu, &eigenvectors)?);
        ordered(&w, |a, b| a <= b)?;
        orthonormal(&v, most * norm(&v)?, &what)?;
        let off = distance(&times(&want, &v)?, &scaled(&v, &w)?)?;
        within(off, most * norm(&want)?, &what)?;
        let alone = wide(gpu, &linalg::eigvalsh(&there, triangle)?)?;
        within(distance(&alone, &w)?, most * norm(&want)?, "eigvalsh")?;
    }
    Ok(())
}

pub(super) fn eig(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let n = form.side();
    let a = numbers(dtype, &form.shape(n, n), 17)?;
    let there = form.put(gpu, &a)?;
    let found = linalg::eig(&there)?;
    ensure!(found.eigenvalues.dtype() == dtype.complex());
    ensure!(found.eigenvectors.dtype() == dtype.complex());
    let w = wide(gpu, &found.eigenvalues)?;
    let v = wide(gpu, &found.eigenvectors)?;
    let want = wide(gpu, &a)?.cast(DType::C128)?.eval()?;
    let most = bound(dtype, n);
    let across = v.transpose(-2, -1)?.to_vec::<Complex<f64>>()?;
    for vector in across.chunks(n) {
        let length: f64 = vector.iter().map(|z| z.norm_sqr()).sum();
        within((length - 1.0).abs(), most, "the length of a vector")?;
    }
    let off = distance(&times(&want, &v)?, &scaled(&v, &w)?)?;
    // The vectors are no orthonormal ones, and as many as n of length 1.
    let most = most * norm(&want)? * (n as f64).sqrt();
    within(off, most, "a v = v w")?;
    // Values alone are another run, and move by the condition of each; their sum is the trace.
    let alone = wide(gpu, &linalg::eigvals(&there)?)?.to_vec::<Complex<f64>>()?;
    let all = want.to_vec::<Complex<f64>>()?;
    for (w, a) in alone.chunks(n).zip(all.chunks(n * n)) {
        let trace: Complex<f64> = (0..n).map(|i| a[i * n + i]).sum();
        within(
            (trace - w.iter().sum::<Complex<f64>>()).norm(),
            most,
            "trace",
        )?;
    }
    Ok(())
}
