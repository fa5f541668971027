//! Products against the triple loop over the widest numbers.

use super::*;
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::random::Generator;
use crate::{DType, Error, Scalar, Tensor};
use num_complex::Complex;

type C = Complex<f64>;

/// How an operand of some shape lies in memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lies {
    RowMajor,
    Transposed,
    Strided,
    Reversed,
    Repeated,
}

pub(super) const LAYOUTS: [Lies; 5] = [
    Lies::RowMajor,
    Lies::Transposed,
    Lies::Strided,
    Lies::Reversed,
    Lies::Repeated,
];

/// Small random numbers of `dtype`: integers that wrap now and then, floats of both signs.
fn fresh(dtype: DType, shape: &[usize], g: &mut Generator) -> Tensor {
    let n: usize = shape.iter().product();
    if dtype.is_integer() {
        let mut values = vec![0i64; n];
        g.integers(&mut values, -40, 90).unwrap();
        return Tensor::from_vec(values, shape)
            .unwrap()
            .cast(dtype)
            .unwrap();
    }
    let mut values = vec![0f64; 2 * n];
    g.normal_f64(&mut values);
    let pairs: Vec<C> = values.chunks(2).map(|z| C::new(z[0], z[1])).collect();
    if dtype.is_complex() {
        Tensor::from_vec(pairs, shape).unwrap().cast(dtype).unwrap()
    } else {
        let real: Vec<f64> = pairs.iter().map(|z| z.re).collect();
        Tensor::from_vec(real, shape).unwrap().cast(dtype).unwrap()
    }
}

/// An operand of this shape that lies in this way.
pub(super) fn operand(dtype: DType, shape: &[usize], lies: Lies, g: &mut Generator) -> Tensor {
    match lies {
        Lies::RowMajor => fresh(dtype, shape, g),
        Lies::Transposed => {
            let mut turned = shape.to_vec();
            turned.reverse();
            let order: Vec<isize> = (0..shape.len() as isize).rev().collect();
            fresh(dtype, &turned, g).permute(&order).unwrap()
        }
        Lies::Strided => {
            let wide: Vec<usize> = shape.iter().map(|d| 2 * d + 1).collect();
            let mut x = fresh(dtype, &wide, g);
            for (axis, &len) in shape.iter().enumerate() {
                let end = Some(1 + 2 * len as isize);
                x = x.slice(axis as isize, Some(1), end, 2).unwrap();
            }
            x
        }
        Lies::Reversed => {
            let axes: Vec<isize> = (0..shape.len() as isize).collect();
            fresh(dtype, shape, g).flip(&axes).unwrap()
        }
        Lies::Repeated => {
            let mut narrow = shape.to_vec();
            if let Some(first) = narrow.first_mut() {
                *first = 1.min(*first);
            }
            fresh(dtype, &narrow, g).broadcast_to(shape).unwrap()
        }
    }
}

/// Half the distance of 1 to the next number.
fn roundoff(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 2f64.powi(-11),
        DType::BF16 => 2f64.powi(-8),
        DType::F32 | DType::C64 => 2f64.powi(-24),
        _ => 2f64.powi(-53),
    }
}

/// What a sum of `k` products may be off by, given the sum of their magnitudes.
pub(super) fn bound(dtype: DType, k: usize, magnitude: f64, value: f64) -> f64 {
    let u = roundoff(dtype.compute());
    let sum = 3.0 * (k as f64 + 2.0) * u * magnitude;
    if dtype.is_half() {
        sum + 2.0 * roundoff(dtype) * value + 1e-7
    } else {
        sum
    }
}

/// `[m, k] @ [k, n]` by its definition, as values and sums of magnitudes.
fn definition(a: &[C], b: &[C], m: usize, k: usize, n: usize) -> Vec<(C, f64)> {
    let cell = |i: usize, j: usize| {
        (0..k).fold((C::default(), 0.0), |(sum, size), l| {
            let (x, y) = (a[i * k + l], b[l * n + j]);
            (sum + x * y, size + x.norm() * y.norm())
        })
    };
    (0..m * n).map(|at| cell(at / n, at % n)).collect()
}

