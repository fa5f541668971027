//! Checks beyond bounds: loads of what nothing wrote, and races on shared memory.

use super::context::Context;
use super::op::Op;
use super::reach::{Reach, Touch};
use super::rows::LANES;

/// Which checks to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Loads of memory that nothing was written to.
    pub init: bool,
    /// Accesses of shared memory by threads of a block with no barrier between them.
    pub race: bool,
}

/// What is known about the bytes of shared memory.
#[derive(Default)]
pub(crate) struct Shadows {
    checks: Checks,
}

impl Shadows {
    pub(crate) fn new(checks: Checks) -> Self {
        Self { checks }
    }

    #[inline(always)]
    pub(crate) fn checks_global(&self) -> bool {
        false
    }

    #[inline(always)]
    pub(crate) fn checks_shared(&self) -> bool {
        false
    }
}

impl Context {
    pub(crate) fn inspect_global(&mut self, _op: &Op, _region: u32, _touch: Touch, reach: Reach) -> Reach {
        reach
    }

    pub(crate) fn inspect_shared(
        &mut self,
        _op: &Op,
        _rank: usize,
        _address: &[u64; LANES],
        _touch: Touch,
        reach: Reach,
    ) -> Reach {
        reach
    }

    pub(crate) fn inspect_place(&mut self, _op: &Op, _lane: usize, _region: u32, _address: u64, _touch: Touch) {}

    pub(crate) fn inspect_window(&mut self, _op: &Op, _lane: usize, _rank: usize, _offset: u64, _touch: Touch) {}
}
