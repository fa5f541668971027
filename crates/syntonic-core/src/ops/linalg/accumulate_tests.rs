//! Products that are added to what is there: whose memory is written, and whose never.

use super::tests::{LAYOUTS, Lies, bound, operand, values};
use super::*;
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::random::Generator;
use crate::{DType, Error, Scalar, Tensor};

fn address(x: &Tensor) -> usize {
    x.buffer().unwrap().address() as usize
}

/// Two products with the factors 2 and -3, kept apart from the function under test by `matmul_scaled`.
fn check(dtype: DType, got: &Tensor, a: &Tensor, b: &Tensor, c: &Tensor, what: &str) {
    let want = matmul_scaled(2, a, b, -3, c).unwrap();
    assert_eq!((got.dtype(), got.shape()), (dtype, want.shape()), "{what}");
    if dtype.is_integer() {
        assert_eq!(values(got), values(&want), "{what}");
        return;
    }
    // A sum that lies otherwise may be added up in another order.
    let largest = |x: &Tensor| values(x).iter().map(|z| z.norm()).fold(0.0, f64::max);
    let k = *a.shape().last().unwrap();
    let size = 2.0 * k as f64 * largest(a) * largest(b) + 3.0 * largest(c);
    let limit = 2.0 * bound(dtype, k, size, size);
    for (x, y) in values(got).iter().zip(values(&want)) {
        assert!((x - y).norm() <= limit, "{what}: {x} for {y}");
    }
}

#[test]
fn the_only_holder_is_written_in_place_however_it_lies() {
    let mut g = Generator::new(1);
    for dtype in DType::ALL.into_iter().filter(|d| !d.is_bool()) {
        for lies in LAYOUTS {
            let a = operand(dtype, &[9, 20], Lies::RowMajor, &mut g);
            let b = operand(dtype, &[20, 11], lies, &mut g);
            let c = operand(dtype, &[9, 11], lies, &mut g).eval().unwrap();
            let kept = c.copy().unwrap();
            let before = address(&c);
            let got = accumulate(2, &a, &b, -3, c).unwrap();
            let what = format!("{dtype} {lies:?}");
            check(dtype, &got, &a, &b, &kept, &what);
            // Rows that are one row in memory cannot take different sums.
            assert_eq!(
                address(&got) == before,
                !matches!(lies, Lies::Repeated),
                "{what}"
            );
        }
    }
}

#[test]
fn memory_that_others_hold_stays_as_it_is() {
    let mut g = Generator::new(2);
    let square = |g: &mut Generator| operand(DType::F64, &[40, 40], Lies::RowMajor, g);
    let (a, b, c) = (square(&mut g), square(&mut g), square(&mut g));
    let kept = c.copy().unwrap();
    let held = c.clone();
    let got = accumulate(2, &a, &b, -3, c).unwrap();
    assert_ne!(address(&got), address(&held));
    assert_eq!(values(&held), values(&kept));
    check(DType::F64, &got, &a, &b, &kept, "a clone");

    let view = held.slice(0, Some(3), Some(5), 1).unwrap();
    let got = accumulate(2, &a, &b, -3, held).unwrap();
    check(DType::F64, &got, &a, &b, &kept, "a view");
    assert_eq!(values(&view)[..], values(&kept)[120..200]);
}

#[test]
fn operands_that_are_the_sum_itself_are_read_before_it_is_written() {
    let mut g = Generator::new(3);
    for dtype in [DType::F32, DType::C64, DType::I32] {
        let x = operand(dtype, &[100, 100], Lies::RowMajor, &mut g);
        let kept = x.copy().unwrap();
        let turned = matrix_transpose(&kept).unwrap();
        let got = accumulate(2, &x, &x, -3, x.clone()).unwrap();
        check(dtype, &got, &kept, &kept, &kept, "both");
        let got = accumulate(2, &matrix_transpose(&x).unwrap(), &kept, -3, x.clone()).unwrap();
        check(dtype, &got, &turned, &kept, &kept, "transposed");
        if dtype.is_complex() {
            // The conjugate is not computed yet when the sum is handed over.
            let pending = apply(Prim::Conj, &[(&x).into()]).unwrap();
            let conj = apply(Prim::Conj, &[(&kept).into()]).unwrap();
            let got = accumulate(2, &kept, &pending, -3, x).unwrap();
            check(dtype, &got, &kept, &conj, &kept, "conjugate");
            assert_eq!(values(&pending), values(&conj));
        }
    }
}

#[test]
fn an_expression_is_computed_and_becomes_the_sum() {
    let mut g = Generator::new(4);
    let a = operand(DType::F32, &[120, 120], Lies::RowMajor, &mut g);
    let double = || apply(Prim::Add, &[(&a).into(), (&a).into()]).unwrap();
    let pending = double();
    assert!(pending.is_pending());
    let kept = double().eval().unwrap();
    let other = pending.clone();
    let got = accumulate(2, &a, &a, -3, pending).unwrap();
    check(DType::F32, &got, &a, &a, &kept, "expression");
    assert_eq!(values(&other), values(&kept));
    let got = accumulate(2, &a, &a, -3, double()).unwrap();
    check(DType::F32, &got, &a, &a, &kept, "nobody else's expression");
}

