//! Laws that every transform keeps, for lengths and numbers at random.

use super::samples::{C, bound, length, near, normal, values};
use super::*;
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::ops::rearrange::roll;
use crate::{DType, Tensor};
use proptest::prelude::*;
use std::f64::consts::TAU;

fn types() -> impl Strategy<Value = DType> {
    prop_oneof![Just(DType::C64), Just(DType::C128)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Parseval: the unitary transform keeps lengths, and the inverse undoes it.
    #[test]
    fn lengths_are_kept_and_the_inverse_undoes(n in 1usize..2000, dtype in types(), seed in any::<u32>()) {
        let x = normal(&[n], dtype, seed.into());
        let y = fft(&x, None, 0, Norm::Ortho).unwrap();
        let (before, after) = (length(&values(&x)), length(&values(&y)));
        prop_assert!((before - after).abs() <= bound(n, dtype) * before, "{before} {after}");
        let back = ifft(&y, None, 0, Norm::Ortho).unwrap();
        near(&values(&back), &values(&x), 2.0 * bound(n, dtype), "back");
    }

    /// The transform of a sum is the sum of the transforms.
    #[test]
    fn sums_go_through(n in 1usize..2000, dtype in types(), seed in any::<u32>()) {
        let (a, b) = (normal(&[n], dtype, seed.into()), normal(&[n], dtype, u64::from(seed) + 99));
        let add = |a: &Tensor, b: &Tensor| apply(Prim::Add, &[a.into(), b.into()]).unwrap();
        let of = |x: &Tensor| fft(x, None, 0, Norm::Backward).unwrap();
        let (one, two) = (values(&of(&add(&a, &b))), values(&add(&of(&a), &of(&b))));
        let scale = length(&values(&of(&a))) + length(&values(&of(&b)));
        let units = 3.0 * bound(n, dtype) * scale / length(&two).max(f64::MIN_POSITIVE);
        near(&one, &two, units, "a sum");
    }

    /// Numbers moved on by s are a transform turned by s k / n.
    #[test]
    fn a_shift_turns_the_transform(n in 1usize..2000, s in 0i64..3000, seed in any::<u32>()) {
        let x = normal(&[n], DType::C128, seed.into());
        let moved = roll(&x, &[s], Some(&[0])).unwrap();
        let plain = values(&fft(&x, None, 0, Norm::Backward).unwrap());
        let turned: Vec<C> = plain.iter().enumerate().map(|(k, z)| {
            let turns = (s as usize * k) % n;
            z * C::from_polar(1.0, -TAU * turns as f64 / n as f64)
        }).collect();
        let got = values(&fft(&moved, None, 0, Norm::Backward).unwrap());
        near(&got, &turned, 2.0 * bound(n, DType::C128), "a shift");
    }

    /// Of real numbers the second half is the first one conjugated, and half of it brings them back.
    #[test]
    fn real_numbers_have_half_a_transform(n in 1usize..2000, single in any::<bool>(), seed in any::<u32>()) {
        let dtype = if single { DType::F32 } else { DType::F64 };
        let x = normal(&[n], dtype, seed.into());
        let whole = values(&fft(&x, None, 0, Norm::Backward).unwrap());
        let half = rfft(&x, None, 0, Norm::Backward).unwrap();
        let units = 2.0 * bound(n, dtype);
        near(&values(&half), &whole[..n / 2 + 1], units, "half");
        let mirrored: Vec<C> = (0..n).map(|k| whole[(n - k) % n].conj()).collect();
        near(&mirrored, &whole, units, "symmetric");
        let back = irfft(&half, Some(n), 0, Norm::Backward).unwrap();
        near(&values(&back), &values(&x), units, "back");
        let hermitian = ihfft(&x, None, 0, Norm::Ortho).unwrap();
        let back = hfft(&hermitian, Some(n), 0, Norm::Ortho).unwrap();
        near(&values(&back), &values(&x), units, "hermitian");
    }

    /// A product of transforms is the transform of the cyclic convolution.
    #[test]
    fn products_are_convolutions(n in 1usize..200, seed in any::<u32>()) {
        let (a, b) = (normal(&[n], DType::F64, seed.into()), normal(&[n], DType::F64, u64::from(seed) + 7));
        let of = |x: &Tensor| rfft(x, None, 0, Norm::Backward).unwrap();
        let product = apply(Prim::Mul, &[(&of(&a)).into(), (&of(&b)).into()]).unwrap();
        let got = values(&irfft(&product, Some(n), 0, Norm::Backward).unwrap());
        let (a, b) = (values(&a), values(&b));
        let want: Vec<C> = (0..n).map(|k| (0..n).map(|j| a[j] * b[(k + n - j) % n]).sum()).collect();
        let units = 4.0 * bound(n, DType::F64) * length(&a) * length(&b) / length(&want).max(f64::MIN_POSITIVE);
        near(&got, &want, units, "a convolution");
    }
}
