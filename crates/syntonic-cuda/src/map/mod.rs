//! Programs without folds: element-wise, over any strides, in one launch.
//!
//! A program becomes a [`form::Form`], and a form a JIT kernel at its first launch: the images hold every primitive and conversion as a
//! piece of PTX, and one text around the pieces of a form is assembled by the driver. No compiler is needed. A form too long for one kernel
//! is computed in parts, and an index space too large for one is halved.

pub(crate) mod each;
pub(crate) mod kernel;
mod launch;
mod parts;
mod samples;
mod schedule;
mod split;
mod stock;
mod straight_text;
#[cfg(test)]
mod tests;
mod walk_text;

pub(crate) use kernel::{Kernel, Operands};
pub(crate) use samples::texts;
pub use stock::Named;
pub(crate) use stock::stock;

use crate::codegen::form::{self, Form, Step};
use crate::moves::{Strided, copy};
use crate::plan::Carrier;
use crate::plan::operand::{Source, Span};
use syntonic_core::fuse::{Op, Task};
use syntonic_core::layout::Dims;
use syntonic_core::{DType, Error, Result, Scalar};

/// Runs a program without folds.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn run<C: Carrier>(carrier: &C, task: &Task<'_>) -> Result<()> {
    let dims: Dims = task.outer.iter().chain(&task.row).copied().collect();
    if dims.contains(&0) || task.outputs.is_empty() {
        return Ok(());
    }
    let Some(form) = Form::of(task.program) else {
        return Err(Error::value("run", format!("{} folds", task.program.name)));
    };
    let sources = sources(task, &form)?;
    let outputs: Vec<(Span, DType)> = task
        .outputs
        .iter()
        .zip(&task.program.outputs)
        .map(|(slot, output)| (Span::of(slot), output.dtype))
        .collect();
    let form = if sources.iter().all(is_tensor) {
        as_copied(form)
    } else {
        form
    };
    let sources: Vec<(Source, DType)> = sources
        .into_iter()
        .zip(form.leaves().map(|l| l.2))
        .collect();
    let outputs: Vec<(Span, DType)> = outputs
        .into_iter()
        .zip(&form.outputs)
        .map(|((span, _), &o)| (span, form.values[o as usize].dtype))
        .collect();
    // SAFETY: the operands are the task's, for which the caller vouches.
    unsafe {
        if copied(carrier, &form, &sources, &outputs, &dims)? {
            return Ok(());
        }
        launch::run(carrier, &form, &sources, &outputs, &dims)
    }
}

/// Runs a form that only copies, where a copy of runs or a tiled transpose fits; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
unsafe fn copied<C: Carrier>(
    carrier: &C,
    form: &Form,
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    dims: &[usize],
) -> Result<bool> {
    let [
        form::Value {
            step: Step::Leaf(_),
            dtype,
            ..
        },
    ] = form.values[..]
    else {
        return Ok(false);
    };
    let ([(Source::Tensor(from), _)], [(to, _)]) = (sources, outputs) else {
        return Ok(false);
    };
    let [to, from] = [to, from].map(|span| Strided {
        address: span.address,
        strides: &span.strides,
    });
    // SAFETY: the operands are the task's, for which the caller vouches.
    unsafe { copy(carrier, dtype.size(), dims, to, from) }
}

/// What each operand of the form is.
fn sources(task: &Task<'_>, form: &Form) -> Result<Vec<Source>> {
    let dims: Dims = task.outer.iter().chain(&task.row).copied().collect();
    let number = |k: u16| {
        task.params.get(usize::from(k)).copied().ok_or_else(|| {
            let what = format!(
                "{} needs more numbers than {}",
                task.program.name,
                task.params.len()
            );
            Error::value("run", what)
        })
    };
    form.leaves()
        .map(|(_, node, dtype)| {
            Ok(match task.program.nodes[node as usize].op {
                Op::Input(k) => Source::Tensor(Span::of(&task.inputs[usize::from(k)])),
                Op::Index(k) => {
                    let slot = &task.inputs[usize::from(k)];
                    let span = Span::of(slot);
                    match span.repeats(&dims) {
                        true => Source::Number(Scalar::Int(i128::from(slot.start()))),
                        false => Source::Index(span),
                    }
                }
                Op::Param(k) => Source::Number(number(k)?.cast(dtype)),
                Op::Const(value) => Source::Number(value.cast(dtype)),
                _ => Source::Number(
                    Scalar::Int(task.row.iter().product::<usize>() as i128).cast(dtype),
                ),
            })
        })
        .collect()
}

fn is_tensor(source: &Source) -> bool {
    matches!(source, Source::Tensor(_))
}

/// A form that only moves elements, in a type of the same size whose values have one representation each.
fn as_copied(mut form: Form) -> Form {
    let moves = form.values.iter().all(|v| matches!(v.step, Step::Leaf(_)));
    if moves {
        for value in &mut form.values {
            value.dtype = match value.dtype.size() {
                1 => DType::U8,
                // Two of them move in a word.
                2 => DType::F16,
                4 => DType::I32,
                8 => DType::I64,
                _ => DType::C128,
            };
        }
    }
    form
}
