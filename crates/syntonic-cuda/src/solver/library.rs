//! cuSOLVER on one GPU: opened by the first decomposition.

use super::session::Session;
use crate::context::Context;
use crate::driver::entry_points::entry_points;
use crate::driver::toolkit::Toolkit;
use cudarc::driver::sys::CUstream;
use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::Mutex;
use syntonic_core::fork::lock;
use syntonic_core::graph::check;
use syntonic_core::{Error, Result};

/// An address on the GPU, which C has as a pointer of the same size.
pub(super) type At = u64;
/// A number of one of the library's enums.
pub(super) type Code = c_int;
pub(super) type Handle = *mut c_void;
pub(super) type Params = *mut c_void;
/// Memory of the host.
type Host = *mut c_void;

entry_points! {
    Toolkit::Cusolver,
    needed {
        create(*mut Handle) = "cusolverDnCreate";
        create_params(*mut Params) = "cusolverDnCreateParams";
        set_stream(Handle, CUstream) = "cusolverDnSetStream";

        potrf_room(Handle, Params, Code, i64, Code, At, i64, Code, *mut usize, *mut usize)
            = "cusolverDnXpotrf_bufferSize";
        potrf(Handle, Params, Code, i64, Code, At, i64, Code, At, usize, Host, usize, At) = "cusolverDnXpotrf";
        spotrf_batched(Handle, Code, c_int, At, c_int, At, c_int) = "cusolverDnSpotrfBatched";
        dpotrf_batched(Handle, Code, c_int, At, c_int, At, c_int) = "cusolverDnDpotrfBatched";
        cpotrf_batched(Handle, Code, c_int, At, c_int, At, c_int) = "cusolverDnCpotrfBatched";
        zpotrf_batched(Handle, Code, c_int, At, c_int, At, c_int) = "cusolverDnZpotrfBatched";

        getrf_room(Handle, Params, i64, i64, Code, At, i64, Code, *mut usize, *mut usize)
            = "cusolverDnXgetrf_bufferSize";
        getrf(Handle, Params, i64, i64, Code, At, i64, At, Code, At, usize, Host, usize, At) = "cusolverDnXgetrf";
        getrs(Handle, Params, Code, i64, i64, Code, At, i64, At, Code, At, i64, At) = "cusolverDnXgetrs";

        geqrf_room(Handle, Params, i64, i64, Code, At, i64, Code, At, Code, *mut usize, *mut usize)
            = "cusolverDnXgeqrf_bufferSize";
        geqrf(Handle, Params, i64, i64, Code, At, i64, Code, At, Code, At, usize, Host, usize, At)
            = "cusolverDnXgeqrf";
        sorgqr_room(Handle, c_int, c_int, c_int, At, c_int, At, *mut c_int) = "cusolverDnSorgqr_bufferSize";
        dorgqr_room(Handle, c_int, c_int, c_int, At, c_int, At, *mut c_int) = "cusolverDnDorgqr_bufferSize";
        cungqr_room(Handle, c_int, c_int, c_int, At, c_int, At, *mut c_int) = "cusolverDnCungqr_bufferSize";
        zungqr_room(Handle, c_int, c_int, c_int, At, c_int, At, *mut c_int) = "cusolverDnZungqr_bufferSize";
        sorgqr(Handle, c_int, c_int, c_int, At, c_int, At, At, c_int, At) = "cusolverDnSorgqr";
        dorgqr(Handle, c_int, c_int, c_int, At, c_int, At, At, c_int, At) = "cusolverDnDorgqr";
        cungqr(Handle, c_int, c_int, c_int, At, c_int, At, At, c_int, At) = "cusolverDnCungqr";
        zungqr(Handle, c_int, c_int, c_int, At, c_int, At, At, c_int, At) = "cusolverDnZungqr";

        syevd_room(Handle, Params, Code, Code, i64, Code, At, i64, Code, At, Code, *mut usize, *mut usize)
            = "cusolverDnXsyevd_bufferSize";
        syevd(Handle, Params, Code, Code, i64, Code, At, i64, Code, At, Code, At, usize, Host, usize, At)
            = "cusolverDnXsyevd";

        gesvd_room(
            Handle, Params, c_char, c_char, i64, i64, Code, At, i64, Code, At, Code, At, i64, Code, At, i64, Code,
            *mut usize, *mut usize
        ) = "cusolverDnXgesvd_bufferSize";
        gesvd(
            Handle, Params, c_char, c_char, i64, i64, Code, At, i64, Code, At, Code, At, i64, Code, At, i64, Code, At,
            usize, Host, usize, At
        ) = "cusolverDnXgesvd";
        gesvdp_room(
            Handle, Params, Code, c_int, i64, i64, Code, At, i64, Code, At, Code, At, i64, Code, At, i64, Code,
            *mut usize, *mut usize
        ) = "cusolverDnXgesvdp_bufferSize";
        gesvdp(
            Handle, Params, Code, c_int, i64, i64, Code, At, i64, Code, At, Code, At, i64, Code, At, i64, Code, At,
            usize, Host, usize, At, *mut f64
        ) = "cusolverDnXgesvdp";
    }
    newer {
        syev_batched_room(
            Handle, Params, Code, Code, i64, Code, At, i64, Code, At, Code, *mut usize, *mut usize, i64
        ) = "cusolverDnXsyevBatched_bufferSize";
        syev_batched(
            Handle, Params, Code, Code, i64, Code, At, i64, Code, At, Code, At, usize, Host, usize, At, i64
        ) = "cusolverDnXsyevBatched";
        geev_room(
            Handle, Params, Code, Code, i64, Code, At, i64, Code, At, Code, At, i64, Code, At, i64, Code, *mut usize,
            *mut usize
        ) = "cusolverDnXgeev_bufferSize";
        geev(
            Handle, Params, Code, Code, i64, Code, At, i64, Code, At, Code, At, i64, Code, At, i64, Code, At, usize,
            Host, usize, At
        ) = "cusolverDnXgeev";
    }
}

