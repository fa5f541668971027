//! Memory of a GPU: its pool, copies to the host and to other GPUs, the host's memory for them, memory that both share, and what is lent to other libraries.

pub mod copies;
pub(crate) mod lending;
pub mod managed;
pub(crate) mod peer;
pub mod pinned;
pub(crate) mod pool;
pub(crate) mod staging;
