//! How a reduction is spread over the GPU. It depends on shape, strides, type and device alone.

use super::arrange::{arrange, take_axis};
use crate::walk::{AXES, Space};
use syntonic_core::fuse::Fold;

/// Threads per block that folds short rows, columns, or joins.
pub(super) const BLOCK: u32 = 256;
/// Steps of a column that a thread loads before it adds them up.
const COLUMN_UNROLL: u64 = 8;
/// The fewest vectors per thread that pay for its start and its join.
const WORK: u64 = 16;
/// Rows per multiprocessor from which on each row gets one warp, and the most vectors of such a row.
const WARPS: u64 = 32;
const WARP_ROW: u64 = 4096;
/// Threads per part of a row.
const PART_THREADS: u32 = 128;
/// Parts per multiprocessor, where rows are few.
const PARTS: u64 = 4;
/// Blocks per multiprocessor, where columns are few.
const COLUMN_PARTS: u64 = 2;
/// The most threads that fold one row or one part of it.
const MOST_THREADS: u32 = 512;

/// One operand's reduction: kept axes (operand 0 is the input, 1 the result) and the row.
#[derive(Clone, Debug)]
pub(super) struct Reduction {
    /// Kept axes.
    pub(super) outer: Space,
    /// The row's axes; the last is innermost.
    pub(super) row: Space,
    /// Bytes per input element.
    pub(super) size: usize,
    /// Address of the input's first element in this order.
    pub(super) from: u64,
    /// Distance, in elements, from the result's first element to its first in this order.
    pub(super) to: isize,
}

impl Reduction {
    /// The reduction of `outer` x `row` at address `from`; `[outer, result, row]` are the strides.
    pub(super) fn new(
        fold: Fold,
        (outer, row): (&[usize], &[usize]),
        [over_outer, result, over_row]: [&[isize]; 3],
        size: usize,
        from: u64,
    ) -> Reduction {
        // Positions of extremes count in the row's own order.
        let row = if matches!(fold, Fold::ArgMin | Fold::ArgMax) {
            Space::new(row, &[over_row])
        } else {
            arrange(row, &[over_row])
        };
        let mut outer = arrange(outer, &[over_outer, result]);
        let bases = std::mem::replace(&mut outer.bases, vec![0; 2]);
        let shift = (bases[0] + row.bases[0]) * size as isize;
        Reduction {
            outer,
            row,
            size,
            from: from.wrapping_add_signed(shift as i64),
            to: bases[1],
        }
    }

    /// The reduction in pieces with at most as many kept axes as a kernel walks; almost always itself.
    pub(super) fn pieces(&self) -> impl Iterator<Item = Reduction> + '_ {
        self.outer.pieces().map(|mut outer| {
            let bases = std::mem::replace(&mut outer.bases, vec![0; 2]);
            Reduction {
                outer,
                row: self.row.clone(),
                size: self.size,
                from: self
                    .from
                    .wrapping_add_signed(bases[0] as i64 * self.size as i64),
                to: self.to + bases[1],
            }
        })
    }

    /// True if the row has more axes than a kernel walks.
    pub(super) fn is_too_rugged(&self) -> bool {
        self.row.dims.len() > AXES
    }

    /// How it is spread over `processors` multiprocessors.
    pub(super) fn plan(&self, processors: u32) -> Plan {
        match self.column_axis() {
            Some(axis) => Plan::Columns(Columns::new(self, axis, processors)),
            None => Plan::Rows(Rows::new(self, processors)),
        }
    }

    /// The kept axis with smaller steps than the row's, if there is one.
    fn column_axis(&self) -> Option<usize> {
        let along = *self.row.strides[0].last()?;
        let steps = &self.outer.strides[0];
        let axis = (0..steps.len())
            .filter(|&a| steps[a] != 0 && self.outer.dims[a] > 1)
            .min_by_key(|&a| steps[a])?;
        let closer = steps[axis].unsigned_abs() < along.unsigned_abs();
        (closer || along == 0).then_some(axis)
    }
}

/// The two spreads.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// Threads lie along the row.
    Rows(Rows),
    /// Threads lie along a kept axis.
    Columns(Columns),
}

/// A count of parts and the length of all but the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) count: u64,
    pub(super) length: u64,
}

