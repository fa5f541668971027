//! Memory that an operation needs beside its result.

use super::Context;

/// Memory of one operation; goes back to the pool when dropped, in the order of the stream.
#[derive(Debug)]
pub(crate) struct Scratch<'a> {
    pub(super) context: &'a Context,
    pub(super) address: u64,
}

impl Scratch<'_> {
    /// Address of its first byte.
    pub(crate) fn address(&self) -> u64 {
        self.address
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        if let Some(taking) = self.context.taking() {
            taking.give_scratch(self.address);
            return;
        }
        self.context.written_in_order(self.address);
        self.context.release(self.address);
    }
}
