//! The next number of a half type. Half types compute in `float32`, whose next number rounds back to the number itself, so the step is
//! a formula here, and no device needs to know it.

use super::{DType, Lowering, Prim};
use crate::scalar::Scalar;
use half::{bf16, f16};

impl Lowering<'_> {
    /// The next number of type `half` from `a` towards `b`, which are `float32` nodes with values of that type; to be rounded to it.
    ///
    /// With p digits the spacing is between |a| 2^-p and |a| 2^(1-p), and half as much below a power of two. |a| 5/4 2^-p lies between
    /// a half and one and a half of each of these, so the sum rounds to the next number on either side.
    pub(super) fn next_half(&mut self, half: DType, a: u32, b: u32) -> u32 {
        use Prim::{Abs, Add, CopySign, Eq, Gt, Max, Min, Mul, Select, Sub};
        let (digits, smallest, largest) = match half {
            DType::F16 => (11, f16::from_bits(1).to_f64(), 65536.0),
            _ => (8, bf16::from_bits(1).to_f64(), f64::from(f32::MAX)),
        };
        let mut number = |x: f64| self.constant(Scalar::Float(x), DType::F32);
        let (zero, smallest) = (number(0.0), number(smallest));
        // An infinity counts as a number that is less than half a spacing above the largest.
        let (share, largest) = (number(1.25 * f64::from(-digits).exp2()), number(largest));
        let size = self.primitive(Abs, &[a]);
        let size = self.primitive(Min, &[size, largest]);
        let step = self.primitive(Mul, &[size, share]);
        let step = self.primitive(Max, &[step, smallest]);
        let (rises, positive) = (self.primitive(Gt, &[b, a]), self.primitive(Gt, &[a, zero]));
        let away = self.primitive(Eq, &[rises, positive]);
        let (longer, shorter) = (
            self.primitive(Add, &[size, step]),
            self.primitive(Sub, &[size, step]),
        );
        let size = self.primitive(Select, &[away, longer, shorter]);
        let is_zero = self.primitive(Eq, &[a, zero]);
        let sign = self.primitive(Select, &[is_zero, b, a]);
        let next = self.primitive(CopySign, &[size, sign]);
        let there = self.primitive(Eq, &[a, b]);
        let next = self.primitive(Select, &[there, b, next]);
        let ordered = self.primitive(Eq, &[b, b]);
        self.primitive(Select, &[ordered, next, b])
    }
}

#[cfg(test)]
mod tests {
    use crate::fuse::{Prim, reference};
    use crate::prelude::*;
    use half::{bf16, f16};

    /// All numbers of a half type towards numbers above, below and at them, as the reference steps over their bits.
    fn check<T: Element>(all: impl Fn(u16) -> T) {
        let numbers: Vec<T> = (0..=u16::MAX).map(all).collect();
        let x = Tensor::from_slice(&numbers, &[numbers.len()]).unwrap();
        let at_infinity = [f64::INFINITY, f64::NEG_INFINITY];
        for target in [0.0, -0.0, 1.0, -1.0, 3e-5, f64::NAN]
            .into_iter()
            .chain(at_infinity)
        {
            let target = Scalar::Float(target).cast(T::DTYPE);
            let towards = Tensor::full(&[1], target, T::DTYPE).unwrap();
            let next = x.next_after(&towards).unwrap().to_vec::<T>().unwrap();
            for (a, got) in numbers.iter().zip(next) {
                let a = a.to_scalar();
                let want = reference::apply(Prim::NextAfter, &[a, target], T::DTYPE).to_f64();
                let got = got.to_scalar().to_f64();
                let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                assert!(
                    same,
                    "{} of {a:?} towards {target:?}: {got}, not {want}",
                    T::DTYPE
                );
            }
        }
    }

    #[test]
    fn every_half_has_its_neighbours() {
        check(f16::from_bits);
        check(bf16::from_bits);
    }

    #[test]
    fn known_neighbours() {
        let cases = [
            (DType::F16, 1.0, 2.0, 1.0 + 1.0 / 1024.0),
            (DType::F16, 1.0, 0.0, 1.0 - 1.0 / 2048.0),
            (DType::F16, 65504.0, f64::INFINITY, f64::INFINITY),
            (DType::F16, f64::NEG_INFINITY, 0.0, -65504.0),
            (DType::BF16, 1.0, 2.0, 1.0 + 1.0 / 128.0),
            (DType::BF16, 1.0, 0.0, 1.0 - 1.0 / 256.0),
            (DType::BF16, 0.0, -1.0, -(-133.0f64).exp2()),
        ];
        for (dtype, a, b, want) in cases {
            let [a, b] = [a, b].map(|x| Tensor::full(&[], x, dtype).unwrap());
            let next = a.next_after(&b).unwrap().cast(DType::F64).unwrap();
            assert_eq!(next.to_vec::<f64>().unwrap(), [want], "{dtype}");
        }
    }
}
