//! Many short lines: several per block, sorted by a sorting network in shared memory.

use super::lines::{Lines, pieces, shared_out, size_name};
use super::ranking::Ranking;
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use crate::walk::Wide;
use syntonic_core::{DType, Result};

/// Elements that a block holds.
pub(super) const HELD: usize = 2048;

contract! {
    "sort_few":
    /// Short lines, each sorted by a few threads.
    pub(crate) struct Params as "FewParams" {
        from: u64,
        /// Values; 0: none are wanted.
        to: u64,
        /// I64; 0: none are wanted.
        to_positions: u64,
        rows: u64,
        n: u32,
        /// The power of two not below n.
        padded: u32,
        /// Elements of a line of the outputs.
        keep: u32,
        /// Whether values are the elements themselves, or those of their ranks.
        original: u32,
        /// Whether the first `keep` are then put in the order of their positions.
        in_place: u32,
        /// Whether neighbouring threads run across lines or along them.
        across: u32,
        from_step: i64,
        to_step: i64,
        to_positions_step: i64,
        ranking: Ranking,
        lines: Wide<3>,
    }
}

/// What is sorted, and what is wanted of it.
pub(super) struct Few<'a> {
    pub(super) dtype: DType,
    pub(super) ranking: Ranking,
    pub(super) from: &'a Lines,
    /// Where the first `keep` values of each line go.
    pub(super) values: Option<&'a Lines>,
    /// Where their positions go, as `int64`.
    pub(super) positions: Option<&'a Lines>,
    pub(super) keep: usize,
    /// Whether values are the elements themselves, or those of their ranks, where all NaN are one.
    pub(super) original: bool,
    /// Whether those kept are then put in the order of their positions.
    pub(super) in_place: bool,
}

/// Entry and bytes of an item in shared memory.
fn entry(dtype: DType, with_positions: bool) -> (String, usize) {
    let size = dtype.size();
    match dtype {
        DType::C64 => ("sort_few_pairs_c64".to_owned(), 16),
        DType::C128 => ("sort_few_pairs_c128".to_owned(), 24),
        _ if with_positions && size == 8 => ("sort_few_pairs_b8".to_owned(), 16),
        _ if with_positions => (format!("sort_few_pairs_{}", size_name(size)), 8),
        _ => (format!("sort_few_keys_{}", size_name(size)), size),
    }
}

/// Sorts lines of `n` elements, at most [`HELD`].
///
/// # Safety
/// All lines are live for their lengths, and nobody else writes the results.
pub(super) unsafe fn sort(
    context: &Context,
    few: &Few<'_>,
    lead: &[usize],
    n: usize,
) -> Result<()> {
    let with_positions = few.positions.is_some() || few.original;
    let (entry, item) = entry(few.dtype, with_positions);
    let nothing = Lines::packed(0, 8, lead, 0);
    let values = few.values.unwrap_or(&nothing);
    let positions = few.positions.unwrap_or(&nothing);
    let padded = n.next_power_of_two();
    for piece in pieces(lead, [few.from, values, positions]) {
        let params = Params {
            from: piece.addresses[0],
            to: piece.addresses[1],
            to_positions: piece.addresses[2],
            rows: piece.rows,
            n: n as u32,
            padded: padded as u32,
            keep: few.keep as u32,
            original: u32::from(few.original),
            in_place: u32::from(few.in_place),
            across: u32::from(piece.across[0] < few.from.step.unsigned_abs()),
            from_step: few.from.step,
            to_step: values.step,
            to_positions_step: positions.step,
            ranking: few.ranking,
            lines: piece.walk,
        };
        let blocks = piece.rows.div_ceil((HELD / padded) as u64);
        let geometry = Geometry {
            shared: (HELD * item) as u32,
            ..shared_out(context, blocks, 256)
        };
        // SAFETY: the parameters are the kernel's; the caller promises the memory.
        unsafe { params.launch(context, &entry, geometry)? };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_fit_what_every_card_gives_a_block() {
        for dtype in DType::ALL {
            for with_positions in [false, true] {
                assert!(entry(dtype, with_positions).1 * HELD <= 48 << 10);
            }
        }
        assert_eq!(entry(DType::Bool, false).0, "sort_few_keys_b1");
        assert_eq!(entry(DType::F16, true).0, "sort_few_pairs_b2");
    }
}
