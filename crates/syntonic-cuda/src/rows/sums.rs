//! Values along the row that are summed over all rows: gradients of what every row shares.
//!
//! A program with a kernel of its own leaves one partial sum a block, which `kernels/row_sums.cu` adds up in a fixed
//! order. Any other writes its values, which are folded over the rows.

use super::fold::FoldTask;
use super::run::packed;
use crate::context::{Context, Geometry, Scratch};
use syntonic_core::fuse::{Fold, Slot, Task, Yield};
use syntonic_core::layout::Strides;
use syntonic_core::{DType, Result};

/// The most sums of one program.
pub(super) const MOST: usize = 4;
/// Lanes side by side, and threads of a block: `ROW_SUMS_ACROSS` and `ROW_SUMS_THREADS` of `kernels/row_sums.cu`.
const ACROSS: usize = 4;
const THREADS: u32 = 512;
/// Bytes of a lane, where rows are whole vectors of so many.
const VECTOR: usize = 16;

/// Mirrors `RowSumsParams` of `kernels/row_sums.cu`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Params {
    partials: u64,
    groups: u64,
    length: u64,
    sums: u32,
    dtype: u32,
    to: [u64; MOST],
}
const _: () = assert!(size_of::<Params>() == 64);

/// Partial sums of one program: for each output of the kind, one row a group.
pub(super) struct Partials<'a> {
    memory: Scratch<'a>,
    groups: usize,
    length: usize,
    size: usize,
}

impl<'a> Partials<'a> {
    /// Room for `sums` outputs of a program whose values are `size` bytes each.
    pub(super) fn new(
        context: &'a Context,
        sums: usize,
        groups: usize,
        length: usize,
        size: usize,
    ) -> Result<Partials<'a>> {
        let memory = context.scratch(sums * groups * length * size)?;
        Ok(Partials {
            memory,
            groups,
            length,
            size,
        })
    }

    /// Where those of the `k`-th sum lie.
    pub(super) fn address(&self, k: usize) -> u64 {
        self.memory.address() + (k * self.groups * self.length * self.size) as u64
    }

    /// Adds them up into outputs of type `dtype`.
    ///
    /// # Safety
    /// The partial sums are written, and each address names memory for a row of them.
    pub(super) unsafe fn finish(&self, context: &Context, to: &[u64], dtype: DType) -> Result<()> {
        let mut params = Params {
            partials: self.memory.address(),
            groups: self.groups as u64,
            length: self.length as u64,
            sums: to.len() as u32,
            dtype: dtype as u32,
            to: [0; MOST],
        };
        params.to[..to.len()].copy_from_slice(to);
        let entry = match self.size {
            8 => "row_sums_f64",
            _ => "row_sums_f32",
        };
        let function = context.function("row_sums", entry)?;
        let vector = VECTOR / self.size;
        let whole = self.length.is_multiple_of(vector);
        let columns = ACROSS * if whole { vector } else { 1 };
        let blocks = (to.len() * self.length.div_ceil(columns)) as u64;
        // SAFETY: the parameter is the entry's; the rest is the caller's promise.
        unsafe { context.launch(&function, Geometry::line(blocks, THREADS), &params) }
    }
}

/// True for a program with such outputs.
pub(super) fn is_summed(task: &Task<'_>) -> bool {
    let mut outputs = task.program.outputs.iter();
    outputs.any(|o| o.role == Yield::RowSum)
}

/// Runs the program with one value per element in place of each sum, and folds those.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(super) unsafe fn by_elements(context: &Context, task: &Task<'_>) -> Result<()> {
    let mut program = task.program.clone();
    let mut outputs = task.outputs.clone();
    let along: usize = task.row.iter().product();
    let count = task.outer.iter().product::<usize>() * along;
    let mut memory: Vec<(usize, Scratch<'_>)> = Vec::new();
    let sums = program.outputs.iter_mut().enumerate();
    for (k, output) in sums.filter(|(_, o)| o.role == Yield::RowSum) {
        output.role = Yield::Element;
        let scratch = context.scratch(count.max(1) * output.dtype.size())?;
        outputs[k] = Slot {
            address: scratch.address() as *mut u8,
            outer: packed(&task.outer, along),
            row: packed(&task.row, 1),
        };
        memory.push((k, scratch));
    }
    let whole = Task {
        program: &program,
        outer: task.outer.clone(),
        row: task.row.clone(),
        inputs: task.inputs.clone(),
        outputs,
        params: task.params,
    };
    // SAFETY: the caller's promise; the new outputs have room for every element.
    unsafe { super::super::kernel::run(context, &whole)? };
    for (k, _scratch) in &memory {
        let dtype = program.outputs[*k].dtype;
        let sum = FoldTask {
            fold: Fold::Sum,
            variance: None,
            dtype,
            result: dtype,
            outer: &task.row,
            row: &task.outer,
            input: Slot {
                address: whole.outputs[*k].address,
                outer: whole.outputs[*k].row.clone(),
                row: whole.outputs[*k].outer.clone(),
            },
            output: Slot {
                address: task.outputs[*k].address,
                outer: task.outputs[*k].row.clone(),
                row: Strides::from_elem(0, task.outer.len()),
            },
        };
        // SAFETY: the values were written by the launch before; the result is the caller's.
        unsafe { super::run::Machine::fold(&super::OnGpu(context), &sum)? };
    }
    Ok(())
}
