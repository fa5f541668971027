//! A text of kernels, loaded on each GPU at its first launch there.

use super::Module;
use crate::context::gpu::Cuda;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex};
use syntonic_core::fork::lock;
use syntonic_core::{Device, DeviceId, Result};

/// PTX, and the modules that were made of it, one a GPU. It may be a `static`.
pub struct Code {
    ptx: Cow<'static, str>,
    loaded: Mutex<Vec<(DeviceId, Arc<Module>)>>,
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({} bytes)", self.ptx.len())
    }
}

impl Code {
    /// Code that is loaded nowhere yet.
    ///
    /// ```
    /// use syntonic_cuda::foreign::Code;
    ///
    /// static NOTHING: Code = Code::new(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }");
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     assert!(std::sync::Arc::ptr_eq(&NOTHING.on(&gpu)?, &NOTHING.on(&gpu)?));
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub const fn new(ptx: &'static str) -> Code {
        Code {
            ptx: Cow::Borrowed(ptx),
            loaded: Mutex::new(Vec::new()),
        }
    }

    /// Code of a text that is made at run time.
    ///
    /// ```
    /// use syntonic_cuda::foreign::Code;
    ///
    /// let made = format!(".version 7.0\n.target sm_{}\n.address_size 64\n.visible .entry nothing() {{ ret; }}", 70);
    /// let code = Code::from_text(made);
    /// if syntonic_cuda::device_count() > 0 {
    ///     assert!(code.on(&syntonic_cuda::open(0)?).is_ok());
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn from_text(ptx: String) -> Code {
        Code {
            ptx: Cow::Owned(ptx),
            loaded: Mutex::default(),
        }
    }

    /// The module on a GPU, loaded now if it is not there yet.
    ///
    /// # Errors
    /// As [`Module::from_ptx`].
    ///
    /// ```
    /// use syntonic_cuda::foreign::Code;
    ///
    /// let code = Code::new("int main() {}");
    /// if syntonic_cuda::device_count() > 0 {
    ///     assert!(code.on(&syntonic_cuda::open(0)?).is_err());
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn on(&self, gpu: &Arc<Cuda>) -> Result<Arc<Module>> {
        let id = gpu.id();
        let known = |loaded: &[(DeviceId, Arc<Module>)]| {
            let found = loaded.iter().find(|(device, _)| *device == id);
            found.map(|(_, module)| module.clone())
        };
        if let Some(module) = known(&lock(&self.loaded)) {
            return Ok(module);
        }
        // Others may load it meanwhile; then theirs is kept.
        let made = Arc::new(Module::from_ptx(gpu, &self.ptx)?);
        let mut loaded = lock(&self.loaded);
        Ok(known(&loaded).unwrap_or_else(|| {
            loaded.push((id, made.clone()));
            made
        }))
    }
}
