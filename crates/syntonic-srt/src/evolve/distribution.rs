//! The sampling distribution, to be read.

use super::res::Res;
use super::shape::{Matrix, deviations_of};
use super::{EvolveError, Shape, Strategy};
use syntonic_core::ops::linalg::{Triangle, eigvalsh, svdvals};
use syntonic_core::{Error, Tensor, room};

impl Res {
    /// Candidates that a generation of the present attempt samples.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[3.0; 10], ResConfig::new())?.population(), 10);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn population(&self) -> usize {
        self.sizes().population
    }

    /// Candidates that a generation of the present attempt evaluates.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let config = ResConfig::new().population(64).prefilter(0.25);
    /// assert_eq!(Res::new(&[3.0; 10], config)?.survivors(), 16);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn survivors(&self) -> usize {
        self.sizes().survivors
    }

    /// The strategy that runs, with the shape that [`Shape::Auto`] has come to.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig, Shape, Strategy};
    ///
    /// let res = Res::new(&[3.0; 10], ResConfig::new())?;
    /// assert_eq!(res.strategy(), Strategy::Recombine(Shape::Full));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn strategy(&self) -> Strategy {
        match (self.config.strategy, self.state.search.shape()) {
            (Strategy::Recombine(Shape::Auto), Some(shape)) => Strategy::Recombine(shape),
            (given, _) => given,
        }
    }

    /// The deviation of each coordinate: `σ` times the length of its row of `A`.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[3.0; 2], ResConfig::new().sigma(0.5))?.deviations()?, [0.5, 0.5]);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn deviations(&self) -> Result<Vec<f64>, EvolveError> {
        let n = self.dimension();
        let search = &self.state.search;
        if let Some(deviations) = &search.elsewhere {
            return Ok(room::copied(deviations)?);
        }
        let mut out = room::zeros(n)?;
        match search.matrix() {
            Some(Matrix::Diagonal { variance, .. }) => out.copy_from_slice(variance),
            Some(Matrix::Full { columns }) => {
                return Ok(room::collected(deviations_of(columns, self.sigma(), n))?);
            }
            Some(Matrix::LowRank(low)) => low.write_variances(&mut out),
            Some(Matrix::Identity) | None => out.fill(1.0),
        }
        out.iter_mut().for_each(|v| *v = self.sigma() * v.sqrt());
        Ok(out)
    }

    /// The covariance of the candidates, `σ² A Aᵀ`, `[n, n]` row by row.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory for it.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let res = Res::new(&[3.0; 2], ResConfig::new().sigma(0.5))?;
    /// assert_eq!(res.covariance()?, [0.25, 0.0, 0.0, 0.25]);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn covariance(&self) -> Result<Vec<f64>, EvolveError> {
        let n = self.dimension();
        let square = self.sigma() * self.sigma();
        if let Some(Matrix::Full { columns }) = self.state.search.matrix() {
            let columns = Tensor::from_slice(columns, &[n, n])?;
            let mut out = columns.transpose(0, 1)?.matmul(&columns)?.to_vec::<f64>()?;
            out.iter_mut().for_each(|v| *v *= square);
            return Ok(out);
        }
        let cells = n.checked_mul(n).ok_or_else(|| room::refused(usize::MAX))?;
        let mut out = room::zeros(cells)?;
        let deviations = self.deviations()?;
        for (cell, d) in out.iter_mut().step_by(n + 1).zip(deviations) {
            *cell = d * d;
        }
        if let Some(Matrix::LowRank(low)) = self.state.search.matrix() {
            for (path, weight) in low.paths().zip(low.weights().skip(1)) {
                let along = room::collected(path.iter().zip(low.scale()).map(|(p, s)| p * s))?;
                for (i, row) in out.chunks_exact_mut(n).enumerate() {
                    let factor = square * weight * along[i];
                    let cells = row.iter_mut().zip(&along).enumerate();
                    let others = cells.filter(|(j, _)| *j != i);
                    others.for_each(|(_, (cell, p))| *cell += factor * p);
                }
            }
        }
        Ok(out)
    }

    /// The longest axis of the sampling distribution over the shortest one, the square root of the covariance's
    /// condition.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory, and where the caller stops the work.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[3.0; 2], ResConfig::new())?.axis_ratio()?, 1.0);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn axis_ratio(&self) -> Result<f64, EvolveError> {
        let n = self.dimension();
        match self.state.search.matrix() {
            Some(Matrix::Full { columns }) => {
                let values = svdvals(&Tensor::from_slice(columns, &[n, n])?)?;
                Ok(ratio(values.to_vec::<f64>()?))
            }
            Some(Matrix::LowRank(low)) if low.is_even() && low.rank() < n => Ok(low.axis_ratio()?),
            Some(Matrix::LowRank(_)) => {
                let all = Tensor::from_slice(&self.covariance()?, &[n, n])?;
                let values = eigvalsh(&all, Triangle::Lower)?.to_vec::<f64>()?;
                Ok(ratio(values).sqrt())
            }
            _ => Ok(ratio(self.deviations()?)),
        }
    }

    /// The largest deviation of a coordinate over the least one, for the history: no eigenvalues in every generation.
    pub(super) fn deviation_ratio(&self, workspace: &mut [f64]) -> f64 {
        let search = &self.state.search;
        if let Some(deviations) = &search.elsewhere {
            return ratio(deviations.iter().copied());
        }
        let of_variances = |values: &[f64]| ratio(values.iter().copied()).sqrt();
        match search.matrix() {
            Some(Matrix::Diagonal { variance, .. }) => of_variances(variance),
            Some(Matrix::Full { columns }) => {
                ratio(deviations_of(columns, self.sigma(), self.dimension()))
            }
            Some(Matrix::LowRank(low)) => {
                low.write_variances(workspace);
                of_variances(workspace)
            }
            Some(Matrix::Identity) | None => 1.0,
        }
    }

    /// What [`Res::deviation_ratio`] works in, also after a generation that has made the matrix another one.
    pub(super) fn ratio_workspace(&self) -> Result<Vec<f64>, Error> {
        let n = self.dimension();
        let shapes = [self.state.search.shape(), self.config.dependent_shape(n)];
        match shapes.contains(&Some(Shape::LowRank)) {
            true => room::zeros(n),
            false => Ok(Vec::new()),
        }
    }
}

/// The largest over the least.
fn ratio(values: impl IntoIterator<Item = f64>) -> f64 {
    let ends = values
        .into_iter()
        .fold((f64::INFINITY, 0.0_f64), |(a, b), v| (a.min(v), b.max(v)));
    ends.1 / ends.0
}
