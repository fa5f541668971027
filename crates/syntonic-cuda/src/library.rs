//! Finding and opening the driver's library.

use libloading::Library;

use crate::entry::Entries;
use crate::reason::{Attempt, Reason};

/// Where a driver may be, in the order of the search: first as the loader finds it, then where some systems hide it.
#[cfg(target_os = "linux")]
const PLACES: &[&str] = &[
    "libcuda.so.1",
    "libcuda.so",
    "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
    "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
    "/usr/lib64/libcuda.so.1",
    // Windows Subsystem for Linux.
    "/usr/lib/wsl/lib/libcuda.so.1",
    // NixOS.
    "/run/opengl-driver/lib/libcuda.so.1",
];
#[cfg(windows)]
const PLACES: &[&str] = &["nvcuda.dll"];
#[cfg(not(any(target_os = "linux", windows)))]
const PLACES: &[&str] = &[];

/// Opens the first library found and looks up its functions.
pub(crate) fn open() -> Result<Entries, Reason> {
    open_first(PLACES)
}

fn open_first(places: &[&'static str]) -> Result<Entries, Reason> {
    if places.is_empty() {
        return Err(Reason::NoDriverForSystem {
            system: std::env::consts::OS,
        });
    }
    let mut searched = Vec::new();
    for &place in places {
        // SAFETY: opening a library runs its initialisers. These are the names of the system's own GPU driver, whose
        // initialisers have no precondition.
        match unsafe { Library::new(place) } {
            Ok(library) => {
                tracing::debug!(place, "opened the CUDA driver library");
                return entries(library, place);
            }
            Err(complaint) => searched.push(Attempt {
                place,
                complaint: complaint.to_string(),
            }),
        }
    }
    Err(Reason::NoLibrary { searched })
}

fn entries(library: Library, place: &'static str) -> Result<Entries, Reason> {
    // SAFETY: the three types are those of the functions in the driver's C header, which never change under these names.
    let found = unsafe {
        Entries {
            init: function(&library, "cuInit", place)?,
            driver_get_version: function(&library, "cuDriverGetVersion", place)?,
            device_get_count: function(&library, "cuDeviceGetCount", place)?,
        }
    };
    // A driver starts threads of its own and must stay: the pointers are good until the process ends.
    std::mem::forget(library);
    Ok(found)
}

/// Looks up one function.
///
/// # Safety
/// `F` is the function pointer type of `symbol`, and the library is not closed while the result is in use.
unsafe fn function<F: Copy>(
    library: &Library,
    symbol: &'static str,
    place: &'static str,
) -> Result<F, Reason> {
    // SAFETY: passed on to our caller.
    let found = unsafe { library.get::<F>(symbol.as_bytes()) };
    let missing = |complaint: libloading::Error| Reason::NotADriver {
        place,
        symbol,
        complaint: complaint.to_string(),
    };
    found.map(|function| *function).map_err(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_libraries_are_all_listed() {
        let places = ["libsyntonic-absent-1.so", "libsyntonic-absent-2.so"];
        let Err(Reason::NoLibrary { searched }) = open_first(&places) else {
            panic!("found a library that is not there")
        };
        assert_eq!(
            searched
                .iter()
                .map(|attempt| attempt.place)
                .collect::<Vec<_>>(),
            places
        );
        assert!(searched.iter().all(|attempt| !attempt.complaint.is_empty()));
    }

    #[test]
    fn a_system_without_drivers_is_named() {
        assert_eq!(
            open_first(&[]).err(),
            Some(Reason::NoDriverForSystem {
                system: std::env::consts::OS
            })
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_library_is_not_taken_for_a_driver() {
        let reason = open_first(&["libc.so.6"]).err();
        assert!(
            matches!(
                reason,
                Some(Reason::NotADriver {
                    place: "libc.so.6",
                    symbol: "cuInit",
                    ..
                })
            ),
            "{reason:?}"
        );
    }
}
