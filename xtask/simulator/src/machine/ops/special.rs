//! Special registers, fences, and what happens to the warp rather than to rows.

use std::sync::atomic::{Ordering, fence};

use crate::machine::context::Context;
use crate::machine::fault::Trouble;
use crate::machine::op::{Form, Op};
use crate::machine::reach::{LOCAL_TAG, RANK_SHIFT, SHARED_TAG};
use crate::machine::rows::{LANES, Lane};
use crate::machine::vector::vector;
use crate::ptx::Kind;

/// Registers that the machine sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
#[rustfmt::skip]
pub(crate) enum Special {
    ThreadX, ThreadY, ThreadZ,
    ThreadsX, ThreadsY, ThreadsZ,
    BlockX, BlockY, BlockZ,
    BlocksX, BlocksY, BlocksZ,
    ClusterX, ClusterY, ClusterZ,
    ClustersX, ClustersY, ClustersZ,
    InClusterX, InClusterY, InClusterZ,
    PerClusterX, PerClusterY, PerClusterZ,
    ClusterRank, ClusterBlocks,
    Lane, Warp, Warps, Processor, Processors, Grid,
    Equal, Less, LessEqual, Greater, GreaterEqual,
    Clock, ClockHigh, Clock64, Timer, TimerLow, TimerHigh,
    DynamicShared, TotalShared, Zero, IsExplicit, Unit,
}

#[rustfmt::skip]
const ALL: [(&str, Special); 53] = {
    use Special::*;
    [
        ("%tid.x", ThreadX), ("%tid.y", ThreadY), ("%tid.z", ThreadZ),
        ("%ntid.x", ThreadsX), ("%ntid.y", ThreadsY), ("%ntid.z", ThreadsZ),
        ("%ctaid.x", BlockX), ("%ctaid.y", BlockY), ("%ctaid.z", BlockZ),
        ("%nctaid.x", BlocksX), ("%nctaid.y", BlocksY), ("%nctaid.z", BlocksZ),
        ("%clusterid.x", ClusterX), ("%clusterid.y", ClusterY), ("%clusterid.z", ClusterZ),
        ("%nclusterid.x", ClustersX), ("%nclusterid.y", ClustersY), ("%nclusterid.z", ClustersZ),
        ("%cluster_ctaid.x", InClusterX), ("%cluster_ctaid.y", InClusterY), ("%cluster_ctaid.z", InClusterZ),
        ("%cluster_nctaid.x", PerClusterX), ("%cluster_nctaid.y", PerClusterY), ("%cluster_nctaid.z", PerClusterZ),
        ("%cluster_ctarank", ClusterRank), ("%cluster_nctarank", ClusterBlocks),
        ("%laneid", Lane), ("%warpid", Warp), ("%nwarpid", Warps), ("%smid", Processor), ("%nsmid", Processors),
        ("%gridid", Grid),
        ("%lanemask_eq", Equal), ("%lanemask_lt", Less), ("%lanemask_le", LessEqual), ("%lanemask_gt", Greater),
        ("%lanemask_ge", GreaterEqual),
        ("%clock", Clock), ("%clock_hi", ClockHigh), ("%clock64", Clock64),
        ("%globaltimer", Timer), ("%globaltimer_lo", TimerLow), ("%globaltimer_hi", TimerHigh),
        ("%dynamic_smem_size", DynamicShared), ("%total_smem_size", TotalShared),
        ("%is_explicit_cluster", IsExplicit), ("%aggr_smem_size", TotalShared),
        ("%reserved_smem_offset_begin", Zero), ("%reserved_smem_offset_end", Unit),
        ("%envreg0", Zero), ("%pm0", Zero), ("%pm1", Zero), ("%current_graph_exec", Zero),
    ]
};

