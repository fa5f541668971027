//! The checks for a tool under which a program takes a hundred times as long: a short form of them, cut into parts that several
//! processes share and that a later call goes on with.

mod extent;
mod part;

pub use extent::Extent;
pub use part::Part;
