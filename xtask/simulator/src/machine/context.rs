//! What instructions of a running warp see besides their operands.

use std::sync::Arc;

use super::fault::Trouble;
use super::hall::BARRIERS;
use super::op::Op;
use super::reach::{Reach, Regions};
use super::rows::{LANES, Line, Rows};
use super::scratch::Scratch;
use super::shape::Shape;

/// Memory of one block of the running cluster.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// Where offset 0 is.
    pub(crate) base: *mut u8,
    /// The offset after the last byte.
    pub(crate) end: u64,
}

/// The first thing that went wrong.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) trouble: Trouble,
    pub(crate) lane: usize,
    /// The address of the compact instruction, for want of its index.
    pub(crate) op: usize,
}

/// What instructions of a running warp see. One host thread has one, and points it at the warp that runs.
pub(crate) struct Context {
    /// The lanes that run the instruction.
    pub(crate) mask: u32,
    /// The lanes that run the next one, while a guard holds.
    pub(crate) unguarded: u32,
    /// The warp's registers and the code's constants.
    pub(crate) rows: Rows,
    /// Host addresses that the lanes access; the first alone where that tells the others.
    pub(crate) host: [u64; LANES],
    /// The allocations of the card.
    pub(crate) regions: Regions,
    /// The shared memory of every block of the cluster.
    pub(crate) windows: Vec<Window>,
    /// Which block of the cluster runs.
    pub(crate) rank: usize,
    /// The warp's local memory, lane after lane.
    pub(crate) local: Window,
    /// The kernel's parameters.
    pub(crate) params: Arc<[Line]>,
    /// What special registers tell.
    pub(crate) shape: Shape,
    /// The running warp's number in its block.
    pub(crate) warp: u32,
    /// The running warp's live lanes.
    pub(crate) live: u32,
    /// What went wrong, if anything did.
    pub(crate) failure: Option<Box<Failure>>,
    /// Whether memory changed in a way that other threads may wait for.
    pub(crate) progress: bool,
    /// Whether the warp looked at memory in a way that shows what others do meanwhile.
    pub(crate) watched: bool,
    /// Whether the warp would rather have others run.
    pub(crate) yields: bool,
    /// Instructions that warps ran so far, by which clocks go.
    pub(crate) clock: u64,
    /// Instructions that lanes ran so far.
    pub(crate) lanes_run: u64,
    /// The result that the last barrier with a reduction gave, for every barrier of the block.
    pub(crate) reduced: [u32; BARRIERS],
    /// What one compact instruction leaves for the next.
    pub(crate) scratch: Box<Scratch>,
    /// Checks beyond those of bounds.
    pub(crate) shadow: super::shadow::Shadows,
}

impl Context {
    /// Notes that `lane` did something wrong; only the first such note is kept.
    #[cold]
    pub(crate) fn fail(&mut self, op: &Op, lane: usize, trouble: Trouble) {
        if self.failure.is_none() {
            self.failure = Some(Box::new(Failure {
                trouble,
                lane,
                op: std::ptr::from_ref(op) as usize,
            }));
        }
    }

    /// A lane's host address after `reach`, of accesses of so many bytes.
    #[inline(always)]
    pub(crate) fn host_at(&self, reach: Reach, lane: usize, bytes: u32) -> u64 {
        match reach {
            Reach::Each => self.host[lane],
            Reach::Run => self.host[0] + lane as u64 * u64::from(bytes),
            Reach::Same | Reach::Nothing => self.host[0],
        }
    }

    /// The first running lane.
    pub(crate) fn first(&self) -> usize {
        self.mask.trailing_zeros() as usize % LANES
    }
}

/// The lanes of `mask` in ascending order.
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            lane
        })
    })
}
