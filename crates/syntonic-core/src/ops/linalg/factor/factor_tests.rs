//! Decompositions multiplied out again, over types, layouts and sizes; known values; matrices that have none.
//!
//! Bounds: every algorithm here is backward stable, so what it returns belongs to a matrix that is at most `c n eps |a|` away,
//! with c small (Higham, "Accuracy and Stability of Numerical Algorithms", chapters 9, 10, 19; Golub and Van Loan, chapters
//! 7 and 8). We take c = 20 for the sum of all parts in the Frobenius norm, and `sqrt(n)` for n, since rounding errors do not
//! all point one way, but not less than 4.

use super::samples::{Dense, FIELDS, LENGTHS, epsilon, layouts, numbers};
use super::*;
use crate::dtype::DType;
use crate::error::{Error, Unfit};
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::ops::linalg::matmul;
use crate::tensor::Tensor;
use num_complex::Complex;

/// How far a factorisation is off at most, as a part of the matrix's norm: LAPACK's own tests allow 30 n times the unit (LAPACK
/// Users' Guide, 3rd edition, installation: the threshold of the test ratios).
fn bound(dtype: DType, n: usize) -> f64 {
    20.0 * (n as f64).max(4.0) * epsilon(dtype)
}

/// A matrix with a diagonal that dominates, so that its condition is small: residuals are then also errors.
fn tame(dtype: DType, lead: &[usize], n: usize) -> Tensor {
    let shape: Vec<usize> = lead.iter().copied().chain([n, n]).collect();
    let x = numbers(dtype, &shape, n as u64);
    let one = crate::ops::create::eye(n, n, 0, dtype, x.device()).unwrap();
    let scaled = apply(Prim::Mul, &[(&one).into(), (n as f64).into()]).unwrap();
    apply(Prim::Add, &[(&x).into(), (&scaled).into()])
        .unwrap()
        .eval()
        .unwrap()
}

/// A Hermitian matrix.
fn hermitian(dtype: DType, lead: &[usize], n: usize) -> Tensor {
    let shape: Vec<usize> = lead.iter().copied().chain([n, n]).collect();
    let x = numbers(dtype, &shape, 7 + n as u64);
    let h = operand::adjoint(&x).unwrap();
    let sum = apply(Prim::Add, &[(&x).into(), (&h).into()]).unwrap();
    sum.eval().unwrap()
}

/// A positive definite matrix.
fn definite(dtype: DType, lead: &[usize], n: usize) -> Tensor {
    let x = tame(dtype, lead, n);
    matmul(&x, &operand::adjoint(&x).unwrap()).unwrap()
}

/// The matrix with NaN in the triangle that is not named, off the diagonal.
fn half(x: &Tensor, triangle: Triangle) -> Tensor {
    let nan = Tensor::full(x.shape(), f64::NAN, x.dtype()).unwrap();
    let n = x.shape()[x.ndim() - 1];
    let row = crate::ops::create::arange(0.into(), (n as i64).into(), 1.into(), None, x.device());
    let row = row.unwrap();
    let column = row.expand_dims(&[1]).unwrap();
    let keep = match triangle {
        Triangle::Lower => Prim::Le,
        Triangle::Upper => Prim::Ge,
    };
    let mask = apply(keep, &[(&row).into(), (&column).into()]).unwrap();
    apply(Prim::Select, &[(&mask).into(), x.into(), (&nan).into()])
        .unwrap()
        .eval()
        .unwrap()
}

fn values(x: &Tensor) -> Vec<f64> {
    x.to_vec().unwrap()
}

fn matrix(rows: &[&[f64]]) -> Tensor {
    let all: Vec<f64> = rows.concat();
    Tensor::from_slice(&all, &[rows.len(), rows[0].len()]).unwrap()
}

/// What is wrong with which matrix, for an operation that has to say so.
fn complaint<T: std::fmt::Debug>(outcome: crate::Result<T>) -> (Vec<usize>, Unfit, String) {
    let error = outcome.unwrap_err();
    let text = error.to_string();
    match error {
        Error::Matrix { at, unfit, .. } => (at, unfit, text),
        other => panic!("{other}"),
    }
}

