//! Products with a vector on one side, which kernels of ours make: float types, layouts and lengths around every edge of them.

use super::Check;
use super::products::{close, conj, small};
use crate::gpu::{Gpu, bounds, compare_each};
use anyhow::{Result, ensure};
use syntonic_core::ops::linalg::{accumulate, matmul, matmul_scaled};
use syntonic_core::{DType, Scalar, Tensor};

/// Results and what is added up for each: nothing and one, around a vector, a warp, a block, and a part of a long row.
const SIZES: [(usize, usize); 16] = [
    (0, 3),
    (1, 1),
    (3, 0),
    (1, 2),
    (5, 7),
    (4, 8),
    (8, 16),
    (9, 33),
    (33, 129),
    (260, 20),
    (130, 256),
    (6, 1025),
    (257, 130),
    (3, 4104),
    (1, 9001),
    (2, 8192),
];

const DTYPES: [DType; 6] = [
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::C128,
];

/// A form of the product: its name, and what it does with a size.
type Form = (&'static str, fn(&Gpu, DType, usize, usize) -> Result<()>);

const FORMS: [Form; 9] = [
    ("rows", |gpu, dtype, m, n| {
        let (a, x) = (small(dtype, &[m, n], 1)?, small(dtype, &[n], 2)?);
        close(&matmul(&gpu.take(&a)?, &gpu.take(&x)?)?, &a, &x)
    }),
    ("columns", |gpu, dtype, m, n| {
        let (a, x) = (small(dtype, &[n, m], 3)?, small(dtype, &[n], 4)?);
        let got = matmul(&gpu.take(&a)?.transpose(0, 1)?, &gpu.take(&x)?)?;
        close(&got, &a.transpose(0, 1)?, &x)
    }),
    ("left", |gpu, dtype, m, n| {
        let (x, b) = (small(dtype, &[1, n], 5)?, small(dtype, &[n, m], 6)?);
        close(&matmul(&gpu.take(&x)?, &gpu.take(&b)?)?, &x, &b)
    }),
    ("left_of_transposed", |gpu, dtype, m, n| {
        let (x, b) = (small(dtype, &[1, n], 7)?, small(dtype, &[m, n], 8)?);
        let got = matmul(&gpu.take(&x)?, &gpu.take(&b)?.transpose(0, 1)?)?;
        close(&got, &x, &b.transpose(0, 1)?)
    }),
    // Neither operand begins at a multiple of 16 bytes, rows are an odd distance apart, and x lies backwards.
    ("askew", |gpu, dtype, m, n| {
        let (a, x) = (
            small(dtype, &[m + 1, n + 3], 9)?,
            small(dtype, &[2 * n + 1], 10)?,
        );
        let part = |a: &Tensor| {
            a.slice(0, Some(1), None, 1)?
                .slice(1, Some(1), Some(n as isize + 1), 1)
        };
        let back = |x: &Tensor| x.slice(0, Some(1), None, 2)?.flip(&[0]);
        let got = matmul(&part(&gpu.take(&a)?)?, &back(&gpu.take(&x)?)?)?;
        close(&got, &part(&a)?, &back(&x)?)
    }),
    ("askew_columns", |gpu, dtype, m, n| {
        let (a, x) = (
            small(dtype, &[n + 1, m + 3], 11)?,
            small(dtype, &[2 * n + 1], 12)?,
        );
        let part = |a: &Tensor| {
            let rows = a
                .slice(0, Some(1), None, 1)?
                .slice(1, Some(1), Some(m as isize + 1), 1)?;
            rows.transpose(0, 1)
        };
        let back = |x: &Tensor| x.slice(0, Some(1), None, 2)?.flip(&[0]);
        let got = matmul(&part(&gpu.take(&a)?)?, &back(&gpu.take(&x)?)?)?;
        close(&got, &part(&a)?, &back(&x)?)
    }),
    ("stack", |gpu, dtype, m, n| {
        let (a, x) = (small(dtype, &[3, m, n], 13)?, small(dtype, &[3, n, 1], 14)?);
        close(&matmul(&gpu.take(&a)?, &gpu.take(&x)?)?, &a, &x)?;
        let (x, b) = (small(dtype, &[3, 1, n], 15)?, small(dtype, &[3, n, m], 16)?);
        close(&matmul(&gpu.take(&x)?, &gpu.take(&b)?)?, &x, &b)
    }),
    ("scaled", scaled),
    // A conjugate of so many elements is still pending when the product reads it.
    ("conjugated", |gpu, dtype, m, n| {
        if m * n <= 8192 {
            return Ok(());
        }
        let (a, x) = (small(dtype, &[n, m], 17)?, small(dtype, &[n, 1], 18)?);
        let adjoint = |a: &Tensor| conj(&a.transpose(0, 1)?);
        let got = matmul(&adjoint(&gpu.take(&a)?)?, &gpu.take(&x)?)?;
        close(&got, &adjoint(&a)?, &x)?;
        if n <= 8192 {
            return Ok(());
        }
        let (a, x) = (small(dtype, &[m, n], 19)?, small(dtype, &[n, 1], 20)?);
        let got = matmul(&gpu.take(&a)?, &conj(&gpu.take(&x)?)?)?;
        close(&got, &a, &conj(&x)?)
    }),
];

pub(super) fn checks() -> Vec<Check> {
    let forms = FORMS.into_iter().flat_map(|(name, form)| {
        DTYPES.map(move |dtype| {
            Check::new(format!("gemv/{name}/{dtype}"), move |gpu| {
                for (m, n) in SIZES {
                    form(gpu, dtype, m, n).map_err(|e| e.context(format!("{m} x {n}")))?;
                }
                Ok(())
            })
        })
    });
    let mut all: Vec<Check> = forms.collect();
    all.extend(DTYPES.map(copied));
    all.extend(DTYPES.map(unread));
    all.extend(DTYPES.map(not_finite));
    all
}

/// `alpha A x + beta y`, where y lies in memory of its own form and `alpha` is complex if it can be.
fn scaled(gpu: &Gpu, dtype: DType, m: usize, n: usize) -> Result<()> {
    let (a, x) = (small(dtype, &[m, n], 21)?, small(dtype, &[n, 1], 22)?);
    let y = small(dtype, &[m, 1], 23)?;
    let (alpha, beta) = (Scalar::Float(0.5), Scalar::Int(-3));
    let want = matmul_scaled(alpha, &a, &x, beta, &y)?;
    let got = accumulate(alpha, &gpu.take(&a)?, &gpu.take(&x)?, beta, gpu.take(&y)?)?;
    // |0.5 a x| + |3 y|, with a rounding each for both factors and for the sum; elements are at most 5 sqrt(2) large.
    let unit = 8.0 * bounds::rounding(dtype) * 3.0 * 5.0 * 2f64.sqrt();
    let limits = bounds::products(&a, &x, 3)?;
    compare_each(
        &got,
        &want,
        &limits.iter().map(|b| b + unit).collect::<Vec<f64>>(),
    )
}

/// A large matrix of whole vectors and an x that does not lie so: it is copied first.
fn copied(dtype: DType) -> Check {
    Check::new(format!("gemv/copied/{dtype}"), move |gpu| {
        let (a, x) = (
            small(dtype, &[520, 512], 24)?,
            small(dtype, &[1024, 1], 25)?,
        );
        let every_other = |x: &Tensor| x.slice(0, Some(1), None, 2);
        let got = matmul(&gpu.take(&a)?, &every_other(&gpu.take(&x)?)?)?;
        close(&got, &a, &every_other(&x)?)
    })
}

/// With beta 0 what was in y is not read.
fn unread(dtype: DType) -> Check {
    Check::new(format!("gemv/unread/{dtype}"), move |gpu| {
        for (m, n) in [(40, 24), (2, 8192)] {
            let (a, x) = (small(dtype, &[m, n], 26)?, small(dtype, &[n, 1], 27)?);
            let nan = Tensor::full(&[m, 1], f64::NAN, dtype)?;
            let got = accumulate(1, &gpu.take(&a)?, &gpu.take(&x)?, 0, gpu.take(&nan)?)?;
            close(&got, &a, &x)?;
        }
        Ok(())
    })
}

/// NaN and infinities reach the results of their rows and no others.
fn not_finite(dtype: DType) -> Check {
    Check::new(format!("gemv/not_finite/{dtype}"), move |gpu| {
        for (m, n) in [(7, 40), (6, 8200), (70, 9)] {
            let put = |i: usize| match i {
                i if i == n + 3 => f64::NAN,
                i if i == 3 * n => f64::INFINITY,
                _ => 1.0,
            };
            let a = Tensor::from_vec((0..m * n).map(put).collect(), &[m, n])?.cast(dtype)?;
            let a = a.eval()?;
            let x = Tensor::full(&[n, 1], 0.5, dtype)?;
            for turned in [false, true] {
                let there = if turned {
                    let lying = a.transpose(0, 1)?.copy()?;
                    gpu.take(&lying)?.transpose(0, 1)?
                } else {
                    gpu.take(&a)?
                };
                let got = gpu.fetch(&matmul(&there, &gpu.take(&x)?)?)?.real()?;
                let got = got.cast(DType::F64)?.to_vec::<f64>()?;
                for (row, value) in got.iter().enumerate() {
                    let fits = match row {
                        1 => value.is_nan(),
                        // An infinite part times the other operand's part of 0 is no number.
                        3 if dtype.is_complex() => !value.is_finite(),
                        3 => *value == f64::INFINITY,
                        _ => value.is_finite(),
                    };
                    ensure!(fits, "row {row} of {m} x {n} is {value}");
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use crate::gpu::Gpu;
    use crate::gpu::parity::{Choice, run};
    use syntonic_core::cpu;

    #[test]
    fn every_form_multiplies_on_the_cpu() {
        let here = Gpu { device: cpu() };
        let report = run(&here, &Choice::named("gemv/"));
        assert!(report.passed > 0 && report.failed.is_empty(), "{report:?}");
    }
}
