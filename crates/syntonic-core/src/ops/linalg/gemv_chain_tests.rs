//! Chains against their definition: a loop over the widest numbers.

use super::tests::{LAYOUTS, Lies, operand};
use super::*;
use crate::random::Generator;
use crate::{DType, Error, Tensor};

const DTYPES: [(DType, DType); 4] = [
    (DType::F16, DType::F32),
    (DType::BF16, DType::F32),
    (DType::F32, DType::F32),
    (DType::F64, DType::F64),
];

fn wide(x: &Tensor) -> Vec<f64> {
    x.cast(DType::F64).unwrap().to_vec::<f64>().unwrap()
}

/// `(y, z)` by their definition, and bounds of what each may be off by: `(n + 6)` roundings of the vectors' type, of the sum
/// of all magnitudes.
struct Defined {
    y: Vec<(f64, f64)>,
    z: Vec<(f64, f64)>,
}

fn defined(a: &Tensor, x: &Tensor, chain: &Chain<'_>, dtype: DType) -> Defined {
    let (m, n) = (a.shape()[0], a.shape()[1]);
    let unit = if dtype == DType::F64 {
        2f64.powi(-53)
    } else {
        2f64.powi(-24)
    };
    let steps = 2.0 * (n as f64 + 6.0) * unit;
    let (a, x) = (wide(a), wide(x));
    let term = |t: Option<&Tensor>, factor: f64| match t {
        Some(t) if factor != 0.0 => wide(t).iter().map(|v| factor * v).collect(),
        _ => vec![0.0; m],
    };
    let (y0, w) = (term(chain.y0, chain.beta), term(chain.w, chain.b));
    let products = |i: usize| (0..n).map(move |k| (i, k));
    let y: Vec<(f64, f64, f64)> = (0..m)
        .map(|i| {
            let terms = || products(i).map(|(i, k)| chain.alpha * a[i * n + k] * x[k]);
            let size = terms().map(f64::abs).sum::<f64>() + y0[i].abs();
            (terms().sum::<f64>() + y0[i], steps * size, size)
        })
        .collect();
    let z = y
        .iter()
        .zip(&w)
        .map(|(&(y, _, size), w)| (chain.a * y + w, steps * (chain.a.abs() * size + w.abs())));
    Defined {
        z: z.collect(),
        y: y.iter().map(|&(y, off, _)| (y, off)).collect(),
    }
}

fn close(got: &[f64], want: &[(f64, f64)], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (got, (want, off)) in got.iter().zip(want) {
        assert!((got - want).abs() <= *off, "{what}: {got} for {want}");
    }
}

/// The number of z and what it may be off by: that of each element, times its weight, and a rounding at the end.
fn number(reduce: Reduce<'_>, z: &[(f64, f64)]) -> (f64, f64) {
    let unit = 2f64.powi(-23);
    let sum = |terms: Vec<(f64, f64)>| {
        let size: f64 = terms.iter().map(|t| t.0.abs()).sum();
        let off: f64 = terms.iter().map(|t| t.1).sum();
        (terms.iter().map(|t| t.0).sum::<f64>(), off + unit * size)
    };
    match reduce {
        Reduce::Sum => sum(z.to_vec()),
        Reduce::SumOfSquares => sum(z
            .iter()
            .map(|&(z, off)| (z * z, off * (2.0 * z.abs() + off)))
            .collect()),
        Reduce::MaxAbs => {
            let largest = z.iter().map(|t| t.0.abs()).fold(0.0, f64::max);
            (
                largest,
                z.iter().map(|t| t.1).fold(0.0, f64::max) + unit * largest,
            )
        }
        Reduce::Dot(v) => {
            let v = wide(v);
            sum(z
                .iter()
                .zip(&v)
                .map(|(t, v)| (t.0 * v, t.1 * v.abs()))
                .collect())
        }
    }
}

#[test]
fn every_layout_and_length_follows_the_definition() {
    let mut g = Generator::new(11);
    for (dtype, vectors) in DTYPES {
        for lies in LAYOUTS {
            for (m, n) in [
                (1, 1),
                (5, 0),
                (3, 7),
                (64, 9),
                (65, 33),
                (200, 130),
                (1, 300),
            ] {
                let a = operand(dtype, &[m, n], lies, &mut g);
                let x = operand(vectors, &[n], Lies::Strided, &mut g);
                let [y0, w, v] = [Lies::Reversed, Lies::Strided, Lies::RowMajor]
                    .map(|lies| operand(vectors, &[m], lies, &mut g));
                for reduce in [
                    Reduce::Sum,
                    Reduce::SumOfSquares,
                    Reduce::MaxAbs,
                    Reduce::Dot(&v),
                ] {
                    let chain = Chain {
                        alpha: 0.5,
                        beta: -2.0,
                        y0: Some(&y0),
                        a: 3.0,
                        b: 0.25,
                        w: Some(&w),
                        reduce: Some(reduce),
                        keep: Keep::Both,
                    };
                    let what = format!("{dtype} {lies:?} {m} x {n} {reduce:?}");
                    let out = gemv_chain(&a, &x, &chain).unwrap();
                    let want = defined(&a, &x, &chain, vectors);
                    close(&wide(&out.y.unwrap()), &want.y, &what);
                    close(&wide(&out.z.unwrap()), &want.z, &what);
                    let r = out.r.unwrap();
                    assert_eq!((r.shape(), r.dtype()), (&[][..], vectors), "{what}");
                    close(&wide(&r), &[number(reduce, &want.z)], &what);
                }
            }
        }
    }
}

