//! The singular value decomposition: `gesvd`, and for large matrices `gesvdp`, by way of the polar decomposition.
//!
//! The library decomposes matrices with at least as many rows as columns: others are decomposed as their conjugate
//! transposes, whose left vectors are the right ones.

use super::library::At;
use super::matrices::{Columns, View, count, sides};
use super::session::{Session, Workspace, info, kind, vectors};
use crate::context::{Context, Scratch};
use crate::moves::address;
use std::ffi::{c_char, c_int};
use syntonic_core::device::{Arg, Launch};
use syntonic_core::{DType, Result, interrupt};

/// The shorter side from which on the polar decomposition is faster.
const POLAR: usize = 512;

/// The GPU's version of core's `svd`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn svd(context: &Context, launch: &Launch) -> Result<()> {
    const OP: &str = "svd";
    let a = &launch.inputs[0];
    let session = context.solver.session(context, OP)?;
    let found = Found::of(OP, launch)?;
    let (work, _work) = Columns::scratch(context, a.dtype, (found.rows, found.cols), 1)?;
    // Without vectors `gesvdp` of cuSOLVER 12.0 writes to addresses that nobody gave it.
    let mut polar = if found.cols >= POLAR && found.vectors.is_some() {
        Some(Polar::new(&session, &found, &work)?)
    } else {
        None
    };
    let mut rotations: Option<Rotations<'_>> = None;
    for k in 0..count(a) {
        // SAFETY: the caller's promise; the scratch has room for one matrix and is used in the order of the stream.
        unsafe {
            work.take(context, a, k, found.view)?;
            let done = match &mut polar {
                Some(polar) => polar.decompose(&session, &found, &work, k)?,
                None => false,
            };
            if !done {
                if polar.is_some() {
                    work.take(context, a, k, found.view)?;
                }
                let rotations = match &mut rotations {
                    Some(rotations) => rotations,
                    empty => empty.insert(Rotations::new(&session, &found, &work)?),
                };
                rotations.decompose(&session, &found, &work, k)?;
            }
        }
        interrupt::poll()?;
    }
    Ok(())
}

/// What is decomposed, and where the results go.
struct Found {
    view: View,
    dtype: DType,
    /// Rows and columns of what is decomposed.
    rows: usize,
    cols: usize,
    values: At,
    infos: At,
    /// Its left and right vectors, if they are wanted.
    vectors: Option<[Columns; 2]>,
}

impl Found {
    fn of(op: &'static str, launch: &Launch) -> Result<Found> {
        let a = &launch.inputs[0];
        let (m, n) = sides(a);
        let view = if m < n { View::Adjoint } else { View::Same };
        let columns = |v: &Arg| Columns::output(op, v);
        let vectors = match &launch.outputs[2..] {
            [u, v] if view == View::Same => Some([columns(u)?, columns(v)?]),
            [u, v] => Some([columns(v)?, columns(u)?]),
            _ => None,
        };
        Ok(Found {
            view,
            dtype: a.dtype,
            rows: m.max(n),
            cols: m.min(n),
            values: address(&launch.outputs[0]),
            infos: address(&launch.outputs[1]),
            vectors,
        })
    }

    /// Where the values of matrix `k` go.
    fn values(&self, k: usize) -> At {
        self.values + (k * self.cols * self.dtype.real().size()) as u64
    }

    /// Where goes what is wrong with matrix `k`.
    fn info(&self, k: usize) -> At {
        info(self.infos, k)
    }

    /// Where the left vectors of matrix `k` go.
    fn left(&self, k: usize) -> At {
        self.vectors.map_or(0, |[left, _]| left.at(k))
    }

    /// Whether all left vectors are wanted, also those that belong to no value.
    fn all_left(&self) -> bool {
        let all = |[left, _]: [Columns; 2]| left.cols == self.rows && self.rows != self.cols;
        self.vectors.is_some_and(all)
    }
}

/// By rotations that make a bidiagonal matrix diagonal.
struct Rotations<'a> {
    room: Workspace<'a>,
    /// The adjoint of the right vectors, which is what the library writes.
    adjoint: Option<(Columns, Scratch<'a>)>,
    /// Which left and right vectors are wanted.
    jobs: [c_char; 2],
}

