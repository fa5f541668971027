//! Belief updates: how many blocks an agent has, and what they keep in shared memory.

use super::with_rows;
use crate::context::{Blocks, Context, Geometry};
use crate::moves::address_or_null;
use crate::ptx::name::entry_name;
use syntonic_core::Result;
use syntonic_core::device::Launch;

/// `Belief` of the kernels.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Params {
    pub(crate) inputs: [u64; 7],
    pub(crate) outputs: [u64; 6],
    pub(crate) parts: u64,
    pub(crate) squares: u64,
    pub(crate) totals: u64,
    pub(crate) sums: u64,
    pub(crate) errors: u64,
    pub(crate) before: u64,
    pub(crate) counters: u64,
    pub(crate) m: u64,
    pub(crate) n: u64,
    pub(crate) agents: u64,
    pub(crate) slices: u64,
    pub(crate) lead: u64,
    pub(crate) teams: u32,
    pub(crate) blocks: u32,
    pub(crate) kept: u32,
    pub(crate) most: u32,
    pub(crate) own: u32,
    pub(crate) by_columns: u32,
    pub(crate) shared_out: u32,
    pub(crate) errors_kept: u32,
    pub(crate) clustered: u32,
    pub(crate) unused: u32,
    pub(crate) rate: f64,
    pub(crate) tolerance: f64,
}
const _: () = assert!(size_of::<Params>() == 256);

impl Params {
    /// Its words, for a table in the GPU's memory.
    pub(crate) fn words(&self) -> [u64; 32] {
        // SAFETY: the struct has this size, no padding, and is aligned as a word is.
        unsafe { std::ptr::from_ref(self).cast::<[u64; 32]>().read() }
    }
}

/// Threads of a block, columns of a slice, and columns that a warp takes together: `kernels/include/belief.cuh`.
const BLOCK: u32 = 512;
pub(crate) const SLICE: u64 = 32;
const COLUMNS: u64 = 4;
/// Bytes of shared memory that the kernels declare themselves, at most.
const DECLARED: u64 = 1024;
/// The blocks of a portable cluster.
const CLUSTER: u64 = 8;
/// Up to so many predictions of slices each block adds up all of them; of more, each its rows.
pub(crate) const CLOSE: u64 = 8192;
/// Words between the counters of two agents, and of the most teams that have some.
const WORDS: u64 = 32;
const TEAMS: u64 = 512;
/// The family of the kernels.
const FAMILY: &str = "belief_update";

/// How a launch is cut. Sums do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cut {
    teams: u64,
    blocks: u64,
    kept: u64,
    errors_kept: bool,
    clustered: bool,
}

/// What a card has.
#[derive(Clone, Copy)]
struct Card {
    processors: u64,
    shared: u64,
    clusters: bool,
}

impl Cut {
    fn of(card: Card, agents: u64, [m, n]: [u64; 2], size: u64) -> Cut {
        let slices = n.div_ceil(SLICE).max(1);
        let room = card.shared.saturating_sub(DECLARED);
        let errors_kept = m * size <= room / 4;
        let rest = if errors_kept { room - m * size } else { room };
        let column = lead(m) * size;
        let fitting = match column > 0 && m > 0 {
            true => rest / column / COLUMNS * COLUMNS,
            false => 0,
        };
        let apiece = (card.processors / agents.max(1)).max(1);
        // A cluster where it holds the matrix; else as many blocks as there are, if that many hold more.
        let held = |blocks: u64| slices.div_ceil(blocks) * SLICE <= fitting;
        let few = slices.min(CLUSTER).min(apiece);
        let blocks = match held(few) || slices <= few {
            true => few,
            false => slices.min(apiece),
        };
        let clustered = card.clusters && blocks > 1 && blocks <= CLUSTER;
        let teams = (card.processors / blocks)
            .clamp(1, TEAMS)
            .min(agents.max(1));
        let columns = slices.div_ceil(blocks) * SLICE;
        Cut {
            teams,
            blocks,
            kept: columns.min(fitting),
            errors_kept,
            clustered,
        }
    }
}

/// Elements from a kept column to the next: odd, so that the lanes that fill it use different banks.
pub(crate) fn lead(m: u64) -> u64 {
    m | 1
}

