//! Active inference: the kernels of `kernels/free_energy.cu` and `kernels/belief_update.cu`.

mod belief;
mod free_energy;

pub(crate) use belief::belief_update;
pub(crate) use free_energy::free_energy;

use crate::moves::address;
use syntonic_core::DType;
use syntonic_core::device::Arg;

/// The address of an operand, null if it has no elements.
fn there(arg: &Arg) -> u64 {
    match arg.layout.numel() {
        0 => 0,
        _ => address(arg),
    }
}

/// Bit `k` where input `k` has rows of its own: more elements than `own` says for one row.
fn with_rows(inputs: &[Arg], own: &[u64]) -> u32 {
    let rows = inputs.iter().zip(own).enumerate();
    rows.filter(|(_, (arg, own))| arg.layout.numel() as u64 > **own)
        .fold(0, |bits, (k, _)| bits | 1 << k)
}

fn suffix(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "f32",
        _ => "f64",
    }
}
