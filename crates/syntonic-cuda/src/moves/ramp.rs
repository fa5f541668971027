//! Evenly spaced numbers.

use super::{address, rounds, rounds_of};
use crate::context::Context;
use crate::contract::{Contract, contract};
use crate::plan::Carrier;
use crate::ptx::name::entry_name;
use syntonic_core::device::Launch;
use syntonic_core::{DType, Result, Scalar};

contract! {
    "index":
    /// Evenly spaced numbers; integers in two words each.
    #[derive(Debug, PartialEq)]
    pub(crate) struct Ramp as "Ramp" {
        to: u64,
        count: u64,
        start_low: u64,
        start_high: u64,
        step_low: u64,
        step_high: u64,
        start: [f64; 2],
        step: [f64; 2],
    }
}

/// What the numbers are computed in.
fn variant(dtype: DType, start: Scalar, step: Scalar) -> &'static str {
    let complex = |x: Scalar| matches!(x, Scalar::Complex(_));
    match (start, step) {
        (Scalar::Int(_), Scalar::Int(_)) => "whole",
        (a, b) if (complex(a) || complex(b)) && dtype.is_complex() => "complex",
        _ => "real",
    }
}

/// The low and the high half of an integer; 0 for other numbers, which do not need them.
fn halves(x: Scalar) -> (u64, u64) {
    match x {
        Scalar::Int(i) => (i as u64, (i >> 64) as u64),
        _ => (0, 0),
    }
}

/// `out[i] = start + i · step`.
///
/// # Safety
/// As [`syntonic_core::ops::moves::RAMP`] says.
pub(crate) unsafe fn ramp(context: &Context, args: &Launch) -> Result<()> {
    let (start, step, out) = (args.params[0], args.params[1], &args.outputs[0]);
    let count = out.layout.numel();
    if count == 0 {
        return Ok(());
    }
    let ((start_low, start_high), (step_low, step_high)) = (halves(start), halves(step));
    let (a, b) = (start.to_complex(), step.to_complex());
    let params = Ramp {
        to: address(out),
        count: count as u64,
        start_low,
        start_high,
        step_low,
        step_high,
        start: [a.re, a.im],
        step: [b.re, b.im],
    };
    let entry = entry_name("ramp", &[out.dtype], variant(out.dtype, start, step));
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(context, &entry, rounds(context, count)) }
}

/// `count` numbers of `int64` from the first of a pair on, and by the second more each, to the address `to`.
///
/// # Safety
/// There is room for them.
pub(crate) unsafe fn positions<C: Carrier>(
    carrier: &C,
    to: u64,
    count: usize,
    (start, step): (i64, i64),
) -> Result<()> {
    let [start, step] = [start, step].map(|x| Scalar::Int(i128::from(x)));
    let ((start_low, start_high), (step_low, step_high)) = (halves(start), halves(step));
    let params = Ramp {
        to,
        count: count as u64,
        start_low,
        start_high,
        step_low,
        step_high,
        start: [0.0; 2],
        step: [0.0; 2],
    };
    let entry = entry_name("ramp", &[DType::I64], "whole");
    let geometry = rounds_of(carrier.limits().multiprocessors, count);
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(carrier, &entry, geometry) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_handed_over_whole() {
        assert_eq!(halves(Scalar::Int(-1)), (u64::MAX, u64::MAX));
        assert_eq!(halves(Scalar::Int((5 << 64) + 7)), (7, 5));
    }

    #[test]
    fn numbers_are_computed_in_their_kind() {
        let (int, real) = (Scalar::Int(1), Scalar::Float(0.5));
        let complex = Scalar::Complex(real.to_complex());
        assert_eq!(variant(DType::F32, int, int), "whole");
        assert_eq!(variant(DType::F32, int, real), "real");
        assert_eq!(variant(DType::F32, complex, real), "real");
        assert_eq!(variant(DType::C64, complex, real), "complex");
    }
}