impl Special {
    /// The register of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        ALL.iter()
            .find(|(of, _)| *of == name)
            .map(|(_, special)| *special)
    }

    /// How wide it is.
    pub(crate) fn kind(self) -> Kind {
        if matches!(self, Self::Clock64 | Self::Timer | Self::Grid) {
            Kind::Double
        } else {
            Kind::Word
        }
    }

    /// Whether it is the same as long as the thread runs.
    pub(crate) fn is_constant(self) -> bool {
        use Special::*;
        !matches!(
            self,
            Clock | ClockHigh | Clock64 | Timer | TimerLow | TimerHigh
        )
    }

    /// Whether lanes of a warp have different values.
    fn differs(self) -> bool {
        use Special::*;
        matches!(
            self,
            ThreadX
                | ThreadY
                | ThreadZ
                | Special::Lane
                | Equal
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
        )
    }

    /// The lane's value.
    fn value(self, context: &Context, lane: u32) -> u64 {
        use Special::*;
        let shape = &context.shape;
        let axis = |first: Special| (self as u64 - first as u64) as usize % 3;
        let bit = 1u64 << lane;
        let nanoseconds = context.clock;
        match self {
            ThreadX | ThreadY | ThreadZ => {
                u64::from(shape.thread(context.warp * LANES as u32 + lane)[axis(ThreadX)])
            }
            ThreadsX | ThreadsY | ThreadsZ => u64::from(shape.block[axis(ThreadsX)]),
            BlockX | BlockY | BlockZ => u64::from(shape.at[axis(BlockX)]),
            BlocksX | BlocksY | BlocksZ => u64::from(shape.grid[axis(BlocksX)]),
            ClusterX | ClusterY | ClusterZ => {
                let axis = axis(ClusterX);
                u64::from(shape.at[axis] / shape.cluster[axis].max(1))
            }
            ClustersX | ClustersY | ClustersZ => u64::from(shape.clusters()[axis(ClustersX)]),
            InClusterX | InClusterY | InClusterZ => u64::from(shape.in_cluster()[axis(InClusterX)]),
            PerClusterX | PerClusterY | PerClusterZ => u64::from(shape.cluster[axis(PerClusterX)]),
            ClusterRank => u64::from(shape.rank()),
            ClusterBlocks => u64::from(shape.cluster.iter().product::<u32>()),
            Special::Lane => u64::from(lane),
            Warp => u64::from(context.warp),
            Warps => 64,
            Processor => shape.index % u64::from(shape.processors.max(1)),
            Processors => u64::from(shape.processors),
            Equal => bit,
            Less => bit - 1,
            LessEqual => bit | (bit - 1),
            Greater => !(bit | (bit - 1)),
            GreaterEqual => !(bit - 1),
            Clock | Clock64 | Timer | TimerLow => nanoseconds,
            ClockHigh | TimerHigh => nanoseconds >> 32,
            DynamicShared => u64::from(shape.dynamic_shared),
            TotalShared => u64::from(shape.total_shared),
            IsExplicit => u64::from(shape.cluster.iter().product::<u32>() > 1),
            Unit => 1024,
            Grid | Zero => 0,
        }
    }

    fn from_code(code: u64) -> Self {
        let known = ALL
            .get(code as usize)
            .map(|(_, special)| *special)
            .filter(|special| *special as u64 == code);
        known.unwrap_or_else(|| {
            ALL.iter()
                .map(|(_, special)| *special)
                .find(|special| *special as u64 == code)
                .unwrap_or(Self::Zero)
        })
    }
}

vector! {
    /// `r[0]` takes the special register that `imm` says, of 32 bits.
    pub(crate) fn read_word(context: &mut Context, op: &Op) {
        let special = Special::from_code(op.imm);
        if !special.differs() {
            return context.put(op.r[0], [special.value(context, 0) as u32; LANES]);
        }
        let first = context.warp * LANES as u32;
        let [x, y, _] = context.shape.block;
        if special == Special::ThreadX && first % x + LANES as u32 <= x {
            return context.put(op.r[0], std::array::from_fn::<u32, LANES, _>(|lane| first % x + lane as u32));
        }
        if y == 1 && context.shape.block[2] == 1 && matches!(special, Special::ThreadY | Special::ThreadZ) {
            return context.put(op.r[0], [0u32; LANES]);
        }
        let values = std::array::from_fn::<u32, LANES, _>(|lane| special.value(context, lane as u32) as u32);
        context.put(op.r[0], values);
    }
}

vector! {
    /// The same of 64 bits.
    pub(crate) fn read_double(context: &mut Context, op: &Op) {
        let special = Special::from_code(op.imm);
        context.put(op.r[0], [special.value(context, 0); LANES]);
    }
}

/// Makes what the thread wrote visible to others before what it writes next.
pub(crate) fn membar(_context: &mut Context, _op: &Op) {
    fence(Ordering::SeqCst);
}

/// As `membar`, for what asynchronous operations read after.
pub(crate) fn fence_proxy(context: &mut Context, op: &Op) {
    membar(context, op);
    context.fence_proxy();
}

/// Does nothing. It has one address, by which a barrier of the warp is known.
#[inline(never)]
pub(crate) fn nothing(_context: &mut Context, _op: &Op) {}

/// What a sleep adds to the clock, in nanoseconds, however short it is: whoever waits for a time gets there before it counts as stuck.
const SLEEP: u64 = 1000;

/// Lets other warps and blocks run.
pub(crate) fn nanosleep(context: &mut Context, _op: &Op) {
    context.clock += SLEEP;
    context.yields = true;
    context.watched = true;
}

/// Ends the launch.
pub(crate) fn trap(context: &mut Context, op: &Op) {
    if context.mask != 0 {
        let lane = context.first();
        context.fail(op, lane, Trouble::Trap);
    }
}

