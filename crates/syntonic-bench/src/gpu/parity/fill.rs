//! One value over memory: at every size of an element, and where the memory begins between multiples of 16 bytes.

use super::Check;
use crate::gpu::{Exactness, compare, sample};
use syntonic_core::{DType, Tensor};

/// Fewer than a thread writes at a time, around that many, more than a block, more than one pass of the grid.
const LENGTHS: [usize; 7] = [0, 1, 15, 16, 17, 4097, 3_000_001];

pub(super) fn checks() -> Vec<Check> {
    let whole = DType::ALL
        .into_iter()
        .flat_map(|dtype| LENGTHS.map(|n| all_of(dtype, n)));
    let parts = DType::ALL
        .into_iter()
        .flat_map(|dtype| [1, 3].map(|start| rest_of(dtype, start)));
    whole.chain(parts).collect()
}

fn all_of(dtype: DType, n: usize) -> Check {
    Check::new(format!("fill/all/{dtype}/{n}"), move |gpu| {
        let value = sample(dtype, &[], 3)?;
        let filled = gpu.take(&value)?.broadcast_to(&[n])?.copy()?;
        compare(&filled, &value.broadcast_to(&[n])?.copy()?, Exactness::Same)
    })
}

/// All elements from `start` on; those before keep what they were.
fn rest_of(dtype: DType, start: isize) -> Check {
    Check::new(format!("fill/rest/{dtype}/{start}"), move |gpu| {
        let (x, value) = (sample(dtype, &[100], 7)?, sample(dtype, &[], 3)?);
        let write = |x: Tensor, value: &Tensor| -> anyhow::Result<Tensor> {
            let rest = x.slice(0, Some(start), None, 1)?;
            // SAFETY: no other thread knows the tensor.
            unsafe { rest.assign_aliased(value)? };
            Ok(x)
        };
        let filled = write(gpu.take(&x)?, &gpu.take(&value)?)?;
        compare(&filled, &write(x.copy()?, &value)?, Exactness::Same)
    })
}
