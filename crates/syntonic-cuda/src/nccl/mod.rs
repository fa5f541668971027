//! Tensors between the GPUs of several ranks, through NCCL.
//!
//! The library is opened when the first [`Communicator`] is made, as the others of CUDA are: it comes with
//! `pip install nvidia-nccl-cu13`. Every wait is bounded: a communicator whose ranks do not come in time is aborted, and of no use
//! from then on. NCCL reads its own environment when the first communicator is made: where NVLink multicast has to stay off, set
//! `NCCL_NVLS_ENABLE=0` before. Nothing here turns it on.

mod communicator;
mod exchange;
mod library;
mod ranks;
mod reduction;
mod several;

pub use communicator::Communicator;
pub(crate) use library::FUNCTIONS;
pub use ranks::Ranks;
pub use reduction::Reduction;
pub use several::{all_gather_each, all_reduce_each, broadcast_each};
