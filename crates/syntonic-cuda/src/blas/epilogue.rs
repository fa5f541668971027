//! Epilogues in two steps: the sums, then their program as one element-wise task.

use crate::context::Context;
use crate::kernel;
use syntonic_core::Result;
use syntonic_core::device::{Arg, End};
use syntonic_core::fuse::{Slot, Task};
use syntonic_core::layout::{Dims, Layout, Strides};
use syntonic_core::ops::linalg::Contraction;

/// Computes the sums in the result, or beside it where they are of another type, and then runs the epilogue.
///
/// # Safety
/// As [`super::matmul`].
pub(super) unsafe fn multiply(context: &Context, asked: &Contraction<'_>, end: &End) -> Result<()> {
    let shape = asked.out.layout.shape();
    if asked.in_place() {
        // SAFETY: the caller's promise; in place, the program reads what it writes.
        return unsafe {
            super::multiply(context, &asked.sums(asked.out))?;
            if end.is_nothing() {
                return Ok(());
            }
            run(context, end, asked.out, asked.out)
        };
    }
    let bytes = asked.out.layout.numel() * asked.sum_dtype().size();
    let scratch = context.scratch(bytes)?;
    let sums = Arg {
        base: scratch.address() as *mut u8,
        dtype: asked.sum_dtype(),
        layout: Layout::contiguous("matmul", shape)?,
    };
    // SAFETY: the scratch has room for the sums and lives until both are launched.
    unsafe {
        super::multiply(context, &asked.sums(&sums))?;
        run(context, end, &sums, asked.out)
    }
}

/// # Safety
/// The operands of the epilogue, the sums and the result are live and of one shape.
unsafe fn run(context: &Context, end: &End, sums: &Arg, out: &Arg) -> Result<()> {
    let slot = |arg: &Arg| Slot {
        address: arg.address(),
        outer: arg.layout.strides().into(),
        row: Strides::new(),
    };
    let task = Task {
        program: &end.program,
        outer: out.layout.shape().into(),
        row: Dims::new(),
        inputs: std::iter::once(sums)
            .chain(&end.operands)
            .map(slot)
            .collect(),
        outputs: vec![slot(out)],
        params: &[],
    };
    // SAFETY: the caller's promise.
    unsafe { kernel::run(context, &task) }
}