#[test]
fn a_factor_of_zero_reads_nothing_and_still_reuses_the_memory() {
    let a = Tensor::ones(&[30, 30], DType::F32).unwrap();
    let nan = Tensor::full(&[30, 30], f64::NAN, DType::F32).unwrap();
    let before = address(&nan);
    let got = accumulate(1, &a, &a, 0, nan).unwrap();
    assert_eq!(address(&got), before);
    assert_eq!(got.to_vec::<f32>().unwrap(), [30.0; 900]);
    let number = Tensor::scalar(f64::INFINITY, DType::F32).unwrap();
    let got = accumulate(1, &a, &a, 0, number).unwrap();
    assert_eq!(got.to_vec::<f32>().unwrap(), [30.0; 900]);
}

#[test]
fn shapes_and_types_that_do_not_fit_get_other_memory() {
    let mut g = Generator::new(5);
    let a = operand(DType::F32, &[2, 1, 5, 6], Lies::Strided, &mut g);
    let b = operand(DType::F32, &[3, 6, 4], Lies::Reversed, &mut g);
    for (dtype, shape) in [
        (DType::F32, vec![4]),
        (DType::F64, vec![2, 3, 5, 4]),
        (DType::I8, vec![2, 3, 5, 4]),
        (DType::C64, vec![]),
    ] {
        let c = operand(dtype, &shape, Lies::RowMajor, &mut g);
        let got = accumulate(2, &a, &b, -3, c.clone()).unwrap();
        let what = format!("{dtype} {shape:?}");
        check(dtype.promote(DType::F32), &got, &a, &b, &c, &what);
    }
    let nothing = Tensor::ones(&[5, 0], DType::F32).unwrap();
    let c = Tensor::full(&[5, 4], 2.0, DType::F32).unwrap();
    let got = accumulate(
        7,
        &nothing,
        &Tensor::ones(&[0, 4], DType::F32).unwrap(),
        3,
        c,
    )
    .unwrap();
    assert_eq!(got.to_vec::<f32>().unwrap(), [6.0; 20]);
    let c = Tensor::ones(&[0, 4], DType::F32).unwrap();
    let none = Tensor::ones(&[0, 5], DType::F32).unwrap();
    let got = accumulate(1, &none, &Tensor::ones(&[5, 4], DType::F32).unwrap(), 1, c).unwrap();
    assert_eq!(got.shape(), [0, 4]);
}

#[test]
fn factors_of_halves_are_not_rounded_to_halves() {
    // 155/φ is 95.795 and 150/φ is 92.705, which round to the results; with 1/φ as a half, to 95.5 and 92.75.
    for (dtype, count, want) in [(DType::BF16, 155, 96.0), (DType::F16, 150, 92.6875)] {
        let a = Tensor::ones(&[1, count], dtype).unwrap();
        let b = Tensor::ones(&[count, 1], dtype).unwrap();
        let got = matmul_times(0.618_033_988_749_894_9, &a, &b).unwrap();
        assert_eq!(got.to_vec::<f64>().unwrap(), [want], "{dtype}");
        let c = Tensor::full(&[1, 1], count as f64, dtype).unwrap();
        let got = accumulate(0, &a, &b, 0.618_033_988_749_894_9, c).unwrap();
        assert_eq!(got.to_vec::<f64>().unwrap(), [want], "{dtype}");
    }
}

#[test]
fn times_scales_once_and_mistakes_name_the_operation() {
    let mut g = Generator::new(6);
    let a = operand(DType::C128, &[4, 30, 20], Lies::Reversed, &mut g);
    let b = operand(DType::C128, &[20, 30], Lies::Transposed, &mut g);
    let got = values(&matmul_times(2, &a, &b).unwrap());
    let want = values(&matmul(&a, &b).unwrap());
    let twice: Vec<_> = want.iter().map(|z| z * 2.0).collect();
    assert_eq!(got, twice);

    let row = Tensor::ones(&[3], DType::F32).unwrap();
    let square = Tensor::ones(&[3, 3], DType::F32).unwrap();
    let e = matmul_times(2, &row, &square).unwrap_err();
    assert!(
        matches!(
            e,
            Error::Shape {
                op: "matmul_times",
                ..
            }
        ),
        "{e}"
    );
    let e = accumulate(
        1,
        &square,
        &square,
        1,
        Tensor::ones(&[2, 2], DType::F32).unwrap(),
    );
    assert!(matches!(
        e,
        Err(Error::Shape {
            op: "accumulate",
            ..
        })
    ));
    let truth = Tensor::ones(&[3, 3], DType::Bool).unwrap();
    assert!(matches!(
        product_type("x", &[&truth, &truth]),
        Err(Error::DType { op: "x", .. })
    ));
    assert_eq!(product_type("x", &[&truth, &square]).unwrap(), DType::F32);
    assert!(product_type("x", &[]).is_err());
    assert_eq!(
        matmul_times(0.5, &square, &square)
            .unwrap()
            .to_vec::<f32>()
            .unwrap(),
        [1.5; 9]
    );
    assert_eq!(
        Scalar::Int(3),
        matmul_times(1, &truth, &Tensor::ones(&[3, 1], DType::I8).unwrap())
            .unwrap()
            .select(0, 0)
            .unwrap()
            .select(0, 0)
            .unwrap()
            .item()
            .unwrap()
    );
}
