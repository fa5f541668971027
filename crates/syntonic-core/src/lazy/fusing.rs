//! How much is fused: by a device, and of results that are read together.

use super::{Pending, unread};
use crate::tensor::Tensor;
use std::sync::{Arc, Weak};

/// An expression that hangs on more of them is evaluated, so that chains built in a loop stay bounded. Devices whose arithmetic is
/// cheap beside their memory have a limit of their own, [`Device::fusion`](crate::Device::fusion).
const MAX_NODES: u32 = 48;
/// A result that several programs need is computed in each of them as often as this before it is written, where the device computes
/// results again.
pub(super) const PASSES: u32 = 3;

/// How a device fuses expressions.
///
/// ```
/// use syntonic_core::cpu;
/// use syntonic_core::lazy::Fusing;
///
/// assert_eq!(cpu().fusion(), Fusing::WRITING);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fusing {
    /// Expressions of a program at most.
    pub expressions: u32,
    /// A result that others wait for is computed again by each of them, rather than written, where it takes at most so many operations
    /// like an addition (a function or a division counts as 12) and at most two tensors of its size.
    pub recomputed: usize,
    /// An operand that is repeated along other axes is computed with each element, rather than written first, where that takes at most
    /// so many operations in all: as many as run while another launch would.
    pub repeated: usize,
}

impl Fusing {
    /// Every shared result is written once.
    pub const WRITING: Fusing = Fusing {
        expressions: MAX_NODES,
        recomputed: 0,
        repeated: 0,
    };
}

/// Says that whoever reads one of these results will read the others: those that are pending are computed by one program, where they
/// fit.
pub(crate) fn together(results: &[Tensor]) {
    // few: the results of one call.
    let pending: Vec<&Arc<Pending>> = results.iter().filter_map(unread).collect();
    if pending.len() < 2 {
        return;
    }
    let all: Arc<[Weak<Pending>]> = pending.iter().map(|p| Arc::downgrade(p)).collect();
    for p in pending {
        // One that was made by an earlier call stays in its company.
        let _ = p.together.set(all.clone());
    }
}