fn check_matrix(a: &Tensor, b: &Tensor, got: &Tensor, what: &str) {
    let (m, k, n) = (a.shape()[0], a.shape()[1], b.shape()[1]);
    assert_eq!(got.shape(), [m, n], "{what}");
    let dtype = got.dtype();
    if dtype.is_integer() {
        let (x, y, z) = (longs(a), longs(b), longs(got));
        for (at, &got) in z.iter().enumerate() {
            let (i, j) = (at / n, at % n);
            let want = (0..k).fold(0i64, |s, l| {
                s.wrapping_add(x[i * k + l].wrapping_mul(y[l * n + j]))
            });
            let want = Scalar::Int(want.into()).cast(dtype).cast(DType::I64);
            assert_eq!(Scalar::Int(got.into()), want, "{what} at {i}, {j}");
        }
        return;
    }
    let want = definition(&values(a), &values(b), m, k, n);
    for (at, (z, (w, size))) in values(got).iter().zip(&want).enumerate() {
        let limit = bound(dtype, k, *size, w.norm());
        assert!((z - w).norm() <= limit, "{what} at {at}: {z} for {w}");
    }
}

pub(super) fn values(x: &Tensor) -> Vec<C> {
    x.to_vec::<C>().unwrap()
}

fn longs(x: &Tensor) -> Vec<i64> {
    x.to_vec::<i64>().unwrap()
}

#[test]
fn every_dtype_and_layout_follows_the_definition() {
    let mut g = Generator::new(1);
    for dtype in DType::ALL.into_iter().filter(|d| !d.is_bool()) {
        for x in LAYOUTS {
            for y in LAYOUTS {
                let a = operand(dtype, &[7, 13], x, &mut g);
                let b = operand(dtype, &[13, 9], y, &mut g);
                let what = format!("{dtype} {x:?} {y:?}");
                check_matrix(&a, &b, &matmul(&a, &b).unwrap(), &what);
            }
        }
    }
}

#[test]
fn lengths_around_the_blocks() {
    let mut g = Generator::new(2);
    for dtype in [
        DType::F32,
        DType::C64,
        DType::I8,
        DType::I32,
        DType::U64,
        DType::BF16,
    ] {
        for (m, k, n) in [
            (1, 1, 1),
            (4, 4, 4),
            (5, 4, 4),
            (1, 300, 1),
            (1, 257, 33),
            (70, 257, 1),
            (65, 256, 129),
            (3, 513, 34),
            (0, 3, 2),
            (2, 3, 0),
            (3, 0, 4),
        ] {
            let a = operand(dtype, &[m, k], Lies::RowMajor, &mut g);
            let b = operand(dtype, &[k, n], Lies::Transposed, &mut g);
            let what = format!("{dtype} {m} {k} {n}");
            check_matrix(&a, &b, &matmul(&a, &b).unwrap(), &what);
        }
    }
}

#[test]
fn large_products_are_cut_into_pieces_without_a_seam() {
    let mut g = Generator::new(3);
    for (dtype, m, k, n) in [
        (DType::F32, 300, 130, 210),
        (DType::F64, 1100, 40, 520),
        (DType::C128, 200, 50, 200),
        (DType::F16, 260, 65, 600),
        (DType::I16, 400, 70, 250),
        (DType::F64, 3, 1200, 2100),
    ] {
        let a = operand(dtype, &[m, k], Lies::Transposed, &mut g);
        let b = operand(dtype, &[k, n], Lies::RowMajor, &mut g);
        check_matrix(&a, &b, &matmul(&a, &b).unwrap(), &format!("{dtype}"));
    }
}

