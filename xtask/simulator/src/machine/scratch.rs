//! What one compact instruction leaves for the next, where the text has one instruction with more operands than fit in one.

use super::rows::LANES;
use super::tensor_map::MOST;

/// Rows of a product that one warp has.
pub(crate) const HEIGHT: usize = 16;
/// Columns of a product at most.
pub(crate) const WIDTH: usize = 256;
/// Bytes of a matrix's row that one product takes, whatever the type.
pub(crate) const DEPTH: usize = 32;

/// Values between compact instructions of one instruction of the text, which a warp runs without a pause.
pub(crate) struct Scratch {
    /// Where in a tensor each lane's box starts.
    pub(crate) coordinates: [[i32; LANES]; MOST],
    /// A box of a tensor, row after row.
    pub(crate) box_bytes: Vec<u8>,
    /// Rows of an operand as they lie in memory, along K.
    pub(crate) rows: [[u8; DEPTH]; WIDTH],
    /// The first operand of a product, row after row.
    pub(crate) a: [[f64; DEPTH]; HEIGHT],
    /// The second one, one row for every step along K.
    pub(crate) b: [[f64; WIDTH]; DEPTH],
    /// Their product.
    pub(crate) sum: [[f64; WIDTH]; HEIGHT],
    /// What it is added to, where that is not where the result goes.
    pub(crate) old: [[u32; LANES]; 4],
    /// Whether what accumulators hold is added to it.
    pub(crate) adds: bool,
}

impl Scratch {
    /// Room for all of it.
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            coordinates: [[0; LANES]; MOST],
            box_bytes: Vec::new(),
            rows: [[0; DEPTH]; WIDTH],
            a: [[0.0; DEPTH]; HEIGHT],
            b: [[0.0; WIDTH]; DEPTH],
            sum: [[0.0; WIDTH]; HEIGHT],
            old: [[0; LANES]; 4],
            adds: false,
        })
    }
}
