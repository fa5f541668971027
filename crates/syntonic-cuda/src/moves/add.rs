//! Scatter-add: adding elements to where offsets point.
//!
//! Integers add by atomics where positions collide. Sums of floats depend on the order, which is that of positions: positions
//! are sorted by target, and each group is added up from first to last.

use super::gather::{Places, along};
use super::scatter::meeting_axes;
use super::{BLOCK, address, further, over, part, rounds, whole};
use crate::context::{Context, Scratch};
use crate::contract::{Contract, contract};
use crate::ptx::name::entry_name;
use crate::walk::{Space, Wide};
use syntonic_core::device::{Arg, Launch};
use syntonic_core::ops::order::ARGSORT;
use syntonic_core::{DType, Error, Layout, Result, Scalar};

contract! {
    "scatter_add":
    /// Each value is added at its own offset.
    pub(crate) struct ScatterAdd as "ScatterAdd" {
        /// Target, values, offsets.
        space: Wide<3>,
        count: u64,
        to: u64,
        from: u64,
        index: u64,
    }
}

contract! {
    "scatter_add":
    /// Where each position of the colliding axes is added.
    pub(crate) struct AddKeys as "AddKeys" {
        /// Target, offsets.
        space: Wide<2>,
        count: u64,
        index: u64,
        keys: u64,
    }
}

contract! {
    "scatter_add":
    /// Values that are added at one place, one after the other.
    pub(crate) struct AddGroups as "AddGroups" {
        /// Values.
        outer: Wide<1>,
        /// Target, values.
        inner: Wide<2>,
        /// Positions of both.
        count: u64,
        width: u64,
        to: u64,
        from: u64,
        /// Where positions go, sorted.
        keys: u64,
        /// The positions in that order.
        order: u64,
    }
}

/// The type whose additions are those of `dtype`: signed integers add as unsigned ones.
pub(crate) fn summed_as(dtype: DType) -> DType {
    match dtype {
        DType::I8 => DType::U8,
        DType::I16 => DType::U16,
        DType::I32 => DType::U32,
        DType::I64 => DType::U64,
        other => other,
    }
}

/// `target[p · strides + offsets[p]] += values[p]`, in the order of positions.
///
/// # Safety
/// As [`syntonic_core::ops::moves::SCATTER_ADD`] says.
pub(crate) unsafe fn scatter_add(context: &Context, args: &Launch) -> Result<()> {
    let (values, offsets, target) = (&args.inputs[0], &args.inputs[1], &args.outputs[0]);
    if target.dtype.is_bool() {
        return Err(Error::value("scatter_add", "bool has no addition"));
    }
    let space = over(&[target, values, offsets]);
    if space.len() == 0 {
        return Ok(());
    }
    let axes = meeting_axes(&space);
    let places = [address(target), address(values), address(offsets)];
    // SAFETY: the caller's promise.
    unsafe {
        if axes.is_empty() {
            one_by_one(context, target.dtype, "", &space, places)
        } else if target.dtype.is_integer() {
            one_by_one(context, target.dtype, "atomic", &space, places)
        } else {
            groups(context, target.dtype, &space, &axes, places)
        }
    }
}

/// Each position by itself.
unsafe fn one_by_one(
    context: &Context,
    dtype: DType,
    variant: &str,
    space: &Space,
    places: [u64; 3],
) -> Result<()> {
    let entry = entry_name("scatter_add", &[summed_as(dtype)], variant);
    for piece in space.pieces() {
        let params = ScatterAdd {
            space: piece.wide(),
            count: piece.len() as u64,
            to: further(places[0], piece.bases[0], dtype.size()),
            from: further(places[1], piece.bases[1], dtype.size()),
            index: further(places[2], piece.bases[2], 8),
        };
        // SAFETY: the caller's promise; the struct is the kernel's.
        unsafe { params.launch(context, &entry, rounds(context, piece.len()))? };
    }
    Ok(())
}

/// Sorts the positions of the colliding axes by target, and sums each group in order.
unsafe fn groups(
    context: &Context,
    dtype: DType,
    space: &Space,
    axes: &[usize],
    [target, values, offsets]: [u64; 3],
) -> Result<()> {
    const OP: &str = "scatter_add";
    let rest: Vec<usize> = (0..space.dims.len())
        .filter(|a| !axes.contains(a))
        .collect();
    let keys = whole(OP, part(space, axes, &[0, 2]))?;
    let outer = whole(OP, part(space, axes, &[1]))?;
    let inner = part(space, &rest, &[0, 1]);
    // SAFETY: the caller's promise.
    let [sorted, order] = unsafe { sorted_keys(context, &keys, offsets)? };
    let variant = if inner.len() == 1 { "lines" } else { "groups" };
    let entry = entry_name(OP, &[dtype], variant);
    for piece in inner.pieces() {
        let params = AddGroups {
            outer: outer.wide(),
            inner: piece.wide(),
            count: outer.len() as u64,
            width: piece.len() as u64,
            to: further(target, piece.bases[0], dtype.size()),
            from: further(values, piece.bases[1], dtype.size()),
            keys: sorted.address(),
            order: order.address(),
        };
        let geometry = super::blocks(outer.len() * piece.len(), BLOCK as usize);
        // SAFETY: keys and order have an element for each position of the colliding axes.
        unsafe { params.launch(context, &entry, geometry)? };
    }
    Ok(())
}

/// Targets of the positions, ascending, and the positions in that order; the sort is stable.
unsafe fn sorted_keys<'a>(
    context: &'a Context,
    space: &Space,
    offsets: u64,
) -> Result<[Scratch<'a>; 2]> {
    let n = space.len();
    let [keys, order, sorted] = [(); 3].map(|()| context.scratch(8 * n));
    let (keys, order, sorted) = (keys?, order?, sorted?);
    let params = AddKeys {
        space: space.wide(),
        count: n as u64,
        index: offsets,
        keys: keys.address(),
    };
    let entry = "scatter_add_keys";
    let vector = |at: &Scratch<'_>| -> Result<Arg> {
        Ok(Arg {
            base: at.address() as *mut u8,
            dtype: DType::I64,
            layout: Layout::contiguous("scatter_add", &[n])?,
        })
    };
    let launch = Launch {
        inputs: vec![vector(&keys)?],
        outputs: vec![vector(&order)?],
        params: vec![Scalar::Bool(false)],
        ..Launch::default()
    };
    let places = Places {
        to: sorted.address(),
        from: keys.address(),
        index: order.address(),
    };
    // SAFETY: all three have room for `n` integers of 64 bits; the order holds positions of the keys.
    unsafe {
        params.launch(context, entry, rounds(context, n))?;
        crate::kernel::launch(context, &ARGSORT, &launch)?;
        let walk = Space::new(&[n], &[&[1], &[0], &[1]]);
        along(context, 8, &walk, places)?;
    }
    Ok([sorted, order])
}
