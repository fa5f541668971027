//! Nothing, nothing but zeros, ranks that are not full, numbers at the edge of the range, and matrices that have no result.

use super::matrices::{
    Form, adjoint, bound, definite, distance, hermitian, norm, numbers, orthonormal, scaled, times,
    wide, within,
};
use super::parts::reconstructed;
use crate::gpu::Gpu;
use anyhow::{Context, Result, bail, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::create::eye;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::join::concat;
use syntonic_core::ops::linalg::{
    Columns, Tolerance, Triangle, cholesky, det, eig, eigh, eigvals, eigvalsh, expm, inv, lstsq,
    matrix_power, matrix_rank, pinv, qr, slogdet, solve, svd, svdvals,
};
use syntonic_core::ops::reduce::{Over, sum};
use syntonic_core::{DType, Error, Tensor};

/// Every operation, as what is left of it: that it came to a result, of which shape.
type Outcome = syntonic_core::Result<Vec<Tensor>>;

fn every(x: &Tensor) -> Vec<(&'static str, Outcome)> {
    let square = x.shape()[x.ndim() - 1] == x.shape()[x.ndim() - 2];
    let low = Triangle::Lower;
    let mut all: Vec<(&str, Outcome)> = vec![
        ("qr", qr(x, Columns::Complete).map(|f| vec![f.q, f.r])),
        (
            "svd",
            svd(x, Columns::Reduced).map(|f| vec![f.u, f.s, f.vh]),
        ),
        ("svdvals", svdvals(x).map(|s| vec![s])),
        ("pinv", pinv(x, Tolerance::Rounding).map(|p| vec![p])),
        (
            "matrix_rank",
            matrix_rank(x, Tolerance::Rounding).map(|r| vec![r]),
        ),
        (
            "lstsq",
            lstsq(x, x, Tolerance::Rounding).map(|f| vec![f.x, f.residuals, f.rank]),
        ),
    ];
    if square {
        all.extend([
            ("solve", solve(x, x).map(|s| vec![s])),
            ("inv", inv(x).map(|i| vec![i])),
            ("det", det(x).map(|d| vec![d])),
            ("slogdet", slogdet(x).map(|d| vec![d.sign, d.logabsdet])),
            ("cholesky", cholesky(x, low).map(|l| vec![l])),
            (
                "eigh",
                eigh(x, low).map(|e| vec![e.eigenvalues, e.eigenvectors]),
            ),
            ("eigvalsh", eigvalsh(x, low).map(|w| vec![w])),
            ("eig", eig(x).map(|e| vec![e.eigenvalues, e.eigenvectors])),
            ("eigvals", eigvals(x).map(|w| vec![w])),
            ("expm", expm(x).map(|e| vec![e])),
            ("matrix_power", matrix_power(x, -2).map(|p| vec![p])),
        ]);
    }
    all
}

/// Matrices without elements, and stacks without matrices: as on the CPU.
pub(super) fn empty(gpu: &Gpu, dtype: DType, _: Form) -> Result<()> {
    for shape in [
        &[0, 0][..],
        &[0, 3, 3],
        &[2, 0, 0],
        &[3, 0],
        &[0, 3],
        &[2, 0, 4],
    ] {
        let x = Tensor::zeros(shape, dtype)?;
        let there = every(&gpu.take(&x)?);
        for ((name, got), (_, want)) in there.into_iter().zip(every(&x)) {
            let what = || format!("{name} of {shape:?}");
            let (got, want) = match (got, want) {
                (Ok(got), Ok(want)) => (got, want),
                (Err(got), Err(want)) => {
                    alike(gpu, &got, &want).with_context(what)?;
                    continue;
                }
                (got, want) => bail!("{}: {got:?} instead of {want:?}", what()),
            };
            for (got, want) in got.iter().zip(&want) {
                ensure!(got.dtype() == want.dtype(), what());
                let off = distance(&wide(gpu, got)?, &wide(gpu, want)?);
                ensure!(off.with_context(what)? == 0.0, what());
            }
        }
    }
    Ok(())
}

/// Complains where an error is not the CPU's, but for the device.
fn alike(gpu: &Gpu, got: &Error, want: &Error) -> Result<()> {
    let want = want
        .to_string()
        .replace("cpu", &gpu.device.id().to_string());
    let same = got.to_string() == want;
    ensure!(same, "the error {got:?} instead of {want:?}");
    Ok(())
}

/// A stack of good matrices with another one in it.
fn among(dtype: DType, bad: &Tensor) -> Result<Tensor> {
    let n = bad.shape()[0];
    let one = eye(n, n, 0, dtype, bad.device())?;
    let one = one.expand_dims(&[0])?.broadcast_to(&[4, n, n])?;
    let bad = bad.cast(dtype)?.expand_dims(&[0])?;
    let all = [&one, &bad, &one];
    Ok(concat(&all, Some(0))?.eval()?)
}

fn matrix(rows: &[&[f64]]) -> Result<Tensor> {
    Ok(Tensor::from_slice(
        &rows.concat(),
        &[rows.len(), rows[0].len()],
    )?)
}

/// Matrices that have no result are named as the CPU names them, alone and in a stack.
pub(super) fn unfit(gpu: &Gpu, dtype: DType, _: Form) -> Result<()> {
    let singular = matrix(&[&[1.0, 2.0], &[2.0, 4.0]])?;
    let hollow = matrix(&[&[1.0, 2.0, 0.0], &[3.0, 1.0, 0.0], &[5.0, 7.0, 0.0]])?;
    let indefinite = matrix(&[&[1.0, 2.0], &[2.0, 1.0]])?;
    let bad = matrix(&[&[1.0, f64::NAN], &[0.0, 1.0]])?;
    let endless = matrix(&[&[1.0, 0.0], &[f64::INFINITY, 1.0]])?;
    let mut refused = 0;
    for one in [&singular, &hollow, &indefinite, &bad, &endless] {
        for x in [one.cast(dtype)?.eval()?, among(dtype, one)?] {
            let there = every(&gpu.take(&x)?);
            for ((name, got), (_, want)) in there.into_iter().zip(every(&x)) {
                let what = || format!("{name} of {:?}", x.shape());
                match (got, want) {
                    (Err(got), Err(want)) => {
                        refused += 1;
                        alike(gpu, &got, &want).with_context(what)?;
                    }
                    (Ok(got), Ok(want)) => {
                        same_numbers_missing(gpu, &got, &want).with_context(what)?
                    }
                    (got, want) => bail!("{}: {got:?} instead of {want:?}", what()),
                }
            }
        }
    }
    ensure!(refused >= 20, "only {refused} were refused");
    Ok(())
}

/// Complains where a result is NaN and the other is not.
fn same_numbers_missing(gpu: &Gpu, got: &[Tensor], want: &[Tensor]) -> Result<()> {
    for (got, want) in got.iter().zip(want) {
        let missing = |x: &Tensor| -> Result<Vec<bool>> {
            let all = wide(gpu, x)?.to_vec::<Complex<f64>>()?;
            Ok(all.iter().map(|z| z.is_nan()).collect())
        };
        ensure!(missing(got)? == missing(want)?, "NaN in other places");
    }
    Ok(())
}

/// Determinants of singular matrices are exactly 0, wherever the elimination meets it.
pub(super) fn singular(gpu: &Gpu, dtype: DType) -> Result<()> {
    let mut all = vec![
        matrix(&[&[1.0, 2.0], &[2.0, 4.0]])?,
        matrix(&[&[0.0, 2.0, 1.0], &[0.0, 1.0, 3.0], &[0.0, 7.0, 5.0]])?,
        matrix(&[&[4.0, 2.0, 1.0], &[2.0, 1.0, 3.0], &[8.0, 4.0, 5.0]])?,
    ];
    // A column of zeros in the midst of many others.
    for n in [40usize, 200] {
        let x = numbers(DType::F64, &[n, n], 3)?.to_vec::<f64>()?;
        let holed = x.iter().enumerate();
        let holed = holed.map(|(at, x)| if at % n == n / 2 { 0.0 } else { x / 4.0 });
        all.push(Tensor::from_vec(holed.collect::<Vec<_>>(), &[n, n])?);
    }
    for x in all {
        let there = gpu.take(&x.cast(dtype)?.eval()?)?;
        let found = wide(gpu, &det(&there)?)?.to_vec::<Complex<f64>>()?;
        ensure!(
            found == [Complex::new(0.0, 0.0)],
            "det {found:?} of {:?}",
            x.shape()
        );
        let found = slogdet(&there)?;
        let (sign, log) = (wide(gpu, &found.sign)?, wide(gpu, &found.logabsdet)?);
        ensure!(norm(&sign)? == 0.0, "the sign {sign:?}");
        ensure!(
            log.to_vec::<f64>()? == [f64::NEG_INFINITY],
            "the logarithm {log:?}"
        );
    }
    Ok(())
}

pub(super) fn zeros(gpu: &Gpu, dtype: DType) -> Result<()> {
    for shape in [&[1, 1][..], &[5, 5], &[40, 9], &[9, 40], &[6, 4, 4]] {
        let x = Tensor::zeros(shape, dtype)?;
        let there = gpu.take(&x)?;
        let found = svd(&there, Columns::Complete)?;
        reconstructed(gpu, &x, &found, "zeros")?;
        ensure!(norm(&wide(gpu, &found.s)?)? == 0.0);
        ensure!(norm(&wide(gpu, &svdvals(&there)?)?)? == 0.0);
        if shape[shape.len() - 1] == shape[shape.len() - 2] {
            let found = eigh(&there, Triangle::Lower)?;
            ensure!(norm(&wide(gpu, &found.eigenvalues)?)? == 0.0);
            let v = wide(gpu, &found.eigenvectors)?;
            orthonormal(&v, bound(dtype, 4) * norm(&v)?, "eigh of zeros")?;
            ensure!(norm(&wide(gpu, &eig(&there)?.eigenvalues)?)? == 0.0);
        }
    }
    Ok(())
}

/// Ranks that are not full: vectors without values are orthonormal too. Large ones take another algorithm.
pub(super) fn deficient(gpu: &Gpu, dtype: DType) -> Result<()> {
    for (m, n, rank) in [(30, 20, 7), (20, 30, 7), (64, 64, 1), (600, 530, 50)] {
        let left = numbers(dtype, &[m, rank], 31)?;
        let x = times(&left, &numbers(dtype, &[rank, n], 32)?)?;
        let what = format!("{m} x {n} of rank {rank}");
        let found = svd(&gpu.take(&x)?, Columns::Reduced)?;
        reconstructed(gpu, &x, &found, &what)?;
        if m == n {
            let square = times(&x, &adjoint(&x)?)?;
            let found = eigh(&gpu.take(&square)?, Triangle::Lower)?;
            let v = wide(gpu, &found.eigenvectors)?;
            orthonormal(&v, bound(dtype, n) * norm(&v)?, &what)?;
        }
    }
    Ok(())
}

/// Numbers whose squares are beyond the range, or vanish.
pub(super) fn range(gpu: &Gpu, dtype: DType) -> Result<()> {
    let edge = match dtype.real() {
        DType::F32 => 1e36,
        _ => 1e300,
    };
    let plain = hermitian(dtype, Form::Strided)?;
    let there = gpu.take(&plain)?;
    let size = norm(&wide(gpu, &plain)?)?;
    for scale in [edge, 1.0 / edge] {
        let far = apply(Prim::Mul, &[(&there).into(), scale.into()])?.eval()?;
        let close = |got: Tensor, want: Tensor, what: &str| -> Result<()> {
            let got = wide(gpu, &got)?.to_vec::<Complex<f64>>()?;
            let want = wide(gpu, &want)?.to_vec::<Complex<f64>>()?;
            let squares = got
                .iter()
                .zip(&want)
                .map(|(a, b)| (a / scale - b).norm_sqr());
            let off = squares.sum::<f64>().sqrt();
            let what = format!("{what} at {scale:e}");
            within(off, bound(dtype, 20) * size, &what)
        };
        let low = Triangle::Lower;
        close(svdvals(&far)?, svdvals(&there)?, "svdvals")?;
        close(eigvalsh(&far, low)?, eigvalsh(&there, low)?, "eigvalsh")?;
        let trace = |x: &Tensor| -> Result<Tensor> {
            let w = gpu.fetch(&eigvals(x)?)?;
            Ok(sum(&w, &Over::axes(&[-1]), None)?.eval()?)
        };
        close(trace(&far)?, trace(&there)?, "eigvals")?;
        let found = eigh(&far, low)?;
        let v = wide(gpu, &found.eigenvectors)?;
        orthonormal(&v, bound(dtype, 20) * norm(&v)?, "eigh")?;
    }
    Ok(())
}

/// Of a complex diagonal only the real part is read.
pub(super) fn diagonal(gpu: &Gpu, dtype: DType) -> Result<()> {
    for form in [Form::Plain, Form::Many] {
        let (a, n) = (definite(dtype, form)?, form.side());
        let turned = Complex::new(0.0, 0.75);
        let one = eye(n, n, 0, dtype, a.device())?;
        let part = apply(Prim::Mul, &[(&one).into(), turned.into()])?;
        let other = apply(Prim::Add, &[(&a).into(), (&part).into()])?.eval()?;
        let (there, want) = (gpu.take(&other)?, wide(gpu, &a)?);
        let most = bound(dtype, n) * norm(&want)?;
        let l = wide(gpu, &cholesky(&there, Triangle::Lower)?)?;
        let off = distance(&times(&l, &adjoint(&l)?)?, &want)?;
        within(off, most, &format!("cholesky, {form:?}"))?;
        let found = eigh(&there, Triangle::Lower)?;
        let (w, v) = (
            wide(gpu, &found.eigenvalues)?,
            wide(gpu, &found.eigenvectors)?,
        );
        let off = distance(&times(&want, &v)?, &scaled(&v, &w)?)?;
        within(off, most, &format!("eigh, {form:?}"))?;
    }
    Ok(())
}
