//! cuBLAS: one handle a GPU, with workspace of our own for every stream that uses it.

use crate::context::Context;
use crate::toolkit::{self, Toolkit};
use cudarc::cublas::sys::{self, cublasHandle_t, cublasStatus_t};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use syntonic_core::{Error, Result};

/// Bytes of workspace a stream: what NVIDIA recommends for its Hopper GPUs, plenty for others.
const WORKSPACE: usize = 32 << 20;

/// A handle and the workspaces of its streams.
#[derive(Debug)]
struct Library {
    handle: cublasHandle_t,
    /// The stream that the handle is set to.
    stream: Option<usize>,
    workspaces: HashMap<usize, u64>,
}

// SAFETY: a handle may be used from any thread, by one at a time, which the lock around it makes sure of.
unsafe impl Send for Library {}

/// cuBLAS on one GPU; opened by the first product.
#[derive(Debug, Default)]
pub(crate) struct Blas(Mutex<Option<Library>>);

/// The handle, held while its calls are made.
pub(super) struct Held<'a>(MutexGuard<'a, Option<Library>>);

impl Held<'_> {
    /// The handle, set to the stream of the thread that holds it.
    pub(super) fn handle(&self) -> cublasHandle_t {
        self.0.as_ref().map_or(std::ptr::null_mut(), |l| l.handle)
    }
}

impl Blas {
    /// The handle, set to this thread's stream.
    ///
    /// # Errors
    /// Where cuBLAS is not installed: what to install, and every place searched.
    pub(super) fn hold<'a>(&'a self, context: &Context) -> Result<Held<'a>> {
        let mut library = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match library.take() {
            Some(open) => open,
            None => open(context)?,
        };
        let open = library.insert(open);
        open.follow(context)?;
        Ok(Held(library))
    }
}

impl Library {
    /// Sets the handle to the stream of this thread.
    fn follow(&mut self, context: &Context) -> Result<()> {
        let stream = context.stream();
        let id = stream as usize;
        if self.stream == Some(id) {
            return Ok(());
        }
        let workspace = match self.workspaces.get(&id) {
            Some(&there) => there,
            None => {
                let new = context.allocate(WORKSPACE)?;
                self.workspaces.insert(id, new);
                new
            }
        };
        self.stream = None;
        // SAFETY: the handle and the stream are alive, and the workspace is never given back. The types of a
        // stream in cuBLAS and in the driver are the same pointer. Setting a stream resets the workspace, so it
        // comes second.
        unsafe {
            status(context, sys::cublasSetStream_v2(self.handle, stream.cast()))?;
            let at = workspace as *mut std::ffi::c_void;
            status(
                context,
                sys::cublasSetWorkspace_v2(self.handle, at, WORKSPACE),
            )?;
        }
        self.stream = Some(id);
        Ok(())
    }
}

fn open(context: &Context) -> Result<Library> {
    let refuse = |what: String| Error::Fault {
        op: "matmul".to_owned(),
        device: context.device,
        what,
    };
    toolkit::open(Toolkit::Cublas).map_err(refuse)?;
    context.bind()?;
    let mut handle = std::ptr::null_mut();
    // SAFETY: the library is open, so looking for it and its functions finds it; the context is current.
    unsafe {
        let known = sys::is_culib_present()
            && sys::culib()
                .get::<*const ()>(b"cublasGemmStridedBatchedEx_64\0")
                .is_ok();
        if !known {
            return Err(refuse(format!(
                "{}; the one found is older",
                Toolkit::Cublas.hint()
            )));
        }
        status(context, sys::cublasCreate_v2(&mut handle))?;
        let mode = sys::cublasMath_t::CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
        status(context, sys::cublasSetMathMode(handle, mode))?;
    }
    Ok(Library {
        handle,
        stream: None,
        workspaces: HashMap::new(),
    })
}

/// A status of cuBLAS as a result of ours.
pub(super) fn status(context: &Context, status: cublasStatus_t) -> Result<()> {
    if status == cublasStatus_t::CUBLAS_STATUS_SUCCESS {
        return Ok(());
    }
    Err(Error::Fault {
        op: "matmul".to_owned(),
        device: context.device,
        what: format!("{status:?}"),
    })
}
