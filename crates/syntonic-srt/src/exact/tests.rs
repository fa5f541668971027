//! Identities of the ring, exactly; the order beside squares; what does not fit.

use super::{ExactError, Golden, fibonacci, lucas};
use std::cmp::Ordering;

/// SplitMix64.
pub(super) struct Draw(pub(super) u64);

impl Draw {
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer of at most `width` bits with its sign, of every size alike.
    pub(super) fn integer(&mut self, width: u32) -> i64 {
        let bits = self.bits() as u32 % width;
        (self.bits() as i64) >> (63 - bits)
    }

    fn element(&mut self, width: u32) -> Golden {
        Golden::new(self.integer(width), self.integer(width))
    }
}

/// Cases of a random test: `SYNTONIC_EXACT_CASES`, or what is usual.
pub(super) fn cases(usual: u64) -> u64 {
    let given = std::env::var("SYNTONIC_EXACT_CASES").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn drawn(width: u32) -> impl Iterator<Item = [Golden; 3]> {
    (0..cases(5000)).map(move |seed| {
        let mut draw = Draw(seed);
        [(); 3].map(|()| draw.element(width))
    })
}

#[test]
fn the_ring_has_its_identities() -> Result<(), ExactError> {
    for [x, y, z] in drawn(19) {
        assert_eq!(x.plus(y)?, y.plus(x)?);
        assert_eq!(x.times(y)?, y.times(x)?);
        assert_eq!(x.times(y)?.times(z)?, x.times(y.times(z)?)?);
        assert_eq!(x.times(y.plus(z)?)?, x.times(y)?.plus(x.times(z)?)?);
        assert_eq!(x.minus(y)?.plus(y)?, x);
        assert_eq!(x.times(Golden::ONE)?, x);
        assert_eq!(x.times(y)?.norm(), x.norm() * y.norm());
        let conjugate = x.conjugate()?;
        assert_eq!(conjugate.conjugate()?, x);
        assert_eq!(x.times(y)?.conjugate()?, conjugate.times(y.conjugate()?)?);
        assert_eq!(x.times(conjugate)?, Golden::new(x.norm() as i64, 0));
        assert_eq!(x.plus(conjugate)?, Golden::new(x.trace() as i64, 0));
        assert_eq!(x.times_phi()?, x.times(Golden::PHI)?);
        assert_eq!(x.times_phi()?.over_phi()?, x);
    }
    assert_eq!(Golden::SQRT_5.power(2)?, Golden::from(5));
    Ok(())
}

/// The sign of `a + b φ` by its double, `(2a + b) + b √5`, whose parts are compared by their squares.
fn slow_sign(x: Golden) -> i32 {
    let (a, b) = (i128::from(x.a), i128::from(x.b));
    let (p, q) = (2 * a + b, b);
    match (p.signum() as i32, q.signum() as i32) {
        (s, t) if s == t || t == 0 => s,
        (0, t) => t,
        (s, t) => match (p * p).cmp(&(5 * q * q)) {
            Ordering::Greater => s,
            _ => t,
        },
    }
}

#[test]
fn the_order_is_that_of_real_numbers() -> Result<(), ExactError> {
    for [x, y, z] in drawn(61) {
        assert_eq!(x.signum(), slow_sign(x), "{x}");
        let apart = x.minus(y)?;
        assert_eq!(x.cmp(&y) as i32, slow_sign(apart), "{x} and {y}");
        assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
        let mut sorted = [x, y, z];
        sorted.sort();
        assert!(sorted[0] <= sorted[1] && sorted[1] <= sorted[2] && sorted[0] <= sorted[2]);
        assert!(x.magnitude()?.signum() >= 0);
    }
    Ok(())
}

/// `F_(n+1) - F_n φ = (-1/φ)^n`: as close to zero as the lattice comes.
#[test]
fn neighbours_of_zero_have_their_signs() -> Result<(), ExactError> {
    for n in 0..92 {
        let near = Golden::new(fibonacci(n + 1)?, -fibonacci(n)?);
        assert_eq!(near.signum(), if n % 2 == 0 { 1 } else { -1 }, "{n}");
        assert_eq!(
            near.floor(),
            if n == 0 {
                1
            } else if n % 2 == 0 {
                0
            } else {
                -1
            }
        );
        let wanted = crate::constants::PHI.powi(-(n as i32));
        let got = near.to_f64().abs();
        assert!((got - wanted).abs() <= 1e-13 * wanted, "{n}: {got}");
    }
    Ok(())
}

#[test]
fn extremes_are_compared() {
    let (least, most) = (i64::MIN, i64::MAX);
    let ordered = [
        Golden::new(least, least),
        Golden::new(least, 0),
        Golden::new(most, least),
        Golden::ZERO,
        Golden::new(least, most),
        Golden::new(most, 0),
        Golden::new(most, most),
    ];
    assert!(ordered.is_sorted_by(|x, y| x < y));
    for x in ordered {
        let value = x.to_f64();
        assert!((value - x.floor() as f64).abs() <= 1.0 + 1e-15 * value.abs());
        assert!(x.norm().unsigned_abs() <= (5 << 124));
    }
}

#[test]
fn the_floor_is_the_largest_integer_below() -> Result<(), ExactError> {
    for [x, ..] in drawn(61) {
        let floor = Golden::from(i64::try_from(x.floor()).expect("it is small"));
        // By squares: `x - ⌊x⌋` has no sign below, and `x - ⌊x⌋ - 1` is negative.
        let rest = x.minus(floor)?;
        assert!(
            slow_sign(rest) >= 0 && slow_sign(rest.minus(Golden::ONE)?) < 0,
            "{x}"
        );
        assert!(floor <= x && x < floor.plus(Golden::ONE)?, "{x}");
    }
    Ok(())
}

/// Products of what is exact: no error but of the conversions, 7 roundings each, of the product and of the norm.
#[test]
fn no_digit_is_lost_in_double_precision() -> Result<(), ExactError> {
    for [x, ..] in drawn(61) {
        let product = x.to_f64() * x.conjugate()?.to_f64();
        let norm = x.norm() as f64;
        assert!(
            (product - norm).abs() <= 16.0 * f64::EPSILON / 2.0 * norm.abs(),
            "{x}"
        );
    }
    assert_eq!(Golden::ZERO.to_f64(), 0.0);
    Ok(())
}

#[test]
fn what_does_not_fit_is_an_error() {
    let (least, most) = (
        Golden::new(i64::MIN, i64::MIN),
        Golden::new(i64::MAX, i64::MAX),
    );
    let overflow = |op| Err(ExactError::Overflow { op });
    assert_eq!(most.plus(Golden::ONE), overflow("plus"));
    assert_eq!(least.minus(Golden::PHI), overflow("minus"));
    assert_eq!(least.negated(), overflow("minus"));
    assert_eq!(least.times(least), overflow("times"));
    assert_eq!(most.times(least), overflow("times"));
    assert_eq!(most.times_phi(), overflow("times_phi"));
    assert_eq!(Golden::new(i64::MIN, 1).over_phi(), overflow("over_phi"));
    assert_eq!(most.conjugate(), overflow("conjugate"));
    assert_eq!(Golden::from(3).power(40), overflow("times"));
    for [x, y, _] in drawn(64) {
        let (a, b) = (i128::from(x.a), i128::from(x.b));
        let (c, d) = (i128::from(y.a), i128::from(y.b));
        let fits = i64::try_from(a + c).is_ok() && i64::try_from(b + d).is_ok();
        assert_eq!(x.plus(y).is_ok(), fits);
    }
}

#[test]
fn sequences_have_their_values() -> Result<(), ExactError> {
    let (mut low, mut high) = (0i128, 1i128);
    for n in 0..=92u32 {
        assert_eq!(i128::from(fibonacci(n)?), low, "{n}");
        if n <= 90 {
            assert_eq!(i128::from(lucas(n)?), 2 * high - low, "{n}");
        }
        (low, high) = (high, low + high);
    }
    assert!(fibonacci(93).is_err() && fibonacci(u32::MAX).is_err());
    assert!(lucas(91).is_err() && lucas(u32::MAX).is_err());
    let mut power = Golden::ONE;
    for n in 0..=92 {
        assert_eq!(Golden::phi_power(n)?, power);
        assert_eq!(power.norm(), if n % 2 == 0 { 1 } else { -1 });
        if n <= 91 {
            assert_eq!(power.times(Golden::phi_power(-n)?)?, Golden::ONE);
        }
        if n < 92 {
            power = power.times_phi()?;
        }
    }
    assert!(Golden::phi_power(93).is_err() && Golden::phi_power(i32::MIN).is_err());
    Ok(())
}
