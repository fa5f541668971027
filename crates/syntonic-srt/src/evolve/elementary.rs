//! Exponential and logarithm with a fixed sequence of operations: the same bits everywhere, which
//! the system's library does not promise.

const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// e^x for `|x| <= 700`, within 2 ulp: `2^k e^r` with `|r| <= ln 2 / 2` and 14 terms of the series.
pub(super) fn exp(x: f64) -> f64 {
    let x = x.clamp(-700.0, 700.0);
    let k = (x / std::f64::consts::LN_2).round();
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    let series = (1..=14)
        .rev()
        .fold(1.0, |sum, i| 1.0 + sum * (r / f64::from(i)));
    series * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

/// ln x for normal positive `x`, within 2 ulp: `x = 2^e m`, `s = (m-1)/(m+1)`, and the series of
/// `2 atanh(s)` with `|s| < 0.172`.
pub(crate) fn ln(x: f64) -> f64 {
    const SQRT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
    let shifted = x.to_bits().wrapping_sub(SQRT_HALF);
    let e = (shifted as i64 >> 52) as f64;
    let m = f64::from_bits((shifted & 0x000F_FFFF_FFFF_FFFF) + SQRT_HALF);
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let series = (0..12)
        .rev()
        .fold(0.0, |sum, i| sum * z + 1.0 / f64::from(2 * i + 1));
    e * LN_2_HIGH + (2.0 * s * series + e * LN_2_LOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_accurate() {
        for i in -7000..=7000 {
            let x = f64::from(i) / 10.1;
            let truth = x.exp();
            assert!((exp(x) - truth).abs() <= 4.0 * f64::EPSILON * truth, "{x}");
        }
    }

    #[test]
    fn logarithms_are_accurate() {
        for i in 1..20_000 {
            let x = f64::from(i) / 97.0;
            let truth = x.ln();
            assert!(
                (ln(x) - truth).abs() <= 4.0 * f64::EPSILON * truth.abs(),
                "{x}"
            );
        }
        assert_eq!(ln(1.0), 0.0);
    }
}
