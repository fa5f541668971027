//! A slice of an axis, with its ends found.

use crate::error::{Error, Result};

/// The positions a Python slice selects: start, step and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First position.
    pub start: usize,
    /// Distance between positions; may be negative.
    pub step: isize,
    /// How many positions.
    pub len: usize,
}

impl Span {
    /// `start:stop:step` over an axis of length `len`, with Python's rules for negative and missing ends.
    ///
    /// ```
    /// use syntonic_core::layout::Span;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Span::new("slice", Some(1), Some(-1), 2, 6)?, Span { start: 1, step: 2, len: 2 });
    /// assert_eq!(Span::new("slice", None, None, -1, 3)?, Span { start: 2, step: -1, len: 3 });
    /// assert!(Span::new("slice", None, None, 0, 3).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(
        op: &'static str,
        start: Option<isize>,
        stop: Option<isize>,
        step: isize,
        len: usize,
    ) -> Result<Span> {
        if step == 0 {
            return Err(Error::value(
                op,
                "slice step is 0; hint: use a positive or negative step",
            ));
        }
        // A longer axis has no elements, and what is left of it none either.
        let n = isize::try_from(len).unwrap_or(isize::MAX);
        let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
        let end = |x: isize| {
            if x < 0 {
                x.saturating_add(n).max(low)
            } else {
                x.min(high)
            }
        };
        let first = start.map_or(if step > 0 { low } else { high }, end);
        let last = stop.map_or(if step > 0 { high } else { low }, end);
        let room = if step > 0 { last - first } else { first - last };
        let count = if room <= 0 {
            0
        } else {
            (room as usize - 1) / step.unsigned_abs() + 1
        };
        Ok(Span {
            start: if count == 0 { 0 } else { first as usize },
            step,
            len: count,
        })
    }

    /// True where every position lies on an axis of length `len`; a span of several positions has a step.
    #[inline]
    pub(crate) fn lies_on(&self, len: usize) -> bool {
        if self.len == 0 {
            return true;
        }
        let steps = isize::try_from(self.len - 1).ok();
        let last = steps
            .and_then(|steps| steps.checked_mul(self.step))
            .and_then(|reach| self.start.checked_add_signed(reach));
        self.start < len && last.is_some_and(|last| last < len) && (self.len == 1 || self.step != 0)
    }
}
