//! NVTX ranges, where a profiler is there: the library that carries them to it is opened then and only then.

use libloading::Library;
use std::ffi::{CString, c_char, c_int};
use syntonic_core::profile::Ranges;

/// A profiler that reads ranges names the library it injects here.
const INJECTED: &str = "NVTX_INJECTION64_PATH";
/// Libraries with the functions: of CUDA 12.9 and newer, and of older toolkits.
const PLACES: [&str; 3] = [
    "libnvtx3interop.so.1",
    "libnvtx3interop.so",
    "libnvToolsExt.so.1",
];

/// The functions that begin and end a range.
#[derive(Debug)]
pub(crate) struct Nvtx {
    push: unsafe extern "C" fn(*const c_char) -> c_int,
    pop: unsafe extern "C" fn() -> c_int,
    /// Keeps the functions there.
    _library: Library,
}

impl Nvtx {
    /// Those of the process, where a profiler asks for ranges.
    pub(crate) fn of_profiler() -> Option<Nvtx> {
        std::env::var_os(INJECTED)?;
        let found = PLACES.iter().find_map(|place| Nvtx::open(place));
        if found.is_none() {
            tracing::warn!(
                searched = ?PLACES,
                "a profiler asks for NVTX ranges and none of the libraries with them can be opened"
            );
        }
        found
    }

    fn open(place: &str) -> Option<Nvtx> {
        // SAFETY: the names are those of NVIDIA's own library, whose initialisers have no precondition. The types of the functions
        // are those of its C header, and they stay valid as long as the library, which is kept beside them.
        unsafe {
            let library = Library::new(place).ok()?;
            let push = *library.get(b"nvtxRangePushA").ok()?;
            let pop = *library.get(b"nvtxRangePop").ok()?;
            Some(Nvtx {
                push,
                pop,
                _library: library,
            })
        }
    }
}

impl Ranges for Nvtx {
    fn push(&self, name: &str) {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: the text ends with a zero byte, and the function copies it.
        unsafe { (self.push)(name.as_ptr()) };
    }

    fn pop(&self) {
        // SAFETY: it takes nothing, and answers with an error where no range is open.
        unsafe { (self.pop)() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_without_ranges_is_not_taken() {
        assert!(Nvtx::open("libsyntonic-absent-1.so").is_none());
        #[cfg(target_os = "linux")]
        assert!(Nvtx::open("libc.so.6").is_none());
    }
}
