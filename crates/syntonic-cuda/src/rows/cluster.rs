//! Shared-memory ring of a cluster. Its blocks work on one row after the other; each keeps its share in shared memory until
//! the row is measured and written, so that each element is read once. The kernels are in `kernels/include/row_cluster.cuh`.
//!
//! Blocks reduce a row by a DSMEM exchange, so its latency is hardly more than the load itself: a ring of two rows keeps
//! memory busy. Measured: kernels/notes/clusters.md.

use super::known::Kernel;
use super::ring::{GROUP, arrives_whole, bytes, streamed};
use super::shape::{DeviceLimits, Rows, Schedule, Shape};

/// Cluster sizes. Rows that four or fewer blocks hold take another schedule.
const SIZES: [usize; 2] = [8, 16];
/// Warp groups that measure, and as many that write.
const GROUPS: usize = 3;
/// Approximate bytes of a piece: large enough to amortise the per-piece cost, small enough that no thread waits long.
const PIECE: usize = 13 << 10;
/// The smallest share of a row, in bytes, that gives every group a piece.
const LEAST: usize = 48 << 10;
/// Rows that the ring holds.
const ROWS: usize = 2;
/// The fewest rows per cluster that amortise filling the ring.
const TURNS: usize = 4;
/// Rows in flight in the cluster reduction, own and remote: `CLUSTER_JOINED` and `CLUSTER_HEARD` of row_cluster.cuh.
const JOINED: usize = 2;
const HEARD: usize = 4;
/// The most partial values per lane of the reducing warp: `CLUSTER_TOLD`.
const TOLD: usize = 5;

/// The shape of the cluster ring, if it suits; inputs in `aside` stay out of the ring. The grid has a cluster per row, up to
/// the co-resident clusters.
pub(super) fn shape(
    kernel: &Kernel,
    rows: Rows,
    aside: u32,
    limits: DeviceLimits,
) -> Option<Shape> {
    let form = kernel.cluster.as_ref()?.form;
    if !limits.clusters || !rows.vectors || !arrives_whole(kernel, aside) {
        return None;
    }
    let vectors = rows.length / kernel.lanes;
    let vector: usize = streamed(kernel, aside).map(|k| bytes(kernel, k)).sum();
    let of = |blocks: usize| {
        let share = vectors.div_ceil(blocks);
        let pieces = (share * vector).div_ceil(PIECE);
        let turns = share.div_ceil(pieces);
        let slots = ROWS * pieces;
        let told = blocks * pieces.min(GROUPS) * GROUP / 32;
        let barriers = 2 * slots + HEARD + 2 * JOINED;
        let shared =
            slots * turns * vector + 8 * barriers + JOINED * form.size + HEARD * told * form.told;
        let many = rows.rows * blocks >= TURNS * limits.processors;
        let fits = shared <= limits.shared && told <= 32 * TOLD;
        (many && fits && share * vector >= LEAST).then_some(Shape {
            schedule: Schedule::Cluster,
            lanes: kernel.lanes,
            threads: GROUP,
            block: 64 + 2 * GROUPS * GROUP,
            blocks,
            across: pieces,
            turns,
            chunk: slots,
            shared,
            grid: rows.rows * blocks,
            ahead: GROUPS,
        })
    };
    let sizes = SIZES.into_iter().filter(|&blocks| blocks <= limits.widest);
    sizes.filter_map(of).next()
}

#[cfg(test)]
mod tests {
    use super::super::fake::{H200, batch_norm, planes};
    use super::*;
    use syntonic_core::DType;

    /// What the checks of `syntonic-gpu parity` are to reach.
    #[test]
    fn checks_have_clusters_of_both_sizes() {
        let of = |dtype, operands, rows| {
            let shape = shape(&batch_norm(dtype, operands), rows, 0, H200);
            shape.map(|s| (s.blocks, s.across, s.turns))
        };
        assert_eq!(of(DType::F32, 1, planes(31, 33, 6720)), Some((16, 4, 814)));
        assert_eq!(of(DType::F32, 1, planes(32, 66, 3136)), Some((8, 4, 784)));
        assert_eq!(of(DType::BF16, 2, planes(66, 33, 3136)), Some((16, 4, 405)));
    }

    #[test]
    fn as_few_blocks_as_hold_two_rows_have_one() {
        let rows = planes(128, 256, 3136);
        let of = |dtype, operands| shape(&batch_norm(dtype, operands), rows, 0, H200);
        let single = of(DType::F32, 1).unwrap();
        assert_eq!((single.blocks, single.across, single.chunk), (16, 8, 16));
        assert_eq!((single.turns, single.block), (784, 640));
        let half = of(DType::BF16, 1).unwrap();
        assert_eq!((half.blocks, half.across, half.turns), (8, 8, 784));
        let gradient = of(DType::BF16, 2).unwrap();
        assert_eq!((gradient.blocks, gradient.across), (16, 8));
        for shape in [single, half, gradient] {
            assert!(shape.shared <= H200.shared);
            assert!(shape.turns * shape.across * shape.blocks * shape.lanes >= 128 * 3136);
        }
        // Two rows do not fit.
        assert_eq!(of(DType::F64, 1), None);
        assert_eq!(of(DType::F32, 2), None);
    }

    #[test]
    fn small_rows_few_rows_and_other_cards_have_other_ways() {
        let norm = batch_norm(DType::F32, 1);
        assert!(shape(&norm, planes(128, 33, 3136), 0, H200).is_some());
        assert_eq!(shape(&norm, planes(128, 32, 3136), 0, H200), None);
        assert_eq!(shape(&norm, planes(32, 256, 784), 0, H200), None);
        let narrow = DeviceLimits { widest: 8, ..H200 };
        assert_eq!(shape(&norm, planes(128, 256, 3136), 0, narrow), None);
        assert!(shape(&norm, planes(64, 256, 3136), 0, narrow).is_some());
    }
}
