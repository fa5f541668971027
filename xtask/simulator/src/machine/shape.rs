//! Where the running block is in its grid.

/// Extents of the launch and the place of the running block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape {
    /// Blocks of the grid.
    pub(crate) grid: [u32; 3],
    /// Threads of a block.
    pub(crate) block: [u32; 3],
    /// Blocks of a cluster.
    pub(crate) cluster: [u32; 3],
    /// The running block.
    pub(crate) at: [u32; 3],
    /// The running block's number in order.
    pub(crate) index: u64,
    /// Bytes of shared memory that the launch asked for.
    pub(crate) dynamic_shared: u32,
    /// Bytes of all shared memory of a block.
    pub(crate) total_shared: u32,
    /// Processors of the card.
    pub(crate) processors: u32,
}

impl Shape {
    /// Threads of a block.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// The index in its block of thread `linear`.
    pub(crate) fn thread(&self, linear: u32) -> [u32; 3] {
        let [x, y, _] = self.block.map(|extent| extent.max(1));
        [linear % x, linear / x % y, linear / x / y]
    }

    /// The extents of the grid in clusters.
    pub(crate) fn clusters(&self) -> [u32; 3] {
        std::array::from_fn(|axis| self.grid[axis] / self.cluster[axis].max(1))
    }

    /// The running block's place in its cluster.
    pub(crate) fn in_cluster(&self) -> [u32; 3] {
        std::array::from_fn(|axis| self.at[axis] % self.cluster[axis].max(1))
    }

    /// The number of the running block in its cluster.
    pub(crate) fn rank(&self) -> u32 {
        let [x, y, z] = self.in_cluster();
        x + self.cluster[0] * (y + self.cluster[1] * z)
    }
}
