//! Kernels that are loaded as machine code, and how many of a process are.

use crate::cubins::{self, Cubins};
use crate::driver::fault::fault;
use crate::modules::function::{Code, Function};
use crate::modules::loading::{Module, dump_folder};
use crate::modules::overlap;
use crate::service::leases::Leases;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::CStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use syntonic_core::fork::lock;
use syntonic_core::{DeviceId, Error, Result};

/// Where the kernels of a process came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Kernels that were loaded as machine code.
    pub cubins: usize,
    /// Kernels that the driver assembled.
    pub ptx: usize,
    /// Of both, those that were made at run time for a formula.
    pub made: usize,
}

pub(super) static FROM_CUBINS: AtomicUsize = AtomicUsize::new(0);
pub(super) static FROM_PTX: AtomicUsize = AtomicUsize::new(0);
pub(super) static MADE_FROM_CUBINS: AtomicUsize = AtomicUsize::new(0);
pub(super) static MADE_FROM_TEXTS: AtomicUsize = AtomicUsize::new(0);

/// How many kernels this process loaded as machine code, and how many the driver had to assemble, on all GPUs.
///
/// ```
/// let sources = syntonic_cuda::kernel_sources();
/// println!("{} cubins, {} from PTX", sources.cubins, sources.ptx);
/// assert!(sources.made <= sources.cubins + sources.ptx);
/// ```
pub fn kernel_sources() -> Sources {
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    let (cubins, texts) = (count(&MADE_FROM_CUBINS), count(&MADE_FROM_TEXTS));
    Sources {
        cubins: count(&FROM_CUBINS) + cubins,
        ptx: count(&FROM_PTX) + texts,
        made: cubins + texts,
    }
}

/// The cubins for the card of kernels whose texts are made at run time.
#[derive(Debug, Default)]
pub(crate) struct MadeCubins(
    /// Looked for at the first kernel.
    Mutex<Option<Option<Cubins>>>,
);

impl MadeCubins {
    /// The kernel `name` that was assembled from this text, which has begun; nothing where it has to come from the text. The context
    /// must be current.
    pub(crate) fn function(
        &self,
        (text, overlaps): (&str, bool),
        name: &str,
        device: DeviceId,
        capability: (u32, u32),
        leases: &Leases,
    ) -> Option<Function> {
        if dump_folder().is_some() {
            return None;
        }
        let cubin = {
            let mut file = lock(&self.0);
            let file = file.get_or_insert_with(|| Cubins::for_card(capability));
            file.as_mut()?.cubin(&cubins::of_made(name, text))?.to_vec()
        };
        // SAFETY: the cubin has the length that the file says.
        match unsafe { Function::of_library(Code::Cubin(&cubin), overlaps, name, device, leases) } {
            Ok(function) => Some(function),
            Err(error) => {
                tracing::warn!(%error, name, "a cubin is not used, its kernel comes from PTX");
                None
            }
        }
    }
}

/// The cubins for the card and those of them that are loaded.
#[derive(Debug, Default)]
pub(super) struct MachineCode {
    /// Looked for at the first kernel.
    file: Option<Option<Cubins>>,
    /// Nothing where there is no cubin, or the driver refused it.
    modules: HashMap<&'static str, Option<Loaded>>,
}

/// A cubin that is loaded.
#[derive(Clone, Copy, Debug)]
struct Loaded {
    module: Module,
    /// Whether a function of it was kept: then it stays loaded.
    used: bool,
}

impl MachineCode {
    /// A kernel; nothing where it has to come from PTX. The context must be current.
    ///
    /// Where there is no memory for its code, the module is given up: the driver would refuse the function ever after. The next
    /// request loads the cubin anew.
    pub(super) fn function(
        &mut self,
        family: &'static str,
        entry: &CStr,
        device: DeviceId,
        capability: (u32, u32),
    ) -> Option<Result<Function>> {
        let loaded = match self.loaded(family, device, capability)? {
            Ok(loaded) => loaded,
            Err(error) => return Some(Err(error)),
        };
        let handle = loaded.module.function(entry).ok()?;
        // Every kernel of a card with PDL was made to wait before it was assembled.
        let overlaps = overlap::overlaps(capability);
        let function = Function::keep(handle, &entry.to_string_lossy(), None, overlaps, device);
        match function {
            Ok(_) => loaded.used = true,
            Err(_) => {
                if !loaded.used {
                    loaded.module.unload();
                }
                self.modules.remove(family);
            }
        }
        Some(function)
    }

    /// The cubin of a family, loaded.
    fn loaded(
        &mut self,
        family: &'static str,
        device: DeviceId,
        capability: (u32, u32),
    ) -> Option<Result<&mut Loaded>> {
        let free = match self.modules.entry(family) {
            Entry::Occupied(there) => return there.into_mut().as_mut().map(Ok),
            Entry::Vacant(free) => free,
        };
        let file = self
            .file
            .get_or_insert_with(|| Cubins::for_card(capability));
        let cubin = file.as_mut()?.cubin(family);
        // SAFETY: the cubin has the length that the file says.
        let module = cubin.map(|cubin| unsafe { Module::load(cubin) });
        let module = match module.transpose() {
            Ok(module) => module,
            Err(code) => match fault(&format!("load of {family}"), device, code) {
                short @ Error::NoRoomFor { .. } => return Some(Err(short)),
                _ => {
                    tracing::warn!(
                        family,
                        ?code,
                        "the driver refuses a cubin, its kernels come from PTX"
                    );
                    None
                }
            },
        };
        let loaded = module.map(|module| Loaded {
            module,
            used: false,
        });
        free.insert(loaded).as_mut().map(Ok)
    }
}
