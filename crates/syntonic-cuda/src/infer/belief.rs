//! Belief updates: how many blocks an agent has, and what they keep in shared memory.

use super::with_rows;
use crate::context::{Blocks, Context, Geometry};
use crate::contract::{Contract, contract};
use crate::moves::address_or_null;
use crate::ptx::name::entry_name;
use syntonic_core::device::Launch;
use syntonic_core::{Error, Result};

contract! {
    "belief_update":
    /// Steps of the means of agents.
    #[derive(Default)]
    pub(crate) struct Params as "Belief" {
        /// Inputs and results are null where there is none.
        pub(crate) start: u64,
        pub(crate) jacobian: u64,
        pub(crate) observation: u64,
        pub(crate) precision: u64,
        pub(crate) reference: u64,
        pub(crate) prior_mean: u64,
        pub(crate) prior_precision: u64,
        pub(crate) mean: u64,
        pub(crate) steps: u64,
        pub(crate) endings: u64,
        pub(crate) change: u64,
        pub(crate) energy: u64,
        pub(crate) history: u64,
        /// Of the type, `[teams, 2, sums + 1, m]`: sums of predictions, and of all of them.
        pub(crate) packets: u64,
        /// Of f64, [teams, 4 sums + 6]: sums over states, of all of them, and whether to stop.
        pub(crate) energies: u64,
        /// `[teams, blocks, each]`: what shared memory has no room for.
        pub(crate) held: u64,
        /// In bytes.
        pub(crate) each: u64,
        /// `u32 [teams, 32]`, 0.
        pub(crate) counters: u64,
        pub(crate) m: u64,
        pub(crate) n: u64,
        pub(crate) agents: u64,
        pub(crate) slices: u64,
        /// Elements from a row of a slice in shared memory to the next: an odd number of vectors.
        pub(crate) lead: u64,
        pub(crate) teams: u32,
        /// Of a team: up to `SUMS`, a power of two or one for each slice; or more.
        pub(crate) blocks: u32,
        /// Columns of each slice in shared memory, a multiple of `COLUMNS`.
        pub(crate) kept: u32,
        /// Steps.
        pub(crate) most: u32,
        /// Bit k: input k has rows for each agent.
        pub(crate) own: u32,
        /// The Jacobian is `[n, m]`.
        pub(crate) by_columns: u32,
        /// Shared memory has room for all but columns past the kept ones.
        pub(crate) all_held: u32,
        /// A team is a cluster.
        pub(crate) clustered: u32,
        /// Packets go into each other's shared memory, behind all that is held there.
        pub(crate) in_cluster: u32,
        pub(crate) unused: u32,
        pub(crate) rate: f64,
        pub(crate) tolerance: f64,
    }
}

impl Params {
    /// Its words, for a table in the GPU's memory.
    pub(crate) fn words(&self) -> [u64; 30] {
        // SAFETY: the struct has this size, no padding, and is aligned as a word is.
        unsafe { std::ptr::from_ref(self).cast::<[u64; 30]>().read() }
    }
}

/// Threads of a block, columns of a slice, sums of slices and columns that a warp takes together: `kernels/include/belief_share.cuh`.
const BLOCK: u32 = 512;
pub(crate) const SLICE: u64 = 32;
const SUMS: u64 = 8;
const COLUMNS: u64 = 4;
/// Bytes of shared memory that the kernels declare themselves, at most.
const DECLARED: u64 = 1024;
/// The blocks of a portable cluster, which has a sum for each.
const CLUSTER: u64 = SUMS;
/// Bytes of a vector, and of a number beside its tag.
const VECTOR: u64 = 16;
/// Words between the counters of two agents, and of the most teams that have some.
const WORDS: u64 = 32;
const TEAMS: u64 = 512;
/// The bit of the Jacobian in [`Params::own`].
const JACOBIAN: usize = 1;

/// What a block of an agent has, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Blocks of an agent.
    pub(crate) blocks: u64,
    /// Columns of each slice that shared memory holds.
    pub(crate) kept: u64,
    /// Elements from a row of a slice to the next.
    pub(crate) lead: u64,
    /// Whether all but columns that are not kept is in shared memory.
    pub(crate) all_held: bool,
    /// Whether the blocks are a cluster.
    pub(crate) clustered: bool,
    /// Whether they exchange what they have to through their shared memory.
    pub(crate) in_cluster: bool,
    /// Bytes of a block: of its shared memory, and of what that does not hold.
    pub(crate) shared: u64,
    pub(crate) beside: u64,
}

