//! What is made of decompositions: identities that define it, and known values.

use super::samples::{Dense, FIELDS, epsilon, numbers};
use super::*;
use crate::dtype::DType;
use crate::error::{Error, Unfit};
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::ops::linalg::{cross, matmul};
use crate::run::Axes;
use crate::tensor::Tensor;
use num_complex::Complex;

fn values(x: &Tensor) -> Vec<f64> {
    x.to_vec().unwrap()
}

fn matrix(rows: &[&[f64]]) -> Tensor {
    let all: Vec<f64> = rows.concat();
    Tensor::from_slice(&all, &[rows.len(), rows[0].len()]).unwrap()
}

/// A matrix of this rank: the product of two that have no more columns or rows.
fn of_rank(dtype: DType, m: usize, n: usize, rank: usize) -> Tensor {
    let (a, b) = (
        numbers(dtype, &[2, m, rank], 3),
        numbers(dtype, &[2, rank, n], 4),
    );
    matmul(&a, &b).unwrap()
}

#[test]
fn pseudoinverses_are_those_of_moore_and_penrose() {
    for dtype in FIELDS {
        for (m, n, rank) in [(1, 1, 1), (5, 3, 3), (3, 5, 3), (6, 6, 4), (20, 9, 5)] {
            let a = of_rank(dtype, m, n, rank);
            // The smallest singular value that counts is well above 1e-2 times the largest: rounding errors grow by
            // less than a thousand, and the tolerance is far from both.
            let tolerance = Tolerance::Part(1e-4);
            let (x, p) = (Dense::of(&a), Dense::of(&pinv(&a, tolerance).unwrap()));
            let bound = 1e3 * epsilon(dtype) * (1.0 + x.norm()) * (1.0 + p.norm());
            for (got, want) in [
                (x.times(&p).times(&x), x.clone()),
                (p.times(&x).times(&p), p.clone()),
                (x.times(&p), x.times(&p).adjoint()),
                (p.times(&x), p.times(&x).adjoint()),
            ] {
                let off = got.distance(&want);
                assert!(off <= bound, "{dtype} {m} {n} {rank}: {off} > {bound}");
            }
            let ranks = matrix_rank(&a, tolerance).unwrap();
            assert_eq!(
                (ranks.dtype(), values(&ranks)),
                (DType::I64, vec![rank as f64; 2])
            );
        }
    }
    // A tolerance for each matrix.
    let two = matrix(&[&[1.0, 0.0], &[0.0, 0.1]])
        .broadcast_to(&[3, 2, 2])
        .unwrap();
    let each = Tensor::from_slice(&[0.0, 0.05, 0.5], &[3]).unwrap();
    let ranks = matrix_rank(&two, Tolerance::Each(&each)).unwrap();
    assert_eq!(values(&ranks), [2.0, 2.0, 1.0]);
    let wrong = Tensor::from_slice(&[0.0, 0.5], &[2]).unwrap();
    let outcome = pinv(&two, Tolerance::Each(&wrong));
    assert!(matches!(outcome, Err(Error::Shape { op: "pinv", .. })));
    // Of nothing but zeros, nothing counts.
    let zeros = Tensor::zeros(&[2, 3], DType::F64).unwrap();
    assert_eq!(
        values(&pinv(&zeros, Tolerance::Rounding).unwrap()),
        [0.0; 6]
    );
    assert_eq!(
        values(&matrix_rank(&zeros, Tolerance::Rounding).unwrap()),
        [0.0]
    );
}