#[test]
fn solutions_solve() {
    for dtype in FIELDS {
        for n in LENGTHS {
            let a = tame(dtype, &[2], n);
            let b = numbers(dtype, &[2, n, 3], 5);
            let (da, db) = (Dense::of(&a), Dense::of(&b));
            for (x, y) in layouts(&a).iter().zip(layouts(&b)) {
                let out = solve(x, &y).unwrap();
                let d = Dense::of(&out);
                let off = da.times(&d).distance(&db);
                let most = bound(dtype, n) * (da.norm() * d.norm() + db.norm());
                assert!(off <= most, "{dtype} {n}: {off} > {most}");
            }
            let one = da.times(&Dense::of(&inv(&a).unwrap()));
            let off = one.distance(&Dense::identity(2, n));
            // The condition of the matrix is below 10.
            assert!(off <= 10.0 * bound(dtype, n), "{dtype} {n}: {off}");
        }
    }
}

#[test]
fn right_sides_broadcast() {
    let a = tame(DType::F64, &[2, 1], 3);
    let b = numbers(DType::F64, &[4, 3, 2], 3);
    let x = solve(&a, &b).unwrap();
    assert_eq!(x.shape(), [2, 4, 3, 2]);
    let near = |a: &Tensor, b: &Tensor| {
        assert_eq!(a.shape(), b.shape());
        let all = values(a).into_iter().zip(values(b));
        all.for_each(|(x, y)| assert!((x - y).abs() < 1e-14, "{x} {y}"));
    };
    for i in 0..2 {
        for j in 0..4 {
            let one = solve(
                &a.select(0, i).unwrap().select(0, 0).unwrap(),
                &b.select(0, j).unwrap(),
            );
            let here = x.select(0, i).unwrap().select(0, j).unwrap();
            near(&here, &one.unwrap());
        }
    }
    // One matrix and a stack of right sides, and the other way round.
    let one = a.select(0, 0).unwrap().select(0, 0).unwrap();
    let x = solve(&one, &b).unwrap();
    assert_eq!(x.shape(), [4, 3, 2]);
    near(&matmul(&one, &x).unwrap(), &b);
    let vector = numbers(DType::F64, &[3], 9);
    let x = solve(&a, &vector).unwrap();
    assert_eq!(x.shape(), [2, 1, 3]);
    let back = matmul(&a, &x.expand_dims(&[-1]).unwrap()).unwrap();
    let back = back.squeeze(&[-1]).unwrap();
    near(&back.select(0, 1).unwrap().select(0, 0).unwrap(), &vector);
}

