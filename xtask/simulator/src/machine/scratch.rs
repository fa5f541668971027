//! What one compact instruction leaves for the next, where the text has one instruction with more operands than fit in one.

use super::rows::LANES;
use super::tensor_map::MOST;

/// Values between compact instructions of one instruction of the text, which a warp runs without a pause.
pub(crate) struct Scratch {
    /// Where in a tensor each lane's box starts.
    pub(crate) coordinates: [[i32; LANES]; MOST],
    /// A box of a tensor, row after row.
    pub(crate) box_bytes: Vec<u8>,
}

impl Scratch {
    /// Room for all of it.
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            coordinates: [[0; LANES]; MOST],
            box_bytes: Vec::new(),
        })
    }
}
