//! Tensors of golden integers: the kernels of `kernels/golden.cu`.

use crate::context::{Context, Geometry};
use crate::contract::{Contract, Declaration, contract};
use crate::moves::{BLOCK, address, rounds};
use syntonic_core::device::Launch;
use syntonic_core::{DType, Result};

contract! {
    "golden":
    /// An operation by the element on `a + b phi` and `c + d phi`.
    #[derive(Default)]
    pub(crate) struct GoldenMap as "GoldenMap" {
        /// Operands; the second is not read where the operation takes one.
        a: u64,
        b: u64,
        c: u64,
        d: u64,
        out_a: u64,
        out_b: u64,
        fault: u64,
        count: u64,
        operation: u64,
    }
}

contract! {
    "golden":
    /// A product of golden matrices.
    pub(crate) struct GoldenProduct as "GoldenProduct" {
        a: u64,
        b: u64,
        c: u64,
        d: u64,
        out_a: u64,
        out_b: u64,
        fault: u64,
        stacks: u64,
        m: u64,
        k: u64,
        n: u64,
    }
}

contract! {
    "golden":
    /// The nearest golden integers.
    pub(crate) struct GoldenSnap as "GoldenSnap" {
        x: u64,
        out_a: u64,
        out_b: u64,
        fault: u64,
        count: u64,
        bound: f64,
    }
}

contract! {
    "golden":
    /// Rows weighted and added up.
    pub(crate) struct GoldenShare as "GoldenShare" {
        psi: u64,
        weights: u64,
        out: u64,
        rows: u64,
        length: u64,
    }
}

/// The address of an operand, or none where there are fewer.
fn input(args: &Launch, k: usize) -> u64 {
    args.inputs.get(k).map_or(0, address)
}

/// The place of a fault, with none in it: kernels take the least of unsigned places.
unsafe fn no_fault(context: &Context, args: &Launch, k: usize) -> Result<u64> {
    let fault = address(&args.outputs[k]);
    // SAFETY: the caller's output is one place of eight bytes.
    unsafe { context.set_bytes(fault, 0xff, 8)? };
    Ok(fault)
}

/// A kernel over vectors of one length.
unsafe fn over_vectors(
    context: &Context,
    args: &Launch,
    params: &GoldenMap,
    entry: &str,
) -> Result<()> {
    let count = args.outputs[0].layout.numel();
    if count == 0 {
        return Ok(());
    }
    let params = GoldenMap {
        a: input(args, 0),
        b: input(args, 1),
        c: input(args, 2),
        d: input(args, 3),
        out_a: address(&args.outputs[0]),
        count: count as u64,
        ..*params
    };
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(context, entry, rounds(context, count)) }
}

/// An operation by the element.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::MAP` says.
pub(crate) unsafe fn map(context: &Context, args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe {
        let params = GoldenMap {
            out_b: address(&args.outputs[1]),
            fault: no_fault(context, args, 2)?,
            operation: args.params[0].to_i128() as u64,
            ..GoldenMap::default()
        };
        over_vectors(context, args, &params, "golden_map")
    }
}

/// The exact order.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::COMPARE` says.
pub(crate) unsafe fn compare(context: &Context, args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { over_vectors(context, args, &GoldenMap::default(), "golden_compare") }
}

/// Norms.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::NORMS` says.
pub(crate) unsafe fn norms(context: &Context, args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { to_integers(context, args, "golden_norms") }
}

/// The largest integers below.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::FLOOR` says.
pub(crate) unsafe fn floor(context: &Context, args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { to_integers(context, args, "golden_floor") }
}

/// An integer of each element, which may not fit.
unsafe fn to_integers(context: &Context, args: &Launch, entry: &str) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe {
        let params = GoldenMap {
            fault: no_fault(context, args, 1)?,
            ..GoldenMap::default()
        };
        over_vectors(context, args, &params, entry)
    }
}

/// Syntony of rows.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::SHARE` says.
pub(crate) unsafe fn share(context: &Context, args: &Launch) -> Result<()> {
    let (rows, length) = (
        args.outputs[0].layout.numel(),
        args.inputs[1].layout.numel(),
    );
    if rows == 0 {
        return Ok(());
    }
    let params = GoldenShare {
        psi: input(args, 0),
        weights: input(args, 1),
        out: address(&args.outputs[0]),
        rows: rows as u64,
        length: length as u64,
    };
    let most = context.multiprocessors() as usize * 32;
    let entry = "golden_share";
    let geometry = Geometry::line(rows.min(most) as u64, BLOCK);
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(context, entry, geometry) }
}

/// Values.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::FLOATS` says.
pub(crate) unsafe fn floats(context: &Context, args: &Launch) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { over_vectors(context, args, &GoldenMap::default(), "golden_floats") }
}

/// Products of matrices.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::PRODUCT` says.
pub(crate) unsafe fn product(context: &Context, args: &Launch) -> Result<()> {
    let [stacks, m, k, n] = [0, 1, 2, 3].map(|at| args.params[at].to_i128() as u64);
    // SAFETY: the caller's promise.
    let fault = unsafe { no_fault(context, args, 2)? };
    let count = args.outputs[0].layout.numel();
    if count == 0 {
        return Ok(());
    }
    let params = GoldenProduct {
        a: input(args, 0),
        b: input(args, 1),
        c: input(args, 2),
        d: input(args, 3),
        out_a: address(&args.outputs[0]),
        out_b: address(&args.outputs[1]),
        fault,
        stacks,
        m,
        k,
        n,
    };
    let entry = "golden_product";
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(context, entry, rounds(context, count)) }
}

/// Nearest points.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::SNAP` says.
pub(crate) unsafe fn snap(context: &Context, args: &Launch) -> Result<()> {
    let x = &args.inputs[0];
    // SAFETY: the caller's promise.
    let fault = unsafe { no_fault(context, args, 2)? };
    let count = x.layout.numel();
    if count == 0 {
        return Ok(());
    }
    let params = GoldenSnap {
        x: address(x),
        out_a: address(&args.outputs[0]),
        out_b: address(&args.outputs[1]),
        fault,
        count: count as u64,
        bound: args.params[0].to_f64(),
    };
    let entry = match x.dtype {
        DType::F32 => "golden_snap_f32",
        _ => "golden_snap_f64",
    };
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(context, entry, rounds(context, count)) }
}

/// The parameters of the kernels here.
pub(crate) fn contracts() -> Vec<Declaration> {
    vec![
        // few: one a struct.
        GoldenMap::declaration(),
        GoldenProduct::declaration(),
        GoldenSnap::declaration(),
        GoldenShare::declaration(),
    ]
}
