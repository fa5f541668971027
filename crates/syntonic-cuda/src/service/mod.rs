//! A leased service: streams of tiny requests, answered by a kernel that stays on the GPU for a while.
//!
//! A launch costs the host some microseconds, and waiting for it as many again. Where a loop asks thousands of times a second for very
//! little, and needs each answer before it asks on, that is most of the time. A service is one cluster of thread blocks (8 on GPUs
//! of 9.0 and newer, one block on older ones) that takes requests from the host's memory and answers there.
//!
//! **When a graph is better.** Nearly always: work that is known in advance and does not wait for the host in between is one launch of
//! a [`Graph`](syntonic_core::Graph), which takes no part of the GPU while nothing runs, runs beside anything, and has the whole card.
//! A service pays for single, dependent requests below some tens of microseconds; it has 8 multiprocessors at most, polls the host's
//! memory, and stands in the way of what waits for the whole GPU. `examples/service_latency.rs` measures both.
//!
//! **A lease, no eternity.** The kernel ends by itself: after [`Settings::idle`] without a request, at [`Settings::lifetime`], after
//! [`Settings::most_commands`], and a command after twice [`Settings::deadline`]. The next request begins another. So a host that died, was
//! stopped or forgot the service leaves the GPU within [`Settings::longest_lease`].
//!
//! **What others wait for.** As long as a lease is live, whatever synchronises with the whole GPU waits for its end: `cudaMalloc`,
//! `cudaFree`, freeing and making page-locked memory, loading a kernel, the legacy default stream, `cudaDeviceSynchronize`. Where this
//! crate does such a thing, it first asks leases to end, which takes microseconds. Other libraries of the process do not: they wait for at
//! most one lease. [`Service::pause`] ends it before. A driver has few hardware queues (`CUDA_DEVICE_MAX_CONNECTIONS`); with many
//! streams, work of one may stand behind a lease until that ends. Profilers that replay kernels, and sanitizers, see a kernel that
//! waits for a host that they have stopped: use the operators themselves under those.
//!
//! **Errors.** Every wait has a deadline. A request without an answer is [`ServiceError::TimedOut`]: the command is stopped, the end of
//! its lease awaited, and the service takes no more. Nothing here waits for the whole GPU. Memory of a lease that does not end is left alone.
//!
//! ```
//! use syntonic_cuda::service::{Service, Settings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! if syntonic_cuda::is_available() {
//!     let gpu = syntonic_cuda::open(0)?;
//!     match Service::start(&gpu, Settings::default()) {
//!         Ok(service) => assert_eq!(service.sum(&[1.0, 2.0, 4.0])?, 7.0),
//!         // A GPU with a display.
//!         Err(refused) => println!("{refused}"),
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod belief;
mod board;
mod engine;
mod error;
mod lease;
pub(crate) mod leases;
mod line;
mod models;
mod operation;
mod queue;
mod requests;
mod settings;
#[cfg(test)]
mod simulated;

pub use belief::{Beliefs, Energy, Steps, Updated};
pub use board::Ending;
pub use error::{ServiceError, Status};
pub use lease::Report;
pub use models::{Linear, Model};
pub use operation::Operation;
pub use queue::{Argument, Operand, Program, Programs, Queue, Request};
pub use requests::Service;
pub use settings::Settings;

use crate::contract::{Contract, Declaration};

/// The parameter of the kernel.
pub(crate) fn contracts() -> Vec<Declaration> {
    vec![engine::Params::declaration()] // few: one.
}

/// What a service returns.
pub type Result<T> = std::result::Result<T, ServiceError>;
