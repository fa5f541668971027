//! Products so small that kernels of ours compute them, alone and in stacks.

use super::Check;
use super::products::{close, conj, small};
use crate::gpu::{Exactness, bounds, compare, compare_each};
use anyhow::{Context, Result};
use syntonic_core::ops::composites::RELU;
use syntonic_core::ops::elementwise::composite;
use syntonic_core::ops::linalg::{
    Activation, accumulate, linear, matmul, matmul_scaled, matrix_transpose,
};
use syntonic_core::{DType, Tensor};

/// Products in a stack, rows, inner length and columns: whole tiles of 32 by 8 and vectors, one past them, steps of the warps and
/// one past them, single elements; and stacks of matrices that a thread has an element of, up to the largest and one past it.
const SIZES: [(usize, usize, usize, usize); 13] = [
    (1, 32, 512, 512),
    (1, 33, 257, 9),
    (1, 64, 64, 64),
    (1, 2, 128, 8),
    (1, 31, 129, 16),
    (1, 5, 1, 3),
    (1, 7, 0, 8),
    (3, 40, 24, 16),
    (5, 33, 3, 9),
    (64, 4, 4, 4),
    (70, 3, 5, 2),
    (65, 16, 32, 16),
    (64, 17, 33, 16),
];

/// How the operands lie.
#[derive(Clone, Copy, Debug)]
enum Form {
    Rows,
    Left,
    Right,
    Strided,
    OneLeft,
    Conjugated,
}

const FORMS: [Form; 6] = [
    Form::Rows,
    Form::Left,
    Form::Right,
    Form::Strided,
    Form::OneLeft,
    Form::Conjugated,
];

const DTYPES: [DType; 6] = [
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::C128,
];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in DTYPES {
        for form in FORMS {
            all.push(Check::new(format!("small/{form:?}/{dtype}"), move |gpu| {
                SIZES.into_iter().try_for_each(|size| {
                    let (a, b) = operands(dtype, form, size)?;
                    let (p, q) = (gpu.take(&a)?, gpu.take(&b)?);
                    let got = matmul(&view(&p, form, 0)?, &view(&q, form, 1)?)?;
                    let (x, y) = (view(&a, form, 0)?, view(&b, form, 1)?);
                    close(&got, &x, &y).with_context(|| format!("{size:?}"))
                })
            }));
        }
        all.push(Check::new(format!("small/scaled/{dtype}"), move |gpu| {
            for (batch, m, k, n) in [(1, 33, 70, 9), (70, 4, 5, 6)] {
                let (a, b) = operands(dtype, Form::Rows, (batch, m, k, n))?;
                let c = small(dtype, matmul(&a, &b)?.shape(), 5)?;
                let want = matmul_scaled(0.5, &a, &b, -3, &c)?;
                let (p, q) = (gpu.take(&a)?, gpu.take(&b)?);
                let got = accumulate(0.5, &p, &q, -3, gpu.take(&c)?)?;
                // |0.5 a b| + |3 c|, with a rounding each for both factors and for the sum; elements are at most 5 large.
                let unit = 8.0 * bounds::rounding(dtype) * 3.0 * 5.0;
                let limits = bounds::products(&a, &b, 3)?;
                let limits: Vec<f64> = limits.iter().map(|b| b + unit).collect();
                compare_each(&got, &want, &limits)?;
                // With beta 0 what was in c is not read.
                let nan = Tensor::full(c.shape(), f64::NAN, dtype)?;
                close(&accumulate(1, &p, &q, 0, gpu.take(&nan)?)?, &a, &b)?;
            }
            Ok(())
        }));
        if !dtype.is_complex() {
            all.push(Check::new(format!("small/relu/{dtype}"), move |gpu| {
                // What is rectified is what is there without: the sums are the same ones.
                let (x, w) = (small(dtype, &[33, 48], 1)?, small(dtype, &[48, 24], 2)?);
                let bias = small(dtype, &[24], 3)?;
                let (x, w, bias) = (gpu.take(&x)?, gpu.take(&w)?, gpu.take(&bias)?);
                let plain = linear(&x, &w, Some(&bias), Activation::None)?;
                let got = linear(&x, &w, Some(&bias), Activation::Relu)?;
                let want = composite(RELU.name, RELU.build, &[(&plain).into()])?;
                compare(&got, &want, Exactness::Same)
            }));
        }
    }
    all
}

/// Operands that a [`view`] has the right shape of.
fn operands(
    dtype: DType,
    form: Form,
    (batch, m, k, n): (usize, usize, usize, usize),
) -> Result<(Tensor, Tensor)> {
    let lead = |here: usize| if here == 1 { vec![] } else { vec![here] };
    let shape = |here: usize, matrix: [usize; 2]| [lead(here), matrix.to_vec()].concat();
    let (a, b) = match form {
        Form::Rows | Form::Conjugated => (shape(batch, [m, k]), shape(batch, [k, n])),
        Form::Left => (shape(batch, [k, m]), shape(batch, [k, n])),
        Form::Right => (shape(batch, [m, k]), shape(batch, [n, k])),
        Form::Strided => (shape(batch, [2 * m, k]), shape(batch, [2 * k, n])),
        Form::OneLeft => (shape(1, [m, k]), shape(batch, [k, n])),
    };
    Ok((small(dtype, &a, 1)?, small(dtype, &b, 2)?))
}

/// The operand of a product, of which `side` is 0 for the left one.
fn view(x: &Tensor, form: Form, side: usize) -> Result<Tensor> {
    Ok(match (form, side) {
        (Form::Left, 0) | (Form::Right, 1) => matrix_transpose(x)?,
        (Form::Strided, _) => x.slice(-2, None, None, -2)?,
        (Form::Conjugated, _) if x.dtype().is_complex() => conj(x)?,
        _ => x.clone(),
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
        let report = run(&here, &Choice::named("small/"));
        assert!(report.passed > 0 && report.failed.is_empty(), "{report:?}");
    }
}
