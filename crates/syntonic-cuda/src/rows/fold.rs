//! Plain folds of one operand: `kernels/fold_<fold>.cu`.

use super::even::{self, Even};
use super::geometry::{BLOCK, Columns, Plan, Reduction, Rows};
use crate::context::{Context, Geometry, Scratch};
use crate::name::entry_name;
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
    /// The result; its strides over the row are not looked at.
    pub(crate) output: Slot,
}

/// What makes a variance of a fold over one reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Variance {
    /// What the sum of squared distances is divided by.
    pub(crate) divisor: f64,
    /// Whether the root of it is the result.
    pub(crate) root: bool,
}

/// Mirrors `VarianceParams`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct VarianceParams<P> {
    geometry: P,
    divisor: f64,
    root: u32,
    reserved: u32,
}

/// Mirrors `RowsParams` of `kernels/include/reduce.cuh`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct RowsParams {
    from: u64,
    to: u64,
    rows: u64,
    inner: u64,
    step: i64,
    segments: u64,
    outer: Wide<2>,
    segment: Wide<1>,
    inner_part: u64,
    segment_part: u64,
    inner_parts: u32,
    segment_parts: u32,
    threads: u32,
    lanes: u32,
    wide: u32,
    unused: u32,
}

/// Mirrors `JoinParams`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct JoinParams {
    from: u64,
    to: u64,
    rows: u64,
    parts: u64,
    row_stride: u64,
    part_stride: u64,
    outer: Wide<2>,
    threads: u32,
    wide: u32,
}

/// Mirrors `ColumnsParams`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct ColumnsParams {
    from: u64,
    to: u64,
    columns: u64,
    column_step: i64,
    column_to: i64,
    outers: u64,
    length: u64,
    part: u64,
    outer: Wide<2>,
    row: Wide<1>,
    tiles: u64,
    parts: u32,
    lanes: u32,
    width: u32,
    wide: u32,
}

// The same numbers stand beside the structs in reduce.cuh.
const _: () = assert!(size_of::<RowsParams>() == 680);
const _: () = assert!(size_of::<JoinParams>() == 384);
const _: () = assert!(size_of::<ColumnsParams>() == 680);

/// Runs a fold.
///
/// # Safety
/// The slots name live memory of this device that fits the axes, and the result overlaps no input.
pub(crate) unsafe fn run(context: &Context, task: &FoldTask<'_>) -> Result<()> {
    if task.outer.contains(&0) {
        return Ok(());
    }
    let whole = reduction(task);
    for reduction in whole.pieces() {
        let shift = reduction.to as i64 * task.result.size() as i64;
        let to = (task.output.address as u64).wrapping_add_signed(shift);
        let run = Run {
            context,
            task,
            reduction: &reduction,
            to,
        };
        if let Some(plan) = Even::of(task, &reduction, context.multiprocessors()) {
            // SAFETY: the caller's promise; the plan stays inside the axes.
            unsafe { run.even(&plan)? };
            continue;
        }
        match reduction.plan(context.multiprocessors()) {
            // SAFETY: the caller's promise; every plan stays inside the axes.
            Plan::Rows(plan) => unsafe { run.rows(&plan)? },
            // SAFETY: as above.
            Plan::Columns(plan) => unsafe { run.columns(&plan)? },
        }
    }
    Ok(())
}

/// True if the row has more axes than a kernel walks, however they are merged.
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

pub(super) struct Run<'a> {
    pub(super) context: &'a Context,
    pub(super) task: &'a FoldTask<'a>,
    pub(super) reduction: &'a Reduction,
    pub(super) to: u64,
}

