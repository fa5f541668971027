//! A matrix times a vector, an added vector, and one number of the result: one kernel.

use super::gemv::{Contiguous, Gemv, Params as Inner, Spread, Vector};
use crate::context::Context;
use crate::contract::{Contract, contract};
use crate::ptx::name::entry_name;
use syntonic_core::device::{Arg, Launch};
use syntonic_core::{Error, Result};

contract! {
    "gemv_chain":
    /// A matrix-vector product and the vector operations behind it.
    #[derive(Debug)]
    pub(crate) struct Params as "GemvChain" {
        gemv: Inner,
        y0: u64,
        w: u64,
        v: u64,
        y: u64,
        z: u64,
        r: u64,
        /// One a block, of its z.
        numbers: u64,
        /// The counter of such blocks, zero before and after.
        finished: u64,
        y0_step: i64,
        w_step: i64,
        v_step: i64,
        a: f64,
        b: f64,
        of_z: u32,
        unused: u32,
    }
}

fn vector(arg: &Arg) -> Vector {
    Vector {
        first: arg.address() as u64,
        step: arg.layout.strides().last().copied().unwrap_or(0),
        batch: 0,
    }
}

/// The matrix times x, with results one after the other.
fn product(a: &Arg, x: &Arg) -> Option<Gemv> {
    let (shape, strides) = (a.layout.shape(), a.layout.strides());
    let (outputs, inner) = (shape[0], shape[1]);
    let (contiguous, lead) = if strides[1] == 1 || inner <= 1 {
        (Contiguous::Rows, if outputs == 1 { 0 } else { strides[0] })
    } else if strides[0] == 1 || outputs == 1 {
        (Contiguous::Columns, strides[1])
    } else {
        return None;
    };
    Some(Gemv {
        dtype: a.dtype,
        contiguous,
        a: a.address() as u64,
        a_batch: 0,
        lead,
        x: vector(x),
        y: Vector {
            first: 0,
            step: 1,
            batch: 0,
        },
        outputs,
        inner,
        batch: 1,
        conj_a: false,
        conj_x: false,
    })
}

/// The GPU's version of core's `gemv_chain`.
///
/// # Safety
/// As [`syntonic_core::ops::linalg::GEMV_CHAIN`] says.
pub(crate) unsafe fn gemv_chain(context: &Context, launch: &Launch) -> Result<()> {
    let [a, x, y0, w, v] = [0, 1, 2, 3, 4].map(|k| &launch.inputs[k]);
    let Some(gemv) = product(a, x) else {
        return Err(Error::value(
            "gemv_chain",
            "the matrix has no neighbours along an axis; hint: make it contiguous",
        ));
    };
    let param = |k: usize| launch.params[k];
    let whole = gemv
        .even()
        .filter(|&whole| gemv.contiguous == Contiguous::Columns || gemv.x_is_even(whole));
    let spread = gemv.spread(whole.unwrap_or(1));
    let entry = entry_name("gemv_chain", &[a.dtype], gemv.variant(whole.is_some()));
    // A number per block behind the partial sums, and a counter of blocks before those of the parts.
    let shared = Spread::share(context, spread.bytes() + spread.blocks * size_of::<f64>())?;
    let counters = shared.block_counters() + size_of::<u32>() as u64;
    let of_z = param(4).to_i128() as u32;
    let mut outputs = launch.outputs.iter().map(|arg| arg.address() as u64);
    let mut next = |wanted: bool| {
        let address = if wanted { outputs.next() } else { None };
        address.unwrap_or(0)
    };
    let (y, z) = (next(param(5).to_bool()), next(param(6).to_bool()));
    let params = Params {
        gemv: gemv.params(&spread, [shared.memory(), counters], [param(0), param(1)]),
        y0: vector(y0).first,
        w: vector(w).first,
        v: vector(v).first,
        y,
        z,
        r: next(of_z != 0),
        numbers: shared.memory() + spread.bytes() as u64,
        finished: shared.block_counters(),
        y0_step: vector(y0).step as i64,
        w_step: vector(w).step as i64,
        v_step: vector(v).step as i64,
        a: param(2).to_f64(),
        b: param(3).to_f64(),
        of_z,
        unused: 0,
    };
    // SAFETY: the struct is the kernel's own; the operands are the caller's promise, and the memory has room for the sums of
    // all parts and for a number of each block.
    unsafe { params.launch(context, &entry, spread.geometry()) }
}