impl<'a> Rotations<'a> {
    fn new(session: &Session<'a>, found: &Found, work: &Columns) -> Result<Rotations<'a>> {
        let jobs = match (found.vectors, found.all_left()) {
            (None, _) => [b'N', b'N'],
            (Some(_), true) => [b'A', b'S'],
            (Some(_), false) => [b'S', b'S'],
        };
        let jobs = jobs.map(|job| job as c_char);
        let sides = (found.cols, found.cols);
        let adjoint = match found.vectors {
            Some(_) => Some(Columns::scratch(session.context, found.dtype, sides, 1)?),
            None => None,
        };
        let right = adjoint.as_ref().map_or(0, |(columns, _)| columns.first);
        let (handles, kind, real) = (session.handles, kind(found.dtype), kind(found.dtype.real()));
        let (m, n) = (found.rows as i64, found.cols as i64);
        // SAFETY: the sizes are asked for, of a matrix that is there.
        let room = session.room(|device, host| unsafe {
            (handles.functions.gesvd_room)(
                handles.handle,
                handles.params,
                jobs[0],
                jobs[1],
                m,
                n,
                kind,
                work.first,
                m,
                real,
                found.values,
                kind,
                found.left(0),
                m,
                kind,
                right,
                n,
                kind,
                device,
                host,
            )
        })?;
        Ok(Rotations {
            room,
            adjoint,
            jobs,
        })
    }

    /// Decomposes `work` to be matrix `k`.
    ///
    /// # Safety
    /// There is such a matrix, and this was made for what is decomposed.
    unsafe fn decompose(
        &mut self,
        session: &Session<'_>,
        found: &Found,
        work: &Columns,
        k: usize,
    ) -> Result<()> {
        let right = self.adjoint.as_ref().map(|(columns, _)| *columns);
        let (handles, kind, real) = (session.handles, kind(found.dtype), kind(found.dtype.real()));
        let (m, n) = (found.rows as i64, found.cols as i64);
        // SAFETY: the caller's promise, and the room is what was asked for.
        session.check(unsafe {
            (handles.functions.gesvd)(
                handles.handle,
                handles.params,
                self.jobs[0],
                self.jobs[1],
                m,
                n,
                kind,
                work.first,
                m,
                real,
                found.values(k),
                kind,
                found.left(k),
                m,
                kind,
                right.map_or(0, |columns| columns.first),
                n,
                kind,
                self.room.device(),
                self.room.bytes(),
                self.room.host(),
                self.room.host_bytes(),
                found.info(k),
            )
        })?;
        if let (Some(from), Some([_, to])) = (right, found.vectors) {
            // SAFETY: the caller's promise; both have the same sides.
            unsafe { to.copy(session.context, k, &from, 0, View::Adjoint)? };
        }
        Ok(())
    }
}

/// By the polar decomposition, whose Hermitian factor has the right vectors. So that its other factor is unitary the library
/// may move a singular matrix a little away, and says how far.
struct Polar<'a> {
    room: Workspace<'a>,
    /// Whether only the vectors that belong to values are wanted.
    economy: c_int,
}

impl<'a> Polar<'a> {
    fn new(session: &Session<'a>, found: &Found, work: &Columns) -> Result<Polar<'a>> {
        let economy = c_int::from(!found.all_left());
        let (handles, kind, real) = (session.handles, kind(found.dtype), kind(found.dtype.real()));
        let (m, n) = (found.rows as i64, found.cols as i64);
        let right = found.vectors.map_or(0, |[_, right]| right.first);
        // SAFETY: the sizes are asked for, of a matrix that is there.
        let room = session.room(|device, host| unsafe {
            (handles.functions.gesvdp_room)(
                handles.handle,
                handles.params,
                vectors(found.vectors.is_some()),
                economy,
                m,
                n,
                kind,
                work.first,
                m,
                real,
                found.values,
                kind,
                found.left(0),
                m,
                kind,
                right,
                n,
                kind,
                device,
                host,
            )
        })?;
        Ok(Polar { room, economy })
    }

    /// Decomposes `work` to be matrix `k`; says whether that is as exact as rounding allows.
    ///
    /// # Safety
    /// As [`Rotations::decompose`].
    unsafe fn decompose(
        &mut self,
        session: &Session<'_>,
        found: &Found,
        work: &Columns,
        k: usize,
    ) -> Result<bool> {
        let (handles, kind, real) = (session.handles, kind(found.dtype), kind(found.dtype.real()));
        let (m, n) = (found.rows as i64, found.cols as i64);
        let right = found.vectors.map_or(0, |[_, right]| right.at(k));
        let mut moved = 0f64;
        // SAFETY: the caller's promise, and the room is what was asked for.
        session.check(unsafe {
            (handles.functions.gesvdp)(
                handles.handle,
                handles.params,
                vectors(found.vectors.is_some()),
                self.economy,
                m,
                n,
                kind,
                work.first,
                m,
                real,
                found.values(k),
                kind,
                found.left(k),
                m,
                kind,
                right,
                n,
                kind,
                self.room.device(),
                self.room.bytes(),
                self.room.host(),
                self.room.host_bytes(),
                found.info(k),
                &mut moved,
            )
        })?;
        // SAFETY: what the routine has just written.
        let (info, largest, unit) = unsafe {
            let info = session.context.read::<i32>(found.info(k))?;
            let at = found.values(k);
            match found.dtype.real() {
                DType::F32 => {
                    let value = session.context.read::<f32>(at)?;
                    (info, f64::from(value), f64::from(f32::EPSILON))
                }
                _ => (info, session.context.read::<f64>(at)?, f64::EPSILON),
            }
        };
        Ok(info == 0 && moved <= unit * largest)
    }
}
