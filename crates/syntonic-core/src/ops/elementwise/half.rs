//! Numbers without a width beside half types: where values are rounded to those, so are the numbers.

use super::{Arg, common_dtype};
use crate::fuse::Prim;
use crate::lazy::rounds_each;
use crate::scalar::{Element, Scalar};
use crate::with_element;
use smallvec::SmallVec;

/// The operands with numbers of their half type: of a comparison, which asks for equal values of that type, and of any primitive whose
/// result is rounded. `None` where the numbers are such already.
pub(super) fn rounded<'a>(prim: Prim, args: &[Arg<'a>]) -> Option<SmallVec<[Arg<'a>; 3]>> {
    let is_number = |a: &Arg<'_>| matches!(a, Arg::Number(Scalar::Int(_) | Scalar::Float(_)));
    if !args.iter().any(is_number) || !(prim.mirrored().is_some() || rounds_each()) {
        return None;
    }
    let dtype = common_dtype(prim, args);
    if !dtype.is_half() {
        return None;
    }
    let mut changed = false;
    let all = args.iter().map(|a| match a {
        Arg::Number(x @ (Scalar::Int(_) | Scalar::Float(_))) => {
            let near = with_element!(dtype, T => T::from_scalar(*x).to_scalar());
            let is_near = match (*x, near) {
                (Scalar::Float(x), Scalar::Float(y)) => x.to_bits() == y.to_bits() || x.is_nan(),
                (Scalar::Int(x), Scalar::Float(y)) => x as f64 == y,
                _ => true,
            };
            changed |= !is_near;
            Arg::Number(if is_near { *x } else { near })
        }
        other => *other,
    });
    let all: SmallVec<[Arg<'a>; 3]> = all.collect();
    changed.then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::lazy::{Rounding, set_rounding};
    use crate::ops::elementwise::apply;
    use crate::tensor::Tensor;

    #[test]
    fn a_comparison_asks_for_the_nearest_number_of_the_type() {
        for dtype in [DType::F16, DType::BF16] {
            let x = Tensor::from_slice(&[0.1f64, 0.2, 3.3], &[3]).unwrap();
            let x = x.cast(dtype).unwrap();
            let says = |prim| apply(prim, &[(&x).into(), 0.1.into()]).unwrap();
            assert_eq!(
                says(Prim::Eq).to_vec::<bool>().unwrap(),
                [true, false, false]
            );
            assert_eq!(
                says(Prim::Gt).to_vec::<bool>().unwrap(),
                [false, true, true]
            );
            assert_eq!(
                says(Prim::Le).to_vec::<bool>().unwrap(),
                [true, false, false]
            );
        }
    }

    #[test]
    fn numbers_are_rounded_where_each_result_is() {
        let values: Vec<f64> = (1..2000).map(f64::from).collect();
        let x = Tensor::from_slice(&values, &[1999])
            .unwrap()
            .cast(DType::F16)
            .unwrap();
        let factor = Tensor::scalar(1.2345, DType::F16).unwrap();
        let before = set_rounding(Rounding::Each);
        let (got, want) = (&x * 1.2345, &x * &factor);
        let (got, want) = (got.to_vec::<f64>().unwrap(), want.to_vec::<f64>().unwrap());
        set_rounding(before);
        assert_eq!(got, want);
        assert_ne!(
            (&x * 1.2345).to_vec::<f64>().unwrap(),
            want,
            "one rounding less"
        );
    }
}
