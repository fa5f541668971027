//! Memory that is shared: with other libraries, and between the views of one State.

pub(crate) mod dlpack;
mod export;
pub(crate) mod foreign;
pub(crate) mod object;
pub(crate) mod writing;
