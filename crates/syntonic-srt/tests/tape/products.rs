//! Products of vectors, matrices and stacks, and what is fused with them.

use crate::difference::{Row, complex, row, rows_of, spread};
use syntonic_core::ops::linalg::{
    self, Activation, Contract, Kept, Precision, Product, accumulate, linear, linear_backward,
    matmul, matmul_as, matmul_scaled, matmul_times,
};
use syntonic_core::{DType, Scalar, Tensor};
use syntonic_srt::golden::{self, Op, Sign, Structure};

pub(crate) fn rows() -> Vec<Row> {
    [plain(), contracted(), fused(), golden_products()]
        .into_iter()
        .flatten()
        .collect()
}

fn two(a: &[usize], b: &[usize]) -> Vec<Tensor> {
    vec![spread(a, 0), spread(b, 1)]
}

fn plain() -> Vec<Row> {
    // Matrices, stacks, one matrix for a stack on either side, broadcast stacks, vectors, and nothing.
    const SHAPES: [[&[usize]; 2]; 10] = [
        [&[2, 3], &[3, 4]],
        [&[2, 2, 3], &[2, 3, 1]],
        [&[2, 2, 3], &[3, 2]],
        [&[2, 3], &[2, 3, 2]],
        [&[2, 1, 2, 3], &[3, 3, 2]],
        [&[3], &[3]],
        [&[2, 3], &[3]],
        [&[3], &[2, 3, 2]],
        [&[2, 0], &[0, 3]],
        [&[0, 2, 3], &[3, 2]],
    ];
    let mut all: Vec<Row> = SHAPES
        .map(|[a, b]| row("matmul", two(a, b), |v| matmul(&v[0], &v[1])))
        .into();
    let of_complex = vec![complex(&[2, 3], 0), complex(&[3, 2], 1)];
    all.push(row("matmul", of_complex.clone(), |v| matmul(&v[0], &v[1])));
    all.push(row(
        "matmul",
        vec![spread(&[2, 3], 0), complex(&[3, 2], 1)],
        |v| matmul(&v[0], &v[1]),
    ));
    let i = Scalar::Complex(syntonic_core::num_complex::Complex::new(0.5, -1.0));
    all.push(row("matmul_times", of_complex.clone(), move |v| {
        matmul_times(i, &v[0], &v[1])
    }));
    let three = vec![complex(&[2, 3], 0), complex(&[3, 2], 1), complex(&[2], 2)];
    all.push(row("matmul_scaled", three, move |v| {
        matmul_scaled(0.5, &v[0], &v[1], i, &v[2])
    }));
    let three = || vec![spread(&[2, 3], 0), spread(&[3, 2], 1), spread(&[2, 2], 2)];
    all.push(row("accumulate", three(), |v| {
        accumulate(2.0, &v[0], &v[1], 3.0, v[2].clone())
    }));
    all.push(row("accumulate", three(), |v| {
        accumulate(2.0, &v[0], &v[1], 0, v[2].clone())
    }));
    for precision in [Precision::Highest, Precision::Tolerance(1e-14)] {
        all.push(row("matmul_as", two(&[2, 3], &[3, 2]), move |v| {
            matmul_as(&v[0], &v[1], precision)
        }));
    }
    all
}

fn contracted() -> Vec<Row> {
    vec![
        row("bmm", two(&[2, 2, 3], &[2, 3, 1]), |v| {
            linalg::bmm(&v[0], &v[1])
        }),
        row("gemv", two(&[2, 3], &[3]), |v| linalg::gemv(&v[0], &v[1])),
        row("vecdot", two(&[2, 3], &[3]), |v| {
            linalg::vecdot(&v[0], &v[1], -1)
        }),
        row(
            "vecdot",
            vec![complex(&[3, 2], 0), complex(&[3, 2], 1)],
            |v| linalg::vecdot(&v[0], &v[1], 0),
        ),
        row("outer", two(&[2], &[3]), |v| linalg::outer(&v[0], &v[1])),
        row("kron", two(&[2, 1], &[3]), |v| linalg::kron(&v[0], &v[1])),
        row("tensordot", two(&[2, 3, 2], &[3, 2, 2]), |v| {
            linalg::tensordot(&v[0], &v[1], Contract::Pairs(&[1, 0], &[0, 2]))
        }),
        row("tensordot", two(&[2], &[3]), |v| {
            linalg::tensordot(&v[0], &v[1], Contract::Last(0))
        }),
        row("matrix_transpose", vec![spread(&[2, 3], 0)], |v| {
            linalg::matrix_transpose(&v[0])
        }),
        row("trace", vec![spread(&[2, 3, 4], 0)], |v| {
            linalg::trace(&v[0], 1, None)
        }),
        row("cross", two(&[2, 3], &[3]), |v| {
            linalg::cross(&v[0], &v[1], -1)
        }),
        row("einsum", two(&[2, 3], &[3, 2]), |v| {
            linalg::einsum("ij,jk->ki", &[&v[0], &v[1]])
        }),
        row("einsum", two(&[3, 3], &[2, 3]), |v| {
            linalg::einsum("ii,ji->j", &[&v[0], &v[1]])
        }),
        row("einsum", vec![spread(&[2, 3], 0)], |v| {
            linalg::einsum("ij->", &[&v[0]])
        }),
        row(
            "einsum",
            vec![spread(&[2, 3], 0), spread(&[3, 2], 1), spread(&[2, 2], 2)],
            |v| linalg::einsum("ij,jk,kl->il", &[&v[0], &v[1], &v[2]]),
        ),
        row("einsum", two(&[2, 3], &[2, 3]), |v| {
            linalg::einsum("...i,...i->...", &[&v[0], &v[1]])
        }),
    ]
}

