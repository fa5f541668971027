//! Kinds of numbers for which a primitive has no kernel of its own: truth values that are ordered or counted, and some functions of
//! complex numbers.

use super::{Arg, apply, common_dtype};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::Prim;
use crate::lazy::as_type;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;

/// `prim` by other primitives, where its operands are truth values or complex numbers that it does not take.
///
/// False is less than true. What NumPy computes of truth values as `int8` is computed so here; what it refuses, such as a
/// difference, stays refused.
pub(super) fn in_other_words(prim: Prim, args: &[Arg<'_>]) -> Option<Result<Tensor>> {
    let common = common_dtype(prim, args);
    if prim.operand_dtype(common).is_some() {
        return None;
    }
    match common {
        DType::Bool => of_truth(prim, args),
        DType::C64 | DType::C128 => of_complex(prim, args),
        _ => None,
    }
}

fn of_truth(prim: Prim, args: &[Arg<'_>]) -> Option<Result<Tensor>> {
    let itself = |prim| Some(apply(prim, &[args[0], args[0]]));
    match prim {
        Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => Some(converted(prim, args, DType::U8)),
        Prim::FloorDiv | Prim::Rem | Prim::Pow | Prim::Square | Prim::Shl | Prim::Shr => {
            Some(converted(prim, args, DType::I8))
        }
        Prim::Min => Some(apply(Prim::And, args)),
        Prim::Max => Some(apply(Prim::Or, args)),
        Prim::Abs | Prim::Floor | Prim::Ceil | Prim::Trunc | Prim::Conj | Prim::Real => {
            itself(Prim::And)
        }
        Prim::Imag => itself(Prim::Xor),
        Prim::IsNan | Prim::IsInf => itself(Prim::Ne),
        Prim::IsFinite => itself(Prim::Eq),
        _ => None,
    }
}

fn of_complex(prim: Prim, args: &[Arg<'_>]) -> Option<Result<Tensor>> {
    let then = |inner: Result<Tensor>, outer| apply(outer, &[(&inner?).into()]);
    match prim {
        Prim::Exp2 => {
            let ln_2 = Arg::Number(Scalar::Float(std::f64::consts::LN_2));
            Some(then(apply(Prim::Mul, &[args[0], ln_2]), Prim::Exp))
        }
        Prim::Rsqrt => Some(then(apply(Prim::Sqrt, args), Prim::Recip)),
        _ => None,
    }
}

/// The operands as another type, and what `run` makes of them.
fn with_operands(
    args: &[Arg<'_>],
    dtype: impl Fn(&Tensor) -> DType,
    run: impl FnOnce(&[Arg<'_>]) -> Result<Tensor>,
) -> Result<Tensor> {
    let made = args.iter().map(|arg| match arg {
        Arg::Tensor(t) => as_type(t, dtype(t)).map(Some),
        Arg::Number(_) => Ok(None),
    });
    let made: SmallVec<[Option<Tensor>; 3]> = made.collect::<Result<_>>()?;
    let converted = args.iter().zip(&made).map(|(arg, made)| match made {
        Some(t) => Arg::Tensor(t),
        None => *arg,
    });
    let converted: SmallVec<[Arg<'_>; 3]> = converted.collect();
    run(&converted)
}

/// `prim` of the operands as another type.
fn converted(prim: Prim, args: &[Arg<'_>], dtype: DType) -> Result<Tensor> {
    with_operands(args, |_| dtype, |args| apply(prim, args))
}

/// The type of floats in which a formula is computed that makes floats of integers or truth values: its first steps, in whole numbers,
/// would wrap around, as `-x` does of unsigned ones. None where it makes whole numbers of them, or has floats already. `result` is
/// the type of the formula's result over operands of some types; truth values count as `int8` where it refuses them.
pub(super) fn float_of_whole(
    dtypes: &[DType],
    result: impl Fn(&[DType]) -> Result<DType>,
) -> Option<DType> {
    if dtypes.iter().all(|d| d.is_inexact() || d.is_stored()) {
        return None;
    }
    let counted = |d: &DType| if d.is_bool() { DType::I8 } else { *d };
    let counted: SmallVec<[DType; 3]> = dtypes.iter().map(counted).collect();
    let as_they_are = result(dtypes).ok();
    let made = as_they_are.or_else(|| result(&counted).ok())?;
    let is_whole = |d: &DType| d.is_integer() || (d.is_bool() && as_they_are.is_none());
    (made.is_inexact() && dtypes.iter().any(is_whole)).then_some(made)
}

/// What `run` makes of the operands with their integers and truth values as floats.
pub(super) fn floating(
    args: &[Arg<'_>],
    float: DType,
    run: impl FnOnce(&[Arg<'_>]) -> Result<Tensor>,
) -> Result<Tensor> {
    let float = |t: &Tensor| match t.dtype().is_integer() || t.dtype().is_bool() {
        true => float,
        false => t.dtype(),
    };
    with_operands(args, float, run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::composites;
    use crate::ops::elementwise::composite;

    fn truths(values: &[bool]) -> Tensor {
        Tensor::from_slice(values, &[values.len()]).unwrap()
    }

    #[test]
    fn formulas_that_make_floats_of_whole_numbers_do_not_wrap() {
        let five = Tensor::from_slice(&[5u8], &[1]).unwrap();
        let one = |row: &composites::Composite| {
            let made = composite(row.name, row.build, &[(&five).into()]).unwrap();
            assert_eq!(made.dtype(), DType::F64, "{}", row.name);
            made.to_vec::<f64>().unwrap()[0]
        };
        let tail = (-5f64).exp();
        for (row, want) in [
            (&composites::SIGMOID, 1.0 / (1.0 + tail)),
            (&composites::SILU, 5.0 / (1.0 + tail)),
            (&composites::SOFTPLUS, 5.0 + tail.ln_1p()),
            (&composites::LOG_SIGMOID, -tail.ln_1p()),
            (&composites::MISH, 5.0 * (5.0 + tail.ln_1p()).tanh()),
        ] {
            let got = one(row);
            assert!(
                (got - want).abs() <= 8.0 * f64::EPSILON * want.abs().max(1.0),
                "{}: {got}, not {want}",
                row.name
            );
        }
        let lerp = [(&five).into(), 1.into(), 0.5.into()];
        let lerp = composite(composites::LERP.name, composites::LERP.build, &lerp).unwrap();
        assert_eq!(lerp.to_vec::<f64>().unwrap(), [3.0]);
        let truth = truths(&[false, true]);
        let half = composite(
            composites::SIGMOID.name,
            composites::SIGMOID.build,
            &[(&truth).into()],
        );
        let half = half
            .unwrap()
            .cast(DType::F64)
            .unwrap()
            .to_vec::<f64>()
            .unwrap();
        assert!(half[0] == 0.5 && (half[1] - 1.0 / (1.0 + (-1f64).exp())).abs() < 1e-3);
        // What stays whole stays exact.
        let relu = composite(
            composites::RELU.name,
            composites::RELU.build,
            &[(&five).into()],
        )
        .unwrap();
        assert_eq!(relu.dtype(), DType::U8);
    }

    #[test]
    fn truth_values_are_ordered() {
        let (a, b) = (
            truths(&[false, false, true, true]),
            truths(&[false, true, false, true]),
        );
        let both = |prim| apply(prim, &[(&a).into(), (&b).into()]).unwrap();
        let one = |prim| apply(prim, &[(&b).into()]).unwrap();
        for (prim, want) in [
            (Prim::Lt, [false, true, false, false]),
            (Prim::Le, [true, true, false, true]),
            (Prim::Gt, [false, false, true, false]),
            (Prim::Ge, [true, false, true, true]),
            (Prim::Min, [false, false, false, true]),
            (Prim::Max, [false, true, true, true]),
        ] {
            assert_eq!(
                both(prim).to_vec::<bool>().unwrap(),
                want,
                "{}",
                prim.name()
            );
        }
        for (prim, want) in [
            (Prim::Abs, [false, true, false, true]),
            (Prim::IsNan, [false; 4]),
            (Prim::IsInf, [false; 4]),
            (Prim::IsFinite, [true; 4]),
            (Prim::Imag, [false; 4]),
        ] {
            assert_eq!(one(prim).to_vec::<bool>().unwrap(), want, "{}", prim.name());
        }
        assert_eq!(one(Prim::Square).dtype(), DType::I8);
        assert_eq!(both(Prim::Pow).to_vec::<i8>().unwrap(), [1, 0, 1, 1]);
        for refused in [Prim::Sub, Prim::Sign] {
            let args: [Arg<'_>; 2] = [(&a).into(), (&b).into()];
            let e = apply(refused, &args[..refused.arity()]).unwrap_err();
            assert!(matches!(e, crate::Error::DType { .. }), "{e}");
        }
        // A number makes a type of them that is ordered anyway.
        let mixed = apply(Prim::Max, &[(&a).into(), Arg::Number(Scalar::Float(0.5))]).unwrap();
        assert_eq!(mixed.to_vec::<f64>().unwrap(), [0.5, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn complex_numbers_by_their_definitions() {
        use num_complex::Complex;
        let z = Complex::new(1.5, -0.75);
        let t = Tensor::from_slice(&[z], &[1]).unwrap();
        let close = |got: Tensor, want: Complex<f64>| {
            let got = got.to_vec::<Complex<f64>>().unwrap()[0];
            assert!(
                (got - want).norm() <= 8.0 * f64::EPSILON * want.norm(),
                "{got} is not {want}"
            );
        };
        close(
            apply(Prim::Exp2, &[(&t).into()]).unwrap(),
            (z * std::f64::consts::LN_2).exp(),
        );
        close(apply(Prim::Rsqrt, &[(&t).into()]).unwrap(), z.sqrt().inv());
        for (row, want) in [
            (composites::SIGMOID, (Complex::from(1.0) + (-z).exp()).inv()),
            (
                composites::SILU,
                z * (Complex::from(1.0) + (-z).exp()).inv(),
            ),
        ] {
            close(
                composite(row.name, row.build, &[(&t).into()]).unwrap(),
                want,
            );
        }
    }

    /// Half types agree with the formula in double precision, rounded: `float32` is off by few of its units, which changes
    /// the nearest half number only where the value lies between two of them, and then by one.
    #[test]
    fn formulas_of_half_types_are_rounded_once() {
        let x: Vec<f64> = (-512..512).map(|k| f64::from(k) / 64.0).collect();
        let wide = Tensor::from_slice(&x, &[x.len()]).unwrap();
        for half in [DType::F16, DType::BF16] {
            for repeats in [1isize, 16] {
                // Computed at once, and within a chain.
                let x = wide.cast(half).unwrap();
                let many = x
                    .broadcast_to(&[repeats as usize, 1024])
                    .unwrap()
                    .copy()
                    .unwrap();
                let exact = many.cast(DType::F64).unwrap();
                for row in composites::ALL.iter().filter(|row| row.args.len() == 1) {
                    let of = |t: &Tensor| composite(row.name, row.build, &[t.into()]).unwrap();
                    let got = of(&many);
                    assert_eq!(got.dtype(), half);
                    let got = got.to_vec::<f64>().unwrap();
                    let want = of(&exact).cast(half).unwrap().to_vec::<f64>().unwrap();
                    let unit = if half == DType::F16 {
                        2f64.powi(-10)
                    } else {
                        2f64.powi(-7)
                    };
                    let mut others = 0;
                    for (g, w) in got.iter().zip(&want) {
                        others += usize::from(g != w);
                        assert!(
                            (g - w).abs() <= unit * w.abs() + 2f64.powi(-24),
                            "{}: {g} is not {w}",
                            row.name
                        );
                    }
                    assert!(
                        others * 200 <= got.len(),
                        "{}: {others} of {}",
                        row.name,
                        got.len()
                    );
                }
            }
        }
    }
}
