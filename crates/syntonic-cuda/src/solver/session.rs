//! A session with the library: its handles, its statuses, and the workspace of its routines.

use super::library::{At, Code, Handles};
use crate::context::{Context, Scratch};
use crate::driver::entry_points;
use std::ffi::{c_int, c_void};
use std::ptr;
use syntonic_core::fork::Locked;
use syntonic_core::{DType, Error, Result, room};

/// The library, for one thread.
pub(super) struct Session<'a> {
    pub(super) handles: Handles,
    pub(super) context: &'a Context,
    pub(super) op: &'static str,
    pub(super) _held: Locked<'a, Option<Handles>>,
}

impl<'a> Session<'a> {
    /// A status of the library as a result of ours.
    pub(super) fn check(&self, code: c_int) -> Result<()> {
        status(self.context, self.op, code)
    }

    /// Memory on the GPU for the time of the operation.
    pub(super) fn scratch(&self, bytes: usize) -> Result<Scratch<'a>> {
        self.context.scratch(bytes)
    }

    /// The workspace that a routine asks for.
    pub(super) fn room(
        &self,
        ask: impl FnOnce(*mut usize, *mut usize) -> c_int,
    ) -> Result<Workspace<'a>> {
        let (mut device, mut host) = (0, 0);
        self.check(ask(&mut device, &mut host))?;
        Ok(Workspace {
            device: match device {
                0 => None,
                bytes => Some(self.scratch(bytes)?),
            },
            bytes: device,
            host: room::zeros(host.div_ceil(size_of::<u128>()))?,
            host_bytes: host,
        })
    }

    /// A length as routines with 32 bits take it.
    pub(super) fn short(&self, len: usize) -> Result<c_int> {
        c_int::try_from(len).map_err(|_| {
            let what = format!("a length of {len} is more than cuSOLVER takes here, 2^31 - 1");
            Error::value(self.op, what)
        })
    }
}

/// The workspace of a routine; the next one of the same stream may reuse it.
pub(super) struct Workspace<'a> {
    device: Option<Scratch<'a>>,
    bytes: usize,
    host: Vec<u128>,
    host_bytes: usize,
}

impl Workspace<'_> {
    /// Where it is on the GPU.
    pub(super) fn device(&self) -> At {
        self.device.as_ref().map_or(0, Scratch::address)
    }

    /// Bytes of it there.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Where it is on the host.
    pub(super) fn host(&mut self) -> *mut c_void {
        match self.host_bytes {
            0 => ptr::null_mut(),
            _ => self.host.as_mut_ptr().cast(),
        }
    }

    /// Bytes of it there.
    pub(super) fn host_bytes(&self) -> usize {
        self.host_bytes
    }
}

/// Bytes of what is wrong with a matrix, as routines say it.
pub(super) const INFO: usize = size_of::<i32>();

/// Where goes what is wrong with matrix `k` of a stack.
pub(super) fn info(infos: At, k: usize) -> At {
    infos + (k * INFO) as u64
}

/// An element type's number in the library.
pub(super) fn kind(dtype: DType) -> Code {
    match dtype {
        DType::F64 => 1,
        DType::C64 => 4,
        DType::C128 => 5,
        _ => 0,
    }
}

/// Which triangle is read.
pub(super) const LOWER: Code = 0;

/// Whether vectors are wanted.
pub(super) fn vectors(wanted: bool) -> Code {
    Code::from(wanted)
}

/// A status of the library as a result of ours.
pub(super) fn status(context: &Context, op: &str, code: c_int) -> Result<()> {
    entry_points::status(op, context.device, code, "CUSOLVER_STATUS_", name)
}

fn name(code: c_int) -> &'static str {
    match code {
        1 => "NOT_INITIALIZED",
        3 => "INVALID_VALUE",
        4 => "ARCH_MISMATCH",
        5 => "MAPPING_ERROR",
        6 => "EXECUTION_FAILED",
        7 => "INTERNAL_ERROR",
        8 => "MATRIX_TYPE_NOT_SUPPORTED",
        9 => "NOT_SUPPORTED",
        31 => "INVALID_WORKSPACE",
        _ => "OTHER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::FUNCTIONS;

    #[test]
    fn functions_are_named_once() {
        let mut names = FUNCTIONS.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FUNCTIONS.len());
        assert!(names.iter().all(|name| name.starts_with("cusolverDn")));
    }

    #[test]
    fn element_types_have_the_numbers_of_cuda() {
        use cudarc::cublaslt::sys::cudaDataType_t as D;
        for (dtype, number) in [
            (DType::F32, D::CUDA_R_32F),
            (DType::F64, D::CUDA_R_64F),
            (DType::C64, D::CUDA_C_32F),
            (DType::C128, D::CUDA_C_64F),
        ] {
            assert_eq!(kind(dtype), number as Code, "{dtype}");
        }
    }
}
