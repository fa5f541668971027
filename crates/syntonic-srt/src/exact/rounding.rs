//! Golden numbers as integers: rounded down, up, towards 0 and to the nearest, decided in integers.

use super::{ExactError, Golden, GoldenFraction};

impl Golden {
    /// The largest integer that is at most `a + b φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    /// assert_eq!(Golden::PHI.floor(), 1);
    /// assert_eq!(Golden::new(0, -1).floor(), -2);
    /// assert_eq!(Golden::new(7, 0).floor(), 7);
    /// ```
    pub fn floor(self) -> i128 {
        self.wide().floor()
    }

    /// The least integer that is at least `a + b φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    /// assert_eq!((Golden::PHI.ceil(), Golden::new(0, -1).ceil(), Golden::new(7, 0).ceil()), (2, -1, 7));
    /// ```
    pub fn ceil(self) -> i128 {
        GoldenFraction::from(self).ceil()
    }

    /// The integer next to `a + b φ` on the side of 0.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    /// assert_eq!((Golden::PHI.trunc(), Golden::new(0, -1).trunc()), (1, -1));
    /// ```
    pub fn trunc(self) -> i128 {
        GoldenFraction::from(self).trunc()
    }

    /// The integer nearest to `a + b φ`; two are never equally near.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    /// assert_eq!((Golden::PHI.round(), Golden::new(0, -1).round(), Golden::new(0, 2).round()), (2, -2, 3));
    /// ```
    pub fn round(self) -> i128 {
        GoldenFraction::from(self).round_ties_even()
    }
}

