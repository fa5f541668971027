//! Accuracy: the log density of what was observed under what was predicted.

use super::sum_of_rows;
use syntonic_core::fuse::Program;
use syntonic_core::fuse::notation::{Sym, eq, select};
use syntonic_core::{Result, Tensor, fuse};

/// ln(2 pi).
const LN_TWO_PI: f64 = 1.837_877_066_409_345_5;

/// What is exactly right costs nothing, however sure one was.
fn weighed(precision: Sym, square: Sym, is_nothing: Sym) -> Sym {
    select(is_nothing, 0.0, precision * square)
}

/// `e - ln(precision)`, which is infinite where `e` is: an error that one was sure of is worse than being sure is good.
fn surprise(e: Sym, precision: Sym) -> Sym {
    use syntonic_core::fuse::notation::log;
    select(eq(e, f64::INFINITY), e, e - log(precision))
}

fuse! {
    /// -1/2 sum of (pi (o - g)^2 - ln pi + ln 2 pi).
    ACCURACY(observation: element, prediction: element, precision: element) -> (row_scalar) {
        let d = observation - prediction;
        let error = weighed(precision * d, d, eq(d, 0.0));
        -0.5 * (sum(surprise(error, precision)) + count() * LN_TWO_PI)
    }

    /// The same with pi (d^2 + v), what the square is expected to be.
    EXPECTED_ACCURACY(observation: element, prediction: element, precision: element, variance: element) -> (row_scalar) {
        let d = observation - prediction;
        let error = weighed(precision * d, d, eq(d, 0.0));
        let spread = weighed(precision, variance, eq(variance, 0.0));
        -0.5 * (sum(surprise(error + spread, precision)) + count() * LN_TWO_PI)
    }
}

pub(super) fn formulas() -> Vec<&'static Program> {
    vec![&ACCURACY, &EXPECTED_ACCURACY]
}

/// The log density of an observation under Gaussian noise around a prediction, in nats: `[..., m]` three times
/// `-> [...]`, `-1/2 sum (pi_i (o_i - g_i)^2 - ln pi_i + ln 2 pi)` over the last axis, where a precision `pi_i` is one
/// over the variance of the noise; in the type that the operands promote to. Operands broadcast.
///
/// A precision of 0 says that anything might be observed, so that the accuracy is minus infinity; of infinity, that
/// nothing else could be: plus infinity where the prediction was exactly right, minus infinity where not. A negative
/// precision is NaN. A row without elements has 0.
///
/// Half types are computed in `float32` and rounded once. Errors where an operand is no real float, shapes do not broadcast, there is no axis, or devices differ.
///
/// ```
/// use std::f64::consts::TAU;
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::accuracy;
///
/// let (seen, expected, precision) = (Tensor::from([3.0]), Tensor::from([1.0]), Tensor::from([0.25]));
/// // One standard deviation away from the prediction.
/// let density = accuracy(&seen, &expected, &precision)?.to_scalar::<f64>()?;
/// assert!((density + 0.5 * (1.0 + (4.0 * TAU).ln())).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn accuracy(observation: &Tensor, prediction: &Tensor, precision: &Tensor) -> Result<Tensor> {
    let operands = [observation, prediction, precision];
    sum_of_rows("accuracy", &ACCURACY, &operands)
}

