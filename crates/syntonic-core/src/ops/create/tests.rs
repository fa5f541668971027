//! Creation: definitions, known values, mistakes.

use super::*;
use crate::cpu::cpu;
use num_complex::Complex;
use std::ops::Not;

fn range(a: impl Into<Scalar>, b: impl Into<Scalar>, s: impl Into<Scalar>) -> Result<Tensor> {
    arange(a.into(), b.into(), s.into(), None, &cpu())
}

#[test]
fn integer_ranges_are_those_of_python() {
    for start in -5..=5i64 {
        for stop in -5..=5 {
            for step in [-3, -2, -1, 1, 2, 3] {
                let mut want = Vec::new();
                let mut i = start;
                while (step > 0 && i < stop) || (step < 0 && i > stop) {
                    want.push(i);
                    i += step;
                }
                let got = range(start, stop, step).unwrap();
                assert_eq!(got.dtype(), DType::I64);
                assert_eq!(got.to_vec::<i64>().unwrap(), want);
            }
        }
    }
    let top = arange(
        Scalar::from(u64::MAX - 2),
        Scalar::from(u64::MAX),
        Scalar::Int(1),
        Some(DType::U64),
        &cpu(),
    );
    assert_eq!(
        top.unwrap().to_vec::<u64>().unwrap(),
        [u64::MAX - 2, u64::MAX - 1]
    );
}

#[test]
fn real_ranges_do_not_drift() {
    let got = range(0.0, 100_000.0, 0.1).unwrap();
    assert_eq!((got.dtype(), got.numel()), (DType::F64, 1_000_000));
    for (i, v) in got.to_vec::<f64>().unwrap().into_iter().enumerate() {
        assert_eq!(v, i as f64 * 0.1);
    }
    let half = arange(
        1.0.into(),
        2.0.into(),
        0.25.into(),
        Some(DType::F16),
        &cpu(),
    )
    .unwrap();
    assert_eq!(half.to_vec::<f64>().unwrap(), [1.0, 1.25, 1.5, 1.75]);
    assert_eq!(range(1.0, 0.0, 0.5).unwrap().numel(), 0);
}

#[test]
fn linspace_ends_where_it_should() {
    for n in 0..20 {
        let line = |endpoint| {
            linspace(0.1.into(), 0.7.into(), n, endpoint, None, &cpu())
                .unwrap()
                .to_vec::<f64>()
                .unwrap()
        };
        let (closed, open) = (line(Endpoint::Included), line(Endpoint::Excluded));
        assert_eq!((closed.len(), open.len()), (n, n));
        for i in 0..n {
            // Each rounds start, step, product and sum: under 4 half units of 0.7.
            let bound = 4.0 * f64::EPSILON;
            let exact = 0.1 + 0.6 * i as f64 / n.max(2).saturating_sub(1) as f64;
            assert!((closed[i] - exact).abs() < bound);
            assert!((open[i] - (0.1 + 0.6 * i as f64 / n as f64)).abs() < bound);
        }
        if n > 1 {
            assert_eq!((closed[0], closed[n - 1]), (0.1, 0.7));
        }
    }
    let z = Scalar::Complex(Complex::new(2.0, -4.0));
    let got = linspace(0.into(), z, 3, Endpoint::Included, None, &cpu()).unwrap();
    let want = [(0.0, 0.0), (1.0, -2.0), (2.0, -4.0)].map(|(a, b)| Complex::new(a, b));
    assert_eq!(got.to_vec::<Complex<f64>>().unwrap(), want);
}

#[test]
fn eye_has_ones_on_its_diagonal() {
    for (rows, cols) in [(0, 3), (3, 0), (1, 1), (3, 5), (5, 3)] {
        for k in [-9, -2, -1, 0, 1, 3, 9, isize::MIN, isize::MAX] {
            for dtype in DType::ALL {
                let got = eye(rows, cols, k, dtype, &cpu()).unwrap();
                assert_eq!(got.dtype(), dtype);
                let got = got.to_vec::<f64>().unwrap();
                for (at, v) in got.into_iter().enumerate() {
                    let (i, j) = (at / cols, at % cols);
                    let on = j as i128 - i as i128 == k as i128;
                    assert_eq!(v, f64::from(u8::from(on)), "{rows}x{cols}, k = {k}");
                }
            }
        }
    }
}

#[test]
fn filled_tensors_take_shape_and_type_of_another() {
    let x = Tensor::zeros(&[2, 3], DType::BF16).unwrap();
    let ones = ones_like(&x, None).unwrap();
    assert_eq!(
        (ones.dtype(), ones.shape()),
        (DType::BF16, &[2usize, 3][..])
    );
    assert_eq!(ones.to_vec::<f32>().unwrap(), [1.0; 6]);
    let sevens = full_like(&x, 7, Some(DType::I8)).unwrap();
    assert_eq!(sevens.to_vec::<i8>().unwrap(), [7; 6]);
    for zeros in [
        zeros_like(&x, None),
        empty_like(&x, None),
        empty(&[6], DType::BF16, &cpu()),
    ] {
        assert_eq!(zeros.unwrap().to_vec::<f32>().unwrap(), [0.0; 6]);
    }
    assert_eq!(
        ones_like(&Tensor::zeros(&[0, 2], DType::I32).unwrap(), None)
            .unwrap()
            .numel(),
        0
    );
}

#[test]
fn mistakes_are_typed() {
    let value = |r: Result<Tensor>| matches!(r, Err(Error::Value { .. }));
    assert!(value(range(0, 1, 0)));
    assert!(value(range(0.0, f64::INFINITY, 1.0)));
    assert!(value(range(f64::NAN, 1.0, 1.0)));
    assert!(value(range(0, Complex::new(1.0, 0.0), 1)));
    assert!(matches!(
        range(0.0, 1e200, 1e-10),
        Err(Error::SizeOverflow { .. })
    ));
    assert!(matches!(
        range(0, u64::MAX, 1),
        Err(Error::SizeOverflow { .. })
    ));
    // Without a type they are int64, which does not hold these.
    let out_of_range = |r: Result<Tensor>| matches!(r, Err(Error::Range { .. }));
    assert!(out_of_range(range(u64::MAX - 2, u64::MAX, 1)));
    let small = |start: Scalar, stop: Scalar, step: Scalar| {
        arange(start, stop, step, Some(DType::U8), &cpu())
    };
    assert!(out_of_range(small(250.into(), 257.into(), 1.into())));
    assert!(out_of_range(small(5.into(), (-2).into(), (-1).into())));
    assert!(out_of_range(small(0.0.into(), 300.0.into(), 100.0.into())).not());
    assert!(out_of_range(small(0.0.into(), 301.0.into(), 150.0.into())));
    let spaced =
        |stop: Scalar, endpoint| linspace(0.into(), stop, 3, endpoint, Some(DType::U8), &cpu());
    assert!(out_of_range(spaced(300.into(), Endpoint::Included)));
    assert!(out_of_range(spaced(300.into(), Endpoint::Excluded)).not());
    let z = Scalar::Complex(Complex::new(1.0, 1.0));
    assert!(value(linspace(
        0.into(),
        z,
        3,
        Endpoint::Included,
        Some(DType::F32),
        &cpu()
    )));
    assert!(matches!(
        zeros(&[usize::MAX, 2], DType::F32, &cpu()),
        Err(Error::SizeOverflow { .. })
    ));
}
