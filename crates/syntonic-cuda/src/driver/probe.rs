//! The questions a caller may ask, each answered once a process.

use std::ffi::c_int;
use std::mem::ManuallyDrop;
use std::sync::OnceLock;

use crate::driver::entry::{Code, Entries};
use crate::driver::library;
use crate::driver::nvtx::Nvtx;
use crate::driver::reason::{CudaVersion, Reason};
use syntonic_core::fork::get_or_init;
use syntonic_core::profile::set_ranges;

/// The oldest driver that can load kernels written for PTX 8.3.
const OLDEST: CudaVersion = CudaVersion::from_driver(12030);

/// A driver that answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Driver {
    /// The newest CUDA version it supports.
    pub version: CudaVersion,
    /// How many GPUs it shows, at least one.
    pub devices: usize,
}

/// The driver of this machine, or why there is none to use.
///
/// The first call opens the library and initialises the driver, which can take a good part of a second; later calls return
/// the same answer. A process that means to fork should ask after the fork: an initialised driver does not survive one.
///
/// # Errors
/// Any [`Reason`].
///
/// ```
/// match syntonic_cuda::driver() {
///     Ok(driver) => assert_eq!(driver.devices, syntonic_cuda::device_count()),
///     Err(reason) => assert_eq!(Some(reason), syntonic_cuda::why_unavailable().as_ref()),
/// }
/// ```
pub fn driver() -> Result<Driver, &'static Reason> {
    static ANSWER: OnceLock<Answer> = OnceLock::new();
    let ask = || Answer {
        found: built().and_then(|()| library::open()).and_then(|opened| {
            // A driver starts threads of its own and must stay until the process ends.
            let opened = ManuallyDrop::new(opened);
            let found = examine(&opened.entries)?;
            opened.check()?;
            if let Some(ranges) = Nvtx::of_profiler() {
                set_ranges(Box::new(ranges));
            }
            Ok(found)
        }),
        process: std::process::id(),
    };
    get_or_init(&ANSWER, ask).valid_in(std::process::id())
}

/// What the driver answered, and in which process.
struct Answer {
    found: Result<Driver, Reason>,
    process: u32,
}

impl Answer {
    /// The answer as it holds in `process`, which may have been forked from the one that asked.
    fn valid_in(&self, process: u32) -> Result<Driver, &Reason> {
        match &self.found {
            Ok(_) if process != self.process => Err(&Reason::Forked),
            answer => answer.as_ref().copied(),
        }
    }
}

/// Why tensors cannot live on a GPU; `None` means that they can.
///
/// ```
/// let why = syntonic_cuda::why_unavailable();
/// assert_eq!(why.is_none(), syntonic_cuda::is_available());
/// ```
pub fn why_unavailable() -> Option<Reason> {
    driver().err().cloned()
}

/// Whether tensors can live on a GPU.
///
/// ```
/// if syntonic_cuda::is_available() {
///     assert!(syntonic_cuda::device_count() > 0 && syntonic_cuda::open(0).is_ok());
/// }
/// ```
pub fn is_available() -> bool {
    why_unavailable().is_none()
}

/// How many GPUs the driver shows; zero where no driver is usable.
///
/// ```
/// let none_such = syntonic_cuda::device_count() as u32;
/// assert!(syntonic_cuda::open(none_such).is_err());
/// ```
pub fn device_count() -> usize {
    driver().map_or(0, |driver| driver.devices)
}

/// Without kernels a driver is of no use, so it is not even started.
fn built() -> Result<(), Reason> {
    match cfg!(feature = "images") {
        true => Ok(()),
        false => Err(Reason::NotBuilt),
    }
}

fn examine(entries: &Entries) -> Result<Driver, Reason> {
    // SAFETY: the entry has the type of `cuInit`, which takes flags that must be zero and may be called any number of times.
    accept("cuInit", unsafe { (entries.init)(0) })?;
    let version = CudaVersion::from_driver(ask("cuDriverGetVersion", entries.driver_get_version)?);
    if version < OLDEST {
        return Err(Reason::DriverTooOld {
            found: version,
            needed: OLDEST,
        });
    }
    match usize::try_from(ask("cuDeviceGetCount", entries.device_get_count)?) {
        Ok(devices) if devices > 0 => Ok(Driver { version, devices }),
        _ => Err(Reason::NoGpu),
    }
}

