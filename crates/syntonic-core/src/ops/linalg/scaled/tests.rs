use super::scaled_matmul;
use crate::error::Error;
use crate::ops::linalg::matmul;
use crate::{DType, F8E4M3, F8E5M2, Tensor};

/// Codes of finite numbers, by a fixed rule.
fn sample(dtype: DType, shape: &[usize], seed: usize) -> Tensor {
    let beyond = if dtype == DType::F8E4M3 { 0x7f } else { 0x7c };
    let n = shape.iter().product::<usize>();
    let codes = (0..n).map(|i| {
        let mixed = (i * 7919 + seed * 104_729) % 2039;
        // Small numbers, so that none hides all others.
        ((mixed % (beyond / 2)) as u8) | if mixed.is_multiple_of(3) { 0x80 } else { 0 }
    });
    match dtype {
        DType::F8E4M3 => Tensor::from_vec(codes.map(F8E4M3).collect(), shape),
        _ => Tensor::from_vec(codes.map(F8E5M2).collect(), shape),
    }
    .unwrap()
}

const PAIRS: [(DType, DType); 3] = [
    (DType::F8E4M3, DType::F8E4M3),
    (DType::F8E4M3, DType::F8E5M2),
    (DType::F8E5M2, DType::F8E4M3),
];

/// `|got - exact|` is at most `(k + 2) u Σ|a||b|` of the sum, and half a unit of the result's type.
fn check(a: &Tensor, b: &Tensor, out: DType) {
    let (scale_a, scale_b) = (0.75f32, 3.0f32);
    let got = scaled_matmul(a, b, scale_a, scale_b, out).unwrap();
    assert_eq!(
        (got.dtype(), got.shape()),
        (out, &[a.shape()[0], b.shape()[1]][..])
    );
    let wide = |t: &Tensor| t.cast(DType::F64).unwrap();
    let size = |t: &Tensor| {
        crate::ops::elementwise::apply(crate::fuse::Prim::Abs, &[(&wide(t)).into()]).unwrap()
    };
    let exact = matmul(&wide(a), &wide(b)).unwrap().to_vec::<f64>().unwrap();
    let sizes = matmul(&size(a), &size(b)).unwrap().to_vec::<f64>().unwrap();
    let unit = match out {
        DType::F16 => 2f64.powi(-11),
        DType::BF16 => 2f64.powi(-8),
        _ => 2f64.powi(-24),
    };
    let k = a.shape()[1] as f64;
    let alpha = f64::from(scale_a * scale_b);
    for ((got, exact), size) in got
        .to_vec::<f64>()
        .unwrap()
        .into_iter()
        .zip(exact)
        .zip(sizes)
    {
        // Below the smallest normal float16 a unit no longer shrinks.
        let bound =
            alpha * ((k + 2.0) * 2f64.powi(-24) * size + unit * exact.abs()) + 2f64.powi(-25);
        assert!(
            (got - alpha * exact).abs() <= bound,
            "{got} for {}",
            alpha * exact
        );
    }
}

#[test]
fn products_keep_the_bound() {
    for (da, db) in PAIRS {
        for out in [DType::F32, DType::F16, DType::BF16] {
            for (m, k, n) in [
                (1, 1, 1),
                (3, 5, 7),
                (16, 32, 48),
                (17, 130, 33),
                (2, 0, 3),
                (0, 4, 4),
            ] {
                check(&sample(da, &[m, k], 1), &sample(db, &[k, n], 2), out);
            }
        }
    }
}

#[test]
fn operands_of_any_layout() {
    let a = sample(DType::F8E4M3, &[12, 9], 1);
    let turned = sample(DType::F8E5M2, &[7, 9], 2).transpose(0, 1).unwrap();
    check(&a, &turned, DType::F32);
    let spread = sample(DType::F8E4M3, &[1, 9], 3)
        .broadcast_to(&[5, 9])
        .unwrap();
    check(&spread, &turned, DType::F32);
}

