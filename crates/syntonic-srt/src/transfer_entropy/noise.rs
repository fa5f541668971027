//! Noise that parts points of the same place.

use super::prepared::Kind;
use syntonic_core::random::Generator;
use syntonic_core::{Error, Result, Tensor};

/// A little normal noise on every sample. The estimator counts what is strictly nearer, so series of few different values, rounded ones among
/// them, spoil the estimate: points are at a distance of 0, and roundings decide which of many equal distances is less. Noise far below
/// what the samples tell parts them. Other implementations add 1e-8 of a standard deviation too (Lizier, "JIDT", Front. Robot. AI 1:11, 2014).
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::transfer_entropy::{Estimator, mutual_information};
///
/// // Independent series, rounded to quarters of a deviation.
/// let rounded = |seed| Tensor::randn(&[500], DType::F64, &mut Generator::new(seed))?.try_mul(4.0)?.round()?.eval();
/// let (x, y) = (rounded(1)?, rounded(2)?);
/// let usual = mutual_information(&x, &y, None, &Estimator::default())?.values[0];
/// let without = mutual_information(&x, &y, None, &Estimator { jitter: None, ..Estimator::default() })?.values[0];
/// assert!(usual.abs() < 0.1 && without > 1.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jitter {
    /// Its standard deviation, in that of the series, up to 1e30. It is added in `float64`, in which series with noise are compared
    /// whatever their type, and rounded with the sample.
    pub level: f64,
    /// What its random numbers come from.
    pub seed: u64,
}

/// So much leaves the range of no type beside standardised samples.
const MOST: f64 = 1e30;

impl Default for Jitter {
    /// 1e-8 of a standard deviation, always the same noise.
    fn default() -> Jitter {
        Jitter {
            level: 1e-8,
            seed: 0,
        }
    }
}

impl Jitter {
    pub(super) fn check(self, op: &'static str) -> Result<()> {
        if (0.0..=MOST).contains(&self.level) {
            return Ok(());
        }
        Err(Error::value(
            op,
            format!(
                "a jitter of {}; hint: a standard deviation from 0 to 1e30, such as 1e-8",
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
