//! What the driver gets of a kernel: its text or its machine code.

use crate::modules::overlap;
use cudarc::driver::sys::{self, CUresult};
use std::ffi::{CStr, OsString};
use std::path::Path;
use std::time::Instant;

/// A module's handle. It stays loaded as long as the process lives, unless it could not be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Module(sys::CUmodule);

// SAFETY: a module's handle is an opaque number, and the driver accepts it from any thread.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

impl Module {
    /// Loads what the driver takes: a text or a cubin. The context must be current.
    ///
    /// # Safety
    /// A text ends with a zero byte; a cubin is whole.
    pub(super) unsafe fn load(image: &[u8]) -> std::result::Result<Module, CUresult> {
        let mut module = std::ptr::null_mut();
        // SAFETY: the driver reads to the end of the text or the cubin, which its caller promises to be there.
        match unsafe { sys::cuModuleLoadData(&mut module, image.as_ptr().cast()) } {
            CUresult::CUDA_SUCCESS => Ok(Module(module)),
            code => Err(code),
        }
    }

    pub(super) fn function(self, name: &CStr) -> std::result::Result<sys::CUfunction, CUresult> {
        let mut handle = std::ptr::null_mut();
        // SAFETY: the module is loaded, and the name ends with a zero byte.
        match unsafe { sys::cuModuleGetFunction(&mut handle, self.0, name.as_ptr()) } {
            CUresult::CUDA_SUCCESS => Ok(handle),
            code => Err(code),
        }
    }

    /// Unloads a module, none of whose functions is used. The context must be current.
    pub(super) fn unload(self) {
        // SAFETY: the module is loaded, and no handle of its functions was kept.
        let code = unsafe { sys::cuModuleUnload(self.0) };
        if code != CUresult::CUDA_SUCCESS {
            tracing::warn!(?code, "a module stays loaded");
        }
    }
}

/// The kernel's text for the card, and whether it may be launched by PDL.
pub(crate) fn begun(text: String, entry: &str, capability: (u32, u32)) -> (String, bool) {
    let overlapping = overlap::overlaps(capability).then(|| overlap::overlapping(&text, entry));
    match overlapping.flatten() {
        Some(text) => (text, true),
        None => (text, false),
    }
}

/// The folder that the text of each kernel is written into before the driver gets it, if the variable names one.
const DUMP: &str = "SYNTONIC_DUMP_PTX";

/// Writes a text that the driver is about to get into the folder for that, if there is one.
pub(super) fn dump(text: &CStr, entry: &str) {
    let Some(folder) = dump_folder() else {
        return;
    };
    let file = Path::new(&folder).join(format!("{entry}.ptx"));
    let written =
        std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text.to_bytes()));
    if let Err(error) = written {
        tracing::warn!(%error, file = %file.display(), "{DUMP}");
    }
}

/// Tells whoever listens how long loading a kernel took.
pub(super) fn told(start: Instant, entry: &str, family: &str) {
    let ms = start.elapsed().as_secs_f64() * 1e3;
    tracing::info!(target: "syntonic::kernel", "loaded {entry} of {family} in {ms:.1} ms");
}

/// Where texts are written; then every kernel comes from its text.
pub(super) fn dump_folder() -> Option<OsString> {
    std::env::var_os(DUMP)
}
