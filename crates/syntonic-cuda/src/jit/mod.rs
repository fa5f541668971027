//! JIT texts: PTX put together at run time from compiled pieces, around which a schedule is written. The driver assembles
//! them.

mod counted;
mod needs;
mod pieces;
mod quotients;
mod values;
mod whole_quotients;

/// The most JIT kernels of maps, and of rows, in a context: each stays loaded as long as the process lives, since a graph may hold it. A few
/// tens of kilobytes each. What comes later is bytecode, or maps and folds.
pub(crate) const MOST_MADE: usize = 4096;

pub(crate) use needs::parts;
pub(crate) use pieces::Pieces;
pub(crate) use values::{Moved, Share, Sharing, Values};
