//! Chains of a product with a vector, what is added to it, and one number: matrices and terms in every form.

use super::Check;
use super::products::small;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Context, Result, ensure};
use syntonic_core::ops::linalg::{Chain, Keep, Reduce, gemv_chain};
use syntonic_core::{DType, Tensor};

/// As those of products with a vector, and enough rows for several blocks.
const SIZES: [(usize, usize); 11] = [
    (0, 3),
    (1, 1),
    (3, 0),
    (5, 7),
    (33, 129),
    (260, 20),
    (257, 130),
    (3, 4104),
    (1, 9001),
    (2, 8192),
    (2100, 6),
];

const DTYPES: [(DType, DType); 4] = [
    (DType::F16, DType::F32),
    (DType::BF16, DType::F32),
    (DType::F32, DType::F32),
    (DType::F64, DType::F64),
];

/// How the matrix lies.
#[derive(Clone, Copy, Debug)]
enum Form {
    Rows,
    Columns,
    Askew,
    Strided,
}

pub(super) fn checks() -> Vec<Check> {
    let forms = [
        ("rows", Form::Rows),
        ("columns", Form::Columns),
        ("askew", Form::Askew),
        ("strided", Form::Strided),
    ];
    let mut all = Vec::new();
    for (name, form) in forms {
        for (matrix, vectors) in DTYPES {
            all.push(Check::new(
                format!("gemv_chain/{name}/{matrix}"),
                move |gpu| {
                    SIZES.into_iter().try_for_each(|(m, n)| {
                        sums(gpu, (matrix, vectors), form, m, n)
                            .with_context(|| format!("{m} x {n}"))
                    })
                },
            ));
        }
    }
    all.extend(DTYPES.map(|(matrix, vectors)| {
        Check::new(format!("gemv_chain/unread/{matrix}"), move |gpu| {
            unread(gpu, matrix, vectors)
        })
    }));
    all
}

fn stored(dtype: DType, form: Form, m: usize, n: usize) -> Result<Tensor> {
    match form {
        Form::Rows => small(dtype, &[m, n], 1),
        Form::Columns => small(dtype, &[n, m], 1),
        Form::Askew => small(dtype, &[m + 1, n + 3], 1),
        Form::Strided => small(dtype, &[m, 2 * n], 1),
    }
}

fn view(a: &Tensor, form: Form, n: usize) -> Result<Tensor> {
    Ok(match form {
        Form::Rows => a.clone(),
        Form::Columns => a.transpose(0, 1)?,
        Form::Askew => a
            .slice(0, Some(1), None, 1)?
            .slice(1, Some(1), Some(n as isize + 1), 1)?,
        Form::Strided => a.slice(1, None, None, 2)?,
    })
}

/// Every number and every choice of what is kept. The elements are small integers and the factors small multiples of a half, so
/// that nothing is rounded before the number is, once.
fn sums(gpu: &Gpu, dtypes: (DType, DType), form: Form, m: usize, n: usize) -> Result<()> {
    let (matrix, dtype) = dtypes;
    let a = stored(matrix, form, m, n)?;
    let x = small(dtype, &[n], 2)?;
    let [y0, w, v] = [3, 4, 5].map(|seed| small(dtype, &[2 * m], seed));
    let (y0, w, v) = (y0?, w?, v?);
    let other = |x: &Tensor| x.slice(0, None, None, 2);
    let (here, there) = (view(&a, form, n)?, view(&gpu.take(&a)?, form, n)?);
    let x_there = gpu.take(&x)?;
    let terms = (other(&y0)?, other(&w)?, other(&v)?);
    let moved = (
        other(&gpu.take(&y0)?)?,
        other(&gpu.take(&w)?)?,
        other(&gpu.take(&v)?)?,
    );
    for kind in 0..5 {
        let keep = [Keep::Neither, Keep::Y, Keep::Z, Keep::Both, Keep::Both][kind];
        let chain = |(y0, w, v): &(Tensor, Tensor, Tensor), a: &Tensor, x: &Tensor| {
            let reduce = match kind {
                0 => Some(Reduce::Sum),
                1 => Some(Reduce::SumOfSquares),
                2 => Some(Reduce::MaxAbs),
                3 => Some(Reduce::Dot(v)),
                _ => None,
            };
            let chain = Chain {
                alpha: 0.5,
                beta: -3.0,
                y0: Some(y0),
                a: 2.0,
                b: 1.5,
                w: Some(w),
                reduce,
                keep,
            };
            gemv_chain(a, x, &chain)
        };
        let (want, got) = (chain(&terms, &here, &x)?, chain(&moved, &there, &x_there)?);
        let pairs = [(got.y, want.y), (got.z, want.z), (got.r, want.r)];
        for (got, want) in pairs {
            match (got, want) {
                (Some(got), Some(want)) => compare(&got, &want, Exactness::Same)?,
                (got, want) => ensure!(got.is_none() && want.is_none(), "one side kept it"),
            }
        }
    }
    Ok(())
}

/// Terms with a factor of 0 are not read, and NaN stays the largest magnitude.
fn unread(gpu: &Gpu, matrix: DType, dtype: DType) -> Result<()> {
    for (m, n) in [(40, 24), (2, 8192), (700, 3)] {
        let (a, x) = (small(matrix, &[m, n], 6)?, small(dtype, &[n], 7)?);
        let nan = Tensor::full(&[m], f64::NAN, dtype)?;
        let chain = |a: &Tensor, x: &Tensor, nan: &Tensor, b: f64| {
            let chain = Chain {
                beta: 0.0,
                y0: Some(nan),
                b,
                w: Some(nan),
                reduce: Some(Reduce::MaxAbs),
                keep: Keep::Neither,
                ..Chain::default()
            };
            gemv_chain(a, x, &chain)?
                .r
                .context("a number was asked for")
        };
        let there = (gpu.take(&a)?, gpu.take(&x)?, gpu.take(&nan)?);
        let want = chain(&a, &x, &nan, 0.0)?;
        let got = chain(&there.0, &there.1, &there.2, 0.0)?;
        compare(&got, &want, Exactness::Same)?;
        let got = gpu.fetch(&chain(&there.0, &there.1, &there.2, 1.0)?)?;
        let got = got.cast(DType::F64)?.to_vec::<f64>()?;
        ensure!(got[0].is_nan(), "NaN became {}", got[0]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::gpu::Gpu;
    use crate::gpu::parity::{Choice, run};
    use syntonic_core::cpu;

    #[test]
    fn every_chain_is_computed_on_the_cpu() {
        let here = Gpu { device: cpu() };
        let report = run(&here, &Choice::named("gemv_chain/"));
        assert!(report.passed > 0 && report.failed.is_empty(), "{report:?}");
    }
}