#[test]
fn stacks_broadcast() {
    let mut g = Generator::new(4);
    for x in LAYOUTS {
        let a = operand(DType::F64, &[3, 1, 2, 4], x, &mut g);
        let b = operand(DType::F64, &[5, 4, 3], Lies::Strided, &mut g);
        let out = matmul(&a, &b).unwrap();
        assert_eq!(out.shape(), [3, 5, 2, 3]);
        for i in 0..3 {
            for j in 0..5 {
                let part = a.select(0, i).unwrap().select(0, 0).unwrap();
                let got = out.select(0, i).unwrap().select(0, j).unwrap();
                let what = format!("{x:?} {i} {j}");
                check_matrix(&part, &b.select(0, j).unwrap(), &got, &what);
            }
        }
    }
}

#[test]
fn a_stack_times_one_matrix_and_many_small_products() {
    let mut g = Generator::new(5);
    let a = operand(DType::F32, &[6, 5, 8], Lies::RowMajor, &mut g);
    let b = operand(DType::F32, &[8, 3], Lies::RowMajor, &mut g);
    let out = matmul(&a, &b).unwrap().reshape(&[30, 3]).unwrap();
    check_matrix(&a.reshape(&[30, 8]).unwrap(), &b, &out, "folded rows");

    let many = operand(DType::F64, &[40_000, 6, 6], Lies::RowMajor, &mut g);
    let out = bmm(&many, &many).unwrap();
    for at in [0, 1, 19_999, 39_999] {
        let one = many.select(0, at).unwrap();
        check_matrix(&one, &one, &out.select(0, at).unwrap(), "many");
    }
}

#[test]
fn vectors_are_rows_on_the_left_and_columns_on_the_right() {
    let v = Tensor::from_slice(&[1.0f64, 2.0, 3.0], &[3]).unwrap();
    let m = Tensor::from_slice(&[1.0f64, 0.0, 2.0, -1.0, 0.5, 4.0], &[3, 2]).unwrap();
    let stack = m.broadcast_to(&[4, 3, 2]).unwrap();
    assert_eq!(matmul(&v, &v).unwrap().item().unwrap(), Scalar::Float(14.0));
    assert_eq!(
        matmul(&v, &m).unwrap().to_vec::<f64>().unwrap(),
        [6.5, 10.0]
    );
    let turned = matrix_transpose(&stack).unwrap();
    let out = matmul(&turned, &v).unwrap();
    assert_eq!(out.shape(), [4, 2]);
    assert_eq!(out.to_vec::<f64>().unwrap()[6..], [6.5, 10.0]);
    assert_eq!(matmul(&v, &stack).unwrap().shape(), [4, 2]);
}

#[test]
fn dtypes_promote() {
    let a = Tensor::ones(&[2, 3], DType::I8).unwrap();
    let b = Tensor::ones(&[3, 2], DType::U8).unwrap();
    assert_eq!(matmul(&a, &b).unwrap().dtype(), DType::I16);
    let b = Tensor::ones(&[3, 2], DType::F32).unwrap();
    let out = matmul(&a, &b).unwrap();
    assert_eq!(
        (out.dtype(), out.to_vec::<f32>().unwrap()),
        (DType::F32, vec![3.0; 4])
    );
}

#[test]
fn nothing_summed_is_zero() {
    for dtype in [DType::I32, DType::F16, DType::F32, DType::C128] {
        let a = Tensor::ones(&[2, 0], dtype).unwrap();
        let b = Tensor::ones(&[0, 3], dtype).unwrap();
        let out = matmul(&a, &b).unwrap();
        assert_eq!(out.to_vec::<f64>().unwrap(), [0.0; 6], "{dtype}");
        let c = Tensor::full(&[3], 2.0, dtype).unwrap();
        let out = matmul_scaled(5, &a, &b, 3, &c).unwrap();
        assert_eq!(out.to_vec::<f64>().unwrap(), [6.0; 6], "{dtype}");
    }
}

