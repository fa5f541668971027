//! Integers without a width that the type they meet cannot hold: comparisons with them are exact, everything else
//! refuses them.

use super::{Arg, apply, common_dtype, composite};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::ops::composites::CLIP;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// True for a number that some integer type cannot hold.
#[inline]
pub(super) fn is_wide(arg: &Arg<'_>) -> bool {
    matches!(arg, Arg::Number(Scalar::Int(i)) if !(0..=i128::from(i8::MAX)).contains(i))
}

/// The integer type that the numbers of `prim` take, if it is one.
fn integer_dtype(prim: Prim, args: &[Arg<'_>]) -> Option<DType> {
    prim.operand_dtype(common_dtype(prim, args))
        .filter(|d| d.is_integer())
}

/// `prim` over `args`, of which some number [`is_wide`], where its operands' type cannot hold one: the result of a
/// comparison, an error for other primitives. `None` where all numbers fit.
#[cold]
pub(super) fn beyond(prim: Prim, args: &[Arg<'_>]) -> Option<Result<Tensor>> {
    let dtype = integer_dtype(prim, args)?;
    let (at, value) = args.iter().enumerate().find_map(|(k, arg)| match arg {
        Arg::Number(x @ Scalar::Int(i)) if !x.fits(dtype) => Some((k, *i)),
        _ => None,
    })?;
    let refused = Error::Range {
        op: prim.name(),
        value,
        dtype,
    };
    let [Arg::Tensor(t)] = (match args {
        [a, b] => [if at == 0 { *b } else { *a }],
        _ => return Some(Err(refused)),
    }) else {
        return Some(Err(refused));
    };
    let Some((low, high)) = dtype.integers() else {
        return Some(Err(refused));
    };
    // Of every element the same is true, and a comparison with the end of the type says it.
    let above = value > 0;
    let turned = if at == 0 { prim.mirrored() } else { Some(prim) };
    let prim = match (turned.unwrap_or(prim), above) {
        (Prim::Lt | Prim::Le | Prim::Ne, true) => Prim::Le,
        (Prim::Gt | Prim::Ge | Prim::Eq, true) => Prim::Gt,
        (Prim::Gt | Prim::Ge | Prim::Ne, false) => Prim::Ge,
        (Prim::Lt | Prim::Le | Prim::Eq, false) => Prim::Lt,
        _ => return Some(Err(refused)),
    };
    let end = Scalar::Int(if above { high } else { low });
    Some(apply(prim, &[Arg::Tensor(t), Arg::Number(end)]))
}

/// `min(max(x, low), high)`; without a bound there is none on that side. So it is where a bound is an integer that lies
/// beyond its end of an integer type: no element reaches it.
///
/// Errors as [`apply`], and [`Error::Range`] for an integer beyond the other end.
///
/// ```
/// use syntonic_core::ops::elementwise::clip;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([-2.0, 0.5, 2.0]);
/// assert_eq!(clip(&x, Some((-1).into()), Some(1.into()))?.to_vec::<f64>()?, [-1.0, 0.5, 1.0]);
/// assert_eq!(clip(&x, None, Some(1.into()))?.to_vec::<f64>()?, [-2.0, 0.5, 1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn clip(x: &Tensor, low: Option<Arg<'_>>, high: Option<Arg<'_>>) -> Result<Tensor> {
    let given: Vec<Arg<'_>> = [Some(Arg::Tensor(x)), low, high]
        .into_iter()
        .flatten()
        .collect();
    let ends = integer_dtype(Prim::Max, &given).and_then(DType::integers);
    let reached = |bound: &Arg<'_>, is_past: fn(i128, (i128, i128)) -> bool| match (bound, ends) {
        (Arg::Number(Scalar::Int(i)), Some(ends)) => !is_past(*i, ends),
        _ => true,
    };
    let low = low.filter(|low| reached(low, |i, (lowest, _)| i < lowest));
    let high = high.filter(|high| reached(high, |i, (_, highest)| i > highest));
    let x_arg = Arg::Tensor(x);
    let named = |e| match e {
        Error::Range { value, dtype, .. } => Error::Range {
            op: CLIP.name,
            value,
            dtype,
        },
        other => other,
    };
    match (low, high) {
        (Some(low), Some(high)) if common_dtype(Prim::Max, &given).is_bool() => {
            apply(Prim::Max, &[x_arg, low]).and_then(|x| apply(Prim::Min, &[(&x).into(), high]))
        }
        (Some(low), Some(high)) => composite(CLIP.name, CLIP.build, &[x_arg, low, high]),
        (Some(low), None) => apply(Prim::Max, &[x_arg, low]),
        (None, Some(high)) => apply(Prim::Min, &[x_arg, high]),
        // Where bounds that nothing reaches have raised the type, the conversion makes a tensor of its own.
        (None, None) => match common_dtype(Prim::Max, &given) {
            dtype if dtype == x.dtype() => x.copy(),
            dtype => x.cast(dtype),
        },
    }
    .map_err(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPARISONS: [Prim; 6] = [Prim::Lt, Prim::Le, Prim::Eq, Prim::Ne, Prim::Gt, Prim::Ge];

    fn holds(prim: Prim, a: i128, b: i128) -> bool {
        match prim {
            Prim::Lt => a < b,
            Prim::Le => a <= b,
            Prim::Eq => a == b,
            Prim::Ne => a != b,
            Prim::Gt => a > b,
            _ => a >= b,
        }
    }

    #[test]
    fn comparisons_are_those_of_integers_without_limits() {
        for dtype in DType::ALL.into_iter().filter(|d| d.is_integer()) {
            let (low, high) = dtype.integers().unwrap();
            let values = [low, 0, 1, high];
            let all: Vec<Tensor> = values
                .map(|v| Tensor::scalar(Scalar::Int(v), dtype).unwrap())
                .to_vec();
            let wide = [
                low - 1,
                low,
                -1,
                0,
                200,
                high,
                high + 1,
                i128::MIN,
                i128::MAX,
            ];
            for prim in COMPARISONS {
                for number in wide {
                    for (t, &value) in all.iter().zip(&values) {
                        let number_arg = Arg::Number(Scalar::Int(number));
                        let got = apply(prim, &[t.into(), number_arg]).unwrap();
                        let want = Scalar::Bool(holds(prim, value, number));
                        assert_eq!(got.item().unwrap(), want, "{value} {prim:?} {number}");
                        let got = apply(prim, &[number_arg, t.into()]).unwrap();
                        let want = Scalar::Bool(holds(prim, number, value));
                        assert_eq!(got.item().unwrap(), want, "{number} {prim:?} {value}");
                    }
                }
            }
        }
    }

    #[test]
    fn other_operations_refuse_what_their_type_cannot_hold() {
        let t = Tensor::from_slice(&[1u8, 2], &[2]).unwrap();
        let many = Tensor::full(&[20_000], 1, DType::U8).unwrap();
        for x in [&t, &many] {
            for prim in [Prim::Add, Prim::Mul, Prim::Max, Prim::Pow, Prim::BitAnd] {
                let refused = apply(prim, &[x.into(), 300i64.into()]).unwrap_err();
                assert!(
                    matches!(refused, Error::Range { op, value: 300, dtype: DType::U8 } if op == prim.name()),
                    "{refused}"
                );
            }
            let slope = [x.into(), Arg::from(-1i64)];
            let leaky = crate::ops::composites::LEAKY_RELU;
            let refused = composite(leaky.name, leaky.build, &slope).unwrap_err();
            assert!(
                refused
                    .to_string()
                    .starts_with("leaky_relu: -1 does not fit uint8"),
                "{refused}"
            );
            // A quotient is a float, and floats take what they can.
            let q = apply(Prim::Div, &[x.into(), 300i64.into()]).unwrap();
            assert_eq!(q.to_vec::<f64>().unwrap()[0], 1.0 / 300.0);
        }
    }

    #[test]
    fn bounds_that_no_element_reaches_are_none() {
        let t = Tensor::from_slice(&[0u8, 7, 255], &[3]).unwrap();
        let far = |low: i64, high: i64| clip(&t, Some(low.into()), Some(high.into()));
        for (low, high, want) in [
            (-1, 300, [0, 7, 255]),
            (5, 300, [5, 7, 255]),
            (-9, 9, [0, 7, 9]),
        ] {
            let got = far(low, high).unwrap();
            assert_eq!(
                (got.dtype(), got.to_vec::<u8>().unwrap()),
                (DType::U8, want.to_vec())
            );
            assert!(!got.shares_storage(&t));
        }
        assert!(matches!(far(300, 10), Err(Error::Range { op: "clip", .. })));
        assert!(matches!(far(0, -1), Err(Error::Range { op: "clip", .. })));
        let truths = Tensor::scalar(true, DType::Bool).unwrap();
        let raised = clip(&truths, Some((-1i64).into()), None).unwrap();
        assert_eq!(raised.dtype(), DType::I64);
    }

    #[test]
    fn ways_out_are_those_of_rust() {
        let t = Tensor::from_slice(&[1.0f32], &[1]).unwrap();
        let refused = apply(Prim::Shl, &[(&t).into(), 1i64.into()]).unwrap_err();
        assert!(refused.to_string().contains(".cast(dtype)"), "{refused}");
    }
}
