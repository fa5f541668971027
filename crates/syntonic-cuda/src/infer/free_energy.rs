//! Variational free energy in one launch.

use super::with_rows;
use crate::block_counters::BLOCK_COUNTERS;
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use crate::moves::address_or_null;
use crate::ptx::name::entry_name;
use syntonic_core::Result;
use syntonic_core::device::Launch;

contract! {
    "free_energy":
    /// Variational free energy of diagonal Gaussian beliefs.
    #[derive(Default)]
    pub(crate) struct Params as "FreeEnergy" {
        mean_q: u64,
        mean_p: u64,
        var_q: u64,
        var_p: u64,
        observation: u64,
        prediction: u64,
        precision: u64,
        /// Null without.
        jacobian: u64,
        free_energy: u64,
        complexity: u64,
        accuracy: u64,
        /// In what is computed in, `[rows, parts, 2]`, where a row has several parts.
        sums: u64,
        /// `u32 [rows]`, 0.
        counters: u64,
        n: u64,
        m: u64,
        rows: u64,
        /// Of a part.
        states: u64,
        observed: u64,
        /// Of a row.
        parts: u32,
        /// Bit k: operand k has rows of its own.
        own: u32,
        /// All rows of states begin at multiples of 16 bytes (bit 0), and all of observations (bit 1).
        aligned: u32,
        unused: u32,
    }
}

/// Threads of a block, and rows of a Jacobian that a part has at least.
const BLOCK: u32 = 256;
const LINES: u64 = 32;
/// Parts have a multiple of so many states and observations, and there are up to so many, a few for each multiprocessor: enough to keep
/// a card's memory busy, and few enough to add up.
const GRAIN: u64 = 1024;
const PARTS: u64 = 512;

/// # Safety
/// As `syntonic_srt::infer::FREE_ENERGY` says.
pub(crate) unsafe fn free_energy(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let [rows, n, m] = named.wholes::<u64, 3>(["rows", "n", "m"])?;
    if rows == 0 {
        return Ok(());
    }
    // Those of states come first, then those of observations: the struct has them in this order.
    let operands = [
        ("mean_q", n),
        ("mean_p", n),
        ("var_q", n),
        ("var_p", n),
        ("observation", m),
        ("prediction", m),
        ("precision", m),
        ("jacobian", m * n),
    ];
    let given = named.inputs(operands.map(|(name, _)| name))?;
    let own = with_rows(given, operands.map(|(_, own)| own));
    let inputs = given.map(address_or_null);
    let made = named.outputs(["free_energy", "complexity", "accuracy"])?;
    let dtype = made[0].dtype;
    let [
        mean_q,
        mean_p,
        var_q,
        var_p,
        observation,
        prediction,
        precision,
        jacobian,
    ] = inputs;
    let [free_energy, complexity, accuracy] = made.map(address_or_null);
    // One part where rows are so many that they keep a card busy, or have no counter each.
    let most = match rows > BLOCK_COUNTERS as u64 {
        true => 1,
        false => PARTS.div_ceil(rows),
    };
    let lengths = |all: u64, grain: u64| all.div_ceil(most).next_multiple_of(grain).max(grain);
    let (states, observed) = (
        lengths(n, GRAIN),
        lengths(m, if jacobian == 0 { GRAIN } else { LINES }),
    );
    let parts = n.div_ceil(states).max(m.div_ceil(observed)).max(1);
    let several = parts > 1;
    let bytes = if several {
        // Halves are computed in float32.
        rows * parts * 2 * dtype.size().max(4) as u64
    } else {
        0
    };
    let memory = context.scratch(bytes as usize)?;
    let counters = context.block_counters()?;
    let begins = |from: usize, to: usize, each: u64| {
        (from..to).all(|k| {
            let apart = if own >> k & 1 == 1 {
                each * dtype.size() as u64
            } else {
                0
            };
            (inputs[k] | apart).is_multiple_of(16)
        })
    };
    let params = Params {
        mean_q,
        mean_p,
        var_q,
        var_p,
        observation,
        prediction,
        precision,
        jacobian,
        free_energy,
        complexity,
        accuracy,
        sums: memory.address(),
        counters: counters.address(),
        n,
        m,
        rows,
        states,
        observed,
        parts: parts as u32,
        own,
        aligned: u32::from(begins(0, 4, n)) | u32::from(begins(4, 7, m)) << 1,
        unused: 0,
    };
    let entry = entry_name("free_energy", &[dtype], "");
    let geometry = Geometry::line(rows * parts, BLOCK);
    // SAFETY: the caller's promise; the struct is the kernel's, and the memory has room for the sums of all parts.
    unsafe { params.launch(context, &entry, geometry) }
}
