//! φⁿ as a `float64`, correctly rounded.
//!
//! `φⁿ = F_{n-1} + F_n φ` with the Fibonacci numbers. The sum cancels where n is negative and the numbers outgrow every
//! integer type where n is large, so the power is formed by squaring, with 128 bits.

/// The binary digits of φ, from the first one on: `φ = PHI 2^-127`.
const PHI: u128 = 0xcf1b_bcdc_bfa5_3e0a_f9ce_6030_2e76_e41a;
/// As [`PHI`], of `1/φ = INV_PHI 2^-128`.
const INV_PHI: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834;

/// Beyond these exponents the power is infinite or zero.
const LARGEST: i64 = 1474;
const SMALLEST: i64 = -1548;

/// φⁿ, correctly rounded for every n: infinite from 1475 on, 0 below -1548, and a subnormal number just above that.
///
/// ```
/// use syntonic_srt::golden::phi_power;
///
/// assert_eq!(phi_power(0), 1.0);
/// // φ^10 = 55 φ + 34.
/// assert!((phi_power(10) - (55.0 * phi_power(1) + 34.0)).abs() < 1e-13);
/// assert_eq!((phi_power(1475), phi_power(-1549)), (f64::INFINITY, 0.0));
/// ```
pub fn phi_power(n: i64) -> f64 {
    match n {
        0 => 1.0,
        1..=LARGEST => Wide::power(PHI, 0, n.unsigned_abs()).round(),
        SMALLEST..=-1 => Wide::power(INV_PHI, -1, n.unsigned_abs()).round(),
        _ if n > 0 => f64::INFINITY,
        _ => 0.0,
    }
}

/// `digits 2^(exponent - 127)`, where the highest digit is 1.
#[derive(Clone, Copy, Debug)]
struct Wide {
    digits: u128,
    exponent: i32,
}

impl Wide {
    /// The power with exponent `n > 0` of a number given by its digits. Every product loses less than a unit in the last
    /// place, which the later ones multiply: the error is below `2 n` units.
    fn power(digits: u128, exponent: i32, mut n: u64) -> Wide {
        let mut square = Wide { digits, exponent };
        while n & 1 == 0 {
            square = square.times(square);
            n >>= 1;
        }
        let mut all = square;
        while n > 1 {
            square = square.times(square);
            n >>= 1;
            if n & 1 == 1 {
                all = all.times(square);
            }
        }
        all
    }

    /// The product without what lies below the last digit.
    fn times(self, other: Wide) -> Wide {
        const LOW: u128 = u64::MAX as u128;
        let (a, b) = (self.digits >> 64, self.digits & LOW);
        let (c, d) = (other.digits >> 64, other.digits & LOW);
        let (across, other_across) = (a * d, b * c);
        let middle = ((b * d) >> 64) + (across & LOW) + (other_across & LOW);
        let high = a * c + (across >> 64) + (other_across >> 64) + (middle >> 64);
        let exponent = self.exponent + other.exponent;
        if high >> 127 == 1 {
            return Wide {
                digits: high,
                exponent: exponent + 1,
            };
        }
        Wide {
            digits: (high << 1) | ((middle >> 63) & 1),
            exponent,
        }
    }

    /// The nearest `float64`. No power of φ but 1 lies in the middle between two.
    fn round(self) -> f64 {
        // Below the smallest normal number there are fewer digits, down to none.
        let missing = (-1022 - self.exponent).max(0);
        let kept = 53 - missing;
        if kept < 0 {
            return 0.0;
        }
        let upper = self.digits.checked_shr((128 - kept) as u32).unwrap_or(0) as u64;
        let next = (self.digits >> (127 - kept)) & 1;
        let number = upper + next as u64;
        // A carry out of the digits arrives in the exponent, where it belongs.
        let exponent = if missing > 0 {
            0
        } else {
            (self.exponent + 1022) as u64
        };
        f64::from_bits((exponent << 52) + number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(n: i64) -> Wide {
        match n > 0 {
            true => Wide::power(PHI, 0, n.unsigned_abs()),
            false => Wide::power(INV_PHI, -1, n.unsigned_abs()),
        }
    }

    /// Where the power is off by as much as it can be, it still rounds to the same number: so that is the nearest one.
    #[test]
    fn every_power_is_correctly_rounded() {
        assert!(wide(LARGEST + 1).exponent > 1023);
        for n in (SMALLEST - 2..=LARGEST).filter(|&n| n != 0) {
            let w = wide(n);
            // The constant's own half unit counts n times.
            let error = 3 * u128::from(n.unsigned_abs());
            let off = |digits| Wide { digits, ..w }.round();
            let (low, high) = (off(w.digits - error), off(w.digits + error));
            assert_eq!(low.to_bits(), high.to_bits(), "{n}: {low:e} or {high:e}");
            assert_eq!(phi_power(n).to_bits(), low.to_bits(), "{n}");
            // And the rounding to `float32` by way of `float64` is the direct one: no middle of two lies between.
            let nearest = phi_power(n);
            let single = nearest as f32;
            let gap = |to: f32| (f64::from(single) + f64::from(to)) / 2.0;
            if single.is_normal() && single.next_up().is_finite() {
                assert!(
                    nearest != gap(single.next_up()) && nearest != gap(single.next_down()),
                    "{n}"
                );
            }
        }
    }

    /// `L_n = φⁿ + (-φ)^-n`, exactly, for all Lucas numbers that have at most 53 bits.
    #[test]
    fn powers_are_those_of_the_lucas_numbers() {
        let (mut lucas, mut next) = (2u64, 1u64);
        for n in 0..=76i64 {
            let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
            // One rounding of the sum and half a unit of each power.
            let sum = phi_power(n) + sign * phi_power(-n);
            assert!((sum - lucas as f64).abs() <= sum * f64::EPSILON, "{n}");
            (lucas, next) = (next, lucas + next);
        }
    }

    /// To all digits; computed with 1200 digits from `(L_n + F_n √5)/2`.
    #[test]
    fn known_powers() {
        for (n, want) in [
            (0, 1.0),
            (1, 1.618_033_988_749_895),
            (-1, 0.618_033_988_749_894_9),
            (10, 122.991_869_381_244_21),
            (-10, 0.008_130_618_755_783_348),
            (100, 7.920_708_398_483_723e20),
            (1474, 1.116_302_065_883_468_2e308),
            (-1474, 8.958_148_789_311_573e-309),
            (-1548, 5e-324),
            (-1549, 0.0),
            (1475, f64::INFINITY),
            (i64::MAX, f64::INFINITY),
            (i64::MIN, 0.0),
        ] {
            assert_eq!(phi_power(n), want, "{n}");
        }
    }
}
