//! Products of matrices: every numeric dtype, stacks, transposes, conjugates, odd strides.

use super::Check;
use crate::gpu::{Exactness, bounds, compare, compare_each};
use anyhow::Result;
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise;
use syntonic_core::ops::gather::take;
use syntonic_core::ops::linalg::{matmul, matmul_scaled};
use syntonic_core::{DType, Tensor};

/// How the operands lie, and the shapes that go in.
#[derive(Clone, Copy, Debug)]
enum Form {
    Plain,
    Transposed,
    Conjugated,
    ConjugateTransposed,
    Strided,
    Negative,
    Stack,
    OneRight,
    Row,
    Column,
    Inner,
    NoInner,
    Large,
}

const FORMS: [Form; 13] = [
    Form::Plain,
    Form::Transposed,
    Form::Conjugated,
    Form::ConjugateTransposed,
    Form::Strided,
    Form::Negative,
    Form::Stack,
    Form::OneRight,
    Form::Row,
    Form::Column,
    Form::Inner,
    Form::NoInner,
    Form::Large,
];

pub(super) fn checks() -> Vec<Check> {
    let numeric = DType::ALL.into_iter().filter(|d| !d.is_bool());
    let mut all: Vec<Check> = numeric
        .clone()
        .flat_map(|dtype| FORMS.map(move |form| product(dtype, form)))
        .collect();
    let floats = numeric.clone().filter(|d| !d.is_integer());
    all.extend(floats.map(digits));
    all.extend(numeric.map(scaled));
    all
}

fn product(dtype: DType, form: Form) -> Check {
    Check::new(format!("products/matmul/{dtype}/{form:?}"), move |gpu| {
        let (a, b) = shapes(form);
        let (a, b) = (small(dtype, &a, 1)?, small(dtype, &b, 2)?);
        let (x, y) = (view(&a, form)?, view(&b, form)?);
        let (p, q) = (view(&gpu.take(&a)?, form)?, view(&gpu.take(&b)?, form)?);
        close(&matmul(&p, &q)?, &x, &y)
    })
}

/// `alpha a b + beta c`, where `c` is broadcast and `alpha` and `beta` are complex if they can be.
fn scaled(dtype: DType) -> Check {
    Check::new(format!("products/matmul_scaled/{dtype}"), move |gpu| {
        let (a, b) = (small(dtype, &[5, 33, 20], 3)?, small(dtype, &[20, 17], 4)?);
        let c = small(dtype, &[1, 17], 5)?;
        let want = matmul_scaled(2, &a, &b, 3, &c)?;
        let got = matmul_scaled(2, &gpu.take(&a)?, &gpu.take(&b)?, 3, &gpu.take(&c)?)?;
        if dtype.is_integer() {
            return compare(&got, &want, Exactness::Same);
        }
        // |2 a b| + |3 c|, with a rounding each for both factors and for the sum.
        let sums = bounds::products(
            &elementwise::apply(Prim::Mul, &[(&a).into(), 2.into()])?,
            &b,
            3,
        )?;
        let unit = 8.0 * bounds::rounding(dtype);
        let both: Vec<f64> = sums
            .iter()
            .map(|bound| bound + unit * 3.0 * 5.0 * 2f64.sqrt())
            .collect();
        compare_each(&got, &want, &both)
    })
}

/// The shapes of both operands as they lie in memory, before the view.
fn shapes(form: Form) -> (Vec<usize>, Vec<usize>) {
    match form {
        Form::Transposed | Form::ConjugateTransposed => (vec![45, 67], vec![33, 45]),
        Form::Strided => (vec![134, 90], vec![90, 66]),
        Form::Stack => (vec![3, 1, 20, 30], vec![4, 30, 10]),
        Form::OneRight => (vec![6, 20, 30], vec![30, 10]),
        Form::Row => (vec![1, 300], vec![300, 70]),
        Form::Column => (vec![70, 300], vec![300, 1]),
        Form::Inner => (vec![1, 4097], vec![4097, 1]),
        Form::NoInner => (vec![5, 0], vec![0, 7]),
        Form::Large => (vec![257, 513], vec![513, 129]),
        _ => (vec![67, 45], vec![45, 33]),
    }
}

