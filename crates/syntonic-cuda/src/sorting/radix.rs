//! Radix sort of long lines through global memory: one kernel counts all digits, then each pass reads and writes every key
//! once.

use super::lines::{shared_out, size_name};
use super::ranking::Ranking;
use super::rows;
use crate::context::{Context, Geometry, Scratch};
use crate::contract::{Contract, contract};
use syntonic_core::Result;

contract! {
    "radix":
    /// Digits of the elements of each line are counted.
    pub(crate) struct CountParams as "CountParams" {
        from: u64,
        /// `u32 [rows]`[passes][256], zero before.
        counts: u64,
        /// Elements between lines.
        from_row: i64,
        rows: u64,
        n: u32,
        passes: u32,
        /// Blocks of one line.
        pieces: u32,
        /// Elements of one block.
        piece: u32,
        ranking: Ranking,
    }
}

contract! {
    "radix":
    /// One digit of a radix sort.
    pub(crate) struct PassParams as "PassParams" {
        from: u64,
        /// 0: keys are not written.
        to: u64,
        /// U32; 0: positions are those of the line.
        from_positions: u64,
        /// U32, or i64 where `widen`.
        to_positions: u64,
        /// As counted.
        counts: u64,
        /// [rows][tiles][256], zero before.
        status: u64,
        /// The same, made zero for the next pass; 0: none.
        next_status: u64,
        /// U64, zero before.
        ticket: u64,
        from_row: i64,
        to_row: i64,
        n: u32,
        /// Of one line.
        tiles: u32,
        pass: u32,
        /// Counted.
        passes: u32,
        /// From elements, in the first pass.
        load: Ranking,
        /// To elements, in the last pass.
        store: Ranking,
        raw_load: u32,
        raw_store: u32,
        widen: u32,
        unused: u32,
    }
}

/// Lines to sort: each in one piece, evenly apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub(super) from: u64,
    /// Elements between lines.
    pub(super) apart: i64,
    /// 32-bit positions that the keys carry, packed; 0: those in the line.
    pub(super) positions: u64,
    pub(super) rows: u64,
    pub(super) n: u32,
    /// Bytes of a key, at most 8.
    pub(super) size: usize,
    /// Digits to sort by, from the lowest.
    pub(super) passes: u32,
    /// How elements become keys; none: they are keys.
    pub(super) ranking: Option<Ranking>,
}

/// What is wanted of the sorted lines.
#[derive(Clone, Copy, Debug)]
pub(super) enum Out {
    /// The elements, lines `apart` elements apart.
    Keys { at: u64, apart: i64 },
    /// Their positions, 32 bits, packed.
    Positions { at: u64 },
    /// Their positions, 64 bits.
    WidePositions { at: u64, apart: i64 },
}

const DIGITS: u64 = 256;

/// Elements that one block of counting takes.
const PIECE: u32 = 16 << 10;

/// Threads of a pass.
const THREADS: u32 = 512;

/// Elements of a tile.
fn tile(size: usize, pairs: bool) -> usize {
    let items = match (size, pairs) {
        (8, _) => 11,
        (_, false) => 20,
        (_, true) => 12,
    };
    THREADS as usize * items
}

/// The layout of a sort's scratch: a tile counter per pass, then the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    tiles: u64,
    counts: usize,
    status: usize,
    status_bytes: usize,
}

impl Plan {
    fn new(job: &Job, pairs: bool) -> Plan {
        let tiles = u64::from(job.n).div_ceil(tile(job.size, pairs) as u64);
        let counts = 64;
        Plan {
            tiles,
            counts,
            status: counts + (job.rows * job.size as u64 * DIGITS * 4) as usize,
            status_bytes: (job.rows * tiles * DIGITS * 8) as usize,
        }
    }

    /// Bytes that begin as zero, and all.
    fn bytes(&self) -> (usize, usize) {
        let zero = self.status + self.status_bytes;
        (zero, zero + self.status_bytes)
    }
}

/// Sorts lines; equal keys keep their order.
///
/// # Safety
/// The job's memory is live, the result has room and overlaps nothing else.
pub(super) unsafe fn sort(context: &Context, job: &Job, out: &Out) -> Result<()> {
    if rows::fits(job.size, job.n as usize) {
        // SAFETY: the caller's promise.
        return unsafe { rows::sort(context, job, out) };
    }
    let plan = Plan::new(job, !matches!(out, Out::Keys { .. }));
    let (zero, bytes) = plan.bytes();
    let counts = context.scratch(bytes)?;
    // SAFETY: the scratch is that large.
    unsafe { context.set_bytes(counts.address(), 0, zero)? };
    // SAFETY: the counts are zero and have the plan's room; the rest is the caller's promise.
    unsafe {
        count(context, job, counts.address() + plan.counts as u64)?;
        passes(context, job, out, &plan, counts.address())
    }
}

