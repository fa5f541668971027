//! JIT texts: PTX put together at run time from compiled pieces, around which a schedule is written. The driver assembles
//! them.

mod pieces;
mod values;

pub(crate) use pieces::Pieces;
pub(crate) use values::{Moved, Share, Values, memory_type, parts, register_type};

/// Texts of JIT kernels by name, for a card: input of the proof that old assemblers take them.
#[doc(hidden)]
pub fn texts(capability: (u32, u32)) -> Vec<(String, String)> {
    let maps = crate::map::made::texts(capability);
    maps.into_iter()
        .chain(crate::rows::made::texts(capability))
        .collect()
}