/// What a card has.
#[derive(Clone, Copy)]
struct Card {
    processors: u64,
    shared: u64,
    clusters: bool,
}

/// A problem: observations, states and bytes of a number.
#[derive(Clone, Copy)]
struct Sizes {
    m: u64,
    n: u64,
    size: u64,
}

impl Sizes {
    fn slices(self) -> u64 {
        self.n.div_ceil(SLICE)
    }

    /// Sums that blocks tell each other.
    fn sums(self, blocks: u64) -> u64 {
        match blocks > SUMS {
            true => self.slices(),
            false => self.slices().min(SUMS),
        }
    }

    /// Bytes of packets of an agent: of sums of predictions, and of sums over states. None where that overflows.
    fn packets(self, sums: u64) -> Option<(u64, u64)> {
        let of_rows = (2 * self.size).checked_mul(2 * sums)?.checked_mul(self.m)?;
        Some((of_rows, VECTOR * (4 * sums + 6)))
    }

    /// As [`Sizes::packets`], of those that have to be in the device's memory: with a place for what all blocks' sums come to.
    fn packets_beside(self, cut: &Cut) -> Option<(u64, u64)> {
        match cut.blocks == 1 || cut.in_cluster {
            true => Some((0, 0)),
            false => self.packets(self.sums(cut.blocks) + 1),
        }
    }

    /// Bytes of a block besides columns; none where that overflows.
    fn vectors(self, blocks: u64) -> Option<u64> {
        let most = self.slices().div_ceil(blocks);
        let own = if blocks > SUMS {
            0
        } else {
            most.checked_mul(self.m)?
        };
        let observed = self
            .m
            .checked_next_multiple_of(32)?
            .checked_add(self.m.checked_mul(3)?)?;
        let numbers = (5 * SLICE).checked_mul(most)?.checked_add(own)?;
        let bytes = numbers.checked_add(observed)?.checked_mul(self.size)?;
        bytes
            .checked_add(16 * most)?
            .checked_next_multiple_of(VECTOR)
    }

    /// Elements from a row of so many columns to the next: an odd number of vectors, so that lanes use different banks.
    fn lead(self, kept: u64) -> u64 {
        let vector = VECTOR / self.size;
        match (kept / vector).is_multiple_of(2) {
            true => kept + vector,
            false => kept,
        }
    }

    /// Bytes of so many columns of each slice; none where that overflows.
    fn columns(self, blocks: u64, kept: u64) -> Option<u64> {
        let rows = self.m.checked_next_multiple_of(32)?;
        let slices = self.slices().div_ceil(blocks);
        rows.checked_mul(slices)?
            .checked_mul(self.lead(kept) * self.size)
    }

    /// All in shared memory of `room` bytes, if it fits: with what a cluster exchanges, or else without.
    fn held(self, blocks: u64, room: u64, clustered: bool) -> Option<Cut> {
        let beside = self.vectors(blocks)?;
        let most = self.columns(blocks, SLICE)?.checked_add(beside)?;
        let (rows, states) = self.packets(self.sums(blocks))?;
        let with_packets = most.checked_add(rows)?.checked_add(states)?;
        let in_cluster = clustered && with_packets <= room;
        (most <= room).then_some(Cut {
            blocks,
            kept: SLICE,
            lead: self.lead(SLICE),
            all_held: true,
            clustered,
            in_cluster,
            shared: if in_cluster { with_packets } else { most },
            beside: 0,
        })
    }

    /// Vectors of up to a third of the room, and as many columns as fit beside them.
    fn in_part(self, blocks: u64, room: u64) -> Cut {
        let vectors = self.vectors(blocks).unwrap_or(u64::MAX);
        let all_held = vectors <= room / 3;
        let rest = if all_held { room - vectors } else { room };
        let fits = |kept: &u64| {
            self.columns(blocks, *kept)
                .is_some_and(|bytes| bytes <= rest)
        };
        let kept = (1..=SLICE / COLUMNS).rev().map(|k| k * COLUMNS).find(fits);
        let columns = kept
            .and_then(|kept| self.columns(blocks, kept))
            .unwrap_or(0);
        Cut {
            blocks,
            kept: kept.unwrap_or(0),
            lead: self.lead(kept.unwrap_or(0)),
            all_held,
            clustered: false,
            in_cluster: false,
            shared: columns + if all_held { vectors } else { 0 },
            beside: if all_held { 0 } else { vectors },
        }
    }
}

