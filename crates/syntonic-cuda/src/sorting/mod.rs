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

use crate::contract::{Contract, Declaration};

/// The parameters of the kernels here.
pub(crate) fn contracts() -> Vec<Declaration> {
    vec![
        // few: one a struct.
        few::Params::declaration(),
        lines::CopyParams::declaration(),
        lines::TakeParams::declaration(),
        lines::PartParams::declaration(),
        radix::CountParams::declaration(),
        radix::PassParams::declaration(),
        ranking::Ranking::declaration(),
        rows::Params::declaration(),
        scan::ScanLines::declaration(),
        scan::ScanColumns::declaration(),
        search::Search::declaration(),
        search::Groups::declaration(),
        topk::Params::declaration(),
    ]
}
