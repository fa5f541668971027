//! Exponential and logarithm with a fixed sequence of operations: the same bits everywhere, which
//! the system's library does not promise.

const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// `e^x` for `|x| <= 700`, and what is beyond as there, within 2 ulp: `2^k e^r` with `|r| <= ln 2 / 2` and 14 terms of the series, every
/// operation rounded. NaN stays NaN.
pub(super) fn exp(x: f64) -> f64 {
    /// What has no place for less than whole numbers.
    const ROUNDER: f64 = 6_755_399_441_055_744.0;
    const TERMS: [f64; 15] = [
        1.147_074_559_772_972_5e-11,
        1.605_904_383_682_161_3e-10,
        2.087_675_698_786_81e-9,
        2.505_210_838_544_172e-8,
        2.755_731_922_398_589e-7,
        2.755_731_922_398_589_3e-6,
        2.480_158_730_158_73e-5,
        1.984_126_984_126_984e-4,
        0.001_388_888_888_888_889,
        0.008_333_333_333_333_333,
        0.041_666_666_666_666_664,
        0.166_666_666_666_666_66,
        0.5,
        1.0,
        1.0,
    ];
    let x = x.clamp(-700.0, 700.0);
    let k = (x * std::f64::consts::LOG2_E + ROUNDER) - ROUNDER;
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    let sum = TERMS[1..].iter().fold(TERMS[0], |sum, c| sum * r + c);
    sum * f64::from_bits(((k as i64 + 1023) as u64) << 52)
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
        assert!(exp(f64::NAN).is_nan());
        assert_eq!(exp(0.0), 1.0);
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