#[test]
fn least_squares_leave_what_is_orthogonal() {
    // The line through four points in NumPy's documentation: slope 1, intercept -0.95, residual 0.05.
    let a = matrix(&[&[0.0, 1.0], &[1.0, 1.0], &[2.0, 1.0], &[3.0, 1.0]]);
    let b = Tensor::from_slice(&[-1.0, 0.2, 0.9, 2.1], &[4]).unwrap();
    let line = lstsq(&a, &b, Tolerance::Rounding).unwrap();
    let x = values(&line.x);
    assert!(
        (x[0] - 1.0).abs() < 1e-14 && (x[1] + 0.95).abs() < 1e-14,
        "{x:?}"
    );
    assert!((values(&line.residuals)[0] - 0.05).abs() < 1e-14);
    assert_eq!(values(&line.rank), [2.0]);
    assert_eq!(line.singular_values.shape(), [2]);
    for dtype in FIELDS {
        for (m, n, rank) in [(7, 4, 4), (4, 7, 4), (6, 5, 3)] {
            let (a, b) = (of_rank(dtype, m, n, rank), numbers(dtype, &[2, m, 3], 6));
            let found = lstsq(&a, &b, Tolerance::Part(1e-4)).unwrap();
            assert_eq!(found.x.shape(), [2, n, 3]);
            assert_eq!(values(&found.rank), [rank as f64; 2]);
            let (da, db, x) = (Dense::of(&a), Dense::of(&b), Dense::of(&found.x));
            let ax = da.times(&x);
            let missed = Dense {
                values: ax
                    .values
                    .iter()
                    .zip(&db.values)
                    .map(|(a, b)| b - a)
                    .collect(),
                ..ax
            };
            // What is missed is orthogonal to the columns; the bound as for pseudoinverses.
            let off = da.adjoint().times(&missed).norm();
            let bound = 1e3 * epsilon(dtype) * (1.0 + da.norm()).powi(2) * (1.0 + x.norm());
            assert!(off <= bound, "{dtype} {m} {n}: {off}");
            let residuals = values(&found.residuals);
            for k in 0..2 {
                for j in 0..3 {
                    let sum: f64 = (0..m).map(|i| missed.at(k, i, j).norm_sqr()).sum();
                    assert!((residuals[3 * k + j] - sum).abs() <= bound * (1.0 + sum));
                }
            }
        }
    }
    let wrong = Tensor::ones(&[3], DType::F64).unwrap();
    assert!(matches!(
        lstsq(&a, &wrong, Tolerance::Rounding),
        Err(Error::Shape { .. })
    ));
}

