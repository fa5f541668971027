//! Global-memory words that the blocks of one launch share: block counters, which select the last block or hand out tiles.
//! Every launch leaves them ready for the next one, so they are allocated once and never returned to the pool.

use crate::context::Context;
use crate::driver::fault::Checked;
use crate::streams::order::Access;
use std::sync::Mutex;
use syntonic_core::Result;
use syntonic_core::fork::{Locked, lock};

/// 32-bit block counters per launch.
pub(crate) const BLOCK_COUNTERS: usize = 1 << 14;
/// Bytes of a set of them.
pub(crate) const BYTES: usize = BLOCK_COUNTERS * size_of::<u32>();

/// Free sets of block counters. New ones are zero.
#[derive(Debug, Default)]
pub(crate) struct Sets(Mutex<Vec<u64>>);

impl Sets {
    /// One that waits, if any does.
    pub(crate) fn pop(&self) -> Option<u64> {
        self.lock().pop()
    }

    /// Takes one back.
    pub(crate) fn push(&self, address: u64) {
        self.lock().push(address);
    }

    fn lock(&self) -> Locked<'_, Vec<u64>> {
        lock(&self.0)
    }
}

/// A set for one launch on this thread's stream; returned when dropped, in stream order.
#[derive(Debug)]
pub(crate) struct Taken<'a> {
    context: &'a Context,
    address: u64,
}

impl Taken<'_> {
    /// Address of the first word.
    pub(crate) fn address(&self) -> u64 {
        self.address
    }
}

impl Context {
    /// A set of [`BLOCK_COUNTERS`] block counters, all zero before a launch and after.
    pub(crate) fn block_counters(&self) -> Result<Taken<'_>> {
        let taken = |address| Taken {
            context: self,
            address,
        };
        if let Some(taking) = self.taking() {
            return taking.counters(self).map(taken);
        }
        if let Some(guest) = self.guest() {
            return guest.counters(self).map(taken);
        }
        let waiting = self.block_counters.pop();
        let address = match waiting {
            Some(address) => address,
            None => self.zeros_to_keep(BYTES)?,
        };
        let taken = taken(address);
        if self.order.matters() {
            // Earlier users are recorded: this stream waits for them.
            let used = [(address, Access::Write)];
            self.order.before(self, self.stream(), &used)?;
        }
        Ok(taken)
    }

    /// Persistent memory, zero for work on this thread's stream.
    pub(crate) fn zeros_to_keep(&self, bytes: usize) -> Result<u64> {
        let address = self.new_words(bytes)?;
        // SAFETY: the memory is new and has room.
        unsafe { self.set_bytes(address, 0, bytes)? };
        Ok(address)
    }

    /// Persistent memory, with arbitrary contents.
    pub(crate) fn new_words(&self, bytes: usize) -> Result<u64> {
        self.bind()?;
        // The driver waits for the whole GPU.
        self.leases.ask_to_leave();
        // SAFETY: the context is current.
        let address = unsafe { cudarc::driver::result::malloc_sync(bytes) };
        address.during("words that blocks share", self.device)
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        if let Some(taking) = self.context.taking() {
            taking.give_counters(self.address);
            return;
        }
        if let Some(guest) = self.context.guest() {
            guest.give_counters(self.context, self.address);
            return;
        }
        self.context.written_in_order(self.address);
        self.context.block_counters.push(self.address);
    }
}