#[test]
fn mistakes_are_told() {
    let (a, b) = (
        sample(DType::F8E4M3, &[2, 3], 1),
        sample(DType::F8E5M2, &[3, 2], 2),
    );
    let told = |a: &Tensor, b: &Tensor, out: DType| scaled_matmul(a, b, 1.0, 1.0, out).unwrap_err();
    let two = sample(DType::F8E5M2, &[2, 3], 1);
    assert!(matches!(told(&two, &b, DType::F32), Error::DType { .. }));
    assert!(matches!(told(&a, &b, DType::F64), Error::DType { .. }));
    assert!(matches!(told(&a, &b, DType::F8E4M3), Error::DType { .. }));
    let wide = a.cast(DType::F16).unwrap();
    assert!(matches!(told(&wide, &b, DType::F32), Error::DType { .. }));
    assert!(matches!(told(&a, &a, DType::F32), Error::Shape { .. }));
    let vector = sample(DType::F8E4M3, &[3], 1);
    assert!(matches!(told(&vector, &b, DType::F32), Error::Shape { .. }));
}

/// Sums of `int8` are exact, and each is multiplied in `float32`: beside the same arithmetic one by one.
#[test]
fn whole_numbers_have_a_scale_for_each_row_and_column() {
    let (m, k, n) = (5, 300, 7);
    let make = |rows: usize, cols: usize, seed: usize| {
        let value = |i: usize| ((i * 7919 + seed) % 256) as i64 - 128;
        let values: Vec<i64> = (0..rows * cols).map(value).collect();
        let t = Tensor::from_vec(values, &[rows, cols]).unwrap();
        t.cast(DType::I8).unwrap().eval().unwrap()
    };
    let (a, b) = (make(m, k, 3), make(k, n, 5));
    let scales = |len: usize| -> Vec<f32> { (0..len).map(|i| 0.1 + i as f32 / 7.0).collect() };
    let (rows, columns) = (scales(m), scales(n));
    let [row, column] = [&rows, &columns].map(|s| Tensor::from_slice(s, &[s.len()]).unwrap());
    for out in [DType::F32, DType::BF16, DType::F16] {
        let got = scaled_matmul(&a, &b, &row, &column, out).unwrap();
        assert_eq!((got.dtype(), got.shape()), (out, &[m, n][..]));
        let (x, y) = (a.to_vec::<i64>().unwrap(), b.to_vec::<i64>().unwrap());
        let mut want = Vec::new();
        for i in 0..m {
            for j in 0..n {
                let sum: i64 = (0..k).map(|l| x[i * k + l] * y[l * n + j]).sum();
                want.push(sum as f32 * rows[i] * columns[j]);
            }
        }
        let want = Tensor::from_vec(want, &[m, n]).unwrap().cast(out).unwrap();
        assert_eq!(got.to_vec::<f64>().unwrap(), want.to_vec::<f64>().unwrap());
    }
    // One number beside scales, and a scale of no axis.
    let half = Tensor::scalar(0.5, DType::F32).unwrap();
    let one = scaled_matmul(&a, &b, 0.5, &column, DType::F32).unwrap();
    let other = scaled_matmul(&a, &b, &half, &column, DType::F32).unwrap();
    let (one, other) = (one.to_vec::<f32>().unwrap(), other.to_vec::<f32>().unwrap());
    for (one, other) in one.iter().zip(&other) {
        assert!(
            (one - other).abs() <= other.abs() * f32::EPSILON,
            "{one}, {other}"
        );
    }
}

#[test]
fn scales_that_do_not_fit_are_named() {
    let (a, b) = (Tensor::from([[3i8, 1]]), Tensor::from([[2i8], [7]]));
    let product = |row: &Tensor| scaled_matmul(&a, &b, row, 1.0, DType::F32);
    let of = |values: &[f32], shape: &[usize]| Tensor::from_slice(values, shape).unwrap();
    assert!(product(&of(&[1.0], &[1, 1])).is_ok());
    let e = product(&of(&[1.0, 2.0], &[2])).unwrap_err();
    assert!(matches!(e, Error::Shape { .. }), "{e}");
    let e = product(&Tensor::from([1.0])).unwrap_err();
    assert!(matches!(e, Error::DType { .. }), "{e}");
    let e = scaled_matmul(&a, &Tensor::from([[2i32], [7]]), 1.0, 1.0, DType::F32).unwrap_err();
    assert!(matches!(e, Error::DType { .. }), "{e}");
    let long = Tensor::zeros(&[1, 131_072], DType::I8).unwrap();
    let e = scaled_matmul(&long, &long.transpose(0, 1).unwrap(), 1.0, 1.0, DType::F32).unwrap_err();
    assert!(e.to_string().contains("131071"), "{e}");
}
