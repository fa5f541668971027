//! Tensors of golden integers: the kernels of `kernels/golden.cu`.

use crate::context::{Context, Geometry};
use crate::contract::{Contract, Declaration, contract};
use crate::moves::{BLOCK, address, rounds};
use syntonic_core::device::{Arg, ByName, Launch};
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

/// The place of a fault, with none in it: kernels take the least of unsigned places.
unsafe fn no_fault(context: &Context, named: &ByName<'_>) -> Result<u64> {
    let fault = address(named.output("fault")?);
    // SAFETY: the caller's output is one place of eight bytes.
    unsafe { context.set_bytes(fault, 0xff, 8)? };
    Ok(fault)
}

/// The coefficients of each element.
fn points(named: &ByName<'_>) -> Result<GoldenMap> {
    let [a, b] = named.inputs(["a", "b"])?.map(address);
    Ok(GoldenMap {
        a,
        b,
        ..GoldenMap::default()
    })
}

/// Those of both elements of a pair.
fn pairs(named: &ByName<'_>) -> Result<GoldenMap> {
    let [c, d] = named.inputs(["c", "d"])?.map(address);
    Ok(GoldenMap {
        c,
        d,
        ..points(named)?
    })
}

/// A kernel over vectors of the length of its first result.
unsafe fn over_vectors(
    context: &Context,
    out: &Arg,
    params: &GoldenMap,
    entry: &str,
) -> Result<()> {
    let count = out.layout.numel();
    if count == 0 {
        return Ok(());
    }
    let params = GoldenMap {
        out_a: address(out),
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
    let named = args.by_name()?;
    let [out_a, out_b] = named.outputs(["out_a", "out_b"])?;
    // SAFETY: the caller's promise.
    unsafe {
        let params = GoldenMap {
            out_b: address(out_b),
            fault: no_fault(context, &named)?,
            operation: named.whole("operation")?,
            ..pairs(&named)?
        };
        over_vectors(context, out_a, &params, "golden_map")
    }
}

/// The exact order.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::COMPARE` says.
pub(crate) unsafe fn compare(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let signs = named.output("signs")?;
    // SAFETY: the caller's promise.
    unsafe { over_vectors(context, signs, &pairs(&named)?, "golden_compare") }
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
    let named = args.by_name()?;
    // SAFETY: the caller's promise.
    unsafe {
        let params = GoldenMap {
            fault: no_fault(context, &named)?,
            ..points(&named)?
        };
        over_vectors(context, named.output("integers")?, &params, entry)
    }
}

/// Syntony of rows.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::SHARE` says.
pub(crate) unsafe fn share(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let [psi, weights] = named.inputs(["psi", "weights"])?;
    let out = named.output("syntony")?;
    let rows = out.layout.numel();
    if rows == 0 {
        return Ok(());
    }
    let params = GoldenShare {
        psi: address(psi),
        weights: address(weights),
        out: address(out),
        rows: rows as u64,
        length: weights.layout.numel() as u64,
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
    let named = args.by_name()?;
    let values = named.output("values")?;
    // SAFETY: the caller's promise.
    unsafe { over_vectors(context, values, &points(&named)?, "golden_floats") }
}

/// Products of matrices.
///
/// # Safety
/// As `syntonic_srt::exact::kernels::PRODUCT` says.
pub(crate) unsafe fn product(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let [stacks, m, k, n] = named.wholes(["stacks", "m", "k", "n"])?;
    // SAFETY: the caller's promise.
    let fault = unsafe { no_fault(context, &named)? };
    let [out_a, out_b] = named.outputs(["out_a", "out_b"])?;
    let count = out_a.layout.numel();
    if count == 0 {
        return Ok(());
    }
    let [a, b, c, d] = named.inputs(["a", "b", "c", "d"])?.map(address);
    let params = GoldenProduct {
        a,
        b,
        c,
        d,
        out_a: address(out_a),
        out_b: address(out_b),
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
    let named = args.by_name()?;
    let x = named.input("x")?;
    let [out_a, out_b] = named.outputs(["out_a", "out_b"])?.map(address);
    // SAFETY: the caller's promise.
    let fault = unsafe { no_fault(context, &named)? };
    let count = x.layout.numel();
    if count == 0 {
        return Ok(());
    }
    let params = GoldenSnap {
        x: address(x),
        out_a,
        out_b,
        fault,
        count: count as u64,
        bound: named.real("bound")?,
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
