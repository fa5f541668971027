//! Rows that lie across, in registers: `kernels/include/row_across.cuh` has the kernels.
//!
//! A block has some neighbouring rows, reads all of them at once, and writes them. Measured: kernels/NOTES.md.

use super::known::Kernel;
use super::shape::{Offer, Rows, Shape, Way};

/// The most threads of a block: each has 64 registers.
const MOST_THREADS: usize = 1024;
/// The fewest.
const LEAST_THREADS: usize = 128;
/// Neighbouring rows of a block, the first that suit being taken.
const WIDTHS: [usize; 3] = [32, 16, 8];
/// The fewest bytes that are read side by side, which is what memory hands out, and the most that are worth it.
const SIDE_BY_SIDE: std::ops::RangeInclusive<usize> = 32..=128;

/// True if steps along the row are few enough bytes for the kernel's addresses.
pub(super) fn walks(steps: &[isize]) -> bool {
    steps.iter().all(|step| step.unsigned_abs() < 1 << 28)
}

/// As wide as the rows fit, but where few blocks would have all of them, narrower; nothing where they do not fit.
pub(super) fn shape(kernel: &Kernel, rows: Rows, offer: Offer) -> Option<Shape> {
    let (_, held) = kernel.across.as_ref()?;
    if rows.run != rows.length {
        return None;
    }
    let widest = 16 / kernel.lanes;
    let fitting = |across: &usize| {
        // Whole warps.
        let threads = rows.length.div_ceil(*held).max(LEAST_THREADS / across);
        let threads = threads.next_multiple_of(32 / across);
        let shape = Shape {
            way: Way::Across,
            lanes: 1,
            threads,
            block: threads * across,
            blocks: 1,
            across: *across,
            turns: *held,
            chunk: *held,
            shared: 2 * threads * across * kernel.room,
            grid: rows.rows.div_ceil(*across),
            ahead: 0,
        };
        (shape.block <= MOST_THREADS && SIDE_BY_SIDE.contains(&(across * widest))).then_some(shape)
    };
    let fits = || WIDTHS.iter().filter_map(fitting);
    let busy = |shape: &Shape| shape.grid >= offer.processors;
    fits().find(busy).or_else(|| fits().next_back())
}

#[cfg(test)]
mod tests {
    use super::super::shape::fake::{self, H200};
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
                assert!((LEAST_THREADS..=MOST_THREADS).contains(&shape.block));
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
        assert_eq!(across(65_536, 248), Some((32, 512)));
        assert_eq!(across(4096, 1000), Some((16, 1024)));
        assert_eq!(across(4096, 248), Some((16, 256)));
        assert_eq!(across(100, 248), Some((8, 128)));
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
