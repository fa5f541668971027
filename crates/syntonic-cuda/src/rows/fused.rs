//! Programs with folds that have a kernel of their own: one launch, a row in registers where it fits.

use super::arrange::take_axis;
use crate::codegen::RowProgram;
use crate::context::{Context, Geometry};
use crate::images::has_entry;
use crate::walk::{AXES, Space, Wide};
use syntonic_core::fuse::Task;
use syntonic_core::{Result, Scalar};

/// The most threads of a row.
const MOST_THREADS: usize = 512;
/// Threads of a block that has several rows.
const BLOCK: usize = 128;
/// Rows longer than this want several blocks where they are few.
const LONG: usize = 32 << 10;

/// Mirrors `RowOperand` of `kernels/include/row_program.cuh`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Operand {
    address: u64,
    step: i64,
}

/// Mirrors `RowProgramParams`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Params<const K: usize> {
    rows: u64,
    length: u64,
    inner: u64,
    threads: u32,
    unused: u32,
    outer: Wide<K>,
    segment: Wide<K>,
    operand: [Operand; K],
    number: [f64; 4],
}

// The same number stands beside the struct.
const _: () = assert!(size_of::<Params<2>>() == 752);

/// How a program is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    variant: &'static str,
    threads: usize,
    block: usize,
}

/// A task as its kernel sees it.
struct Fused<'a> {
    program: RowProgram<'a>,
    task: &'a Task<'a>,
    outer: Space,
    inner: usize,
    steps: Vec<isize>,
    segment: Space,
    numbers: [f64; 4],
}

/// Runs the task by its own kernel, if there is one and it suits the layout; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(super) unsafe fn run(context: &Context, task: &Task<'_>) -> Result<bool> {
    let Some(program) = RowProgram::of(task.program) else {
        return Ok(false);
    };
    let entry = program.entry();
    let Some(family) = program.family() else {
        return Ok(false);
    };
    let Some(fused) = Fused::new(program, task) else {
        return Ok(false);
    };
    let Some(shape) = fused.shape(context.multiprocessors() as usize) else {
        return Ok(false);
    };
    let entry = format!("{entry}_{}", shape.variant);
    if !has_entry(family, &entry) {
        return Ok(false);
    }
    macro_rules! launch {
        ($($k:literal)*) => {
            match program.operands() {
                $($k => {
                    let params = fused.params::<$k>(shape);
                    let rows = fused.outer.len().div_ceil(shape.block / shape.threads);
                    let geometry = Geometry::line(rows as u64, shape.block as u32);
                    let function = context.function(family, &entry)?;
                    // SAFETY: the parameter is the entry's; the rest is the caller's promise.
                    unsafe { context.launch(&function, geometry, &params)? };
                    Ok(true)
                })*
                _ => Ok(false),
            }
        };
    }
    launch!(2 3 4 5 6 7 8)
}

impl<'a> Fused<'a> {
    fn new(program: RowProgram<'a>, task: &'a Task<'a>) -> Option<Fused<'a>> {
        let over_outer: Vec<&[isize]> = task.slots().map(|s| &s.outer[..]).collect();
        let over_row: Vec<&[isize]> = task.slots().map(|s| &s.row[..]).collect();
        let outer = Space::new(&task.outer, &over_outer);
        let row = Space::new(&task.row, &over_row);
        let (inner, steps, segment) = take_axis(&row, row.dims.len() - 1);
        let mut numbers = [0.0; 4];
        for (to, number) in numbers.iter_mut().zip(task.params) {
            *to = plain(*number)?;
        }
        let walked = outer.dims.len() <= AXES && segment.dims.len() <= AXES;
        let some = outer.len() > 0 && row.len() > 0;
        (walked && some).then_some(Fused {
            program,
            task,
            outer,
            inner,
            steps,
            segment,
            numbers,
        })
    }

    fn length(&self) -> usize {
        self.inner * self.segment.len()
    }

    /// The variant and its threads; nothing where several blocks, or threads along the kept axes, are better.
    fn shape(&self, processors: usize) -> Option<Shape> {
        let few = self.outer.len() < processors / 2 && self.length() > LONG;
        if few || self.lies_across() {
            return None;
        }
        let lanes = self.program.lanes();
        let vectors = self.length().div_ceil(lanes);
        let most = MOST_THREADS;
        Some(if !self.reads_vectors() {
            let threads = self
                .length()
                .div_ceil(4)
                .clamp(32, most)
                .next_power_of_two();
            Shape {
                variant: "single",
                threads,
                block: threads,
            }
        } else if vectors <= self.program.held() * most {
            let wanted = vectors.div_ceil(self.program.held()).next_power_of_two();
            Shape {
                variant: "held",
                threads: wanted,
                block: wanted.max(if wanted <= 32 { BLOCK } else { wanted }),
            }
        } else {
            Shape {
                variant: "again",
                threads: most,
                block: most,
            }
        })
    }

    /// True if some operand's steps along a kept axis are smaller than along the row.
    fn lies_across(&self) -> bool {
        let varies = self.program.varies();
        (0..varies.len()).filter(|&k| varies[k]).any(|k| {
            let axes = self.outer.dims.iter().zip(&self.outer.strides[k]);
            let mut closest = axes
                .filter(|(n, s)| **n > 1 && **s != 0)
                .map(|(_, s)| s.unsigned_abs());
            let step = self.steps[k].unsigned_abs();
            step > 1 && closest.any(|s| s < step)
        })
    }

    /// True if every operand that varies along the row may be read in whole vectors.
    fn reads_vectors(&self) -> bool {
        let lanes = self.program.lanes();
        let varies = self.program.varies();
        let dtypes = self.program.dtypes();
        let inputs = self.task.inputs.len();
        let fits = |k: usize| {
            let bytes = (lanes * dtypes[k].size()).min(16);
            let whole = |s: &isize| s.unsigned_abs().is_multiple_of(lanes);
            let address = self.task.slot(k).address as usize;
            let walks = [&self.outer.strides[k], &self.segment.strides[k]];
            let aligned =
                address.is_multiple_of(bytes) && walks.iter().all(|walk| walk.iter().all(whole));
            // A repeated operand is read once for a vector, and a result is never repeated.
            (self.steps[k] == 1 && aligned) || (self.steps[k] == 0 && k < inputs)
        };
        self.inner.is_multiple_of(lanes) && (0..varies.len()).filter(|&k| varies[k]).all(fits)
    }

    fn params<const K: usize>(&self, shape: Shape) -> Params<K> {
        let mut operand = [Operand::default(); K];
        for (k, to) in operand.iter_mut().enumerate() {
            *to = Operand {
                address: self.task.slot(k).address as u64,
                step: self.steps[k] as i64,
            };
        }
        Params {
            rows: self.outer.len() as u64,
            length: self.length() as u64,
            inner: self.inner as u64,
            threads: shape.threads as u32,
            unused: 0,
            outer: self.outer.wide(),
            segment: self.segment.wide(),
            operand,
            number: self.numbers,
        }
    }
}

/// A run-time number that a double holds exactly.
fn plain(number: Scalar) -> Option<f64> {
    match number {
        Scalar::Float(x) => Some(x),
        Scalar::Int(i) if i.unsigned_abs() < 1 << 53 => Some(i as f64),
        Scalar::Bool(b) => Some(f64::from(u8::from(b))),
        _ => None,
    }
}
