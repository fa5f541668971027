//! Kernels made for one form, and conversions, over contiguous operands.

use super::form::{Form, Step};
use super::straight::{Kind, Operand, Straight};
use crate::codegen;
use crate::context::{Context, Geometry};
use crate::images;
use crate::name::entry_name;
use syntonic_core::{DType, Result};

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

/// Runs the form by a kernel made for it ahead of time, if there is one; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn launch(context: &Context, form: &Form, operands: &Straight) -> Result<bool> {
    if !matches!(operands.outputs.len(), 1..=2) {
        return Ok(false);
    }
    if let Some(from) = conversion(form)
        && operands.inputs[0].0.kind == Kind::Vector
    {
        // SAFETY: the caller's promise.
        unsafe { convert(context, from, operands)? };
        return Ok(true);
    }
    if operands.inputs.len() > codegen::MOST {
        return Ok(false);
    }
    let entry = codegen::entry(form);
    let known = |family: &&str| images::has_entry(family, &entry);
    let Some(family) = codegen::families(form).find(known) else {
        return Ok(false);
    };
    let schedule = codegen::Schedule::of(form);
    let lanes = schedule.lanes(form);
    // Of what no vector of 16 bytes has as many, the kernel expects a number.
    let fits = |(operand, dtype): &(Operand, DType)| {
        operand.kind == Kind::Number || lanes * dtype.size() <= 16
    };
    if !operands.inputs.iter().all(fits) || !operands.is_aligned(lanes) {
        return Ok(false);
    }
    let function = context.function(family, &entry)?;
    let blocks = operands.count.div_ceil(schedule.elements(form)) as u64;
    let geometry = Geometry::line(blocks, schedule.threads as u32);
    // SAFETY: such a kernel has as many results, and the caller vouches for the memory.
    unsafe {
        match operands.outputs.len() {
            1 => operands.start::<0, { codegen::MOST }>(context, &function, geometry),
            _ => operands.start::<2, { codegen::MOST }>(context, &function, geometry),
        }
    }
}

/// # Safety
/// As [`launch`].
unsafe fn convert(context: &Context, from: DType, operands: &Straight) -> Result<()> {
    let (to, dtype) = operands.outputs[0];
    let params = Conversion {
        from: operands.inputs[0].0.address,
        to,
        count: operands.count as u64,
        dtype: dtype as u32,
        unused: 0,
    };
    let function = context.function("map_cast", &entry_name("cast", &[from], ""))?;
    let blocks = operands.count.div_ceil(THREADS * CONVERTED) as u64;
    // SAFETY: the parameter mirrors the kernel's, and the caller vouches for the memory.
    unsafe { context.launch(&function, Geometry::line(blocks, THREADS as u32), &params) }
}

/// The type that a form which is one conversion reads.
fn conversion(form: &Form) -> Option<DType> {
    match form.values[..] {
        [from, to] if to.step == Step::Cast(0) && form.outputs == [1] => Some(from.dtype),
        _ => None,
    }
}