/// That of a cluster of `blocks` blocks with `room` bytes of shared memory each, where it holds all of a problem in `float64`; and the
/// bytes of packets of rows and of states, where they have to be in the device's memory.
pub(crate) fn in_cluster([m, n]: [u64; 2], blocks: u64, room: u64) -> Option<(Cut, [u64; 2])> {
    let sizes = Sizes { m, n, size: 8 };
    let cut = sizes.held(blocks, room, blocks > 1)?;
    let (rows, states) = sizes.packets_beside(&cut)?;
    Some((cut, [rows, states]))
}

/// How a launch is cut. Sums do not depend on it.
fn cut(card: Card, agents: u64, sizes: Sizes) -> Cut {
    let slices = sizes.slices().max(1);
    let room = card.shared.saturating_sub(DECLARED);
    let apiece = (card.processors / agents.max(1)).max(1);
    // Up to a block for each sum: as many as share sums evenly, or one for each slice.
    let even = |blocks: u64| match blocks < slices && blocks <= SUMS {
        true => 1 << blocks.ilog2(),
        false => blocks,
    };
    let few = even(slices.min(CLUSTER).min(apiece));
    // A cluster where it holds the matrix; else as many blocks as there are, if they are more.
    if let Some(cut) = sizes.held(few, room, card.clusters && few > 1) {
        return cut;
    }
    sizes.in_part(even(slices.min(apiece)), room)
}

