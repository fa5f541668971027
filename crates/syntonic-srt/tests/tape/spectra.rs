//! Eigenvalues, singular values, orthonormal factors, and what is made of them.
//!
//! Signs and phases of vectors are nowhere said, so outputs are such that do not hang on them.

use crate::difference::{Row, complex, row, rows_of, spread};
use syntonic_core::grad::grad;
use syntonic_core::ops::linalg::{
    self, Columns, MatrixNorm, Qr, Svd, Tolerance, Triangle, matmul, matrix_transpose,
};
use syntonic_core::run::Axes;
use syntonic_core::{DType, Result, Tensor};

/// `[.., m, n]` with singular values and eigenvalues that are apart.
fn apart(shape: &[usize], dtype: DType) -> Tensor {
    let (m, n) = (shape[shape.len() - 2], shape[shape.len() - 1]);
    let x = match dtype.is_complex() {
        true => complex(shape, 1),
        false => spread(shape, 1),
    };
    let at = |i: usize| {
        if i / n == i % n {
            2.0 * (i / n) as f64 + 2.0
        } else {
            0.0
        }
    };
    let diagonal = Tensor::from_vec((0..m * n).map(at).collect::<Vec<f64>>(), &[m, n]).unwrap();
    x.try_mul(0.7).unwrap().try_add(&diagonal).unwrap()
}

const REAL_AND_COMPLEX: [DType; 2] = [DType::F64, DType::C128];

fn adjoint(x: &Tensor) -> Result<Tensor> {
    matrix_transpose(x)?.conj()
}

fn sizes(x: &Tensor) -> Result<Tensor> {
    x.abs()?.square()
}

/// The real part of a sum with fixed weights.
fn weighed(all: &[Tensor]) -> Result<Tensor> {
    let mut sum = Tensor::zeros(&[], DType::F64)?;
    for (k, y) in all.iter().enumerate() {
        let by = match y.dtype().is_complex() {
            true => complex(y.shape(), 70 + k),
            false => spread(y.shape(), 70 + k),
        };
        let part = y.try_mul(&by)?.sum(..)?;
        let part = if y.dtype().is_complex() {
            part.real()?
        } else {
            part
        };
        sum = sum.try_add(&part)?;
    }
    Ok(sum)
}

/// A row of an operator, and one of its gradient.
fn twice(
    all: &mut Vec<Row>,
    name: &'static str,
    inputs: Vec<Tensor>,
    f: impl Fn(&[Tensor]) -> Result<Vec<Tensor>> + Clone + 'static,
) {
    all.push(rows_of(name, inputs.clone(), f.clone()));
    all.push(rows_of(name, inputs, move |v| {
        let given: Vec<&Tensor> = v.iter().collect();
        grad(|w| weighed(&f(w)?), &given)
    }));
}

pub(crate) fn rows() -> Vec<Row> {
    let mut all = Vec::new();
    for dtype in REAL_AND_COMPLEX {
        hermitian(&mut all, dtype);
        singular(&mut all, dtype);
        orthonormal(&mut all, dtype);
        inverses(&mut all, dtype);
    }
    all
}

fn hermitian(all: &mut Vec<Row>, dtype: DType) {
    for triangle in [Triangle::Lower, Triangle::Upper] {
        for shape in [&[3, 3][..], &[2, 2, 2], &[1, 1]] {
            let a = || vec![apart(shape, dtype)];
            twice(all, "eigh", a(), move |v| {
                let made = linalg::eigh(&v[0], triangle)?;
                let (w, v) = (made.eigenvalues, made.eigenvectors);
                // The logarithm of the matrix, which is positive.
                let by = w.log()?.expand_dims(&[-2])?;
                let log = matmul(&v.try_mul(&by)?, &adjoint(&v)?)?;
                Ok(vec![w, sizes(&v)?, log])
            });
            twice(all, "eigvalsh", a(), move |v| {
                Ok(vec![linalg::eigvalsh(&v[0], triangle)?])
            });
        }
    }
}