#[test]
fn determinants_are_those_of_textbooks() {
    let a = matrix(&[&[1.0, 2.0], &[3.0, 4.0]]);
    assert!((values(&det(&a).unwrap())[0] + 2.0).abs() < 1e-15);
    let s = slogdet(&a).unwrap();
    assert_eq!(values(&s.sign), [-1.0]);
    assert!((values(&s.logabsdet)[0] - 2f64.ln()).abs() < 1e-15);
    // Orders of rows: exactly their signs.
    for (order, sign) in [
        ([0, 1, 2, 3], 1.0),
        ([1, 0, 2, 3], -1.0),
        ([1, 2, 0, 3], 1.0),
        ([3, 0, 1, 2], -1.0),
    ] {
        let mut rows = [0.0; 16];
        order
            .iter()
            .enumerate()
            .for_each(|(i, &j)| rows[4 * i + j] = 1.0);
        let p = Tensor::from_slice(&rows, &[4, 4]).unwrap();
        assert_eq!(values(&det(&p).unwrap()), [sign], "{order:?}");
        assert_eq!(values(&slogdet(&p).unwrap().sign), [sign]);
    }
    // A singular one, and one whose determinant is beyond the range.
    let singular = matrix(&[&[1.0, 2.0], &[2.0, 4.0]]);
    assert_eq!(values(&det(&singular).unwrap()), [0.0]);
    let s = slogdet(&singular).unwrap();
    assert_eq!(
        (values(&s.sign)[0], values(&s.logabsdet)[0]),
        (0.0, f64::NEG_INFINITY)
    );
    // A pivot of 0 with others behind it, alone and beside a regular matrix.
    let hollow = matrix(&[&[0.0, 2.0, 1.0], &[0.0, 1.0, 3.0], &[0.0, 7.0, 5.0]]);
    assert_eq!(values(&det(&hollow).unwrap()), [0.0]);
    let one = crate::ops::create::eye(3, 3, 0, DType::F64, a.device()).unwrap();
    let both = crate::ops::join::stack(&[&hollow, &one], 0).unwrap();
    assert_eq!(values(&det(&both).unwrap()), [0.0, 1.0]);
    let s = slogdet(&both).unwrap();
    assert_eq!(values(&s.sign), [0.0, 1.0]);
    assert_eq!(values(&s.logabsdet), [f64::NEG_INFINITY, 0.0]);
    let one = crate::ops::create::eye(400, 400, 0, DType::F64, a.device()).unwrap();
    let large = apply(Prim::Mul, &[(&one).into(), (-10.0).into()]).unwrap();
    let s = slogdet(&large).unwrap();
    assert_eq!(values(&s.sign), [1.0]);
    assert!((values(&s.logabsdet)[0] - 400.0 * 10f64.ln()).abs() < 1e-10);
    // The determinant of a product is that of its factors, whatever the type; integers are floats.
    for dtype in FIELDS {
        let (a, b) = (tame(dtype, &[], 5), tame(dtype, &[], 5));
        let of = |x: &Tensor| det(x).unwrap().to_vec::<Complex<f64>>().unwrap()[0];
        let (both, one) = (of(&matmul(&a, &b).unwrap()), of(&a) * of(&b));
        assert!((both - one).norm() <= bound(dtype, 5) * one.norm() * 5.0);
        let s = slogdet(&a).unwrap();
        let sign = s.sign.to_vec::<Complex<f64>>().unwrap()[0];
        let size = values(&s.logabsdet)[0].exp();
        assert!((sign * size - of(&a)).norm() <= bound(dtype, 5) * size * 5.0);
        assert_eq!(s.logabsdet.dtype(), dtype.real());
    }
    let whole = Tensor::from_slice(&[2i64, 0, 1, 3], &[2, 2]).unwrap();
    let d = det(&whole).unwrap();
    assert_eq!((d.dtype(), values(&d)[0]), (DType::F64, 6.0));
}

#[test]
fn cholesky_factors_multiply_to_the_matrix() {
    for dtype in FIELDS {
        for n in LENGTHS {
            let a = definite(dtype, &[2], n);
            let d = Dense::of(&a);
            for triangle in [Triangle::Lower, Triangle::Upper] {
                for x in layouts(&half(&a, triangle)) {
                    let l = cholesky(&x, triangle).unwrap();
                    if dtype.is_complex() {
                        let off = l
                            .imag()
                            .unwrap()
                            .diagonal(0, -2, -1)
                            .unwrap()
                            .any(..)
                            .unwrap();
                        assert!(!off.to_scalar::<bool>().unwrap(), "a real diagonal");
                    }
                    let f = Dense::of(&l);
                    let product = match triangle {
                        Triangle::Lower => {
                            f.adjoint().assert_upper();
                            f.times(&f.adjoint())
                        }
                        Triangle::Upper => {
                            f.assert_upper();
                            f.adjoint().times(&f)
                        }
                    };
                    let off = product.distance(&d);
                    assert!(off <= bound(dtype, n) * d.norm(), "{dtype} {n}: {off}");
                }
            }
        }
    }
}

