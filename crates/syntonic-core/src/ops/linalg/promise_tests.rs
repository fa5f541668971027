//! Promised tolerances: with levels that lie, and with the real ones.

use super::precision::Precision;
use super::probe::Probe;
use super::promise::{Verdict, escalate};
use super::tests::{LAYOUTS, Lies, operand, values};
use super::*;
use crate::random::Generator;
use crate::{DType, Error, Scalar, Tensor};

const LEVELS: [Level; 5] = [
    Level::Low,
    Level::Medium,
    Level::High,
    Level::Native,
    Level::Double,
];

/// A product whose factors were rounded to so many bits, as coarse arithmetic does.
fn coarse(a: &Tensor, b: &Tensor, bits: i32) -> Tensor {
    let round = |x: &Tensor| {
        let values: Vec<f32> = x.to_vec::<f32>().unwrap();
        let kept = values.iter().map(|&v| {
            let unit = 2f64.powi(f64::from(v.abs()).log2().floor() as i32 - bits + 1);
            ((f64::from(v) / unit).round() * unit) as f32
        });
        Tensor::from_vec(kept.collect::<Vec<f32>>(), x.shape()).unwrap()
    };
    matmul(&round(a), &round(b)).unwrap().eval().unwrap()
}

/// What the real error is in the units of the promise.
fn truth(a: &Tensor, b: &Tensor, out: &Tensor) -> f64 {
    let (m, k, n) = (a.shape()[0], a.shape()[1], b.shape()[1]);
    let (x, y, z) = (values(a), values(b), values(out));
    let (mut off, mut size) = (0.0, 0.0);
    for i in 0..m {
        for j in 0..n {
            let products = (0..k).map(|l| x[i * k + l] * y[l * n + j]);
            let magnitudes = (0..k).map(|l| x[i * k + l].norm() * y[l * n + j].norm());
            let sum: num_complex::Complex<f64> = products.sum();
            off += (sum - z[i * n + j]).norm_sqr();
            size += magnitudes.sum::<f64>().powi(2);
        }
    }
    (off / size).sqrt()
}

fn operands(dtype: DType, seed: u64) -> (Tensor, Tensor) {
    let mut g = Generator::new(seed);
    (
        operand(dtype, &[30, 50], Lies::RowMajor, &mut g),
        operand(dtype, &[50, 40], Lies::Transposed, &mut g),
    )
}

#[test]
fn the_estimate_is_near_the_error() {
    for bits in [8, 11, 16] {
        for seed in 0..8 {
            let (a, b) = operands(DType::F32, seed);
            let out = coarse(&a, &b, bits);
            let seen = Probe::new(Scalar::Int(1), &a, &b)
                .unwrap()
                .error(&out)
                .unwrap();
            let real = truth(&a, &b, &out);
            // Both norms are estimated from 8 vectors. The error's is off by a tenth or so, since E has many singular
            // values; that of the magnitudes, nearly of rank one, by a factor that a chi-square of 8 degrees bounds:
            // it is between 0.2 and 3 of its mean with a probability of 0.99.
            assert!(
                seen > real / 2.5 && seen < real * 3.0,
                "{bits} {seed}: {seen} for {real}"
            );
        }
    }
}

/// A run of `escalate` in which the levels below `honest` multiply coarsely.
fn with_liars(honest: Level, tolerance: f64) -> (Tensor, Report, Vec<Level>) {
    let (a, b) = operands(DType::F32, 3);
    let mut ran = Vec::new();
    let (out, report) = escalate(
        Precision::Tolerance(tolerance),
        tolerance,
        &LEVELS,
        |level| {
            ran.push(level);
            let out = if level < honest {
                coarse(&a, &b, 5)
            } else {
                matmul(&a, &b).unwrap().eval().unwrap()
            };
            Ok((out, level))
        },
        |_, out, found: &mut Option<Probe>| {
            let probe = found.get_or_insert_with(|| Probe::new(Scalar::Int(1), &a, &b).unwrap());
            Ok(Verdict::Error(probe.error(out)?))
        },
    )
    .unwrap();
    (out, report, ran)
}

#[test]
fn a_wrong_product_is_caught_and_computed_again() {
    for (at, honest) in LEVELS.into_iter().enumerate() {
        let (out, report, ran) = with_liars(honest, 1e-5);
        assert_eq!(ran, LEVELS[..=at], "{honest:?}");
        assert_eq!((report.chosen, report.retries), (honest, at as u32));
        assert!(report.estimated_error.unwrap() <= 1e-5);
        let (a, b) = operands(DType::F32, 3);
        assert!(truth(&a, &b, &out) < 1e-6);
    }
    // With a tolerance that the coarse product keeps, it is taken.
    let (_, report, ran) = with_liars(Level::Native, 0.5);
    assert_eq!((report.chosen, ran), (Level::Low, vec![Level::Low]));
}

