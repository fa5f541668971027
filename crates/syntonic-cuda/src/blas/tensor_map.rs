//! Tensor maps: how the copy engine finds boxes of matrices (`cuTensorMapEncodeTiled`).

use crate::context::Context;
use crate::driver::fault::Checked;
use cudarc::driver::sys;
use syntonic_core::{DType, Result};

/// A tensor map, as kernels take it.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct TensorMap([u64; 16]);

/// Matrices as the copy engine sees them, along `N` axes: the one whose elements are side by side comes first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes<const N: usize> {
    pub(crate) first: u64,
    /// Lengths in elements, and those of a box, which takes one matrix.
    pub(crate) lens: [usize; N],
    pub(crate) of_box: [usize; 2],
    /// Bytes to the next line, and to the next matrix along each further axis; the last place says nothing.
    pub(crate) strides: [usize; N],
}

impl TensorMap {
    /// None.
    pub(crate) const NONE: TensorMap = TensorMap([0; 16]);

    /// The map of boxes of a half type or of bytes that lie in shared memory in rows of 128 bytes, swizzled.
    pub(crate) fn new<const N: usize>(
        context: &Context,
        op: &str,
        dtype: DType,
        boxes: &Boxes<N>,
    ) -> Result<Self> {
        use sys::CUtensorMapDataType_enum as D;
        let kind = match dtype {
            DType::F16 => D::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
            DType::I8 => D::CU_TENSOR_MAP_DATA_TYPE_UINT8,
            _ => D::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        };
        let lens = boxes.lens.map(|len| len as u64);
        let strides = boxes.strides.map(|bytes| bytes as u64);
        let mut of_box = [1; N];
        for (to, &len) in of_box.iter_mut().zip(&boxes.of_box) {
            *to = len as u32;
        }
        let mut map = sys::CUtensorMap { opaque: [0; 16] };
        // SAFETY: the map and the arrays are of the lengths that N axes take; the driver only computes.
        unsafe {
            sys::cuTensorMapEncodeTiled(
                &mut map,
                kind,
                N as u32,
                boxes.first as *mut _,
                lens.as_ptr(),
                strides.as_ptr(),
                of_box.as_ptr(),
                [1u32; N].as_ptr(),
                sys::CUtensorMapInterleave_enum::CU_TENSOR_MAP_INTERLEAVE_NONE,
                sys::CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_128B,
                sys::CUtensorMapL2promotion_enum::CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                sys::CUtensorMapFloatOOBfill_enum::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
            )
        }
        .during(op, context.device)?;
        Ok(TensorMap(map.opaque))
    }
}
