//! Modules and libraries: PTX that was loaded.

use std::collections::HashMap;
use std::ffi::{c_char, c_uint, c_void};
use std::sync::{Mutex, PoisonError};

use super::code::Code;
use super::context::usable;
use super::exports::{Answer, Out, exports, give};
use super::function::Function;
use super::handles::Handle;
use super::raw;
use super::state::{Device, driver};
use crate::ptx::Module;

/// PTX that was loaded into a context.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) context: Handle,
    pub(super) module: Module,
    /// The version of PTX, such as 83.
    pub(super) version: i32,
    /// The handles of its kernels that were asked for.
    functions: Mutex<HashMap<String, Handle>>,
}

/// The newest PTX that a driver of CUDA 13.0 takes.
const NEWEST: i32 = 90;
/// How images of machine code begin: those of one card, and bundles of several.
const BINARIES: [[u8; 4]; 2] = [*b"\x7fELF", [0x50, 0xed, 0x55, 0xba]];

/// The number in a directive such as `.version 8.3` or `.target sm_90a`, without its dot and letters.
fn directive(text: &str, name: &str) -> Option<i32> {
    let line = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix(name))?;
    let word = line.split([',', '/']).next()?;
    let digits: String = word.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Whether this card can run the text at all: what a driver says before it compiles.
fn suits(device: &Device, text: &str) -> Answer<i32> {
    let version = directive(text, ".version").ok_or(Code::InvalidPtx)?;
    if version > NEWEST {
        return Err(Code::UnsupportedPtxVersion);
    }
    let target = directive(text, ".target").ok_or(Code::InvalidPtx)?;
    let (major, minor) = device.card.capability;
    if target > (10 * major + minor) as i32 {
        return Err(Code::InvalidPtx);
    }
    Ok(version)
}

fn parse(text: &str) -> Answer<Loaded> {
    let (context, here) = usable()?;
    let device = here.device()?;
    let version = suits(device, text)?;
    let _turn = device.turn();
    let module = Module::parse(text, &device.memory).map_err(|error| {
        eprintln!("simulator: {error}");
        Code::InvalidPtx
    })?;
    Ok(Loaded {
        context,
        module,
        version,
        functions: Mutex::default(),
    })
}

/// Loads an image.
///
/// # Safety
/// The image is machine code, or a text that ends with a zero byte.
unsafe fn load(image: *const c_void) -> Answer<Handle> {
    if image.is_null() {
        return Err(Code::InvalidValue);
    }
    let begins = |magic: &[u8; 4]| {
        // SAFETY: the caller's promise. A text that ends earlier differs in its zero byte, behind which nothing is read.
        (0..4).all(|k| unsafe { *image.cast::<u8>().add(k) } == magic[k])
    };
    if BINARIES.iter().any(begins) {
        return Err(Code::NoBinaryForGpu);
    }
    // SAFETY: the caller's promise: this is a text.
    let text = unsafe { raw::text(image.cast())? };
    Ok(driver()?.modules.insert(parse(text)?))
}

/// The handle of a kernel, the same one for the same name.
fn find(handle: Handle, name: &str) -> Answer<Handle> {
    let loaded = driver()?.modules.get(handle).ok_or(Code::InvalidHandle)?;
    let mut functions = loaded
        .functions
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(&known) = functions.get(name) {
        return Ok(known);
    }
    let entry = loaded.module.entry(name).ok_or(Code::NotFound)?;
    let function = Function::new(handle, loaded.clone(), entry, name);
    let new = driver()?.functions.insert(function);
    functions.insert(name.to_owned(), new);
    Ok(new)
}

fn variable(address: Out<'_, u64>, bytes: Out<'_, usize>, handle: Handle, name: &str) -> Answer {
    let loaded = driver()?.modules.get(handle).ok_or(Code::InvalidHandle)?;
    let context = driver()?.contexts.get(loaded.context);
    let device = context.ok_or(Code::ContextIsDestroyed)?.device()?;
    let found = loaded.module.global(name, &device.memory);
    let (first, length) = found.ok_or(Code::NotFound)?;
    address.map_or(Ok(()), |out| give(Some(out), first))?;
    bytes.map_or(Ok(()), |out| give(Some(out), length))
}