fn view(x: &Tensor, form: Form) -> Result<Tensor> {
    Ok(match form {
        Form::Transposed => x.transpose(-1, -2)?,
        Form::Conjugated => conj(x)?,
        Form::ConjugateTransposed => conj(&x.transpose(-1, -2)?)?,
        Form::Strided => x.slice(0, None, None, 2)?.slice(1, None, None, 2)?,
        Form::Negative => x.flip(&[0, 1])?,
        _ => x.clone(),
    })
}

/// The complex conjugate, pending where the tensor is large enough.
pub(super) fn conj(x: &Tensor) -> Result<Tensor> {
    if !x.dtype().is_complex() {
        return Ok(x.clone());
    }
    Ok(elementwise::apply(Prim::Conj, &[x.into()])?)
}

/// Small numbers: sums of their products have bounded roundings, and integers of every width hold them.
pub(super) fn small(dtype: DType, shape: &[usize], seed: u64) -> Result<Tensor> {
    let n: usize = shape.iter().product();
    let part = |i: usize, by: u64| {
        let mixed = (i as u64 + 1)
            .wrapping_mul(seed * 2 + by)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed >> 40) % 11) as f64 - 5.0
    };
    let values: Vec<Complex<f64>> = (0..n)
        .map(|i| Complex::new(part(i, 1), part(i, 7)))
        .collect();
    let x = Tensor::from_vec(values, shape)?;
    let x = if dtype.is_complex() { x } else { x.real()? };
    Ok(x.cast(dtype)?.eval()?)
}

/// Compares with the CPU's product.
pub(in crate::gpu) fn close(got: &Tensor, x: &Tensor, y: &Tensor) -> Result<()> {
    let want = matmul(x, y)?;
    if x.dtype().is_integer() {
        return compare(got, &want, Exactness::Same);
    }
    compare_each(got, &want, &bounds::products(x, y, 0)?)
}

/// Columns in another order, by a product with a matrix of zeros and ones: every digit of every element is kept.
fn digits(dtype: DType) -> Check {
    Check::new(format!("products/digits/{dtype}"), move |gpu| {
        let (rows, n) = (300, 200);
        let part = |i: usize, by: f64| 1.0 + (i as f64 * by).fract();
        let values: Vec<Complex<f64>> = (0..rows * n)
            .map(|i| {
                Complex::new(
                    part(i, 0.618_033_988_749_895),
                    part(i, 0.414_213_562_373_095),
                )
            })
            .collect();
        let x = Tensor::from_vec(values, &[rows, n])?;
        let x = if dtype.is_complex() { x } else { x.real()? }
            .cast(dtype)?
            .eval()?;
        let ones: Vec<i64> = (0..n * n)
            .map(|i| i64::from(i / n == (i % n * 7 + 3) % n))
            .collect();
        let turn = Tensor::from_vec(ones, &[n, n])?.cast(dtype)?.eval()?;
        let order: Vec<i64> = (0..n as i64).map(|j| (j * 7 + 3) % n as i64).collect();
        let want = take(&x, &Tensor::from_vec(order, &[n])?, Some(1))?;
        compare(
            &matmul(&gpu.take(&x)?, &gpu.take(&turn)?)?,
            &want,
            Exactness::Same,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Gpu;
    use syntonic_core::cpu;

    #[test]
    fn every_form_multiplies_on_the_cpu() {
        let here = Gpu { device: cpu() };
        for form in FORMS {
            (product(DType::C64, form).look)(&here).unwrap_or_else(|e| panic!("{form:?}: {e}"));
        }
        for dtype in [DType::I8, DType::BF16, DType::C128] {
            (scaled(dtype).look)(&here).unwrap_or_else(|e| panic!("{dtype}: {e}"));
        }
    }
}
