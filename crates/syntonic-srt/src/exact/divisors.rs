//! Greatest common divisors, by Euclid's way: the golden integers are Euclidean by the magnitude of the norm.

use super::Golden;
use super::error::{ExactError, fit};
use super::parts::Parts;
use super::whole::Whole;

/// The greatest common divisor, if no step leaves what the integers hold. `asked` may end the search between two steps.
pub(super) fn gcd<T: Whole, E>(
    mut x: Parts<T>,
    mut y: Parts<T>,
    asked: impl Fn() -> Result<(), E>,
) -> Result<Option<Parts<T>>, E> {
    while !y.is_zero() {
        asked()?;
        let Some(rest) = x.rest(&y) else {
            return Ok(None);
        };
        (x, y) = (y, rest);
    }
    Ok(x.associate())
}

impl Golden {
    /// The greatest common divisor: what divides both, and is divided by all that does; of 0 and 0 it is 0.
    ///
    /// Divisors are the same up to a unit `±φ^k`. This one is positive, with `1 <= g / |g'| < φ²`, where `g'` is its conjugate, so that
    /// the divisor of two integers is their usual one, and of numbers without a common one it is 1.
    ///
    /// Errors: [`ExactError::Overflow`] where a step leaves 128 bits, or the divisor 64.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::from(12).gcd(Golden::from(-18))?, Golden::from(6));
    /// // 11 = (3 + φ)(4 - φ), which no integer but 1 and 11 divides.
    /// assert_eq!(Golden::from(11).gcd(Golden::new(3, 1).times(Golden::from(2))?)?, Golden::new(3, 1));
    /// assert_eq!(Golden::PHI.gcd(Golden::ZERO)?, Golden::ONE);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn gcd(self, other: Golden) -> Result<Golden, ExactError> {
        fit("gcd", gcd(self.wide(), other.wide(), || Ok(()))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::tests::Draw;

    /// Whether `d` divides `x`, by the conjugate: `x d' / N(d)` has whole parts.
    fn divides(d: Golden, x: Golden) -> bool {
        let conjugate = d.conjugate().unwrap();
        let top = x.wide().times(&conjugate.wide()).unwrap();
        top.a % d.norm() == 0 && top.b % d.norm() == 0
    }

    #[test]
    fn divisors_divide_both_and_factors_come_back() {
        let mut draw = Draw(5);
        for k in 0..100_000u32 {
            let width = 2 + k % 18;
            let mut next = || Golden::new(draw.integer(width), draw.integer(width));
            let (x, y, common) = (next(), next(), next());
            let coprime = x.gcd(y).unwrap();
            let zero = (x, y) == (Golden::ZERO, Golden::ZERO);
            assert!(zero || divides(coprime, x) && divides(coprime, y));
            // Of the same numbers in another order, and of associates, it is the same.
            assert_eq!(
                y.gcd(x.times_phi().unwrap().negated().unwrap()).unwrap(),
                coprime
            );
            assert_eq!(coprime.gcd(Golden::ZERO).unwrap(), coprime);
            let times = |x: Golden| x.times(common).unwrap();
            let scaled = times(x).gcd(times(y)).unwrap();
            let wanted = times(coprime).gcd(Golden::ZERO).unwrap();
            assert_eq!(scaled, wanted, "{x} and {y} times {common}");
        }
    }

    #[test]
    fn of_integers_it_is_their_own_and_of_units_one() {
        let of = |a: i64, b: i64| Golden::from(a).gcd(Golden::from(b)).unwrap();
        assert_eq!(
            (of(12, 18), of(0, 7), of(-4, 0)),
            (6.into(), 7.into(), 4.into())
        );
        assert_eq!(of(0, 0), Golden::ZERO);
        for n in -91..92 {
            let unit = Golden::phi_power(n).unwrap();
            assert_eq!(unit.gcd(Golden::from(6)).unwrap(), Golden::ONE);
        }
        assert_eq!(Golden::SQRT_5.gcd(Golden::from(5)).unwrap(), Golden::SQRT_5);
        for x in [i64::MIN, i64::MAX] {
            let _ = Golden::new(x, x).gcd(Golden::new(x, 1));
        }
    }
}
