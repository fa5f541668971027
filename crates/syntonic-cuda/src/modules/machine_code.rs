//! Kernels that are loaded as machine code, and how many of a process are.

use crate::cubins::Cubins;
use crate::modules::loading::Module;
use cudarc::driver::sys::{self, CUresult};
use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Kernels that are stored together: a family, and what their names begin with.
pub(super) type Place = (&'static str, &'static str);

/// Where the kernels of a process came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Kernels that were loaded as machine code.
    pub cubins: usize,
    /// Kernels that the driver assembled.
    pub ptx: usize,
}

pub(super) static FROM_CUBINS: AtomicUsize = AtomicUsize::new(0);
pub(super) static FROM_PTX: AtomicUsize = AtomicUsize::new(0);

/// How many of the kernels that were compiled ahead of time this process loaded as machine code, and how many the driver had to
/// assemble, on all GPUs. Those that are made at run time for a formula are not counted.
///
/// ```
/// let sources = syntonic_cuda::kernel_sources();
/// println!("{} cubins, {} from PTX", sources.cubins, sources.ptx);
/// ```
pub fn kernel_sources() -> Sources {
    Sources {
        cubins: FROM_CUBINS.load(Ordering::Relaxed),
        ptx: FROM_PTX.load(Ordering::Relaxed),
    }
}

/// The cubins for the card and those of them that are loaded.
#[derive(Debug, Default)]
pub(super) struct MachineCode {
    /// Looked for at the first kernel.
    file: Option<Option<Cubins>>,
    /// Nothing where there is no cubin, or the driver refused it.
    modules: HashMap<Place, Option<Module>>,
}

impl MachineCode {
    /// The handle of a kernel; nothing where it has to come from PTX. The context must be current.
    pub(super) fn kernel(
        &mut self,
        place: Place,
        entry: &CStr,
        capability: (u32, u32),
    ) -> Option<sys::CUfunction> {
        let module = match self.modules.get(&place) {
            Some(module) => *module,
            None => {
                let file = self
                    .file
                    .get_or_insert_with(|| Cubins::for_card(capability));
                let cubin = file.as_mut()?.cubin(place.0, place.1);
                // SAFETY: the cubin has the length that the file says.
                let module = cubin.map(|cubin| unsafe { Module::load(cubin) });
                let refused = |code: &CUresult| {
                    tracing::warn!(
                        family = place.0,
                        ?code,
                        "the driver refuses a cubin, its kernels come from PTX"
                    );
                };
                let module = module.and_then(|module| module.inspect_err(refused).ok());
                *self.modules.entry(place).or_insert(module)
            }
        };
        module?.function(entry).ok()
    }
}
