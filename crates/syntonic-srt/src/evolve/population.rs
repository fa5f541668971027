//! The candidates of a generation.

/// A row-major matrix of candidates: `rows()` of them, `cols()` coordinates each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Population {
    pub(super) values: Vec<f64>,
    pub(super) cols: usize,
}

impl Population {
    /// Number of candidates, K.
    pub fn rows(&self) -> usize {
        self.values.len() / self.cols.max(1)
    }

    /// Number of coordinates of each, n.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// All values, `[K, n]` row by row.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// One candidate.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.cols..][..self.cols]
    }

    /// The candidates in order.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.cols)
    }
}
