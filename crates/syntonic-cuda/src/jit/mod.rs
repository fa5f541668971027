//! Kernels as texts that are put together at run time: of pieces that the compiler made, around which a schedule is written. The
//! driver assembles them.

mod pieces;
mod values;

pub(crate) use pieces::Pieces;
pub(crate) use values::{Moved, Share, Values, memory_type, parts, register_type};

/// Texts of made kernels by name, for a card: what the proof that old assemblers take them goes over.
#[doc(hidden)]
pub fn texts(capability: (u32, u32)) -> Vec<(String, String)> {
    let maps = crate::map::made::texts(capability);
    maps.into_iter()
        .chain(crate::rows::made::texts(capability))
        .collect()
}
