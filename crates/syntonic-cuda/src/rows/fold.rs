//! Plain folds of one operand: `kernels/fold_<fold>.cu`.

use super::even::Even;
use super::geometry::{BLOCK, Columns, Plan, Reduction, Rows};
use crate::context::Geometry;
use crate::contract::{Contract, contract};
use crate::plan::{Carrier, Launch, Limits, Pass};
use crate::ptx::name::entry_name;
use crate::walk::Wide;
use syntonic_core::fuse::{Fold, Slot};
use syntonic_core::{DType, Result};

/// One fold of one operand in memory.
#[derive(Clone, Debug)]
pub(crate) struct FoldTask<'a> {
    /// The fold; the sum, where it is a variance.
    pub(crate) fold: Fold,
    /// The variance that is asked for instead.
    pub(crate) variance: Option<Variance>,
    /// The input's type. Half types are folded in `float32`.
    pub(crate) dtype: DType,
    /// The result's type: that of the fold over `dtype`, or over what half types are folded in.
    pub(crate) result: DType,
    /// Kept axes.
    pub(crate) outer: &'a [usize],
    /// Axes of the row.
    pub(crate) row: &'a [usize],
    /// The input.
    pub(crate) input: Slot,
    /// The result; its strides over the row are ignored.
    pub(crate) output: Slot,
}

/// What turns a fold into a variance in one reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Variance {
    /// What the sum of squared distances is divided by.
    pub(crate) divisor: f64,
    /// Whether the result is the standard deviation.
    pub(crate) root: bool,
}

contract! {
    "fold_variance":
    /// The variance of rows, columns or parts.
    #[derive(Debug)]
    pub(crate) struct VarianceParams<P> as "VarianceParams" {
        geometry: P as "base",
        divisor: f64,
        /// Its root is the result.
        root: u32,
        reserved: u32,
    }
}

contract! {
    "fold_*":
    /// Rows: `lanes` threads lie along the inner axis, and `threads / lanes` groups share the segments.
    #[derive(Debug)]
    pub(crate) struct RowsParams as "RowsParams" {
        from: u64 as "const void*",
        to: u64 as "void*",
        rows: u64,
        inner: u64,
        step: i64,
        segments: u64,
        /// Of `from` and of `to`.
        outer: Wide<2>,
        segment: Wide<1>,
        /// Inner elements of one part.
        inner_part: u64,
        /// Segments of one part.
        segment_part: u64,
        inner_parts: u32,
        segment_parts: u32,
        threads: u32,
        lanes: u32,
        /// Half types: the result stays float.
        wide: u32,
        unused: u32,
    }
}

contract! {
    "fold_*":
    /// Partial values of each row: value `part` of row `row` lies at `row row_stride + part part_stride`.
    #[derive(Debug)]
    pub(crate) struct JoinParams as "JoinParams" {
        from: u64 as "const void*",
        to: u64 as "void*",
        rows: u64,
        parts: u64,
        row_stride: u64,
        part_stride: u64,
        /// The second operand is `to`.
        outer: Wide<2>,
        /// Of a row: 1, 32 or the whole block.
        threads: u32,
        wide: u32,
    }
}

contract! {
    "fold_*":
    /// Columns: `lanes` threads lie along the kept axis whose elements are neighbours, each with `width` of them.
    #[derive(Debug)]
    pub(crate) struct ColumnsParams as "ColumnsParams" {
        from: u64 as "const void*",
        to: u64 as "void*",
        columns: u64,
        /// In `from`; 1 where vectors are read.
        column_step: i64,
        /// In `to`.
        column_to: i64,
        /// Positions of the other kept axes.
        outers: u64,
        /// Of the row.
        length: u64,
        /// Of the row, in one block.
        part: u64,
        /// Of `from` and of `to`.
        outer: Wide<2>,
        row: Wide<1>,
        /// Along the columns.
        tiles: u64,
        parts: u32,
        lanes: u32,
        width: u32,
        wide: u32,
    }
}

// The same numbers stand beside the structs in reduce.cuh.

/// A piece of a reduction with no more kept axes than a kernel walks, how it is spread, and its launches.
struct Piece {
    reduction: Reduction,
    schedule: Schedule,
    pass: Pass<'static>,
}

/// How a piece is spread.
enum Schedule {
    Even(Even),
    Rows(Rows),
    Columns(Columns),
}

impl Piece {
    fn new(task: &FoldTask<'_>, reduction: Reduction, limits: &Limits) -> Piece {
        let processors = limits.multiprocessors;
        let (schedule, pass) = match Even::of(task, &reduction, processors) {
            Some(even) => {
                let pass = even.pass(task);
                (Schedule::Even(even), pass)
            }
            None => match reduction.plan(processors) {
                Plan::Rows(plan) => {
                    let first = launch(task, "rows", Geometry::line(plan.blocks(), plan.block));
                    let pass = joined(task, first, plan.rows, plan.parts());
                    (Schedule::Rows(plan), pass)
                }
                Plan::Columns(plan) => {
                    let rows = reduction.outer.len() as u64;
                    let first = launch(task, "columns", Geometry::line(plan.blocks(), BLOCK));
                    let pass = joined(task, first, rows, plan.parts.count);
                    (Schedule::Columns(plan), pass)
                }
            },
        };
        Piece {
            reduction,
            schedule,
            pass,
        }
    }
}