impl GoldenFraction {
    /// The largest integer that is at most the number.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let of = |a, b, d| GoldenFraction::new(Golden::new(a, b), d).map(GoldenFraction::floor);
    /// assert_eq!((of(0, 1, 2)?, of(0, -1, 2)?, of(-6, 0, 3)?), (0, -1, -2));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn floor(self) -> i128 {
        self.wide().floor()
    }

    /// The least integer that is at least the number.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let of = |a, b, d| GoldenFraction::new(Golden::new(a, b), d).map(GoldenFraction::ceil);
    /// assert_eq!((of(0, 1, 2)?, of(0, -1, 2)?, of(-6, 0, 3)?), (1, 0, -2));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn ceil(self) -> i128 {
        self.wide().ceil()
    }

    /// The integer next to the number on the side of 0.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let of = |a, b, d| GoldenFraction::new(Golden::new(a, b), d).map(GoldenFraction::trunc);
    /// assert_eq!((of(0, 3, 2)?, of(0, -3, 2)?), (2, -2));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn trunc(self) -> i128 {
        self.wide().trunc()
    }

    /// The nearest integer; of two that are equally near, the even one.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let of = |a, b, d| GoldenFraction::new(Golden::new(a, b), d).map(GoldenFraction::round_ties_even);
    /// assert_eq!((of(1, 0, 2)?, of(3, 0, 2)?, of(0, 3, 2)?, of(0, -3, 2)?), (0, 2, 2, -2));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn round_ties_even(self) -> i128 {
        self.wide().round_ties_even()
    }

    /// The quotient rounded down.
    ///
    /// Errors: those of [`GoldenFraction::over`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let (ten, phi) = (GoldenFraction::from(Golden::from(10)), GoldenFraction::from(Golden::PHI));
    /// assert_eq!(ten.floor_over(phi)?, 6);
    /// assert!(ten.floor_over(GoldenFraction::ZERO).is_err());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn floor_over(self, other: GoldenFraction) -> Result<i128, ExactError> {
        Ok(self.over(other)?.floor())
    }

    /// What the quotient rounded down leaves, `x - y floor(x / y)`: it has the sign of the divisor.
    ///
    /// Errors: those of [`GoldenFraction::over`], and [`ExactError::Overflow`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let (ten, phi) = (GoldenFraction::from(Golden::from(10)), GoldenFraction::from(Golden::PHI));
    /// assert_eq!(ten.remainder(phi)?, GoldenFraction::from(Golden::new(10, -6)));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn remainder(self, other: GoldenFraction) -> Result<GoldenFraction, ExactError> {
        let times = i64::try_from(self.floor_over(other)?);
        let times = times.map_err(|_| ExactError::Overflow { op: "remainder" })?;
        self.minus(other.times(GoldenFraction::from(Golden::from(times)))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::whole::sign;
    use std::cmp::Ordering;

    /// The sign of `x - n`, of the parts alone.
    fn beside(x: GoldenFraction, n: i128) -> Ordering {
        let (top, below) = (x.numerator(), i128::from(x.denominator()));
        sign(&(i128::from(top.a) - n * below), &top.b.into())
    }

    #[test]
    fn integers_are_on_the_right_side_of_drawn_numbers() {
        let mut state = 7u64;
        let mut next = |bits: u32| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state as i64) >> (64 - bits)
        };
        for k in 0..100_000u32 {
            let bits = 4 + k % 60;
            let top = Golden::new(next(bits), if k % 5 == 0 { 0 } else { next(bits) });
            let below = next(2 + k % 13).max(1) * if k % 7 == 0 { 2 } else { 1 };
            let x = GoldenFraction::new(top, below).unwrap();
            let (floor, ceil) = (x.floor(), x.ceil());
            assert!(beside(x, floor) != Ordering::Less && beside(x, floor + 1) == Ordering::Less);
            assert!(beside(x, ceil) != Ordering::Greater);
            assert!(beside(x, ceil - 1) == Ordering::Greater);
            let toward = if x < GoldenFraction::ZERO {
                ceil
            } else {
                floor
            };
            assert_eq!(x.trunc(), toward);
            // The nearest of -x is that of x with the other sign, whatever is in the middle.
            let nearest = x.round_ties_even();
            assert!(nearest == floor || nearest == ceil);
            if let Ok(opposite) = GoldenFraction::ZERO.minus(x) {
                assert_eq!(opposite.round_ties_even(), -nearest);
                assert_eq!((opposite.floor(), opposite.ceil()), (-ceil, -floor));
            }
            let doubled = GoldenFraction::from(Golden::from(2)).times(x);
            if let Ok(doubled) = doubled {
                let side = beside(doubled, 2 * floor + 1);
                let even = (floor % 2 == 0) == (nearest == floor);
                assert!(match side {
                    Ordering::Less => nearest == floor,
                    Ordering::Greater => nearest == floor + 1,
                    Ordering::Equal => even,
                });
            }
        }
    }

    #[test]
    fn the_ends_of_the_range_have_integers_beside_them() {
        for (a, b) in [
            (i64::MAX, i64::MAX),
            (i64::MIN, i64::MIN),
            (i64::MIN, i64::MAX),
        ] {
            for below in [1, 2, 3, i64::MAX] {
                let x = GoldenFraction::new(Golden::new(a, b), below).unwrap();
                assert!(beside(x, x.floor()) != Ordering::Less);
                assert!(beside(x, x.ceil()) != Ordering::Greater && x.ceil() <= x.floor() + 1);
                assert!((x.floor()..=x.ceil()).contains(&x.round_ties_even()));
            }
        }
    }

    #[test]
    fn remainders_have_the_sign_of_the_divisor_and_are_smaller() {
        for (a, b) in [(10, 0), (-10, 3), (7, -11), (0, 5), (0, 0)] {
            for (c, d, e) in [(0, 1, 1), (0, -1, 2), (3, 0, 1), (-5, 8, 3), (2, -3, 7)] {
                let x = GoldenFraction::from(Golden::new(a, b));
                let y = GoldenFraction::new(Golden::new(c, d), e).unwrap();
                let rest = x.remainder(y).unwrap();
                let quotient = i64::try_from(x.floor_over(y).unwrap()).unwrap();
                let product = y.times(Golden::from(quotient).into()).unwrap();
                assert_eq!(product.plus(rest).unwrap(), x);
                match y > GoldenFraction::ZERO {
                    true => assert!(rest >= GoldenFraction::ZERO && rest < y),
                    false => assert!(rest <= GoldenFraction::ZERO && rest > y),
                }
            }
        }
    }
}
