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
