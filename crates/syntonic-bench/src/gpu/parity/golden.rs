//! Golden products of matrices: every numeric dtype, and operands as they may lie.

use super::Check;
use crate::gpu::{Exactness, bounds, compare, compare_each, unit};
use anyhow::{Result, ensure};
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Scalar, Tensor, cpu};
use syntonic_srt::golden::{
    self as golden, Op, Sign, Structure, mm_add, mm_gemm, mm_phi, projection_sum,
};

type Work = fn(&Tensor, &Tensor) -> syntonic_core::Result<Tensor>;

/// An operator, how many products of `a` and `b` it adds up, of whatever order, and what of the magnitudes of `a` and `b` bounds the
/// sum of the magnitudes of all that it adds.
type Product = (&'static str, usize, Work, Work);

const PRODUCTS: [Product; 18] = [
    alike("mm", golden::mm),
    alike("mm_add", |a, b| mm_add(a, b, a, 1, 2)),
    alike("mm_tn", golden::mm_tn),
    alike("mm_nt", golden::mm_nt),
    alike("mm_tt", golden::mm_tt),
    alike("mm_hn", golden::mm_hn),
    alike("mm_nh", golden::mm_nh),
    alike("mm_gemm", |a, b| {
        mm_gemm(a, b, Op::Adjoint, Op::Transpose, 0.5, 0.25, Some(b))
    }),
    alike("bmm", golden::bmm),
    alike("mm_phi", |a, b| mm_phi(a, b, 1)),
    alike("mm_phi_negative", |a, b| mm_phi(a, b, -9)),
    (
        "phi_bracket",
        2,
        golden::phi_bracket,
        golden::phi_antibracket,
    ),
    (
        "phi_antibracket",
        2,
        golden::phi_antibracket,
        golden::phi_antibracket,
    ),
    alike("mm_corrected", |a, b| {
        golden::mm_corrected(a, b, Structure::E8Rank, Sign::Minus)
    }),
    alike("mm_q_corrected", |a, b| {
        golden::mm_q_corrected(a, b, 2.5, Sign::Plus)
    }),
    (
        "mm_golden_phase",
        1,
        |a, b| golden::mm_golden_phase(a, b, 7),
        golden::mm,
    ),
    alike("mm_golden_weighted", golden::mm_golden_weighted),
    (
        "projection_sum",
        2,
        |a, b| projections(a, b, Scalar::Int(-1)),
        |a, b| projections(a, b, Scalar::Int(1)),
    ),
];

/// One product whose factors are not negative: of magnitudes it is its own bound.
const fn alike(name: &'static str, work: Work) -> Product {
    (name, 1, work, work)
}

fn projections(a: &Tensor, b: &Tensor, second: Scalar) -> syntonic_core::Result<Tensor> {
    projection_sum(b, &[a.clone(), a.clone()], &[Scalar::Float(0.5), second])
}

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
            PRODUCTS.into_iter().flat_map(move |product| {
                FORMS.map(move |form| {
                    let (name, _, work, _) = product;
                    let name = format!("golden/{name}/{dtype}/{form:?}");
                    Check::new(name, move |gpu| {
                        let (a, b) = (stored(dtype, form, 1)?, stored(dtype, form, 2)?);
                        let got = work(&view(&gpu.take(&a)?, form)?, &view(&gpu.take(&b)?, form)?)?;
                        close(&got, product, &view(&a, form)?, &view(&b, form)?)
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

/// Integers are the CPU's. Floats are compared with the same product in double precision: each element within what its own sum may err by.
fn close(got: &Tensor, product: Product, a: &Tensor, b: &Tensor) -> Result<()> {
    let (_, terms, work, sizes) = product;
    let want = work(a, b)?;
    let dtype = want.dtype();
    if dtype.is_integer() {
        return compare(got, &want, Exactness::Same);
    }
    ensure!(
        got.dtype() == dtype && got.shape() == want.shape(),
        "{}{:?} instead of {dtype}{:?}",
        got.dtype(),
        got.shape(),
        want.shape()
    );
    let exact = work(&bounds::wide(a)?, &bounds::wide(b)?)?.eval()?;
    let size = sizes(&bounds::magnitudes(a)?, &bounds::magnitudes(b)?)?;
    let (size, exact_size) = (size.to_vec::<f64>()?, bounds::magnitudes(&exact)?);
    // Each product of two elements, each sum, and factors and a summand: rounded in the type that is summed in (Higham, 3.5). Both the
    // reference and the result are that far from the truth.
    let k = a.shape()[a.ndim() - 1];
    let parts = if dtype.is_complex() { 2 * k } else { k };
    let steps = (terms * (parts + 6)) as f64 * bounds::rounding(dtype.compute());
    // A half type rounds the result once, and where two products are added each of them before.
    let half = |size: f64, exact: f64| match (dtype.is_half(), terms) {
        (false, _) => 0.0,
        (true, 1) => bounds::rounding(dtype) * exact,
        (true, terms) => (terms + 1) as f64 * bounds::rounding(dtype) * size,
    };
    // Below the normal numbers a rounding is absolute.
    let least = (terms * parts) as f64 * unit(0.0, dtype);
    let limits = size.iter().zip(exact_size.to_vec::<f64>()?);
    let limits: Vec<f64> = limits
        .map(|(&size, exact)| steps * size + half(size, exact + steps * size) + least)
        .collect();
    compare_each(&bounds::wide(&got.to(&cpu())?)?, &exact, &limits)
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
