//! A pipeline under Nsight Compute: what its launches make of the memory, the tensor cores and the threads of a GPU.

mod ncu;
mod sheet;
mod summary;

use std::sync::Arc;

use anyhow::Result;
use syntonic_core::Device;

use crate::gpu::pipelines::{Form, measured};

pub use ncu::ProfilerError;
pub use summary::{Kernel, Summary};

/// Runs one form of a pipeline under `ncu`, in processes of their own, and by itself in this one, which tells the gaps.
///
/// # Errors
/// [`ProfilerError`] where there is no `ncu`, or it may not count; an unknown name.
pub fn profiled(device: &Arc<dyn Device>, name: &str, form: Form, runs: usize) -> Result<Summary> {
    let ncu = ncu::Ncu::find()?;
    // A second run has everything that a first one makes behind it: what comes on top is a run and nothing else.
    let before = ncu.launches(name, form, 1)?;
    let mut launches = ncu.launches(name, form, 2)?;
    let launches = launches.split_off(before.len().min(launches.len()));
    if launches.is_empty() {
        return Err(ProfilerError::NoLaunch.into());
    }
    let alone = measured(device, name, form, runs)?;
    Ok(Summary::of(name, form, &launches, alone.microseconds))
}
