//! What a driver call that failed becomes: an error with the operation, the device and a sentence.

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;
use syntonic_core::{DeviceId, Error, Result};

/// The code's number, name and what to do about it, without asking the driver: its own texts need a
/// driver that works.
fn describe(code: CUresult) -> String {
    let hint = match code {
        CUresult::CUDA_ERROR_INVALID_DEVICE => "; hint: ask `device_count` which GPUs there are",
        CUresult::CUDA_ERROR_DEINITIALIZED => "; hint: the process is ending",
        CUresult::CUDA_ERROR_NOT_INITIALIZED => {
            "; hint: a process that was forked after the GPU was used must not use it; start it with spawn"
        }
        CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
        | CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
        | CUresult::CUDA_ERROR_INVALID_PTX => {
            "; hint: the driver is older than the kernels, update it"
        }
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
        | CUresult::CUDA_ERROR_LAUNCH_FAILED
        | CUresult::CUDA_ERROR_ASSERT
        | CUresult::CUDA_ERROR_MISALIGNED_ADDRESS
        | CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION => {
            "; the GPU's context is lost: tensors on it cannot be read any more, those on the CPU can; hint: restart the process"
        }
        _ => "",
    };
    format!("{code:?} ({}){hint}", code as i32)
}

/// True for errors after which nothing on the context works any more.
pub(crate) fn is_fatal(code: CUresult) -> bool {
    matches!(
        code,
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
            | CUresult::CUDA_ERROR_LAUNCH_FAILED
            | CUresult::CUDA_ERROR_ASSERT
            | CUresult::CUDA_ERROR_MISALIGNED_ADDRESS
            | CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION
            | CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR
            | CUresult::CUDA_ERROR_INVALID_PC
            | CUresult::CUDA_ERROR_LAUNCH_TIMEOUT
    )
}

/// Less free memory than this is none: the driver allocates in pages of 2 MiB, and a kernel's code with what it keeps beside it
/// takes some of them.
const NEXT_TO_NOTHING: usize = 64 << 20;

/// Whether a driver call failed because memory was short. A driver that loads the code of a cubin when a kernel is first used
/// answers `CUDA_ERROR_UNKNOWN` where there is no memory for it.
fn is_short_of_memory(code: CUresult, free: impl FnOnce() -> Option<usize>) -> bool {
    match code {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => true,
        CUresult::CUDA_ERROR_UNKNOWN => free().is_some_and(|bytes| bytes < NEXT_TO_NOTHING),
        _ => false,
    }
}

/// Free bytes of the current context's GPU, where the driver still answers.
fn free_memory() -> Option<usize> {
    cudarc::driver::result::mem_get_info()
        .ok()
        .map(|(free, _)| free)
}

/// The error of a driver call. Never formats a `DriverError`: that asks the driver for its text.
pub(crate) fn fault(op: &str, device: DeviceId, code: CUresult) -> Error {
    let (op, what) = (op.to_owned(), describe(code));
    if is_short_of_memory(code, free_memory) {
        return Error::NoRoomFor { op, device, what };
    }
    Error::Fault { op, device, what }
}

/// The error of a driver call that found the context lost. Kernels run asynchronously, so that call is not the cause: suspect
/// the kernel launched last, or one shortly before it.
pub(crate) fn loss(op: &str, device: DeviceId, code: CUresult, last: Option<&str>) -> Error {
    let suspect = last.map_or_else(String::new, |name| {
        format!("; the kernel that was launched last is {name}")
    });
    Error::Fault {
        op: op.to_owned(),
        device,
        what: describe(code) + &suspect,
    }
}

/// A driver's answer as a result of ours.
pub(crate) trait Checked<T> {
    /// The value, or an error that names the operation and the device.
    fn during(self, op: &str, device: DeviceId) -> Result<T>;
}

impl<T> Checked<T> for std::result::Result<T, DriverError> {
    fn during(self, op: &str, device: DeviceId) -> Result<T> {
        self.map_err(|error| fault(op, device, error.0))
    }
}

impl Checked<()> for CUresult {
    fn during(self, op: &str, device: DeviceId) -> Result<()> {
        match self {
            CUresult::CUDA_SUCCESS => Ok(()),
            code => Err(fault(op, device, code)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_short_is_told_as_such() {
        let code = CUresult::CUDA_ERROR_OUT_OF_MEMORY;
        let error = fault("load of sum_f32", DeviceId::Cuda(0), code);
        assert!(matches!(error, Error::NoRoomFor { .. }));
        let text = error.to_string();
        assert!(
            text.starts_with("out of memory on cuda:0: load of sum_f32"),
            "{text}"
        );
        assert!(text.contains("hint"), "{text}");
    }

    #[test]
    fn an_unknown_error_on_a_full_card_is_short_memory() {
        let unknown = CUresult::CUDA_ERROR_UNKNOWN;
        assert!(is_short_of_memory(unknown, || Some(0)));
        assert!(!is_short_of_memory(unknown, || Some(1 << 30)));
        assert!(!is_short_of_memory(unknown, || None));
        assert!(!is_short_of_memory(
            CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
            || Some(0)
        ));
    }

    #[test]
    fn a_lost_context_is_told() {
        let code = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
        assert!(is_fatal(code) && !is_fatal(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        let text = fault("gather", DeviceId::Cuda(1), code).to_string();
        assert!(text.starts_with("gather failed on cuda:1"), "{text}");
        assert!(text.contains("context is lost"), "{text}");
        let text = loss(
            "download",
            DeviceId::Cuda(0),
            code,
            Some("sort_few_keys_b4"),
        )
        .to_string();
        assert!(text.contains("download failed on cuda:0") && text.contains("sort_few_keys_b4"));
        assert!(text.contains("context is lost"), "{text}");
    }
}