fn unload(handle: Handle) -> Answer {
    let loaded = driver()?
        .modules
        .remove(handle)
        .ok_or(Code::InvalidHandle)?;
    let context = driver()?.contexts.get(loaded.context);
    if let Some(context) = context {
        let _turn = context.device()?.turn();
    }
    driver()?.functions.retain(|f| f.module_handle != handle);
    Ok(())
}

exports! {
    /// Loads PTX that lies in memory.
    fn cuModuleLoadData(out: Out<'_, Handle>, image: *const c_void) {
        usable()?;
        // SAFETY: the caller's promise.
        give(out, unsafe { load(image)? })
    }

    /// As `cuModuleLoadData`; options are about a compiler that there is not.
    fn cuModuleLoadDataEx(
        out: Out<'_, Handle>, image: *const c_void, _count: c_uint, _options: *mut c_uint, _values: *mut *mut c_void,
    ) {
        usable()?;
        // SAFETY: the caller's promise.
        give(out, unsafe { load(image)? })
    }

    /// Loads PTX from a file.
    fn cuModuleLoad(out: Out<'_, Handle>, path: *const c_char) {
        usable()?;
        // SAFETY: the caller's promise.
        let path = unsafe { raw::text(path)? };
        let bytes = std::fs::read(path).map_err(|_| Code::FileNotFound)?;
        let text = String::from_utf8(bytes).map_err(|_| Code::NoBinaryForGpu)?;
        give(out, driver()?.modules.insert(parse(&text)?))
    }

    /// Ends a module and its kernels.
    fn cuModuleUnload(module: Handle) {
        usable()?;
        unload(module)
    }

    /// A kernel of a module.
    fn cuModuleGetFunction(out: Out<'_, Handle>, module: Handle, name: *const c_char) {
        usable()?;
        // SAFETY: the caller's promise.
        give(out, find(module, unsafe { raw::text(name)? })?)
    }

    /// A variable of a module, and its bytes.
    fn cuModuleGetGlobal_v2(
        address: Out<'_, u64>, bytes: Out<'_, usize>, module: Handle, name: *const c_char,
    ) {
        usable()?;
        // SAFETY: the caller's promise.
        variable(address, bytes, module, unsafe { raw::text(name)? })
    }

    /// A variable of a library, and its bytes.
    fn cuLibraryGetGlobal(
        address: Out<'_, u64>, bytes: Out<'_, usize>, library: Handle, name: *const c_char,
    ) {
        usable()?;
        // SAFETY: the caller's promise.
        variable(address, bytes, library, unsafe { raw::text(name)? })
    }

    /// Whether modules are loaded when first used: they are loaded at once.
    fn cuModuleGetLoadingMode(out: Out<'_, c_uint>) {
        give(out, 1)
    }

    /// Loads PTX for whichever context is current; here that is the current one.
    fn cuLibraryLoadData(
        out: Out<'_, Handle>, image: *const c_void, _options: *mut c_uint, _values: *mut *mut c_void, _count: c_uint,
        _library_options: *mut c_uint, _library_values: *mut *mut c_void, _library_count: c_uint,
    ) {
        usable()?;
        // SAFETY: the caller's promise.
        give(out, unsafe { load(image)? })
    }

    /// Ends a library and its kernels.
    fn cuLibraryUnload(library: Handle) {
        usable()?;
        unload(library)
    }

    /// The module of a library in the current context.
    fn cuLibraryGetModule(out: Out<'_, Handle>, library: Handle) {
        usable()?;
        driver()?.modules.get(library).ok_or(Code::InvalidHandle)?;
        give(out, library)
    }

    /// A kernel of a library.
    fn cuLibraryGetKernel(out: Out<'_, Handle>, library: Handle, name: *const c_char) {
        usable()?;
        // SAFETY: the caller's promise.
        give(out, find(library, unsafe { raw::text(name)? })?)
    }

    /// The function that a kernel is in the current context.
    fn cuKernelGetFunction(out: Out<'_, Handle>, kernel: Handle) {
        usable()?;
        driver()?.functions.get(kernel).ok_or(Code::InvalidHandle)?;
        give(out, kernel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read_as_numbers() {
        let text = "// head\n.version 8.3\n.target sm_90a, debug\n.address_size 64\n";
        assert_eq!(directive(text, ".version"), Some(83));
        assert_eq!(directive(text, ".target"), Some(90));
        assert_eq!(directive("no PTX at all", ".version"), None);
    }
}
