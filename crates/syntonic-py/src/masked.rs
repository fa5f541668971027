//! Reductions over a part of the elements, and from a given start: what NumPy's `where` and `initial` ask for.

use crate::reductions::{Reduction, whole};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Error, Scalar, Tensor};

/// What a reduction is narrowed to.
pub(crate) struct Narrowed {
    /// True for the elements that count; broadcasts to the operand.
    pub(crate) mask: Option<Tensor>,
    /// What the reduction starts from.
    pub(crate) initial: Option<Scalar>,
}

/// The reduction of the elements under the mask, joined with the number to start from.
pub(crate) fn reduce(
    op: &'static str,
    reduction: Reduction,
    t: &Tensor,
    over: &Over,
    dtype: Option<DType>,
    narrowed: &Narrowed,
) -> Result<Tensor, Error> {
    let mask = match &narrowed.mask {
        Some(mask) => Some(mask.cast(DType::Bool)?.broadcast_to(t.shape())?),
        None => None,
    };
    let initial = narrowed.initial;
    match (reduction, &mask) {
        (Reduction::Sum, _) => {
            let made = whole(
                reduction,
                &beside(mask.as_ref(), t, Scalar::Bool(false))?,
                over,
                dtype,
            )?;
            match initial.filter(is_negative_zero) {
                Some(zero) if t.dtype().is_inexact() && !made.dtype().is_complex() => {
                    from_negative_zero(t, mask.as_ref(), over, &made, zero)
                }
                _ => joined(Prim::Add, made, initial),
            }
        }
        (Reduction::Prod, _) => {
            let made = whole(
                reduction,
                &beside(mask.as_ref(), t, Scalar::Bool(true))?,
                over,
                dtype,
            )?;
            joined(Prim::Mul, made, initial)
        }
        (Reduction::Min, _) => extreme(op, Prim::Min, reduction, t, over, mask.as_ref(), initial),
        (Reduction::Max, _) => extreme(op, Prim::Max, reduction, t, over, mask.as_ref(), initial),
        (Reduction::Any, _) => whole(
            reduction,
            &beside(mask.as_ref(), &truth(t)?, Scalar::Bool(false))?,
            over,
            None,
        ),
        (Reduction::All, _) => whole(
            reduction,
            &beside(mask.as_ref(), &truth(t)?, Scalar::Bool(true))?,
            over,
            None,
        ),
        (Reduction::Mean, Some(mask)) => {
            let (wide, narrow) = widened(t, dtype)?;
            mean(&wide, over, mask)?.cast(narrow)
        }
        (Reduction::Var(correction), Some(mask)) => {
            let (wide, narrow) = widened(t, dtype)?;
            variance(&wide, over, mask, correction)?.cast(narrow.real())
        }
        (Reduction::Std(correction), Some(mask)) => {
            let (wide, narrow) = widened(t, dtype)?;
            let variance = variance(&wide, over, mask, correction)?;
            apply(Prim::Sqrt, &[(&variance).into()])?.cast(narrow.real())
        }
        _ => whole(reduction, t, over, dtype),
    }
}

/// The elements under the mask, and a number in the place of the others.
fn beside(mask: Option<&Tensor>, t: &Tensor, neutral: Scalar) -> Result<Tensor, Error> {
    match mask {
        None => Ok(t.clone()),
        Some(mask) => apply(Prim::Select, &[mask.into(), t.into(), Arg::Number(neutral)]),
    }
}

fn truth(t: &Tensor) -> Result<Tensor, Error> {
    t.cast(DType::Bool)
}

/// `prim(made, initial)` in the type of the reduction, as NumPy has it.
fn joined(prim: Prim, made: Tensor, initial: Option<Scalar>) -> Result<Tensor, Error> {
    match initial {
        None => Ok(made),
        Some(x) => apply(prim, &[(&made).into(), Arg::Number(x)])?.cast(made.dtype()),
    }
}

fn is_negative_zero(x: &Scalar) -> bool {
    matches!(x, Scalar::Float(x) if *x == 0.0 && x.is_sign_negative())
}

/// A sum that begins with -0.0, and not with 0.0: it stays what it was where nothing but such zeros is added.
fn from_negative_zero(
    t: &Tensor,
    mask: Option<&Tensor>,
    over: &Over,
    made: &Tensor,
    zero: Scalar,
) -> Result<Tensor, Error> {
    let signs = apply(Prim::SignBit, &[t.into()])?;
    let signs = beside(mask, &signs, Scalar::Bool(true))?;
    let none = apply(Prim::Eq, &[made.into(), Arg::Number(Scalar::Int(0))])?;
    let all = reduce::all(&signs, over)?;
    let kept = apply(Prim::And, &[(&all).into(), (&none).into()])?;
    apply(
        Prim::Select,
        &[(&kept).into(), Arg::Number(zero), made.into()],
    )
}