#[test]
fn qr_factors_multiply_to_the_matrix() {
    for dtype in FIELDS {
        for (m, n) in [
            (1, 1),
            (2, 3),
            (3, 2),
            (17, 5),
            (5, 17),
            (64, 64),
            (130, 70),
            (70, 130),
        ] {
            let a = numbers(dtype, &[2, m, n], 11);
            let d = Dense::of(&a);
            for mode in [Columns::Reduced, Columns::Complete] {
                for x in layouts(&a) {
                    let Qr { q, r } = qr(&x, mode).unwrap();
                    let p = if mode == Columns::Complete {
                        m
                    } else {
                        m.min(n)
                    };
                    assert_eq!((q.shape(), r.shape()), (&[2, m, p][..], &[2, p, n][..]));
                    let (q, r) = (Dense::of(&q), Dense::of(&r));
                    r.assert_upper();
                    let most = bound(dtype, m.max(n));
                    q.assert_orthonormal(most * (p as f64).sqrt(), &format!("{dtype} {m} {n}"));
                    let off = q.times(&r).distance(&d);
                    assert!(off <= most * d.norm(), "{dtype} {m} {n}: {off}");
                }
            }
        }
    }
}

#[test]
fn singular_values_and_vectors_multiply_to_the_matrix() {
    for dtype in FIELDS {
        for (m, n) in [
            (1, 1),
            (2, 3),
            (3, 2),
            (17, 5),
            (5, 17),
            (64, 64),
            (130, 140),
            (200, 70),
        ] {
            let a = numbers(dtype, &[2, m, n], 13);
            let (d, k, most) = (Dense::of(&a), m.min(n), bound(dtype, m.max(n)));
            for mode in [Columns::Reduced, Columns::Complete] {
                for x in layouts(&a) {
                    let Svd { u, s, vh } = svd(&x, mode).unwrap();
                    let (p, q) = match mode {
                        Columns::Complete => (m, n),
                        Columns::Reduced => (k, k),
                    };
                    assert_eq!((u.shape(), vh.shape()), (&[2, m, p][..], &[2, q, n][..]));
                    assert_eq!((s.shape(), s.dtype()), (&[2, k][..], dtype.real()));
                    for s in values(&s).chunks(k) {
                        assert!(s.windows(2).all(|w| w[0] >= w[1]) && s[k - 1] >= 0.0);
                    }
                    let what = format!("{dtype} {m} {n}");
                    let (du, dv) = (Dense::of(&u), Dense::of(&vh).adjoint());
                    du.assert_orthonormal(most * (p as f64).sqrt(), &what);
                    dv.assert_orthonormal(most * (q as f64).sqrt(), &what);
                    let first = |t: &Tensor| t.slice(-1, None, Some(k as isize), 1).unwrap();
                    let du = Dense::of(&first(&u)).scaled(&s);
                    let dv = Dense::of(&first(&vh.transpose(-2, -1).unwrap()));
                    // V^T, so that V^H is its conjugate.
                    let vh = Dense {
                        values: dv.values.iter().map(|x| x.conj()).collect(),
                        ..dv
                    };
                    let off = du.times(&vh.adjoint()).distance(&d);
                    assert!(off <= most * d.norm(), "{what}: {off}");
                    let alone = values(&svdvals(&x).unwrap());
                    let both = alone.iter().zip(values(&s));
                    both.for_each(|(a, b)| assert!((a - b).abs() <= most * d.norm()));
                }
            }
        }
    }
}

#[test]
fn hermitian_matrices_have_real_eigenvalues() {
    for dtype in FIELDS {
        for n in LENGTHS {
            let a = hermitian(dtype, &[2], n);
            let (d, most) = (Dense::of(&a), bound(dtype, n));
            for triangle in [Triangle::Lower, Triangle::Upper] {
                for x in layouts(&half(&a, triangle)) {
                    let e = eigh(&x, triangle).unwrap();
                    assert_eq!(e.eigenvalues.dtype(), dtype.real());
                    for w in values(&e.eigenvalues).chunks(n) {
                        assert!(w.windows(2).all(|w| w[0] <= w[1]));
                    }
                    let v = Dense::of(&e.eigenvectors);
                    v.assert_orthonormal(most * (n as f64).sqrt(), &format!("{dtype} {n}"));
                    let off = d.times(&v).distance(&v.scaled(&e.eigenvalues));
                    assert!(off <= most * d.norm(), "{dtype} {n}: {off}");
                    let alone = values(&eigvalsh(&x, triangle).unwrap());
                    let both = alone.iter().zip(values(&e.eigenvalues));
                    both.for_each(|(a, b)| assert!((a - b).abs() <= most * d.norm()));
                }
            }
        }
    }
}

