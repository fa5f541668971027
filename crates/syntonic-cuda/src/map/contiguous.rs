//! Kernels compiled ahead of time for one form, and conversions, over contiguous operands.

use crate::codegen;
use crate::codegen::form::{Form, Step};
use crate::context::Geometry;
use crate::images;
use crate::plan::straight::{Kind, Operand, Straight};
use crate::plan::{Carrier, Launch};
use crate::ptx::name::entry_name;
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
/// Elements per thread of a conversion.
const CONVERTED: usize = 4;

/// A kernel compiled ahead of time, and its parameter.
enum Ready {
    /// One conversion.
    Conversion(Conversion, Launch<'static>),
    /// Any other form.
    Form(Launch<'static>),
}

/// Runs the form by its kernel compiled ahead of time, if there is one; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn launch<C: Carrier>(
    carrier: &C,
    form: &Form,
    operands: &Straight,
) -> Result<bool> {
    // SAFETY: the parameters mirror the kernels', such a kernel has as many results, and the caller vouches for the memory.
    unsafe {
        match ready(form, operands) {
            None => Ok(false),
            Some(Ready::Conversion(params, launch)) => {
                carrier.start(&launch, &params)?;
                Ok(true)
            }
            Some(Ready::Form(launch)) => match operands.outputs.len() {
                1 => operands.start::<C, 0, { codegen::MOST }>(carrier, &launch),
                _ => operands.start::<C, 2, { codegen::MOST }>(carrier, &launch),
            },
        }
    }
}

/// The kernel compiled ahead of time for the form, if it takes the operands' layouts.
fn ready(form: &Form, operands: &Straight) -> Option<Ready> {
    if !matches!(operands.outputs.len(), 1..=2) {
        return None;
    }
    if let Some(from) = conversion(form)
        && operands.inputs[0].0.kind == Kind::Vector
    {
        let (params, launch) = convert(from, operands);
        return Some(Ready::Conversion(params, launch));
    }
    if operands.inputs.len() > codegen::MOST {
        return None;
    }
    let entry = codegen::entry(form);
    let known = |family: &&str| images::has_entry(family, &entry);
    let family = codegen::families(form).find(known)?;
    let schedule = codegen::Schedule::of(form);
    let lanes = schedule.lanes(form);
    // Where `lanes` elements of an operand exceed 16 bytes, the kernel expects a number.
    let fits = |(operand, dtype): &(Operand, DType)| {
        operand.kind == Kind::Number || lanes * dtype.size() <= 16
    };
    if !operands.inputs.iter().all(fits) || !operands.is_aligned(lanes) {
        return None;
    }
    let blocks = operands.count.div_ceil(schedule.elements(form)) as u64;
    let geometry = Geometry::line(blocks, schedule.threads as u32);
    Some(Ready::Form(Launch::new(family, entry, geometry)))
}

fn convert(from: DType, operands: &Straight) -> (Conversion, Launch<'static>) {
    let (to, dtype) = operands.outputs[0];
    let params = Conversion {
        from: operands.inputs[0].0.address,
        to,
        count: operands.count as u64,
        dtype: dtype as u32,
        unused: 0,
    };
    let blocks = operands.count.div_ceil(THREADS * CONVERTED) as u64;
    let geometry = Geometry::line(blocks, THREADS as u32);
    let entry = entry_name("cast", &[from], "");
    (params, Launch::new("map_cast", entry, geometry))
}

/// The type that a form which is one conversion reads.
fn conversion(form: &Form) -> Option<DType> {
    match form.values[..] {
        [from, to] if to.step == Step::Cast(0) && form.outputs == [1] => Some(from.dtype),
        _ => None,
    }
}
