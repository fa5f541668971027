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
    let prim = match (if at == 0 { mirrored(prim) } else { prim }, above) {
        (Prim::Lt | Prim::Le | Prim::Ne, true) => Prim::Le,
        (Prim::Gt | Prim::Ge | Prim::Eq, true) => Prim::Gt,
        (Prim::Gt | Prim::Ge | Prim::Ne, false) => Prim::Ge,
        (Prim::Lt | Prim::Le | Prim::Eq, false) => Prim::Lt,
        _ => return Some(Err(refused)),
    };
    let end = Scalar::Int(if above { high } else { low });
    Some(apply(prim, &[Arg::Tensor(t), Arg::Number(end)]))
}

/// The comparison that says of (b, a) what `prim` says of (a, b).
fn mirrored(prim: Prim) -> Prim {
    match prim {
        Prim::Lt => Prim::Gt,
        Prim::Le => Prim::Ge,
        Prim::Gt => Prim::Lt,
        Prim::Ge => Prim::Le,
        other => other,
    }
}

/// `min(max(x, low), high)`; without a bound there is none on that side. So it is where a bound is an integer that lies
/// beyond its end of an integer type: no element reaches it.
///
/// Errors as [`apply`], and [`Error::Range`] for an integer beyond the other end.
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
