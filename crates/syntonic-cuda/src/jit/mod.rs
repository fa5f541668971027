//! JIT texts: PTX put together at run time from compiled pieces, around which a schedule is written. The driver assembles
//! them.

mod pieces;
mod quotients;
mod values;

pub(crate) use pieces::Pieces;
pub(crate) use values::{Moved, Share, Sharing, Values, parts};
