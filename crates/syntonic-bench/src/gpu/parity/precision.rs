//! Products in less than the type's own arithmetic: what is promised of their errors, that infinities and NaN stay where they
//! belong, and that a product has the same bits twice.

use super::Check;
use crate::gpu::Gpu;
use anyhow::{Result, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::linalg::{
    Level, Precision, accumulate, matmul, matmul_as, matmul_reported,
};
use syntonic_core::ops::{create, random};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Scalar, Tensor, cpu};

/// How the operands lie.
#[derive(Clone, Copy, Debug)]
enum Form {
    Plain,
    Transposed,
    Strided,
    Negative,
    Stack,
    OneRight,
    Conjugated,
}

const FORMS: [Form; 7] = [
    Form::Plain,
    Form::Transposed,
    Form::Strided,
    Form::Negative,
    Form::Stack,
    Form::OneRight,
    Form::Conjugated,
];

/// Lengths for which a product of this type takes the short way on the cards that have it: one beyond whole tiles.
fn lengths(dtype: DType) -> (usize, usize, usize) {
    match dtype {
        DType::C128 => (1537, 1540, 1539),
        _ => (1409, 1023, 1390),
    }
}

pub(super) fn checks() -> Vec<Check> {
    let high = [DType::F32, DType::C64, DType::C128];
    let mut all: Vec<Check> = high
        .iter()
        .flat_map(|&dtype| FORMS.map(move |form| promised(dtype, form, Precision::High)))
        .collect();
    all.extend(
        [DType::F32, DType::C64].map(|dtype| promised(dtype, Form::Plain, Precision::Medium)),
    );
    all.extend(high.map(placed));
    all.extend(high.map(added));
    all.extend([1e-2, 1e-4, 1e-6, 1e-12].map(tolerated));
    all
}

/// The largest error as a part of |A||B|, for `k` terms.
///
/// High in float32: parts of 2^-24 are left out, thrice; of a run of 128 terms eight sums are truncated to 2^-23; runs and pairs of
/// them are added with roundings of 2^-24. A complex number from three products has the errors of all three, of which the third
/// is of sums twice as large. TF32 keeps 11 bits of each factor, some cards by truncation.
fn bound(dtype: DType, precision: Precision, k: usize) -> f64 {
    let single = 2f64.powi(-24);
    let runs = k.div_ceil(128) as f64;
    let real = match (dtype, precision) {
        (DType::C128, _) => (k as f64 + 4.0) * 2f64.powi(-53),
        (_, Precision::Medium) => 2.0 * 2f64.powi(-10) + k as f64 * single,
        _ => (3.0 + 16.0 + 3.0 + runs) * single,
    };
    // |z| <= |re z| + |im z| <= sqrt(2) |z|.
    if dtype.is_complex() { 6.0 * real } else { real }
}

fn drawn(gpu: &Gpu, dtype: DType, shape: &[usize], seed: u64) -> Result<Tensor> {
    let mut generator = Generator::new(seed);
    let mut draw = || random::normal(shape, 0.0, 1.0, dtype.real(), &mut generator, &gpu.device);
    let x = draw()?;
    if !dtype.is_complex() {
        return Ok(x.eval()?);
    }
    let i = Arg::Number(Scalar::Complex(Complex::new(0.0, 1.0)));
    let im = apply(Prim::Mul, &[Arg::Tensor(&draw()?.cast(dtype)?), i])?;
    let re = x.cast(dtype)?;
    Ok(apply(Prim::Add, &[Arg::Tensor(&re), Arg::Tensor(&im)])?.eval()?)
}

fn operands(gpu: &Gpu, dtype: DType, form: Form) -> Result<(Tensor, Tensor)> {
    let (m, k, n) = lengths(dtype);
    let (a, b) = match form {
        Form::Transposed => (vec![k, m], vec![n, k]),
        Form::Strided => (vec![2 * m, k], vec![k, 2 * n]),
        Form::Stack => (vec![2, m, k], vec![2, k, n]),
        Form::OneRight => (vec![2, m, k], vec![k, n]),
        _ => (vec![m, k], vec![k, n]),
    };
    let (a, b) = (drawn(gpu, dtype, &a, 1)?, drawn(gpu, dtype, &b, 2)?);
    Ok(match form {
        Form::Transposed => (a.transpose(-1, -2)?, b.transpose(-1, -2)?),
        Form::Strided => (a.slice(0, None, None, 2)?, b.slice(1, None, None, 2)?),
        Form::Negative => (a.flip(&[0, 1])?, b.flip(&[0])?),
        Form::Conjugated => (super::products::conj(&a)?, super::products::conj(&b)?),
        _ => (a, b),
    })
}

/// The largest error of `got` as a part of |A||B|, both computed on the GPU in float64.
fn largest(got: &Tensor, a: &Tensor, b: &Tensor) -> Result<f64> {
    let wide = if got.dtype().is_complex() {
        DType::C128
    } else {
        DType::F64
    };
    let (x, y) = (a.cast(wide)?.eval()?, b.cast(wide)?.eval()?);
    let want = matmul(&x, &y)?;
    let size = |z: &Tensor| -> Result<Tensor> { Ok(apply(Prim::Abs, &[Arg::Tensor(z)])?.eval()?) };
    let sizes = matmul(&size(&x)?, &size(&y)?)?;
    let apart = apply(
        Prim::Sub,
        &[Arg::Tensor(&got.cast(wide)?), Arg::Tensor(&want)],
    )?;
    let part = apply(
        Prim::Div,
        &[Arg::Tensor(&size(&apart)?), Arg::Tensor(&sizes)],
    )?;
    let parts = part.eval()?.contiguous()?.to(&cpu())?.to_vec::<f64>()?;
    // NaN is larger than everything.
    Ok(parts
        .into_iter()
        .fold(0.0, |most, x| if x <= most { most } else { x }))
}