#[test]
fn of_a_diagonal_only_the_real_part_is_read() {
    for dtype in [DType::C64, DType::C128] {
        for n in [1, 3, 70] {
            let a = definite(dtype, &[2], n);
            let one = crate::ops::create::eye(n, n, 0, dtype, a.device()).unwrap();
            let turned = Complex::new(0.0, 0.75);
            let other = apply(Prim::Mul, &[(&one).into(), turned.into()]).unwrap();
            let other = apply(Prim::Add, &[(&a).into(), (&other).into()]).unwrap();
            let (d, most) = (Dense::of(&a), bound(dtype, n));
            for triangle in [Triangle::Lower, Triangle::Upper] {
                let f = Dense::of(&cholesky(&other, triangle).unwrap());
                let product = match triangle {
                    Triangle::Lower => f.times(&f.adjoint()),
                    Triangle::Upper => f.adjoint().times(&f),
                };
                let off = product.distance(&d);
                assert!(off <= most * d.norm(), "{dtype} {n}: {off}");
                let e = eigh(&other, triangle).unwrap();
                let v = Dense::of(&e.eigenvectors);
                let off = d.times(&v).distance(&v.scaled(&e.eigenvalues));
                assert!(off <= most * d.norm(), "{dtype} {n}: {off}");
            }
        }
    }
}

#[test]
fn eigenvectors_are_only_stretched() {
    for dtype in FIELDS {
        for n in LENGTHS {
            let a = numbers(dtype, &[2, n, n], 17);
            let (d, most) = (Dense::of(&a), bound(dtype, n));
            for x in layouts(&a) {
                let e = eig(&x).unwrap();
                assert_eq!(e.eigenvalues.dtype(), dtype.complex());
                assert_eq!(e.eigenvectors.dtype(), dtype.complex());
                let v = Dense::of(&e.eigenvectors);
                for k in 0..2 {
                    for j in 0..n {
                        let length: f64 = (0..n).map(|i| v.at(k, i, j).norm_sqr()).sum();
                        assert!((length - 1.0).abs() <= most, "{dtype} {n} {length}");
                    }
                }
                let off = d.times(&v).distance(&v.scaled(&e.eigenvalues));
                // The vectors are no orthonormal ones, and as many as n of length 1.
                assert!(
                    off <= most * d.norm() * (n as f64).sqrt(),
                    "{dtype} {n}: {off}"
                );
                // Those of the values alone are another run; a value of a matrix that is not normal moves by its condition
                // times the rounding errors, so their sum is compared, which is the trace.
                let alone = eigvals(&x).unwrap().to_vec::<Complex<f64>>().unwrap();
                for (k, w) in alone.chunks(n).enumerate() {
                    let trace: Complex<f64> = (0..n).map(|i| d.at(k, i, i)).sum();
                    let sum: Complex<f64> = w.iter().sum();
                    assert!((trace - sum).norm() <= most * d.norm() * (n as f64).sqrt());
                }
            }
        }
    }
}

