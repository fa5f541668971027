//! The driver functions that a probe needs, as plain function pointers. Tests put their own functions there.

use std::ffi::{c_int, c_uint};

/// `CUresult`: zero means success.
pub(crate) type Code = c_int;

/// Three entries of the driver, with the types of its C header.
#[derive(Clone, Copy)]
pub(crate) struct Entries {
    /// `cuInit(flags)`.
    pub(crate) init: unsafe extern "system" fn(c_uint) -> Code,
    /// `cuDriverGetVersion(out)`.
    pub(crate) driver_get_version: unsafe extern "system" fn(*mut c_int) -> Code,
    /// `cuDeviceGetCount(out)`.
    pub(crate) device_get_count: unsafe extern "system" fn(*mut c_int) -> Code,
}
