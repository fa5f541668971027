//! cuFFT on one GPU: opened by the first transform.

use super::plans::{Form, Kept, Plans};
use crate::context::Context;
use crate::driver::entry_points::{entry_points, status};
use crate::driver::toolkit::Toolkit;
use cudarc::driver::sys::CUstream;
use std::ffi::c_int;
use std::ptr;
use std::sync::Mutex;
use syntonic_core::fork::{Locked, lock};
use syntonic_core::graph::check;
use syntonic_core::{Error, Result};

/// A plan's number in the library.
pub(super) type Handle = c_int;
/// An address on the GPU, which C has as a pointer of the same size.
type At = u64;
/// Lengths of axes, as the library reads them.
type Lengths = *mut i64;

entry_points! {
    Toolkit::Cufft,
    needed {
        create(*mut Handle) = "cufftCreate";
        destroy(Handle) = "cufftDestroy";
        set_auto_allocation(Handle, c_int) = "cufftSetAutoAllocation";
        set_stream(Handle, CUstream) = "cufftSetStream";
        set_work_area(Handle, At) = "cufftSetWorkArea";
        make_plan(
            Handle, c_int, Lengths, Lengths, i64, i64, Lengths, i64, i64, c_int, i64, *mut usize
        ) = "cufftMakePlanMany64";
        c2c(Handle, At, At, c_int) = "cufftExecC2C";
        z2z(Handle, At, At, c_int) = "cufftExecZ2Z";
        r2c(Handle, At, At) = "cufftExecR2C";
        d2z(Handle, At, At) = "cufftExecD2Z";
        c2r(Handle, At, At) = "cufftExecC2R";
        z2d(Handle, At, At) = "cufftExecZ2D";
    }
    newer {}
}

/// The plans on one GPU.
#[derive(Debug, Default)]
pub(crate) struct Fourier(Mutex<Plans>);

impl Fourier {
    /// The library for this thread alone.
    ///
    /// # Errors
    /// Where the library is not installed: what to install, and every place searched. Within a capture: a plan that a graph
    /// runs would have to outlive it.
    pub(super) fn session<'a>(
        &'a self,
        context: &'a Context,
        op: &'static str,
    ) -> Result<Session<'a>> {
        check(op, context.device)?;
        let functions = functions().map_err(|what| Error::Fault {
            op: op.to_owned(),
            device: context.device,
            what,
        })?;
        let plans = lock(&self.0);
        context.bind()?;
        Ok(Session {
            functions,
            plans,
            context,
            op,
        })
    }
}

/// The library, for one thread.
pub(super) struct Session<'a> {
    functions: &'static Functions,
    plans: Locked<'a, Plans>,
    context: &'a Context,
    op: &'static str,
}

/// The direction of a transform of complex numbers, as the library counts them.
pub(super) const FORWARD: c_int = -1;
pub(super) const INVERSE: c_int = 1;

impl Session<'_> {
    /// Transforms `lines` lines of `n` numbers at `from` into those at `to`, all without gaps; the direction counts for complex
    /// numbers alone.
    ///
    /// # Safety
    /// Both are live and have room for the lines of this form, and are aligned to 16 bytes.
    pub(super) unsafe fn run(
        &mut self,
        form: Form,
        (n, lines): (usize, usize),
        direction: c_int,
        from: At,
        to: At,
    ) -> Result<()> {
        let plan = self.plan(form, n, lines)?;
        let room = match plan.bytes {
            0 => None,
            bytes => Some(self.context.scratch(bytes)?),
        };
        let functions = self.functions;
        let stream = self.context.stream();
        // SAFETY: the handle is alive, the stream is the context's, and the workspace has the bytes that the plan asked for and
        // lives until the work is in the stream; the rest is the caller's promise.
        unsafe {
            self.check((functions.set_stream)(plan.handle, stream))?;
            if let Some(room) = &room {
                self.check((functions.set_work_area)(plan.handle, room.address()))?;
            }
            self.check(match form {
                Form::C2c => (functions.c2c)(plan.handle, from, to, direction),
                Form::Z2z => (functions.z2z)(plan.handle, from, to, direction),
                Form::R2c => (functions.r2c)(plan.handle, from, to),
                Form::D2z => (functions.d2z)(plan.handle, from, to),
                Form::C2r => (functions.c2r)(plan.handle, from, to),
                Form::Z2d => (functions.z2d)(plan.handle, from, to),
            })
        }
    }

    /// The plan for these lines: one that is kept, or a new one.
    fn plan(&mut self, form: Form, n: usize, lines: usize) -> Result<Kept> {
        if let Some(kept) = self.plans.find(form, n, lines) {
            return Ok(kept);
        }
        // The library loads code and takes memory, which may wait for the whole GPU.
        self.context.leases.ask_to_leave();
        let mut handle = 0;
        // SAFETY: the context is current, and the out-pointer is our own.
        self.check(unsafe { (self.functions.create)(&mut handle) })?;
        let made = self.make(handle, form, n, lines);
        let bytes = made.inspect_err(|_| self.destroy(handle))?;
        let kept = Kept {
            form,
            n,
            lines,
            handle,
            bytes,
        };
        if let Some(old) = self.plans.keep(kept) {
            // Its tables are those of transforms that may still run.
            self.context.idle()?;
            self.destroy(old.handle);
        }
        Ok(kept)
    }

    /// Makes the plan of a new handle; the bytes of its workspace, which is ours to give.
    fn make(&self, handle: Handle, form: Form, n: usize, lines: usize) -> Result<usize> {
        let (mut read, mut written) = form.lengths(n);
        let (mut length, mut bytes) = (n as i64, 0usize);
        // SAFETY: the handle is alive, and the pointers are our own.
        unsafe {
            self.check((self.functions.set_auto_allocation)(handle, 0))?;
            self.check((self.functions.make_plan)(
                handle,
                1,
                &mut length,
                &mut read,
                1,
                read,
                &mut written,
                1,
                written,
                form.code(),
                lines as i64,
                ptr::from_mut(&mut bytes),
            ))?;
        }
        Ok(bytes)
    }

    /// Gives a plan up.
    fn destroy(&self, handle: Handle) {
        // SAFETY: the handle is alive, and nobody has it any more.
        let code = unsafe { (self.functions.destroy)(handle) };
        if code != 0 {
            tracing::debug!(code, "cuFFT does not give a plan up");
        }
    }

    /// A status of the library as a result of ours.
    fn check(&self, code: c_int) -> Result<()> {
        status(self.op, self.context.device, code, "CUFFT_", name)
    }
}

fn name(code: c_int) -> &'static str {
    match code {
        1 => "INVALID_PLAN",
        3 => "INVALID_TYPE",
        4 => "INVALID_VALUE",
        5 => "INTERNAL_ERROR",
        6 => "EXEC_FAILED",
        7 => "SETUP_FAILED",
        8 => "INVALID_SIZE",
        9 => "UNALIGNED_DATA",
        11 => "INVALID_DEVICE",
        13 => "NO_WORKSPACE",
        14 => "NOT_IMPLEMENTED",
        16 => "NOT_SUPPORTED",
        _ => "OTHER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_once() {
        let mut names = FUNCTIONS.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FUNCTIONS.len());
        assert!(names.iter().all(|name| name.starts_with("cufft")));
    }
}
