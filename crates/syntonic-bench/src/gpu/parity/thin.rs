//! Products of a large matrix with a few columns or rows, which kernels of ours make in full precision.

use super::Check;
use super::products::{close, small};
use crate::gpu::{bounds, compare_each};
use anyhow::{Context, Result};
use syntonic_core::ops::linalg::{accumulate, matmul, matmul_scaled};
use syntonic_core::{DType, Tensor};

/// Rows, inner length and columns: whole tiles, one past them, parts of the inner length.
const SIZES: [(usize, usize, usize); 4] =
    [(256, 256, 16), (257, 321, 3), (260, 1100, 5), (322, 514, 2)];

/// How the matrix lies, and on which side it is.
#[derive(Clone, Copy, Debug)]
enum Form {
    Rows,
    Columns,
    Left,
    LeftOfColumns,
    Askew,
}

const FORMS: [(&str, Form); 5] = [
    ("rows", Form::Rows),
    ("columns", Form::Columns),
    ("left", Form::Left),
    ("left_of_columns", Form::LeftOfColumns),
    ("askew", Form::Askew),
];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::F64] {
        for (name, form) in FORMS {
            all.push(Check::new(format!("thin/{name}/{dtype}"), move |gpu| {
                SIZES.into_iter().try_for_each(|(m, k, n)| {
                    let (a, b) = operands(dtype, form, m, k, n)?;
                    let (x, y) = (view(&a, form)?, &b);
                    let (p, q) = (view(&gpu.take(&a)?, form)?, &gpu.take(&b)?);
                    let what = || format!("{m} x {k} x {n}");
                    match form {
                        Form::Left | Form::LeftOfColumns => close(&matmul(q, &p)?, y, &x),
                        _ => close(&matmul(&p, q)?, &x, y),
                    }
                    .with_context(what)
                })
            }));
        }
        all.push(Check::new(format!("thin/scaled/{dtype}"), move |gpu| {
            let (a, b) = (small(dtype, &[300, 1030], 3)?, small(dtype, &[1030, 7], 4)?);
            let c = small(dtype, &[300, 7], 5)?;
            let want = matmul_scaled(0.5, &a, &b, -3, &c)?;
            let (p, q) = (gpu.take(&a)?, gpu.take(&b)?);
            let got = accumulate(0.5, &p, &q, -3, gpu.take(&c)?)?;
            // |0.5 a b| + |3 c|, with a rounding each for both factors and for the sum; elements are at most 5 large.
            let unit = 8.0 * bounds::rounding(dtype) * 3.0 * 5.0;
            let limits = bounds::products(&a, &b, 3)?;
            let limits: Vec<f64> = limits.iter().map(|b| b + unit).collect();
            compare_each(&got, &want, &limits)?;
            // With beta 0 what was in c is not read.
            let nan = Tensor::full(&[300, 7], f64::NAN, dtype)?;
            close(&accumulate(1, &p, &q, 0, gpu.take(&nan)?)?, &a, &b)
        }));
    }
    all
}

fn operands(dtype: DType, form: Form, m: usize, k: usize, n: usize) -> Result<(Tensor, Tensor)> {
    let (a, b) = match form {
        Form::Rows => ([m, k], [k, n]),
        Form::Columns => ([k, m], [k, n]),
        Form::Left => ([k, m], [n, k]),
        Form::LeftOfColumns => ([m, k], [n, k]),
        Form::Askew => ([m + 1, k + 1], [k, n]),
    };
    Ok((small(dtype, &a, 1)?, small(dtype, &b, 2)?))
}

fn view(a: &Tensor, form: Form) -> Result<Tensor> {
    Ok(match form {
        Form::Rows | Form::Left => a.clone(),
        Form::Columns | Form::LeftOfColumns => a.transpose(0, 1)?,
        Form::Askew => a.slice(0, Some(1), None, 1)?.slice(1, Some(1), None, 1)?,
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
        let report = run(&here, &Choice::named("thin/"));
        assert!(report.passed > 0 && report.failed.is_empty(), "{report:?}");
    }
}
