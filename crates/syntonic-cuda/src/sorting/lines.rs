//! Lines of operands along their last axis, and kernels that move them.

use super::ranking::Ranking;
use crate::context::{Context, Geometry, Scratch};
use crate::contract::{Contract, contract};
use crate::walk::{Space, Wide};
use syntonic_core::Result;
use syntonic_core::device::Arg;
use syntonic_core::layout::Strides;

/// The lines of one operand.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) address: u64,
    /// Bytes per element.
    pub(super) size: usize,
    /// Strides of the leading axes, in elements.
    outer: Strides,
    /// Stride along a line, in elements.
    pub(super) step: i64,
}

impl Lines {
    /// Those of an operand of a launch, which has at least one axis.
    pub(super) fn of(arg: &Arg) -> Lines {
        let strides = arg.layout.strides();
        let (step, outer) = strides.split_last().map_or((1, strides), |(s, o)| (*s, o));
        Lines {
            address: arg.address() as u64,
            size: arg.dtype.size(),
            outer: outer.into(),
            step: step as i64,
        }
    }

    /// Lines of `n` elements one after the other, for leading axes `lead`.
    pub(super) fn packed(address: u64, size: usize, lead: &[usize], n: usize) -> Lines {
        let mut outer = Strides::from_elem(0, lead.len());
        let mut by = n as isize;
        for (stride, &len) in outer.iter_mut().zip(lead).rev() {
            *stride = by;
            by *= len as isize;
        }
        Lines {
            address,
            size,
            outer,
            step: 1,
        }
    }

    /// The distance between lines, if each is in one piece and they are evenly apart.
    pub(super) fn even(&self, lead: &[usize], n: usize) -> Option<i64> {
        let space = Space::new(lead, &[&self.outer]);
        let apart = space.strides[0].last().copied().unwrap_or(0) as i64;
        let one = space.dims.len() == 1 && (self.step == 1 || n == 1);
        one.then_some(apart)
    }
}

/// The lines of operand `at` of a launch: the leading lengths and the length of a line.
pub(super) fn lengths(arg: &Arg) -> (Vec<usize>, usize) {
    let shape = arg.layout.shape();
    let (n, lead) = shape.split_last().map_or((1, shape), |(n, l)| (*n, l));
    (lead.to_vec(), n)
}

/// Part of the lines that a kernel walks at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<const K: usize> {
    /// The line it begins with.
    pub(super) first: u64,
    pub(super) rows: u64,
    pub(super) addresses: [u64; K],
    pub(super) walk: Wide<K>,
    /// How far apart neighbouring lines are in each operand.
    pub(super) across: [u64; K],
}

/// The lines of several operands with leading lengths `lead`, almost always in one piece.
pub(super) fn pieces<const K: usize>(lead: &[usize], views: [&Lines; K]) -> Vec<Piece<K>> {
    let strides = views.map(|v| &v.outer[..]);
    let space = Space::new(lead, &strides);
    let mut first = 0;
    let pieces = space.pieces().map(|piece| {
        let rows = piece.len() as u64;
        let shift = |k: usize| piece.bases[k] as i64 * views[k].size as i64;
        let found = Piece {
            first,
            rows,
            addresses: std::array::from_fn(|k| views[k].address.wrapping_add_signed(shift(k))),
            walk: piece.wide(),
            across: std::array::from_fn(|k| {
                piece.strides[k]
                    .last()
                    .map_or(0, |s| s.unsigned_abs() as u64)
            }),
        };
        first += rows;
        found
    });
    pieces.collect()
}

/// The name that entries have for elements of this many bytes.
pub(super) fn size_name(size: usize) -> &'static str {
    match size {
        1 => "b1",
        2 => "b2",
        4 => "b4",
        8 => "b8",
        _ => "b16",
    }
}

/// Blocks for work that threads share out among themselves.
pub(super) fn shared_out(context: &Context, blocks: u64, threads: u32) -> Geometry {
    let most = u64::from(context.multiprocessors()) * 32;
    Geometry::line(blocks.min(most).max(1), threads)
}

