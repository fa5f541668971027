//! Tensors on all GPUs of one process: one caller, a tensor for each GPU.
//!
//! A [`DeviceGroup`] has some GPUs in an order. What each call returns is a tensor for each of them, in that order. Unlike the ranks of
//! [`nccl`](crate::nccl) there is one caller, who asks all GPUs; nobody waits for anybody, and results may be used at once.
//!
//! ```
//! use syntonic_core::Tensor;
//! use syntonic_cuda::collectives::{DeviceGroup, Reduction, Transport};
//!
//! let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
//! let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
//! if gpus.is_empty() {
//!     return Ok(());
//! }
//! let group = DeviceGroup::new(&gpus, Transport::Copies)?;
//! let everywhere = group.broadcast(&Tensor::from_vec(vec![1.0f32, 2.0], &[2])?)?;
//! let sums = group.all_reduce(&everywhere, Reduction::Sum)?;
//! let n = gpus.len() as f32;
//! assert!(sums.iter().all(|x| x.to_vec::<f32>().is_ok_and(|x| x == [n, 2.0 * n])));
//! # Ok::<(), syntonic_core::Error>(())
//! ```

mod device_group;
mod operands;
mod reduction;
mod shares;

pub use device_group::{DeviceGroup, Transport};
pub use reduction::Reduction;
