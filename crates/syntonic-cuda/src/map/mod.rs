//! Programs without folds: element-wise, over any strides, in one launch.
//!
//! A program becomes a [`form::Form`]. Contiguous operands go to the kernel of that form, if there is one: compiled ahead of
//! time, or by the JIT. All else is bytecode for an interpreter, and a form too long for one launch is split into several.

mod code;
mod contiguous;
mod general;
pub(crate) mod jit;
mod launch;
mod split;
#[cfg(test)]
mod tests;

use crate::codegen::CLASSES;
use crate::codegen::form::{self, Form, Step};
use crate::moves::{Strided, copy};
use crate::plan::Carrier;
use crate::plan::indices;
use crate::plan::operand::{Source, Span};
use crate::plan::straight::{INPUTS, Straight};
use code::{Class, Code};
use launch::Operands;
use syntonic_core::fuse::{Op, Task};
use syntonic_core::layout::{Dims, Strides};
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
    let mut sources: Vec<(Source, DType)> = sources
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
        let straight = Straight::of(&sources, &outputs, &dims);
        let is_index = |(source, _): &(Source, DType)| matches!(source, Source::Index(_));
        let has_memory = !sources.iter().any(is_index);
        if let Some(straight) = &straight
            && (has_memory && contiguous::launch(carrier, &form, straight)?
                || carrier.made(&form, straight)?)
        {
            return Ok(());
        }
        let in_vectors = straight.is_some_and(|straight| straight.is_in_vectors());
        if !in_vectors && carrier.walked(&form, &sources, &outputs, &dims)? {
            return Ok(());
        }
        let _memory = indices::write(carrier, &mut sources, &dims)?;
        interpret(carrier, &form, &sources, &outputs, &dims)
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
                2 => DType::U16,
                4 => DType::I32,
                8 => DType::I64,
                _ => DType::C128,
            };
        }
    }
    form
}

/// The bytecode of a form whose operand `i` varies where `tensors[i]`: of the first class that can express it.
fn encode(form: &Form, tensors: &[bool], shared_limit: u32) -> Option<Code> {
    let light = CLASSES.into_iter().find_map(|class| {
        let most = launch::most_slots(shared_limit, Class::Light(class));
        code::encode(form, class, tensors, most)
    });
    light.or_else(|| {
        let most = launch::most_slots(shared_limit, Class::General);
        general::encode(form, tensors, most)
    })
}

/// Runs a form as bytecode.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
unsafe fn interpret<C: Carrier>(
    carrier: &C,
    form: &Form,
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    dims: &[usize],
) -> Result<()> {
    let varies: Vec<bool> = sources
        .iter()
        .map(|(s, _)| matches!(s, Source::Tensor(span) if !span.repeats(dims)))
        .collect();
    let within = sources.iter().filter(|(s, _)| is_tensor(s)).count() <= INPUTS;
    if let Some(code) = encode(form, &varies, carrier.limits().shared).filter(|_| within) {
        let operands = Operands { sources, outputs };
        // SAFETY: the caller's promise.
        return unsafe { launch::launch(carrier, &code, &operands, dims) };
    }
    // SAFETY: the caller's promise.
    unsafe { in_parts(carrier, form, sources, outputs, dims) }
}

/// Runs a form in several launches.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
unsafe fn in_parts<C: Carrier>(
    carrier: &C,
    form: &Form,
    sources: &[(Source, DType)],
    outputs: &[(Span, DType)],
    dims: &[usize],
) -> Result<()> {
    let mut known: Vec<Option<Source>> = vec![None; form.values.len()];
    for ((k, _, _), (source, _)) in form.leaves().zip(sources) {
        known[k as usize] = Some(source.clone());
    }
    let mut kept: Vec<C::Memory<'_>> = Vec::new();
    let (mut start, end) = (0, form.values.len() as u32);
    while start < end {
        let part = longest(form, start, &known, dims, carrier.limits().shared);
        let mut results = Vec::new();
        for &value in &part.results {
            let dtype = form.values[value as usize].dtype;
            let place = form.outputs.iter().position(|&o| o == value);
            let span = match place {
                // An output may alias an input that a later part still reads: only the last part writes in place.
                Some(k) if part.end == end => outputs[k].0.clone(),
                _ => scratch(carrier, &mut kept, dtype, dims)?,
            };
            known[value as usize] = Some(Source::Tensor(span.clone()));
            results.push((span, dtype));
        }
        if !results.is_empty() {
            let operands = operands(form, &part.operands, &known)?;
            // SAFETY: the operands are the caller's or scratch of this size.
            unsafe { interpret(carrier, &part.form, &operands, &results, dims)? };
        }
        start = part.end;
    }
    // Results that are not in their outputs yet: copies, operands themselves, and results of earlier parts.
    for (&value, (span, dtype)) in form.outputs.iter().zip(outputs) {
        let (source, _) = &operands(form, &[value], &known)?[0];
        if matches!(source, Source::Tensor(at) if at.address == span.address) {
            continue;
        }
        let copy = Form {
            values: vec![form::Value {
                step: Step::Leaf(0),
                dtype: *dtype,
            }],
            outputs: vec![0],
        };
        let copy = if is_tensor(source) {
            as_copied(copy)
        } else {
            copy
        };
        let dtype = copy.values[0].dtype;
        let from = [(source.clone(), dtype)];
        // SAFETY: as above.
        unsafe { interpret(carrier, &copy, &from, &[(span.clone(), dtype)], dims)? };
    }
    Ok(())
}

fn operands(form: &Form, values: &[u32], known: &[Option<Source>]) -> Result<Vec<(Source, DType)>> {
    values
        .iter()
        .map(|&k| match &known[k as usize] {
            Some(source) => Ok((source.clone(), form.values[k as usize].dtype)),
            None => Err(Error::value(
                "run",
                "a part of a program has no operand".to_owned(),
            )),
        })
        .collect()
}

/// The longest part from `start` that one launch can run.
fn longest(
    form: &Form,
    start: u32,
    known: &[Option<Source>],
    dims: &[usize],
    shared_limit: u32,
) -> split::Part {
    let fits = |part: &split::Part| {
        let sources = part.operands.iter().map(|&k| known[k as usize].as_ref());
        let varies: Vec<bool> = sources
            .map(|s| matches!(s, Some(Source::Tensor(span)) if !span.repeats(dims)))
            .collect();
        part.results.is_empty()
            || (part.operands.len() <= INPUTS
                && encode(&part.form, &varies, shared_limit).is_some())
    };
    let (mut good, mut bad) = (start + 1, form.values.len() as u32 + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if fits(&split::part(form, start, middle)) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    split::part(form, start, good)
}

/// Memory for a value between two launches.
fn scratch<'a, C: Carrier>(
    carrier: &'a C,
    kept: &mut Vec<C::Memory<'a>>,
    dtype: DType,
    dims: &[usize],
) -> Result<Span> {
    let count: usize = dims.iter().product();
    let (memory, address) = carrier.memory(count * dtype.size())?;
    kept.push(memory);
    let mut strides = Strides::from_elem(1, dims.len());
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = strides[axis] * dims[axis] as isize;
    }
    Ok(Span { address, strides })
}
