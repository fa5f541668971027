//! Finding and opening the driver's library.

use cudarc::driver::sys::{self, CUdevice, CUevent, CUfunction, CUmem_advise, CUresult, CUstream};
use libloading::Library;

use crate::driver::entry::Entries;
use crate::driver::reason::{Attempt, Reason};

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

/// Every driver function that is called: cudarc looks one up at its first call, and panics where it is absent.
pub const FUNCTIONS: &[&str] = &[
    // Those of the probe, and what cudarc's contexts and streams call.
    "cuInit",
    "cuDriverGetVersion",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDevicePrimaryCtxRetain",
    "cuDeviceGetAttribute",
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuDevicePrimaryCtxRelease_v2",
    "cuCtxGetStreamPriorityRange",
    "cuStreamCreate",
    "cuStreamCreateWithPriority",
    "cuStreamDestroy_v2",
    "cuDeviceGetName",
    "cuMemGetInfo_v2",
    "cuDeviceGetDefaultMemPool",
    "cuCtxSynchronize",
    "cuMemPoolTrimTo",
    "cuMemAlloc_v2",
    "cuStreamSynchronize",
    // Our own calls.
    "cuCtxEnablePeerAccess",
    "cuCtxGetDevice",
    "cuDeviceCanAccessPeer",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventElapsedTime",
    "cuEventQuery",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuFuncSetAttribute",
    "cuGraphAddDependencies_v2",
    "cuGraphAddNode_v2",
    "cuGraphConditionalHandleCreate",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuGraphExecUpdate_v2",
    "cuGraphGetNodes",
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
    "cuKernelGetFunction",
    "cuLaunchKernel",
    "cuLaunchKernelEx",
    "cuLibraryGetKernel",
    "cuLibraryLoadData",
    "cuMemAdvise",
    "cuMemAllocAsync",
    "cuMemAllocManaged",
    "cuMemFreeAsync",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuMemHostAlloc",
    "cuMemPoolSetAccess",
    "cuMemPoolSetAttribute",
    "cuMemPrefetchAsync",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyPeerAsync",
    "cuMemsetD8Async",
    "cuMemsetD32Async",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuOccupancyMaxActiveClusters",
    "cuPointerGetAttribute",
    "cuStreamBeginCaptureToGraph",
    "cuStreamBeginCapture_v2",
    "cuStreamGetCaptureInfo_v3",
    "cuStreamIsCapturing",
    "cuThreadExchangeStreamCaptureMode",
    "cuStreamEndCapture",
    "cuStreamQuery",
    "cuStreamUpdateCaptureDependencies_v2",
    "cuStreamWaitEvent",
    "cuTensorMapEncodeTiled",
];

/// A function of the driver that cudarc knows by another name, or not at all; nothing where the driver has none.
///
/// # Safety
/// `T` is the function's type in the driver's C header, and there is a driver.
unsafe fn named<T: Copy>(symbol: &[u8]) -> Option<T> {
    // SAFETY: the caller's promise.
    unsafe { sys::culib().get::<T>(symbol).ok().map(|found| *found) }
}

/// `cuEventElapsedTime`, which drivers before CUDA 12.8 have under no newer name. cudarc knows the newer one only.
///
/// # Safety
/// Both events are alive, and there is a driver.
pub(crate) unsafe fn elapsed_time(out: &mut f32, start: CUevent, end: CUevent) -> CUresult {
    type Call = unsafe extern "system" fn(*mut f32, CUevent, CUevent) -> CUresult;
    // SAFETY: the type is that of the driver's C header, and the rest is the caller's promise.
    unsafe {
        named::<Call>(b"cuEventElapsedTime\0")
            .map_or(CUresult::CUDA_ERROR_NOT_FOUND, |call| call(out, start, end))
    }
}

/// `cuFuncLoad`, which drivers before CUDA 12.4 do not have: loads the code of a function that a driver would load late, at its
/// first launch (`CUDA_MODULE_LOADING=LAZY`, the default). On an older driver nothing is done.
///
/// # Safety
/// The function is of a loaded module, and its context is current.
pub(crate) unsafe fn load_function(function: CUfunction) -> CUresult {
    type Call = unsafe extern "system" fn(CUfunction) -> CUresult;
    // SAFETY: the type is that of the driver's C header, and the rest is the caller's promise.
    unsafe { named::<Call>(b"cuFuncLoad\0").map_or(CUresult::CUDA_SUCCESS, |call| call(function)) }
}

