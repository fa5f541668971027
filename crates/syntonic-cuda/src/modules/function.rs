//! Kernels that can be launched, and their attributes.

use crate::driver::fault::{Checked, fault};
use crate::driver::library::load_function;
use crate::modules::assembly::assembling;
use crate::modules::loading::{dump, told};
use crate::modules::machine_code::{MADE_FROM_CUBINS, MADE_FROM_TEXTS};
use crate::ptx::parameter;
use crate::service::leases::Leases;
use cudarc::driver::sys::{self, CUresult};
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;
use syntonic_core::{DeviceId, Result};

/// A kernel that can be launched. It stays loaded as long as the process lives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function(&'static Entry);

/// A loaded kernel and its attributes.
#[derive(Debug)]
pub(crate) struct Entry {
    handle: sys::CUfunction,
    pub(crate) name: String,
    /// Bytes of static shared memory.
    pub(crate) declared: u32,
    large_shared: AtomicBool,
    /// Whether non-portable cluster sizes were allowed.
    wide_clusters: AtomicBool,
    /// The cluster size of the last occupancy query and its answer, 16 bits each.
    clusters: AtomicU32,
    /// Bytes of its parameter, where its text was seen.
    pub(crate) parameter: Option<u32>,
    /// True where programmatic dependent launch (PDL) may start it before the preceding kernel ends.
    pub(crate) overlaps: bool,
}

