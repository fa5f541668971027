//! Sorting on the GPU: short lines by networks, lines of a block digit by digit in shared memory, longer
//! ones digit by digit through memory.

mod few;
mod lines;
mod radix;
mod ranking;
mod rows;
mod sort;
mod topk;

pub(crate) use sort::{argsort, order_of_words, sort};
pub(crate) use topk::topk;
