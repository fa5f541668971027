//! Block-wide radix sort in shared memory, of lines that one block holds.

use super::lines::{shared_out, size_name};
use super::radix::{Job, Out};
use super::ranking::Ranking;
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use syntonic_core::Result;

contract! {
    "sort_rows":
    /// Lines that a block sorts, each in shared memory.
    pub(crate) struct Params as "RowsParams" {
        from: u64,
        /// U32; 0: positions are those of the line.
        from_positions: u64,
        /// Keys; 0: they are not written.
        to: u64,
        /// U32, or i64 where `widen`.
        to_positions: u64,
        rows: u64,
        /// Elements between lines, of keys and of positions.
        from_row: i64,
        to_row: i64,
        n: u32,
        passes: u32,
        /// Whether keys are ranks already.
        raw: u32,
        widen: u32,
        ranking: Ranking,
    }
}

/// Threads and elements of a block: few or many.
fn shape(size: usize, n: usize) -> Option<(u32, usize)> {
    let most = if size == 8 { 512 * 7 } else { 512 * 12 };
    match n {
        0..=2048 => Some((256, 2048)),
        _ if n <= most => Some((512, most)),
        _ => None,
    }
}

/// True if one block sorts lines of `n` elements of `size` bytes.
pub(super) fn fits(size: usize, n: usize) -> bool {
    shape(size, n).is_some()
}

/// Sorts the lines of a job that [`fits`].
///
/// # Safety
/// As [`super::radix::sort`].
pub(super) unsafe fn sort(context: &Context, job: &Job, out: &Out) -> Result<()> {
    let (threads, held) = shape(job.size, job.n as usize).unwrap_or((512, 512 * 7));
    let (kind, to, to_positions, apart, widen) = match *out {
        Out::Keys { at, apart } => ("keys", at, 0, apart, 0),
        Out::Positions { at } => ("pairs", 0, at, i64::from(job.n), 0),
        Out::WidePositions { at, apart } => ("pairs", 0, at, apart, 1),
    };
    let entry = format!("sort_rows_{kind}_{}_t{threads}", size_name(job.size));
    let params = Params {
        from: job.from,
        from_positions: job.positions,
        to,
        to_positions,
        rows: job.rows,
        from_row: job.apart,
        to_row: apart,
        n: job.n,
        passes: job.passes,
        raw: u32::from(job.ranking.is_none()),
        widen,
        ranking: job.ranking.unwrap_or_default(),
    };
    let geometry = Geometry {
        shared: (held * job.size.max(4)) as u32,
        ..shared_out(context, job.rows, threads)
    };
    // SAFETY: the parameters are the kernel's; the caller promises the memory.
    unsafe { params.launch(context, &entry, geometry) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_what_fits() {
        assert_eq!(shape(4, 2048), Some((256, 2048)));
        assert_eq!(shape(4, 6144), Some((512, 6144)));
        assert!(!fits(4, 6145) && !fits(8, 3585) && fits(8, 3584));
    }
}
