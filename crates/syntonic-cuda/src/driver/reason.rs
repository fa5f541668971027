//! Why no GPU can be used. A reason is data first and a sentence second.

use std::fmt;

/// A CUDA version as the driver writes it: 1000 × major + 10 × minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CudaVersion(i32);

impl CudaVersion {
    /// Takes the driver's number, such as 12030 for 12.3.
    ///
    /// ```
    /// use syntonic_cuda::CudaVersion;
    ///
    /// let version = CudaVersion::from_driver(12030);
    /// assert_eq!(version.to_string(), "12.3");
    /// ```
    pub const fn from_driver(number: i32) -> Self {
        Self(number)
    }

    /// The number before the point.
    ///
    /// ```
    /// use syntonic_cuda::CudaVersion;
    ///
    /// assert_eq!(CudaVersion::from_driver(12030).major(), 12);
    /// ```
    pub const fn major(self) -> i32 {
        self.0 / 1000
    }

    /// The number after the point.
    ///
    /// ```
    /// use syntonic_cuda::CudaVersion;
    ///
    /// assert_eq!(CudaVersion::from_driver(12030).minor(), 3);
    /// ```
    pub const fn minor(self) -> i32 {
        self.0 % 1000 / 10
    }
}

impl fmt::Display for CudaVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major(), self.minor())
    }
}

/// One place where the driver library was looked for, and what the loader said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// A library name, for the loader to find, or a full path.
    pub place: &'static str,
    /// The loader's own words.
    pub complaint: String,
}

/// Why CUDA is not usable on this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// This program was built without kernels for GPUs.
    #[error(
        "this is a build for the CPU alone: the Python package was built without its Cargo feature `cuda`, or syntonic-cuda without `images`; install one that was built with its default features"
    )]
    NotBuilt,

    /// No CUDA driver was ever made for this operating system.
    #[error("CUDA has no driver for this operating system ({system})")]
    NoDriverForSystem {
        /// The operating system's name.
        system: &'static str,
    },

    /// The driver's library is in none of the places where it could be.
    #[error(
        "no CUDA driver library could be opened: install NVIDIA's driver, or pass the GPU into the container; searched:{}",
        listing(.searched)
    )]
    NoLibrary {
        /// Every place, in the order of the search.
        searched: Vec<Attempt>,
    },

    /// A library of the right name that is not a CUDA driver, or only half of one.
    #[error(
        "{place} lacks the function {symbol}, so it is no CUDA driver that Syntonic can use: install NVIDIA's driver anew ({complaint})"
    )]
    NotADriver {
        /// Where the library was found.
        place: &'static str,
        /// The first function that is absent.
        symbol: &'static str,
        /// The loader's own words.
        complaint: String,
    },

    /// The driver was found and refused a call.
    #[error("the CUDA driver refused {call} with code {code}{}", hint(*.code))]
    Refused {
        /// The driver function.
        call: &'static str,
        /// Its result, a `CUresult`.
        code: i32,
    },

    /// The driver works but is older than what Syntonic's kernels need.
    #[error(
        "the CUDA driver supports CUDA {found}, and {needed} is the oldest that Syntonic can use: update the NVIDIA driver"
    )]
    DriverTooOld {
        /// What the driver supports.
        found: CudaVersion,
        /// The oldest version that would do.
        needed: CudaVersion,
    },

    /// A good driver with no GPU behind it.
    #[error("the CUDA driver works but shows no GPU; {}", hidden())]
    NoGpu,

    /// The process was forked from one that had asked the driver already.
    #[error(
        "this process was forked from one that had used the GPU, and a CUDA driver does not survive a fork: start it with spawn, or use the GPU in the child alone"
    )]
    Forked,
}

fn listing(searched: &[Attempt]) -> String {
    searched
        .iter()
        .map(|attempt| format!("\n  {}: {}", attempt.place, attempt.complaint))
        .collect()
}

/// What may hide a GPU that is there.
fn hidden() -> String {
    match std::env::var_os("CUDA_VISIBLE_DEVICES") {
        Some(chosen) => format!(
            "CUDA_VISIBLE_DEVICES is {chosen:?}, which may hide it: unset that, or name a GPU that nvidia-smi lists"
        ),
        None => {
            "if there is one, nvidia-smi says whether the system sees it; a container must have it passed in"
                .to_owned()
        }
    }
}

/// What the codes mean that people do meet. The driver's own texts need a working driver, which is what is missing.
fn hint(code: i32) -> &'static str {
    match code {
        2 => " (out of memory)",
        3 => {
            " (it could not be initialised; in a container, check that the GPU was passed in, else reload the nvidia kernel module)"
        }
        34 => " (this is the toolkit's stub, not a driver: install the NVIDIA driver)",
        35 => " (it is older than the library in front of it: update the NVIDIA driver)",
        46 => {
            " (the GPU is held by another process: end that, or let nvidia-smi set the compute mode to default)"
        }
        100 => " (no GPU)",
        101 => " (no such GPU; look at CUDA_VISIBLE_DEVICES)",
        304 => {
            " (an operating system call failed; in a container, check that the GPU was passed in)"
        }
        802 => " (the system is not ready; on NVSwitch machines, check the fabric manager)",
        803 => {
            " (kernel module and driver library differ in version: reboot, or reinstall the driver)"
        }
        804 => {
            " (the CUDA compatibility package does not fit this GPU: remove it from the library path, or update the driver)"
        }
        999 => " (unknown error; often cured by reloading the nvidia kernel module)",
        _ => {
            " (CUresult in NVIDIA's manual of the driver has its meaning; reinstalling the driver may help)"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_read_as_people_write_them() {
        assert_eq!(CudaVersion::from_driver(12030).to_string(), "12.3");
        assert_eq!(CudaVersion::from_driver(13000).to_string(), "13.0");
        assert!(CudaVersion::from_driver(12090) < CudaVersion::from_driver(13000));
    }

    #[test]
    fn every_searched_place_is_named() {
        let attempt = |place| Attempt {
            place,
            complaint: "absent".to_owned(),
        };
        let text = Reason::NoLibrary {
            searched: vec![attempt("libcuda.so.1"), attempt("libcuda.so")],
        }
        .to_string();
        assert!(text.contains("\n  libcuda.so.1: absent\n  libcuda.so: absent"));
    }
}
