//! The limits of a card and of its driver.

use crate::driver::reason::CudaVersion;

/// The properties of a card that decide how work is spread, as the driver reports them when a GPU is opened. The registers of
/// a kernel are known where it is generated, and are no limit here.
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
    /// The version of CUDA that the driver belongs to, which says what its assembler makes of PTX.
    pub(crate) driver: CudaVersion,
}

/// The first CUDA whose assembler makes column rings that end. What those of 12.3 and 12.4 make of one waits for ever on an H100;
/// those of 12.5, 12.6, 12.8 and 13.0 were tried and agree.
const COLUMN_RINGS: CudaVersion = CudaVersion::from_driver(12050);

impl Limits {
    /// True where the card has clusters and TMA bulk copies.
    pub(crate) fn has_clusters(&self) -> bool {
        self.capability >= (9, 0)
    }

    /// True where column rings can be launched.
    pub(crate) fn has_column_rings(&self) -> bool {
        self.has_clusters() && self.driver >= COLUMN_RINGS
    }
}