/// Counts every digit of every line.
///
/// # Safety
/// The job's memory is live, and `counts` zero.
unsafe fn count(context: &Context, job: &Job, counts: u64) -> Result<()> {
    let entry = format!("radix_count_{}", size_name(job.size));
    let pieces = job.n.div_ceil(PIECE);
    let params = CountParams {
        from: job.from,
        counts,
        from_row: job.apart,
        rows: job.rows,
        n: job.n,
        passes: job.size as u32,
        pieces,
        piece: PIECE,
        ranking: job.ranking.unwrap_or_default(),
    };
    let blocks = job.rows * u64::from(pieces);
    // SAFETY: the parameters are the kernel's; the caller promises the memory.
    unsafe { params.launch(context, &entry, shared_out(context, blocks, 512)) }
}

/// Ping-pong buffers between passes, made only if there is more than one.
fn stores<'a>(context: &'a Context, job: &Job, size: usize) -> Result<Vec<Scratch<'a>>> {
    let count = (job.passes as usize - 1).min(2);
    let bytes = job.rows as usize * job.n as usize * size;
    (0..count).map(|_| context.scratch(bytes)).collect()
}

/// # Safety
/// As [`sort`], with counts made.
unsafe fn passes(context: &Context, job: &Job, out: &Out, plan: &Plan, scratch: u64) -> Result<()> {
    let pairs = !matches!(out, Out::Keys { .. });
    let kind = if pairs { "pairs" } else { "keys" };
    let entry = format!("radix_{kind}_{}", size_name(job.size));
    let keys = stores(context, job, job.size)?;
    let positions = if pairs {
        stores(context, job, 4)?
    } else {
        Vec::new()
    };
    // Where the elements are written by others meanwhile, not every place gets a position: those that do not have the first.
    for store in &positions {
        let bytes = job.rows as usize * job.n as usize * 4;
        // SAFETY: the scratch is that large.
        unsafe { context.set_bytes(store.address(), 0, bytes)? };
    }
    // SAFETY: the caller's promise.
    unsafe { blank(context, job, out)? };
    let place = |s: &[Scratch<'_>], pass: u32| s.get(pass as usize % 2).map_or(0, Scratch::address);
    let geometry = Geometry {
        shared: (tile(job.size, pairs) * job.size.max(4)) as u32,
        ..Geometry::line(job.rows * plan.tiles, THREADS)
    };
    let status = |pass: u32| {
        let half = (pass % 2) as usize * plan.status_bytes;
        scratch + (plan.status + half) as u64
    };
    for pass in 0..job.passes {
        let (first, last) = (pass == 0, pass + 1 == job.passes);
        let mut params = PassParams {
            from: if first {
                job.from
            } else {
                place(&keys, pass - 1)
            },
            to: place(&keys, pass),
            from_positions: if first {
                job.positions
            } else {
                place(&positions, pass.wrapping_sub(1))
            },
            to_positions: place(&positions, pass),
            counts: scratch + plan.counts as u64,
            status: status(pass),
            next_status: if last { 0 } else { status(pass + 1) },
            ticket: scratch + u64::from(pass) * 8,
            from_row: if first { job.apart } else { i64::from(job.n) },
            to_row: i64::from(job.n),
            n: job.n,
            tiles: plan.tiles as u32,
            pass,
            passes: job.size as u32,
            load: job.ranking.unwrap_or_default(),
            store: job.ranking.unwrap_or_default(),
            raw_load: u32::from(!first || job.ranking.is_none()),
            raw_store: u32::from(!last || job.ranking.is_none()),
            widen: 0,
            unused: 0,
        };
        if last {
            finish(&mut params, out);
        }
        // SAFETY: the parameters are the kernel's; the caller promises the memory.
        unsafe { params.launch(context, &entry, geometry)? };
    }
    Ok(())
}

/// Makes all positions of a result that lies in one piece the first.
///
/// # Safety
/// As [`sort`].
unsafe fn blank(context: &Context, job: &Job, out: &Out) -> Result<()> {
    let (at, size) = match *out {
        Out::Positions { at } => (at, 4),
        Out::WidePositions { at, apart } if apart == i64::from(job.n) => (at, 8),
        _ => return Ok(()),
    };
    let bytes = job.rows as usize * job.n as usize * size;
    // SAFETY: the caller's promise.
    unsafe { context.set_bytes(at, 0, bytes) }
}

/// Sends the last pass to where the result is wanted.
fn finish(params: &mut PassParams, out: &Out) {
    match *out {
        Out::Keys { at, apart } => {
            params.to = at;
            params.to_row = apart;
        }
        Out::Positions { at } => {
            params.to = 0;
            params.to_positions = at;
        }
        Out::WidePositions { at, apart } => {
            params.to = 0;
            params.to_positions = at;
            params.to_row = apart;
            params.widen = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(rows: u64, n: u32, size: usize) -> Job {
        Job {
            from: 0,
            apart: i64::from(n),
            positions: 0,
            rows,
            n,
            size,
            passes: size as u32,
            ranking: None,
        }
    }

    #[test]
    fn scratch_is_planned_by_tiles() {
        let plan = Plan::new(&job(3, 6145, 4), true);
        assert_eq!(plan.tiles, 2);
        assert_eq!(plan.status, 64 + 3 * 4 * 1024);
        assert_eq!(plan.status_bytes, 3 * 2 * 2048);
        assert_eq!(
            plan.bytes(),
            (plan.status + 12_288, plan.status + 2 * 12_288)
        );
    }
}
