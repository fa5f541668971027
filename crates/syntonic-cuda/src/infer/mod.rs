//! Active inference: the kernels of `kernels/free_energy.cu` and `kernels/belief_update.cu`.

mod belief;
mod free_energy;

use crate::contract::{Contract, Declaration};
pub(crate) use belief::{Params as BeliefParams, SLICE, belief_update, in_cluster};
pub(crate) use free_energy::free_energy;

use syntonic_core::device::Arg;

/// Bit `k` where operand `k` has rows of its own: more elements than `own` says for one row.
fn with_rows<const N: usize>(operands: [&Arg; N], own: [u64; N]) -> u32 {
    let rows = operands.iter().zip(own).enumerate();
    rows.filter(|(_, (arg, own))| arg.layout.numel() as u64 > *own)
        .fold(0, |bits, (k, _)| bits | 1 << k)
}

/// The parameters of the kernels here.
pub(crate) fn contracts() -> Vec<Declaration> {
    vec![
        // few: one a struct.
        belief::Params::declaration(),
        free_energy::Params::declaration(),
    ]
}
