//! Streams, their events, and the order of work on shared memory.

pub(crate) mod event;
pub(crate) mod order;
pub(crate) mod stream;
