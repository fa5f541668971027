//! DLPack: arrays handed between libraries without copying, version 1 and the form before it.

pub(crate) mod exchange;
mod export;
mod import;

pub(crate) use import::{from_dlpack, import};

use crate::errors::{Class, error};
use pyo3::PyResult;
use std::ffi::{CStr, c_void};
use syntonic_core::layout::MAX_NDIM;
use syntonic_core::{DType, DeviceId, Kind};

/// Memory of the host.
const CPU: i32 = 1;
/// Memory of a GPU.
const CUDA: i32 = 2;
/// Memory of the host that GPUs can reach too.
const CUDA_HOST: i32 = 3;
/// Memory that moves between host and GPU by itself.
const CUDA_MANAGED: i32 = 13;
const READ_ONLY: u64 = 1;
const IS_COPIED: u64 = 2;
const LEGACY: &CStr = c"dltensor";
const LEGACY_USED: &CStr = c"used_dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const VERSIONED_USED: &CStr = c"used_dltensor_versioned";

#[repr(C)]
struct DlDevice {
    kind: i32,
    id: i32,
}

#[repr(C)]
struct DlDataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device: DlDevice,
    ndim: i32,
    dtype: DlDataType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Managed {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

#[repr(C)]
struct Version {
    major: u32,
    minor: u32,
}

#[repr(C)]
struct ManagedVersioned {
    version: Version,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: DlTensor,
}

impl DlTensor {
    /// A description that is yet to be filled.
    fn nothing() -> DlTensor {
        DlTensor {
            data: std::ptr::null_mut(),
            device: DlDevice { kind: CPU, id: 0 },
            ndim: 0,
            dtype: code_of(DType::F32),
            shape: std::ptr::null_mut(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        }
    }

    /// The shape, and the strides in elements if there are any: as many numbers each as there are axes.
    fn sides(&self, op: &str) -> PyResult<(Vec<usize>, Option<Vec<i64>>)> {
        let refuse = |what: String| Err(error(Class::Argument, format!("{op}: {what}")));
        let ndim = match usize::try_from(self.ndim) {
            Ok(ndim) if ndim <= MAX_NDIM => ndim,
            _ => {
                return refuse(format!(
                    "an array of {} axes; there are from 0 to {MAX_NDIM}",
                    self.ndim
                ));
            }
        };
        if ndim == 0 {
            return Ok((Vec::new(), None));
        }
        if self.shape.is_null() {
            return refuse(format!("an array of {ndim} axes has no shape"));
        }
        // SAFETY: the producer gives `ndim` numbers at a pointer that is not null.
        let list =
            |pointer: *const i64| unsafe { std::slice::from_raw_parts(pointer, ndim) }.to_vec();
        let lengths = list(self.shape);
        let Ok(shape) = lengths.iter().map(|&n| usize::try_from(n)).collect() else {
            return refuse(format!("the shape {lengths:?} has a negative length"));
        };
        let strides = (!self.strides.is_null()).then(|| list(self.strides));
        Ok((shape, strides))
    }
}

impl ManagedVersioned {
    /// Whether the array may be written.
    fn is_writable(&self) -> bool {
        self.flags & READ_ONLY == 0
    }
}

/// Device type and number, as DLPack counts them.
fn place_of(device: DeviceId) -> (i32, i32) {
    match device {
        DeviceId::Cuda(ordinal) => (CUDA, ordinal as i32),
        _ => (CPU, 0),
    }
}

fn code_of(dtype: DType) -> DlDataType {
    let code = match dtype {
        DType::BF16 => 4,
        DType::F8E4M3 => 10,
        DType::F8E5M2 => 12,
        _ => match dtype.kind() {
            Kind::Signed => 0,
            Kind::Unsigned => 1,
            Kind::Float | Kind::Stored => 2,
            Kind::Complex => 5,
            Kind::Bool => 6,
        },
    };
    DlDataType {
        code,
        bits: 8 * dtype.size() as u8,
        lanes: 1,
    }
}

fn dtype_of(code: &DlDataType) -> Option<DType> {
    let same = |d: &DType| {
        let ours = code_of(*d);
        ours.code == code.code && ours.bits == code.bits
    };
    DType::every().find(same).filter(|_| code.lanes == 1)
}
