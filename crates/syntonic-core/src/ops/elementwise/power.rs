//! Powers by small whole numbers and by a half as products and a root: a few instructions in the place of a hundred, on either device.
//!
//! They are as near to the power as a product of as many factors can be, and its special cases are those of the power.

use super::{Arg, apply, common_dtype, composite};
use crate::error::Result;
use crate::fuse::{Builder, NodeId, Prim};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// `x` raised to 2, 3, 4 or 1/2 by multiplications or a square root, where the result has the type of `x`.
pub(super) fn in_short(prim: Prim, args: &[Arg<'_>]) -> Option<Result<Tensor>> {
    let (Prim::Pow, [Arg::Tensor(x), Arg::Number(power)]) = (prim, args) else {
        return None;
    };
    let dtype = x.dtype();
    if prim.operand_dtype(dtype).is_none() || common_dtype(prim, args) != dtype {
        return None;
    }
    let of = |build| Some(composite(prim.name(), build, &args[..1]));
    match *power {
        Scalar::Int(2) | Scalar::Float(2.0) => Some(apply(Prim::Square, &args[..1])),
        Scalar::Int(3) | Scalar::Float(3.0) => of(cube),
        Scalar::Int(4) | Scalar::Float(4.0) => of(fourth),
        Scalar::Float(0.5) if dtype.is_float() => of(root),
        _ => None,
    }
}

fn cube(b: &mut Builder, x: &[NodeId]) -> NodeId {
    let square = b.apply(Prim::Square, x);
    b.apply(Prim::Mul, &[square, x[0]])
}

fn fourth(b: &mut Builder, x: &[NodeId]) -> NodeId {
    let square = b.apply(Prim::Square, x);
    b.apply(Prim::Square, &[square])
}

/// The power of minus infinity by a half is infinity and that of minus zero is zero, where a root has NaN and minus zero.
fn root(b: &mut Builder, x: &[NodeId]) -> NodeId {
    let [below, above, zero] =
        [f64::NEG_INFINITY, f64::INFINITY, 0.0].map(|x| b.constant(Scalar::Float(x)));
    let root = b.apply(Prim::Sqrt, x);
    let root = b.apply(Prim::Add, &[root, zero]);
    let ends = b.apply(Prim::Eq, &[x[0], below]);
    b.apply(Prim::Select, &[ends, above, root])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    /// The power by a tensor has no short way.
    fn both(x: &Tensor, power: f64) -> [Vec<f64>; 2] {
        let by = Tensor::full(&[1], power, x.dtype()).unwrap();
        let plain = apply(Prim::Pow, &[x.into(), (&by).into()]).unwrap();
        let short = apply(Prim::Pow, &[x.into(), power.into()]).unwrap();
        assert_eq!(
            (plain.dtype(), plain.shape()),
            (short.dtype(), short.shape())
        );
        [plain, short].map(|x| x.cast(DType::F64).unwrap().to_vec().unwrap())
    }

    #[test]
    fn short_powers_are_the_long_ones() {
        let ends = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let numbers = (-40..40).map(|k| f64::from(k) * 0.37);
        let x = Tensor::from_vec(ends.into_iter().chain(numbers).collect(), &[85]).unwrap();
        for (dtype, digits) in [
            (DType::F64, 53),
            (DType::F32, 24),
            (DType::F16, 11),
            (DType::BF16, 8),
        ] {
            let x = x.cast(dtype).unwrap();
            for power in [2.0, 3.0, 4.0, 0.5] {
                let [want, got] = both(&x, power);
                for (k, (want, got)) in want.iter().zip(&got).enumerate() {
                    // The error of the power and of three products.
                    let apart = want.abs() * 2f64.powi(3 - digits);
                    let same = want == got && want.is_sign_negative() == got.is_sign_negative();
                    let near = (want - got).abs() <= apart && want.is_finite();
                    assert!(
                        same || near || want.is_nan() && got.is_nan(),
                        "{dtype} {power} {k}: {got} for {want}"
                    );
                }
            }
        }
    }

    #[test]
    fn whole_numbers_stay_whole_and_wrap() {
        let x = Tensor::from([3, -7, i32::MAX]);
        for power in [2, 3, 4] {
            let by = Tensor::from([power]);
            let plain = apply(Prim::Pow, &[(&x).into(), (&by).into()]).unwrap();
            let short = apply(Prim::Pow, &[(&x).into(), power.into()]).unwrap();
            assert_eq!(
                plain.to_vec::<i32>().unwrap(),
                short.to_vec::<i32>().unwrap()
            );
        }
        // A float makes floats of them, as any power by one.
        assert_eq!(
            apply(Prim::Pow, &[(&x).into(), 2.0.into()])
                .unwrap()
                .dtype(),
            DType::F64
        );
    }
}
