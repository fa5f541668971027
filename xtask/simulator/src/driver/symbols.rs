//! The driver's functions by name, and the texts of its answers.

use std::ffi::{c_char, c_int, c_uint};

use super::code::{self, Code, Status};
use super::exports::{Out, Symbol, exports, give};
use super::raw;
use super::{
    conditional, context, copy, device, event, function, graph, launch, memory, module, occupancy,
    pointer, stream, tensor_map,
};

const ALL: [&[Symbol]; 15] = [
    SYMBOLS,
    conditional::SYMBOLS,
    context::SYMBOLS,
    copy::SYMBOLS,
    device::SYMBOLS,
    event::SYMBOLS,
    function::SYMBOLS,
    graph::SYMBOLS,
    launch::SYMBOLS,
    memory::SYMBOLS,
    module::SYMBOLS,
    occupancy::SYMBOLS,
    pointer::SYMBOLS,
    stream::SYMBOLS,
    tensor_map::SYMBOLS,
];

/// A function by its name, with or without the number of its version: the newest that there is.
pub(super) fn find(name: &str) -> Option<*const ()> {
    let versions = ["_v4", "_v3", "_v2", ""].map(|version| format!("{name}{version}"));
    let all = || ALL.iter().flat_map(|symbols| symbols.iter());
    let by_name = |name: &String| all().find(|symbol| symbol.name == name);
    versions
        .iter()
        .find_map(by_name)
        .map(|symbol| symbol.address)
}

exports! {
    /// The name of an answer.
    fn cuGetErrorName(status: Status, out: Out<'_, *const c_char>) {
        let name = code::name(status);
        give(out, name.map_or(std::ptr::null(), |text| text.as_ptr()))?;
        name.map(|_| ()).ok_or(Code::InvalidValue)
    }

    /// The sentence of an answer.
    fn cuGetErrorString(status: Status, out: Out<'_, *const c_char>) {
        let text = code::text(status);
        give(out, text.map_or(std::ptr::null(), |text| text.as_ptr()))?;
        text.map(|_| ()).ok_or(Code::InvalidValue)
    }

    /// A function by its name; one that this driver does not have is not found.
    fn cuGetProcAddress_v2(
        name: *const c_char, out: Out<'_, *const ()>, _version: c_int, _flags: u64, status: Out<'_, c_uint>,
    ) {
        // SAFETY: the caller's promise.
        let found = find(unsafe { raw::text(name)? });
        status.map_or(Ok(()), |out| give(Some(out), c_uint::from(found.is_none())))?;
        give(out, found.unwrap_or(std::ptr::null()))?;
        found.map(|_| ()).ok_or(Code::NotFound)
    }

    /// As `cuGetProcAddress_v2`, without a reason.
    fn cuGetProcAddress(name: *const c_char, out: Out<'_, *const ()>, _version: c_int, _flags: u64) {
        // SAFETY: the caller's promise.
        let found = find(unsafe { raw::text(name)? });
        give(out, found.unwrap_or(std::ptr::null()))?;
        found.map(|_| ()).ok_or(Code::NotFound)
    }

    /// A table of what the driver does not tell others: there is none.
    fn cuGetExportTable(out: Out<'_, *const ()>, _id: *const [u8; 16]) {
        give(out, std::ptr::null())?;
        Err(Code::NotFound)
    }

    /// Nothing is measured.
    fn cuProfilerStart() {
        Ok(())
    }

    /// Nothing is measured.
    fn cuProfilerStop() {
        Ok(())
    }
}
