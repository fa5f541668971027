//! Kernels by family and entry: each is loaded alone when first asked for, and remembered for the context.

use crate::fault::{Checked, fault};
use crate::images::{self, Image, Stored};
use crate::overlap;
use cudarc::driver::sys::{self, CUresult};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Instant;
use syntonic_core::{DeviceId, Error, Result};

/// A kernel that can be launched. It stays loaded as long as the process lives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function(&'static Entry);

/// What is known of a kernel.
#[derive(Debug)]
pub(crate) struct Entry {
    handle: sys::CUfunction,
    pub(crate) name: String,
    /// Bytes of shared memory that it declares itself.
    declared: u32,
    large_shared: AtomicBool,
    /// Whether clusters of more blocks than every card has were allowed.
    wide_clusters: AtomicBool,
    /// The size of the clusters that were asked about last, and how many there are at once, 16 bits each.
    clusters: AtomicU32,
    /// It may be launched while the kernel before it still runs.
    pub(crate) overlaps: bool,
}

/// Bytes of shared memory of a block that need no leave.
const USUAL: u32 = 48 << 10;

// SAFETY: a function handle is a number to everybody but the driver, which takes it from any thread.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

impl Function {
    /// The kernel `name` of a text that was made in this process, assembled for the current context.
    ///
    /// As a library and not as a module: other threads go on launching meanwhile, where a module stops them for some 80 ms.
    pub(crate) fn assembled(
        text: String,
        name: &str,
        device: DeviceId,
        capability: (u32, u32),
    ) -> Result<Function> {
        let op = format!("make of {name}");
        let (text, overlaps) = begun(text, name, capability);
        let in_c = |text: &str| {
            CString::new(text).map_err(|_| fault(&op, device, CUresult::CUDA_ERROR_INVALID_PTX))
        };
        let (text, entry) = (in_c(&text)?, in_c(name)?);
        let (mut library, mut kernel) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut handle = std::ptr::null_mut();
        // SAFETY: both texts end with a zero byte, there are no options, and the context is current.
        unsafe {
            let data = text.as_ptr().cast();
            let (options, values) = (std::ptr::null_mut(), std::ptr::null_mut());
            let (more, more_values) = (std::ptr::null_mut(), std::ptr::null_mut());
            sys::cuLibraryLoadData(&mut library, data, options, values, 0, more, more_values, 0)
                .during(&op, device)?;
            sys::cuLibraryGetKernel(&mut kernel, library, entry.as_ptr()).during(&op, device)?;
            sys::cuKernelGetFunction(&mut handle, kernel).during(&op, device)?;
        }
        Function::keep(handle, name, overlaps, device)
    }

