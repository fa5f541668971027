//! Kernels made for one form, and conversions, over contiguous operands.

use super::form::{Form, Step};
use super::operand::{Source, Span, bits};
use crate::codegen;
use crate::context::{Context, Geometry};
use crate::images;
use crate::name::entry_name;
use crate::walk::Space;
use syntonic_core::layout::Strides;
use syntonic_core::{DType, Result};

const VECTOR: u32 = 0;
const SCALAR: u32 = 1;
const NUMBER: u32 = 2;

/// As `map::Operand`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Operand {
    address: u64,
    kind: u32,
    unused: u32,
    bits: [u64; 2],
}
const _: () = assert!(size_of::<Operand>() == 32);

/// As `map::Params`; a kernel of fewer operands takes the first of them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Params {
    out: u64,
    count: u64,
    inputs: [Operand; codegen::MOST],
}

/// As `map::PairParams`: two results.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct PairParams {
    out: u64,
    count: u64,
    other: u64,
    unused: u64,
    inputs: [Operand; codegen::MOST],
}

/// As `conversion::Params`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Conversion {
    from: u64,
    to: u64,
    count: u64,
    dtype: u32,
    unused: u32,
}
const _: () = assert!(size_of::<Conversion>() == 32);

const THREADS: usize = 256;
/// Elements of a thread that converts.
const CONVERTED: usize = 4;

/// The operands as they are in memory, the results first, if all are contiguous in one order, or one element.
fn straight(
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    dims: &[usize],
) -> Option<(Vec<isize>, usize)> {
    let mut strides: Vec<&Strides> = outputs.iter().map(|(span, _)| &span.strides).collect();
    for (source, _) in sources {
        if let Source::Tensor(span) = source {
            strides.push(&span.strides);
        }
    }
    let views: Vec<&[isize]> = strides.iter().map(|s| &s[..]).collect();
    let space = Space::sorted(dims, &views, 0);
    let ready = |k: usize| space.is_contiguous(k) || (k >= outputs.len() && space.repeats(k));
    (0..views.len())
        .all(ready)
        .then(|| (space.bases.clone(), space.len()))
}

/// Runs the form by a kernel made for it, if there is one and the operands lie as it wants them; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn launch(
    context: &Context,
    form: &Form,
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    dims: &[usize],
) -> Result<bool> {
    let (Some((output, dtype)), 1..=2) = (outputs.first(), outputs.len()) else {
        return Ok(false);
    };
    let Some((bases, count)) = straight(sources, outputs, dims) else {
        return Ok(false);
    };
    if let Some(from) = conversion(form)
        && let (Source::Tensor(span), _) = &sources[0]
        && !span.repeats(dims)
    {
        let at = |span: &Span, base: isize, dtype: DType| {
            span.address
                .wrapping_add_signed((base * dtype.size() as isize) as i64)
        };
        let params = Conversion {
            from: at(span, bases[1], from),
            to: at(output, bases[0], *dtype),
            count: count as u64,
            dtype: *dtype as u32,
            unused: 0,
        };
        let function = context.function("map_cast", &entry_name("cast", &[from], ""))?;
        let blocks = count.div_ceil(THREADS * CONVERTED) as u64;
        // SAFETY: the parameter mirrors the kernel's, and the caller vouches for the memory.
        unsafe { context.launch(&function, Geometry::line(blocks, THREADS as u32), &params)? };
        return Ok(true);
    }
    if sources.len() > codegen::MOST {
        return Ok(false);
    }
    let entry = codegen::entry(form);
    let known = |family: &&str| images::has_entry(family, &entry);
    let Some(family) = codegen::families(form).find(known) else {
        return Ok(false);
    };
    let Some((params, to)) = params(sources, outputs, &bases, count, dims) else {
        return Ok(false);
    };
    let function = context.function(family, &entry)?;
    let schedule = codegen::Schedule::of(form);
    let blocks = count.div_ceil(schedule.elements(form)) as u64;
    let geometry = Geometry::line(blocks, schedule.threads as u32);
    match to[..] {
        [_, other] => {
            let Params { out, count, inputs } = params;
            let pair = PairParams {
                out,
                count,
                other,
                unused: 0,
                inputs,
            };
            // SAFETY: as above.
            unsafe { context.launch(&function, geometry, &pair)? };
        }
        // SAFETY: as above.
        _ => unsafe { context.launch(&function, geometry, &params)? },
    }
    Ok(true)
}

/// The type that a form which is one conversion reads.
fn conversion(form: &Form) -> Option<DType> {
    match form.values[..] {
        [from, to] if to.step == Step::Cast(0) && form.outputs == [1] => Some(from.dtype),
        _ => None,
    }
}

/// The parameter, and where the results go; nothing where a vector would not be aligned.
fn params(
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    bases: &[isize],
    count: usize,
    dims: &[usize],
) -> Option<(Params, Vec<u64>)> {
    let all = sources.iter().map(|(_, d)| d);
    let sizes = all.chain(outputs.iter().map(|(_, d)| d)).map(|d| d.size());
    let lanes = 16 / sizes.max()?;
    let address = |span: &Span, base: isize, dtype: DType| {
        let at = span
            .address
            .wrapping_add_signed((base * dtype.size() as isize) as i64);
        at.is_multiple_of((lanes * dtype.size()) as u64)
            .then_some(at)
    };
    let places = outputs.iter().zip(bases);
    let to: Vec<u64> = places
        .map(|((span, dtype), &base)| address(span, base, *dtype))
        .collect::<Option<_>>()?;
    let mut params = Params {
        out: to[0],
        count: count as u64,
        inputs: [Operand::default(); codegen::MOST],
    };
    let mut base = bases[outputs.len()..].iter();
    for (to, (source, dtype)) in params.inputs.iter_mut().zip(sources) {
        *to = match source {
            Source::Number(value) => Operand {
                kind: NUMBER,
                bits: bits(*value, *dtype),
                ..Operand::default()
            },
            Source::Tensor(span) => {
                let base = *base.next()?;
                let scalar = span.repeats(dims);
                let at = span
                    .address
                    .wrapping_add_signed((base * dtype.size() as isize) as i64);
                let aligned = at.is_multiple_of(dtype.size() as u64);
                Operand {
                    kind: if scalar { SCALAR } else { VECTOR },
                    address: if scalar && aligned {
                        at
                    } else {
                        address(span, base, *dtype)?
                    },
                    ..Operand::default()
                }
            }
        };
    }
    Some((params, to))
}
