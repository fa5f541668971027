//! Generations of points of the user's, with the values that they have.
//!
//! A point is learnt from as if the search had drawn it alone, by the step that leads to it, of at most the length of a long step of its own (N. Hansen,
//! "Injecting external solutions into CMA-ES", arXiv:1110.4181, 2011).

use super::noise::Noise;
use super::res::Res;
use super::search::{Generation, Search};
use super::{EvolveError, NoiseHandling, ResConfig, Sampling};
use syntonic_core::Error;

impl Search {
    /// A generation of these points.
    fn given(
        &self,
        config: &ResConfig,
        generation: u64,
        points: &[f64],
    ) -> Result<Generation, Error> {
        let n = self.centre.len();
        let sizes = [points.len() / n, n];
        // What a matrix without an inverse learns from: noise that no generation draws.
        let first = generation.wrapping_mul(points.len() as u64);
        let mut next = self.drawn(Generation::default(), sizes[0], |z| {
            Noise::from(z, !config.seed, first, sizes, Sampling::Independent)
        })?;
        next.population.values.copy_from_slice(points);
        next.is_given = true;
        self.retrace(&mut next)?;
        Ok(next)
    }
}

impl Res {
    /// Learns from a generation of points `[K, n]` of your own, in any number of rows that [`Res::survivors`] says, and their values: candidates
    /// that were repaired, or what another search has evaluated. The search need not have been asked; candidates that wait are forgotten, and the
    /// next generation is another one. A point counts as one that was drawn alone, without its mirror image, by a step of at most the length of a
    /// long one.
    ///
    /// # Errors
    /// [`EvolveError::Length`] unless there are K points and K values, [`EvolveError::OutOfRange`] for coordinates that are not finite or not on the
    /// lattice and where [injected](Res::inject) points wait, [`EvolveError::OutOfBounds`], [`EvolveError::Ignored`] where noise is handled, which
    /// needs other evaluations of the same candidates, and [`EvolveError::Engine`] without memory; the search is then unchanged.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 2], ResConfig::new().population(6))?;
    /// for _ in 0..200 {
    ///     // Candidates of ours, to three digits.
    ///     let points: Vec<f64> = res.ask()?.as_slice().iter().map(|x| (x * 1e3).round() / 1e3).collect();
    ///     let values: Vec<f64> = points.chunks(2).map(|x| x[0] * x[0] + x[1] * x[1]).collect();
    ///     res.tell_points(&points, &values)?;
    /// }
    /// assert!(res.best_value().unwrap() <= 1e-5);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn tell_points(&mut self, points: &[f64], values: &[f64]) -> Result<(), EvolveError> {
        let (n, count) = (self.dimension(), self.survivors());
        let lengths = [(points.len(), count * n), (values.len(), count)];
        for (found, expected) in lengths {
            if found != expected {
                return Err(EvolveError::Length {
                    operation: "RES: tell of points",
                    found,
                    expected,
                });
            }
        }
        if self.config.noise == NoiseHandling::Auto {
            return Err(EvolveError::Ignored {
                option: "tell of points",
                strategy: "that handles noise",
                hint: "tell means of several evaluations, and leave the handling of noise off",
            });
        }
        if !self.state.injected.is_empty() {
            return Err(EvolveError::OutOfRange {
                field: "the number of injected points that wait",
                value: self.state.injected.len() as f64,
                wanted: "0: ask for the candidates that they are among, and tell their values",
            });
        }
        points.chunks(n).try_for_each(|x| self.check_point(x))?;
        let generation = self
            .state
            .search
            .given(&self.config, self.generation(), points)?;
        self.digest(&generation, values)?;
        self.forget();
        Ok(())
    }
}