fn singular(all: &mut Vec<Row>, dtype: DType) {
    let shapes = [&[3, 3][..], &[4, 2], &[2, 4], &[2, 3, 2], &[2, 1, 2]];
    for shape in shapes {
        let a = || vec![apart(shape, dtype)];
        for mode in [Columns::Reduced, Columns::Complete] {
            if mode == Columns::Complete && shape != [3, 3] {
                continue;
            }
            twice(all, "svd", a(), move |v| {
                let Svd { u, s, vh } = linalg::svd(&v[0], mode)?;
                let turn = matmul(&u, &vh)?;
                Ok(vec![sizes(&u)?, s, sizes(&vh)?, turn])
            });
            // Of one side alone.
            all.push(row("svd", a(), move |v| {
                sizes(&linalg::svd(&v[0], mode)?.u)
            }));
            all.push(row("svd", a(), move |v| {
                sizes(&linalg::svd(&v[0], mode)?.vh)
            }));
        }
        twice(all, "svdvals", a(), |v| Ok(vec![linalg::svdvals(&v[0])?]));
        for norm in [MatrixNorm::Nuclear, MatrixNorm::Two, MatrixNorm::MinusTwo] {
            all.push(row("matrix_norm", a(), move |v| {
                linalg::matrix_norm(&v[0], norm, Axes::Drop)
            }));
        }
        for norm in [MatrixNorm::Two, MatrixNorm::MinusTwo] {
            all.push(row("cond", a(), move |v| linalg::cond(&v[0], norm)));
        }
    }
}

fn orthonormal(all: &mut Vec<Row>, dtype: DType) {
    for shape in [&[3, 3][..], &[4, 2], &[2, 4], &[2, 3, 2], &[2, 2, 3]] {
        let (m, n) = (shape[shape.len() - 2], shape[shape.len() - 1]);
        for mode in [Columns::Reduced, Columns::Complete] {
            if mode == Columns::Complete && m > n {
                continue;
            }
            let a = vec![apart(shape, dtype)];
            twice(all, "qr", a, move |v| {
                let Qr { q, r } = linalg::qr(&v[0], mode)?;
                let spans = matmul(&q, &adjoint(&q)?)?;
                let mut made = vec![spans, sizes(&q)?, sizes(&r)?];
                if !dtype.is_complex() {
                    // A sign stays as it is.
                    made.extend([q, r]);
                }
                Ok(made)
            });
        }
    }
}

fn inverses(all: &mut Vec<Row>, dtype: DType) {
    let pinv = |v: &[Tensor]| Ok(vec![linalg::pinv(&v[0], Tolerance::Rounding)?]);
    for shape in [&[3, 3][..], &[4, 2], &[2, 4], &[2, 3, 2], &[2, 1, 2]] {
        twice(all, "pinv", vec![apart(shape, dtype)], pinv);
    }
    // Of rank 2, which products of such factors keep.
    for (m, n) in [(4, 3), (3, 4)] {
        let factors = vec![apart(&[m, 2], dtype), apart(&[2, n], dtype)];
        twice(all, "pinv", factors, move |v| {
            pinv(&[matmul(&v[0], &v[1])?])
        });
    }
    let systems: [(&[usize], &[usize]); 6] = [
        (&[4, 2], &[4, 3]),
        (&[4, 2], &[4]),
        (&[2, 4], &[2, 2]),
        (&[3, 3], &[3]),
        (&[2, 1, 3, 2], &[3, 3, 1]),
        (&[3, 2], &[2, 3, 2]),
    ];
    for (a, b) in systems {
        let b = match dtype.is_complex() {
            true => complex(b, 5),
            false => spread(b, 5),
        };
        twice(all, "lstsq", vec![apart(a, dtype), b], |v| {
            let found = linalg::lstsq(&v[0], &v[1], Tolerance::Rounding)?;
            Ok(vec![found.x, found.residuals, found.singular_values])
        });
    }
}

pub(crate) fn refusals() -> Vec<Row> {
    let square = || vec![apart(&[3, 3], DType::F64)];
    let tall = || vec![apart(&[3, 2], DType::F64)];
    vec![
        rows_of("svd", tall(), |v| {
            Ok(vec![linalg::svd(&v[0], Columns::Complete)?.s])
        }),
        rows_of("qr", tall(), |v| {
            Ok(vec![linalg::qr(&v[0], Columns::Complete)?.r])
        }),
        rows_of("eig", square(), |v| {
            Ok(vec![linalg::eig(&v[0])?.eigenvalues])
        }),
        row("eigvals", square(), |v| linalg::eigvals(&v[0])),
    ]
}