/// # Safety
/// As `syntonic_srt::infer::BELIEF_UPDATE` says.
pub(crate) unsafe fn belief_update(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let [agents, m, n] = named.wholes::<u64, 3>(["agents", "m", "n"])?;
    if agents == 0 {
        return Ok(());
    }
    let dtype = named.output("means")?.dtype;
    let size = dtype.size() as u64;
    let limits = context.limits();
    let card = Card {
        processors: limits.multiprocessors.into(),
        shared: limits.shared.into(),
        clusters: limits.has_clusters(),
    };
    let sizes = Sizes { m, n, size };
    let cut = cut(card, agents, sizes);
    let slices = sizes.slices();
    let teams = (card.processors / cut.blocks).clamp(1, TEAMS).min(agents);
    let beside = sizes.packets_beside(&cut).filter(|_| m < 1 << 31);
    let Some((of_rows, of_states)) = beside else {
        let text = format!("{m} observations are too many for one launch; hint: fewer than 2^31");
        return Err(Error::value("belief_update", text));
    };
    // Parts of the scratch memory, in whole vectors.
    let mut bytes = 0;
    let mut part = |of: u64| {
        let from = bytes;
        bytes += of.next_multiple_of(VECTOR);
        from
    };
    let places = [
        part(teams * of_rows),
        part(teams * of_states),
        part(teams * cut.blocks * cut.beside),
    ];
    let memory = context.scratch(bytes as usize)?;
    let [packets, energies, held] = places.map(|at| memory.address() + at);
    let counters = context.block_counters()?;
    let operands = [
        ("start", n),
        ("jacobian", m * n),
        ("observation", m),
        ("precision", m),
        ("reference", m),
        ("prior_mean", n),
        ("prior_precision", n),
    ];
    let given = named.inputs(operands.map(|(name, _)| name))?;
    let own = with_rows(given, operands.map(|(_, own)| own));
    let made = named.outputs(["means", "steps", "endings", "change", "energy", "history"])?;
    let [
        start,
        jacobian,
        observation,
        precision,
        reference,
        prior_mean,
        prior_precision,
    ] = given.map(address_or_null);
    let [mean, steps, endings, change, energy, history] = made.map(address_or_null);
    let mut params = Params {
        start,
        jacobian,
        observation,
        precision,
        reference,
        prior_mean,
        prior_precision,
        mean,
        steps,
        endings,
        change,
        energy,
        history,
        packets,
        energies,
        held,
        each: if cut.clustered {
            cut.shared
        } else {
            cut.beside
        },
        counters: counters.address(),
        m,
        n,
        agents,
        slices,
        lead: cut.lead,
        teams: teams as u32,
        blocks: cut.blocks as u32,
        kept: cut.kept as u32,
        most: named.whole("most")?,
        own,
        by_columns: named.whole("by_columns")?,
        all_held: cut.all_held.into(),
        clustered: cut.clustered.into(),
        in_cluster: cut.in_cluster.into(),
        unused: 0,
        rate: named.real("rate")?,
        tolerance: named.real("tolerance")?,
    };
    debug_assert!(teams * WORDS <= crate::block_counters::BLOCK_COUNTERS as u64);
    // What shared memory does not hold is read by columns.
    let turns = params.by_columns == 0 && cut.kept < SLICE.min(n) && params.jacobian != 0;
    let matrices = if own >> JACOBIAN & 1 == 1 { agents } else { 1 };
    let turned = context.scratch(if turns {
        (matrices * m * n * size) as usize
    } else {
        0
    })?;
    if turns {
        let asked = Params {
            held: turned.address(),
            agents: matrices,
            ..params
        };
        let tiles = matrices * m.div_ceil(32) * n.div_ceil(32);
        let geometry = Geometry::line(tiles.min(card.processors * 16), BLOCK);
        let entry = entry_name("belief_turn", &[dtype], "");
        // SAFETY: the caller's promise; the struct is the kernel's, and the memory has room for the matrices.
        unsafe { asked.launch(context, &entry, geometry)? };
        (params.jacobian, params.by_columns) = (turned.address(), 1);
    }
    let entry = entry_name("belief_update", &[dtype], "");
    let geometry = Geometry {
        shared: cut.shared as u32,
        ..Geometry::line(teams * cut.blocks, BLOCK)
    };
    let kind = match (cut.blocks, cut.clustered) {
        (1, _) => Blocks::Apart,
        (blocks, true) => Blocks::Clusters(blocks as u32),
        (_, false) => Blocks::Together,
    };
    // SAFETY: the caller's promise; the struct is the kernel's, and the memory has room for what it says.
    unsafe { params.launch_blocks(context, &entry, geometry, kind) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H100: Card = Card {
        processors: 132,
        shared: 227 << 10,
        clusters: true,
    };

    fn of(agents: u64, [m, n]: [u64; 2], size: u64) -> Cut {
        cut(H100, agents, Sizes { m, n, size })
    }

    #[test]
    fn a_cluster_holds_small_matrices_and_the_card_large_ones() {
        let short = |agents, sizes, size| {
            let cut = of(agents, sizes, size);
            (cut.blocks, cut.kept, cut.clustered)
        };
        assert_eq!(short(1, [100, 900], 8), (8, 32, true));
        assert_eq!(short(1, [1024, 4096], 4), (128, 32, false));
        assert_eq!(short(1, [1024, 4096], 8), (128, 20, false));
        assert_eq!(short(1, [3, 5], 8), (1, 32, false));
        assert_eq!(short(1000, [100, 900], 4).0, 1);
        assert_eq!(short(4, [100, 900], 4), (8, 32, true));
        assert!(of(1, [1024, 4096], 8).all_held && !of(1, [40_000, 40], 8).all_held);
        assert!(of(1, [100, 900], 8).in_cluster);
        let packets_elsewhere = of(1, [680, 64], 8);
        assert!(packets_elsewhere.clustered && !packets_elsewhere.in_cluster);
    }

    #[test]
    fn blocks_share_sums_evenly() {
        for agents in [1, 2, 16, 20, 26, 44, 66, 200] {
            for n in [1, 33, 100, 150, 250, 300, 900, 40_000] {
                let (blocks, slices) = (of(agents, [50, n], 8).blocks, n.div_ceil(SLICE));
                assert!(
                    blocks > SUMS || blocks == slices || blocks.is_power_of_two(),
                    "{agents} {n}: {blocks}"
                );
                assert!(blocks <= slices);
            }
        }
    }

    #[test]
    fn rows_are_an_odd_number_of_vectors_apart() {
        for size in [4, 8] {
            let sizes = Sizes { m: 1, n: 1, size };
            for kept in (0..=32).step_by(4) {
                let lead = sizes.lead(kept);
                assert!(lead >= kept && (lead * size / VECTOR) % 2 == 1);
            }
        }
    }
}
