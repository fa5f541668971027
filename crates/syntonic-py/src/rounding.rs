//! Rounding to a number of decimals.

use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{Error, Scalar, Tensor};

/// Rounded to so many decimals, halves to even, as NumPy computes it: times a power of ten, rounded, and divided again.
pub(crate) fn round(t: &Tensor, decimals: i32) -> Result<Tensor, Error> {
    let dtype = t.dtype();
    if decimals == 0 || (decimals > 0 && dtype.is_integer()) {
        return apply(Prim::Round, &[t.into()]);
    }
    let power = Arg::Number(Scalar::Float(10f64.powi(decimals.saturating_abs())));
    let (there, back) = match decimals > 0 {
        true => (Prim::Mul, Prim::Div),
        false => (Prim::Div, Prim::Mul),
    };
    let scaled = apply(there, &[t.into(), power])?;
    let whole = apply(Prim::Round, &[(&scaled).into()])?;
    apply(back, &[(&whole).into(), power])?.cast(dtype)
}
