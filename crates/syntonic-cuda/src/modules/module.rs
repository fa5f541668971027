//! Kernel cache by family and entry: each kernel is loaded alone at its first request, and kept for the context.

use crate::driver::fault::{Checked, fault};
use crate::images::{self, Image, Stored};
use crate::modules::overlap;
use cudarc::driver::sys::{self, CUresult};
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Instant;
use syntonic_core::{DeviceId, Error, Result};

/// A kernel that can be launched. It stays loaded as long as the process lives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function(&'static Entry);

/// A loaded kernel and its attributes.
#[derive(Debug)]
pub(crate) struct Entry {
    handle: sys::CUfunction,
    pub(crate) name: String,
    /// Bytes of static shared memory.
    declared: u32,
    large_shared: AtomicBool,
    /// Whether non-portable cluster sizes were allowed.
    wide_clusters: AtomicBool,
    /// The cluster size of the last occupancy query and its answer, 16 bits each.
    clusters: AtomicU32,
    /// True where programmatic dependent launch (PDL) may start it before the preceding kernel ends.
    pub(crate) overlaps: bool,
}

/// Bytes of shared memory per block that need no opt-in.
const USUAL: u32 = 48 << 10;

// SAFETY: a function handle is an opaque number, and the driver accepts it from any thread.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

impl Function {
    /// The kernel `name` of a JIT text, assembled for the current context.
    ///
    /// Loaded as a library, not as a module: loading a module blocks the launches of other threads for some 80 ms.
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
        let assembly = Assembly::begun(&text, name);
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
        assembly.ended(name, "kernels made at run time");
        Function::keep(handle, name, overlaps, device)
    }

    /// Keeps a loaded function with its attributes. The context must be current.
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

    /// Its attributes.
    pub(crate) fn entry(&self) -> &'static Entry {
        self.0
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

/// The kernel's text for the card, and whether it may be launched by PDL.
fn begun(text: String, entry: &str, capability: (u32, u32)) -> (String, bool) {
    let overlapping = overlap::overlaps(capability).then(|| overlap::overlapping(&text, entry));
    match overlapping.flatten() {
        Some(text) => (text, true),
        None => (text, false),
    }
}

/// The folder that the text of each kernel is written into before the driver gets it, if the variable names one.
const DUMP: &str = "SYNTONIC_DUMP_PTX";

/// The driver's work on a kernel, told to whoever listens.
struct Assembly(Instant);

impl Assembly {
    fn begun(text: &CStr, entry: &str) -> Assembly {
        if let Some(folder) = std::env::var_os(DUMP) {
            let file = Path::new(&folder).join(format!("{entry}.ptx"));
            let written = std::fs::create_dir_all(&folder)
                .and_then(|()| std::fs::write(&file, text.to_bytes()));
            if let Err(error) = written {
                tracing::warn!(%error, file = %file.display(), "{DUMP}");
            }
        }
        Assembly(Instant::now())
    }

    fn ended(self, entry: &str, family: &str) {
        let ms = self.0.elapsed().as_secs_f64() * 1e3;
        tracing::info!(target: "syntonic::kernel", "loaded {entry} of {family} in {ms:.1} ms");
    }
}

/// The most bytes of cached texts, beside the last one.
const KEPT: usize = 24 << 20;

/// Kernels that are stored together: a family, and what their names begin with.
type Place = (&'static str, &'static str);

/// The texts unpacked last. A program requests several kernels of a place, and where the driver has the kernel cached,
/// unpacking takes most of the loading time.
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

    /// The entry of a family, from the image that suits the card. The context must be current.
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

    /// Family and name of every requested kernel, sorted.
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
        let assembly = Assembly::begun(&alone, entry);
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
        assembly.ended(entry, family);
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

    /// With nothing to load no driver is called, so this holds everywhere.
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
