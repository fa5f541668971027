//! Where threads of a block, and blocks of a cluster, wait for each other.

use crate::code::Reduction;

/// One of a block's barriers.
#[derive(Clone, Copy, Default)]
struct Barrier {
    arrived: u32,
    /// 0 stands for all threads that did not end.
    expected: u32,
    votes: u32,
    reduction: Option<Reduction>,
}

/// Barriers of a block that programs name.
pub(crate) const NAMED: usize = 16;
/// All barriers of a block: each of its warpgroups has one more, of which programs know nothing.
pub(crate) const BARRIERS: usize = NAMED + 8;

/// The barriers of a block.
#[derive(Clone, Default)]
pub(crate) struct Hall {
    barriers: [Barrier; BARRIERS],
    /// Threads that did not end.
    live: u32,
    /// Barriers that were completed and whose threads may go on, one bit each.
    met: u32,
    /// What reductions gave, for each barrier.
    pub(crate) reduced: [u32; BARRIERS],
}

impl Hall {
    /// Barriers for so many threads.
    pub(crate) fn new(threads: u32) -> Self {
        Self {
            live: threads,
            ..Self::default()
        }
    }

    /// `count` threads come to barrier `id`; whether it is complete now.
    pub(crate) fn arrive(
        &mut self,
        id: usize,
        count: u32,
        expected: Option<u32>,
        votes: u32,
        reduction: Reduction,
    ) -> bool {
        let barrier = &mut self.barriers[id];
        barrier.arrived += count;
        barrier.expected = expected.unwrap_or(0);
        barrier.votes += votes;
        if reduction != Reduction::None {
            barrier.reduction = Some(reduction);
        }
        self.settle(id)
    }

    /// `count` threads ended; whether that completed a barrier.
    pub(crate) fn leave(&mut self, count: u32) -> bool {
        self.live -= count.min(self.live);
        (0..BARRIERS).fold(false, |any, id| {
            any | (self.barriers[id].arrived > 0 && self.settle(id))
        })
    }

    fn settle(&mut self, id: usize) -> bool {
        let barrier = &mut self.barriers[id];
        let expected = if barrier.expected == 0 {
            self.live
        } else {
            barrier.expected
        };
        if barrier.arrived < expected || barrier.arrived == 0 {
            return false;
        }
        let all = if barrier.votes == barrier.arrived {
            u32::MAX
        } else {
            0
        };
        self.reduced[id] = match barrier.reduction {
            Some(Reduction::Count) => barrier.votes,
            Some(Reduction::And) => all,
            Some(Reduction::Or) => {
                if barrier.votes > 0 {
                    u32::MAX
                } else {
                    0
                }
            }
            _ => self.reduced[id],
        };
        *barrier = Barrier::default();
        self.met |= 1 << id;
        true
    }

    /// The barriers that were completed since the last call.
    pub(crate) fn take_met(&mut self) -> u32 {
        std::mem::take(&mut self.met)
    }
}

/// The barrier of a cluster.
#[derive(Clone, Default)]
pub(crate) struct ClusterHall {
    arrived: u32,
    live: u32,
    /// How often it was completed.
    pub(crate) phase: u32,
}

impl ClusterHall {
    /// A barrier for so many threads.
    pub(crate) fn new(threads: u32) -> Self {
        Self {
            live: threads,
            ..Self::default()
        }
    }

    /// `count` threads come; whether it is complete now.
    pub(crate) fn arrive(&mut self, count: u32) -> bool {
        self.arrived += count;
        self.settle()
    }

    /// `count` threads ended.
    pub(crate) fn leave(&mut self, count: u32) {
        self.live -= count.min(self.live);
        if self.arrived > 0 {
            self.settle();
        }
    }

    fn settle(&mut self) -> bool {
        let complete = self.arrived >= self.live;
        if complete {
            self.arrived = 0;
            self.phase = self.phase.wrapping_add(1);
        }
        complete
    }
}