#[test]
fn known_values() {
    let a = Tensor::from_vec(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).unwrap();
    let x = Tensor::from_vec(vec![1.0, 0.0, -1.0], &[3]).unwrap();
    let (y0, w) = (
        Tensor::from_vec(vec![10.0, 20.0], &[2]).unwrap(),
        Tensor::from_vec(vec![1.0, -1.0], &[2]).unwrap(),
    );
    let chain = Chain {
        alpha: 2.0,
        beta: 0.5,
        y0: Some(&y0),
        a: -1.0,
        b: 3.0,
        w: Some(&w),
        reduce: Some(Reduce::SumOfSquares),
        keep: Keep::Both,
    };
    let out = gemv_chain(&a, &x, &chain).unwrap();
    assert_eq!(wide(&out.y.unwrap()), [1.0, 6.0]);
    assert_eq!(wide(&out.z.unwrap()), [2.0, -9.0]);
    assert_eq!(wide(&out.r.unwrap()), [85.0]);
    let turned = gemv_chain(&a.transpose(0, 1).unwrap(), &w, &Chain::default()).unwrap();
    assert_eq!(wide(&turned.y.unwrap()), [-3.0, -3.0, -3.0]);
    assert!(turned.z.is_none() && turned.r.is_none());
}

#[test]
fn factors_of_zero_read_nothing_and_nan_stays() {
    let a = Tensor::ones(&[70, 5], DType::F32).unwrap();
    let x = Tensor::ones(&[5], DType::F32).unwrap();
    let nan = Tensor::full(&[70], f64::NAN, DType::F32).unwrap();
    let chain = Chain {
        beta: 0.0,
        y0: Some(&nan),
        b: 0.0,
        w: Some(&nan),
        reduce: Some(Reduce::MaxAbs),
        keep: Keep::Neither,
        ..Chain::default()
    };
    assert_eq!(wide(&gemv_chain(&a, &x, &chain).unwrap().r.unwrap()), [5.0]);
    let mut values = vec![1.0f32; 350];
    values[12] = f32::NAN;
    let a = Tensor::from_vec(values, &[70, 5]).unwrap();
    let r = gemv_chain(&a, &x, &chain).unwrap().r.unwrap();
    assert!(wide(&r)[0].is_nan());
}

#[test]
fn no_rows_and_no_columns() {
    let none = Tensor::ones(&[0, 4], DType::F64).unwrap();
    let x = Tensor::ones(&[4], DType::F64).unwrap();
    let chain = Chain {
        reduce: Some(Reduce::MaxAbs),
        keep: Keep::Both,
        ..Chain::default()
    };
    let out = gemv_chain(&none, &x, &chain).unwrap();
    assert_eq!((out.y.unwrap().numel(), out.z.unwrap().numel()), (0, 0));
    assert_eq!(wide(&out.r.unwrap()), [0.0]);
    let (flat, w) = (
        Tensor::ones(&[3, 0], DType::F64).unwrap(),
        Tensor::ones(&[3], DType::F64).unwrap(),
    );
    let chain = Chain {
        w: Some(&w),
        reduce: Some(Reduce::Sum),
        keep: Keep::Y,
        ..Chain::default()
    };
    let out = gemv_chain(&flat, &Tensor::ones(&[0], DType::F64).unwrap(), &chain).unwrap();
    assert_eq!(wide(&out.y.unwrap()), [0.0; 3]);
    assert_eq!(wide(&out.r.unwrap()), [3.0]);
}

#[test]
fn types_meet_and_mistakes_are_told() {
    let half = Tensor::ones(&[3, 2], DType::F16).unwrap();
    let x = Tensor::ones(&[2], DType::F16).unwrap();
    let got = gemv_chain(&half, &x, &Chain::default()).unwrap().y.unwrap();
    assert_eq!(got.dtype(), DType::F32);
    let wider = gemv_chain(&half, &x.cast(DType::F64).unwrap(), &Chain::default()).unwrap();
    assert_eq!(wider.y.unwrap().dtype(), DType::F64);
    let long = Tensor::ones(&[3], DType::F16).unwrap();
    assert!(matches!(
        gemv_chain(&half, &long, &Chain::default()),
        Err(Error::Shape {
            op: "gemv_chain",
            ..
        })
    ));
    let whole = Tensor::ones(&[2], DType::I32).unwrap();
    assert!(matches!(
        gemv_chain(&half, &whole, &Chain::default()),
        Err(Error::DType {
            op: "gemv_chain",
            ..
        })
    ));
    let nothing = Chain {
        keep: Keep::Neither,
        ..Chain::default()
    };
    assert!(matches!(
        gemv_chain(&half, &x, &nothing),
        Err(Error::Value {
            op: "gemv_chain",
            ..
        })
    ));
}
