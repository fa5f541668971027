//! QR by Householder reflections: `geqrf`, and `orgqr` or `ungqr` for the orthogonal factor.

use super::library::At;
use super::matrices::{Columns, View, count, sides};
use super::session::{INFO, Session, kind};
use crate::context::{Context, Scratch};
use std::ffi::c_int;
use syntonic_core::device::Launch;
use syntonic_core::{DType, Result, interrupt};

/// The GPU's version of core's `qr`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn qr(context: &Context, launch: &Launch) -> Result<()> {
    const OP: &str = "qr";
    let a = &launch.inputs[0];
    let (m, n) = sides(a);
    let least = m.min(n);
    let q = Columns::output(OP, &launch.outputs[0])?;
    let r = Columns::output(OP, &launch.outputs[1])?;
    let (dtype, kind) = (q.dtype, kind(q.dtype));
    let session = context.solver.session(context, OP)?;
    let handles = session.handles;
    let functions = handles.functions;
    let (packed, _packed) = Columns::scratch(context, dtype, (m, n), 1)?;
    let tau = context.scratch(least * dtype.size())?;
    let info = context.scratch(INFO)?;
    let (rows, cols) = (m as i64, n as i64);
    // SAFETY: the sizes are asked for, of a matrix that is there.
    let mut room = session.room(|device, host| unsafe {
        (functions.geqrf_room)(
            handles.handle,
            handles.params,
            rows,
            cols,
            kind,
            packed.first,
            rows,
            kind,
            tau.address(),
            kind,
            device,
            host,
        )
    })?;
    let orthogonal = Orthogonal::new(&session, &q, least, tau.address())?;
    for k in 0..count(a) {
        // SAFETY: the caller's promise; the scratch has room for one matrix and is used in the order of the stream.
        unsafe {
            packed.take(context, a, k, View::Same)?;
            session.check((functions.geqrf)(
                handles.handle,
                handles.params,
                rows,
                cols,
                kind,
                packed.first,
                rows,
                kind,
                tau.address(),
                kind,
                room.device(),
                room.bytes(),
                room.host(),
                room.host_bytes(),
                info.address(),
            ))?;
            r.copy(context, k, &packed, 0, View::Same)?;
            let basis = q.part(m, least);
            basis.copy(context, k, &packed, 0, View::Same)?;
            orthogonal.form(&session, q.at(k), info.address())?;
        }
        interrupt::poll()?;
    }
    Ok(())
}

/// What makes the orthogonal factor of reflections.
struct Orthogonal<'a> {
    /// Rows, columns and reflections.
    sizes: [c_int; 3],
    dtype: DType,
    tau: At,
    work: Scratch<'a>,
    length: c_int,
}

impl<'a> Orthogonal<'a> {
    fn new(
        session: &Session<'a>,
        q: &Columns,
        reflections: usize,
        tau: At,
    ) -> Result<Orthogonal<'a>> {
        let f = session.handles.functions;
        let routine = match q.dtype {
            DType::F32 => f.sorgqr_room,
            DType::F64 => f.dorgqr_room,
            DType::C64 => f.cungqr_room,
            _ => f.zungqr_room,
        };
        let m = session.short(q.rows)?;
        let (p, k) = (session.short(q.cols)?, session.short(reflections)?);
        let mut length = 0;
        // SAFETY: the size is asked for, of a matrix that is there.
        session.check(unsafe {
            routine(
                session.handles.handle,
                m,
                p,
                k,
                q.first,
                m,
                tau,
                &mut length,
            )
        })?;
        Ok(Orthogonal {
            sizes: [m, p, k],
            dtype: q.dtype,
            tau,
            work: session.scratch((length.max(1) as usize) * q.dtype.size())?,
            length,
        })
    }

    /// Replaces the reflections in the first columns by the factor.
    ///
    /// # Safety
    /// The matrix is there, and the scales of its reflections are where they were said to be.
    unsafe fn form(&self, session: &Session<'_>, q: At, info: At) -> Result<()> {
        let f = session.handles.functions;
        let routine = match self.dtype {
            DType::F32 => f.sorgqr,
            DType::F64 => f.dorgqr,
            DType::C64 => f.cungqr,
            _ => f.zungqr,
        };
        let [m, p, k] = self.sizes;
        // SAFETY: the caller's promise; the work is as long as was asked for.
        session.check(unsafe {
            routine(
                session.handles.handle,
                m,
                p,
                k,
                q,
                m,
                self.tau,
                self.work.address(),
                self.length,
                info,
            )
        })
    }
}
