//! Eigenvalues and eigenvectors of any square matrices: `geev`, which newer versions of the library have.

use super::matrices::{Columns, View, count, sides};
use super::session::{info, kind, vectors};
use crate::context::Context;
use crate::moves::address;
use syntonic_core::device::Launch;
use syntonic_core::{Error, Result, interrupt};

/// The GPU's version of core's `eig`.
///
/// The library has the eigenvalues of a real matrix as core wants them: real parts, then imaginary ones.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn eig(context: &Context, launch: &Launch) -> Result<()> {
    const OP: &str = "eig";
    let a = &launch.inputs[0];
    let session = context.solver.session(context, OP)?;
    let handles = session.handles;
    let (Some(ask), Some(run)) = (handles.functions.geev_room, handles.functions.geev) else {
        return Err(Error::Fault {
            op: OP.to_owned(),
            device: context.device,
            what: "the cuSOLVER that was found has no geev, which came with CUDA 12.6 Update 2; hint: pip install -U \
                   nvidia-cusolver (or nvidia-cusolver-cu12), or move the operand with .to(\"cpu\")"
                .to_owned(),
        });
    };
    let v = launch.outputs.get(2);
    let v = v.map(|v| Columns::output(OP, v)).transpose()?;
    let (values, infos) = (address(&launch.outputs[0]), address(&launch.outputs[1]));
    // A real matrix has two numbers for each value.
    let numbers = launch.outputs[0].layout.numel() / count(a).max(1);
    let (work, _work) = Columns::scratch(context, a.dtype, sides(a), 1)?;
    let (kind, n) = (kind(a.dtype), work.rows as i64);
    let (left, right) = (vectors(false), vectors(v.is_some()));
    let at = |k: usize| v.map_or(0, |v| v.at(k));
    // SAFETY: the sizes are asked for, of a matrix that is there.
    let mut room = session.room(|device, host| unsafe {
        ask(
            handles.handle,
            handles.params,
            left,
            right,
            n,
            kind,
            work.first,
            n,
            kind,
            values,
            kind,
            0,
            n,
            kind,
            at(0),
            n,
            kind,
            device,
            host,
        )
    })?;
    for k in 0..count(a) {
        // SAFETY: the caller's promise; the scratch has room for one matrix and is used in the order of the stream.
        unsafe {
            work.take(context, a, k, View::Same)?;
            session.check(run(
                handles.handle,
                handles.params,
                left,
                right,
                n,
                kind,
                work.first,
                n,
                kind,
                values + (k * numbers * a.dtype.size()) as u64,
                kind,
                0,
                n,
                kind,
                at(k),
                n,
                kind,
                room.device(),
                room.bytes(),
                room.host(),
                room.host_bytes(),
                info(infos, k),
            ))?;
        }
        interrupt::poll()?;
    }
    Ok(())
}