#[test]
fn known_eigenvalues() {
    // A turn by a right angle.
    let turn = matrix(&[&[0.0, -1.0], &[1.0, 0.0]]);
    let e = eig(&turn).unwrap();
    let mut w = e.eigenvalues.to_vec::<Complex<f64>>().unwrap();
    w.sort_by(|a, b| a.im.total_cmp(&b.im));
    let (down, up) = (w[0] + Complex::i(), w[1] - Complex::i());
    assert!(down.norm() < 1e-15 && up.norm() < 1e-15, "{w:?}");
    // 2 and 3 on the diagonal of a triangle.
    let upper = matrix(&[&[2.0, 1.0], &[0.0, 3.0]]);
    let mut w = eigvals(&upper).unwrap().to_vec::<Complex<f64>>().unwrap();
    w.sort_by(|a, b| a.re.total_cmp(&b.re));
    assert_eq!(w, [Complex::new(2.0, 0.0), Complex::new(3.0, 0.0)]);
    // 1 and 3, by hand.
    let a = matrix(&[&[2.0, 1.0], &[1.0, 2.0]]);
    let w = values(&eigvalsh(&a, Triangle::Lower).unwrap());
    assert!(
        (w[0] - 1.0).abs() < 1e-15 && (w[1] - 3.0).abs() < 1e-15,
        "{w:?}"
    );
    // Singular values of a diagonal are its magnitudes in order.
    let d = matrix(&[&[0.0, -3.0, 0.0], &[2.0, 0.0, 0.0]]);
    let s = values(&svdvals(&d).unwrap());
    assert!(
        (s[0] - 3.0).abs() < 1e-15 && (s[1] - 2.0).abs() < 1e-15,
        "{s:?}"
    );
}

#[test]
fn sizes_at_the_edge_of_the_range_do_no_harm() {
    for (dtype, edge) in [(DType::F64, 1e300), (DType::F32, 1e36)] {
        for scale in [edge, 1.0 / edge] {
            let plain = hermitian(dtype, &[], 20);
            let a = apply(Prim::Mul, &[(&plain).into(), scale.into()]).unwrap();
            let most = bound(dtype, 20) * Dense::of(&plain).norm();
            let close = |a: &Tensor, b: &Tensor| {
                for (x, y) in values(a).iter().zip(values(b)) {
                    assert!((x / scale - y).abs() <= most, "{dtype} {scale}: {x} {y}");
                }
            };
            let low = Triangle::Lower;
            close(&svdvals(&a).unwrap(), &svdvals(&plain).unwrap());
            close(&eigvalsh(&a, low).unwrap(), &eigvalsh(&plain, low).unwrap());
            let e = eig(&a).unwrap();
            let mut w: Vec<f64> = e.eigenvalues.real().unwrap().to_vec().unwrap();
            w.sort_by(f64::total_cmp);
            let w = Tensor::from_vec(w, &[20]).unwrap();
            close(&w, &eigvalsh(&plain, low).unwrap());
        }
    }
    // Nothing but zeros.
    let zeros = Tensor::zeros(&[4, 4], DType::F64).unwrap();
    assert_eq!(values(&svdvals(&zeros).unwrap()), [0.0; 4]);
    assert_eq!(
        values(&eigvalsh(&zeros, Triangle::Lower).unwrap()),
        [0.0; 4]
    );
    let e = eig(&zeros).unwrap();
    assert_eq!(values(&e.eigenvalues.real().unwrap()), [0.0; 4]);
    let v = svd(&zeros, Columns::Complete).unwrap();
    Dense::of(&v.u).assert_orthonormal(1e-14, "zeros");
    Dense::of(&v.vh).assert_orthonormal(1e-14, "zeros");
}

