//! Indices in registers: they have no memory, so they are counted where other operands are loaded.

use super::values::{Share, Values, line};
use std::fmt::Write;

impl Values<'_> {
    /// Sets the registers that all elements of value `k`, or those of its vector `v`, have to the number in `at`.
    pub(crate) fn place(&mut self, k: u32, v: usize, at: &str) {
        line!(self, "mov.b64 v{k}_{v}, {at};");
        self.settled(k);
    }

    /// Sets the elements of value `k`, which is an index: that of the first vector to the number in `at`, and to as much more as the
    /// register `step` has, or 1, from each element of a vector to the next, and `apart` from each vector to the next.
    pub(crate) fn count(
        &mut self,
        k: u32,
        share: Share,
        at: &str,
        apart: usize,
        step: Option<&str>,
    ) {
        for (n, j) in share.elements().enumerate() {
            let (vector, lane) = (n / share.lanes, n % share.lanes);
            let to = self.register(k, j);
            match step {
                Some(step) if lane > 0 => {
                    let before = self.register(k, j - 1);
                    line!(self, "add.s64 {to}, {before}, {step};");
                }
                Some(_) => line!(self, "add.s64 {to}, {at}, {};", vector * apart),
                None => line!(self, "add.s64 {to}, {at}, {};", vector * apart + lane),
            }
        }
    }
}