impl Parts {
    /// About `wanted` parts of `total`, whose length is a multiple of `unit`.
    fn new(total: u64, wanted: u64, unit: u64) -> Parts {
        let length = total.div_ceil(wanted.max(1)).next_multiple_of(unit.max(1));
        let length = length.max(1);
        Parts {
            count: total.div_ceil(length).max(1),
            length,
        }
    }

    fn whole(total: u64) -> Parts {
        Parts {
            count: 1,
            length: total.max(1),
        }
    }
}

/// Threads along the row: `threads` fold one row or one part of it, `lanes` of them along its inner axis.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) rows: u64,
    pub(super) inner: u64,
    pub(super) step: isize,
    pub(super) segments: u64,
    pub(super) segment: Space,
    pub(super) inner_parts: Parts,
    pub(super) segment_parts: Parts,
    pub(super) threads: u32,
    pub(super) lanes: u32,
    pub(super) block: u32,
}

impl Rows {
    fn new(reduction: &Reduction, processors: u32) -> Rows {
        let row = &reduction.row;
        let (inner, strides, segment) = take_axis(row, row.dims.len() - 1);
        let (inner, segments) = (inner as u64, segment.len() as u64);
        let rows = reduction.outer.len() as u64;
        let width = if strides[0] == 1 {
            (16 / reduction.size) as u64
        } else {
            1
        };
        let vectors = inner.div_ceil(width);
        let total = vectors * segments;
        let few = rows < 2 * u64::from(processors) && total > 32 * WORK;
        let mut plan = Rows {
            rows,
            inner,
            step: strides[0],
            segments,
            segment,
            inner_parts: Parts::whole(inner),
            segment_parts: Parts::whole(segments),
            // Neighbouring lanes read neighbouring vectors, so coalescing outranks work per thread.
            threads: power(
                (total / WORK).max((total / unroll(reduction.size)).min(4)),
                32,
            ),
            lanes: 1,
            block: BLOCK,
        };
        if total > 32 * WORK || few {
            plan.block = match rows {
                _ if few => power(total.div_ceil(WORK), PART_THREADS).max(64),
                // A warp per row joins without a block barrier.
                _ if rows >= WARPS * u64::from(processors) && total <= WARP_ROW => 32,
                _ => power(total.div_ceil(WORK), MOST_THREADS).max(64),
            };
            plan.threads = plan.block;
            plan.share(vectors, width, processors);
        }
        plan.lanes = power((vectors / WORK).max((vectors / 8).min(4)), plan.threads);
        plan
    }

    /// Cuts few rows into enough parts to fill the GPU, along the segments first.
    fn share(&mut self, vectors: u64, width: u64, processors: u32) {
        let wanted = u64::from(processors) * PARTS;
        // Rounded down, so that all parts are resident at once.
        let parts = wanted / self.rows.max(1);
        if parts < 2 {
            return;
        }
        let grain = u64::from(self.block) * WORK;
        let most = (vectors * self.segments / grain).max(1);
        let along = parts.min(most).min(self.segments);
        self.segment_parts = Parts::new(self.segments, along, 1);
        let left = parts.div_ceil(self.segment_parts.count);
        let most = (vectors * self.segment_parts.length / grain).max(1);
        if left.min(most) > 1 {
            self.inner_parts = Parts::new(self.inner, left.min(most), 32 * width);
        }
    }

    /// Partial values per row.
    pub(super) fn parts(&self) -> u64 {
        self.inner_parts.count * self.segment_parts.count
    }

    /// True if a warp or less folds each row.
    pub(super) fn is_short(&self) -> bool {
        self.threads <= 32
    }

    /// Blocks of the launch.
    pub(super) fn blocks(&self) -> u64 {
        if self.is_short() {
            self.rows.div_ceil(u64::from(self.block / self.threads))
        } else {
            self.rows * self.parts()
        }
    }
}

/// Threads along a kept axis: a block has `lanes` along it, each with `width` columns, and the other threads share the row.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) columns: u64,
    /// Strides of the columns in the input and in the result.
    pub(super) steps: [isize; 2],
    /// The other kept axes.
    pub(super) outer: Space,
    pub(super) length: u64,
    pub(super) parts: Parts,
    pub(super) tiles: u64,
    pub(super) lanes: u32,
    pub(super) width: u32,
}

