//! The digamma function at whole numbers.

use crate::evolve::elementary::ln;

/// Up to here by its recurrence, beyond by its asymptotic series, whose first term left out is below 1e-24 there.
const EXACT: u32 = 64;

/// Euler's constant.
const GAMMA: f64 = 0.577_215_664_901_532_9;

/// `psi(n)` for `n >= 1`; NaN for 0.
pub(super) fn digamma(n: usize) -> f64 {
    if n == 0 {
        return f64::NAN;
    }
    if n <= EXACT as usize {
        // The smallest terms first.
        return (1..n).rev().map(|j| 1.0 / j as f64).sum::<f64>() - GAMMA;
    }
    let x = n as f64;
    let inverse = 1.0 / (x * x);
    let series = inverse
        * (1.0 / 12.0
            - inverse
                * (1.0 / 120.0
                    - inverse * (1.0 / 252.0 - inverse * (1.0 / 240.0 - inverse / 132.0))));
    ln(x) - 0.5 / x - series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (n, want) in [
            (1, -0.577_215_664_901_532_9),
            (2, 0.422_784_335_098_467_1),
            (4, 1.256_117_668_431_800_5),
            (10, 2.251_752_589_066_721),
            (64, 4.151_050_238_804_236_5),
            (65, 4.166_675_238_804_236_5),
            (1000, 6.907_255_195_648_812),
        ] {
            let got = digamma(n);
            assert!(
                (got - want).abs() < 4.0 * f64::EPSILON * want.abs().max(1.0),
                "{n}: {got}"
            );
        }
        assert!(digamma(0).is_nan());
        // psi(n + 1) = psi(n) + 1/n.
        for n in 1..5000 {
            let rise = digamma(n + 1) - digamma(n) - 1.0 / n as f64;
            assert!(rise.abs() < 8e-15, "{n}: {rise}");
        }
    }
}
