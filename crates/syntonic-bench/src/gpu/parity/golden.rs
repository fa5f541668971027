//! Golden products of matrices: every numeric dtype, and operands as they may lie.

use super::Check;
use crate::gpu::{Exactness, bounds, compare, compare_each};
use anyhow::Result;
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Scalar, Tensor};
use syntonic_srt::golden::{
    self as golden, Op, Sign, Structure, mm_add, mm_gemm, mm_phi, projection_sum,
};

type Work = fn(&Tensor, &Tensor) -> syntonic_core::Result<Tensor>;

/// Each with how many products of `a` and `b`, of whatever order, it adds up with factors below 2, and what else below 4
/// times an operand.
const PRODUCTS: [(&str, usize, Work); 18] = [
    ("mm", 1, golden::mm),
    ("mm_add", 1, |a, b| mm_add(a, b, a, 1, 2)),
    ("mm_tn", 1, golden::mm_tn),
    ("mm_nt", 1, golden::mm_nt),
    ("mm_tt", 1, golden::mm_tt),
    ("mm_hn", 1, golden::mm_hn),
    ("mm_nh", 1, golden::mm_nh),
    ("mm_gemm", 1, |a, b| {
        mm_gemm(a, b, Op::Adjoint, Op::Transpose, 0.5, 0.25, Some(b))
    }),
    ("bmm", 1, |a, b| golden::bmm(a, b)),
    ("mm_phi", 1, |a, b| mm_phi(a, b, 1)),
    ("mm_phi_negative", 1, |a, b| mm_phi(a, b, -9)),
    ("phi_bracket", 2, golden::phi_bracket),
    ("phi_antibracket", 2, golden::phi_antibracket),
    ("mm_corrected", 1, |a, b| {
        golden::mm_corrected(a, b, Structure::E8Rank, Sign::Minus)
    }),
    ("mm_q_corrected", 1, |a, b| {
        golden::mm_q_corrected(a, b, 2.5, Sign::Plus)
    }),
    ("mm_golden_phase", 1, |a, b| {
        golden::mm_golden_phase(a, b, 7)
    }),
    ("mm_golden_weighted", 1, golden::mm_golden_weighted),
    ("projection_sum", 2, |a, b| {
        projection_sum(
            b,
            &[a.clone(), a.clone()],
            &[Scalar::Float(0.5), Scalar::Int(-1)],
        )
    }),
];

/// How the operands lie.
#[derive(Clone, Copy, Debug)]
enum Form {
    Plain,
    Transposed,
    Strided,
    Negative,
    Repeated,
    Empty,
    Large,
}

const FORMS: [Form; 7] = [
    Form::Plain,
    Form::Transposed,
    Form::Strided,
    Form::Negative,
    Form::Repeated,
    Form::Empty,
    Form::Large,
];

pub(super) fn checks() -> Vec<Check> {
    let numeric = DType::ALL.into_iter().filter(|d| !d.is_bool());
    numeric
        .flat_map(|dtype| {
            PRODUCTS.into_iter().flat_map(move |(name, terms, work)| {
                FORMS.map(move |form| {
                    let name = format!("golden/{name}/{dtype}/{form:?}");
                    Check::new(name, move |gpu| {
                        let (a, b) = (stored(dtype, form, 1)?, stored(dtype, form, 2)?);
                        let got = work(&view(&gpu.take(&a)?, form)?, &view(&gpu.take(&b)?, form)?)?;
                        close(&got, work, terms, &view(&a, form)?, &view(&b, form)?)
                    })
                })
            })
        })
        .collect()
}

/// What lies in memory before the view: stacks of squares, which all of the products take.
fn stored(dtype: DType, form: Form, seed: u64) -> Result<Tensor> {
    let shape: &[usize] = match form {
        Form::Strided => &[3, 66, 99],
        Form::Repeated => &[3, 1, 33],
        Form::Empty => &[2, 0, 0],
        Form::Large => &[1, 130, 130],
        _ => &[3, 33, 33],
    };
    let part = |i: usize, by: u64| {
        let mixed = (i as u64 + 1).wrapping_mul(seed * 2 + by);
        ((mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) % 9) as f64 - 4.0
    };
    let count = 0..shape.iter().product();
    let values: Vec<Complex<f64>> = count
        .map(|i| Complex::new(part(i, 1), part(i, 7)))
        .collect();
    let x = Tensor::from_vec(values, shape)?;
    let x = if dtype.is_complex() { x } else { x.real()? };
    Ok(x.cast(dtype)?.eval()?)
}

fn view(x: &Tensor, form: Form) -> Result<Tensor> {
    Ok(match form {
        Form::Transposed => x.transpose(-1, -2)?,
        Form::Strided => x.slice(-2, None, None, 2)?.slice(-1, None, None, 3)?,
        Form::Negative => x.flip(&[-2, -1])?,
        Form::Repeated => x.broadcast_to(&[3, 33, 33])?,
        _ => x.clone(),
    })
}

/// Compares with the CPU: integers exactly, floats within what both sides' sums of K terms of at most `|a| |b|` may err by.
fn close(got: &Tensor, work: Work, terms: usize, a: &Tensor, b: &Tensor) -> Result<()> {
    let want = work(a, b)?;
    let dtype = want.dtype();
    if dtype.is_integer() {
        return compare(got, &want, Exactness::Same);
    }
    let k = a.shape()[a.ndim() - 1];
    let parts = if dtype.is_complex() { 2 * k } else { k };
    let largest = if dtype.is_complex() { 32.0 } else { 16.0 };
    // All products, with factors below 2, and a summand below 4 times an operand.
    let size = terms as f64 * 2.0 * k as f64 * largest + 4.0 * 6.0;
    // Every product and every sum of two is rounded in the type that it is summed in, and each product in its own.
    let summed = (terms * (parts + 4)) as f64 * bounds::rounding(dtype.compute());
    let own = if a.dtype().is_half() || dtype.is_half() {
        (terms + 1) as f64 * bounds::rounding(a.dtype())
    } else {
        0.0
    };
    let limit = 2.0 * (summed + own) * size;
    compare_each(got, &want, &vec![limit; want.numel()])
}

#[cfg(test)]
mod tests {
    use crate::gpu::Gpu;
    use crate::gpu::parity::{Choice, run};
    use syntonic_core::cpu;

    #[test]
    fn every_product_is_made_on_the_cpu() {
        let here = Gpu { device: cpu() };
        let report = run(&here, &Choice::named("golden/"));
        assert!(report.passed > 0 && report.failed.is_empty(), "{report:?}");
    }
}
