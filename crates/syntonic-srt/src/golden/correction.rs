//! The correction factors `1 ± q/N`.

use crate::constants::Q;
use syntonic_core::{Error, Result};

/// The sign in `1 ± q/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `1 + q/N`.
    Plus,
    /// `1 - q/N`.
    Minus,
}

/// `1 ± q/N` with q = (2φ + e/(2φ²)) / (φ⁴ (e^π − π)), for a [`super::Structure`] or any number N.
///
/// Errors where N is 0, infinite or NaN.
///
/// ```
/// use syntonic_srt::golden::{Sign, Structure, factor};
///
/// let (up, down) = (factor(Structure::E8Dimension, Sign::Plus)?, factor(248, Sign::Minus)?);
/// assert!(up > 1.0 && (up + down - 2.0).abs() < 1e-15);
/// assert!(factor(0, Sign::Plus).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn factor(n: impl Into<f64>, sign: Sign) -> Result<f64> {
    corrected("factor", n.into(), sign)
}

/// `Π (1 + q/N_i) Π (1 - q/N_j)` with the N_i of `plus` and the N_j of `minus`; 1 where there are none.
///
/// Errors as [`factor`].
///
/// ```
/// use syntonic_srt::golden::{Sign, compound, factor};
///
/// let product = factor(248, Sign::Plus)? * factor(120, Sign::Minus)?;
/// assert!((compound([248], [120])? - product).abs() < 1e-15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn compound<P, M>(plus: P, minus: M) -> Result<f64>
where
    P: IntoIterator<Item: Into<f64>>,
    M: IntoIterator<Item: Into<f64>>,
{
    let plus = plus.into_iter().map(|n| (n.into(), Sign::Plus));
    let minus = minus.into_iter().map(|n| (n.into(), Sign::Minus));
    plus.chain(minus).try_fold(1.0, |all, (n, sign)| {
        Ok(all * corrected("compound", n, sign)?)
    })
}

/// `(1 + q/N_a) / (1 + q/N_b)`.
///
/// Errors as [`factor`], and where the divisor is 0.
///
/// ```
/// use syntonic_srt::golden::{Sign, factor, ratio};
///
/// assert_eq!(ratio(248, 248)?, 1.0);
/// let quotient = factor(248, Sign::Plus)? / factor(120, Sign::Plus)?;
/// assert!((ratio(248, 120)? - quotient).abs() < 1e-15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ratio(a: impl Into<f64>, b: impl Into<f64>) -> Result<f64> {
    let above = corrected("ratio", a.into(), Sign::Plus)?;
    let below = corrected("ratio", b.into(), Sign::Plus)?;
    if below == 0.0 {
        return Err(Error::value(
            "ratio",
            "1 + q/N of the divisor is 0; hint: N is not -q",
        ));
    }
    Ok(above / below)
}

/// The deficit `q/N`, for a [`super::Structure`] or any number N.
///
/// Errors as [`factor`].
///
/// ```
/// use syntonic_srt::constants::Q;
/// use syntonic_srt::golden::{Structure, deficit};
///
/// assert_eq!((deficit(1)?, deficit(Structure::E8Dimension)?), (Q, Q / 248.0));
/// assert!(deficit(0).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn deficit(n: impl Into<f64>) -> Result<f64> {
    quotient("deficit", n.into())
}

fn quotient(op: &'static str, n: f64) -> Result<f64> {
    if !n.is_finite() || n == 0.0 {
        return Err(Error::value(
            op,
            format!("N is {n}; hint: give a structure, or a number that is finite and not 0"),
        ));
    }
    Ok(Q / n)
}

pub(super) fn corrected(op: &'static str, n: f64, sign: Sign) -> Result<f64> {
    let deficit = quotient(op, n)?;
    Ok(match sign {
        Sign::Plus => 1.0 + deficit,
        Sign::Minus => 1.0 - deficit,
    })
}
