//! The slow definition, and tensors to transform.

use super::Norm;
use crate::ops::random;
use crate::random::Generator;
use crate::{DType, Tensor};
use num_complex::Complex;
use std::f64::consts::TAU;

pub(super) type C = Complex<f64>;

/// Lengths of every kind: none of the powers of 2, primes, their neighbours, and what has many small factors.
pub(super) const LENGTHS: [usize; 17] = [
    1, 2, 3, 4, 5, 6, 7, 8, 16, 30, 127, 128, 129, 360, 1000, 1009, 1024,
];

/// `f Σ_j x[j] e^(±2πi j k / n)`, term by term; the angle is that of `j k` modulo n, so it is exact up to its rounding.
pub(super) fn slow(x: &[C], sign: f64, factor: f64) -> Vec<C> {
    let n = x.len();
    let turns: Vec<C> = (0..n)
        .map(|m| C::from_polar(1.0, sign * TAU * m as f64 / n as f64))
        .collect();
    (0..n)
        .map(|k| {
            // Compensated, so that the order of the sum does not show.
            let (mut sum, mut lost) = (C::new(0.0, 0.0), C::new(0.0, 0.0));
            for (j, &x) in x.iter().enumerate() {
                let term = x * turns[j * k % n] - lost;
                let next = sum + term;
                lost = (next - sum) - term;
                sum = next;
            }
            sum * factor
        })
        .collect()
}

/// As [`slow`], with the sign and the factor of a forward or an inverse transform.
pub(super) fn forward(x: &[C], norm: Norm) -> Vec<C> {
    let n = x.len() as f64;
    let factor = match norm {
        Norm::Backward => 1.0,
        Norm::Ortho => 1.0 / n.sqrt(),
        Norm::Forward => 1.0 / n,
    };
    slow(x, -1.0, factor)
}

/// See [`forward`].
pub(super) fn inverse(x: &[C], norm: Norm) -> Vec<C> {
    let n = x.len() as f64;
    let factor = match norm {
        Norm::Backward => 1.0 / n,
        Norm::Ortho => 1.0 / n.sqrt(),
        Norm::Forward => 1.0,
    };
    slow(x, 1.0, factor)
}

/// Normal numbers, row-major.
pub(super) fn normal(shape: &[usize], dtype: DType, seed: u64) -> Tensor {
    let draw = |seed| {
        let mut generator = Generator::new(seed);
        random::normal(shape, 0.0, 1.0, dtype.real(), &mut generator, &crate::cpu()).unwrap()
    };
    let re = draw(seed);
    if !dtype.is_complex() {
        return re;
    }
    let i = Tensor::scalar(C::new(0.0, 1.0), DType::C128)
        .unwrap()
        .cast(dtype)
        .unwrap();
    let im = draw(seed + 1).cast(dtype).unwrap();
    let turned =
        crate::ops::elementwise::apply(crate::fuse::Prim::Mul, &[(&im).into(), (&i).into()])
            .unwrap();
    crate::ops::elementwise::apply(crate::fuse::Prim::Add, &[(&re).into(), (&turned).into()])
        .unwrap()
}

/// The values in double precision, row-major.
pub(super) fn values(x: &Tensor) -> Vec<C> {
    x.cast(DType::C128).unwrap().to_vec().unwrap()
}

pub(super) fn length(x: &[C]) -> f64 {
    x.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt()
}

/// What may be between a transform of `n` numbers and its slow definition, in units of the length of the result.
///
/// A transform by factors is a product of log2 n sparse unitary matrices at most, and each adds a few roundings (Higham 2002,
/// section 24.1): with twiddles good to one ulp, less than 6 eps for each. Bluestein's algorithm is three transforms of up to
/// 4 n numbers, which is thrice as many and two more. The definition rounds each of its n terms by some 4 eps, of which the
/// signs are at random.
pub(super) fn bound(n: usize, dtype: DType) -> f64 {
    let eps = match dtype.real() {
        DType::F32 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    };
    let doublings = (n as f64).log2() + 2.0;
    18.0 * eps * doublings + 4.0 * f64::EPSILON * (n as f64).sqrt()
}

/// Both are alike, within so many units of the length of the second.
pub(super) fn near(got: &[C], want: &[C], units: f64, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    let apart: Vec<C> = got.iter().zip(want).map(|(a, b)| a - b).collect();
    let (apart, allowed) = (length(&apart), units * length(want));
    assert!(
        apart <= allowed,
        "{what}: {apart:e} apart, {allowed:e} allowed"
    );
}
