//! Rounding after each operator, for a while.

use syntonic_core::lazy::{Rounding, set_rounding};

/// Rounds each operator of this thread to its half type until it goes, as operators that are computed one by one do.
pub(crate) struct Each(Rounding);

impl Each {
    pub(crate) fn begin() -> Each {
        Each(set_rounding(Rounding::Each))
    }
}

impl Drop for Each {
    fn drop(&mut self) {
        set_rounding(self.0);
    }
}
