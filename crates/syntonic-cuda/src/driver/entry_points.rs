//! The functions that we call of one of NVIDIA's libraries, opened at run time, and what their statuses mean.

use crate::driver::fault::fault;
use cudarc::driver::sys::CUresult;
use std::ffi::c_int;
use syntonic_core::{DeviceId, Error, Result};

/// Declares what is called of a library of the toolkit: a field for each function, with the types of its arguments and its name there.
/// Makes `FUNCTIONS`, the names that every version has which we speak; `Functions`; and `functions()`, which opens the library.
macro_rules! entry_points {
    (
        $toolkit:expr,
        needed { $($name:ident($($t:ty),*) = $symbol:literal;)* }
        newer { $($late:ident($($u:ty),*) = $later:literal;)* }
    ) => {
        /// The functions that every version has which we speak.
        pub(crate) const FUNCTIONS: &[&str] = &[$($symbol),*];

        /// The library's functions. Each returns a status.
        #[derive(Debug)]
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($t),*) -> std::ffi::c_int,)*
            $(pub(super) $late: Option<unsafe extern "C" fn($($u),*) -> std::ffi::c_int>,)*
        }

        impl Functions {
            /// Nothing where a function is absent that must be there.
            fn of(library: &$crate::driver::toolkit::Library) -> Option<Functions> {
                // SAFETY: the types are those of the library's header.
                unsafe {
                    Some(Functions {
                        $($name: *library.get($symbol.as_bytes()).ok()?,)*
                        $($late: library.get($later.as_bytes()).ok().map(|found| *found),)*
                    })
                }
            }
        }

        /// Those of the library, once a process.
        fn functions() -> std::result::Result<&'static Functions, String> {
            static OPENED: std::sync::OnceLock<Functions> = std::sync::OnceLock::new();
            if let Some(functions) = OPENED.get() {
                return Ok(functions);
            }
            let library = $crate::driver::toolkit::open($toolkit)?;
            let found = Functions::of(library).ok_or_else(|| $toolkit.hint().to_owned())?;
            Ok(syntonic_core::fork::get_or_init(&OPENED, || found))
        }
    };
}
pub(crate) use entry_points;

/// A status of a library as a result of ours. What it calls them begins with `prefix`; 2 is that there is no memory in all of them.
pub(crate) fn status(
    op: &str,
    device: DeviceId,
    code: c_int,
    prefix: &str,
    name: fn(c_int) -> &'static str,
) -> Result<()> {
    const ALLOC_FAILED: c_int = 2;
    match code {
        0 => Ok(()),
        ALLOC_FAILED => Err(fault(op, device, CUresult::CUDA_ERROR_OUT_OF_MEMORY)),
        other => Err(Error::Fault {
            op: op.to_owned(),
            device,
            what: format!("{prefix}{} ({other})", name(other)),
        }),
    }
}
