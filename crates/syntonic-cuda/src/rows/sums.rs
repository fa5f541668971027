//! Values along the row that are summed over all rows: gradients of what every row shares.
//!
//! A two-phase reduction: a JIT kernel leaves one partial sum per block, which `kernels/row_sums.cu` adds up in a fixed order. A
//! program without one writes its values, which are folded over the rows.

use super::fold::FoldTask;
use super::run::packed;
use crate::context::Geometry;
use crate::contract::{Contract, contract};
use crate::plan::{Carrier, Launch};
use syntonic_core::fuse::{Fold, Slot, Task, Yield};
use syntonic_core::layout::Strides;
use syntonic_core::{DType, Result};

/// The most sums of one program.
pub(super) const MOST: usize = 4;
/// So many lanes lie side by side, each with 16 bytes of a row where its length is whole such vectors, else with one value: few
/// columns a block, so that there are blocks for all multiprocessors, and rows enough at once that one wave of blocks has all.
pub(super) const ACROSS: usize = 4;
/// Threads per block.
pub(super) const THREADS: u32 = 512;
/// Bytes per lane, where rows are whole vectors of as many.
const VECTOR: usize = 16;

contract! {
    "row_sums":
    /// Sums of rows, from those of groups.
    #[derive(Debug)]
    pub(crate) struct Params as "RowSumsParams" {
        /// `sums` times `groups` rows of `length`.
        partials: u64,
        groups: u64,
        length: u64,
        sums: u32,
        /// Core's number of the type of the results.
        dtype: u32,
        to: [u64; MOST],
    }
}

/// Partial sums of one program: for each output of the kind, one row a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partials {
    /// Outputs that are sums.
    pub(super) sums: usize,
    /// Groups of rows, each with a partial sum.
    pub(super) groups: usize,
    /// Values of a row.
    pub(super) length: usize,
    /// Bytes of a value.
    pub(super) size: usize,
}

impl Partials {
    /// Bytes before the partial sums of output `k`.
    fn before(&self, k: usize) -> usize {
        k * self.groups * self.length * self.size
    }

    /// Bytes of all of them.
    pub(super) fn bytes(&self) -> usize {
        self.before(self.sums)
    }

    /// The address of the `k`-th sum's partial values, in memory that begins at `from`.
    pub(super) fn address(&self, from: u64, k: usize) -> u64 {
        from + self.before(k) as u64
    }

    /// The launch that adds them up.
    pub(super) fn joined(&self) -> Launch<'static> {
        let entry = match self.size {
            8 => "row_sums_f64",
            _ => "row_sums_f32",
        };
        let vector = VECTOR / self.size;
        let whole = self.length.is_multiple_of(vector);
        let columns = ACROSS * if whole { vector } else { 1 };
        let blocks = (self.sums * self.length.div_ceil(columns)) as u64;
        Launch::new(Params::FAMILY, entry, Geometry::line(blocks, THREADS))
    }

    /// Adds up the partial sums from `from` on into outputs of type `dtype`, by the launch of [`Partials::joined`].
    ///
    /// # Safety
    /// The partial sums are written, and each address, one per sum, names memory for a row of them.
    pub(super) unsafe fn join<C: Carrier>(
        &self,
        carrier: &C,
        launch: &Launch<'_>,
        (from, to): (u64, &[u64]),
        dtype: DType,
    ) -> Result<()> {
        let mut params = Params {
            partials: from,
            groups: self.groups as u64,
            length: self.length as u64,
            sums: to.len() as u32,
            dtype: dtype as u32,
            to: [0; MOST],
        };
        params.to[..to.len()].copy_from_slice(to);
        // SAFETY: the parameter is the entry's; the rest is the caller's promise.
        unsafe { carrier.start(launch, &params) }
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
pub(super) unsafe fn by_elements<C: Carrier>(carrier: &C, task: &Task<'_>) -> Result<()> {
    let mut program = task.program.clone();
    let mut outputs = task.outputs.clone();
    let along: usize = task.row.iter().product();
    let count = task.outer.iter().product::<usize>() * along;
    let mut memory: Vec<(usize, C::Memory<'_>)> = Vec::new();
    let sums = program.outputs.iter_mut().enumerate();
    for (k, output) in sums.filter(|(_, o)| o.role == Yield::RowSum) {
        output.role = Yield::Element;
        let (scratch, address) = carrier.memory(count.max(1) * output.dtype.size())?;
        outputs[k] = Slot {
            address: address as *mut u8,
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
    unsafe { super::super::kernel::run(carrier, &whole)? };
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
        unsafe { super::run::Machine::fold(&super::By(carrier), &sum)? };
    }
    Ok(())
}
