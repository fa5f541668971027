//! The different elements of a tensor.

use super::rank::Direction;
use super::sort::argsort;
use crate::device::{Kernel, Launch};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::Prim;
use crate::grad;
use crate::interrupt::{Outcome, in_pieces};
use crate::ops::elementwise::apply;
use crate::ops::gather::take;
use crate::ops::join::concat;
use crate::ops::moves::{arg, launch};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use crate::with_element;

/// The runs of equal neighbours in a sorted vector.
///
/// Inputs: the sorted elements, any dtype, and the position each had, `int64`. Outputs, `int64`: where
/// runs begin, of the same length and filled from the front; the run of each position; and the
/// number of runs, of length 1. All are row-major vectors.
pub static UNIQUE_GROUPS: Kernel = Kernel {
    name: "unique_groups",
    cpu: run,
};

/// The different elements of a tensor, and how they relate to it.
#[derive(Clone, Debug)]
pub struct Unique {
    /// The elements in ascending order, each once: `[u]`.
    pub values: Tensor,
    /// Where each occurs first in the flat tensor: `[u]`, `int64`.
    pub indices: Tensor,
    /// Which of the values each element is: the shape of the tensor, `int64`.
    pub inverse: Tensor,
    /// How often each occurs: `[u]`, `int64`.
    pub counts: Tensor,
}

/// The different elements of `x` of any shape. Each NaN is a value of its own; `-0.0` equals `0.0`.
///
/// Errors for 2^32 elements or more.
///
/// ```
/// use syntonic_core::ops::order::unique;
/// use syntonic_core::prelude::*;
///
/// let found = unique(&Tensor::from([3, 1, 3, 2]))?;
/// assert_eq!(found.values.to_vec::<i32>()?, [1, 2, 3]);
/// assert_eq!(found.counts.to_vec::<i64>()?, [1, 1, 2]);
/// assert_eq!(found.values.take(&found.inverse, 0)?.to_vec::<i32>()?, [3, 1, 3, 2]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn unique(x: &Tensor) -> Result<Unique> {
    const OP: &str = "unique";
    grad::refuse(OP, &[x])?;
    let flat = x.reshape(&[-1])?;
    let n = flat.numel();
    let order = argsort(&flat, 0, Direction::Ascending)?.contiguous()?;
    let sorted = take(&flat, &order, Some(0))?.contiguous()?;
    let new = |len: usize| Tensor::uninit(OP, &[len], DType::I64, x.device());
    let (starts, inverse, number) = (new(n)?, new(n)?, new(1)?);
    let inputs = vec![arg(&sorted)?, arg(&order)?];
    let outputs = vec![arg(&starts)?, arg(&inverse)?, arg(&number)?];
    // SAFETY: all are live row-major vectors of the lengths and types that the kernel asks for, and
    // the outputs are fresh.
    unsafe { launch(&UNIQUE_GROUPS, &number, inputs, outputs, vec![])? };
    let groups = number.item()?.to_i128() as isize;
    let starts = starts.slice(0, None, Some(groups), 1)?;
    let ends = concat(
        &[
            &starts.slice(0, Some(1), None, 1)?,
            &Tensor::full_on(
                &[groups.min(1) as usize],
                Scalar::Int(n as i128),
                DType::I64,
                x.device(),
            )?,
        ],
        Some(0),
    )?;
    let shape: Vec<isize> = x.shape().iter().map(|&d| d as isize).collect();
    Ok(Unique {
        values: take(&sorted, &starts, Some(0))?,
        indices: take(&order, &starts, Some(0))?,
        inverse: inverse.reshape(&shape)?,
        counts: apply(Prim::Sub, &[(&ends).into(), (&starts).into()])?,
    })
}

/// Elements that are taken before the caller is asked whether to go on.
const UNASKED: usize = 1 << 20;

/// # Safety
/// As [`UNIQUE_GROUPS`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the element type that the first input has.
    with_element!(launch.inputs[0].dtype, T => unsafe { groups::<T>(launch)? });
    Ok(())
}

/// # Safety
/// As [`UNIQUE_GROUPS`] says, with elements of type `T`.
unsafe fn groups<T: PartialEq>(launch: &Launch) -> Outcome {
    let n = launch.inputs[0].layout.numel();
    let output = |k: usize| launch.outputs[k].address().cast::<i64>();
    let (sorted, order) = (launch.inputs[0].address(), launch.inputs[1].address());
    // SAFETY: vectors of `n` elements each, the outputs apart from all others.
    let (sorted, order, starts, inverse) = unsafe {
        (
            std::slice::from_raw_parts(sorted.cast::<T>(), n),
            std::slice::from_raw_parts(order.cast::<i64>(), n),
            std::slice::from_raw_parts_mut(output(0), n),
            std::slice::from_raw_parts_mut(output(1), n),
        )
    };
    let mut count = 0;
    in_pieces(n, UNASKED, |from, to| {
        for i in from..to {
            if i == 0 || sorted[i] != sorted[i - 1] {
                starts[count] = i as i64;
                count += 1;
            }
            inverse[order[i] as usize] = count as i64 - 1;
        }
    })?;
    // SAFETY: an output of one element.
    unsafe { *output(2) = count as i64 };
    Ok(())
}
