//! What only a GPU can tell. Rooms: [`parity`] compares it with the CPU, [`soak`] looks at what goes wrong and at what shows after a
//! while, [`sanitizer`] says which checks a slow tool makes and in what parts, [`timing`] measures, and [`profiler`] has a pipeline watched. What they share is here: the GPU,
//! how two results are compared, within which bounds, and in which layouts operands lie.

pub mod anything;
mod bounds;
mod compare;
mod layouts;
pub mod parity;
pub mod pipelines;
pub mod profiler;
pub mod queue;
pub mod sanitizer;
pub mod soak;
pub mod timing;

pub(crate) use compare::unit;
pub use compare::{Exactness, compare, compare_each};
pub use layouts::{Layout, Pair, finite, sample};

use std::sync::Arc;

use anyhow::Result;
use syntonic_core::{Device, Tensor, cpu};

/// The GPU under test.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The GPU as a device.
    pub device: Arc<dyn Device>,
}

impl Gpu {
    /// A copy of `x` on the GPU.
    pub fn take(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.to(&self.device)?)
    }

    /// A copy of `x` on the CPU.
    pub fn fetch(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.to(&cpu())?)
    }
}
