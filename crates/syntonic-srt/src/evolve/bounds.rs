//! Bounds of the coordinates, and what lies beyond them.

use super::config::check;
use super::noise::for_rows;
use super::{EvolveError, Population, floats};
use serde::{Deserialize, Serialize};
use syntonic_core::interrupt::Outcome;
use syntonic_core::{Error, Tensor};

/// The least and the largest value of each coordinate, infinite where there is none.
///
/// A candidate beyond a bound is reflected at it, as often as it takes, and the step that led to it is what is learnt
/// from. R. Biedrzycki, "Handling bound constraints in CMA-ES: an experimental study", 2020, compares this with others.
///
/// ```
/// use syntonic_srt::evolve::{Bounds, Res, ResConfig};
///
/// let bounds = Bounds { lower: vec![0.0, f64::NEG_INFINITY], upper: vec![1.0, 4.0] };
/// let mut res = Res::new(&[0.5, 3.0], ResConfig::new().sigma(2.0).bounds(bounds))?;
/// assert!(res.ask()?.iter().all(|x| (0.0..=1.0).contains(&x[0]) && x[1] <= 4.0));
/// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The least value of each coordinate.
    #[serde(with = "floats")]
    pub lower: Vec<f64>,
    /// The largest value of each coordinate.
    #[serde(with = "floats")]
    pub upper: Vec<f64>,
}

impl Bounds {
    pub(super) fn validate(&self, n: usize) -> Result<(), EvolveError> {
        for side in [&self.lower, &self.upper] {
            if side.len() != n {
                return Err(EvolveError::Length {
                    operation: "RES: bounds",
                    found: side.len(),
                    expected: n,
                });
            }
        }
        let mut sides = self.lower.iter().zip(&self.upper);
        sides.try_for_each(|(lower, upper)| {
            let wanted = "less than the upper bound of its coordinate";
            check("a lower bound", *lower, lower < upper, wanted)
        })
    }

    /// Whether a point lies between the bounds.
    pub(super) fn check(&self, what: &'static str, x: &[f64]) -> Result<(), EvolveError> {
        let mut sides = self.lower.iter().zip(&self.upper).zip(x);
        match sides.position(|((lower, upper), x)| !(lower..=upper).contains(&x)) {
            None => Ok(()),
            Some(index) => Err(EvolveError::OutOfBounds {
                what,
                index,
                value: x[index],
                lower: self.lower[index],
                upper: self.upper[index],
            }),
        }
    }

    /// Where the value of a coordinate is reflected to, and whether steps from there go the other way.
    pub(super) fn fold(&self, coordinate: usize, x: f64) -> (f64, bool) {
        let (lower, upper) = (self.lower[coordinate], self.upper[coordinate]);
        if x.is_finite() && (lower..=upper).contains(&x) {
            return (x, false);
        }
        let period = 2.0 * (upper - lower);
        let (folded, turned) = if period.is_finite() && x.is_finite() {
            let along = (x - lower).rem_euclid(period);
            match along > upper - lower {
                true => (upper - (along - (upper - lower)), true),
                false => (lower + along, false),
            }
        } else if x < lower {
            (lower + (lower - x), true)
        } else {
            (upper - (x - upper), true)
        };
        // Rounding, floats that end, and a second bound far beyond the first.
        let (least, most) = (lower.max(-f64::MAX), upper.min(f64::MAX));
        (folded.max(least).min(most), turned)
    }

    /// Reflects a point.
    pub(super) fn reflect_point(&self, x: &mut [f64]) {
        for (k, x) in x.iter_mut().enumerate() {
            *x = self.fold(k, *x).0;
        }
    }

    /// Candidates `[K, n]` on a device, reflected as [`Bounds::fold`] does it, operation by operation.
    pub(super) fn reflected(&self, x: &Tensor) -> Result<Tensor, Error> {
        let row = |side: &[f64]| Tensor::from_slice(side, &[side.len()])?.to(x.device());
        let (lower, upper) = (row(&self.lower)?, row(&self.upper)?);
        let width = upper.try_sub(&lower)?;
        let period = width.try_mul(2.0)?;
        let is_finite = x.is_finite()?;
        let along = x.try_sub(&lower)?.remainder(&period)?;
        let back = upper.try_sub(&along.try_sub(&width)?)?;
        let often = along
            .greater(&width)?
            .where_cond(&back, &lower.try_add(&along)?)?;
        let above = upper.try_sub(&x.try_sub(&upper)?)?;
        let below = lower.try_add(&lower.try_sub(x)?)?;
        let once = x.less(&lower)?.where_cond(&below, &above)?;
        let repeats = period.is_finite()?.logical_and(&is_finite)?;
        let folded = repeats.where_cond(&often, &once)?;
        let (least, most) = (lower.maximum(-f64::MAX)?, upper.minimum(f64::MAX)?);
        let folded = folded.is_nan()?.where_cond(&least, &folded)?;
        let folded = folded.maximum(&least)?.minimum(&most)?;
        let inside = x
            .greater_equal(&lower)?
            .logical_and(&x.less_equal(&upper)?)?;
        inside
            .logical_and(&is_finite)?
            .where_cond(x, &folded)?
            .eval()
    }

    /// Reflects every candidate.
    pub(super) fn reflect(&self, population: &mut Population) -> Outcome {
        let cost = population.values.len();
        for_rows(&mut population.values, population.cols, cost, |_, row| {
            self.reflect_point(row)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(lower: f64, upper: f64) -> Bounds {
        Bounds {
            lower: vec![lower],
            upper: vec![upper],
        }
    }

    #[test]
    fn tensors_are_reflected_to_the_bit() {
        let sides = [
            (-1.0, 2.0),
            (0.1, 0.3),
            (-1.0, f64::INFINITY),
            (f64::NEG_INFINITY, 2.0),
            (-f64::MAX, f64::MAX),
        ];
        let (lower, upper) = sides.into_iter().unzip();
        let bounds = Bounds { lower, upper };
        let edges = [1e300, 7.0, 0.1, 0.3, f64::INFINITY, 0.0];
        let edges = edges.into_iter().flat_map(|x| [x, -x]);
        let many = (0..300).map(|k| 9.0 * (f64::from(k) * 0.7).sin());
        for x in edges.chain(many).chain([f64::NAN]) {
            let mut point = [x; 5];
            let there = Tensor::from_slice(&point, &[1, 5]).unwrap();
            let found = bounds.reflected(&there).unwrap().to_vec::<f64>().unwrap();
            bounds.reflect_point(&mut point);
            assert_eq!(found, point, "{x}");
        }
    }

    #[test]
    fn values_are_reflected_as_often_as_it_takes() {
        let bounds = around(-1.0, 2.0);
        for (x, folded) in [
            (0.5, (0.5, false)),
            (-1.5, (-0.5, true)),
            (2.25, (1.75, true)),
            (5.5, (-0.5, false)),
            (-4.5, (1.5, false)),
        ] {
            assert_eq!(bounds.fold(0, x), folded, "{x}");
        }
        for (lower, upper) in [
            (-1.0, f64::INFINITY),
            (f64::NEG_INFINITY, 2.0),
            (-f64::MAX, f64::MAX),
        ] {
            let bounds = around(lower, upper);
            for x in [
                -1e300,
                -3.0,
                7.0,
                1e300,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
            ] {
                let (folded, _) = bounds.fold(0, x);
                assert!(
                    folded.is_finite() && (lower..=upper).contains(&folded),
                    "{x}: {folded}"
                );
            }
        }
    }
}
