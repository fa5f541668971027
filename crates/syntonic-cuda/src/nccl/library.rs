//! NCCL's functions, and its codes as errors.

use crate::driver::toolkit::{self, Library, Toolkit};
use cudarc::driver::sys::CUstream;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use syntonic_core::fork::get_or_init;

/// A communicator of the library.
pub(super) type Comm = *mut c_void;
/// An address on the GPU, which C has as a pointer of the same size.
pub(super) type At = u64;

pub(super) const SUCCESS: c_int = 0;
/// A call that goes on without us.
pub(super) const IN_PROGRESS: c_int = 7;
/// Bytes as elements.
pub(super) const UINT8: c_int = 1;

/// The name of a communicator to be, the same on all its ranks.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct UniqueId(pub(super) [u8; 128]);

/// `ncclConfig_t` of 2.18: newer versions read as much of it as its size says.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Config {
    size: usize,
    magic: u32,
    version: u32,
    blocking: c_int,
    cga_cluster_size: c_int,
    min_ctas: c_int,
    max_ctas: c_int,
    net_name: *const c_char,
    split_share: c_int,
}

impl Config {
    /// Calls return at once, so that every wait is ours; all else is the library's choice.
    pub(super) fn without_waiting() -> Config {
        const MAGIC: u32 = 0xcafe_beef;
        const VERSION: u32 = 21_800;
        Config {
            size: size_of::<Config>(),
            magic: MAGIC,
            version: VERSION,
            blocking: 0,
            cga_cluster_size: c_int::MIN,
            min_ctas: c_int::MIN,
            max_ctas: c_int::MIN,
            net_name: ptr::null(),
            split_share: c_int::MIN,
        }
    }
}

/// Declares what is called of the library: a field for each function, with the types of its arguments and its name there.
macro_rules! functions {
    ($($name:ident($($t:ty),*) = $symbol:literal;)*) => {
        /// What we call of NCCL.
        pub(crate) const FUNCTIONS: &[&str] = &[$($symbol,)* "ncclGetErrorString"];

        /// The library's functions. Each but the last returns a code.
        #[derive(Debug)]
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($t),*) -> c_int,)*
            text: unsafe extern "C" fn(c_int) -> *const c_char,
        }

        impl Functions {
            /// Nothing where a function is absent that must be there.
            fn of(library: &Library) -> Option<Functions> {
                // SAFETY: the types are those of the library's header.
                unsafe {
                    Some(Functions {
                        $($name: *library.get($symbol.as_bytes()).ok()?,)*
                        text: *library.get(b"ncclGetErrorString").ok()?,
                    })
                }
            }
        }
    };
}

functions! {
    version(*mut c_int) = "ncclGetVersion";
    unique_id(*mut UniqueId) = "ncclGetUniqueId";
    init(*mut Comm, c_int, UniqueId, c_int, *mut Config) = "ncclCommInitRankConfig";
    async_error(Comm, *mut c_int) = "ncclCommGetAsyncError";
    abort(Comm) = "ncclCommAbort";
    group_start() = "ncclGroupStart";
    group_end() = "ncclGroupEnd";
    all_gather(At, At, usize, c_int, Comm, CUstream) = "ncclAllGather";
    all_reduce(At, At, usize, c_int, c_int, Comm, CUstream) = "ncclAllReduce";
    broadcast(At, At, usize, c_int, c_int, Comm, CUstream) = "ncclBroadcast";
}

impl Functions {
    /// The library's own words for a code.
    pub(super) fn text(&self, code: c_int) -> String {
        // SAFETY: the function takes any number, and returns a text that lives as long as the library.
        let text = unsafe {
            let text = (self.text)(code);
            match text.is_null() {
                true => "unknown".into(),
                false => CStr::from_ptr(text).to_string_lossy(),
            }
        };
        format!("NCCL: {text} ({code})")
    }
}

/// Those of the library, once a process.
///
/// # Errors
/// What to install, and every place searched.
pub(super) fn functions() -> Result<&'static Functions, String> {
    static OPENED: OnceLock<Functions> = OnceLock::new();
    if let Some(functions) = OPENED.get() {
        return Ok(functions);
    }
    let hint = || Toolkit::Nccl.hint().to_owned();
    let found = Functions::of(toolkit::open(Toolkit::Nccl)?).ok_or_else(hint)?;
    let mut version = 0;
    // SAFETY: the out-pointer is our own.
    let code = unsafe { (found.version)(&mut version) };
    if code != SUCCESS || version < 21_800 {
        return Err(format!("{}; the one found is of version {version}", hint()));
    }
    Ok(get_or_init(&OPENED, || found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structs_are_those_of_the_header() {
        assert_eq!((size_of::<UniqueId>(), size_of::<Config>()), (128, 48));
        let config = Config::without_waiting();
        assert_eq!((config.size, config.blocking), (48, 0));
    }
}
