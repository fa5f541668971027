//! The limits of a card and of its driver.

use crate::driver::reason::CudaVersion;

/// The properties of a card that decide how work is spread, as the driver reports them when a GPU is opened. The registers of
/// a kernel are known where it is made, and are no limit here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Compute capability, such as (9, 0).
    pub(crate) capability: (u32, u32),
    /// Number of streaming multiprocessors.
    pub(crate) multiprocessors: u32,
    /// Bytes of shared memory that one block may have.
    pub(crate) shared: u32,
    /// Bytes of L2.
    pub(crate) cache: u32,
    /// The version of CUDA that the driver belongs to.
    pub(crate) driver: CudaVersion,
}

impl Limits {
    /// True where the card has clusters and TMA bulk copies.
    pub(crate) fn has_clusters(&self) -> bool {
        self.capability >= (9, 0)
    }
}
