//! How much an expression hangs on, which bounds how much of one is read at once.

use super::MAX_INPUTS;

/// How much an expression hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Pending expressions, itself included.
    pub(super) expressions: u32,
    /// Tensors in memory that it reads.
    pub(super) inputs: usize,
}

impl Size {
    pub(super) const ALONE: Size = Size {
        expressions: 1,
        inputs: 0,
    };

    pub(super) fn plus(self, other: Size) -> Size {
        Size {
            expressions: self.expressions.saturating_add(other.expressions),
            inputs: self.inputs.saturating_add(other.inputs),
        }
    }

    pub(super) fn is_within_bounds(self, most: u32) -> bool {
        self.expressions <= most && self.inputs <= MAX_INPUTS
    }
}
