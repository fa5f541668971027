//! Graphs of the driver: what a thread asks of a GPU is captured from a stream of its own, and launched as a whole.
//!
//! The stream of a capture is nobody else's, so other threads go on with theirs meanwhile, and it runs nothing: memory is
//! allocated, and filled once, on a second stream. The mode is relaxed, since all calls that would wait for captured work are
//! refused before the driver sees them.

mod capture;
mod repeat;
mod replay;

pub(crate) use capture::{Captures, Taking, begin, write_number};
pub(crate) use repeat::begin_loop;
