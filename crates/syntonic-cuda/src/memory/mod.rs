//! Memory of a GPU: its pool, copies to the host and to other GPUs, and what is lent to other libraries.

pub(crate) mod lending;
pub(crate) mod peer;
pub(crate) mod pool;
pub(crate) mod staging;
