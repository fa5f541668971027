//! Kernels by family and entry: loaded when first asked for, remembered for the context.

use crate::fault::{Checked, fault};
use crate::images;
use cudarc::driver::sys::{self, CUresult};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use syntonic_core::{DeviceId, Error, Result};

/// A kernel that can be launched.
#[derive(Clone, Debug)]
pub(crate) struct Function(Arc<Entry>);

#[derive(Debug)]
struct Entry {
    handle: sys::CUfunction,
    name: String,
    large_shared: AtomicBool,
}

// SAFETY: a function handle is a number to everybody but the driver, which takes it from any thread.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

impl Function {
    /// The driver's handle.
    pub(crate) fn handle(&self) -> sys::CUfunction {
        self.0.handle
    }

    /// The entry's name.
    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    /// Lets launches ask for up to `bytes` of shared memory together with what the kernel declares.
    pub(crate) fn allow_shared(&self, bytes: u32, device: DeviceId) -> Result<()> {
        if self.0.large_shared.load(Ordering::Relaxed) {
            return Ok(());
        }
        use sys::CUfunction_attribute as A;
        let mut declared = 0;
        // SAFETY: the handle is a loaded function's, and its context is current.
        unsafe {
            sys::cuFuncGetAttribute(
                &mut declared,
                A::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                self.handle(),
            )
            .during(self.name(), device)?;
            sys::cuFuncSetAttribute(
                self.handle(),
                A::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                bytes as i32 - declared,
            )
            .during(self.name(), device)?;
        }
        self.0.large_shared.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// The modules of one context. They stay loaded as long as the process lives.
#[derive(Debug)]
pub(crate) struct Modules {
    device: DeviceId,
    families: RwLock<HashMap<&'static str, Family>>,
}

#[derive(Debug)]
struct Family {
    module: sys::CUmodule,
    functions: HashMap<String, Function>,
}

// SAFETY: a module handle is a number to everybody but the driver, which takes it from any thread.
unsafe impl Send for Family {}
// SAFETY: as above.
unsafe impl Sync for Family {}

impl Modules {
    pub(crate) fn new(device: DeviceId) -> Modules {
        Modules {
            device,
            families: RwLock::default(),
        }
    }

    /// The entry of a family, in the image that suits `capability`. The context must be current.
    pub(crate) fn function(
        &self,
        family: &'static str,
        entry: &str,
        capability: (u32, u32),
    ) -> Result<Function> {
        {
            let families = self.families.read().unwrap_or_else(PoisonError::into_inner);
            let known = families.get(family).and_then(|f| f.functions.get(entry));
            if let Some(function) = known {
                return Ok(function.clone());
            }
        }
        let mut families = self
            .families
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let loaded = match families.entry(family) {
            std::collections::hash_map::Entry::Occupied(there) => there.into_mut(),
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(self.load(family, capability)?)
            }
        };
        if let Some(function) = loaded.functions.get(entry) {
            return Ok(function.clone());
        }
        let function = self.find(loaded.module, family, entry)?;
        loaded.functions.insert(entry.to_owned(), function.clone());
        Ok(function)
    }

    /// Family and name of every kernel that was asked for, sorted.
    pub(crate) fn used(&self) -> Vec<(&'static str, String)> {
        let families = self.families.read().unwrap_or_else(PoisonError::into_inner);
        let names = |(family, loaded): (&&'static str, &Family)| {
            let family = *family;
            let entries: Vec<_> = loaded.functions.keys().cloned().collect();
            entries.into_iter().map(move |entry| (family, entry))
        };
        let mut used: Vec<_> = families.iter().flat_map(names).collect();
        used.sort();
        used
    }

    fn load(&self, family: &'static str, capability: (u32, u32)) -> Result<Family> {
        let image = images::image(family, capability)
            .map_err(|missing| Error::value("load", missing.to_string()))?;
        let _span = tracing::debug_span!("load", family).entered();
        let text = image.ptx();
        let mut module = std::ptr::null_mut();
        // SAFETY: the image is a text that ends with a zero byte, and the context is current.
        let code = unsafe { sys::cuModuleLoadData(&mut module, text.as_ptr().cast()) };
        code.during(&format!("load of {family}"), self.device)?;
        Ok(Family {
            module,
            functions: HashMap::new(),
        })
    }

    fn find(&self, module: sys::CUmodule, family: &str, entry: &str) -> Result<Function> {
        let name = CString::new(entry).map_err(|_| self.refuse(family, "a zero byte in a name"))?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the module is loaded and the name ends with a zero byte.
        match unsafe { sys::cuModuleGetFunction(&mut handle, module, name.as_ptr()) } {
            CUresult::CUDA_SUCCESS => Ok(Function(Arc::new(Entry {
                handle,
                name: entry.to_owned(),
                large_shared: AtomicBool::new(false),
            }))),
            CUresult::CUDA_ERROR_NOT_FOUND => {
                Err(self.refuse(family, &format!("no entry named {entry}")))
            }
            code => Err(fault(entry, self.device, code)),
        }
    }

    fn refuse(&self, family: &str, what: &str) -> Error {
        Error::Fault {
            op: format!("load of {family}"),
            device: self.device,
            what: format!("{what}; this is a fault of the build, please report it"),
        }
    }
}
