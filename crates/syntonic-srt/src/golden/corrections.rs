//! Correction factors by the element.

use super::Sign;
use crate::constants::Q;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Error, Result, Tensor, describe, same_device, way_out};

fn with(prim: Prim, x: &Tensor, y: f64) -> Result<Tensor> {
    apply(prim, &[Arg::Tensor(x), Arg::from(y)])
}

fn both(prim: Prim, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    apply(prim, &[Arg::Tensor(x), Arg::Tensor(y)])
}

/// The places that are refused, as an error that names the first of them.
fn refuse(op: &'static str, n: &Tensor, wrong: &Tensor, hint: &str) -> Result<()> {
    if !reduce::any(wrong, &Over::all())?.to_scalar::<bool>()? {
        return Ok(());
    }
    let flat = wrong.cast(DType::U8)?.reshape(&[-1])?;
    let place = reduce::argmax(&flat, &Over::all())?.item()?.to_f64() as usize;
    let value = n.reshape(&[-1])?.select(0, place as i64)?.item()?.to_f64();
    let mut rest = place;
    let mut at: Vec<usize> = Vec::new(); // few: axes.
    for &length in n.shape().iter().rev() {
        at.push(rest % length);
        rest /= length;
    }
    at.reverse();
    Err(Error::value(op, format!("N is {value} at {at:?}; {hint}")))
}

/// Numbers N as `float64`, none of them 0, infinite or NaN.
fn numbers(op: &'static str, n: &Tensor) -> Result<Tensor> {
    let real = n.dtype().is_integer() || n.dtype().is_float();
    if !real || n.dtype().is_stored() {
        return Err(Error::DType {
            op,
            operands: describe(&[n]),
            hint: format!("takes integers and real floats; {}", way_out::CONVERT),
        });
    }
    let n = n.cast(DType::F64)?;
    // x - x is 0 where x is finite and NaN elsewhere, and NaN equals nothing.
    let still = n.stop_gradient();
    let finite = with(Prim::Eq, &both(Prim::Sub, &still, &still)?, 0.0)?;
    let fine = both(Prim::And, &finite, &with(Prim::Ne, &still, 0.0)?)?;
    let wrong = apply(Prim::Not, &[Arg::Tensor(&fine)])?.eval()?;
    let hint = "hint: give numbers of structures, or numbers that are finite and not 0";
    refuse(op, &still, &wrong, hint)?;
    Ok(n)
}

/// `q/N` by the element, `[..] -> [..]`, `float64`: the deficits of structures or of any numbers N. Each is that of
/// [`deficit`](super::deficit) to the bit, on every device.
///
/// Errors: other types than integers and real floats, and an N that is 0, infinite or NaN, with its place.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::{Structure, deficit, deficits};
///
/// let found = deficits(&Tensor::from([248, 120]))?.to_vec::<f64>()?;
/// assert_eq!(found, [deficit(Structure::E8Dimension)?, deficit(120)?]);
/// assert!(deficits(&Tensor::from([1.0, 0.0])).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn deficits(n: &Tensor) -> Result<Tensor> {
    quotients("deficits", n)
}

fn quotients(op: &'static str, n: &Tensor) -> Result<Tensor> {
    apply(Prim::Div, &[Arg::from(Q), Arg::Tensor(&numbers(op, n)?)])
}

fn corrected(op: &'static str, n: &Tensor, sign: Sign) -> Result<Tensor> {
    let prim = match sign {
        Sign::Plus => Prim::Add,
        Sign::Minus => Prim::Sub,
    };
    apply(prim, &[Arg::from(1.0), Arg::Tensor(&quotients(op, n)?)])
}

/// `1 ± q/N` by the element, `[..] -> [..]`, `float64`. Each is that of [`factor`](super::factor) to the bit, on every device. Errors as of
/// [`deficits`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::{Sign, factor, factors};
///
/// let found = factors(&Tensor::from([[248.0], [120.0]]), Sign::Minus)?;
/// assert_eq!(found.to_vec::<f64>()?, [factor(248, Sign::Minus)?, factor(120, Sign::Minus)?]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn factors(n: &Tensor, sign: Sign) -> Result<Tensor> {
    corrected("factors", n, sign)
}

/// `Π (1 + q/N_i) Π (1 - q/N_j)` along the last axes, whose leading axes broadcast: `[.., i], [.., j] -> [..]`, `float64`, multiplied from the first to the last
/// as of [`compound`](super::compound), and to its bits. Errors as of [`deficits`], and operands without an axis.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::{compound, compounds};
///
/// let (plus, minus) = (Tensor::from([[248, 120], [78, 72]]), Tensor::from([[30], [8]]));
/// let found = compounds(&plus, &minus)?.to_vec::<f64>()?;
/// assert_eq!(found, [compound([248, 120], [30])?, compound([78, 72], [8])?]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn compounds(plus: &Tensor, minus: &Tensor) -> Result<Tensor> {
    const OP: &str = "compounds";
    same_device(OP, &[plus, minus])?;
    let (Some((_, one)), Some((_, other))) =
        (plus.shape().split_last(), minus.shape().split_last())
    else {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[plus, minus]),
            hint: "numbers to multiply lie along a last axis".into(),
        });
    };
    let ones = |shape: &[usize]| -> Result<Tensor> {
        // One number in memory, however many rows there are.
        let one = Tensor::full_on(&[], 1.0, DType::F64, plus.device())?.eval()?;
        one.broadcast_to(shape)
    };
    let mut made = both(Prim::Mul, &ones(one)?, &ones(other)?)?;
    // Rows that are none have no factors to read, however many there were.
    let none = made.numel() == 0;
    for (n, sign) in [(plus, Sign::Plus), (minus, Sign::Minus)] {
        if none {
            break;
        }
        let factors = corrected(OP, n, sign)?;
        for k in 0..n.shape()[n.ndim() - 1] {
            made = both(Prim::Mul, &made, &factors.select(-1, k as i64)?)?;
        }
    }
    Ok(made)
}

/// `(1 + q/N_a) / (1 + q/N_b)` by the element, broadcast together, `float64`. Each is that of [`ratio`](super::ratio) to the bit, on every device. Errors
/// as of [`deficits`], and a divisor of 0, with its place.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::{ratio, ratios};
///
/// let found = ratios(&Tensor::from([248, 120]), &Tensor::from([78]))?;
/// assert_eq!(found.to_vec::<f64>()?, [ratio(248, 78)?, ratio(120, 78)?]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ratios(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    const OP: &str = "ratios";
    same_device(OP, &[a, b])?;
    let (above, below) = (corrected(OP, a, Sign::Plus)?, corrected(OP, b, Sign::Plus)?);
    let zero = with(Prim::Eq, &below.stop_gradient(), 0.0)?.eval()?;
    let hint = "1 + q/N of the divisor is 0; hint: N is not -q";
    refuse(OP, &b.stop_gradient(), &zero, hint)?;
    both(Prim::Div, &above, &below)
}
