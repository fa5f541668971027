//! The candidates of a generation.

use super::noise::PARALLEL;
use syntonic_core::{Result, interrupt};

/// A row-major matrix of candidates: `rows()` of them, `cols()` coordinates each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Population {
    pub(super) values: Vec<f64>,
    pub(super) cols: usize,
}

impl Population {
    /// Keeps these rows, given in ascending order, and no others.
    pub(super) fn keep(&mut self, rows: &[usize]) -> Result<()> {
        let n = self.cols;
        let unasked = (PARALLEL / n).max(1);
        for (to, row) in rows.iter().enumerate() {
            if to % unasked == 0 {
                interrupt::poll()?;
            }
            self.values.copy_within(row * n..(row + 1) * n, to * n);
        }
        self.values.truncate(rows.len() * n);
        Ok(())
    }

    /// Number of candidates, K.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(8))?;
    /// assert_eq!(res.ask()?.rows(), 8);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn rows(&self) -> usize {
        self.values.len() / self.cols.max(1)
    }

    /// Number of coordinates of each, n.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[3.0; 4], ResConfig::new())?.ask()?.cols(), 4);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// All values, `[K, n]` row by row.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(8))?;
    /// assert_eq!(res.ask()?.as_slice().len(), 32);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// One candidate; no numbers where there is no such one.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new())?;
    /// let candidates = res.ask()?;
    /// assert_eq!(candidates.row(1), &candidates.as_slice()[4..8]);
    /// assert!(candidates.row(usize::MAX).is_empty());
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn row(&self, index: usize) -> &[f64] {
        let from = index.checked_mul(self.cols);
        let row = from.and_then(|from| self.values.get(from..from.checked_add(self.cols)?));
        row.unwrap_or_default()
    }

    /// The candidates in order.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(8))?;
    /// let lengths: Vec<f64> = res.ask()?.iter().map(|x| x.iter().map(|v| v * v).sum()).collect();
    /// assert_eq!(lengths.len(), 8);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn iter(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.cols.max(1))
    }
}
