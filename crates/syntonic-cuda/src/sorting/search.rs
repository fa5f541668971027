//! Looking elements up in a sorted vector, and the runs of equal neighbours in one.

use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use crate::moves::{BLOCK, address, rounds, summed_as};
use crate::ptx::name::entry_name;
use syntonic_core::device::Launch;
use syntonic_core::{DType, Result};

contract! {
    "search":
    /// Places in a sorted table.
    pub(crate) struct Search as "Search" {
        table: u64,
        wanted: u64,
        to: u64,
        len: u64,
        count: u64,
        /// Between elements of the table.
        step: i64,
        /// 1: after equal elements.
        right: u64,
    }
}

contract! {
    "search":
    /// Runs of equal elements of a sorted line.
    pub(crate) struct Groups as "Groups" {
        sorted: u64,
        order: u64,
        /// Of parts; later what lies before each.
        counts: u64,
        starts: u64,
        inverse: u64,
        number: u64,
        len: u64,
    }
}

/// Positions per block, as `PART` of the kernel.
const PART: usize = BLOCK as usize * 8;

/// `bool` is ordered and compared as `u8`.
fn ordered_as(dtype: DType) -> DType {
    if dtype.is_bool() { DType::U8 } else { dtype }
}

/// Where each element would go into a sorted vector.
///
/// # Safety
/// As [`syntonic_core::ops::order::SEARCH_SORTED`] says.
pub(crate) unsafe fn searchsorted(context: &Context, args: &Launch) -> Result<()> {
    let (table, wanted, out) = (&args.inputs[0], &args.inputs[1], &args.outputs[0]);
    let count = wanted.layout.numel();
    if count == 0 {
        return Ok(());
    }
    let params = Search {
        table: address(table),
        wanted: address(wanted),
        to: address(out),
        len: table.layout.numel() as u64,
        count: count as u64,
        step: table.layout.strides()[0] as i64,
        right: u64::from(args.params.first().is_some_and(|p| p.to_bool())),
    };
    let entry = entry_name("searchsorted", &[ordered_as(table.dtype)], "");
    // SAFETY: the caller's promise; the struct is the kernel's.
    unsafe { params.launch(context, &entry, rounds(context, count)) }
}

/// The runs of equal neighbours in a sorted vector.
///
/// # Safety
/// As [`syntonic_core::ops::order::UNIQUE_GROUPS`] says.
pub(crate) unsafe fn unique_groups(context: &Context, args: &Launch) -> Result<()> {
    let (sorted, order) = (&args.inputs[0], &args.inputs[1]);
    let len = sorted.layout.numel();
    let parts = len.div_ceil(PART);
    let counts = context.scratch(8 * parts.max(1))?;
    let params = Groups {
        sorted: address(sorted),
        order: address(order),
        counts: counts.address(),
        starts: address(&args.outputs[0]),
        inverse: address(&args.outputs[1]),
        number: address(&args.outputs[2]),
        len: len as u64,
    };
    let dtype = summed_as(ordered_as(sorted.dtype));
    let entry = |variant| entry_name("unique_groups", &[dtype], variant);
    let geometry = Geometry::line(parts.min(1 << 20) as u64, BLOCK);
    let launch = |name: &str, geometry| {
        // SAFETY: the caller's promise; there is a count for each part.
        unsafe { params.launch(context, name, geometry) }
    };
    if parts > 0 {
        launch(&entry("counts"), geometry)?;
    }
    launch("unique_groups_starts", Geometry::line(1, BLOCK))?;
    if parts > 0 {
        launch(&entry("places"), geometry)?;
    }
    Ok(())
}
