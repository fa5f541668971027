//! Syntony of a real vector: how much of its energy sits in low modes.

use super::EvolveError;
use super::elementary::exp;
use crate::constants::PHI;
use syntonic_core::{Error, room};

/// `S(x) = Σ xᵢ² e^(−nᵢ/φ) / Σ xᵢ²`, where `norms[i]` is the squared mode norm `nᵢ = |nᵢ|²`.
///
/// `x` and `norms` have the same length; the result is in `[0, 1]` for norms that are not negative,
/// does not change when `x` is scaled, and is 0 for a vector of zeros. NaN where `x` is not finite.
///
/// # Errors
/// [`EvolveError::Length`] if the lengths differ, [`EvolveError::Engine`] without memory for the weights.
///
/// ```
/// use syntonic_srt::evolve::{squared_index_norms, syntony};
///
/// let norms = squared_index_norms(3)?;
/// assert_eq!(syntony(&[5.0, 0.0, 0.0], &norms)?, 1.0);
/// assert!(syntony(&[0.0, 0.0, 5.0], &norms)? < 0.1);
/// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
/// ```
pub fn syntony(x: &[f64], norms: &[f64]) -> Result<f64, EvolveError> {
    if x.len() != norms.len() {
        return Err(EvolveError::Length {
            operation: "syntony: norms",
            found: norms.len(),
            expected: x.len(),
        });
    }
    Ok(weighted(x, &golden_weights(norms.iter().copied())?))
}

/// The default mode norms `i²` of `n` coordinates.
///
/// # Errors
/// [`EvolveError::Engine`] without memory for them.
///
/// ```
/// use syntonic_srt::evolve::squared_index_norms;
///
/// assert_eq!(squared_index_norms(4)?, [0.0, 1.0, 4.0, 9.0]);
/// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
/// ```
pub fn squared_index_norms(n: usize) -> Result<Vec<f64>, EvolveError> {
    Ok(room::collected(index_norms(n))?)
}

/// [`squared_index_norms`], one by one.
pub(super) fn index_norms(n: usize) -> impl Iterator<Item = f64> {
    (0..n).map(|i| i as f64 * i as f64)
}

/// `e^(−n/φ)` for each norm.
pub(super) fn golden_weights(norms: impl Iterator<Item = f64>) -> Result<Vec<f64>, Error> {
    room::collected(norms.map(|n| exp(-n / PHI)))
}

/// [`syntony`] with the weights already computed.
pub(super) fn weighted(x: &[f64], weights: &[f64]) -> f64 {
    let largest = x.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    if x.iter().any(|v| v.is_nan()) {
        return f64::NAN;
    }
    if largest == 0.0 {
        return 0.0;
    }
    // Scaled by the largest entry no square overflows, and the largest is 1.
    let (mut low, mut total) = (0.0, 0.0);
    for (v, w) in x.iter().zip(weights) {
        let scaled = v / largest;
        let energy = scaled * scaled;
        low += energy * w;
        total += energy;
    }
    low / total
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NORMS: [f64; 4] = [0.0, 1.0, 4.0, 9.0];

    #[track_caller]
    fn assert_syntony(x: &[f64], norms: &[f64], expected: f64) {
        let found = syntony(x, norms).unwrap();
        assert!(
            (found - expected).abs() <= 8.0 * f64::EPSILON,
            "{found} {expected}"
        );
    }

    #[test]
    fn known_values() {
        assert_syntony(&[1.0; 4], &NORMS, 0.406_811_844_205_027_1);
        assert_syntony(&[1.0, 2.0, 3.0, 4.0], &NORMS, 0.132_569_678_663_144_04);
        assert_syntony(&[4.0, 3.0, 2.0, 1.0], &NORMS, 0.706_416_172_856_685_2);
        assert_syntony(&[1.0, 0.0, 0.0, 0.0], &NORMS, 1.0);
        let norms = squared_index_norms(8).unwrap();
        let low = [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_syntony(&low, &norms, 0.769_501_541_362_022_3);
        let high = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0];
        assert_syntony(&high, &norms, 1.087_415_964_8e-10);
    }

    #[test]
    fn zeros_have_none_and_small_vectors_are_not_zeros() {
        assert_eq!(syntony(&[0.0; 4], &NORMS).unwrap(), 0.0);
        assert_syntony(&[1e-300; 4], &NORMS, 0.406_811_844_205_027_1);
        assert_syntony(&[1e300; 4], &NORMS, 0.406_811_844_205_027_1);
        assert!(
            syntony(&[f64::NAN, 0.0, 0.0, 0.0], &NORMS)
                .unwrap()
                .is_nan()
        );
    }

    #[test]
    fn lengths_must_agree() {
        let error = syntony(&[1.0; 3], &NORMS).unwrap_err();
        assert!(matches!(
            error,
            EvolveError::Length {
                found: 4,
                expected: 3,
                ..
            }
        ));
    }

    proptest! {
        #[test]
        fn bounded_by_its_weights(x in prop::collection::vec(-1e3..1e3f64, 1..40)) {
            let norms = squared_index_norms(x.len()).unwrap();
            let s = syntony(&x, &norms).unwrap();
            prop_assert!((0.0..=1.0 + 1e-14).contains(&s));
            prop_assert!(syntony(&x, &vec![0.0; x.len()]).unwrap() >= 1.0 || x.iter().all(|v| *v == 0.0));
        }
    }
}
