//! A form too long for one kernel, in several launches.

use super::kernel::is_whole;
use super::{as_copied, is_tensor, launch, split};
use crate::codegen::form::Form;
use crate::plan::Carrier;
use crate::plan::operand::{Source, Span};
use syntonic_core::layout::Strides;
use syntonic_core::{DType, Error, Result};

/// Runs a form in several launches.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(super) unsafe fn run<C: Carrier>(
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
        let part = longest(form, start);
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
            unsafe { launch::run(carrier, &part.form, &operands, &results, dims)? };
        }
        start = part.end;
    }
    // Results that are not in their outputs yet: copies, operands themselves, and results of earlier parts.
    for (&value, (span, dtype)) in form.outputs.iter().zip(outputs) {
        let (source, _) = &operands(form, &[value], &known)?[0];
        if matches!(source, Source::Tensor(at) if at.address == span.address) {
            continue;
        }
        let mut copy = Form::copy(*dtype);
        if is_tensor(source) {
            copy = as_copied(copy);
        }
        let dtype = copy.values[0].dtype;
        let from = [(source.clone(), dtype)];
        // SAFETY: as above.
        unsafe { launch::run(carrier, &copy, &from, &[(span.clone(), dtype)], dims)? };
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

/// The longest part from `start` that one kernel computes.
fn longest(form: &Form, start: u32) -> split::Part {
    let fits = |part: &split::Part| part.results.is_empty() || is_whole(&part.form);
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
pub(super) fn scratch<'a, C: Carrier>(
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