#[test]
fn one_wrong_element_is_seen() {
    let (a, b) = operands(DType::F64, 4);
    let probe = Probe::new(Scalar::Int(1), &a, &b).unwrap();
    let mut out = matmul(&a, &b).unwrap().to_vec::<f64>().unwrap();
    let good = Tensor::from_slice(&out, &[30, 40]).unwrap();
    assert!(probe.error(&good).unwrap() < 1e-15);
    out[777] += 1.0;
    let bad = Tensor::from_slice(&out, &[30, 40]).unwrap();
    assert!(probe.error(&bad).unwrap() > 1e-4);
}

#[test]
fn a_device_that_did_more_than_it_was_asked_is_not_asked_again() {
    let mut ran = 0;
    let (_, report) = escalate(
        Precision::Tolerance(0.0),
        0.0,
        &LEVELS,
        |level| {
            ran += 1;
            Ok((Tensor::zeros(&[1], DType::F32)?, level.max(Level::Native)))
        },
        |_, _, _: &mut Option<()>| Ok(Verdict::Error(1e-7)),
    )
    .unwrap();
    assert_eq!((ran, report.chosen, report.retries), (2, Level::Double, 1));
}

#[test]
fn factors_that_are_not_finite_go_to_the_native_arithmetic() {
    let (_, report) = escalate(
        Precision::Tolerance(0.1),
        0.1,
        &LEVELS,
        |level| Ok((Tensor::zeros(&[1], DType::F32)?, level)),
        |_, _, _: &mut Option<()>| Ok(Verdict::NotFinite),
    )
    .unwrap();
    assert_eq!(
        (report.chosen, report.estimated_error),
        (Level::Native, None)
    );
    assert_eq!(report.retries, 1);

    let mut values = vec![1.0f32; 100 * 100];
    values[5050] = f32::INFINITY;
    let a = Tensor::from_vec(values, &[100, 100]).unwrap();
    let (out, report) = matmul_reported(&a, &a, Precision::Tolerance(0.1)).unwrap();
    assert_eq!(report.estimated_error, None);
    let plain = matmul(&a, &a).unwrap().to_vec::<f32>().unwrap();
    assert_eq!(out.to_vec::<f32>().unwrap(), plain);
}

#[test]
fn reports_say_what_was_done_here() {
    for dtype in DType::ALL.into_iter().filter(|d| !d.is_bool()) {
        for lies in LAYOUTS {
            let mut g = Generator::new(5);
            let a = operand(dtype, &[2, 9, 20], lies, &mut g);
            let b = operand(dtype, &[20, 11], lies, &mut g);
            let want = values(&matmul(&a, &b).unwrap());
            for asked in [
                Precision::Highest,
                Precision::High,
                Precision::Medium,
                Precision::Tolerance(1e-2),
            ] {
                let (out, report) = matmul_reported(&a, &b, asked).unwrap();
                assert_eq!(values(&out), want, "{dtype} {lies:?} {asked:?}");
                assert_eq!((report.asked, report.chosen), (asked, Level::Native));
                assert_eq!(report.estimated_error.is_some(), dtype.is_inexact());
                assert_eq!(report.retries, 0);
                let again = matmul_reported(&a, &b, asked).unwrap().1;
                assert_eq!(again, report);
                assert_eq!(values(&matmul_as(&a, &b, asked).unwrap()), want);
            }
        }
    }
    // What float32 cannot keep, float64 does, up to the rounding of the result.
    let (a, b) = operands(DType::F32, 6);
    let (out, report) = matmul_reported(&a, &b, Precision::Tolerance(0.0)).unwrap();
    assert_eq!((report.chosen, report.retries), (Level::Double, 0));
    let wide = |x: &Tensor| x.cast(DType::F64).unwrap();
    let exact = matmul(&wide(&a), &wide(&b))
        .unwrap()
        .cast(DType::F32)
        .unwrap();
    assert_eq!(values(&out), values(&exact));
}

#[test]
fn mistakes_are_errors_and_nothing_is_no_trouble() {
    let a = Tensor::ones(&[2, 3], DType::F32).unwrap();
    let good = Tensor::ones(&[3, 2], DType::F32).unwrap();
    for t in [-1.0, f64::NAN] {
        let e = matmul_reported(&a, &good, Precision::Tolerance(t));
        assert!(matches!(e, Err(Error::Value { .. })));
        assert!(matmul_as(&a, &good, Precision::Tolerance(t)).is_err());
        assert!(set_precision(Precision::Tolerance(t)).is_err());
    }
    let e = matmul_reported(&a, &a, Precision::High).unwrap_err();
    assert!(
        matches!(
            e,
            Error::Shape {
                op: "matmul_reported",
                ..
            }
        ),
        "{e}"
    );
    let none = Tensor::ones(&[0, 2], DType::F32).unwrap();
    let tall = Tensor::ones(&[2, 0], DType::F32).unwrap();
    for (x, y) in [(&none, &a), (&tall, &none)] {
        let (out, report) = matmul_reported(x, y, Precision::Tolerance(1e-3)).unwrap();
        assert_eq!(values(&out), values(&matmul(x, y).unwrap()));
        assert_eq!(report.retries, 0);
    }
}
