//! Systems of equations, determinants and what is made of decompositions.

use crate::difference::{Row, complex, row, rows_of, spread};
use syntonic_core::ops::linalg::{
    self, Chain, MatrixNorm, Precision, Triangle, matmul, matrix_transpose,
};
use syntonic_core::ops::order;
use syntonic_core::run::Axes;
use syntonic_core::{DType, Tensor};

/// Matrices with a diagonal that dominates.
fn square(lead: &[usize], n: usize, seed: usize) -> Tensor {
    let shape: Vec<usize> = lead.iter().copied().chain([n, n]).collect();
    let one = Tensor::eye(n, DType::F64).unwrap();
    spread(&shape, seed)
        .try_add(&one.try_mul(3.0).unwrap())
        .unwrap()
}

fn complex_square(n: usize) -> Tensor {
    let one = Tensor::eye(n, DType::F64).unwrap();
    complex(&[n, n], 3)
        .try_add(&one.try_mul(3.0).unwrap())
        .unwrap()
}

pub(crate) fn rows() -> Vec<Row> {
    let stack = || vec![square(&[2], 3, 0)];
    let mut all = Vec::new();
    let systems: [(Tensor, Tensor); 6] = [
        (square(&[], 3, 0), spread(&[3, 2], 1)),
        (square(&[], 3, 0), spread(&[3], 1)),
        (square(&[2], 2, 0), spread(&[2], 1)),
        (square(&[2, 1], 2, 0), spread(&[3, 2, 1], 1)),
        (square(&[], 2, 0), spread(&[3, 2, 2], 1)),
        (complex_square(2), complex(&[2, 2], 1)),
    ];
    for (a, b) in systems {
        all.push(row("solve", vec![a, b], |v| linalg::solve(&v[0], &v[1])));
    }
    for a in [square(&[2], 3, 0), square(&[], 1, 0), complex_square(3)] {
        all.push(row("inv", vec![a.clone()], |v| linalg::inv(&v[0])));
        all.push(row("det", vec![a.clone()], |v| linalg::det(&v[0])));
        all.push(row("expm", vec![a.try_mul(0.3).unwrap()], |v| {
            linalg::expm(&v[0])
        }));
        all.push(rows_of("slogdet", vec![a.clone()], |v| {
            let made = linalg::slogdet(&v[0])?;
            Ok(vec![made.sign, made.logabsdet])
        }));
        for triangle in [Triangle::Lower, Triangle::Upper] {
            let a = match a.dtype().is_complex() {
                // A Hermitian matrix has a real diagonal.
                true => a
                    .try_mul(0.2)
                    .unwrap()
                    .try_add(&Tensor::eye(3, DType::F64).unwrap().try_mul(4.0).unwrap())
                    .unwrap(),
                false => a.clone(),
            };
            all.push(row("cholesky", vec![a], move |v| {
                linalg::cholesky(&v[0], triangle)
            }));
        }
    }
    for power in [-2, 1, 5] {
        all.push(row("matrix_power", stack(), move |v| {
            linalg::matrix_power(&v[0], power)
        }));
    }
    for norm in [
        MatrixNorm::Frobenius,
        MatrixNorm::One,
        MatrixNorm::MinusOne,
        MatrixNorm::Infinity,
        MatrixNorm::MinusInfinity,
    ] {
        for keep in [Axes::Keep, Axes::Drop] {
            all.push(row("matrix_norm", stack(), move |v| {
                linalg::matrix_norm(&v[0], norm, keep)
            }));
        }
        all.push(row("cond", stack(), move |v| linalg::cond(&v[0], norm)));
    }
    // The gradient of what a symmetric matrix is made of.
    all.push(row("cholesky", vec![square(&[], 3, 0)], |v| {
        linalg::cholesky(&matmul(&v[0], &matrix_transpose(&v[0])?)?, Triangle::Lower)
    }));
    all
}

pub(crate) fn refusals() -> Vec<Row> {
    let a = || vec![square(&[], 3, 0)];
    vec![
        rows_of(
            "gemv_chain",
            vec![spread(&[3, 3], 0), spread(&[3], 1)],
            |v| {
                Ok(linalg::gemv_chain(&v[0], &v[1], &Chain::default())?
                    .z
                    .into_iter()
                    .collect())
            },
        ),
        row("matmul_reported", a(), |v| {
            Ok(linalg::matmul_reported(&v[0], &v[0], Precision::Highest)?.0)
        }),
        rows_of("unique", a(), |v| Ok(vec![order::unique(&v[0])?.values])),
    ]
}