/// Calls a driver function that writes one number.
fn ask(
    call: &'static str,
    function: unsafe extern "system" fn(*mut c_int) -> Code,
) -> Result<c_int, Reason> {
    let mut answer = 0;
    // SAFETY: both functions that come here write one `int` through the pointer and do not keep it.
    accept(call, unsafe { function(&mut answer) })?;
    Ok(answer)
}

fn accept(call: &'static str, code: Code) -> Result<(), Reason> {
    match code {
        0 => Ok(()),
        100 => Err(Reason::NoGpu),
        code => Err(Reason::Refused { call, code }),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::c_uint;

    use super::*;

    extern "system" fn init_well(_: c_uint) -> Code {
        0
    }

    extern "system" fn init_without_gpu(_: c_uint) -> Code {
        100
    }

    extern "system" fn init_stub(_: c_uint) -> Code {
        34
    }

    /// A driver function that answers `NUMBER`.
    ///
    /// # Safety
    /// `out` points to an `int`.
    unsafe extern "system" fn say<const NUMBER: c_int>(out: *mut c_int) -> Code {
        // SAFETY: as our caller promises.
        unsafe { *out = NUMBER };
        0
    }

    unsafe extern "system" fn fail(_: *mut c_int) -> Code {
        999
    }

    const GOOD: Entries = Entries {
        init: init_well,
        driver_get_version: say::<13000>,
        device_get_count: say::<2>,
    };

    #[test]
    fn a_good_driver_is_described() {
        let version = CudaVersion::from_driver(13000);
        assert_eq!(
            examine(&GOOD),
            Ok(Driver {
                version,
                devices: 2
            })
        );
    }

    #[test]
    fn each_way_to_fail_has_its_reason() {
        let stub = Reason::Refused {
            call: "cuInit",
            code: 34,
        };
        assert!(stub.to_string().contains("stub"));
        assert_eq!(
            examine(&Entries {
                init: init_stub,
                ..GOOD
            }),
            Err(stub)
        );
        assert_eq!(
            examine(&Entries {
                init: init_without_gpu,
                ..GOOD
            }),
            Err(Reason::NoGpu)
        );
        assert_eq!(
            examine(&Entries {
                device_get_count: say::<0>,
                ..GOOD
            }),
            Err(Reason::NoGpu)
        );
        assert_eq!(
            examine(&Entries {
                device_get_count: say::<-1>,
                ..GOOD
            }),
            Err(Reason::NoGpu)
        );
        let refused = Reason::Refused {
            call: "cuDriverGetVersion",
            code: 999,
        };
        assert_eq!(
            examine(&Entries {
                driver_get_version: fail,
                ..GOOD
            }),
            Err(refused)
        );
        let old = Reason::DriverTooOld {
            found: CudaVersion::from_driver(11080),
            needed: OLDEST,
        };
        assert!(old.to_string().contains("11.8") && old.to_string().contains("12.3"));
        assert_eq!(
            examine(&Entries {
                driver_get_version: say::<11080>,
                ..GOOD
            }),
            Err(old)
        );
    }

    /// Holds with and without a GPU: whatever this machine has, the answers fit together and none is a panic.
    #[test]
    fn the_answers_about_this_machine_agree() {
        let reason = why_unavailable();
        assert_eq!(is_available(), reason.is_none());
        match driver() {
            Ok(found) => {
                assert_eq!(device_count(), found.devices);
                assert_eq!(reason, None);
            }
            Err(expected) => {
                assert_eq!(device_count(), 0);
                assert_eq!(reason.as_ref(), Some(expected));
            }
        }
    }

    #[test]
    fn a_build_without_kernels_says_so() {
        assert_eq!(built().is_ok(), cfg!(feature = "images"));
        assert_eq!(
            why_unavailable() == Some(Reason::NotBuilt),
            built().is_err()
        );
        assert!(Reason::NotBuilt.to_string().contains("feature `cuda`"));
    }

    #[test]
    fn a_forked_process_has_no_driver() {
        let parent = Answer {
            found: examine(&GOOD),
            process: 7,
        };
        assert!(parent.valid_in(7).is_ok());
        assert_eq!(parent.valid_in(8), Err(&Reason::Forked));
        assert!(Reason::Forked.to_string().contains("spawn"));
        let without = Answer {
            found: Err(Reason::NoGpu),
            process: 7,
        };
        assert_eq!(without.valid_in(8), Err(&Reason::NoGpu));
    }
}
