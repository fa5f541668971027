//! What a kernel of a launch takes of a GPU's processors.

use super::is_active;
use std::cell::RefCell;
use std::fmt;

/// A kernel that a launch ran: its size, and what it takes of a multiprocessor.
#[derive(Clone, Debug, PartialEq)]
pub struct Footprint {
    /// The kernel's entry.
    pub kernel: String,
    /// Blocks of the grid.
    pub blocks: usize,
    /// Threads of a block.
    pub threads: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block, declared and asked for.
    pub shared: u32,
    /// Bytes of local memory of a thread: what had no room in registers.
    pub local: u32,
    /// Warps that a multiprocessor holds at once, as a part of the most that it can hold; a bound on the kernel, not a measurement. A
    /// grid that is too small for the card does not reach it.
    pub occupancy: f64,
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Footprint {
            kernel,
            blocks,
            threads,
            registers,
            shared,
            local,
            occupancy,
        } = self;
        write!(
            f,
            "{kernel}: {blocks} blocks of {threads} threads, {registers} registers, {shared} bytes of shared memory, "
        )?;
        if *local > 0 {
            write!(f, "{local} bytes of local memory, ")?;
        }
        write!(f, "occupancy {occupancy:.2}")
    }
}

thread_local! {
    /// Kernels of the launch that this thread watches; none where it watches none.
    static KERNELS: RefCell<Option<Vec<Footprint>>> = const { RefCell::new(None) };
}

/// Takes note of a kernel that a device has just launched on this thread, while something is recorded. A footprint of none is one that
/// the device could not find out.
#[inline]
pub fn note_kernel(footprint: impl FnOnce() -> Option<Footprint>) {
    if is_active() {
        keep(footprint);
    }
}

#[cold]
fn keep(footprint: impl FnOnce() -> Option<Footprint>) {
    if KERNELS.with_borrow(Option::is_none) {
        return;
    }
    if let Some(footprint) = footprint() {
        // few: kernels of one launch.
        KERNELS.with_borrow_mut(|kernels| kernels.get_or_insert_default().push(footprint));
    }
}

/// Runs `work`, and says what kernels it launched.
pub(super) fn noted<T>(work: impl FnOnce() -> T) -> (T, Vec<Footprint>) {
    let outer = KERNELS.replace(Some(Vec::new()));
    let result = work();
    (result, KERNELS.replace(outer).unwrap_or_default())
}