/// # Safety
/// As `syntonic_srt::infer::BELIEF_UPDATE` says.
pub(crate) unsafe fn belief_update(context: &Context, args: &Launch) -> Result<()> {
    let whole = |k: usize| args.params[k].to_i128() as u64;
    let (agents, m, n) = (whole(0), whole(1), whole(2));
    if agents == 0 {
        return Ok(());
    }
    let dtype = args.outputs[0].dtype;
    let size = dtype.size() as u64;
    let limits = context.limits();
    let card = Card {
        processors: limits.multiprocessors.into(),
        shared: limits.shared.into(),
        clusters: limits.has_clusters(),
    };
    let cut = Cut::of(card, agents, [m, n], size);
    let (teams, slices) = (cut.teams, n.div_ceil(SLICE));
    // Parts of the scratch memory, in whole vectors.
    let mut bytes = 0;
    let mut part = |of: u64| {
        let from = bytes;
        bytes += of.next_multiple_of(16);
        from
    };
    let errors = if cut.errors_kept { 0 } else { m };
    let places = [
        part(teams * 2 * slices * m * size),
        part(teams * 4 * slices * 8),
        part(teams * m * size),
        part(teams * 2 * 8),
        part(teams * cut.blocks * errors * size),
        part(teams * n * size),
    ];
    let memory = context.scratch(bytes as usize)?;
    let [parts, squares, totals, sums, errors, before] = places.map(|at| memory.address() + at);
    let counters = context.block_counters()?;
    let own = with_rows(&args.inputs, &[n, m * n, m, m, m, n, n]);
    let mut params = Params {
        inputs: std::array::from_fn(|k| address_or_null(&args.inputs[k])),
        outputs: std::array::from_fn(|k| address_or_null(&args.outputs[k])),
        parts,
        squares,
        totals,
        sums,
        errors,
        before,
        counters: counters.address(),
        m,
        n,
        agents,
        slices,
        lead: lead(m),
        teams: teams as u32,
        blocks: cut.blocks as u32,
        kept: cut.kept as u32,
        most: whole(3) as u32,
        own,
        by_columns: whole(4) as u32,
        shared_out: u32::from(cut.blocks > 1 && slices * m > CLOSE),
        errors_kept: cut.errors_kept.into(),
        clustered: cut.clustered.into(),
        unused: 0,
        rate: args.params[5].to_f64(),
        tolerance: args.params[6].to_f64(),
    };
    debug_assert!(teams * WORDS <= crate::block_counters::BLOCK_COUNTERS as u64);
    // What shared memory does not hold is read by columns.
    let columns = slices.div_ceil(cut.blocks) * SLICE;
    let turns = params.by_columns == 0 && cut.kept < columns.min(n) && params.inputs[1] != 0;
    let matrices = if own >> 1 & 1 == 1 { agents } else { 1 };
    let turned = context.scratch(if turns {
        (matrices * m * n * size) as usize
    } else {
        0
    })?;
    if turns {
        let asked = Params {
            parts: turned.address(),
            agents: matrices,
            ..params
        };
        let tiles = matrices * m.div_ceil(32) * n.div_ceil(32);
        let geometry = Geometry::line(tiles.min(card.processors * 16), BLOCK);
        let function = context.function(FAMILY, &entry_name("belief_turn", &[dtype], ""))?;
        // SAFETY: the caller's promise; the struct is the kernel's, and the memory has room for the matrices.
        unsafe { context.launch(&function, geometry, &asked)? };
        (params.inputs[1], params.by_columns) = (turned.address(), 1);
    }
    let function = context.function(FAMILY, &entry_name("belief_update", &[dtype], ""))?;
    let kept = if cut.errors_kept { m } else { 0 } + cut.kept * params.lead;
    let geometry = Geometry {
        shared: (kept * size) as u32,
        ..Geometry::line(teams * cut.blocks, BLOCK)
    };
    let kind = match (cut.blocks, cut.clustered) {
        (1, _) => Blocks::Apart,
        (blocks, true) => Blocks::Clusters(blocks as u32),
        (_, false) => Blocks::Together,
    };
    // SAFETY: the caller's promise; the struct is the kernel's, and the memory has room for what it says.
    unsafe { context.launch_blocks(&function, geometry, kind, &params) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H100: Card = Card {
        processors: 132,
        shared: 227 << 10,
        clusters: true,
    };

    #[test]
    fn a_cluster_holds_small_matrices_and_the_card_large_ones() {
        let of = |agents, sizes, size| {
            let cut = Cut::of(H100, agents, sizes, size);
            (cut.teams, cut.blocks, cut.kept, cut.clustered)
        };
        assert_eq!(of(1, [100, 900], 8), (1, 8, 128, true));
        assert_eq!(of(1, [1024, 4096], 4), (1, 128, 32, false));
        // Of 32 columns a block, 27 fit, and 24 are whole groups.
        assert_eq!(of(1, [1024, 4096], 8), (1, 128, 24, false));
        assert_eq!(of(1, [3, 5], 8), (1, 1, 32, false));
        assert_eq!(of(1000, [100, 900], 4).1, 1);
        assert_eq!(of(4, [100, 900], 4), (4, 8, 128, true));
    }
}
