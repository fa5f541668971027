//! Kernels: what is known of them, and what their launches may ask for.

use std::ffi::{c_char, c_int, c_uint};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use super::code::Code;
use super::context::usable;
use super::exports::{Answer, Out, exports, give};
use super::handles::Handle;
use super::model::{SHARED, THREADS};
use super::module::Loaded;
use super::state::driver;
use crate::ptx::{Attributes, EntryId};

/// A kernel of a module.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) context: Handle,
    pub(super) module_handle: Handle,
    pub(super) loaded: Arc<Loaded>,
    pub(super) entry: EntryId,
    pub(super) attributes: Attributes,
    pub(super) name: String,
    /// Bytes of shared memory that a launch may add to what the kernel declares.
    added_shared: AtomicI32,
    /// Whether clusters may have more blocks than every card of its kind takes.
    large_clusters: AtomicBool,
}

impl Function {
    pub(super) fn new(
        module_handle: Handle,
        loaded: Arc<Loaded>,
        entry: EntryId,
        name: &str,
    ) -> Function {
        let attributes = loaded.module.attributes(entry);
        Function {
            context: loaded.context,
            module_handle,
            entry,
            added_shared: AtomicI32::new((SHARED - attributes.shared as i32).max(0)),
            large_clusters: AtomicBool::new(false),
            attributes,
            name: name.to_owned(),
            loaded,
        }
    }

    /// Threads that a block of it may have.
    pub(super) fn threads(&self) -> u32 {
        match self.attributes.max_threads {
            0 => THREADS,
            most => most.min(THREADS),
        }
    }

    /// Bytes of shared memory that a launch may add.
    pub(super) fn added_shared(&self) -> u32 {
        self.added_shared.load(Ordering::Relaxed).max(0) as u32
    }

    /// Blocks that a cluster of it may have.
    pub(super) fn cluster(&self) -> u32 {
        if self.large_clusters.load(Ordering::Relaxed) {
            16
        } else {
            8
        }
    }

    fn attribute(&self, number: c_int) -> Answer<c_int> {
        let (major, minor) = driver()?.settings.capability;
        Ok(match number {
            0 => self.threads() as c_int,
            1 => self.attributes.shared as c_int,
            3 => self.attributes.local as c_int,
            4 => self.attributes.registers as c_int,
            5 => self.loaded.version,
            6 => (10 * major + minor) as c_int,
            8 => self.added_shared() as c_int,
            9 => -1,
            14 => c_int::from(self.large_clusters.load(Ordering::Relaxed)),
            2 | 7 | 10..=13 | 15 => 0,
            _ => return Err(Code::InvalidValue),
        })
    }

    fn set(&self, number: c_int, value: c_int) -> Answer {
        let most = driver()?.model()?.shared_optin - self.attributes.shared as c_int;
        match number {
            8 if (0..=most).contains(&value) => self.added_shared.store(value, Ordering::Relaxed),
            9 if (-1..=100).contains(&value) => {}
            14 => self.large_clusters.store(value != 0, Ordering::Relaxed),
            _ => return Err(Code::InvalidValue),
        }
        Ok(())
    }
}

/// The kernel of a handle.
pub(super) fn known(function: Handle) -> Answer<Arc<Function>> {
    driver()?.functions.get(function).ok_or(Code::InvalidHandle)
}

exports! {
    /// A number about a kernel.
    fn cuFuncGetAttribute(out: Out<'_, c_int>, attribute: c_int, function: Handle) {
        usable()?;
        give(out, known(function)?.attribute(attribute)?)
    }

    /// Changes what launches of a kernel may ask for.
    fn cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int) {
        usable()?;
        known(function)?.set(attribute, value)
    }

    /// As `cuFuncGetAttribute`, for a kernel of a library.
    fn cuKernelGetAttribute(out: Out<'_, c_int>, attribute: c_int, kernel: Handle, ordinal: c_int) {
        driver()?.device(ordinal)?;
        give(out, known(kernel)?.attribute(attribute)?)
    }

    /// As `cuFuncSetAttribute`, for a kernel of a library.
    fn cuKernelSetAttribute(attribute: c_int, value: c_int, kernel: Handle, ordinal: c_int) {
        driver()?.device(ordinal)?;
        known(kernel)?.set(attribute, value)
    }

    /// How the first cache is shared out, which changes nothing here.
    fn cuFuncSetCacheConfig(function: Handle, _config: c_uint) {
        usable()?;
        known(function).map(|_| ())
    }

    /// The module of a kernel.
    fn cuFuncGetModule(out: Out<'_, Handle>, function: Handle) {
        give(out, known(function)?.module_handle)
    }

    /// Where a parameter of a kernel lies among its parameters, and its bytes.
    fn cuFuncGetParamInfo(function: Handle, index: usize, offset: Out<'_, usize>, size: Out<'_, usize>) {
        let function = known(function)?;
        let (at, bytes) = *function.attributes.params.get(index).ok_or(Code::InvalidValue)?;
        give(offset, at)?;
        size.map_or(Ok(()), |out| give(Some(out), bytes))
    }

    /// Whether a kernel is loaded: it is.
    fn cuFuncIsLoaded(out: Out<'_, c_uint>, function: Handle) {
        known(function)?;
        give(out, 1)
    }

    /// The name of a kernel is kept by Rust, without a zero byte: C cannot have it.
    fn cuFuncGetName(_out: Out<'_, *const c_char>, _function: Handle) {
        Err(Code::NotSupported)
    }
}