#[test]
fn nothing_is_decomposed_too() {
    for dtype in FIELDS {
        let none = Tensor::zeros(&[0, 0], dtype).unwrap();
        let stack = Tensor::zeros(&[0, 3, 3], dtype).unwrap();
        let empties = Tensor::zeros(&[2, 0, 0], dtype).unwrap();
        let one = |x: &Tensor| x.to_vec::<Complex<f64>>().unwrap();
        assert_eq!(one(&det(&none).unwrap()), [Complex::new(1.0, 0.0)]);
        assert_eq!(one(&det(&empties).unwrap()), [Complex::new(1.0, 0.0); 2]);
        assert_eq!(values(&slogdet(&none).unwrap().logabsdet), [0.0]);
        for x in [&none, &stack, &empties] {
            assert_eq!(inv(x).unwrap().shape(), x.shape());
            assert_eq!(solve(x, x).unwrap().shape(), x.shape());
            assert_eq!(cholesky(x, Triangle::Upper).unwrap().shape(), x.shape());
            assert_eq!(
                eigh(x, Triangle::Lower).unwrap().eigenvectors.shape(),
                x.shape()
            );
            assert_eq!(eig(x).unwrap().eigenvectors.shape(), x.shape());
            assert_eq!(eigvals(x).unwrap().shape(), &x.shape()[..x.ndim() - 1]);
            assert_eq!(pinv(x, Tolerance::Rounding).unwrap().shape(), x.shape());
            assert_eq!(expm(x).unwrap().shape(), x.shape());
            let lead = &x.shape()[..x.ndim() - 2];
            assert_eq!(matrix_rank(x, Tolerance::Rounding).unwrap().shape(), lead);
            assert_eq!(det(x).unwrap().shape(), lead);
        }
        let flat = Tensor::zeros(&[3, 0], dtype).unwrap();
        let tall = qr(&flat, Columns::Complete).unwrap();
        assert_eq!((tall.q.shape(), tall.r.shape()), (&[3, 3][..], &[3, 0][..]));
        Dense::of(&tall.q).assert_orthonormal(0.0, "complete");
        assert_eq!(qr(&flat, Columns::Reduced).unwrap().q.shape(), [3, 0]);
        let v = svd(&flat, Columns::Complete).unwrap();
        assert_eq!(
            (v.u.shape(), v.s.shape(), v.vh.shape()),
            (&[3, 3][..], &[0][..], &[0, 0][..])
        );
        let v = svd(&flat, Columns::Reduced).unwrap();
        assert_eq!(
            (v.u.shape(), v.s.shape(), v.vh.shape()),
            (&[3, 0][..], &[0][..], &[0, 0][..])
        );
        assert_eq!(pinv(&flat, Tolerance::Rounding).unwrap().shape(), [0, 3]);
    }
}