fn fused() -> Vec<Row> {
    let three = || vec![spread(&[2, 3], 0), spread(&[3, 4], 1), spread(&[4], 2)];
    let mut all = Vec::new();
    for activation in Activation::ALL {
        all.push(row("linear", three(), move |v| {
            linear(&v[0], &v[1], Some(&v[2]), activation)
        }));
        all.push(row("linear", two(&[3], &[3, 2]), move |v| {
            linear(&v[0], &v[1], None, activation)
        }));
    }
    all.push(row(
        "linear",
        vec![spread(&[2, 2, 3], 0), spread(&[3, 4], 1), spread(&[4], 2)],
        |v| linear(&v[0], &v[1], Some(&v[2]), Activation::Silu),
    ));
    let operands = vec![
        spread(&[2, 3], 0),
        spread(&[3, 4], 1),
        spread(&[4], 2),
        spread(&[2], 3),
        spread(&[4], 4),
        spread(&[2, 4], 5),
        spread(&[2, 1], 6),
    ];
    all.push(row("Product::run", operands, |v| {
        let product = Product::new(&v[0], &v[1])
            .alpha(1.5)
            .bias(&v[2])
            .row_scale(&v[3]);
        let product = product
            .column_scale(&v[4])
            .residual(&v[5], 0.5)
            .beta(0.25, &v[6]);
        product.activation(Activation::Tanh).run()
    }));
    // An end that does not hang on the factors, and one that is checked.
    all.push(row("Product::run", vec![spread(&[4], 2)], |v| {
        Product::new(&spread(&[2, 3], 0), &spread(&[3, 4], 1))
            .bias(&v[0])
            .run()
    }));
    all.push(row("Product::run", three(), |v| {
        let product = Product::new(&v[0], &v[1])
            .bias(&v[2])
            .activation(Activation::Gelu);
        product
            .precision(Precision::Tolerance(1e-14))
            .cast(DType::C128)
            .run()
    }));
    all.push(rows_of(
        "linear_backward",
        vec![spread(&[2, 4], 5), spread(&[2, 3], 0), spread(&[3, 4], 1)],
        |v| {
            let kept = Kept::Input(&v[0]);
            let made = linear_backward(&v[0], &v[1], &v[2], kept, Activation::Gelu)?;
            Ok(vec![made.x, made.w, made.bias])
        },
    ));
    all
}

type Of = fn(&Tensor, &Tensor) -> syntonic_core::Result<Tensor>;

fn golden_products() -> Vec<Row> {
    const ALL: [(&str, Of); 15] = [
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
    let real = ALL.map(|(name, f)| row(name, two(&[2, 2], &[2, 2]), move |v| f(&v[0], &v[1])));
    let of_complex = ALL.map(|(name, f)| {
        let inputs = vec![complex(&[2, 2], 0), complex(&[2, 2], 1)];
        row(name, inputs, move |v| f(&v[0], &v[1]))
    });
    let sum = row(
        "projection_sum",
        vec![spread(&[3, 2], 0), spread(&[3, 3], 1)],
        |v| {
            let by = [Scalar::Int(2), Scalar::Float(0.5)];
            golden::projection_sum(&v[0], &[v[1].clone(), v[1].clone()], &by)
        },
    );
    real.into_iter().chain(of_complex).chain([sum]).collect()
}
