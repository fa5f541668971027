//! The JIT kernels of one kind in a context. One is assembled at its first request, which waits; concurrent requests for it wait with the
//! first. It stays loaded as long as the process lives, since a graph may hold it: a few tens of kilobytes.

use crate::context::Context;
use crate::cubins;
use crate::modules::function::Function;
use crate::modules::loading::begun;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use syntonic_core::Result;
use syntonic_core::fork::lock;

/// All that the text of a kernel depends on, besides the card.
pub(crate) trait Kernel {
    /// Its name, the same for equal kernels in every build.
    fn name(&self) -> String;

    /// Its text for a card; nothing where some operation has no piece, or a text would take too long to assemble.
    fn text(&self, capability: (u32, u32)) -> Option<String>;

    /// The text as the driver gets it, and whether the kernel may be launched by PDL.
    fn begun(&self, capability: (u32, u32)) -> Option<(String, bool)> {
        Some(begun(self.text(capability)?, &self.name(), capability))
    }

    /// The text as the driver gets it, behind what its machine code is filed under.
    fn filed(&self, capability: (u32, u32)) -> Option<(String, String)> {
        let (text, _) = self.begun(capability)?;
        Some((cubins::of_made(&self.name(), &text), text))
    }
}

/// A kernel and its function, once that is loaded.
struct Slot<K> {
    kernel: K,
    function: Mutex<Option<Function>>,
}

/// The kernels that were asked for, by a hash of each.
pub(crate) struct Cache<K>(Mutex<HashMap<u64, Vec<Arc<Slot<K>>>>>);

impl<K> Default for Cache<K> {
    fn default() -> Cache<K> {
        Cache(Mutex::default())
    }
}

impl<K: Kernel> Cache<K> {
    /// The function of a kernel that is there already, which has this hash; nothing where it has no text.
    ///
    /// # Errors
    /// As [`Cache::function`].
    pub(crate) fn assembled(
        &self,
        context: &Context,
        hash: u64,
        kernel: &K,
    ) -> Result<Option<Function>>
    where
        K: Clone + PartialEq,
    {
        let is = |known: &K| known == kernel;
        let made = self.function(context, hash, is, || kernel.clone(), |_| ())?;
        Ok(made.map(|(function, ())| function))
    }

    /// The function of the kernel that has this hash and is meant by `is`, made by `kernel` where it is new; nothing where it has no text.
    ///
    /// # Errors
    /// The driver refuses the text, or has no memory for the code. The next request asks anew.
    pub(crate) fn function<T>(
        &self,
        context: &Context,
        hash: u64,
        is: impl Fn(&K) -> bool,
        kernel: impl FnOnce() -> K,
        about: impl FnOnce(&K) -> T,
    ) -> Result<Option<(Function, T)>> {
        let slot = {
            let mut known = lock(&self.0);
            let same_hash = known.entry(hash).or_default();
            match same_hash.iter().find(|slot| is(&slot.kernel)) {
                Some(slot) => slot.clone(),
                None => {
                    let slot = Arc::new(Slot {
                        kernel: kernel(),
                        function: Mutex::default(),
                    });
                    same_hash.push(slot.clone());
                    slot
                }
            }
        };
        let mut function = lock(&slot.function);
        if function.is_none() {
            *function = make(context, &slot.kernel)?;
        }
        Ok(function.map(|function| (function, about(&slot.kernel))))
    }
}

/// Has a kernel loaded: its machine code, where there is some of its text, or its text.
fn make(context: &Context, kernel: &impl Kernel) -> Result<Option<Function>> {
    context.bind()?;
    let name = kernel.name();
    let _span = tracing::debug_span!("make", name).entered();
    let (device, capability) = (context.device, context.capability());
    let Some((text, overlaps)) = kernel.begun(capability) else {
        return Ok(None);
    };
    let given = (text.as_str(), overlaps);
    let cubins = &context.jit.cubins;
    if let Some(function) = cubins.function(given, &name, device, capability, &context.leases) {
        return Ok(Some(function));
    }
    Function::of_begun(text, overlaps, &name, device, &context.leases).map(Some)
}