/// What the driver makes a kernel of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code<'a> {
    /// PTX, which it assembles.
    Text(&'a CStr),
    /// Machine code.
    Cubin(&'a [u8]),
}

/// Bytes of shared memory per block that need no opt-in.
const USUAL: u32 = 48 << 10;

// SAFETY: a function handle is an opaque number, and the driver accepts it from any thread.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

impl Function {
    /// The kernel `name` of a JIT text that has begun already, and so overlaps or not, assembled for the current context.
    pub(crate) fn of_begun(
        text: String,
        overlaps: bool,
        name: &str,
        device: DeviceId,
        leases: &Leases,
    ) -> Result<Function> {
        let text = CString::new(text).map_err(|_| {
            let op = format!("make of {name}");
            fault(&op, device, CUresult::CUDA_ERROR_INVALID_PTX)
        })?;
        dump(&text, name);
        // SAFETY: a text is no cubin.
        unsafe { Function::of_library(Code::Text(&text), overlaps, name, device, leases) }
    }

    /// The kernel `name` of a library, for the current context.
    ///
    /// Loaded as a library, not as a module: loading a module blocks the launches of other threads for some 80 ms. It may still wait
    /// for the whole GPU, so leases are asked to end first.
    ///
    /// # Safety
    /// A cubin is whole.
    pub(super) unsafe fn of_library(
        code: Code<'_>,
        overlaps: bool,
        name: &str,
        device: DeviceId,
        leases: &Leases,
    ) -> Result<Function> {
        let op = format!("make of {name}");
        let entry =
            CString::new(name).map_err(|_| fault(&op, device, CUresult::CUDA_ERROR_INVALID_PTX))?;
        let start = Instant::now();
        let (mut library, mut kernel) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut handle = std::ptr::null_mut();
        leases.ask_to_leave();
        let mut load = || {
            let data = match code {
                Code::Text(text) => text.as_ptr().cast(),
                Code::Cubin(bytes) => bytes.as_ptr().cast(),
            };
            let (options, values) = (std::ptr::null_mut(), std::ptr::null_mut());
            let (more, more_values) = (std::ptr::null_mut(), std::ptr::null_mut());
            let load = sys::cuLibraryLoadData;
            // SAFETY: a text ends with a zero byte, and a cubin is whole, as the caller promises; there are no options, and the context is
            // current.
            match unsafe { load(&mut library, data, options, values, 0, more, more_values, 0) } {
                CUresult::CUDA_SUCCESS => Ok(()),
                code => Err(code),
            }
        };
        let loaded = match code {
            Code::Text(_) => assembling(load),
            Code::Cubin(_) => load(),
        };
        loaded.map_err(|code| fault(&op, device, code))?;
        // SAFETY: the library is loaded, the name ends with a zero byte, and the driver writes one handle each.
        unsafe {
            sys::cuLibraryGetKernel(&mut kernel, library, entry.as_ptr()).during(&op, device)?;
            sys::cuKernelGetFunction(&mut handle, kernel).during(&op, device)?;
        }
        let counter = match code {
            Code::Text(_) => &MADE_FROM_TEXTS,
            Code::Cubin(_) => &MADE_FROM_CUBINS,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        told(start, name, "kernels made at run time");
        let parameter = match code {
            Code::Text(text) => text
                .to_str()
                .ok()
                .and_then(|text| parameter::bytes(text, name)),
            Code::Cubin(_) => None,
        };
        Function::keep(handle, name, parameter, overlaps, device)
    }

    /// Keeps a loaded function with its attributes. The context must be current.
    ///
    /// Its code is loaded here, not at the first launch: a launch that finds no memory for the code fails with an unknown error,
    /// and the function fails ever after.
    pub(super) fn keep(
        handle: sys::CUfunction,
        name: &str,
        parameter: Option<u32>,
        overlaps: bool,
        device: DeviceId,
    ) -> Result<Function> {
        let mut declared = 0;
        let shared = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
        // SAFETY: the handle is a loaded module's, and its context is current.
        unsafe { load_function(handle) }.during(&format!("load of {name}"), device)?;
        // SAFETY: the handle is a loaded function's, and its context is current.
        unsafe { sys::cuFuncGetAttribute(&mut declared, shared, handle) }.during(name, device)?;
        Ok(Function(Box::leak(Box::new(Entry {
            handle,
            name: name.to_owned(),
            declared: declared as u32,
            large_shared: AtomicBool::new(false),
            wide_clusters: AtomicBool::new(false),
            clusters: AtomicU32::new(0),
            parameter,
            overlaps,
        }))))
    }

    /// The driver's handle.
    pub(crate) fn handle(&self) -> sys::CUfunction {
        self.0.handle
    }

    /// The entry's name.
    pub(crate) fn name(&self) -> &'static str {
        &self.0.name
    }

    /// Its attributes.
    pub(crate) fn entry(&self) -> &'static Entry {
        self.0
    }

    /// What the driver says of it, where it does. Its context must be current.
    pub(crate) fn attribute(&self, attribute: sys::CUfunction_attribute) -> Option<u32> {
        let mut value = 0;
        // SAFETY: the handle is a loaded function's, its context is current, and the driver writes one number.
        let code = unsafe { sys::cuFuncGetAttribute(&mut value, attribute, self.handle()) };
        let said = code == CUresult::CUDA_SUCCESS;
        said.then(|| value.max(0) as u32)
    }

    /// Opts a kernel in to `bytes` bytes of dynamic shared memory, where that is needed. A block may have `most` in all.
    pub(crate) fn allow_shared(&self, bytes: u32, most: u32, device: DeviceId) -> Result<()> {
        let usual = self.0.declared.saturating_add(bytes) <= USUAL;
        if usual || self.0.large_shared.load(Ordering::Relaxed) {
            return Ok(());
        }
        let dynamic = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let rest = most.saturating_sub(self.0.declared) as i32;
        // SAFETY: the handle is a loaded function's, and its context is current.
        unsafe { sys::cuFuncSetAttribute(self.handle(), dynamic, rest) }
            .during(self.name(), device)?;
        self.0.large_shared.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Opts a kernel in to non-portable cluster sizes (more than eight blocks), which not every card supports.
    pub(crate) fn allow_wide_clusters(&self, device: DeviceId) -> Result<()> {
        if self.0.wide_clusters.load(Ordering::Relaxed) {
            return Ok(());
        }
        let wide = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
        // SAFETY: the handle is a loaded function's, and its context is current.
        unsafe { sys::cuFuncSetAttribute(self.handle(), wide, 1) }.during(self.name(), device)?;
        self.0.wide_clusters.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// How many clusters of `size` blocks are co-resident, if that was asked before.
    pub(crate) fn known_clusters(&self, size: u32) -> Option<u32> {
        let kept = self.0.clusters.load(Ordering::Relaxed);
        (kept >> 16 == size).then_some(kept & 0xffff)
    }

    /// Remembers how many clusters of `size` blocks are co-resident.
    pub(crate) fn keep_clusters(&self, size: u32, count: u32) {
        self.0.clusters.store(size << 16 | count, Ordering::Relaxed);
    }
}
