//! Few rows, register-resident in a cluster: all blocks of a cluster own one row and exit with it. The kernels are in
//! `kernels/include/row_few.cuh`.
//!
//! With a multiprocessor per block there is no next row to prefetch, so shared memory gains nothing. Measured:
//! kernels/notes/clusters.md.

use super::known::Kernel;
use super::shape::{BARRIERS, DeviceLimits, Rows, Schedule, Shape};

/// Threads per block: fewer keep too little in flight, and more leave too few registers each.
const THREADS: std::ops::RangeInclusive<usize> = 256..=512;

/// The cluster shape `shared`, with register-resident rows: if all rows are co-resident and fit the registers.
pub(super) fn shape(
    kernel: &Kernel,
    rows: Rows,
    shared: Shape,
    limits: DeviceLimits,
) -> Option<Shape> {
    let (_, held) = kernel.few.as_ref()?;
    let clusters = shared.schedule == Schedule::Shared && shared.blocks > 1;
    let vectors = rows.length / kernel.lanes;
    let threads = vectors.div_ceil(shared.blocks * held).next_multiple_of(32);
    let warps = shared.blocks * threads / 32;
    let grid = rows.rows * shared.blocks;
    let fits = clusters && grid <= limits.processors && THREADS.contains(&threads);
    fits.then_some(Shape {
        schedule: Schedule::Few,
        threads,
        block: threads,
        turns: *held,
        chunk: *held,
        shared: BARRIERS + 2 * warps * kernel.exchange,
        grid,
        ..shared
    })
}

#[cfg(test)]
mod tests {
    use super::super::fake::{H200, batch_norm, planes};
    use super::*;
    use syntonic_core::DType;

    fn shape_of(dtype: DType, rows: Rows) -> Option<(usize, usize, usize)> {
        let kernel = Kernel {
            few: Some((String::new(), 4 * dtype.size() / 2)),
            ..batch_norm(dtype, 1)
        };
        let rows = Rows {
            bytes: dtype.size(),
            ..rows
        };
        let shared = Shape::of(&kernel, rows, H200)?;
        let few = shape(&kernel, rows, shared, H200)?;
        assert!(few.threads * few.blocks * few.turns * kernel.lanes >= rows.length);
        assert!(few.grid <= H200.processors && few.shared < 48 << 10);
        Some((few.blocks, few.threads, few.grid))
    }

    #[test]
    fn a_norm_of_few_channels_has_two_blocks_of_whole_warps_each() {
        for dtype in [DType::F32, DType::F64] {
            let small = shape_of(dtype, planes(32, 64, 784));
            assert_eq!(small, Some((2, 416, 128)), "{dtype}");
        }
    }

    /// Shapes that `syntonic-gpu parity` must cover.
    #[test]
    fn checks_have_clusters_of_two_and_four() {
        for dtype in [DType::F32, DType::F64] {
            assert_eq!(shape_of(dtype, planes(19, 34, 784)), Some((2, 256, 68)));
        }
        let four = planes(38, 17, 784);
        assert_eq!(shape_of(DType::F32, four), Some((4, 256, 68)));
        // So many doubles take the two-phase reduction.
        assert_eq!(shape_of(DType::F64, four), None);
    }

    #[test]
    fn more_rows_than_blocks_and_shorter_or_longer_ones_have_another_way() {
        assert_eq!(shape_of(DType::F32, planes(32, 67, 784)), None);
        assert_eq!(shape_of(DType::F32, planes(8, 64, 784)), None);
        assert_eq!(shape_of(DType::F32, planes(64, 64, 784)), None);
    }
}
