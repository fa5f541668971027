#![doc = include_str!("../README.md")]

mod attention;
mod blas;
mod block_counters;
#[doc(hidden)]
pub mod codegen;
pub mod collectives;
mod context;
mod contract;
pub mod cubins;
mod device;
mod driver;
mod evolve;
mod exact;
mod fill;
mod fnv;
pub mod foreign;
mod fourier;
mod graph;
pub mod guest;
pub mod images;
mod infer;
mod jit;
mod kernel;
mod map;
mod memory;
mod modules;
mod moves;
pub mod nccl;
pub mod nvrtc;
mod plan;
mod ptx;
mod random;
mod rows;
pub mod service;
mod solver;
mod sorting;
mod streams;
mod transfer_entropy;
mod walk;

#[doc(hidden)]
pub use blas::ended::{Ends, end_products};
pub use blas::product_overrides;
pub use context::Context;
pub use context::gpu::{Cuda, of, open};
pub use device::device;
#[doc(hidden)]
pub use driver::library::FUNCTIONS as DRIVER_FUNCTIONS;
pub use driver::probe::{Driver, device_count, driver, is_available, why_unavailable};
pub use driver::reason::{Attempt, CudaVersion, Reason};
pub use driver::toolkit::search_packages;
pub use kernel::registry::{Adapter, register};
#[doc(hidden)]
pub use kernel::texts as made_texts;
#[doc(hidden)]
pub use kernel::{Named, Stocked, stock};
pub use memory::lending::owner;
pub use memory::peer::peer_access;
pub use memory::{copies, managed, pinned};
pub use modules::machine_code::{Sources, kernel_sources};
pub use streams::event::Event;
pub use streams::prefetch::Prefetch;
pub use streams::stream::{Entered, Priority, Stream};

/// Tensors, formulas, gradients and files: all of `syntonic-core`, so that a program needs this crate alone.
///
/// ```
/// use syntonic_cuda::prelude::*;
///
/// let device = syntonic_cuda::device(0).unwrap_or_else(|_| cpu());
/// let x = Tensor::full_on(&[3], 2.0, DType::F32, &device)?;
/// assert_eq!(x.square()?.to_vec::<f32>()?, [4.0; 3]);
/// # Ok::<(), syntonic_cuda::core::Error>(())
/// ```
pub use syntonic_core as core;
pub use syntonic_core::prelude;
