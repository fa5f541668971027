//! Strided (column) reduction with register-resident rows: the kernels are in `kernels/include/row_across.cuh`.
//!
//! A block owns a few neighbouring rows, loads all of them at once, and stores them. Measured: kernels/notes/strided.md.

use super::known::Kernel;
use super::shape::{DeviceLimits, Rows, Schedule, Shape};

/// The fewest threads of a block.
const LEAST_THREADS: usize = 128;
/// Neighbouring rows per block; the first that suits is taken.
const WIDTHS: [usize; 4] = [32, 16, 8, 4];
/// The fewest contiguous bytes per load: one sector.
const LEAST_BYTES: usize = 32;

/// Limits of a block.
#[derive(Clone, Copy)]
struct Most {
    /// Threads: each has 64 registers at most.
    threads: usize,
    /// Contiguous bytes per load.
    bytes: usize,
}

/// Smaller limits for one operand: several small blocks per multiprocessor overlap loads with arithmetic.
const ALONE: Most = Most {
    threads: 512,
    bytes: 64,
};
const TOGETHER: Most = Most {
    threads: 1024,
    bytes: 128,
};

/// True if the row's strides fit the kernel's 32-bit byte offsets.
pub(super) fn walks(steps: &[isize]) -> bool {
    steps.iter().all(|step| step.unsigned_abs() < 1 << 28)
}

/// The widest block that the rows fit; a narrower one where few blocks would own all rows; nothing if none fits.
pub(super) fn shape(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
    let (_, held) = kernel.across.as_ref()?;
    if rows.run != rows.length {
        return None;
    }
    let fits = |most: Most| {
        let shapes = WIDTHS
            .iter()
            .map(|&across| block(kernel, rows, *held, across));
        let widest = 16 / kernel.lanes;
        shapes.filter(move |shape| {
            let bytes = shape.across * widest;
            shape.block <= most.threads && (LEAST_BYTES..=most.bytes).contains(&bytes)
        })
    };
    let busy = |shape: &Shape| shape.grid >= limits.processors;
    let best = |most| fits(most).find(busy).or_else(|| fits(most).next_back());
    let alone = rows.bytes <= kernel.dtypes[kernel.first_input].size();
    let small = || best(ALONE);
    alone.then(small).flatten().or_else(|| best(TOGETHER))
}

/// Blocks of `across` rows, with `held` elements per thread.
fn block(kernel: &Kernel, rows: Rows, held: usize, across: usize) -> Shape {
    // Whole warps.
    let threads = rows.length.div_ceil(held).max(LEAST_THREADS / across);
    let threads = threads.next_multiple_of(32 / across);
    Shape {
        schedule: Schedule::Across,
        lanes: 1,
        threads,
        block: threads * across,
        blocks: 1,
        across,
        turns: held,
        chunk: held,
        shared: 2 * threads * across * kernel.exchange,
        grid: rows.rows.div_ceil(across),
        ahead: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{self, H200};
    use super::*;

    fn kernel() -> Kernel {
        Kernel {
            across: Some((String::new(), 16)),
            ..fake::kernel(false)
        }
    }

    #[test]
    fn a_thread_has_room_for_its_share_and_a_block_has_whole_warps() {
        for length in [1, 10, 248, 512, 513, 1000, 1024, 2048] {
            for count in [1, 70, 4096, 65_536] {
                let rows = fake::rows(count, length);
                let shape = shape(&kernel(), rows, H200).unwrap();
                assert!(shape.threads * 16 >= length, "{shape:?}");
                assert_eq!(shape.block, shape.threads * shape.across);
                assert_eq!(shape.block % 32, 0);
                assert!((LEAST_THREADS..=TOGETHER.threads).contains(&shape.block));
                assert!(shape.grid * shape.across >= count);
                assert!(shape.shared <= 48 << 10, "{shape:?}");
            }
        }
        assert_eq!(shape(&kernel(), fake::rows(4096, 2049), H200), None);
    }

    #[test]
    fn lines_are_read_whole_where_there_are_blocks_enough() {
        let across = |count, length| {
            let shape = shape(&kernel(), fake::rows(count, length), H200);
            shape.map(|s| (s.across, s.block))
        };
        assert_eq!(across(65_536, 248), Some((16, 256)));
        assert_eq!(across(4096, 1000), Some((8, 512)));
        assert_eq!(across(4096, 248), Some((16, 256)));
        assert_eq!(across(100, 248), Some((8, 128)));
        // Too long for a small block.
        assert_eq!(across(65_536, 1024), Some((8, 512)));
        assert_eq!(across(65_536, 1040), Some((8, 544)));
        let both = |count, length| {
            let rows = Rows {
                bytes: 8,
                ..fake::rows(count, length)
            };
            shape(&kernel(), rows, H200).map(|s| (s.across, s.block))
        };
        assert_eq!(both(65_536, 248), Some((32, 512)));
        assert_eq!(both(4096, 1000), Some((16, 1024)));
    }

    #[test]
    fn rows_of_several_runs_and_those_of_other_programs_have_another_way() {
        let pieces = Rows {
            run: 100,
            ..fake::rows(4096, 1000)
        };
        assert_eq!(shape(&kernel(), pieces, H200), None);
        assert_eq!(shape(&fake::kernel(false), fake::rows(64, 64), H200), None);
    }
}
