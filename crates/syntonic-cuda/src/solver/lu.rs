//! LU with partial pivoting, `getrf`, and the solutions that it gives, `getrs`.

use super::library::At;
use super::matrices::{Columns, View, count};
use super::session::{INFO, Session, Workspace, info, kind};
use crate::context::Context;
use crate::moves::address;
use syntonic_core::device::Launch;
use syntonic_core::{Result, interrupt};

/// Bytes of a pivot.
const PIVOT: usize = size_of::<i64>();

/// The GPU's version of core's `lu`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn lu(context: &Context, launch: &Launch) -> Result<()> {
    const OP: &str = "lu";
    let (a, pivots) = (&launch.inputs[0], address(&launch.outputs[1]));
    let lu = Columns::output(OP, &launch.outputs[0])?;
    let session = context.solver.session(context, OP)?;
    // The diagonal says as much.
    let unread = context.scratch(INFO)?;
    // SAFETY: the caller's promise; the factors replace the copy.
    unsafe { lu.fill(context, a, View::Same)? };
    let mut room = room(&session, &lu)?;
    for k in 0..count(a) {
        let pivots = pivots + (k * lu.rows * PIVOT) as u64;
        // SAFETY: the caller's promise.
        unsafe { eliminate(&session, &lu, k, pivots, &mut room, unread.address())? };
        interrupt::poll()?;
    }
    Ok(())
}

/// The GPU's version of core's `solve`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn solve(context: &Context, launch: &Launch) -> Result<()> {
    const OP: &str = "solve";
    const PLAIN: i32 = 0;
    let (a, b) = (&launch.inputs[0], &launch.inputs[1]);
    let infos = address(&launch.outputs[1]);
    let x = Columns::output(OP, &launch.outputs[0])?;
    let session = context.solver.session(context, OP)?;
    let (n, dtype) = (x.rows, x.dtype);
    let (lu, _factors) = Columns::scratch(context, dtype, (n, n), 1)?;
    let (pivots, other) = (context.scratch(n * PIVOT)?, context.scratch(INFO)?);
    // SAFETY: the caller's promise; the solutions replace the copy.
    unsafe { x.fill(context, b, View::Same)? };
    let mut room = room(&session, &lu)?;
    let handles = session.handles;
    for k in 0..count(a) {
        // SAFETY: the caller's promise; the scratch has room for one matrix and its pivots, and is used in the order of the
        // stream.
        unsafe {
            lu.take(context, a, k, View::Same)?;
            eliminate(
                &session,
                &lu,
                0,
                pivots.address(),
                &mut room,
                info(infos, k),
            )?;
            session.check((handles.functions.getrs)(
                handles.handle,
                handles.params,
                PLAIN,
                n as i64,
                x.cols as i64,
                kind(dtype),
                lu.first,
                n as i64,
                pivots.address(),
                kind(dtype),
                x.at(k),
                n as i64,
                other.address(),
            ))?;
        }
        interrupt::poll()?;
    }
    Ok(())
}

/// The room for an elimination.
fn room<'a>(session: &Session<'a>, lu: &Columns) -> Result<Workspace<'a>> {
    let (handles, n, kind) = (session.handles, lu.rows as i64, kind(lu.dtype));
    // SAFETY: the sizes are asked for, of a matrix that is there.
    session.room(|device, host| unsafe {
        (handles.functions.getrf_room)(
            handles.handle,
            handles.params,
            n,
            n,
            kind,
            lu.first,
            n,
            kind,
            device,
            host,
        )
    })
}

/// Replaces matrix `k` by its factors.
///
/// # Safety
/// It is there, with room for its pivots and what is wrong with it; the room is that of [`room`].
unsafe fn eliminate(
    session: &Session<'_>,
    lu: &Columns,
    k: usize,
    pivots: At,
    room: &mut Workspace<'_>,
    info: At,
) -> Result<()> {
    let (handles, n, kind) = (session.handles, lu.rows as i64, kind(lu.dtype));
    // SAFETY: the caller's promise.
    session.check(unsafe {
        (handles.functions.getrf)(
            handles.handle,
            handles.params,
            n,
            n,
            kind,
            lu.at(k),
            n,
            pivots,
            kind,
            room.device(),
            room.bytes(),
            room.host(),
            room.host_bytes(),
            info,
        )
    })
}
