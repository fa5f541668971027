//! Tensor maps: how the copy engine finds boxes of a matrix (`cuTensorMapEncodeTiled`).

use crate::context::Context;
use crate::driver::fault::Checked;
use cudarc::driver::sys;
use syntonic_core::{DType, Result};

/// A tensor map, as kernels take it.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct TensorMap([u64; 16]);

/// Matrices as the copy engine sees them: the axis whose elements are side by side comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxes {
    pub(super) first: u64,
    /// Lengths in elements, and those of a box, which takes one matrix.
    pub(super) lens: [usize; 3],
    pub(super) of_box: [usize; 2],
    /// Bytes to the next line, and to the next matrix.
    pub(super) strides: [usize; 2],
}

impl TensorMap {
    /// None.
    pub(super) const NONE: TensorMap = TensorMap([0; 16]);

    /// The map of boxes of a half type or of bytes that lie in shared memory in rows of 128 bytes, swizzled.
    pub(super) fn new(context: &Context, op: &str, dtype: DType, boxes: &Boxes) -> Result<Self> {
        use sys::CUtensorMapDataType_enum as D;
        let kind = match dtype {
            DType::F16 => D::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
            DType::I8 => D::CU_TENSOR_MAP_DATA_TYPE_UINT8,
            _ => D::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        };
        let lens = boxes.lens.map(|len| len as u64);
        let strides = boxes.strides.map(|bytes| bytes as u64);
        let of_box = [boxes.of_box[0] as u32, boxes.of_box[1] as u32, 1];
        let mut map = sys::CUtensorMap { opaque: [0; 16] };
        // SAFETY: the map and the arrays are of the lengths that three axes take; the driver only computes.
        unsafe {
            sys::cuTensorMapEncodeTiled(
                &mut map,
                kind,
                3,
                boxes.first as *mut _,
                lens.as_ptr(),
                strides.as_ptr(),
                of_box.as_ptr(),
                [1u32; 3].as_ptr(),
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
