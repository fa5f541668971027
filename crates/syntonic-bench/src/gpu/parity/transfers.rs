//! Bytes go to the GPU and come back as they were.

use super::Check;
use crate::gpu::{Exactness, compare, sample};
use syntonic_core::DType;

pub(super) fn checks() -> Vec<Check> {
    DType::ALL
        .into_iter()
        .flat_map(|dtype| [0, 1, 4097].map(|n| there_and_back(dtype, n)))
        .collect()
}

fn there_and_back(dtype: DType, n: usize) -> Check {
    Check::new(
        format!("transfers/there_and_back/{dtype}/{n}"),
        move |gpu| {
            let x = sample(dtype, &[n], 7)?;
            compare(&gpu.fetch(&gpu.take(&x)?)?, &x, Exactness::Same)
        },
    )
}
