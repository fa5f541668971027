//! One launch of a form where one kernel can compute it; else several, of parts of the form or of its index space.

use super::kernel::{self, Operands};
use super::parts;
use crate::codegen::form::Form;
use crate::plan::Carrier;
use crate::plan::indices;
use crate::plan::operand::{Source, Span};
use crate::plan::straight::Straight;
use crate::plan::walked::{Unwalkable, Walked};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::{DType, Error, Result};

/// Runs a form over the index space `dims`.
///
/// # Safety
/// The operands name live memory that fits their strides over `dims`, as [`syntonic_core::Device::run`] says.
pub(super) unsafe fn run<C: Carrier>(
    carrier: &C,
    form: &Form,
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    dims: &[usize],
) -> Result<()> {
    if !kernel::is_whole(form) {
        // SAFETY: the caller's promise.
        return unsafe { parts::run(carrier, form, sources, outputs, dims) };
    }
    let straight = Straight::of(sources, outputs, dims).filter(Straight::is_in_vectors);
    if let Some(straight) = straight
        && let Some(params) = straight.params()
    {
        let operands = Operands::Straight(&straight);
        // SAFETY: the kernel takes this parameter, and the caller vouches for the memory.
        return unsafe { carrier.start_map(form, operands, &params) };
    }
    let most = kernel::most_elements(form);
    match Walked::of(sources, outputs, dims, most) {
        Ok(walked) => {
            let operands = Operands::Walked(&walked);
            // SAFETY: as above.
            unsafe { carrier.start_map(form, operands, &walked.params) }
        }
        Err(why) => {
            // SAFETY: the caller's promise.
            unsafe { otherwise(carrier, form, sources, outputs, dims, why) }
        }
    }
}

/// Runs a form over a space that no kernel walks.
///
/// # Safety
/// As [`run`].
unsafe fn otherwise<C: Carrier>(
    carrier: &C,
    form: &Form,
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    dims: &[usize],
    why: Unwalkable,
) -> Result<()> {
    let is_far = |(source, _): &(Source, DType)| match source {
        Source::Index(span) => span.reach(dims) > i32::MAX as usize,
        Source::Tensor(_) | Source::Number(_) => false,
    };
    if why == Unwalkable::Large && sources.iter().any(is_far) {
        let mut sources = sources.to_vec();
        let _memory = indices::write(carrier, &mut sources, dims)?;
        // SAFETY: the caller's promise; the numbers are in memory that lives until the work is on its way.
        return unsafe { run(carrier, form, &sources, outputs, dims) };
    }
    let Some(axis) = why.axis(sources, outputs, dims) else {
        // SAFETY: the caller's promise.
        return unsafe { by_aligned_copies(carrier, form, sources, outputs, dims) };
    };
    let half = dims[axis] / 2;
    for (first, count) in [(0, half), (half, dims[axis] - half)] {
        let mut own: Dims = dims.into();
        own[axis] = count;
        let from = |span: &Span, size: usize| Span {
            address: (span.address)
                .wrapping_add_signed((first as isize * span.strides[axis] * size as isize) as i64),
            strides: span.strides.clone(),
        };
        let sources: Vec<_> = sources
            .iter()
            .map(|(source, dtype)| {
                let own = match source {
                    Source::Tensor(span) => Source::Tensor(from(span, dtype.size())),
                    Source::Index(span) => Source::Index(from(span, 1)),
                    Source::Number(number) => Source::Number(*number),
                };
                (own, *dtype)
            })
            .collect();
        let outputs: Vec<_> = outputs
            .iter()
            .map(|(span, dtype)| (from(span, dtype.size()), *dtype))
            .collect();
        // SAFETY: half of the space that the caller vouches for.
        unsafe { run(carrier, form, &sources, &outputs, &own)? };
    }
    Ok(())
}

/// Runs a form over copies of the complex operands and results that lie at multiples of their parts' size, where no load takes both parts.
///
/// # Safety
/// As [`run`].
unsafe fn by_aligned_copies<C: Carrier>(
    carrier: &C,
    form: &Form,
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    dims: &[usize],
) -> Result<()> {
    let tensors = sources.iter().filter_map(|(source, dtype)| match source {
        Source::Tensor(span) => Some((span, *dtype)),
        Source::Index(_) | Source::Number(_) => None,
    });
    let mut all = tensors.chain(outputs.iter().map(|(span, dtype)| (span, *dtype)));
    if all.any(|(span, dtype)| !dtype.is_complex() && !is_aligned(span, dtype)) {
        let what = "an operand lies at no multiple of its elements' size";
        return Err(Error::value("map", what));
    }
    let mut kept = Vec::new();
    let mut read = Vec::new();
    for (source, dtype) in sources {
        read.push(match source {
            Source::Tensor(span) if !is_aligned(span, *dtype) => {
                let copy = parts::scratch(carrier, &mut kept, *dtype, dims)?;
                // SAFETY: the caller's promise, and scratch of this size.
                unsafe { copy_parts(carrier, span, &copy, *dtype, dims)? };
                (Source::Tensor(copy), *dtype)
            }
            other => (other.clone(), *dtype),
        });
    }
    let mut written = Vec::new();
    for (span, dtype) in outputs {
        written.push(match is_aligned(span, *dtype) {
            true => (span.clone(), *dtype),
            false => (parts::scratch(carrier, &mut kept, *dtype, dims)?, *dtype),
        });
    }
    // SAFETY: as above.
    unsafe { run(carrier, form, &read, &written, dims)? };
    for ((to, dtype), (from, _)) in outputs.iter().zip(&written) {
        if !is_aligned(to, *dtype) {
            // SAFETY: as above.
            unsafe { copy_parts(carrier, from, to, *dtype, dims)? };
        }
    }
    Ok(())
}

fn is_aligned(span: &Span, dtype: DType) -> bool {
    span.address.is_multiple_of(dtype.size() as u64)
}

/// Copies complex elements as pairs of their parts.
///
/// # Safety
/// As [`run`].
unsafe fn copy_parts<C: Carrier>(
    carrier: &C,
    from: &Span,
    to: &Span,
    dtype: DType,
    dims: &[usize],
) -> Result<()> {
    let part = dtype.real();
    let parted = |span: &Span| Span {
        address: span.address,
        strides: (span.strides.iter().map(|s| 2 * s))
            .chain([1])
            .collect::<Strides>(),
    };
    let dims: Dims = dims.iter().copied().chain([2]).collect();
    let form = Form::copy(part);
    let sources = [(Source::Tensor(parted(from)), part)];
    // SAFETY: the same memory, of the caller's.
    unsafe { run(carrier, &form, &sources, &[(parted(to), part)], &dims) }
}
