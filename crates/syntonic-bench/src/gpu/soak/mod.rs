//! What shows only when something goes wrong, or after a while. Hazards are statements of [`parity`](super::parity) that a test of one
//! operator never meets: faults, streams in each other's way, programs that use CUDA themselves, two GPUs. The long run is all of it at once.

pub(super) mod doors;
pub(super) mod faults;
mod long;
mod pair;
mod pair_collectives;
mod service;
pub(super) mod streams;

pub use faults::play;
pub use long::soak;
pub use pair::pair;