#[test]
fn matrices_that_are_unfit_are_named() {
    let mut all = tame(DType::F64, &[2, 3], 2);
    let singular = matrix(&[&[1.0, 2.0], &[2.0, 4.0]]);
    let place = |all: &mut Tensor, at: (i64, i64), x: &Tensor| {
        let view = all.select(0, at.0).unwrap().select(0, at.1).unwrap();
        // SAFETY: nobody else has this memory.
        unsafe { view.assign_aliased(x).unwrap() };
    };
    place(&mut all, (1, 2), &singular);
    let (at, unfit, text) = complaint(inv(&all));
    assert_eq!((at, unfit), (vec![1, 2], Unfit::Singular { pivot: 1 }));
    assert_eq!(
        text,
        "inv: the matrix at [1, 2] of float64[2, 3, 2, 2] on cpu is singular: pivot 1 is 0; hint: lstsq and pinv take such matrices"
    );
    let (at, ..) = complaint(solve(
        &all,
        &Tensor::ones(&[4, 1, 1, 2, 1], DType::F64).unwrap(),
    ));
    assert_eq!(at, [1, 2]);
    let (at, _, text) = complaint(solve(&singular, &Tensor::ones(&[2], DType::F64).unwrap()));
    assert!(
        at.is_empty() && text.contains("the matrix float64[2, 2] on cpu"),
        "{text}"
    );
    let indefinite = matrix(&[&[1.0, 2.0], &[2.0, 1.0]]);
    let (_, unfit, _) = complaint(cholesky(&indefinite, Triangle::Lower));
    assert_eq!(unfit, Unfit::NotPositiveDefinite { order: 2 });
    let zero = Tensor::zeros(&[3, 3], DType::C64).unwrap();
    let (_, unfit, _) = complaint(cholesky(&zero, Triangle::Upper));
    assert_eq!(unfit, Unfit::NotPositiveDefinite { order: 1 });
    // Not finite: an error where results would mean nothing, NaN where they are numbers of that matrix alone.
    for bad in [f64::NAN, f64::INFINITY] {
        let mut x = tame(DType::F64, &[2, 3], 2);
        place(
            &mut x,
            (0, 1),
            &Tensor::full(&[2, 2], bad, DType::F64).unwrap(),
        );
        for outcome in [
            cholesky(&x, Triangle::Lower).map(drop),
            svd(&x, Columns::Reduced).map(drop),
            svdvals(&x).map(drop),
            eigh(&x, Triangle::Upper).map(drop),
            eigvalsh(&x, Triangle::Upper).map(drop),
            eig(&x).map(drop),
            eigvals(&x).map(drop),
            pinv(&x, Tolerance::Rounding).map(drop),
            matrix_rank(&x, Tolerance::Rounding).map(drop),
        ] {
            let (at, unfit, _) = complaint(outcome);
            assert_eq!((at, unfit), (vec![0, 1], Unfit::NotFinite));
        }
        let factors = qr(&x, Columns::Reduced).unwrap();
        let slog = slogdet(&x).unwrap();
        for (result, own) in [
            (inv(&x).unwrap(), 4),
            (det(&x).unwrap(), 1),
            (slog.sign, 1),
            (slog.logabsdet, 1),
            (factors.q, 4),
            (factors.r, 4),
            (expm(&x).unwrap(), 4),
        ] {
            for (k, part) in values(&result).chunks(own).enumerate() {
                assert!(part.iter().all(|v| v.is_nan() == (k == 1)), "{k} {part:?}");
            }
        }
    }
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    let zeros = |shape: &[usize], dtype| Tensor::zeros(shape, dtype).unwrap();
    for dtype in [DType::F16, DType::BF16] {
        let text = det(&zeros(&[2, 2], dtype)).unwrap_err().to_string();
        assert!(
            text.contains(&format!("det: not defined for {dtype}[2, 2] on cpu")),
            "{text}"
        );
        assert!(
            text.contains("convert with .cast(dtype), for instance to float32"),
            "{text}"
        );
        assert!(matches!(
            svd(&zeros(&[2, 3], dtype), Columns::Reduced),
            Err(Error::DType { .. })
        ));
    }
    for dtype in [DType::Bool, DType::I8, DType::U64] {
        let one = Tensor::ones(&[1, 1], dtype).unwrap();
        assert_eq!(inv(&one).unwrap().dtype(), DType::F64);
        assert_eq!(eigvals(&one).unwrap().dtype(), DType::C128);
    }
    for shape in [&[][..], &[3], &[2, 3]] {
        let x = zeros(shape, DType::F32);
        assert!(matches!(inv(&x), Err(Error::Shape { op: "inv", .. })));
        assert!(matches!(eig(&x), Err(Error::Shape { op: "eig", .. })));
        assert!(matches!(expm(&x), Err(Error::Shape { op: "expm", .. })));
        assert!(matches!(matrix_power(&x, 2), Err(Error::Shape { .. })));
    }
    let a = tame(DType::F64, &[2], 3);
    for shape in [&[][..], &[2], &[2, 3], &[3, 3, 1], &[2, 2, 1]] {
        let outcome = solve(&a, &zeros(shape, DType::F64));
        assert!(
            matches!(outcome, Err(Error::Shape { op: "solve", .. })),
            "{shape:?}"
        );
    }
}

#[test]
fn a_stack_can_be_stopped() {
    use crate::interrupt::{Answer, heeding};
    let many = Tensor::ones(&[1, 60, 60], DType::F64)
        .unwrap()
        .broadcast_to(&[100_000, 60, 60])
        .unwrap();
    let outcome = heeding(|| Answer::Stop, || svdvals(&many));
    assert!(
        matches!(outcome, Err(Error::Interrupted { .. })),
        "{outcome:?}"
    );
}
