//! How much of the past is looked at.

use super::error::refused;
use syntonic_core::Result;

/// How much of a series' past is looked at: `length` samples `step` apart, the newest `delay` before the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// How many samples.
    pub length: usize,
    /// Steps between them.
    pub step: usize,
    /// Steps from the newest of them to the present, at least 1.
    pub delay: usize,
}

impl Default for Past {
    fn default() -> Past {
        Past {
            length: 1,
            step: 1,
            delay: 1,
        }
    }
}

impl Past {
    /// Steps from the oldest sample to the present.
    pub(super) fn reach(&self) -> usize {
        let back = self.length.saturating_sub(1).saturating_mul(self.step);
        back.saturating_add(self.delay)
    }

    /// Where each sample is for a point at `start`.
    pub(super) fn places(self, row: usize, start: usize) -> impl Iterator<Item = [i32; 2]> {
        (0..self.length).map(move |d| [row as i32, (start - self.delay - d * self.step) as i32])
    }

    pub(super) fn check(&self, op: &'static str, whose: &str) -> Result<()> {
        if self.length < 1 || self.step < 1 || self.delay < 1 {
            let what = format!(
                "length, step and delay of the {whose}'s past are at least 1, not {}, {} and {}",
                self.length, self.step, self.delay
            );
            return Err(refused(op, what));
        }
        Ok(())
    }
}

/// The pasts that transfer entropy looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Histories {
    /// Of the source; its delay is that of the transfer.
    pub source: Past,
    /// Of the target; its delay is 1.
    pub target: Past,
    /// Of the condition, where there is one; else it stays the default.
    pub condition: Past,
}
