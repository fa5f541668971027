//! Streaming rows in pieces, for programs with sums over rows that read much: like stream.rs, but one producer warp per block
//! issues bulk copies of pieces, at a fixed in-flight depth. The kernels are in `kernels/include/row_pieces.cuh`.
//!
//! Measured: kernels/notes/streaming.md.

use super::known::Kernel;
use super::shape::{DeviceLimits, Rows, Schedule, Shape};
use super::stream::even;
use crate::codegen::Streamed;

/// Consumer threads, one vector of a piece each, and the producer warp: `ROW_PIECE` and `ROW_PIECE_ASKS`.
const PIECE: usize = 256;
const ASKS: usize = 32;
/// Stages, a power of two, and pieces in flight: 48 KB for three operands of singles. More in flight slows memory down.
const SLOTS: usize = 8;
const AHEAD: usize = 4;

/// The shape of rows in pieces, if it suits; `bytes` are those per element of all operands that bulk copies load.
pub(super) fn shape(
    kernel: &Kernel,
    rows: Rows,
    bytes: usize,
    limits: DeviceLimits,
) -> Option<Shape> {
    let kind = Streamed::SummedPieces;
    let vectors = rows.length / kernel.lanes;
    let held = kind.vectors(kernel.lanes);
    // Several blocks of shorter rows share a multiprocessor without pieces.
    let fits = vectors > held / 2 * PIECE && vectors <= held * PIECE;
    let slots = SLOTS * PIECE * kernel.lanes * bytes;
    let exchange = 2 * (PIECE / 32) * kernel.exchange;
    let shared = slots + 2 * SLOTS * size_of::<u64>() + exchange;
    let few = rows.rows <= limits.processors;
    if !kernel.streams.has(kind) || !fits || few || bytes == 0 || shared > limits.shared {
        return None;
    }
    Some(Shape {
        schedule: Schedule::Stream(kind),
        lanes: kernel.lanes,
        threads: PIECE,
        block: PIECE + ASKS,
        blocks: 1,
        across: 0,
        turns: vectors.div_ceil(PIECE),
        chunk: SLOTS,
        shared,
        grid: even(rows.rows, limits.processors),
        ahead: AHEAD,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fake;
    use super::super::stream::{self, Streams};
    use super::*;
    use syntonic_core::DType;

    /// A program of three operands with sums.
    fn norm(dtype: DType) -> Kernel {
        let kinds = [Streamed::Summed, Streamed::SummedPieces];
        Kernel {
            streams: Streams {
                kinds: kinds.map(|k| (k, k.variant().to_owned())).to_vec(),
                read: (0..4).collect(),
            },
            lanes: 16 / dtype.size(),
            varies: vec![true; 5],
            dtypes: vec![dtype; 5],
            exchange: 16,
            ..fake::kernel(false)
        }
    }

    #[test]
    fn rows_of_up_to_four_pieces_come_in_them() {
        let norm = norm(DType::F32);
        let of = |length| stream::shape(&norm, fake::rows(8192, length), 8, fake::H200).unwrap();
        let row = of(4096);
        assert_eq!(row.schedule, Schedule::Stream(Streamed::SummedPieces));
        assert_eq!((row.turns, row.block, row.grid), (4, 288, 128));
        assert_eq!(row.shared, (96 << 10) + 128 + 16 * 16);
        // The fourth operand is not loaded by bulk copies.
        let (places, shared) = stream::regions(&norm, row, stream::aside(&norm, 8));
        assert_eq!((places, shared), (vec![0, 4096, 8192, 0], 96 << 10));
        assert_eq!(of(2052).turns, 3);
        for other in [2048, 4100] {
            assert_eq!(
                of(other).schedule,
                Schedule::Stream(Streamed::Summed),
                "{other}"
            );
        }
    }

    #[test]
    fn halves_have_half_as_many_vectors() {
        let norm = norm(DType::BF16);
        let of = |rows, length| stream::shape(&norm, fake::rows(rows, length), 8, fake::H200);
        assert_eq!(of(8192, 4096).unwrap().turns, 2);
        assert_eq!(
            of(8192, 2048).unwrap().schedule,
            Schedule::Stream(Streamed::Summed)
        );
        assert_eq!(of(132, 4096), None);
    }
}