/// `cuMemPrefetchAsync` by its first name, which every driver has; cudarc knows the one that drivers have since CUDA 12.2.
///
/// # Safety
/// The bytes are unified memory that is alive, the device is the CPU or a GPU, and the stream is one of the current context.
pub(crate) unsafe fn prefetch(
    first: u64,
    bytes: usize,
    device: CUdevice,
    stream: CUstream,
) -> CUresult {
    type Call = unsafe extern "system" fn(u64, usize, CUdevice, CUstream) -> CUresult;
    // SAFETY: the type is that of the driver's C header, and the rest is the caller's promise.
    unsafe {
        named::<Call>(b"cuMemPrefetchAsync\0").map_or(CUresult::CUDA_ERROR_NOT_FOUND, |call| {
            call(first, bytes, device, stream)
        })
    }
}

/// `cuMemAdvise` by its first name, as [`prefetch`].
///
/// # Safety
/// The bytes are unified memory that is alive, and the device is the CPU or a GPU.
pub(crate) unsafe fn advise(
    first: u64,
    bytes: usize,
    advice: CUmem_advise,
    device: CUdevice,
) -> CUresult {
    type Call = unsafe extern "system" fn(u64, usize, CUmem_advise, CUdevice) -> CUresult;
    // SAFETY: the type is that of the driver's C header, and the rest is the caller's promise.
    unsafe {
        named::<Call>(b"cuMemAdvise\0").map_or(CUresult::CUDA_ERROR_NOT_FOUND, |call| {
            call(first, bytes, advice, device)
        })
    }
}

/// A driver's library that is open.
pub(crate) struct Opened {
    pub(crate) entries: Entries,
    library: Library,
    place: &'static str,
}

impl Opened {
    /// Whether the driver has all that we call. To be asked of one that is new enough.
    pub(crate) fn check(&self) -> Result<(), Reason> {
        for symbol in FUNCTIONS {
            // SAFETY: the address is only looked at.
            unsafe { function::<*const ()>(&self.library, symbol, self.place)? };
        }
        Ok(())
    }
}

/// Opens the first library found and looks up its functions.
pub(crate) fn open() -> Result<Opened, Reason> {
    let ours = open_first(PLACES)?;
    let theirs = by_cudarc(ours.place)?;
    if theirs.entries.init as usize == ours.entries.init as usize {
        return Ok(ours);
    }
    Ok(theirs)
}

/// Opens the library that cudarc will find by its own search, so that the probe checks the library that is called later.
fn by_cudarc(ours: &'static str) -> Result<Opened, Reason> {
    // SAFETY: opening a driver's library has no precondition.
    if !unsafe { sys::is_culib_present() } {
        let complaint = format!("{ours} is there, but the loader does not find it by this name");
        let place = "libcuda.so";
        return Err(Reason::NoLibrary {
            searched: vec![Attempt { place, complaint }],
        });
    }
    for place in CUDARC {
        // SAFETY: as above.
        if let Ok(library) = unsafe { Library::new(place) } {
            return entries(library, place);
        }
    }
    open_first(&[ours])
}

/// The first and the last of the names that cudarc looks for; those between are no driver's on any system we know.
#[cfg(not(windows))]
const CUDARC: [&str; 2] = ["libcuda.so", "libcuda.so.1"];
#[cfg(windows)]
const CUDARC: [&str; 2] = ["cuda.dll", "nvcuda.dll"];

fn open_first(places: &[&'static str]) -> Result<Opened, Reason> {
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

fn entries(library: Library, place: &'static str) -> Result<Opened, Reason> {
    // SAFETY: the three types are those of the functions in the driver's C header, which never change under these names.
    let entries = unsafe {
        Entries {
            init: function(&library, "cuInit", place)?,
            driver_get_version: function(&library, "cuDriverGetVersion", place)?,
            device_get_count: function(&library, "cuDeviceGetCount", place)?,
        }
    };
    Ok(Opened {
        entries,
        library,
        place,
    })
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

    /// The names after `sys::cu` in our sources, which are the calls of the driver that we make ourselves.
    #[test]
    fn every_function_that_we_call_is_listed() {
        let mut files = vec![std::path::PathBuf::from(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/src"
        ))];
        let mut called = 0;
        while let Some(path) = files.pop() {
            if path.is_dir() {
                let inside = std::fs::read_dir(&path).unwrap();
                files.extend(inside.map(|entry| entry.unwrap().path()));
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            for part in text.split("sys::cu").skip(1) {
                let end = part.find(|c: char| !c.is_alphanumeric() && c != '_');
                let (name, rest) = part.split_at(end.unwrap_or(part.len()));
                if !name.starts_with(char::is_uppercase) || !rest.starts_with('(') {
                    continue;
                }
                called += 1;
                let name = format!("cu{name}");
                assert!(
                    FUNCTIONS.contains(&name.as_str()),
                    "{name} of {} is not looked for when a driver is opened",
                    path.display()
                );
            }
        }
        assert!(called > 20, "{called}");
    }

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