/// The [`accuracy`] that a belief expects, where its prediction has a variance of its own: the square becomes
/// `(o_i - g_i)^2 + v_i`. `[..., m]` four times `-> [...]`. For a prediction `J mu` of a belief with variances `s` the
/// variance is `v_i = sum_j J_ij^2 s_j`.
///
/// Errors as those of [`accuracy`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::infer::{accuracy, expected_accuracy};
///
/// let (seen, expected, precision) = (Tensor::from([3.0]), Tensor::from([1.0]), Tensor::from([0.25]));
/// let sure = accuracy(&seen, &expected, &precision)?.to_scalar::<f64>()?;
/// let unsure = expected_accuracy(&seen, &expected, &precision, &Tensor::from([8.0]))?;
/// assert!((unsure.to_scalar::<f64>()? - (sure - 1.0)).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn expected_accuracy(
    observation: &Tensor,
    prediction: &Tensor,
    precision: &Tensor,
    variance: &Tensor,
) -> Result<Tensor> {
    let operands = [observation, prediction, precision, variance];
    sum_of_rows("expected_accuracy", &EXPECTED_ACCURACY, &operands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::DType;
    use syntonic_core::run::{self, Axes};

    fn t(values: &[f64]) -> Tensor {
        Tensor::from_slice(values, &[values.len()]).unwrap()
    }

    fn one(o: f64, g: f64, pi: f64) -> f64 {
        let made = accuracy(&t(&[o]), &t(&[g]), &t(&[pi])).unwrap();
        made.item().unwrap().to_f64()
    }

    /// To 17 digits from the formula in 50 decimals; the first is the density of a standard normal at its mean.
    #[test]
    fn known_values() {
        for (o, g, pi, want) in [
            (0.0, 0.0, 1.0, -0.918_938_533_204_672_74),
            (0.5, 0.0, 4.0, -0.725_791_352_644_727_43),
            (1.0, 3.0, 56.8, -112.499_170_370_341_12),
        ] {
            let got = one(o, g, pi);
            assert!(
                (got - want).abs() <= 4.0 * f64::EPSILON * want.abs(),
                "{got} is not {want}"
            );
        }
        let o = Tensor::from_slice(&[0.0, 0.5, 0.5, 0.0], &[2, 2]).unwrap();
        let rows = accuracy(&o, &t(&[0.0, 0.0]), &t(&[1.0, 4.0])).unwrap();
        let rows = rows.to_vec::<f64>().unwrap();
        assert!((rows[0] + 0.918_938_533_204_672_74 + 0.725_791_352_644_727_43).abs() < 1e-15);
        assert!((rows[1] + 1.043_938_533_204_672_7 + 0.225_791_352_644_727_43).abs() < 1e-15);
    }

    #[test]
    fn edges() {
        let infinite = f64::INFINITY;
        assert_eq!(one(1.0, 0.0, 0.0), -infinite);
        assert_eq!(one(1.0, 1.0, infinite), infinite);
        assert_eq!(one(1.0, 0.0, infinite), -infinite);
        assert_eq!(one(infinite, 0.0, 1.0), -infinite);
        assert_eq!(one(1e200, 0.0, 1e200), -infinite);
        for (o, g, pi) in [
            (0.0, 0.0, -1.0),
            (1.0, 0.0, -1.0),
            (f64::NAN, 0.0, 1.0),
            (0.0, f64::NAN, 1.0),
            (0.0, 0.0, f64::NAN),
            (f64::NAN, 0.0, infinite),
        ] {
            assert!(one(o, g, pi).is_nan(), "{o} {g} {pi}");
        }
        let empty = Tensor::zeros(&[3, 0], DType::F64).unwrap();
        let none = accuracy(&empty, &empty, &empty).unwrap();
        assert_eq!(none.to_vec::<f64>().unwrap(), [0.0; 3]);
    }

    /// The expected square of a Gaussian around the prediction: its own square, and its variance.
    #[test]
    fn an_unsure_prediction_costs_its_variance() {
        let (o, g, pi, v) = (
            t(&[0.5, 1.0]),
            t(&[0.0, 1.0]),
            t(&[4.0, 2.0]),
            t(&[0.1, 0.3]),
        );
        let read = |made: Tensor| made.item().unwrap().to_f64();
        let sure = read(accuracy(&o, &g, &pi).unwrap());
        let unsure = read(expected_accuracy(&o, &g, &pi, &v).unwrap());
        assert!((sure - unsure - 0.5 * (0.4 + 0.6)).abs() < 1e-15);
        let none = read(expected_accuracy(&o, &g, &pi, &t(&[0.0, 0.0])).unwrap());
        assert_eq!(none, sure);
        // Nothing is expected of what is already wrong for certain, or right.
        let certain = expected_accuracy(&g, &g, &t(&[f64::INFINITY; 2]), &t(&[0.0, 0.0])).unwrap();
        assert_eq!(read(certain), f64::INFINITY);
    }

    /// d/do = -pi (o - g), d/dg its negative, d/dpi = (1/pi - (o - g)^2)/2.
    #[test]
    fn gradients() {
        let (o, g, pi) = ([0.5, -1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 0.3, 5.0]);
        let grad = ACCURACY.grad(&[0, 1, 2]).unwrap();
        let unit = Tensor::scalar(1.0, DType::F64).unwrap();
        let inputs = [t(&o), t(&g), t(&pi), unit];
        let inputs: Vec<&Tensor> = inputs.iter().collect();
        let made = run::rows(&grad, &inputs, &[], &[-1], Axes::Drop).unwrap();
        for k in 0..3 {
            let d = o[k] - g[k];
            let want = [-pi[k] * d, pi[k] * d, 0.5 * (1.0 / pi[k] - d * d)];
            for (g, w) in made.iter().zip(want) {
                let g = g.to_vec::<f64>().unwrap()[k];
                assert!((g - w).abs() <= 1e-14 * w.abs().max(1.0), "{g} is not {w}");
            }
        }
    }
}