/// A two-phase reduction over `rows` rows: a second launch joins the partial values, if there are several per row.
fn joined(task: &FoldTask<'_>, first: Launch<'static>, rows: u64, parts: u64) -> Pass<'static> {
    if parts == 1 {
        return Pass::alone(first);
    }
    let rows_of_block = u64::from(BLOCK / join_threads(parts));
    let blocks = Geometry::line(rows.div_ceil(rows_of_block), BLOCK);
    Pass {
        scratch: partials(task, parts * rows),
        join: Some(launch(task, "join", blocks)),
        ..Pass::alone(first)
    }
}

/// Bytes of `count` partial values.
pub(super) fn partials(task: &FoldTask<'_>, count: u64) -> usize {
    let size = match task.variance {
        Some(_) => MOMENT,
        None => partial_size(task.fold, task.dtype),
    };
    size * count as usize
}

/// The launch of a variant of the task's kernel.
pub(super) fn launch(task: &FoldTask<'_>, variant: &str, geometry: Geometry) -> Launch<'static> {
    let (fold, dtype) = (task.fold, task.dtype);
    let (family, entry) = match task.variance {
        None => {
            let entry = entry_name(fold.name(), &[instance(fold, dtype)], variant);
            (family(fold), entry)
        }
        Some(_) => (VARIANCE, entry_name("variance", &[dtype], variant)),
    };
    Launch::new(family, entry, geometry)
}

/// Runs a fold.
///
/// # Safety
/// The slots name live memory of this device that fits the axes, and the result overlaps no input.
pub(crate) unsafe fn run<C: Carrier>(carrier: &C, task: &FoldTask<'_>) -> Result<()> {
    if task.outer.contains(&0) {
        return Ok(());
    }
    let whole = reduction(task);
    for reduction in whole.pieces() {
        let shift = reduction.to as i64 * task.result.size() as i64;
        let piece = Piece::new(task, reduction, carrier.limits());
        let run = Run {
            carrier,
            task,
            reduction: &piece.reduction,
            pass: &piece.pass,
            to: (task.output.address as u64).wrapping_add_signed(shift),
        };
        // SAFETY: the caller's promise; every plan stays inside the axes.
        unsafe {
            match &piece.schedule {
                Schedule::Even(even) => run.even(even)?,
                Schedule::Rows(rows) => run.rows(rows)?,
                Schedule::Columns(columns) => run.columns(columns)?,
            }
        }
    }
    Ok(())
}

/// True if the layout is even: `kernels/include/even.cuh`.
pub(super) fn is_even(task: &FoldTask<'_>, limits: &Limits) -> bool {
    Even::of(task, &reduction(task), limits.multiprocessors).is_some()
}

/// True if the row has more axes than a kernel walks, even after merging.
pub(super) fn is_too_rugged(task: &FoldTask<'_>) -> bool {
    reduction(task).is_too_rugged()
}

fn reduction(task: &FoldTask<'_>) -> Reduction {
    let strides = [
        &task.input.outer[..],
        &task.output.outer[..],
        &task.input.row[..],
    ];
    let axes = (task.outer, task.row);
    let from = task.input.address as u64;
    Reduction::new(task.fold, axes, strides, task.dtype.size(), from)
}

/// A piece, and the address of its result.
pub(super) struct Run<'a, C> {
    pub(super) carrier: &'a C,
    pub(super) task: &'a FoldTask<'a>,
    pub(super) reduction: &'a Reduction,
    pub(super) pass: &'a Pass<'static>,
    pub(super) to: u64,
}

