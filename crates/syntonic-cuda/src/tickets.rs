//! Counters by which the blocks of one launch find out which of them comes last.

use crate::context::Context;
use crate::fault::Checked;
use crate::order::Access;
use std::sync::{Mutex, MutexGuard, PoisonError};
use syntonic_core::Result;

/// Counters of 32 bits that a launch may have.
pub(crate) const TICKETS: usize = 1 << 14;

/// Sets of counters that nobody uses. Every launch leaves its set as it found it: all zero. They are no memory of the
/// pool, since they are never given back.
#[derive(Debug, Default)]
pub(crate) struct Tickets(Mutex<Vec<u64>>);

impl Tickets {
    fn lock(&self) -> MutexGuard<'_, Vec<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A set for one launch on this thread's stream; goes back when dropped, in the order of the stream.
#[derive(Debug)]
pub(crate) struct Taken<'a> {
    context: &'a Context,
    address: u64,
}

impl Taken<'_> {
    /// Address of the first counter.
    pub(crate) fn address(&self) -> u64 {
        self.address
    }
}

impl Context {
    /// A set of [`TICKETS`] counters, all zero.
    pub(crate) fn tickets(&self) -> Result<Taken<'_>> {
        let waiting = self.tickets.lock().pop();
        let address = match waiting {
            Some(address) => address,
            None => self.more_tickets()?,
        };
        let taken = Taken {
            context: self,
            address,
        };
        if self.order.matters() {
            // Those who used them before are known: this stream comes after them.
            let used = [(address, Access::Write)];
            self.order.before(self, self.stream(), &used)?;
        }
        Ok(taken)
    }

    fn more_tickets(&self) -> Result<u64> {
        self.bind()?;
        let bytes = TICKETS * size_of::<u32>();
        // SAFETY: the context is current.
        let address = unsafe { cudarc::driver::result::malloc_sync(bytes) };
        let address = address.during("tickets", self.device)?;
        // SAFETY: the memory is new and has room.
        unsafe { self.set_bytes(address, 0, bytes)? };
        Ok(address)
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let context = self.context;
        if context.order.matters() {
            let used = [(self.address, Access::Write)];
            if let Err(error) = context.order.after(context, context.stream(), &used) {
                tracing::error!(%error, "the order of streams");
            }
        }
        context.tickets.lock().push(self.address);
    }
}