/// The library's handles on one GPU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handles {
    pub(super) handle: Handle,
    pub(super) params: Params,
    pub(super) functions: &'static Functions,
}

// SAFETY: a handle may be used from any thread, by one at a time, which the lock around it ensures.
unsafe impl Send for Handles {}

/// The library on one GPU; opened by the first decomposition.
#[derive(Debug, Default)]
pub(crate) struct Solver(Mutex<Option<Handles>>);

impl Solver {
    /// The library for this thread alone, with its work in this thread's stream.
    ///
    /// # Errors
    /// Where the library is not installed: what to install, and every place searched.
    pub(super) fn session<'a>(
        &'a self,
        context: &'a Context,
        op: &'static str,
    ) -> Result<Session<'a>> {
        check(op, context.device)?;
        let mut held = lock(&self.0);
        context.bind()?;
        let handles = match *held {
            Some(handles) => handles,
            None => *held.insert(open(context, op)?),
        };
        let session = Session {
            handles,
            context,
            op,
            _held: held,
        };
        let stream = context.stream();
        // SAFETY: the handle is alive, and the stream is one of the context's.
        let code = unsafe { (handles.functions.set_stream)(handles.handle, stream) };
        session.check(code)?;
        Ok(session)
    }
}

fn open(context: &Context, op: &'static str) -> Result<Handles> {
    let functions = functions().map_err(|what| Error::Fault {
        op: op.to_owned(),
        device: context.device,
        what,
    })?;
    let (mut handle, mut params) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the context is current, and the out-pointers are our own.
    unsafe {
        super::session::status(context, op, (functions.create)(&mut handle))?;
        super::session::status(context, op, (functions.create_params)(&mut params))?;
    }
    Ok(Handles {
        handle,
        params,
        functions,
    })
}
