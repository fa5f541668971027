//! Kernel cache by family and entry: each kernel is loaded alone at its first request, and kept for the context.

use super::assembly::assembling;
use crate::driver::fault::fault;
use crate::images::{self, Image, Stored};
use crate::modules::function::Function;
use crate::modules::loading::{Module, begun, dump, dump_folder, told};
use crate::modules::machine_code::{FROM_CUBINS, FROM_PTX, MachineCode};
use crate::ptx::parameter;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::Ordering;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;
use syntonic_core::fork::inside;
use syntonic_core::{DeviceId, Error, Result};

/// The most bytes of cached texts, beside the last one.
const KEPT: usize = 24 << 20;

/// The texts unpacked last, by their families. A program requests several kernels of one, and where the driver has the kernel cached,
/// unpacking takes most of the loading time.
#[derive(Debug, Default)]
struct Texts(Vec<(&'static str, Stored)>);

impl Texts {
    /// The text of a family, which `unpack` makes where it is not there.
    fn of(
        &mut self,
        family: &'static str,
        unpack: impl FnOnce() -> Option<Stored>,
    ) -> Option<&Stored> {
        let there = self.0.iter().position(|(known, _)| *known == family);
        let text = match there {
            Some(at) => self.0.remove(at).1,
            None => unpack()?,
        };
        self.0.push((family, text));
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
    machine_code: MachineCode,
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

    /// The entry of a family, where it is loaded.
    pub(crate) fn known(&self, family: &'static str, entry: &str) -> Option<Function> {
        // fork: inside.
        let _inside = inside();
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        let family = loaded.families.get(family)?;
        family.functions.get(entry).copied()
    }

    /// The entry of a family, from the image that suits the card. The context must be current.
    pub(crate) fn function(&self, family: &'static str, entry: &str) -> Result<Function> {
        if let Some(function) = self.known(family, entry) {
            return Ok(function);
        }
        // fork: inside.
        let _inside = inside();
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        let Loaded {
            families,
            texts,
            machine_code,
        } = &mut *loaded;
        let there = match families.entry(family) {
            std::collections::hash_map::Entry::Occupied(there) => there.into_mut(),
            std::collections::hash_map::Entry::Vacant(free) => free.insert(self.family(family)?),
        };
        if let Some(function) = there.functions.get(entry) {
            return Ok(*function);
        }
        let name = CString::new(entry).map_err(|_| self.refuse(family, "a zero byte in a name"))?;
        let start = Instant::now();
        let ready = match dump_folder() {
            None => machine_code.function(family, &name, self.device, self.capability),
            Some(_) => None,
        };
        let function = match ready {
            Some(function) => {
                let function = function?;
                FROM_CUBINS.fetch_add(1, Ordering::Relaxed);
                function
            }
            None => {
                let text = texts.of(family, || there.image.stored());
                let alone = text.and_then(|text| text.kernel(entry));
                let missing = || self.refuse(family, &format!("no entry named {entry}"));
                let function = self.load(alone.ok_or_else(missing)?, family, &name)?;
                FROM_PTX.fetch_add(1, Ordering::Relaxed);
                function
            }
        };
        told(start, entry, family);
        there.functions.insert(entry.to_owned(), function);
        Ok(function)
    }

    /// Family and name of every requested kernel, sorted.
    pub(crate) fn used(&self) -> Vec<(&'static str, String)> {
        // fork: inside.
        let _inside = inside();
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

    fn load(&self, alone: String, family: &str, name: &CStr) -> Result<Function> {
        let entry = name.to_string_lossy();
        let _span = tracing::debug_span!("load", family, %entry).entered();
        let (alone, overlaps) = begun(alone, &entry, self.capability);
        let parameter = parameter::bytes(&alone, &entry);
        let alone =
            CString::new(alone).map_err(|_| self.refuse(family, "a zero byte within a text"))?;
        dump(&alone, &entry);
        // SAFETY: the text ends with a zero byte.
        let module = assembling(|| unsafe { Module::load(alone.as_bytes_with_nul()) });
        let function = module.and_then(|module| {
            let handle = module.function(name)?;
            Ok((module, handle))
        });
        let (module, handle) =
            function.map_err(|code| fault(&format!("load of {entry}"), self.device, code))?;
        Function::keep(handle, &entry, parameter, overlaps, self.device)
            .inspect_err(|_| module.unload())
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
        let mut size = |family, unpack: &dyn Fn() -> Option<Stored>| {
            let text = texts.of(family, unpack);
            (text.map(Stored::size), texts.0.len())
        };
        let (a, b) = ("a", "b");
        assert_eq!(size(a, &|| text(KEPT / 2)), (Some(KEPT / 2), 1));
        assert_eq!(size(a, &|| panic!("it is there")), (Some(KEPT / 2), 1));
        assert_eq!(size(b, &|| text(KEPT / 2)), (Some(KEPT / 2), 2));
        size(a, &|| panic!("it is there still"));
        // The one that was asked for longest ago goes.
        assert_eq!(size("c", &|| text(1)), (Some(1), 2));
        size(a, &|| panic!("it was asked for after b"));
        assert_eq!(size(b, &|| text(2)), (Some(2), 3));
        assert_eq!(size("large", &|| text(2 * KEPT)), (Some(2 * KEPT), 1));
        assert_eq!(size("none", &|| None), (None, 1));
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