#[test]
fn powers_are_products() {
    // Fibonacci numbers, in integers and in floats.
    let f = Tensor::from_slice(&[1i64, 1, 1, 0], &[2, 2]).unwrap();
    let p = matrix_power(&f, 30).unwrap();
    assert_eq!(
        p.to_vec::<i64>().unwrap(),
        [1_346_269, 832_040, 832_040, 514_229]
    );
    let back = matrix_power(&f, -3).unwrap();
    let want = [-1.0, 2.0, 2.0, -3.0];
    let both = values(&back).into_iter().zip(want);
    both.for_each(|(a, b)| assert!((a - b).abs() < 1e-14, "{a} {b}"));
    assert_eq!(
        values(&matrix_power(&back, 0).unwrap()),
        [1.0, 0.0, 0.0, 1.0]
    );
    assert_eq!(values(&matrix_power(&f, 1).unwrap()), [1.0, 1.0, 1.0, 0.0]);
    let half = matrix(&[&[0.5]]).broadcast_to(&[2, 1, 1]).unwrap();
    for n in 0..40 {
        assert_eq!(
            values(&matrix_power(&half, n).unwrap()),
            [0.5f64.powi(n as i32); 2]
        );
        assert_eq!(
            values(&matrix_power(&half, -n).unwrap()),
            [2f64.powi(n as i32); 2]
        );
    }
    let singular = Tensor::zeros(&[2, 2], DType::F64).unwrap();
    match matrix_power(&singular, i64::MIN) {
        Err(Error::Matrix {
            op: "matrix_power",
            unfit: Unfit::Singular { pivot: 0 },
            ..
        }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn norms_are_those_of_numpys_documentation() {
    // arange(9) - 4 as a matrix.
    let b = matrix(&[&[-4.0, -3.0, -2.0], &[-1.0, 0.0, 1.0], &[2.0, 3.0, 4.0]]);
    for (norm, want) in [
        (MatrixNorm::Frobenius, 7.745966692414834),
        (MatrixNorm::Infinity, 9.0),
        (MatrixNorm::MinusInfinity, 2.0),
        (MatrixNorm::One, 7.0),
        (MatrixNorm::MinusOne, 6.0),
        (MatrixNorm::Two, 7.348469228349535),
        (MatrixNorm::MinusTwo, 0.0),
        // The sum of 7.348469228349535 and sqrt(6), since the squares are 54, 6 and 0.
        (MatrixNorm::Nuclear, 9.797958971132712),
    ] {
        let got = values(&matrix_norm(&b, norm, Axes::Drop).unwrap())[0];
        assert!((got - want).abs() < 1e-14, "{norm:?} {got}");
        let kept = matrix_norm(&b.cast(DType::I32).unwrap(), norm, Axes::Keep).unwrap();
        assert_eq!((kept.shape(), kept.dtype()), (&[1, 1][..], DType::F64));
        // Two in a stack, of complex numbers: i times the matrix has the same norms.
        let z = b
            .cast(DType::C64)
            .unwrap()
            .broadcast_to(&[2, 3, 3])
            .unwrap();
        let z = apply(Prim::Mul, &[(&z).into(), Complex::new(0.0, 1.0).into()]).unwrap();
        let both = matrix_norm(&z, norm, Axes::Drop).unwrap();
        assert_eq!((both.shape(), both.dtype()), (&[2][..], DType::F32));
        values(&both)
            .iter()
            .for_each(|got| assert!((got - want).abs() < 1e-5, "{norm:?} {got}"));
        let none = Tensor::zeros(&[2, 0, 3], DType::F32).unwrap();
        match matrix_norm(&none, norm, Axes::Drop) {
            Ok(zero) => assert_eq!(values(&zero), [0.0; 2], "{norm:?}"),
            Err(Error::EmptyReduction {
                op: "matrix_norm", ..
            }) => {
                assert!(
                    matches!(norm, MatrixNorm::MinusTwo | MatrixNorm::MinusInfinity),
                    "{norm:?}"
                );
            }
            Err(other) => panic!("{norm:?} {other}"),
        }
    }
    // Condition numbers of NumPy's documentation.
    let a = matrix(&[&[1.0, 0.0, -1.0], &[0.0, 1.0, 0.0], &[1.0, 0.0, 1.0]]);
    for (norm, want) in [
        (MatrixNorm::Two, 2f64.sqrt()),
        (MatrixNorm::Frobenius, 3.1622776601683795),
        (MatrixNorm::Infinity, 2.0),
        (MatrixNorm::MinusInfinity, 1.0),
        (MatrixNorm::One, 2.0),
        (MatrixNorm::MinusOne, 1.0),
        (MatrixNorm::MinusTwo, 0.5f64.sqrt()),
    ] {
        let got = values(&cond(&a, norm).unwrap())[0];
        assert!((got - want).abs() < 1e-14, "{norm:?} {got}");
    }
}

#[test]
fn cross_products_stand_on_both_factors() {
    let a = Tensor::from_slice(&[1.0, 2.0, 3.0], &[3]).unwrap();
    let b = Tensor::from_slice(&[4.0, 5.0, 6.0], &[3]).unwrap();
    assert_eq!(values(&cross(&a, &b, -1).unwrap()), [-3.0, 6.0, -3.0]);
    // Integers, along the first axis, against one vector for each column.
    let many = Tensor::from_slice(&[1i32, 4, 2, 5, 3, 6], &[3, 2]).unwrap();
    let one = Tensor::from_slice(&[4i32, 5, 6], &[3, 1]).unwrap();
    let out = cross(&many, &one, 0).unwrap();
    assert_eq!((out.dtype(), out.shape()), (DType::I32, &[3, 2][..]));
    assert_eq!(values(&out), [-3.0, 0.0, 6.0, 0.0, -3.0, 0.0]);
    for (x, y, axis) in [(&many, &one, 1), (&a, &many, -1), (&many, &a, -2)] {
        assert!(matches!(
            cross(x, y, axis),
            Err(Error::Shape { op: "cross", .. })
        ));
    }
    assert!(matches!(cross(&a, &b, 1), Err(Error::Axis { .. })));
}

/// The series summed in order: a slow definition for matrices of small norm.
fn series(a: &Dense) -> Dense {
    let mut term = Dense::identity(a.count, a.rows);
    let mut sum = term.clone();
    for k in 1..60 {
        term = term.times(a);
        term.values.iter_mut().for_each(|x| *x /= f64::from(k));
        sum.values
            .iter_mut()
            .zip(&term.values)
            .for_each(|(s, t)| *s += t);
    }
    sum
}

#[test]
fn exponentials_are_their_series() {
    for dtype in FIELDS {
        for n in [1, 2, 3, 17, 40] {
            for scale in [0.0, 1e-9, 1e-3, 0.01, 0.1, 0.3, 1.0, 3.0] {
                // Norms up to `scale`.
                let x = numbers(dtype, &[2, n, n], 8);
                let a = apply(Prim::Mul, &[(&x).into(), (scale / n as f64).into()]).unwrap();
                let (got, want) = (Dense::of(&expm(&a).unwrap()), series(&Dense::of(&a)));
                // The condition of e^a is about the norm of a; rounding of n products of n numbers.
                let bound = 10.0 * n as f64 * epsilon(dtype) * want.norm() * (1.0 + scale);
                let off = got.distance(&want);
                assert!(off <= bound, "{dtype} {n} {scale}: {off} > {bound}");
            }
        }
    }
}

#[test]
fn exponentials_of_large_matrices() {
    // Turns by an angle; a stack whose matrices are halved differently often.
    let angles = [0f64, 1e-3, 0.5, 3.0, 40.0, 1e4];
    let mut all = Vec::new();
    for t in angles {
        all.extend([0.0, -t, t, 0.0]);
    }
    let turns = expm(&Tensor::from_slice(&all, &[6, 2, 2]).unwrap()).unwrap();
    for (t, e) in angles.iter().zip(values(&turns).chunks(4)) {
        let (s, c) = t.sin_cos();
        for (x, want) in e.iter().zip([c, -s, s, c]) {
            // An angle is known to its last bit, and squaring doubles errors as often as it doubles the angle.
            assert!(
                (x - want).abs() <= 20.0 * f64::EPSILON * (1.0 + t),
                "{t} {x} {want}"
            );
        }
    }
    // Diagonals are exponentials of numbers, whatever their size.
    let d = [-700f64, -1.0, 0.0, 1.0, 500.0];
    let mut square = vec![0.0; 25];
    d.iter().enumerate().for_each(|(i, x)| square[6 * i] = *x);
    let e = values(&expm(&Tensor::from_slice(&square, &[5, 5]).unwrap()).unwrap());
    for (i, x) in d.iter().enumerate() {
        let (got, want) = (e[6 * i], x.exp());
        assert!((got / want - 1.0).abs() < 1e-11, "{x}: {got} {want}");
    }
    // A large number above the diagonal alone needs no squaring at all: the case that the norms of powers are for.
    let big = matrix(&[&[1.0, 1e6], &[0.0, -1.0]]);
    let e = values(&expm(&big).unwrap());
    let want = [1f64.exp(), 1e6 * 1f64.sinh(), 0.0, (-1f64).exp()];
    for (x, want) in e.iter().zip(want) {
        assert!((x - want).abs() <= 1e-14 * want.abs(), "{x} {want}");
    }
    // Beyond the range: no panic and no endless loop.
    let huge = matrix(&[&[1e300, 0.0], &[1e300, -1e300]]);
    assert!(expm(&huge).is_ok());
}