contract! {
    "lines":
    /// Lines are copied, through tiles where sides run across.
    pub(crate) struct CopyParams as "CopyParams" {
        from: u64,
        to: u64,
        rows: u64,
        n: u64,
        from_step: i64,
        to_step: i64,
        /// Whether lanes run across lines when reading ...
        from_across: u32,
        /// ... and when writing, or along them.
        to_across: u32,
        lines: Wide<2>,
    }
}

/// Copies lines of `n` elements.
///
/// # Safety
/// Both are live for those lengths, and the second is written by nobody else.
pub(super) unsafe fn copy(
    context: &Context,
    from: &Lines,
    to: &Lines,
    lead: &[usize],
    n: usize,
) -> Result<()> {
    let entry = format!("lines_copy_{}", size_name(from.size));
    for piece in pieces(lead, [from, to]) {
        let across = |k: usize, step: i64| {
            piece.rows > 1 && (n == 1 || piece.across[k] < step.unsigned_abs())
        };
        let params = CopyParams {
            from: piece.addresses[0],
            to: piece.addresses[1],
            rows: piece.rows,
            n: n as u64,
            from_step: from.step,
            to_step: to.step,
            from_across: u32::from(across(0, from.step)),
            to_across: u32::from(across(1, to.step)),
            lines: piece.walk,
        };
        let tiles = piece.rows.div_ceil(32) * (n as u64).div_ceil(32);
        // SAFETY: the parameters are the kernel's; the caller promises the memory.
        unsafe { params.launch(context, &entry, shared_out(context, tiles, 256))? };
    }
    Ok(())
}

/// Lines that are each in one piece and evenly apart: those given, or a copy.
pub(super) struct Even<'a> {
    pub(super) address: u64,
    /// Elements between lines.
    pub(super) apart: i64,
    _copy: Option<Scratch<'a>>,
}

/// The lines of `view`, copied unless they are even already.
///
/// # Safety
/// The view is live for those lengths.
pub(super) unsafe fn evened<'a>(
    context: &'a Context,
    view: &Lines,
    lead: &[usize],
    n: usize,
) -> Result<Even<'a>> {
    if let Some(apart) = view.even(lead, n) {
        return Ok(Even {
            address: view.address,
            apart,
            _copy: None,
        });
    }
    // SAFETY: the caller's promise.
    unsafe { packed_copy(context, view, lead, n) }
}

/// The lines of `view` copied one after the other.
///
/// # Safety
/// The view is live for those lengths.
pub(super) unsafe fn packed_copy<'a>(
    context: &'a Context,
    view: &Lines,
    lead: &[usize],
    n: usize,
) -> Result<Even<'a>> {
    let all: usize = lead.iter().product::<usize>() * n;
    let scratch = context.scratch(all * view.size)?;
    let to = Lines::packed(scratch.address(), view.size, lead, n);
    // SAFETY: the scratch is fresh and large enough; the rest is the caller's promise.
    unsafe { copy(context, view, &to, lead, n)? };
    Ok(Even {
        address: scratch.address(),
        apart: n as i64,
        _copy: Some(scratch),
    })
}

contract! {
    "lines":
    /// Elements of lines are taken at positions.
    pub(crate) struct TakeParams as "TakeParams" {
        /// Elements; 0: no values are wanted.
        from: u64,
        /// U32, of lines of `line` positions.
        positions: u64,
        to: u64,
        /// I64; 0: none are wanted.
        to_positions: u64,
        rows: u64,
        /// Elements of a line of the outputs.
        n: u64,
        line: u64,
        from_step: i64,
        to_step: i64,
        to_positions_step: i64,
        /// Bytes of a part of a complex number, to make its NaN the usual one; or 0.
        canonical: u64,
        lines: Wide<3>,
    }
}

/// What is taken at positions.
pub(super) struct Taken<'a> {
    /// Elements and where they go.
    pub(super) values: Option<(&'a Lines, &'a Lines)>,
    /// Where the positions go, as `int64`.
    pub(super) positions: Option<&'a Lines>,
    /// Bytes of a part of complex numbers whose NaN is made the usual one, or 0.
    pub(super) canonical: usize,
}

