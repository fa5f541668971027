//! Memory that is shared: with other libraries, and between the views of one State.

pub(crate) mod cuda_array;
pub(crate) mod dlpack;
mod export;
pub(crate) mod foreign;
pub(crate) mod made;
pub(crate) mod object;
pub(crate) mod streams;
pub(crate) mod writing;
