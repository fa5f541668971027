//! What of a card decides a plan.

/// What of a card decides how work is spread over it, as the driver tells it when a GPU is opened. What a kernel's registers allow
/// is known where the kernel is made, and is part of no limit here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Compute capability, such as (9, 0).
    pub(crate) capability: (u32, u32),
    /// Number of streaming multiprocessors.
    pub(crate) multiprocessors: u32,
    /// Bytes of shared memory that one block may have.
    pub(crate) shared: u32,
    /// Bytes of the cache that all multiprocessors share.
    pub(crate) cache: u32,
}

impl Limits {
    /// True where blocks come in clusters, and bulk copies fill shared memory.
    pub(crate) fn has_clusters(&self) -> bool {
        self.capability >= (9, 0)
    }
}
