//! The driver's answers: their numbers, names and texts.

use std::ffi::CStr;

/// What a function of the driver returns: the number of a [`Code`].
pub(super) type Status = u32;

macro_rules! codes {
    ($($name:ident = $number:literal, $in_c:literal, $text:literal;)*) => {
        /// An answer of the driver. Those are listed that this driver gives.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub(super) enum Code {
            $(
                #[doc = concat!("`", stringify!($in_c), "`.")]
                $name = $number,
            )*
        }

        /// Number, name and text of each.
        const ALL: &[(Status, &CStr, &CStr)] = &[$(($number, $in_c, $text)),*];
    };
}

codes! {
    Success = 0, c"CUDA_SUCCESS", c"no error";
    InvalidValue = 1, c"CUDA_ERROR_INVALID_VALUE", c"invalid argument";
    OutOfMemory = 2, c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory";
    NotInitialized = 3, c"CUDA_ERROR_NOT_INITIALIZED", c"initialization error";
    NoDevice = 100, c"CUDA_ERROR_NO_DEVICE", c"no CUDA-capable device is detected";
    InvalidDevice = 101, c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal";
    InvalidContext = 201, c"CUDA_ERROR_INVALID_CONTEXT", c"invalid device context";
    NoBinaryForGpu = 209, c"CUDA_ERROR_NO_BINARY_FOR_GPU", c"no kernel image is available for execution on the device";
    UnsupportedLimit = 215, c"CUDA_ERROR_UNSUPPORTED_LIMIT", c"limit is not supported on this architecture";
    PeerAccessUnsupported = 217, c"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", c"peer access is not supported between these two devices";
    InvalidPtx = 218, c"CUDA_ERROR_INVALID_PTX", c"a PTX JIT compilation failed";
    UnsupportedPtxVersion = 222, c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", c"the provided PTX was compiled with an unsupported toolchain.";
    FileNotFound = 301, c"CUDA_ERROR_FILE_NOT_FOUND", c"file not found";
    OperatingSystem = 304, c"CUDA_ERROR_OPERATING_SYSTEM", c"OS call failed or operation not supported on this OS";
    InvalidHandle = 400, c"CUDA_ERROR_INVALID_HANDLE", c"invalid resource handle";
    NotFound = 500, c"CUDA_ERROR_NOT_FOUND", c"named symbol not found";
    IllegalAddress = 700, c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered";
    LaunchOutOfResources = 701, c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", c"too many resources requested for launch";
    LaunchTimeout = 702, c"CUDA_ERROR_LAUNCH_TIMEOUT", c"the launch timed out and was terminated";
    PeerAccessAlreadyEnabled = 704, c"CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", c"peer access is already enabled";
    ContextIsDestroyed = 709, c"CUDA_ERROR_CONTEXT_IS_DESTROYED", c"context is destroyed";
    Assert = 710, c"CUDA_ERROR_ASSERT", c"device-side assert triggered";
    IllegalInstruction = 715, c"CUDA_ERROR_ILLEGAL_INSTRUCTION", c"an illegal instruction was encountered";
    MisalignedAddress = 716, c"CUDA_ERROR_MISALIGNED_ADDRESS", c"misaligned address";
    LaunchFailed = 719, c"CUDA_ERROR_LAUNCH_FAILED", c"unspecified launch failure";
    CooperativeLaunchTooLarge = 720, c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", c"too many blocks in cooperative launch";
    NotSupported = 801, c"CUDA_ERROR_NOT_SUPPORTED", c"operation not supported";
    CaptureUnsupported = 900, c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", c"operation not permitted when stream is capturing";
    GraphExecUpdateFailure = 910, c"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", c"the graph update was not performed because it included changes which violated constraints specific to instantiated graph update";
    InvalidClusterSize = 912, c"CUDA_ERROR_INVALID_CLUSTER_SIZE", c"invalid cluster size";
    Unknown = 999, c"CUDA_ERROR_UNKNOWN", c"unknown error";
}

fn row(status: Status) -> Option<&'static (Status, &'static CStr, &'static CStr)> {
    ALL.iter().find(|row| row.0 == status)
}

/// The name in C of a number; nothing for one that this driver never gives.
pub(super) fn name(status: Status) -> Option<&'static CStr> {
    row(status).map(|row| row.1)
}

/// The sentence for a number.
pub(super) fn text(status: Status) -> Option<&'static CStr> {
    row(status).map(|row| row.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_names() {
        assert_eq!(
            name(Code::IllegalAddress as Status),
            Some(c"CUDA_ERROR_ILLEGAL_ADDRESS")
        );
        assert_eq!(text(0), Some(c"no error"));
        assert_eq!(name(77), None);
    }
}