impl Columns {
    fn new(reduction: &Reduction, axis: usize, processors: u32) -> Columns {
        let (columns, steps, outer) = take_axis(&reduction.outer, axis);
        let (columns, length) = (columns as u64, reduction.row.len() as u64);
        let width = column_width(reduction.size);
        let aligned = |s: &isize| (s.unsigned_abs() as u64).is_multiple_of(width);
        let wide = steps[0] == 1
            && columns.is_multiple_of(width)
            && reduction.from.is_multiple_of(width * reduction.size as u64)
            && outer.strides[0].iter().all(aligned)
            && reduction.row.strides[0].iter().all(aligned);
        let width = if wide { width } else { 1 };
        let vectors = columns / width;
        let lanes = power(vectors, 32);
        let tiles = vectors.div_ceil(u64::from(lanes));
        let groups = u64::from(BLOCK / lanes);
        let blocks = tiles * outer.len() as u64;
        let wanted = u64::from(processors) * COLUMN_PARTS;
        let most = (length / (groups * COLUMN_UNROLL * 2)).max(1);
        // Rounded down, so that all parts are resident at once.
        let parts = match (wanted / blocks.max(1)).min(most) {
            0 | 1 => Parts::whole(length),
            parts => Parts::new(length, parts, groups * COLUMN_UNROLL),
        };
        Columns {
            columns,
            steps: [steps[0], steps[1]],
            outer,
            length,
            parts,
            tiles,
            lanes,
            width: width as u32,
        }
    }

    /// The kept axes in the order of the partial values.
    pub(super) fn with_columns_innermost(&self) -> Space {
        let mut all = self.outer.clone();
        all.dims.push(self.columns as usize);
        for (strides, step) in all.strides.iter_mut().zip(self.steps) {
            strides.push(step);
        }
        all
    }

    /// Blocks of the launch.
    pub(super) fn blocks(&self) -> u64 {
        self.tiles * self.parts.count * self.outer.len() as u64
    }
}

/// Vectors that a thread loads before it adds them up: `Unroll` of `reduce.cuh`.
fn unroll(size: usize) -> u64 {
    if size == 1 { 4 } else { 8 }
}

/// Columns per load of a thread: 16 bytes, but at most eight elements.
pub(super) fn column_width(size: usize) -> u64 {
    (16 / size).min(8) as u64
}

