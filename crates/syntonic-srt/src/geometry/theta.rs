//! Theta series and heat sums over the winding lattice, which are fourth powers of sums over the integers.

use crate::constants::INV_PHI;
use std::f64::consts::PI;
use syntonic_core::{Error, Result};

/// Which weights the terms of a sum have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weighting {
    /// All 1.
    #[default]
    Plain,
    /// Golden ones, `e^(-|n|²/φ)`.
    Golden,
}

impl Weighting {
    fn rate(self) -> f64 {
        match self {
            Weighting::Plain => 0.0,
            Weighting::Golden => INV_PHI,
        }
    }
}

/// Where terms fall more slowly than `e^(-SLOW n²)`, the other side of Poisson's formula falls faster.
const SLOW: f64 = PI;
/// Beyond so many terms that fall fast nothing is left: `e^(-49 π)` is below 2^-220.
const TERMS: i32 = 6;

/// `Σ e^(-rate n²)` over the integers. By Poisson's formula it is `sqrt(π/rate) Σ e^(-π² n²/rate)`, whose terms fall fast where these do
/// not.
///
/// Source: Whittaker and Watson, *A Course of Modern Analysis*, chapter XXI.
fn over_integers(rate: f64) -> f64 {
    match rate < SLOW {
        true => (PI / rate).sqrt() * fast(PI * PI / rate),
        false => fast(rate),
    }
}

/// The sum where its terms fall fast, the smallest first.
fn fast(rate: f64) -> f64 {
    let term = |n: i32| 2.0 * (-rate * f64::from(n * n)).exp();
    (1..=TERMS).rev().map(term).sum::<f64>() + 1.0
}

/// `Σ n² e^(-rate n²)` where its terms fall fast.
fn fast_squares(rate: f64) -> f64 {
    let term = |n: i32| 2.0 * f64::from(n * n) * (-rate * f64::from(n * n)).exp();
    (1..=TERMS).rev().map(term).sum()
}

fn positive(op: &'static str, t: f64) -> Result<f64> {
    match t > 0.0 && t.is_finite() {
        true => Ok(t),
        false => Err(Error::value(
            op,
            format!("t is {t}; it must be positive and finite"),
        )),
    }
}

/// `Θ(t) = Σ e^(-π |n|²/t)` over all windings, plain or with golden weights. Of the plain one `Θ(t) = t² Θ(1/t)`. Errors where `t` is not
/// positive and finite.
///
/// ```
/// use syntonic_srt::geometry::{Weighting, theta};
/// assert!((theta(1.0, Weighting::Plain)? - 1.393203929685676859).abs() < 1e-15);
/// assert!((theta(1.0, Weighting::Golden)? - 1.199772175784484662).abs() < 1e-15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn theta(t: f64, weights: Weighting) -> Result<f64> {
    Ok(over_integers(weights.rate() + PI / positive("theta", t)?).powi(4))
}

/// `dΘ/dt = (π/t²) Σ |n|² e^(-π |n|²/t)`, with the weights of [`theta`]. Errors as there.
///
/// ```
/// use syntonic_srt::geometry::{Weighting, theta, theta_derivative};
///
/// let slope = theta_derivative(1.0, Weighting::Plain)?;
/// let step = theta(1.0 + 1e-6, Weighting::Plain)? - theta(1.0 - 1e-6, Weighting::Plain)?;
/// assert!((slope - step / 2e-6).abs() < 1e-8);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn theta_derivative(t: f64, weights: Weighting) -> Result<f64> {
    let rate = weights.rate() + PI / positive("theta_derivative", t)?;
    if rate >= SLOW {
        let squares = fast_squares(rate);
        // Where the sum has vanished t² may have as well.
        return match squares == 0.0 {
            true => Ok(0.0),
            false => Ok(4.0 * fast(rate).powi(3) * squares * (PI / t) / t),
        };
    }
    // By Poisson the sum is √a f(π a) with a = π/rate, which is at most t: factors of a and t that are large meet one that is small first.
    let a = PI / rate;
    let other = PI * a;
    let squares = fast_squares(other);
    let inner = match squares == 0.0 {
        true => 0.5 * fast(other),
        false => 0.5 * fast(other) - other * squares,
    };
    Ok(4.0 * fast(other).powi(3) * inner * (a / t) * (a / t) * a)
}

/// The heat kernel's trace `K(t) = Σ e^(-4 π² |n|² t)` over all windings, plain or with golden weights. Errors as [`theta`].
///
/// ```
/// use syntonic_srt::geometry::{Weighting, heat_kernel};
///
/// // After a long time the constant mode alone is left.
/// assert!((heat_kernel(10.0, Weighting::Plain)? - 1.0).abs() < 1e-15);
/// assert!(heat_kernel(-1.0, Weighting::Plain).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn heat_kernel(t: f64, weights: Weighting) -> Result<f64> {
    let rate = 4.0 * PI * PI * positive("heat_kernel", t)?;
    Ok(over_integers(rate + weights.rate()).powi(4))
}

/// `ζ(s) = Σ (4 π² |n|²)^-s` over all windings but zero, for `s > 2`: `8 (1 - 4^(1-s)) ζ(s) ζ(s-1) / (4 π²)^s` with the zeta function of
/// Riemann on the right, by Jacobi's count of sums of four squares. Errors where `s` is not above 2.
///
/// ```
/// use std::f64::consts::PI;
/// use syntonic_srt::geometry::winding_zeta;
///
/// // Eight windings have the norm 1; of the others little is left at a high power.
/// let nearest = 8.0 / (4.0 * PI * PI).powi(30);
/// assert!((winding_zeta(30.0)? / nearest - 1.0).abs() < 1e-8);
/// assert!(winding_zeta(2.0).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn winding_zeta(s: f64) -> Result<f64> {
    if !(s > 2.0 && s.is_finite()) {
        return Err(Error::value(
            "winding_zeta",
            format!("s is {s}; the sum is finite above 2"),
        ));
    }
    let counted = 8.0 * (1.0 - 4f64.powf(1.0 - s)) * riemann(s) * riemann(s - 1.0);
    Ok(counted * (4.0 * PI * PI).powf(-s))
}

/// The zeta function for `s > 1`, by Euler and Maclaurin with 15 terms and five corrections: off by less than 1e-15 of it.
fn riemann(s: f64) -> f64 {
    const N: i32 = 16;
    /// B_2k / (2k)!.
    const CORRECTIONS: [f64; 5] = [
        1.0 / 12.0,
        -1.0 / 720.0,
        1.0 / 30_240.0,
        -1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
    ];
    // From here on all terms but the first are below its last place, and factors of the corrections leave the numbers.
    if s > 64.0 {
        return 1.0;
    }
    let n = f64::from(N);
    let head: f64 = (1..N).rev().map(|k| f64::from(k).powf(-s)).sum();
    let (mut factor, mut power, mut tail) = (s, n.powf(-s - 1.0), 0.0);
    for (k, correction) in CORRECTIONS.iter().enumerate() {
        tail += correction * factor * power;
        let k = 2.0 * k as f64;
        factor *= (s + k + 1.0) * (s + k + 2.0);
        power /= n * n;
    }
    head + n.powf(1.0 - s) / (s - 1.0) + 0.5 * n.powf(-s) + tail
}
