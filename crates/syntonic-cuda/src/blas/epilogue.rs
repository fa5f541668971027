//! Epilogues in two steps: the sums, then their program as one element-wise task.

use crate::context::Context;
use crate::kernel;
use syntonic_core::device::{Arg, End};
use syntonic_core::fuse::{Op, Task, Typed, TypedNode};
use syntonic_core::layout::Layout;
use syntonic_core::ops::linalg::Contraction;
use syntonic_core::{DType, Result};

/// Computes the sums in the result, or beside it where they are of another type, and then runs the epilogue. Sums that the epilogue reads
/// rounded to the result's type alone are computed in that type.
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
            run(context, &end.program, &end.operands, asked.out, asked.out)
        };
    }
    if let Some(program) = over_rounded(&end.program, asked.dtype(), asked.out.dtype)
        && !asked.beta.to_bool()
    {
        // SAFETY: as above; the sums are of the result's type, which is that of the factors.
        return unsafe {
            super::multiply(context, &asked.sums(asked.out))?;
            run(context, &program, &end.operands, asked.out, asked.out)
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
        run(context, &end.program, &end.operands, &sums, asked.out)
    }
}

/// The program of an epilogue over sums of the half type `out`, where it reads them rounded to that alone and the factors are of it.
fn over_rounded(program: &Typed, factors: DType, out: DType) -> Option<Typed> {
    if !out.is_half() || factors != out {
        return None;
    }
    let is_sums = |k: u32| program.nodes[k as usize].op == Op::Input(0);
    let rounds = |n: &TypedNode| matches!(n.op, Op::Cast(k) if is_sums(k)) && n.dtype == out;
    let reads = |n: &TypedNode| n.operands().iter().any(|&k| is_sums(k));
    let bare = program.outputs.iter().any(|output| is_sums(output.node));
    let others = program.nodes.iter().any(|n| reads(n) && !rounds(n));
    if bare || others || !program.nodes.iter().any(rounds) {
        return None;
    }
    let mut rounded = program.clone();
    for (node, new) in program.nodes.iter().zip(&mut rounded.nodes) {
        if rounds(node) || node.op == Op::Input(0) {
            (new.op, new.dtype) = (Op::Input(0), out);
        }
    }
    *rounded.inputs.first_mut()? = out;
    Some(rounded)
}

/// Runs the program of an end over sums that are in memory.
///
/// # Safety
/// The operands of the epilogue, the sums and the result are live and of one shape.
pub(super) unsafe fn run(
    context: &Context,
    program: &Typed,
    operands: &[Arg],
    sums: &Arg,
    out: &Arg,
) -> Result<()> {
    let task = Task::over(program, [sums].into_iter().chain(operands), out);
    // SAFETY: the caller's promise.
    unsafe { kernel::run(context, &task) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::fuse::{Builder, Precision, Prim, Role, Yield, lower};

    /// A function of the product, rounded first or not, plus a bias.
    fn program(rounds: bool) -> Typed {
        let mut b = Builder::new();
        let [sums, bias] = ["product", "bias"].map(|name| b.input(name, Role::Element));
        let product = match rounds {
            true => b.cast(DType::BF16, sums),
            false => sums,
        };
        let sum = b.apply(Prim::Add, &[product, bias]);
        let out = b.cast(DType::BF16, sum);
        b.output(out, Yield::Element);
        lower(
            &b.finish("end", Precision::Wide),
            &[DType::F32, DType::BF16],
        )
        .unwrap()
    }

    #[test]
    fn sums_that_are_rounded_first_are_computed_so() {
        let rounded = over_rounded(&program(true), DType::BF16, DType::BF16).unwrap();
        assert_eq!(rounded.inputs, [DType::BF16; 2]);
        let reads = rounded.nodes.iter().filter(|n| n.op == Op::Input(0));
        assert!(reads.clone().count() > 0 && reads.clone().all(|n| n.dtype == DType::BF16));
        let none = |rounds, factors, out| {
            assert_eq!(over_rounded(&program(rounds), factors, out), None);
        };
        none(false, DType::BF16, DType::BF16);
        none(true, DType::F16, DType::F16);
        none(true, DType::F32, DType::F32);
        // No library has such a product.
        none(true, DType::F32, DType::BF16);
    }
}
