//! Noise that parts points of the same place.

use super::prepared::Kind;
use syntonic_core::random::Generator;
use syntonic_core::{Error, Result, Tensor};

/// A little normal noise on every sample: series of few different values have points at a distance of 0, which spoils the estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jitter {
    /// Its standard deviation, in that of the series where they are standardised, else in their units; 1e-8 is usual for `float64`.
    pub level: f64,
    /// What its random numbers come from.
    pub seed: u64,
}

impl Jitter {
    pub(super) fn check(self, op: &'static str) -> Result<()> {
        if self.level.is_finite() && self.level >= 0.0 {
            return Ok(());
        }
        Err(Error::value(
            op,
            format!(
                "a jitter of {}; hint: a standard deviation of 0 or more, such as 1e-8",
                self.level
            ),
        ))
    }

    /// Noise for such series.
    pub(super) fn noise(self, series: &Kind<'_>) -> Result<Tensor> {
        let mut generator = Generator::new(self.seed);
        let noise = Tensor::randn_on(&series.shape, series.dtype, &mut generator, series.device)?;
        noise.try_mul(self.level)?.eval()
    }
}
