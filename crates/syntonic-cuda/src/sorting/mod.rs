//! Sorting on the GPU: sorting networks for short lines, block-wide radix sort in shared memory for lines that fit a block,
//! and radix sort through global memory for longer ones.

mod few;
mod lines;
mod radix;
mod ranking;
mod rows;
pub(crate) mod scan;
pub(crate) mod search;
mod sort;
mod topk;

pub(crate) use sort::{argsort, order_of_words, sort};
pub(crate) use topk::topk;
