//! Streams, their events, the order of work on shared memory, and data that comes ahead of the work on it.

pub(crate) mod event;
pub(crate) mod order;
pub(crate) mod prefetch;
pub(crate) mod stream;