/// The smallest power of two that is at least `n`, capped at `most`, a power of two.
fn power(n: u64, most: u32) -> u32 {
    n.clamp(1, u64::from(most)).next_power_of_two() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often a plan's threads read each element, by its distance from the first.
    fn reads(reduction: &Reduction, plan: &Plan) -> Vec<isize> {
        let mut seen = Vec::new();
        match plan {
            Plan::Rows(p) => {
                let outer = offsets(&reduction.outer);
                let segment = offsets(&p.segment);
                for row in outer {
                    for part in 0..p.parts() {
                        let (i, s) = (part % p.inner_parts.count, part / p.inner_parts.count);
                        let i0 = i * p.inner_parts.length;
                        let s0 = s * p.segment_parts.length;
                        for s in s0..(s0 + p.segment_parts.length).min(p.segments) {
                            for i in i0..(i0 + p.inner_parts.length).min(p.inner) {
                                seen.push(row + segment[s as usize] + i as isize * p.step);
                            }
                        }
                    }
                }
            }
            Plan::Columns(p) => {
                let row = offsets(&reduction.row);
                for outer in offsets(&p.outer) {
                    for tile in 0..p.tiles {
                        for lane in 0..u64::from(p.lanes) {
                            let first = (tile * u64::from(p.lanes) + lane) * u64::from(p.width);
                            if first >= p.columns {
                                continue;
                            }
                            for part in 0..p.parts.count {
                                let r0 = part * p.parts.length;
                                for r in r0..(r0 + p.parts.length).min(p.length) {
                                    for c in first..first + u64::from(p.width) {
                                        seen.push(
                                            outer + row[r as usize] + c as isize * p.steps[0],
                                        );
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        seen.sort_unstable();
        seen
    }

    fn offsets(space: &Space) -> Vec<isize> {
        let mut all = vec![0];
        for (&length, &stride) in space.dims.iter().zip(&space.strides[0]) {
            let step = |at: &isize| -> Vec<isize> {
                (0..length as isize).map(|i| at + i * stride).collect()
            };
            all = all.iter().flat_map(step).collect();
        }
        all
    }

    fn wanted(shape: &[usize], strides: &[isize]) -> Vec<isize> {
        let mut all = offsets(&Space {
            dims: shape.into(),
            strides: vec![strides.into()],
            bases: vec![0],
        });
        all.sort_unstable();
        all
    }

    /// Kept axes, axes of the row, and the input's strides over each.
    type Case = (
        &'static [usize],
        &'static [usize],
        &'static [isize],
        &'static [isize],
    );

    #[test]
    fn every_plan_reads_every_element_once() {
        let shapes: [Case; 14] = [
            (&[5], &[70], &[70], &[1]),
            (&[5], &[70], &[1], &[5]),
            (&[], &[100_003], &[], &[1]),
            (&[], &[7], &[], &[-3]),
            (&[3], &[40, 49], &[49], &[147, 1]),
            (&[3], &[4000, 9], &[9], &[27, 1]),
            (&[2, 3], &[50, 4], &[1, 2], &[24, 6]),
            (&[64], &[900], &[1], &[64]),
            (&[63], &[900], &[1], &[63]),
            (&[64], &[900], &[-1], &[-64]),
            (&[64, 3], &[90], &[0, 90], &[1]),
            (&[30], &[20], &[0], &[0]),
            (&[9], &[1], &[2], &[7]),
            (&[1], &[3, 20_000], &[1], &[30_000, 1]),
        ];
        for (outer, row, over_outer, over_row) in shapes {
            for size in [1, 2, 4, 8, 16] {
                for fold in [Fold::Sum, Fold::ArgMax] {
                    for processors in [4, 132] {
                        let result = vec![1; outer.len()];
                        let strides = [over_outer, &result[..], over_row];
                        let reduction = Reduction::new(fold, (outer, row), strides, size, 1 << 20);
                        let shape = [outer, row].concat();
                        let mut want = wanted(&shape, &[over_outer, over_row].concat());
                        let shift = reduction.from as i64 - (1 << 20);
                        let shift = shift as isize / size as isize;
                        want.iter_mut().for_each(|at| *at -= shift);
                        let plan = reduction.plan(processors);
                        assert_eq!(reads(&reduction, &plan), want, "{outer:?} {row:?} {plan:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn threads_are_powers_of_two_that_fit() {
        for rows in [1, 3, 1000, 100_000] {
            for inner in [2usize, 3, 17, 100, 1000, 5000, 100_000, 1 << 24] {
                let strides: [&[isize]; 3] = [&[inner as isize], &[1], &[1]];
                let reduction = Reduction::new(Fold::Sum, (&[rows], &[inner]), strides, 4, 0);
                let Plan::Rows(p) = reduction.plan(132) else {
                    panic!("contiguous rows");
                };
                assert!(p.lanes <= p.threads && p.threads <= p.block, "{p:?}");
                assert!(p.lanes.is_power_of_two() && p.threads.is_power_of_two());
                assert!(p.is_short() || p.threads == p.block, "{p:?}");
                assert!(!p.is_short() || p.parts() == 1, "{p:?}");
            }
        }
    }

    #[test]
    fn the_geometry_suits_the_layout() {
        let plan = |outer: usize, row: usize, steps: [isize; 2]| {
            let strides: [&[isize]; 3] = [&[steps[0]], &[1], &[steps[1]]];
            Reduction::new(Fold::Sum, (&[outer], &[row]), strides, 4, 0).plan(132)
        };
        assert!(matches!(plan(8192, 8192, [8192, 1]), Plan::Rows(p) if p.parts() == 1));
        assert!(matches!(plan(1, 1 << 26, [1, 1]), Plan::Rows(p) if p.parts() > 132));
        assert!(matches!(plan(8192, 8192, [1, 8192]), Plan::Columns(p) if p.width == 4));
        assert!(matches!(plan(8191, 8192, [1, 8191]), Plan::Columns(p) if p.width == 1));
    }
}
