//! `topk`: the first few of each line in order.

use super::few::{self, Few, HELD};
use super::lines::{Lines, Taken, evened, lengths, shared_out, size_name, take};
use super::radix::{self, Job, Out};
use super::ranking::{Ranking, Zeros};
use super::sort::positions;
use crate::context::{Context, Geometry, Scratch};
use crate::contract::{Contract, contract};
use syntonic_core::Result;
use syntonic_core::device::{Arg, Launch};

contract! {
    "topk":
    /// The first `k` elements of each line.
    pub(crate) struct Params as "SelectParams" {
        from: u64,
        /// `u32 [rows]`[n]: the positions that are looked at, ~0 for none; 0: all n of a line.
        among: u64,
        /// `u32 [rows]`[chunks][k]: positions, ~0 where a chunk has fewer.
        to: u64,
        /// Elements between lines.
        from_row: i64,
        rows: u64,
        n: u32,
        /// Elements of a line that a block looks at.
        chunk: u32,
        chunks: u32,
        /// At most half of what is gathered.
        k: u32,
        /// Whether the result has the order of the positions.
        in_place: u32,
        unused: u32,
        ranking: Ranking,
    }
}

/// Threads per block, and the most elements that it gathers.
const THREADS: u32 = 512;
const GATHERED: usize = 2048;

/// The fewest elements that are worth a block.
const CHUNK: usize = 16 << 10;

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn topk(context: &Context, args: &Launch) -> Result<()> {
    let (x, outs) = (&args.inputs[0], &args.outputs);
    let in_place = !args.params.get(1).is_some_and(|p| p.to_bool());
    let (lead, n) = lengths(x);
    let (_, k) = lengths(&outs[0]);
    let (from, values, places) = (Lines::of(x), Lines::of(&outs[0]), Lines::of(&outs[1]));
    let ranking = Ranking::new(x.dtype, args, Zeros::Equal);
    if n <= HELD {
        let few = Few {
            dtype: x.dtype,
            ranking,
            from: &from,
            values: Some(&values),
            positions: Some(&places),
            keep: k,
            original: true,
            in_place,
        };
        // SAFETY: the caller's promise.
        return unsafe { few::sort(context, &few, &lead, n) };
    }
    let taken = Taken {
        values: Some((&from, &values)),
        positions: Some(&places),
        canonical: 0,
    };
    if !x.dtype.is_complex() && k <= GATHERED / 2 {
        // SAFETY: the caller's promise; the positions are those of the lines.
        return unsafe {
            let found = select(context, x, k, in_place, ranking)?;
            take(context, found.address(), &taken, &lead, k, k)
        };
    }
    // SAFETY: as above.
    unsafe {
        let order = positions(context, x, ranking)?;
        if !in_place {
            return take(context, order.address(), &taken, &lead, k, n);
        }
        let rows = lead.iter().product::<usize>() as u64;
        let first = in_position_order(context, &order, (rows, n, k))?;
        take(context, first.address(), &taken, &lead, k, k)
    }
}

/// How many parts lines of `n` elements are cut into, and how long they are.
fn cut(rows: u64, n: usize, k: usize, multiprocessors: u32) -> (u32, u32) {
    let wanted = (u64::from(multiprocessors) * 4).div_ceil(rows.max(1)) as usize;
    let most = n / CHUNK.max(16 * k);
    let chunk = n.div_ceil(wanted.min(most).max(1));
    (n.div_ceil(chunk) as u32, chunk as u32)
}

/// The positions of the first `k` of each line of real `x`, 32 bits, packed.
///
/// # Safety
/// `x` is live.
unsafe fn select<'a>(
    context: &'a Context,
    x: &Arg,
    k: usize,
    in_place: bool,
    ranking: Ranking,
) -> Result<Scratch<'a>> {
    let (lead, n) = lengths(x);
    let rows = lead.iter().product::<usize>() as u64;
    // SAFETY: the caller's promise.
    let from = unsafe { evened(context, &Lines::of(x), &lead, n)? };
    let (chunks, chunk) = cut(rows, n, k, context.multiprocessors());
    let found = context.scratch(rows as usize * chunks as usize * k * 4)?;
    let params = Params {
        from: from.address,
        among: 0,
        to: found.address(),
        from_row: from.apart,
        rows,
        n: n as u32,
        chunk,
        chunks,
        k: k as u32,
        in_place: u32::from(in_place),
        unused: 0,
        ranking,
    };
    // SAFETY: the scratch has room for `k` positions of each part.
    unsafe { launch(context, x.dtype.size(), &params)? };
    if chunks == 1 {
        return Ok(found);
    }
    let best = context.scratch(rows as usize * k * 4)?;
    let again = Params {
        among: found.address(),
        to: best.address(),
        n: chunks * k as u32,
        chunk: chunks * k as u32,
        chunks: 1,
        ..params
    };
    // SAFETY: the positions found are those of the lines, and the scratch has room for `k` of each.
    unsafe { launch(context, x.dtype.size(), &again)? };
    Ok(best)
}

/// # Safety
/// The parameters name live memory that fits.
unsafe fn launch(context: &Context, size: usize, params: &Params) -> Result<()> {
    let entry = format!("topk_select_{}", size_name(size));
    let item = if size == 8 { 16 } else { 8 };
    let blocks = params.rows * u64::from(params.chunks);
    let geometry = Geometry {
        shared: (GATHERED * item) as u32,
        ..shared_out(context, blocks, THREADS)
    };
    // SAFETY: the parameters are the kernel's; the caller promises the memory.
    unsafe { params.launch(context, &entry, geometry) }
}

/// The first `k` of each line of `n` positions, sorted.
///
/// # Safety
/// There are that many positions.
unsafe fn in_position_order<'a>(
    context: &'a Context,
    order: &Scratch<'_>,
    (rows, n, k): (u64, usize, usize),
) -> Result<Scratch<'a>> {
    let sorted = context.scratch(rows as usize * k * 4)?;
    let job = Job {
        from: order.address(),
        apart: n as i64,
        positions: 0,
        rows,
        n: k as u32,
        size: 4,
        passes: 4,
        ranking: None,
    };
    let (at, apart) = (sorted.address(), k as i64);
    // SAFETY: the scratch has room for the lines; the rest is the caller's promise.
    unsafe { radix::sort(context, &job, &Out::Keys { at, apart })? };
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_where_there_are_few() {
        assert_eq!(cut(1024, 65_536, 64, 132), (1, 65_536));
        assert_eq!(cut(1, 1 << 24, 64, 132), (528, 31_776));
        assert_eq!(cut(1, 1 << 24, 1024, 132), (528, 31_776));
        assert_eq!(cut(1, 3000, 1024, 132), (1, 3000));
        assert_eq!(cut(2, 40_000, 1, 132), (2, 20_000));
    }
}
