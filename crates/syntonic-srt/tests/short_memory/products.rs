//! Products of matrices with φ in them, and core's products that they are made of.

use crate::given::{Given, ROWS, Row, all_done, cast, done, row};
use syntonic_core::ops::linalg::{
    Activation, Kept, Precision, accumulate, linear, linear_backward, matmul_as, matmul_reported,
    matmul_times,
};
use syntonic_core::{DType, Error, Scalar, Tensor};
use syntonic_srt::golden::{self, Op, Sign, Structure};
use syntonic_srt::nn::{
    Attention, Positions, Weights, attention, attention_scored, golden_attention,
};

type Product = fn(&Tensor, &Tensor) -> syntonic_core::Result<Tensor>;

/// `[ROWS, ROWS]` of a type, made beforehand.
fn square(g: &Given, dtype: DType) -> Result<Tensor, Error> {
    cast(&g.x.slice(1, None, Some(ROWS as isize), 1)?, dtype)
}

pub(crate) fn rows() -> Vec<Row> {
    const ALL: [(&str, Product); 16] = [
        ("matmul_times", |a, b| matmul_times(0.5, a, b)),
        ("mm", golden::mm),
        ("mm_tn", golden::mm_tn),
        ("mm_nt", golden::mm_nt),
        ("mm_tt", golden::mm_tt),
        ("mm_hn", golden::mm_hn),
        ("mm_nh", golden::mm_nh),
        ("mm_add", |a, b| golden::mm_add(a, b, a, 2, 0.5)),
        ("mm_gemm", |a, b| {
            golden::mm_gemm(a, b, Op::Adjoint, Op::Transpose, 2.0, 1, Some(b))
        }),
        ("mm_phi", |a, b| golden::mm_phi(a, b, -3)),
        ("phi_bracket", golden::phi_bracket),
        ("phi_antibracket", golden::phi_antibracket),
        ("mm_corrected", |a, b| {
            golden::mm_corrected(a, b, Structure::E8Rank, Sign::Plus)
        }),
        ("mm_q_corrected", |a, b| {
            golden::mm_q_corrected(a, b, 3.0, Sign::Minus)
        }),
        ("mm_golden_phase", |a, b| golden::mm_golden_phase(a, b, 2)),
        ("mm_golden_weighted", golden::mm_golden_weighted),
    ];
    let products = ALL.into_iter().map(|(name, run)| {
        row(name, move |g| {
            for dtype in [DType::F64, DType::C128, DType::F16, DType::I32] {
                let a = square(g, dtype)?;
                done(run(&a, &a.transpose(0, 1)?))?;
            }
            Ok(())
        })
    });
    let attended = [
        row("attention", |g| {
            for dtype in [DType::F64, DType::F16] {
                let a = square(g, dtype)?;
                done(attention(&a, &a, &a, Attention::default()))?;
            }
            Ok(())
        }),
        row("attention_scored", |g| {
            let a = square(g, DType::F64)?;
            let near = |s: &Tensor, at: &Positions, _: &[Tensor]| {
                s.try_sub(&at.key.try_sub(&at.query)?.abs()?)
            };
            done(attention_scored(&a, &a, &a, near, Attention::default()))
        }),
        row("golden_attention", |g| {
            let a = square(g, DType::F64)?;
            let weights = Weights::Log(&g.per_row);
            done(golden_attention(
                &a,
                &a,
                &a,
                weights,
                1.0,
                Attention::default(),
            ))
        }),
    ];
    let sums = [
        row("linear", |g| {
            for dtype in [DType::F64, DType::F16] {
                let a = square(g, dtype)?;
                done(linear(
                    &a,
                    &a,
                    Some(&cast(&g.per_row, dtype)?),
                    Activation::Gelu,
                ))?;
            }
            Ok(())
        }),
        row("linear_backward", |g| {
            let a = square(g, DType::F64)?;
            let found = linear_backward(&a, &a, &a, Kept::Input(&a), Activation::Gelu)?;
            all_done(&[found.x, found.w, found.bias])
        }),
        row("matmul_as", |g| {
            let a = square(g, DType::F32)?;
            done(matmul_as(&a, &a, Precision::High))?;
            done(matmul_as(&a, &a, Precision::Tolerance(1e-3)))
        }),
        row("matmul_reported", |g| {
            let a = square(g, DType::F32)?;
            matmul_reported(&a, &a, Precision::Tolerance(1e-3)).map(drop)
        }),
        row("accumulate", |g| {
            let a = square(g, DType::F64)?;
            done(accumulate(2.0, &a, &a, 1, a.clone()))?;
            done(accumulate(2.0, &a, &a, 1, a.copy()?))
        }),
        row("projection_sum", |g| {
            let a = square(g, DType::F64)?;
            let by = [Scalar::Int(1), Scalar::Float(0.5)];
            done(golden::projection_sum(&g.x, &[a.clone(), a], &by))?;
            done(golden::projection_sum(&g.x, &[], &[]))
        }),
    ];
    products.chain(attended).chain(sums).collect()
}
