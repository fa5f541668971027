//! Counting how often each small integer occurs.

use crate::context::Context;
use crate::contract::{Contract, contract};
use crate::moves::{address, index_offsets, rounds, scatter_add};
use syntonic_core::device::{Arg, Launch};
use syntonic_core::layout::Layout;
use syntonic_core::{DType, Result, Scalar};

contract! {
    "search":
    /// How often each integer below `bins` occurs.
    pub(crate) struct Bins as "Bins" {
        from: u64,
        to: u64,
        len: u64,
        bins: u64,
    }
}

/// The most bins that fit shared memory.
pub(super) const FEW: usize = 4096;

/// How often each integer occurs, or the sum of weights.
///
/// # Safety
/// As [`syntonic_core::ops::order::BINCOUNT`] says.
pub(crate) unsafe fn bincount(context: &Context, args: &Launch) -> Result<()> {
    let (x, out) = (&args.inputs[0], &args.outputs[0]);
    let (len, bins) = (x.layout.numel(), out.layout.numel());
    if bins == 0 {
        return Ok(());
    }
    // SAFETY: the output is contiguous; the rest is the caller's promise. Zero is zero bits in both types.
    unsafe {
        context.set_bytes(address(out), 0, bins * out.dtype.size())?;
        match args.inputs.get(1) {
            _ if len == 0 => Ok(()),
            Some(weights) => weighted(context, x, weights, out),
            None => {
                let params = Bins {
                    from: address(x),
                    to: address(out),
                    len: len as u64,
                    bins: bins as u64,
                };
                let entry = if bins <= FEW {
                    "bincount_few"
                } else {
                    "bincount_many"
                };
                params.launch(context, entry, rounds(context, len))
            }
        }
    }
}

/// Sums in the order of positions: the integers are offsets into the output, once it is certain that they lie in it. They may have been
/// written since core looked.
unsafe fn weighted(context: &Context, x: &Arg, weights: &Arg, out: &Arg) -> Result<()> {
    let len = x.layout.numel();
    let places = context.scratch(8 * len)?;
    let checked = Arg {
        base: places.address() as *mut u8,
        dtype: DType::I64,
        layout: Layout::contiguous("bincount", &[len])?,
    };
    let check = Launch {
        inputs: vec![x.clone()],
        outputs: vec![checked.clone()],
        params: vec![Scalar::Int(out.layout.numel() as i128), Scalar::Int(1)],
        ..Launch::default()
    };
    // SAFETY: the scratch has room for the offsets; the rest is the caller's promise.
    unsafe { index_offsets(context, &check)? };
    let target = Arg {
        layout: Layout::from_parts(&[x.layout.numel()], &[0], out.layout.offset()),
        ..out.clone()
    };
    let args = Launch {
        inputs: vec![weights.clone(), checked],
        outputs: vec![target],
        ..Launch::default()
    };
    // SAFETY: every offset is below the output's length; the rest is the caller's promise.
    unsafe { scatter_add(context, &args) }
}