#[test]
fn scaled_products_add_to_what_is_there() {
    let mut g = Generator::new(6);
    for dtype in [DType::I32, DType::BF16, DType::F32, DType::F64, DType::C64] {
        for size in [3usize, 40] {
            let a = operand(dtype, &[size, size], Lies::Strided, &mut g);
            let b = operand(dtype, &[size, size], Lies::Reversed, &mut g);
            let c = operand(dtype, &[size], Lies::RowMajor, &mut g);
            let got = values(&matmul_scaled(2, &a, &b, -3, &c).unwrap());
            let want = definition(&values(&a), &values(&b), size, size, size);
            let c = values(&c);
            for (at, (w, magnitude)) in want.iter().enumerate() {
                let w = w * 2.0 - c[at % size] * 3.0;
                let all = 2.0 * magnitude + 3.0 * c[at % size].norm();
                let limit = bound(dtype, size, all, all);
                assert!((got[at] - w).norm() <= limit, "{dtype} {size} at {at}");
            }
        }
    }
}

#[test]
fn a_factor_of_zero_does_not_read() {
    let a = Tensor::ones(&[30, 30], DType::F32).unwrap();
    let nan = Tensor::full(&[30, 30], f64::NAN, DType::F32).unwrap();
    let out = matmul_scaled(1, &a, &a, 0, &nan).unwrap();
    assert_eq!(out.to_vec::<f32>().unwrap(), [30.0; 900]);
}

#[test]
fn conjugates_are_taken_where_they_are_read() {
    let mut g = Generator::new(7);
    for dtype in [DType::C64, DType::C128] {
        let a = operand(dtype, &[120, 100], Lies::RowMajor, &mut g);
        let b = operand(dtype, &[120, 90], Lies::Transposed, &mut g);
        let conj = |x: &Tensor| apply(Prim::Conj, &[x.into()]).unwrap();
        let pending = matrix_transpose(&conj(&a)).unwrap();
        assert!(pending.is_pending());
        let got = matmul(&pending, &conj(&b)).unwrap();
        assert!(pending.is_pending(), "the product read the original");
        let (x, y) = (pending.eval().unwrap(), conj(&b).eval().unwrap());
        check_matrix(&x, &y, &got, "conjugates");
        let row = pending.slice(0, Some(0), Some(1), 1).unwrap();
        check_matrix(&row, &y, &matmul(&row, &y).unwrap(), "conjugate row");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut g = Generator::new(8);
    let a = operand(DType::F32, &[700, 300], Lies::RowMajor, &mut g);
    let b = operand(DType::F32, &[300, 650], Lies::RowMajor, &mut g);
    let in_pool = |threads: usize| {
        let pool = crate::cpu::threads::Threads::new(threads);
        pool.install(|| matmul(&a, &b).unwrap().to_vec::<f32>().unwrap())
    };
    let one = in_pool(1);
    assert!(one == in_pool(2) && one == in_pool(5));
}

#[test]
fn mistakes_name_the_operands() {
    let a = Tensor::zeros(&[2, 3], DType::F32).unwrap();
    let e = matmul(&a, &a).unwrap_err().to_string();
    assert!(
        e.contains("matmul") && e.contains("float32[2, 3] on cpu, float32[2, 3]"),
        "{e}"
    );
    let v = Tensor::zeros(&[4], DType::F32).unwrap();
    let e = matmul(&a, &v).unwrap_err().to_string();
    assert!(e.contains("float32[4]"), "{e}");
    let number = Tensor::scalar(1.0, DType::F32).unwrap();
    assert!(matches!(matmul(&a, &number), Err(Error::Shape { .. })));
    let truth = Tensor::zeros(&[3, 2], DType::Bool).unwrap();
    assert!(matches!(matmul(&truth, &truth), Err(Error::DType { .. })));
    let (x, y) = (
        Tensor::zeros(&[2, 3, 4], DType::F32).unwrap(),
        Tensor::zeros(&[3, 4, 5], DType::F32).unwrap(),
    );
    assert!(matches!(matmul(&x, &y), Err(Error::Shape { .. })));
    assert!(matches!(bmm(&x, &y), Err(Error::Shape { .. })));
    let good = Tensor::zeros(&[3, 2], DType::F32).unwrap();
    assert!(matches!(
        matmul_scaled(1, &a, &good, 1, &v),
        Err(Error::Shape { .. })
    ));
    assert!(matches!(matrix_transpose(&v), Err(Error::Shape { .. })));
}
