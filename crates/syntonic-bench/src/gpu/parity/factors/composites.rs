//! What is made of decompositions, beside the same on the CPU in double precision: results that are unique, of matrices whose
//! condition is small.

use super::matrices::{Form, bound, distance, norm, numbers, tame, times, wide, within};
use crate::gpu::Gpu;
use anyhow::{Result, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::join::concat;
use syntonic_core::ops::linalg::{self, MatrixNorm, Tolerance};
use syntonic_core::run::Axes;
use syntonic_core::{DType, Tensor};

/// How many times the bound of a decomposition a composite may be off: the condition is below 10, and there are a few steps.
const STEPS: f64 = 100.0;

/// The parts of singular values that count as zero: rounding is far below, and the smallest that are not zero far above.
const TOLERANCE: Tolerance<'static> = Tolerance::Part(1e-4);

/// Close to the CPU's result.
fn close(gpu: &Gpu, dtype: DType, form: Form, got: &Tensor, want: &Tensor) -> Result<()> {
    let most = STEPS * bound(dtype, form.side()) * norm(want)?;
    within(distance(&wide(gpu, got)?, want)?, most, "beside the CPU's")
}

/// Matrices with a few more rows than columns, whose columns are nearly those of the identity.
fn tall(dtype: DType, form: Form) -> Result<Tensor> {
    let n = form.side();
    let more = numbers(dtype, &form.shape(4, n), 21)?;
    let part = apply(Prim::Mul, &[(&more).into(), (0.5 / n as f64).into()])?.eval()?;
    let x = tame(dtype, form)?;
    Ok(concat(&[&x, &part], Some(-2))?.eval()?)
}

pub(super) fn lstsq(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let a = tall(dtype, form)?;
    let n = form.side();
    let b = numbers(dtype, &form.shape(n + 4, 3), 22)?;
    let got = linalg::lstsq(&form.put(gpu, &a)?, &form.put(gpu, &b)?, TOLERANCE)?;
    let want = linalg::lstsq(&wide(gpu, &a)?, &wide(gpu, &b)?, TOLERANCE)?;
    close(gpu, dtype, form, &got.x, &want.x)?;
    close(
        gpu,
        dtype,
        form,
        &got.singular_values,
        &want.singular_values,
    )?;
    // Squares of what is left: they err as the right sides do.
    let sizes = norm(&wide(gpu, &b)?)?;
    let most = STEPS * bound(dtype, n) * sizes * sizes;
    let off = distance(&wide(gpu, &got.residuals)?, &want.residuals)?;
    within(off, most, "residuals")?;
    ensure!(gpu.fetch(&got.rank)?.to_vec::<i64>()? == want.rank.to_vec::<i64>()?);
    Ok(())
}

pub(super) fn pinv(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let a = tall(dtype, form)?;
    for x in [a.clone(), super::matrices::adjoint(&a)?.copy()?] {
        let got = linalg::pinv(&form.put(gpu, &x)?, TOLERANCE)?;
        let want = linalg::pinv(&wide(gpu, &x)?, TOLERANCE)?;
        close(gpu, dtype, form, &got, &want)?;
    }
    Ok(())
}

pub(super) fn matrix_rank(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let n = form.side();
    for rank in [1, n.div_ceil(3), n] {
        let left = numbers(dtype, &form.shape(n + 2, rank), 31)?;
        let right = numbers(dtype, &form.shape(rank, n), 32)?;
        let product = times(&left, &right)?;
        // Numbers of either sign and any size: a rank that is not full is found where rounding is the only other thing.
        let tolerance = match rank == n {
            true => Tolerance::Rounding,
            false => TOLERANCE,
        };
        let got = linalg::matrix_rank(&form.put(gpu, &product)?, tolerance)?;
        let want = linalg::matrix_rank(&product, tolerance)?;
        let got = gpu.fetch(&got)?.to_vec::<i64>()?;
        ensure!(
            got == want.to_vec::<i64>()?,
            "{got:?} of {n} x {n} matrices of rank {rank}"
        );
    }
    Ok(())
}

const NORMS: [MatrixNorm; 8] = [
    MatrixNorm::Frobenius,
    MatrixNorm::Nuclear,
    MatrixNorm::One,
    MatrixNorm::MinusOne,
    MatrixNorm::Two,
    MatrixNorm::MinusTwo,
    MatrixNorm::Infinity,
    MatrixNorm::MinusInfinity,
];

pub(super) fn matrix_norm(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let a = tall(dtype, form)?;
    for norm in NORMS {
        let got = linalg::matrix_norm(&form.put(gpu, &a)?, norm, Axes::Drop)?;
        let want = linalg::matrix_norm(&wide(gpu, &a)?, norm, Axes::Drop)?;
        close(gpu, dtype, form, &got, &want).map_err(|e| e.context(format!("{norm:?}")))?;
    }
    Ok(())
}

pub(super) fn cond(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let a = tame(dtype, form)?;
    for norm in NORMS {
        let got = linalg::cond(&form.put(gpu, &a)?, norm)?;
        let want = linalg::cond(&wide(gpu, &a)?, norm)?;
        close(gpu, dtype, form, &got, &want).map_err(|e| e.context(format!("{norm:?}")))?;
    }
    Ok(())
}

pub(super) fn matrix_power(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let a = tame(dtype, form)?;
    for power in [-3, -1, 0, 1, 5] {
        let got = linalg::matrix_power(&form.put(gpu, &a)?, power)?;
        let want = linalg::matrix_power(&wide(gpu, &a)?, power)?;
        close(gpu, dtype, form, &got, &want).map_err(|e| e.context(format!("power {power}")))?;
    }
    Ok(())
}

/// Approximants of every degree, and halvings, which grow what rounding does.
pub(super) fn expm(gpu: &Gpu, dtype: DType, form: Form) -> Result<()> {
    let n = form.side();
    let x = numbers(dtype, &form.shape(n, n), 8)?;
    for scale in [0.0, 1e-3, 0.1, 0.5, 1.5, 3.0, 12.0] {
        let a = apply(Prim::Mul, &[(&x).into(), (scale / n as f64).into()])?.eval()?;
        let got = linalg::expm(&form.put(gpu, &a)?)?;
        let want = linalg::expm(&wide(gpu, &a)?)?;
        close(gpu, dtype, form, &got, &want).map_err(|e| e.context(format!("scale {scale}")))?;
    }
    Ok(())
}