impl Run<'_> {
    unsafe fn rows(&self, plan: &Rows) -> Result<()> {
        let parts = plan.parts();
        let partials = self.partials(parts, plan.rows)?;
        let params = RowsParams {
            from: self.reduction.from,
            to: partials.as_ref().map_or(self.to, |p| p.address()),
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
        let geometry = Geometry::line(plan.blocks(), plan.block);
        // SAFETY: the parameter is the entry's; the rest is the caller's promise.
        unsafe { self.launch("rows", geometry, &params)? };
        match partials {
            // SAFETY: the partial values were written by the launch before.
            Some(p) => unsafe { self.join(p.address(), [plan.rows, parts], [parts, 1]) },
            None => Ok(()),
        }
    }

    unsafe fn columns(&self, plan: &Columns) -> Result<()> {
        let (parts, rows) = (plan.parts.count, self.reduction.outer.len() as u64);
        let partials = self.partials(parts, rows)?;
        let params = ColumnsParams {
            from: self.reduction.from,
            to: partials.as_ref().map_or(self.to, |p| p.address()),
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
        let geometry = Geometry::line(plan.blocks(), BLOCK);
        // SAFETY: the parameter is the entry's; the rest is the caller's promise.
        unsafe { self.launch("columns", geometry, &params)? };
        match partials {
            // SAFETY: the partial values were written by the launch before.
            Some(p) => unsafe { self.join_columns(plan, p.address()) },
            None => Ok(()),
        }
    }

    /// Joins partial values that lie in the order of the kept axes.
    unsafe fn join(&self, from: u64, [rows, parts]: [u64; 2], strides: [u64; 2]) -> Result<()> {
        let params = JoinParams {
            from,
            to: self.to,
            rows,
            parts,
            row_stride: strides[0],
            part_stride: strides[1],
            outer: self.reduction.outer.wide(),
            threads: join_threads(parts),
            wide: self.wide(),
        };
        // SAFETY: the caller's promise.
        unsafe { self.launch_join(&params) }
    }

    /// Joins partial values of columns: those of one part side by side, the columns running fastest.
    unsafe fn join_columns(&self, plan: &Columns, from: u64) -> Result<()> {
        let rows = self.reduction.outer.len() as u64;
        let params = JoinParams {
            from,
            to: self.to,
            rows,
            parts: plan.parts.count,
            row_stride: 1,
            part_stride: rows,
            outer: plan.with_columns_innermost().wide(),
            threads: join_threads(plan.parts.count),
            wide: self.wide(),
        };
        // SAFETY: the caller's promise.
        unsafe { self.launch_join(&params) }
    }

    unsafe fn launch_join(&self, params: &JoinParams) -> Result<()> {
        let rows_of_block = u64::from(BLOCK / params.threads);
        let geometry = Geometry::line(params.rows.div_ceil(rows_of_block), BLOCK);
        // SAFETY: the parameter is the entry's; the rest is the caller's promise.
        unsafe { self.launch("join", geometry, params) }
    }

    /// Whether a half type's fold stays as wide as it was folded.
    pub(super) fn wide(&self) -> u32 {
        u32::from(self.task.dtype.is_half() && !self.task.result.is_half())
    }

    fn partials(&self, parts: u64, rows: u64) -> Result<Option<Scratch<'_>>> {
        if parts == 1 {
            return Ok(None);
        }
        self.scratch_for(parts * rows).map(Some)
    }

    /// Room for partial values.
    pub(super) fn scratch_for(&self, partials: u64) -> Result<Scratch<'_>> {
        let size = match self.task.variance {
            Some(_) => MOMENT,
            None => partial_size(self.task.fold, self.task.dtype),
        };
        self.context.scratch(size * partials as usize)
    }

    pub(super) unsafe fn launch<P: Copy>(
        &self,
        variant: &str,
        geometry: Geometry,
        params: &P,
    ) -> Result<()> {
        let (fold, dtype) = (self.task.fold, self.task.dtype);
        let Some(variance) = self.task.variance else {
            let entry = entry_name(fold.name(), &[instance(fold, dtype)], variant);
            let function = self.context.function(family(fold), &entry)?;
            // SAFETY: the caller's promise.
            return unsafe { self.context.launch(&function, geometry, params) };
        };
        let params = VarianceParams {
            geometry: *params,
            divisor: variance.divisor,
            root: u32::from(variance.root),
            reserved: 0,
        };
        let entry = entry_name("variance", &[dtype], variant);
        let function = self.context.function(VARIANCE, &entry)?;
        // SAFETY: the caller's promise.
        unsafe { self.context.launch(&function, geometry, &params) }
    }
}

/// The image family of variances.
const VARIANCE: &str = "fold_variance";
/// The types with a kernel for their variance. Double precision is read twice, since nothing is wider.
pub(super) const OF_VARIANCE: [DType; 3] = [DType::F16, DType::BF16, DType::F32];
/// Bytes of a partial variance.
const MOMENT: usize = 24;
const VARIANTS: [&str; 3] = ["rows", "columns", "join"];

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

/// Every entry of the families of folds and variances, with its family.
pub(crate) fn entries() -> impl Iterator<Item = (&'static str, String)> {
    let pairs = Fold::ALL
        .into_iter()
        .flat_map(|fold| DType::ALL.map(|dtype| (fold, dtype)));
    let own = |&(fold, dtype): &(Fold, DType)| {
        fold.result_dtype(dtype).is_some() && instance(fold, dtype) == dtype
    };
    let folds = pairs.filter(own).flat_map(|(fold, dtype)| {
        VARIANTS.map(|variant| (family(fold), entry_name(fold.name(), &[dtype], variant)))
    });
    let variances = OF_VARIANCE.into_iter().flat_map(|dtype| {
        VARIANTS.map(|variant| (VARIANCE, entry_name("variance", &[dtype], variant)))
    });
    let pairs = even::FOLDS
        .into_iter()
        .flat_map(|fold| even::DTYPES.map(|dtype| (fold, dtype)));
    let even_folds = pairs.flat_map(|(fold, dtype)| {
        even::VARIANTS.map(|variant| (family(fold), entry_name(fold.name(), &[dtype], variant)))
    });
    let even_variances = OF_VARIANCE.into_iter().flat_map(|dtype| {
        even::VARIANTS.map(|variant| (VARIANCE, entry_name("variance", &[dtype], variant)))
    });
    folds
        .chain(variances)
        .chain(even_folds)
        .chain(even_variances)
}

/// Bytes of a partial value: the accumulator, beside a position where the fold looks for one.
fn partial_size(fold: Fold, dtype: DType) -> usize {
    match fold {
        Fold::ArgMin | Fold::ArgMax => 16,
        _ => fold.accumulator(dtype.compute()).size(),
    }
}
