//! The Cholesky factor: `potrf`.

use super::library::At;
use super::matrices::{Columns, count};
use super::session::{LOWER, Session, info, kind};
use crate::context::{Context, Scratch};
use crate::kernel;
use crate::moves::{address, ramp};
use syntonic_core::device::{Arg, Launch};
use syntonic_core::fuse;
use syntonic_core::fuse::{Indices, Slot, Task, lower_with};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::{DType, Layout, Result, Scalar, interrupt};

/// The longest matrices for which the batched routine is faster than one call each.
const BATCHED: usize = 512;

/// The GPU's version of core's `cholesky`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn cholesky(context: &Context, launch: &Launch) -> Result<()> {
    const OP: &str = "cholesky";
    let (a, infos) = (&launch.inputs[0], address(&launch.outputs[1]));
    let l = Columns::output(OP, &launch.outputs[0])?;
    let session = context.solver.session(context, OP)?;
    let count = count(a);
    // SAFETY: the caller's promise; the factor replaces the copy.
    unsafe {
        lower_triangle(context, a, &launch.outputs[0])?;
        if count > 1 && l.rows <= BATCHED && i32::try_from(count).is_ok() {
            batch(&session, &l, count, infos)
        } else {
            one_by_one(&session, &l, count, infos)
        }
    }
}

fuse! {
    /// What is on or below the diagonal, which `below` counts rows from.
    TRIANGLE(a: element, below: element) -> (element) { select(ge(below, 0), a, 0.0) }
}

/// Copies lower triangles, with zeros above them, where the library neither reads nor writes.
///
/// # Safety
/// Both are live stacks of square matrices of one shape and type.
unsafe fn lower_triangle(context: &Context, from: &Arg, to: &Arg) -> Result<()> {
    let program = lower_with(&TRIANGLE, &[from.dtype, DType::I64], Indices::of([1]))?;
    let mut below = Strides::from_elem(0, from.layout.ndim());
    let last = below.len() - 1;
    (below[last - 1], below[last]) = (1, -1);
    let task = Task {
        program: &program,
        outer: from.layout.shape().into(),
        row: Dims::new(),
        inputs: vec![Slot::of(from), Slot::index(0, below, Strides::new())],
        outputs: vec![Slot::of(to)],
        params: &[],
    };
    // SAFETY: the caller's promise; an index has no memory.
    unsafe { kernel::run(context, &task) }
}

/// # Safety
/// There are so many matrices, and a number for each at `infos`.
unsafe fn batch(session: &Session<'_>, l: &Columns, count: usize, infos: At) -> Result<()> {
    let functions = session.handles.functions;
    let routine = match l.dtype {
        DType::F32 => functions.spotrf_batched,
        DType::F64 => functions.dpotrf_batched,
        DType::C64 => functions.cpotrf_batched,
        _ => functions.zpotrf_batched,
    };
    let n = session.short(l.rows)?;
    // SAFETY: the caller's promise.
    unsafe {
        let addresses = addresses(session.context, l, count)?;
        session.check(routine(
            session.handles.handle,
            LOWER,
            n,
            addresses.address(),
            n,
            infos,
            session.short(count)?,
        ))
    }
}

/// The addresses of so many matrices, in GPU memory.
///
/// # Safety
/// There are as many.
unsafe fn addresses<'a>(context: &'a Context, of: &Columns, count: usize) -> Result<Scratch<'a>> {
    let memory = context.scratch(count * size_of::<u64>())?;
    let to = Arg {
        base: memory.address() as *mut u8,
        dtype: DType::I64,
        layout: Layout::contiguous("cholesky", &[count])?,
    };
    let launch = Launch {
        outputs: vec![to],
        params: vec![
            Scalar::Int(i128::from(of.first)),
            Scalar::Int((of.apart * of.dtype.size()) as i128),
        ],
        ..Launch::default()
    };
    // SAFETY: the scratch has room for the addresses.
    unsafe { ramp(context, &launch)? };
    Ok(memory)
}

/// # Safety
/// As [`batch`].
unsafe fn one_by_one(session: &Session<'_>, l: &Columns, count: usize, infos: At) -> Result<()> {
    let (handles, n, kind) = (session.handles, l.rows as i64, kind(l.dtype));
    let functions = handles.functions;
    // SAFETY: the sizes are asked for, of a matrix that is there.
    let mut room = session.room(|device, host| unsafe {
        (functions.potrf_room)(
            handles.handle,
            handles.params,
            LOWER,
            n,
            kind,
            l.first,
            n,
            kind,
            device,
            host,
        )
    })?;
    for k in 0..count {
        // SAFETY: the matrix and its number are there, and the room is what was asked for.
        session.check(unsafe {
            (functions.potrf)(
                handles.handle,
                handles.params,
                LOWER,
                n,
                kind,
                l.at(k),
                n,
                kind,
                room.device(),
                room.bytes(),
                room.host(),
                room.host_bytes(),
                info(infos, k),
            )
        })?;
        interrupt::poll()?;
    }
    Ok(())
}
