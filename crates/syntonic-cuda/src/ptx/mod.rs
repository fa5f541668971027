//! PTX as text: the names of its entries, and the parts that are cut out of it.

pub(crate) mod name;
pub(crate) mod parameter;
pub(crate) mod slice;