impl<C: Carrier> Run<'_, C> {
    unsafe fn rows(&self, plan: &Rows) -> Result<()> {
        let parts = plan.parts();
        let memory = self.carrier.pass_memory(self.pass)?;
        let params = RowsParams {
            from: self.reduction.from,
            to: self.first_to(memory.scratch()),
            rows: plan.rows,
            inner: plan.inner,
            step: plan.step as i64,
            segments: plan.segments,
            outer: self.reduction.outer.wide(),
            segment: plan.segment.wide(),
            inner_part: plan.inner_parts.length,
            segment_part: plan.segment_parts.length,
            inner_parts: plan.inner_parts.count as u32,
            segment_parts: plan.segment_parts.count as u32,
            threads: plan.threads,
            lanes: plan.lanes,
            wide: self.wide(),
            unused: 0,
        };
        let of_join = || JoinParams {
            from: memory.scratch(),
            to: self.to,
            rows: plan.rows,
            parts,
            // Partial values are in the order of the kept axes.
            row_stride: parts,
            part_stride: 1,
            outer: self.reduction.outer.wide(),
            threads: join_threads(parts),
            wide: self.wide(),
        };
        // SAFETY: the parameters are the entries'; the rest is the caller's promise.
        unsafe { self.start_both(&params, of_join) }
    }

    unsafe fn columns(&self, plan: &Columns) -> Result<()> {
        let (parts, rows) = (plan.parts.count, self.reduction.outer.len() as u64);
        let memory = self.carrier.pass_memory(self.pass)?;
        let params = ColumnsParams {
            from: self.reduction.from,
            to: self.first_to(memory.scratch()),
            columns: plan.columns,
            column_step: plan.steps[0] as i64,
            column_to: plan.steps[1] as i64,
            outers: plan.outer.len() as u64,
            length: plan.length,
            part: plan.parts.length,
            outer: plan.outer.wide(),
            row: self.reduction.row.wide(),
            tiles: plan.tiles,
            parts: parts as u32,
            lanes: plan.lanes,
            width: plan.width,
            wide: self.wide(),
        };
        let of_join = || JoinParams {
            from: memory.scratch(),
            to: self.to,
            rows,
            parts,
            // Partial values of one part are contiguous, with the columns innermost.
            row_stride: 1,
            part_stride: rows,
            outer: plan.with_columns_innermost().wide(),
            threads: join_threads(parts),
            wide: self.wide(),
        };
        // SAFETY: the parameters are the entries'; the rest is the caller's promise.
        unsafe { self.start_both(&params, of_join) }
    }

    /// The first launch writes partial values if there are any, else results.
    fn first_to(&self, partials: u64) -> u64 {
        match self.pass.join {
            Some(_) => partials,
            None => self.to,
        }
    }

    /// Whether the fold of a half type leaves its result in the wider type.
    pub(super) fn wide(&self) -> u32 {
        u32::from(self.task.dtype.is_half() && !self.task.result.is_half())
    }

    /// # Safety
    /// The parameters are the entries', and what they point to is live and fits.
    unsafe fn start_both<P: Contract>(
        &self,
        params: &P,
        of_join: impl FnOnce() -> JoinParams,
    ) -> Result<()> {
        // SAFETY: the caller's promise; the partial values are written by the first launch.
        unsafe {
            self.start(&self.pass.launch, params)?;
            match &self.pass.join {
                Some(join) => self.start(join, &of_join()),
                None => Ok(()),
            }
        }
    }

    /// # Safety
    /// The parameter is the entry's, less what a variance adds, and what it points to is live and fits.
    pub(super) unsafe fn start<P: Contract>(&self, launch: &Launch<'_>, params: &P) -> Result<()> {
        let Some(variance) = self.task.variance else {
            // SAFETY: the caller's promise.
            return unsafe { self.carrier.start(launch, params) };
        };
        let params = VarianceParams {
            geometry: *params,
            divisor: variance.divisor,
            root: u32::from(variance.root),
            reserved: 0,
        };
        // SAFETY: the caller's promise.
        unsafe { self.carrier.start(launch, &params) }
    }
}

/// The image family of variances.
const VARIANCE: &str = "fold_variance";
/// Bytes of a partial variance.
const MOMENT: usize = 24;

/// Threads that join the parts of one row.
fn join_threads(parts: u64) -> u32 {
    match parts {
        0..=4 => 1,
        5..=256 => 32,
        _ => BLOCK,
    }
}

/// The image family of a fold.
pub(super) fn family(fold: Fold) -> &'static str {
    match fold {
        Fold::Sum => "fold_sum",
        Fold::Prod => "fold_prod",
        Fold::Min => "fold_min",
        Fold::Max => "fold_max",
        Fold::Any => "fold_any",
        Fold::All => "fold_all",
        Fold::ArgMin => "fold_argmin",
        Fold::ArgMax => "fold_argmax",
    }
}

/// The type whose kernel folds values of `dtype`.
fn instance(fold: Fold, dtype: DType) -> DType {
    match (fold, dtype) {
        (Fold::Sum | Fold::Prod, _) => dtype,
        (_, DType::Bool) => DType::U8,
        (Fold::Any | Fold::All, DType::I8) => DType::U8,
        (Fold::Any | Fold::All, DType::I16) => DType::U16,
        (Fold::Any | Fold::All, DType::I32) => DType::U32,
        (Fold::Any | Fold::All, DType::I64) => DType::U64,
        // The bits of both half types are zero, or are not, alike.
        (Fold::Any | Fold::All, DType::BF16) => DType::F16,
        _ => dtype,
    }
}

/// Bytes of a partial value: the accumulator, and the position for folds that return one.
fn partial_size(fold: Fold, dtype: DType) -> usize {
    match fold {
        Fold::ArgMin | Fold::ArgMax => 16,
        _ => fold.accumulator(dtype.compute()).size(),
    }
}
