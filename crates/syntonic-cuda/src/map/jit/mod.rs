//! JIT kernels for maps that run repeatedly.
//!
//! No compiler is needed: the images hold every primitive as a piece of PTX, made by the compiler that made the bytecode
//! interpreters. A kernel is one text around the pieces of its program, which the driver assembles in some ten milliseconds,
//! on a thread of its own. So its results have the bits of bytecode, and launches never wait for it.

mod compile_queue;
mod program;
mod samples;
#[cfg(test)]
mod tests;
mod text;
mod walk_text;

pub(crate) use compile_queue::CompileQueue;
pub use compile_queue::{JitCounts, JitMode};
pub(crate) use samples::texts;

use crate::codegen::form::Form;
use crate::context::{Context, Geometry};
use crate::plan::operand::{Source, Span};
use crate::plan::straight::{MADE, OUTPUTS, Straight};
use crate::plan::walked::Walked;
use program::Operands;
use syntonic_core::{DType, Result};

/// Fewer elements are not worth a kernel: however they are computed, they take as long as a launch.
const ELEMENTS: usize = 1 << 12;

/// True where so many elements are to be computed by a kernel of their own.
fn is_wanted(context: &Context, elements: usize) -> bool {
    match context.compile_queue.mode() {
        JitMode::Auto => elements >= ELEMENTS,
        JitMode::Always => true,
        JitMode::Never => false,
    }
}

/// Runs the form by its JIT kernel, if that is ready; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn launch(context: &Context, form: &Form, operands: &Straight) -> Result<bool> {
    if !is_wanted(context, operands.count)
        || operands.inputs.len() > MADE
        || operands.outputs.len() > OUTPUTS
    {
        return Ok(false);
    }
    let Some(ready) = context
        .compile_queue
        .ready(form, Operands::Straight(operands))
    else {
        return Ok(false);
    };
    if !operands.is_aligned(ready.spread.lanes) {
        return Ok(false);
    }
    let blocks = operands.count.div_ceil(ready.spread.elements()) as u64;
    let geometry = Geometry::line(blocks, ready.spread.threads as u32);
    let Some(params) = operands.params::<OUTPUTS, MADE>() else {
        return Ok(false);
    };
    // SAFETY: JIT kernels take this parameter, and the caller vouches for the memory.
    unsafe { context.launch(&ready.function, geometry, &params)? };
    Ok(true)
}

/// Runs the form over operands in any layout by its JIT kernel, if that is ready; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn walk(
    context: &Context,
    form: &Form,
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    dims: &[usize],
) -> Result<bool> {
    if !is_wanted(context, dims.iter().product()) {
        return Ok(false);
    }
    let most = program::most_elements(form);
    let Some(walked) = Walked::of(sources, outputs, dims, most) else {
        return Ok(false);
    };
    let Some(ready) = (context.compile_queue).ready(form, Operands::Walked(&walked)) else {
        return Ok(false);
    };
    let elements = ready.spread.threads * ready.spread.vectors;
    let blocks = walked.units.div_ceil(elements) as u64;
    let geometry = Geometry::line(blocks, ready.spread.threads as u32);
    // SAFETY: the kernel was made for such a walk and takes this parameter; the caller vouches for the memory.
    unsafe { context.launch(&ready.function, geometry, &walked.params)? };
    Ok(true)
}
