//! `sort` and `argsort`.

use super::few::{self, Few};
use super::lines::{Even, Lines, Part, Taken, copy, evened, lengths, packed_copy, parts, take};
use super::radix::{self, Job, Out};
use super::ranking::{Ranking, Zeros};
use crate::context::{Context, Scratch};
use syntonic_core::device::{Arg, Launch};
use syntonic_core::{DType, Result};

/// Lines up to this length are sorted by a network. A length between those of `few` and `rows` suits both.
const NETWORK: usize = 512;

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn sort(context: &Context, args: &Launch) -> Result<()> {
    let (x, out) = (&args.inputs[0], &args.outputs[0]);
    let (lead, n) = lengths(x);
    let (from, to) = (Lines::of(x), Lines::of(out));
    let ranking = Ranking::new(x.dtype, args, Zeros::BySign);
    if n <= NETWORK {
        let few = Few {
            dtype: x.dtype,
            ranking,
            from: &from,
            values: Some(&to),
            positions: None,
            keep: n,
            original: false,
            in_place: false,
        };
        // SAFETY: the caller's promise.
        return unsafe { few::sort(context, &few, &lead, n) };
    }
    if x.dtype.is_complex() {
        // SAFETY: the caller's promise; positions are those of the lines.
        return unsafe {
            let order = positions(context, x, ranking)?;
            let taken = Taken {
                values: Some((&from, &to)),
                positions: None,
                canonical: x.dtype.size() / 2,
            };
            take(context, order.address(), &taken, &lead, n, n)
        };
    }
    // SAFETY: the caller's promise.
    unsafe { sort_keys(context, x, &to, ranking) }
}

/// # Safety
/// `x` is real and live, and `to` has room for its lines.
unsafe fn sort_keys(context: &Context, x: &Arg, to: &Lines, ranking: Ranking) -> Result<()> {
    let (lead, n) = lengths(x);
    // SAFETY: the caller's promise; the scratch has room for all lines.
    unsafe {
        let from = evened(context, &Lines::of(x), &lead, n)?;
        let job = job(x, &from, ranking);
        if let Some(apart) = to.even(&lead, n) {
            let at = to.address;
            return radix::sort(context, &job, &Out::Keys { at, apart });
        }
        let sorted = context.scratch(x.layout.numel() * to.size)?;
        let (at, apart) = (sorted.address(), n as i64);
        radix::sort(context, &job, &Out::Keys { at, apart })?;
        copy(context, &Lines::packed(at, to.size, &lead, n), to, &lead, n)
    }
}

/// The lines of real `x` that lie as `from`.
fn job(x: &Arg, from: &Even<'_>, ranking: Ranking) -> Job {
    let (lead, n) = lengths(x);
    Job {
        from: from.address,
        apart: from.apart,
        positions: 0,
        rows: lead.iter().product::<usize>() as u64,
        n: n as u32,
        size: x.dtype.size(),
        passes: x.dtype.size() as u32,
        ranking: Some(ranking),
    }
}

/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn argsort(context: &Context, args: &Launch) -> Result<()> {
    let (x, out) = (&args.inputs[0], &args.outputs[0]);
    let (lead, n) = lengths(x);
    let (from, to) = (Lines::of(x), Lines::of(out));
    let ranking = Ranking::new(x.dtype, args, Zeros::Equal);
    if n <= NETWORK {
        let few = Few {
            dtype: x.dtype,
            ranking,
            from: &from,
            values: None,
            positions: Some(&to),
            keep: n,
            original: false,
            in_place: false,
        };
        // SAFETY: the caller's promise.
        return unsafe { few::sort(context, &few, &lead, n) };
    }
    if let (Some(apart), false) = (to.even(&lead, n), x.dtype.is_complex()) {
        let at = to.address;
        // SAFETY: the caller's promise.
        return unsafe {
            let from = evened(context, &from, &lead, n)?;
            radix::sort(
                context,
                &job(x, &from, ranking),
                &Out::WidePositions { at, apart },
            )
        };
    }
    // SAFETY: the caller's promise.
    unsafe {
        let order = positions(context, x, ranking)?;
        let taken = Taken {
            values: None,
            positions: Some(&to),
            canonical: 0,
        };
        take(context, order.address(), &taken, &lead, n, n)
    }
}

/// The positions that put each line of `x` in order, 32 bits, packed.
///
/// # Safety
/// `x` is live.
pub(super) unsafe fn positions<'a>(
    context: &'a Context,
    x: &Arg,
    ranking: Ranking,
) -> Result<Scratch<'a>> {
    let (lead, n) = lengths(x);
    let found = context.scratch(x.layout.numel() * 4)?;
    let at = found.address();
    // SAFETY: the caller's promise; the scratch has room for a position of each element.
    unsafe {
        if x.dtype.is_complex() {
            complex_positions(context, x, ranking, at)?;
        } else {
            let from = evened(context, &Lines::of(x), &lead, n)?;
            radix::sort(context, &job(x, &from, ranking), &Out::Positions { at })?;
        }
    }
    Ok(found)
}

/// Sorts by the imaginary part, then stably by the real part, then by which parts are NaN.
///
/// # Safety
/// `x` is live and complex, and `to` has room for a position of each element.
unsafe fn complex_positions(context: &Context, x: &Arg, ranking: Ranking, to: u64) -> Result<()> {
    let (lead, n) = lengths(x);
    let all = x.layout.numel();
    let (keys, other) = (context.scratch(all * 8)?, context.scratch(all * 4)?);
    let rounds: &[Part] = match x.dtype {
        DType::C64 => &[Part::Both, Part::Nan],
        _ => &[Part::Imaginary, Part::Real, Part::Nan],
    };
    // SAFETY: the scratch has room for all lines; the rest is the caller's promise.
    unsafe {
        let from = packed_copy(context, &Lines::of(x), &lead, n)?;
        let mut before = 0;
        for (round, &part) in rounds.iter().enumerate() {
            let rows = (all / n) as u64;
            let ends = (from.address, before, keys.address());
            parts(context, ends, (rows, n), part, (x.dtype.size(), ranking))?;
            // The last round ends in `to`.
            let at = if (rounds.len() - round) % 2 == 1 {
                to
            } else {
                other.address()
            };
            let job = Job {
                from: keys.address(),
                apart: n as i64,
                positions: before,
                rows,
                n: n as u32,
                size: 8,
                passes: if part == Part::Nan { 1 } else { 8 },
                ranking: None,
            };
            radix::sort(context, &job, &Out::Positions { at })?;
            before = at;
        }
    }
    Ok(())
}

/// The positions that put `n` words of 64 bits in order, as `int64`; equal ones keep theirs.
///
/// # Safety
/// There are as many words at `keys`, and room for as many positions at `to`.
pub(crate) unsafe fn order_of_words(context: &Context, keys: u64, n: u32, to: u64) -> Result<()> {
    let job = Job {
        from: keys,
        apart: i64::from(n),
        positions: 0,
        rows: 1,
        n,
        size: 8,
        passes: 8,
        ranking: None,
    };
    let apart = i64::from(n);
    // SAFETY: the caller's promise.
    unsafe { radix::sort(context, &job, &Out::WidePositions { at: to, apart }) }
}