/// The smallest or largest element under the mask; of none it is the number to start from.
fn extreme(
    op: &'static str,
    prim: Prim,
    reduction: Reduction,
    t: &Tensor,
    over: &Over,
    mask: Option<&Tensor>,
    initial: Option<Scalar>,
) -> Result<Tensor, Error> {
    let Some(start) = initial else {
        if mask.is_none() {
            return whole(reduction, t, over, None);
        }
        return Err(Error::Value {
            op,
            what: "under a mask there may be no element, and of none there is no extreme; hint: give initial as well".into(),
        });
    };
    let counted = beside(mask, t, start)?.cast(t.dtype())?;
    if counted.numel() > 0 {
        return joined(prim, whole(reduction, &counted, over, None)?, initial);
    }
    // The shape of a sum is that of any reduction, and a sum of nothing is no error.
    let shape = reduce::sum(&counted, over, None)?;
    Tensor::full_on(shape.shape(), start, t.dtype(), t.device())
}

/// The operand in double precision, and the type of the result.
fn widened(t: &Tensor, dtype: Option<DType>) -> Result<(Tensor, DType), Error> {
    let narrow = dtype.unwrap_or(t.dtype()).to_inexact();
    let wide = if narrow.is_complex() {
        DType::C128
    } else {
        DType::F64
    };
    Ok((t.cast(narrow)?.cast(wide)?, narrow))
}

fn count(over: &Over, mask: &Tensor) -> Result<Tensor, Error> {
    reduce::sum(mask, over, Some(DType::F64))
}

/// The mean of the elements under the mask; where their sum leaves the range, by way of them times 2^-64.
fn mean(wide: &Tensor, over: &Over, mask: &Tensor) -> Result<Tensor, Error> {
    const UP: f64 = (1u128 << 64) as f64;
    let number = |x: f64| Arg::Number(Scalar::Float(x));
    let counted = beside(Some(mask), wide, Scalar::Bool(false))?;
    let count = count(over, mask)?;
    let sum = reduce::sum(&counted, over, None)?;
    let plain = apply(Prim::Div, &[(&sum).into(), (&count).into()])?;
    let down = apply(Prim::Mul, &[(&counted).into(), number(1.0 / UP)])?;
    let down = reduce::sum(&down, over, None)?;
    let down = apply(Prim::Div, &[(&down).into(), (&count).into()])?;
    let scaled = apply(Prim::Mul, &[(&down).into(), number(UP)])?;
    let held = apply(Prim::IsFinite, &[(&sum).into()])?;
    let choice = [(&held).into(), (&plain).into(), (&scaled).into()];
    apply(Prim::Select, &choice)
}

/// The sum of the squared distances from the mean over their number less the correction; what the rounded mean is off is taken off
/// again.
fn variance(wide: &Tensor, over: &Over, mask: &Tensor, correction: f64) -> Result<Tensor, Error> {
    let number = |x: f64| Arg::Number(Scalar::Float(x));
    let mean = mean(wide, &over.clone().keep(), mask)?;
    let apart = apply(Prim::Sub, &[wide.into(), (&mean).into()])?;
    let apart = beside(Some(mask), &apart, Scalar::Bool(false))?;
    let square = |x: &Tensor| {
        let size = apply(Prim::Abs, &[x.into()])?;
        apply(Prim::Square, &[(&size).into()])
    };
    let count = count(over, mask)?;
    let squares = reduce::sum(&square(&apart)?, over, None)?;
    let off = square(&reduce::sum(&apart, over, None)?)?;
    let off = apply(Prim::Div, &[(&off).into(), (&count).into()])?;
    let held = apply(Prim::IsFinite, &[(&off).into()])?;
    let off = apply(Prim::Select, &[(&held).into(), (&off).into(), number(0.0)])?;
    let spread = apply(Prim::Sub, &[(&squares).into(), (&off).into()])?;
    let spread = apply(Prim::Max, &[(&spread).into(), number(0.0)])?;
    let count = apply(Prim::Sub, &[(&count).into(), number(correction)])?;
    let count = apply(Prim::Max, &[(&count).into(), number(0.0)])?;
    apply(Prim::Div, &[(&spread).into(), (&count).into()])
}
