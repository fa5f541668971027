//! Eigenvalues and eigenvectors of Hermitian matrices: `syevd`, and `syevBatched` for stacks.

use super::library::At;
use super::matrices::{Columns, View, count, sides};
use super::session::{LOWER, Session, info, kind, vectors};
use crate::context::Context;
use crate::moves::address;
use syntonic_core::device::Launch;
use syntonic_core::{Result, interrupt};

/// The longest matrices for which the batched routine is faster than one call each.
const BATCHED: usize = 512;
/// Elements of the matrices of one batch, which the library counts with 32 bits.
const MOST_AT_ONCE: usize = 1 << 28;

/// The GPU's version of core's `eigh`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn eigh(context: &Context, launch: &Launch) -> Result<()> {
    const OP: &str = "eigh";
    let a = &launch.inputs[0];
    let session = context.solver.session(context, OP)?;
    let count = count(a);
    let (v, _copy) = match launch.outputs.get(2) {
        Some(v) => (Columns::output(OP, v)?, None),
        None => {
            let sides = sides(a);
            let (copy, memory) = Columns::scratch(context, a.dtype, sides, count)?;
            (copy, Some(memory))
        }
    };
    let found = Found {
        v,
        vectors: vectors(launch.outputs.len() > 2),
        values: address(&launch.outputs[0]),
        infos: address(&launch.outputs[1]),
    };
    // SAFETY: the caller's promise; the vectors replace the copy.
    unsafe {
        v.fill(context, a, View::Same)?;
        if count > 1 && v.rows <= BATCHED && found.batches(&session, count)? {
            return Ok(());
        }
        found.one_by_one(&session, count)
    }
}

/// Where the results go.
struct Found {
    /// The matrices, which the vectors replace.
    v: Columns,
    vectors: i32,
    values: At,
    infos: At,
}

impl Found {
    /// Where the values of matrix `k` go.
    fn values(&self, k: usize) -> At {
        self.values + (k * self.v.rows * self.v.dtype.real().size()) as u64
    }

    /// Where goes what is wrong with matrix `k`.
    fn info(&self, k: usize) -> At {
        info(self.infos, k)
    }

    /// Decomposes `count` matrices by the batched routine, if the library has one; says whether it did.
    ///
    /// # Safety
    /// There are as many.
    unsafe fn batches(&self, session: &Session<'_>, count: usize) -> Result<bool> {
        let handles = session.handles;
        let functions = handles.functions;
        let (Some(ask), Some(run)) = (functions.syev_batched_room, functions.syev_batched) else {
            return Ok(false);
        };
        let (kind, real) = (kind(self.v.dtype), kind(self.v.dtype.real()));
        let n = self.v.rows as i64;
        let most = (MOST_AT_ONCE / self.v.apart).max(1);
        for first in (0..count).step_by(most) {
            let some = most.min(count - first) as i64;
            let (at, values) = (self.v.at(first), self.values(first));
            // SAFETY: the sizes are asked for, of matrices that are there.
            let mut room = session.room(|device, host| unsafe {
                ask(
                    handles.handle,
                    handles.params,
                    self.vectors,
                    LOWER,
                    n,
                    kind,
                    at,
                    n,
                    real,
                    values,
                    kind,
                    device,
                    host,
                    some,
                )
            })?;
            // SAFETY: the caller's promise, and the room is what was asked for.
            session.check(unsafe {
                run(
                    handles.handle,
                    handles.params,
                    self.vectors,
                    LOWER,
                    n,
                    kind,
                    at,
                    n,
                    real,
                    values,
                    kind,
                    room.device(),
                    room.bytes(),
                    room.host(),
                    room.host_bytes(),
                    self.info(first),
                    some,
                )
            })?;
            interrupt::poll()?;
        }
        Ok(true)
    }

    /// # Safety
    /// As [`Found::batches`].
    unsafe fn one_by_one(&self, session: &Session<'_>, count: usize) -> Result<()> {
        let handles = session.handles;
        let functions = handles.functions;
        let (kind, real) = (kind(self.v.dtype), kind(self.v.dtype.real()));
        let n = self.v.rows as i64;
        // SAFETY: the sizes are asked for, of a matrix that is there.
        let mut room = session.room(|device, host| unsafe {
            (functions.syevd_room)(
                handles.handle,
                handles.params,
                self.vectors,
                LOWER,
                n,
                kind,
                self.v.first,
                n,
                real,
                self.values,
                kind,
                device,
                host,
            )
        })?;
        for k in 0..count {
            // SAFETY: the caller's promise, and the room is what was asked for.
            session.check(unsafe {
                (functions.syevd)(
                    handles.handle,
                    handles.params,
                    self.vectors,
                    LOWER,
                    n,
                    kind,
                    self.v.at(k),
                    n,
                    real,
                    self.values(k),
                    kind,
                    room.device(),
                    room.bytes(),
                    room.host(),
                    room.host_bytes(),
                    self.info(k),
                )
            })?;
            interrupt::poll()?;
        }
        Ok(())
    }
}
