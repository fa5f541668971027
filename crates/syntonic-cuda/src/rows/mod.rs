//! Programs with folds.
//!
//! One fold of one input runs as it is, and so does a variance. Every other program gets JIT kernels ([`jit`]), or is split into
//! maps and folds where there can be none.

mod arrange;
mod even;
mod fold;
mod geometry;
pub(crate) mod jit;
mod plain;
mod run;
mod split;
#[cfg(test)]
mod split_tests;
mod sums;
mod variance;

use crate::contract::{Contract, Declaration};
use crate::plan::Carrier;
use crate::plan::indices::in_memory;
use fold::FoldTask;
use syntonic_core::Result;
use syntonic_core::fuse::{Fold, Indices, Task};

/// Runs a program with folds.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn run<C: Carrier>(carrier: &C, task: &Task<'_>) -> Result<()> {
    if let (Some(fold), [input], [output]) = (
        plain::plain_fold(task.program),
        &task.inputs[..],
        &task.outputs[..],
    ) {
        let fold = FoldTask {
            fold,
            variance: None,
            dtype: task.program.inputs[0],
            result: task.program.outputs[0].dtype,
            outer: &task.outer,
            row: &task.row,
            input: input.clone(),
            output: output.clone(),
        };
        // SAFETY: the caller's promise.
        return unsafe {
            if is_swept(task)
                && !fold::is_even(&fold, carrier.limits())
                && carrier.jit_rows(task)?
            {
                return Ok(());
            }
            run::Machine::fold(&By(carrier), &fold)
        };
    }
    if let Some(variance) = variance::of(task) {
        let fold = FoldTask {
            fold: Fold::Sum,
            variance: Some(variance),
            dtype: task.program.inputs[0],
            result: task.program.outputs[0].dtype,
            outer: &task.outer,
            row: &task.row,
            input: task.inputs[0].clone(),
            output: task.outputs[0].clone(),
        };
        // SAFETY: the caller's promise.
        return unsafe { run::Machine::fold(&By(carrier), &fold) };
    }
    // SAFETY: the caller's promise.
    unsafe {
        if carrier.jit_rows(task)? {
            return Ok(());
        }
        if task.program.indices() != Indices::default() {
            return in_memory(carrier, task, |task| run(carrier, task));
        }
        if sums::is_summed(task) {
            return sums::by_elements(carrier, task);
        }
        run::run(&By(carrier), task)
    }
}

/// Elements from which on a fold of columns is worth a kernel made for it.
const COLUMNS: usize = 1 << 16;

/// True for a fold of many strided rows whose neighbours are contiguous: but for even ones, kernels compiled ahead of time read columns
/// element by element.
fn is_swept(task: &Task<'_>) -> bool {
    let slot = &task.inputs[0];
    let moving = |axes: &[usize], strides: &[isize]| {
        let each = axes.iter().zip(strides).filter(|(n, _)| **n > 1);
        each.fold((1usize, false), |(count, beside), (&n, &s)| {
            (count.saturating_mul(n), beside || s.unsigned_abs() == 1)
        })
    };
    let (rows, beside) = moving(&task.outer, &slot.outer);
    let (length, along) = moving(&task.row, &slot.row);
    // Beside an axis of length 0 others may be of any length.
    let empty = task.outer.contains(&0) || task.row.contains(&0);
    !empty && beside && !along && rows.saturating_mul(length) >= COLUMNS
}

/// Runs maps and folds as kernels.
struct By<'a, C>(&'a C);

impl<'a, C: Carrier> run::Machine for By<'a, C> {
    type Memory = C::Memory<'a>;

    fn memory(&self, bytes: usize) -> Result<(C::Memory<'a>, *mut u8)> {
        let (memory, address) = self.0.memory(bytes)?;
        Ok((memory, address as *mut u8))
    }

    unsafe fn map(&self, task: &Task<'_>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { crate::map::run(self.0, task) }
    }

    unsafe fn fold(&self, task: &FoldTask<'_>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            if fold::is_too_rugged(task) {
                run::fold_of_copy(self, task)
            } else {
                fold::run(self.0, task)
            }
        }
    }
}

/// The parameters of the kernels here.
pub(crate) fn contracts() -> Vec<Declaration> {
    vec![
        // few: one a struct.
        fold::RowsParams::declaration(),
        fold::JoinParams::declaration(),
        fold::ColumnsParams::declaration(),
        even::EvenRows::declaration(),
        even::EvenColumns::declaration(),
        fold::VarianceParams::<fold::RowsParams>::declaration(),
        fold::VarianceParams::<fold::JoinParams>::declaration(),
        fold::VarianceParams::<fold::ColumnsParams>::declaration(),
        fold::VarianceParams::<even::EvenRows>::declaration(),
        fold::VarianceParams::<even::EvenColumns>::declaration(),
        sums::Params::declaration(),
        Declaration::constant("row_sums", "ROW_SUMS", sums::MOST as i32),
        Declaration::constant("row_sums", "ROW_SUMS_ACROSS", sums::ACROSS as u32),
        Declaration::constant("row_sums", "ROW_SUMS_THREADS", sums::THREADS),
    ]
}
