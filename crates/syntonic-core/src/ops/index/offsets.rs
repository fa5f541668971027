//! Offsets of masks and index arrays.

use super::plan::Plan;
use crate::dtype::DType;
use crate::error::{Error, Result, way_out};
use crate::layout::{Dims, Layout, Strides, broadcast_pair, normalize_axis};
use crate::ops::moves::{self, INDEX_OFFSETS, MASK_BLOCK, MASK_COUNT, MASK_OFFSETS};
use crate::room;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe, same_device};

fn int(i: isize) -> Scalar {
    Scalar::Int(i as i128)
}

/// `wrap(index) * stride` for indices into `axis` of `x`.
pub(super) fn array_offsets(
    op: &'static str,
    x: &Tensor,
    index: &Tensor,
    axis: usize,
    stride: isize,
) -> Result<Tensor> {
    same_device(op, &[x, index])?;
    if !index.dtype().is_integer() {
        return Err(Error::DType {
            op,
            operands: describe(&[x, index]),
            hint: format!("index arrays are integers or bool; {}", way_out::CONVERT),
        });
    }
    let out = Tensor::uninit(op, index.shape(), DType::I64, x.device())?;
    let params = vec![int(x.shape()[axis] as isize), int(stride)];
    let (inputs, outputs) = (vec![moves::arg(index)?], vec![moves::arg(&out)?]);
    // SAFETY: both are live and of one shape; the output is fresh.
    let done = unsafe { moves::launch(&INDEX_OFFSETS, x, inputs, outputs, params) };
    match done {
        Ok(()) => Ok(out),
        Err(Error::Index { index, len, .. }) => Err(Error::Index {
            op,
            index,
            axis,
            len,
        }),
        Err(other) => Err(other),
    }
}

/// For each set of strides the offsets `p · strides` of the true positions `p` of `mask`.
pub(crate) fn nonzero_offsets(
    op: &'static str,
    mask: &Tensor,
    strides: &[Strides],
) -> Result<Vec<Tensor>> {
    let device = mask.device();
    let blocks = mask.numel().div_ceil(MASK_BLOCK);
    let counts = Tensor::uninit(op, &[blocks], DType::I64, device)?;
    if blocks > 0 {
        let (inputs, outputs) = (vec![moves::arg(mask)?], vec![moves::arg(&counts)?]);
        // SAFETY: the counts are fresh, one for each block.
        unsafe { moves::launch(&MASK_COUNT, mask, inputs, outputs, vec![])? };
    }
    let counts = counts.to_vec::<i64>()?;
    let mut starts = room::empty(blocks + 1)?;
    let mut total = 0;
    starts.push(0);
    for count in counts {
        total += count;
        starts.push(total);
    }
    let out: Vec<Tensor> = strides
        .iter()
        .map(|_| Tensor::uninit(op, &[total as usize], DType::I64, device))
        // few: kinds of strides.
        .collect::<Result<_>>()?;
    if total > 0 && !out.is_empty() {
        let starts = Tensor::from_vec(starts, &[blocks + 1])?.to(device)?;
        let inputs = vec![moves::arg(mask)?, moves::arg(&starts)?];
        // few: the same.
        let outputs = out.iter().map(moves::arg).collect::<Result<_>>()?;
        let params = strides.iter().flatten().map(|&s| int(s)).collect();
        // SAFETY: the outputs are fresh and hold as many offsets as were counted, also where the mask has changed since.
        unsafe { moves::launch(&MASK_OFFSETS, mask, inputs, outputs, params)? };
    }
    Ok(out)
}

/// A plan for one index per element along `axis`: lengths other than that of `axis` broadcast
/// between `x` and `indices`.
pub(crate) fn along_axis(
    op: &'static str,
    x: &Tensor,
    indices: &Tensor,
    axis: isize,
) -> Result<Plan> {
    let axis = normalize_axis(op, axis, x.ndim())?;
    let fail = || Error::Shape {
        op,
        operands: describe(&[x, indices]),
        hint: format!(
            "indices need as many axes as the tensor, and must broadcast with it except along axis {axis}"
        ),
    };
    if indices.ndim() != x.ndim() {
        return Err(fail());
    }
    let mut rest: Dims = x.shape().into();
    rest[axis] = 1;
    let shape = broadcast_pair(&rest, indices.shape()).ok_or_else(fail)?;
    let stride = x.strides()[axis];
    let offsets = array_offsets(op, x, indices, axis, stride)?.broadcast_to(&shape)?;
    let mut strides = x.layout().strides().to_vec();
    strides[axis] = 0;
    let layout = Layout::from_parts(&rest, &strides, x.layout().offset());
    let layout = layout.broadcast_to(&shape).ok_or_else(fail)?;
    Ok(Plan {
        op,
        layout,
        offsets: Some(offsets),
    })
}