/// Takes the first `n` of each line of `line` positions of 32 bits.
///
/// # Safety
/// Everything is live for these lengths, and the positions are below those of the lines of values.
pub(super) unsafe fn take(
    context: &Context,
    positions: u64,
    taken: &Taken<'_>,
    lead: &[usize],
    n: usize,
    line: usize,
) -> Result<()> {
    let nothing = Lines::packed(0, 8, lead, 0);
    let (from, to) = taken.values.unwrap_or((&nothing, &nothing));
    let places = taken.positions.unwrap_or(&nothing);
    let entry = format!("lines_take_{}", size_name(from.size));
    for piece in pieces(lead, [from, to, places]) {
        let [at, out, out_positions] = piece.addresses;
        let params = TakeParams {
            from: at,
            positions: positions + piece.first * line as u64 * 4,
            to: out,
            to_positions: out_positions,
            rows: piece.rows,
            n: n as u64,
            line: line as u64,
            from_step: from.step,
            to_step: to.step,
            to_positions_step: places.step,
            canonical: taken.canonical as u64,
            lines: piece.walk,
        };
        let blocks = (piece.rows * n as u64).div_ceil(256);
        // SAFETY: the parameters are the kernel's; the caller promises the memory.
        unsafe { params.launch(context, &entry, shared_out(context, blocks, 256))? };
    }
    Ok(())
}

contract! {
    "lines":
    /// The ranks of a part of complex numbers.
    pub(crate) struct PartParams as "PartParams" {
        /// Complex numbers, lines of n.
        from: u64,
        /// U32, lines of n; 0: in order.
        positions: u64,
        /// U64.
        to: u64,
        rows: u64,
        n: u64,
        /// 0 the imaginary, 1 the real part, 2 which of them are NaN, 3 real and imaginary part.
        part: u64,
        ranking: Ranking,
    }
}

/// A part of the rank of complex numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Imaginary = 0,
    Real = 1,
    /// Which parts are NaN: 0 to 3.
    Nan = 2,
    /// Real and imaginary part in one word; of `complex64` only.
    Both = 3,
}

/// Writes a part of the ranks of lines of complex numbers, in the order of `positions` or their own.
///
/// # Safety
/// The numbers lie one after the other, `positions` is 0 or as many, and `to` has room for as many words.
pub(super) unsafe fn parts(
    context: &Context,
    (from, positions, to): (u64, u64, u64),
    (rows, n): (u64, usize),
    part: Part,
    (size, ranking): (usize, Ranking),
) -> Result<()> {
    let entry = if size == 8 {
        "lines_part_c64"
    } else {
        "lines_part_c128"
    };
    let params = PartParams {
        from,
        positions,
        to,
        rows,
        n: n as u64,
        part: part as u64,
        ranking,
    };
    let blocks = (rows * n as u64).div_ceil(256);
    // SAFETY: the parameters are the kernel's; the caller promises the memory.
    unsafe { params.launch(context, entry, shared_out(context, blocks, 256)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_lines_are_even() {
        let lines = Lines::packed(64, 4, &[3, 5], 7);
        assert_eq!(lines.outer[..], [35, 7]);
        assert_eq!(lines.even(&[3, 5], 7), Some(7));
        assert_eq!(lines.even(&[], 7), Some(0));
    }

    #[test]
    fn gaps_and_steps_are_not_even() {
        let mut lines = Lines::packed(64, 4, &[3, 5], 7);
        lines.outer = [40, 7].as_slice().into();
        assert_eq!(lines.even(&[3, 5], 7), None);
        assert_eq!(lines.even(&[1, 5], 7), Some(7));
        lines.step = -1;
        assert_eq!(lines.even(&[1, 5], 7), None);
        assert_eq!(lines.even(&[1, 5], 1), Some(7));
    }

    #[test]
    fn pieces_begin_where_their_lines_do() {
        let mut view = Lines::packed(1000, 2, &[2; 10], 4);
        // Gaps everywhere, so that no axes merge.
        view.outer
            .iter_mut()
            .enumerate()
            .for_each(|(i, s)| *s = 3 * *s + i as isize);
        let found = pieces(&[2; 10], [&view]);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|p| p.rows == 256));
        assert_eq!(found[3].first, 768);
        let by = view.outer[0] + view.outer[1];
        assert_eq!(found[3].addresses[0], 1000 + 2 * by as u64);
    }
}
