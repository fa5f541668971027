//! Variational free energy in one launch.

use super::with_rows;
use crate::block_counters::BLOCK_COUNTERS;
use crate::context::{Context, Geometry};
use crate::moves::address_or_null;
use crate::ptx::name::entry_name;
use syntonic_core::Result;
use syntonic_core::device::Launch;

/// `FreeEnergy` of the kernels.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Params {
    inputs: [u64; 8],
    outputs: [u64; 3],
    sums: u64,
    counters: u64,
    n: u64,
    m: u64,
    rows: u64,
    states: u64,
    observed: u64,
    parts: u32,
    own: u32,
}
const _: () = assert!(size_of::<Params>() == 152);

/// Threads of a block; states and observations of a part, and rows of a Jacobian of one.
const BLOCK: u32 = 256;
const PART: u64 = 4096;
const LINES: u64 = 32;
/// The family of the kernels.
const FAMILY: &str = "free_energy";

/// # Safety
/// As `syntonic_srt::infer::FREE_ENERGY` says.
pub(crate) unsafe fn free_energy(context: &Context, args: &Launch) -> Result<()> {
    let [rows, n, m] = [0, 1, 2].map(|k| args.params[k].to_i128() as u64);
    if rows == 0 {
        return Ok(());
    }
    let dtype = args.outputs[0].dtype;
    let inputs: [u64; 8] = std::array::from_fn(|k| address_or_null(&args.inputs[k]));
    let observed = if inputs[7] == 0 { PART } else { LINES };
    // One part where rows are so many that they keep a card busy, or have no counter each.
    let wanted = n.div_ceil(PART).max(m.div_ceil(observed)).max(1);
    let (parts, states, observed) = match rows > BLOCK_COUNTERS as u64 {
        true => (1, n.max(1), m.max(1)),
        false => (wanted, PART, observed),
    };
    let several = parts > 1;
    let bytes = if several {
        rows * parts * 2 * dtype.size() as u64
    } else {
        0
    };
    let memory = context.scratch(bytes as usize)?;
    let counters = context.block_counters()?;
    let params = Params {
        inputs,
        outputs: std::array::from_fn(|k| address_or_null(&args.outputs[k])),
        sums: memory.address(),
        counters: counters.address(),
        n,
        m,
        rows,
        states,
        observed,
        parts: parts as u32,
        own: with_rows(&args.inputs, &[n, n, n, n, m, m, m, m * n]),
    };
    let function = context.function(FAMILY, &entry_name("free_energy", &[dtype], ""))?;
    let geometry = Geometry::line(rows * parts, BLOCK);
    // SAFETY: the caller's promise; the struct is the kernel's, and the memory has room for the sums of all parts.
    unsafe { context.launch(&function, geometry, &params) }
}