fn promised(dtype: DType, form: Form, precision: Precision) -> Check {
    let name = format!("precision/{precision:?}/{dtype}/{form:?}");
    Check::new(name, move |gpu| {
        let (a, b) = operands(gpu, dtype, form)?;
        let got = matmul_as(&a, &b, precision)?.eval()?;
        let (error, bound) = (
            largest(&got, &a, &b)?,
            bound(dtype, precision, lengths(dtype).1),
        );
        ensure!(error <= bound, "an error of {error:e}, more than {bound:e}");
        let again = matmul_as(&a, &b, precision)?.eval()?;
        ensure!(
            bytes(&got)? == bytes(&again)?,
            "two runs have different bits"
        );
        Ok(())
    })
}

fn bytes(x: &Tensor) -> Result<Vec<Complex<f64>>> {
    Ok(x.contiguous()?.to(&cpu())?.to_vec()?)
}

/// Infinities and NaN in one row of `a` and one column of `b`: they are in the result where the definition has them.
fn placed(dtype: DType) -> Check {
    Check::new(format!("precision/places/{dtype}"), move |gpu| {
        let (a, b) = operands(gpu, dtype, Form::Plain)?;
        let (m, k, n) = lengths(dtype);
        let odd = |shape: &[usize], at: &[(usize, f64)]| -> Result<Tensor> {
            let mut values = vec![0f64; shape.iter().product()];
            for &(place, value) in at {
                values[place] = value;
            }
            Ok(gpu.take(&Tensor::from_vec(values, shape)?)?.cast(dtype)?)
        };
        let add = |x: &Tensor, y: Tensor| -> Result<Tensor> {
            Ok(apply(Prim::Add, &[Arg::Tensor(x), Arg::Tensor(&y)])?.eval()?)
        };
        let a = add(
            &a,
            odd(&[m, k], &[(3 * k + 5, f64::INFINITY), (200 * k, f64::NAN)])?,
        )?;
        let b = add(&b, odd(&[k, n], &[(7 * n + 300, f64::NEG_INFINITY)])?)?;
        let got = matmul_as(&a, &b, Precision::High)?.eval()?;
        let want = matmul_as(&a, &b, Precision::Highest)?.eval()?;
        let (got, want) = (bytes(&got)?, bytes(&want)?);
        let class = |x: f64| (x.is_nan(), if x.is_infinite() { x.signum() } else { 0.0 });
        // cuBLAS multiplies by a complex alpha, which makes NaN of a complex infinity: there only what is finite is compared.
        let kind = |z: &Complex<f64>| match dtype.is_complex() {
            true => (class(0.0 * (z.re + z.im)), class(0.0)),
            false => (class(z.re), class(z.im)),
        };
        let differ = got
            .iter()
            .zip(&want)
            .filter(|(g, w)| kind(g) != kind(w))
            .count();
        let odd = want
            .iter()
            .filter(|z| !(z.re.is_finite() && z.im.is_finite()));
        let odd = odd.count();
        ensure!(odd >= m + 2 * n - 3, "only {odd} elements are not finite");
        ensure!(differ == 0, "{differ} elements are of another kind");
        Ok(())
    })
}

/// `alpha a b + beta c` into `c`, where `c` was NaN and `beta` is 0, and where it counts.
fn added(dtype: DType) -> Check {
    Check::new(format!("precision/added/{dtype}"), move |gpu| {
        let (a, b) = operands(gpu, dtype, Form::Plain)?;
        let (m, _, n) = lengths(dtype);
        let before = syntonic_core::ops::linalg::set_precision(Precision::High)?;
        let run = || -> Result<(Tensor, Tensor)> {
            let nan = create::full(&[m, n], f64::NAN, dtype, &gpu.device)?;
            let first = accumulate(1, &a, &b, 0, nan)?.eval()?;
            let second = accumulate(-1, &a, &b, 1, first.copy()?)?.eval()?;
            Ok((first, second))
        };
        let made = run();
        syntonic_core::ops::linalg::set_precision(before)?;
        let (first, second) = made?;
        let (error, bound) = (
            largest(&first, &a, &b)?,
            bound(dtype, Precision::High, lengths(dtype).1),
        );
        ensure!(error <= bound, "an error of {error:e}, more than {bound:e}");
        let left = bytes(&second)?;
        ensure!(
            left.iter().all(|z| z.re == 0.0 && z.im == 0.0),
            "a b - a b is not 0"
        );
        Ok(())
    })
}

/// A tolerance picks the cheapest level that keeps it, and says what the error is.
fn tolerated(tolerance: f64) -> Check {
    Check::new(format!("precision/tolerance/{tolerance:e}"), move |gpu| {
        let (a, b) = operands(gpu, DType::F32, Form::Plain)?;
        let (got, report) = matmul_reported(&a, &b, Precision::Tolerance(tolerance))?;
        let told = report.estimated_error.unwrap_or(f64::NAN);
        // Nothing that is rounded to float32 keeps 1e-12; then all is tried, and the report says what was reached.
        ensure!(
            told <= tolerance.max(2f64.powi(-24))
                && (told <= tolerance || report.chosen == Level::Double),
            "{report:?}"
        );
        let error = largest(&got.eval()?, &a, &b)?;
        // The norm of errors is below the largest of them; that of a result rounded to float32 has one rounding of |AB|.
        ensure!(
            error <= 50.0 * tolerance.max(2f64.powi(-24)),
            "{error:e} for {report:?}"
        );
        ensure!(
            tolerance < 1e-3 || report.chosen <= Level::Medium,
            "more than was asked for: {report:?}"
        );
        Ok(())
    })
}