/// Ends the launch at an assertion.
pub(crate) fn assertion(context: &mut Context, op: &Op) {
    if context.mask != 0 {
        let lane = context.first();
        context.fail(op, lane, Trouble::Assertion("__assertfail".to_owned()));
    }
}

vector! {
    /// `r[0]` takes the address of the byte `imm` of the kernel's parameters.
    pub(crate) fn parameter_address(context: &mut Context, op: &Op) {
        let address = (context.params.as_ptr() as u64).wrapping_add(op.imm);
        context.put(op.r[0], [address; LANES]);
    }
}

vector! {
    /// The mask of the lanes that run, `r[0]`.
    pub(crate) fn active_mask(context: &mut Context, op: &Op) {
        context.put(op.r[0], [context.mask; LANES]);
    }
}

/// The result `r[0]` of the last reduction at barrier `imm & 15`: a count if bit 8 is set, or else a predicate.
pub(crate) fn reduced(context: &mut Context, op: &Op) {
    let result = context.reduced[(op.imm & 15) as usize];
    if op.imm >> 8 & 1 != 0 {
        context.put(op.r[0], [result; LANES]);
    } else {
        context.put_predicate(op.r[0], result);
    }
}

/// The tag of a block that no cluster has.
const NO_BLOCK: u64 = 0xFF;

/// `mapa`: the address in block `r[2]` of the cluster of what `r[1]` is the address of in the own. One of a block that is
/// not there may be made, as compilers do ahead of a branch that is not taken, but not used.
fn mapa<T: Lane>(context: &mut Context, op: &Op, map: impl Fn(T, u64) -> T) {
    let address = context.get::<T>(op.r[1]);
    let rank = context.get::<u32>(op.r[2]);
    let blocks = context.windows.len() as u32;
    let tag = |rank: u32| {
        if rank < blocks {
            u64::from(rank) + 1
        } else {
            NO_BLOCK
        }
    };
    context.put(
        op.r[0],
        std::array::from_fn(|lane| map(address[lane], tag(rank[lane]) << RANK_SHIFT)),
    );
}

fn mapa_word(context: &mut Context, op: &Op) {
    mapa::<u32>(context, op, |address, rank| {
        address & 0xFF_FFFF | rank as u32
    });
}

fn mapa_double(context: &mut Context, op: &Op) {
    mapa::<u64>(context, op, |address, rank| address & !0xFF00_0000 | rank);
}

fn rank_of<T: Lane + Into<u64>>(context: &mut Context, op: &Op) {
    let own = context.rank as u32;
    let ranks =
        context
            .get::<T>(op.r[1])
            .map(|address| match (address.into() >> RANK_SHIFT) as u8 {
                0 => own,
                other => u32::from(other) - 1,
            });
    context.put(op.r[0], ranks);
}

/// Whether generic addresses are in a space: `imm` is the tag, and 0 stands for global memory.
fn is_in(context: &mut Context, op: &Op, tag: u64) {
    let address = context.get::<u64>(op.r[1]);
    let bits = (0..LANES)
        .map(|lane| u32::from(address[lane] >> 48 == tag >> 48) << lane)
        .sum();
    context.put_predicate(op.r[0], bits);
}

/// Instructions on addresses, and the others of this file that are found by name.
pub(crate) fn find(name: &str) -> Option<Form> {
    use Kind::{Double, Predicate, Word};
    let form = |exec, defs, uses| Form { exec, defs, uses };
    Some(match name {
        "mapa.shared::cluster.u32" => form(mapa_word, &[Word], &[Word, Word]),
        "mapa.shared::cluster.u64" | "mapa.u64" => form(mapa_double, &[Double], &[Double, Word]),
        "mapa.u32" => form(mapa_word, &[Word], &[Word, Word]),
        "getctarank.shared::cluster.u32" | "getctarank.u32" => {
            form(rank_of::<u32>, &[Word], &[Word])
        }
        "getctarank.shared::cluster.u64" | "getctarank.u64" => {
            form(rank_of::<u64>, &[Word], &[Double])
        }
        "isspacep.global" | "isspacep.const" | "isspacep.param" => {
            form(|c, op| is_in(c, op, 0), &[Predicate], &[Double])
        }
        "isspacep.shared" | "isspacep.shared::cta" | "isspacep.shared::cluster" => {
            form(|c, op| is_in(c, op, SHARED_TAG), &[Predicate], &[Double])
        }
        "isspacep.local" => form(|c, op| is_in(c, op, LOCAL_TAG), &[Predicate], &[Double]),
        "activemask.b32" => form(active_mask, &[Word], &[]),
        _ => return None,
    })
}