    /// The context must be current.
    fn keep(
        handle: sys::CUfunction,
        name: &str,
        overlaps: bool,
        device: DeviceId,
    ) -> Result<Function> {
        let mut declared = 0;
        let shared = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
        // SAFETY: the handle is a loaded function's, and its context is current.
        unsafe { sys::cuFuncGetAttribute(&mut declared, shared, handle) }.during(name, device)?;
        Ok(Function(Box::leak(Box::new(Entry {
            handle,
            name: name.to_owned(),
            declared: declared as u32,
            large_shared: AtomicBool::new(false),
            wide_clusters: AtomicBool::new(false),
            clusters: AtomicU32::new(0),
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

    /// What is known of it.
    pub(crate) fn entry(&self) -> &'static Entry {
        self.0
    }

    /// Gives a launch leave to ask for `bytes` of shared memory beside what the kernel declares, where that needs any. A block may
    /// have `most` in all.
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

    /// Gives launches leave to have clusters of more than eight blocks, which not every card can have.
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

    /// How many clusters of `size` blocks are there at once, if that was kept.
    pub(crate) fn known_clusters(&self, size: u32) -> Option<u32> {
        let kept = self.0.clusters.load(Ordering::Relaxed);
        (kept >> 16 == size).then_some(kept & 0xffff)
    }

    /// Keeps how many clusters of `size` blocks are there at once.
    pub(crate) fn keep_clusters(&self, size: u32, count: u32) {
        self.0.clusters.store(size << 16 | count, Ordering::Relaxed);
    }
}

/// The text of a kernel as the card gets it, and whether its start may overlap the kernel before it.
fn begun(text: String, entry: &str, capability: (u32, u32)) -> (String, bool) {
    let overlapping = overlap::overlaps(capability).then(|| overlap::overlapping(&text, entry));
    match overlapping.flatten() {
        Some(text) => (text, true),
        None => (text, false),
    }
}

/// Bytes of texts that are kept, at most, beside the last one.
const KEPT: usize = 24 << 20;

/// Kernels that are stored together: a family, and what their names begin with.
type Place = (&'static str, &'static str);

/// The texts that were unpacked last. A program asks for several kernels that are stored together, and to unpack their text may
/// take longer than all else that a kernel's loading takes where the driver knows the kernel.
#[derive(Debug, Default)]
struct Texts(Vec<(Place, Stored)>);

impl Texts {
    /// The text at a place, which `unpack` makes where it is not there.
    fn of(&mut self, place: Place, unpack: impl FnOnce() -> Option<Stored>) -> Option<&Stored> {
        let there = self.0.iter().position(|(known, _)| *known == place);
        let text = match there {
            Some(at) => self.0.remove(at).1,
            None => unpack()?,
        };
        self.0.push((place, text));
        let mut size: usize = self.0.iter().map(|(_, text)| text.size()).sum();
        while self.0.len() > 1 && size > KEPT {
            size -= self.0.remove(0).1.size();
        }
        self.0.last().map(|(_, text)| text)
    }
}

/// The kernels of one context. They stay loaded as long as the process lives.
#[derive(Debug)]
pub(crate) struct Modules {
    device: DeviceId,
    capability: (u32, u32),
    loaded: RwLock<Loaded>,
}

#[derive(Debug, Default)]
struct Loaded {
    families: HashMap<&'static str, Family>,
    texts: Texts,
}

#[derive(Debug)]
struct Family {
    image: Image,
    functions: HashMap<String, Function>,
}

impl Modules {
    pub(crate) fn new(device: DeviceId, capability: (u32, u32)) -> Modules {
        Modules {
            device,
            capability,
            loaded: RwLock::default(),
        }
    }

    /// The entry of a family, in the image that suits the card. The context must be current.
    pub(crate) fn function(&self, family: &'static str, entry: &str) -> Result<Function> {
        {
            let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
            let known = loaded.families.get(family);
            let known = known.and_then(|f| f.functions.get(entry));
            if let Some(function) = known {
                return Ok(*function);
            }
        }
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        let Loaded { families, texts } = &mut *loaded;
        let there = match families.entry(family) {
            std::collections::hash_map::Entry::Occupied(there) => there.into_mut(),
            std::collections::hash_map::Entry::Vacant(free) => free.insert(self.family(family)?),
        };
        if let Some(function) = there.functions.get(entry) {
            return Ok(*function);
        }
        let program = there.image.program(entry).unwrap_or_default();
        let text = texts.of((family, program), || there.image.stored(program));
        let alone = text.and_then(|text| text.kernel(entry));
        let alone = alone.ok_or_else(|| self.refuse(family, &format!("no entry named {entry}")))?;
        let function = self.load(alone, family, entry)?;
        there.functions.insert(entry.to_owned(), function);
        Ok(function)
    }

    /// Family and name of every kernel that was asked for, sorted.
    pub(crate) fn used(&self) -> Vec<(&'static str, String)> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        let names = |(family, loaded): (&&'static str, &Family)| {
            let family = *family;
            let entries: Vec<_> = loaded.functions.keys().cloned().collect();
            entries.into_iter().map(move |entry| (family, entry))
        };
        let mut used: Vec<_> = loaded.families.iter().flat_map(names).collect();
        used.sort();
        used
    }

    fn family(&self, family: &'static str) -> Result<Family> {
        let image = images::image(family, self.capability).map_err(|missing| Error::Fault {
            op: format!("load of {family}"),
            device: self.device,
            what: missing.to_string(),
        })?;
        Ok(Family {
            image,
            functions: HashMap::new(),
        })
    }

    fn load(&self, alone: String, family: &str, entry: &str) -> Result<Function> {
        let _span = tracing::debug_span!("load", family, entry).entered();
        let in_c = |text: &str| {
            CString::new(text).map_err(|_| self.refuse(family, "a zero byte within a text"))
        };
        let (alone, overlaps) = begun(alone, entry, self.capability);
        let (alone, name) = (in_c(&alone)?, in_c(entry)?);
        let begun = Instant::now();
        let (mut module, mut handle) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: both texts end with a zero byte, and the context is current.
        let code = unsafe {
            match sys::cuModuleLoadData(&mut module, alone.as_ptr().cast()) {
                CUresult::CUDA_SUCCESS => {
                    sys::cuModuleGetFunction(&mut handle, module, name.as_ptr())
                }
                code => code,
            }
        };
        if code != CUresult::CUDA_SUCCESS {
            return Err(fault(&format!("load of {entry}"), self.device, code));
        }
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        tracing::info!(target: "syntonic::kernel", "loaded {entry} of {family} in {ms:.1} ms");
        Function::keep(handle, entry, overlaps, self.device)
    }

    fn refuse(&self, family: &str, what: &str) -> Error {
        Error::Fault {
            op: format!("load of {family}"),
            device: self.device,
            what: format!("{what}; this is a fault of the build, please report it"),
        }
    }
}

#[cfg(all(test, feature = "images"))]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_unpacked_once_while_there_is_room() {
        let mut texts = Texts::default();
        let text = |size: usize| Some(Stored::of("x".repeat(size)));
        let mut size = |place, unpack: &dyn Fn() -> Option<Stored>| {
            let text = texts.of(place, unpack);
            (text.map(Stored::size), texts.0.len())
        };
        let (a, b) = (("f", "a"), ("f", "b"));
        assert_eq!(size(a, &|| text(KEPT / 2)), (Some(KEPT / 2), 1));
        assert_eq!(size(a, &|| panic!("it is there")), (Some(KEPT / 2), 1));
        assert_eq!(size(b, &|| text(KEPT / 2)), (Some(KEPT / 2), 2));
        size(a, &|| panic!("it is there still"));
        // The one that was asked for longest ago goes.
        assert_eq!(size(("g", "a"), &|| text(1)), (Some(1), 2));
        size(a, &|| panic!("it was asked for after b"));
        assert_eq!(size(b, &|| text(2)), (Some(2), 3));
        assert_eq!(size(("large", ""), &|| text(2 * KEPT)), (Some(2 * KEPT), 1));
        assert_eq!(size(("none", ""), &|| None), (None, 1));
    }

    /// No driver is asked where there is nothing to load, so this holds everywhere.
    #[test]
    fn a_card_that_no_image_is_for_is_told() {
        let modules = Modules::new(DeviceId::Cuda(3), (5, 2));
        let error = modules.function("fill", "fill_b1").err();
        assert!(matches!(error, Some(Error::Fault { .. })), "{error:?}");
        let text = error.map(|e| e.to_string()).unwrap_or_default();
        for part in [
            "load of fill failed on cuda:3",
            "capability 5.2",
            "75 and newer",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn kernels_of_every_family_overlap_the_one_before_where_the_card_can() {
        for (family, entries) in images::entries() {
            let Some(entry) = entries.first() else {
                continue;
            };
            let alone = images::image(family, (9, 0)).unwrap().ptx(entry).unwrap();
            let (text, overlaps) = begun(alone.clone(), entry, (9, 0));
            assert!(overlaps && text.contains("griddepcontrol.wait;"), "{entry}");
            assert_eq!(begun(alone.clone(), entry, (8, 9)), (alone, false));
        }
    }
}
