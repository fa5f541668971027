//! Numbers of any size beside 128-bit integers where these suffice, beside squares of integers of any size, and by identities.

use super::{GoldenBig, GoldenBigFraction};
use crate::exact::tests::{Draw, cases};
use crate::exact::{BigInt, ExactError, Golden, GoldenFraction};
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

type Done = Result<(), ExactError>;

/// What is usual.
const CASES: u64 = 100_000;

/// An integer of at most `width` bits with its sign, of every size alike.
pub(super) fn integer(draw: &mut Draw, width: u64) -> BigInt {
    let bits = draw.bits() % (width + 1);
    let digits = (0..bits.div_ceil(64)).map(|_| draw.bits());
    let magnitude = digits.fold(BigInt::zero(), |sum, digit| (sum << 64) + digit);
    let magnitude = magnitude >> (bits.next_multiple_of(64) - bits);
    match draw.bits() % 2 {
        0 => magnitude,
        _ => -magnitude,
    }
}

/// A positive integer.
fn below(draw: &mut Draw, width: u64) -> BigInt {
    integer(draw, width).abs() + BigInt::from(1)
}

pub(super) fn number(draw: &mut Draw, width: u64) -> GoldenBig {
    // One in eight has no φ, one in eight is near an integer: φ^-n and a whole number.
    match draw.bits() % 8 {
        0 => GoldenBig::new(integer(draw, width), 0),
        1 => {
            let n = draw.bits() % width;
            let near = GoldenBig::phi_power(-(n as i64));
            let near = near.and_then(|near| near.plus(&GoldenBig::new(integer(draw, width), 0)?));
            near.map(|near| match draw.bits() % 2 {
                0 => near,
                _ => near.negated(),
            })
        }
        _ => GoldenBig::new(integer(draw, width), integer(draw, width)),
    }
    .expect("it is short")
}

/// One in `share` of the cases of a random test.
fn drawn(share: u64, width: u64) -> impl Iterator<Item = (Draw, [GoldenBig; 2])> {
    (0..cases(CASES) / share).map(move |seed| {
        let mut draw = Draw(seed ^ 0x5eed_0000_0000);
        let both = [number(&mut draw, width), number(&mut draw, width)];
        (draw, both)
    })
}

/// The sign of `a + b φ` by its double, `(2 a + b) + b √5`, whose parts are compared by their squares.
fn slow_sign(a: &BigInt, b: &BigInt) -> Ordering {
    let (zero, p): (BigInt, BigInt) = (BigInt::zero(), a * 2 + b);
    match (p.cmp(&zero), b.cmp(&zero)) {
        (s, t) if s == t || t == Ordering::Equal => s,
        (Ordering::Equal, t) => t,
        (s, t) => match (&p * &p).cmp(&(b * b * 5)) {
            Ordering::Greater => s,
            _ => t,
        },
    }
}

/// The order of a number and the quotient of integers `n / d`, with `d > 0`.
fn beside(x: &GoldenBigFraction, n: &BigInt, d: &BigInt) -> Ordering {
    let (top, below) = (x.numerator(), x.denominator());
    slow_sign(&(top.a() * d - n * below), &(top.b() * d))
}

#[test]
fn arithmetic_is_that_of_128_bits_where_they_suffice() -> Done {
    for seed in 0..cases(CASES) {
        let mut draw = Draw(seed);
        let [a, b, c, d] = [(); 4].map(|()| i128::from(draw.integer(62)));
        let (x, y) = (GoldenBig::new(a, b)?, GoldenBig::new(c, d)?);
        assert_eq!(x.plus(&y)?, GoldenBig::new(a + c, b + d)?);
        assert_eq!(x.minus(&y)?, GoldenBig::new(a - c, b - d)?);
        let product = GoldenBig::new(a * c + b * d, a * d + b * c + b * d)?;
        assert_eq!(x.times(&y)?, product, "{x} times {y}");
        assert_eq!(x.conjugate()?, GoldenBig::new(a + b, -b)?);
        assert_eq!(
            (x.norm(), x.trace()),
            ((a * a + a * b - b * b).into(), (2 * a + b).into())
        );
        assert_eq!(x.negated(), GoldenBig::new(-a, -b)?);
        assert_eq!(x.times_phi()?, GoldenBig::new(b, a + b)?);
        assert_eq!(x.over_phi()?, GoldenBig::new(b - a, a)?);
        let (small, other) = (x.narrow()?, y.narrow()?);
        assert_eq!(small.to_string(), x.to_string());
        assert_eq!(x.cmp(&y), small.cmp(&other));
        let wide = |n: i128| BigInt::from(n);
        assert_eq!(
            (x.floor(), x.ceil()),
            (wide(small.floor()), wide(small.ceil()))
        );
        assert_eq!(
            (x.trunc(), x.round()),
            (wide(small.trunc()), wide(small.round()))
        );
        assert!((x.to_f64() - small.to_f64()).abs() <= 8.0 * f64::EPSILON / 2.0 * x.to_f64().abs());
    }
    Ok(())
}

#[test]
fn the_ring_has_its_identities_beyond_128_bits() -> Done {
    for (mut draw, [x, y]) in drawn(5, 600) {
        let z = number(&mut draw, 600);
        assert_eq!(x.times(&y)?, y.times(&x)?);
        assert_eq!(x.times(&y.plus(&z)?)?, x.times(&y)?.plus(&x.times(&z)?)?);
        assert_eq!(x.times(&y)?.times(&z)?, x.times(&y.times(&z)?)?);
        let squares = x.times(&x)?.minus(&y.times(&y)?)?;
        assert_eq!(x.plus(&y)?.times(&x.minus(&y)?)?, squares);
        assert_eq!(x.times(&y)?.norm(), x.norm() * y.norm());
        assert_eq!(x.times(&x.conjugate()?)?, GoldenBig::new(x.norm(), 0)?);
        assert_eq!(x.power(5)?, x.times(&x)?.times(&x.times(&x)?)?.times(&x)?);
        assert_eq!(x.times_phi()?.over_phi()?, x);
    }
    Ok(())
}

#[test]
fn the_order_is_that_of_squares() -> Done {
    for (mut draw, [x, y]) in drawn(1, 300) {
        let slow = slow_sign(&(x.a() - y.a()), &(x.b() - y.b()));
        assert_eq!(x.cmp(&y), slow, "{x} and {y}");
        assert_eq!(y.cmp(&x), slow.reverse());
        assert_eq!(x.signum(), slow_sign(x.a(), x.b()) as i32);
        assert_eq!(
            x.magnitude(),
            if x.signum() < 0 {
                x.negated()
            } else {
                x.clone()
            }
        );
        let below = below(&mut draw, 90);
        let fraction = GoldenBigFraction::new(x.clone(), below.clone())?;
        let other = GoldenBigFraction::from(y.clone());
        let slow = slow_sign(&(x.a() - y.a() * &below), &(x.b() - y.b() * &below));
        assert_eq!(fraction.cmp(&other), slow, "{fraction} and {y}");
    }
    Ok(())
}

#[test]
fn integers_are_on_the_right_side() -> Done {
    let one = BigInt::from(1);
    for (mut draw, [x, _]) in drawn(1, 300) {
        let whole = x.b().is_zero();
        let x = GoldenBigFraction::from(x);
        let below = below(&mut draw, 90);
        let part = GoldenBigFraction::new(x.numerator(), below.clone())?;
        for x in [&x, &part] {
            let (floor, ceil) = (x.floor(), x.ceil());
            assert_ne!(beside(x, &floor, &one), Ordering::Less, "{x}");
            assert_eq!(beside(x, &(&floor + 1), &one), Ordering::Less, "{x}");
            assert_ne!(beside(x, &ceil, &one), Ordering::Greater, "{x}");
            assert_eq!(beside(x, &(&ceil - 1), &one), Ordering::Greater, "{x}");
            let negative = beside(x, &BigInt::zero(), &one) == Ordering::Less;
            assert_eq!(x.trunc(), if negative { ceil } else { floor.clone() });
            let round = x.round_ties_even();
            let side = match beside(x, &(&floor * 2 + 1), &2.into()) {
                Ordering::Less => floor,
                Ordering::Greater => floor + 1,
                Ordering::Equal => &floor + (&floor & &one),
            };
            assert_eq!(round, side, "{x}");
        }
        let golden = x.numerator();
        assert_eq!((golden.floor(), golden.ceil()), (x.floor(), x.ceil()));
        assert_eq!(
            (golden.trunc(), golden.round()),
            (x.trunc(), x.round_ties_even())
        );
        assert_eq!(golden.floor() == golden.ceil(), whole);
    }
    Ok(())
}

#[test]
fn quotients_are_rounded_down_and_rests_have_the_sign_of_the_divisor() -> Done {
    for (_, [x, y]) in drawn(1, 200) {
        if y == GoldenBig::zero() {
            continue;
        }
        let (quotient, rest) = (x.floor_over(&y)?, x.remainder(&y)?);
        let product = y.times(&GoldenBig::new(quotient.clone(), 0)?)?;
        assert_eq!(product.plus(&rest)?, x);
        let (sign, side) = (slow_sign(y.a(), y.b()), slow_sign(rest.a(), rest.b()));
        assert!(side == sign || side == Ordering::Equal, "{x} by {y}");
        let apart = slow_sign(&(y.a() - rest.a()), &(y.b() - rest.b()));
        assert_eq!(apart, sign, "{x} by {y}");
        let fraction = |x: &GoldenBig| GoldenBigFraction::from(x.clone());
        assert_eq!(fraction(&x).floor_over(&fraction(&y))?, quotient);
        assert_eq!(fraction(&x).remainder(&fraction(&y))?, fraction(&rest));
        assert_eq!(fraction(&x).over(&fraction(&y))?.floor(), quotient);
    }
    Ok(())
}

#[test]
fn fractions_have_the_identities_of_the_field() -> Done {
    let one = GoldenBigFraction::from(Golden::ONE);
    for (mut draw, [x, y]) in drawn(20, 150) {
        let mut below = || integer(&mut draw, 100) * 2 + 1;
        let (x, y) = (
            GoldenBigFraction::new(x, below())?,
            GoldenBigFraction::new(y, below())?,
        );
        assert!(x.denominator().is_positive());
        assert_eq!(x.plus(&y)?.minus(&y)?, x);
        assert_eq!(x.times(&y)?, y.times(&x)?);
        assert_eq!(x.times(&y.plus(&one)?)?, x.times(&y)?.plus(&x)?);
        if y.numerator() != GoldenBig::zero() {
            assert_eq!(x.over(&y)?.times(&y)?, x);
            assert_eq!(y.power(-3)?.times(&y.power(3)?)?, one);
            let (quotient, rest) = (x.floor_over(&y)?, x.remainder(&y)?);
            let product = y.times(&GoldenBig::new(quotient, 0)?.into())?;
            assert_eq!(product.plus(&rest)?, x);
        }
        if let Ok(small) = x.narrow() {
            assert_eq!(GoldenBigFraction::from(small), x);
            assert_eq!(small.to_string(), x.to_string());
        }
    }
    Ok(())
}

#[test]
fn divisors_are_those_of_64_bits_and_factors_come_back() -> Done {
    for seed in 0..cases(CASES) / 20 {
        let mut draw = Draw(seed);
        let mut small = || Golden::new(draw.integer(18), draw.integer(18));
        let (x, y) = (small(), small());
        let wide = GoldenBig::from(x).gcd(&y.into())?;
        assert_eq!(wide, x.gcd(y)?.into(), "{x} and {y}");
    }
    for (mut draw, [x, y]) in drawn(200, 300) {
        let common = number(&mut draw, 200);
        let of = x.gcd(&y)?;
        let scaled = x.times(&common)?.gcd(&y.times(&common)?)?;
        assert_eq!(
            scaled,
            of.times(&common)?.gcd(&GoldenBig::zero())?,
            "{x} and {y}"
        );
        let (up, down) = (GoldenBig::phi_power(300)?, GoldenBig::phi_power(-300)?);
        assert_eq!(y.times(&up)?.gcd(&x.times(&down)?)?, of);
    }
    Ok(())
}

/// A double as the quotient of integers.
fn quotient(value: f64) -> (BigInt, BigInt) {
    let bits = value.to_bits();
    let (exponent, mantissa) = (((bits >> 52) & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match exponent {
        0 => (mantissa, -1074),
        _ => (mantissa | (1 << 52), exponent - 1075),
    };
    let mantissa = BigInt::from(mantissa) * if value < 0.0 { -1 } else { 1 };
    (
        mantissa << exponent.max(0) as u64,
        BigInt::from(1) << (-exponent).max(0) as u64,
    )
}

#[test]
fn doubles_are_the_nearest() -> Done {
    let check = |x: &GoldenBigFraction| {
        let value = x.to_f64();
        for neighbour in [value.next_down(), value.next_up()] {
            let ((n, d), (m, e)) = (quotient(value), quotient(neighbour));
            // Beside the number in the middle of both.
            let side = beside(x, &(&n * &e + &m * &d), &(d * e * 2));
            let inside = match neighbour < value {
                true => side != Ordering::Less,
                false => side != Ordering::Greater,
            };
            assert!(inside, "{x} as {value:e}");
            assert!(
                side != Ordering::Equal || value.to_bits().is_multiple_of(2),
                "{x}"
            );
        }
    };
    for (mut draw, [x, _]) in drawn(5, 400) {
        let below = match draw.bits() % 3 {
            0 => BigInt::from(1) << (draw.bits() % 300),
            1 => below(&mut draw, 300),
            _ => BigInt::from(1),
        };
        check(&GoldenBigFraction::new(x, below)?);
    }
    // Numbers that have few bits as doubles, down to none.
    for n in (1_400..1_560).chain([1_000, 2_000]) {
        check(&GoldenBig::phi_power(-n)?.into());
        check(&GoldenBig::phi_power(-n)?.negated().into());
    }
    let large = GoldenBig::new(BigInt::from(1) << 1024, 0)?;
    assert_eq!(
        (large.to_f64(), large.negated().to_f64()),
        (f64::INFINITY, f64::NEG_INFINITY)
    );
    let most = GoldenBig::new(quotient(f64::MAX).0, 0)?;
    assert_eq!(
        (most.to_f64(), GoldenBig::phi_power(2000)?.to_f64()),
        (f64::MAX, f64::INFINITY)
    );
    assert_eq!(GoldenBig::zero().to_f64(), 0.0);
    Ok(())
}

#[test]
fn powers_of_phi_are_fibonacci_numbers_and_have_inverses() -> Done {
    let (mut low, mut high) = (BigInt::from(1), BigInt::zero());
    for n in 0..1000 {
        let power = GoldenBig::phi_power(n)?;
        assert_eq!((power.a(), power.b()), (&low, &high));
        let inverse = power.inverse()?;
        assert_eq!(inverse, GoldenBig::phi_power(-n)?);
        assert_eq!(power.times(&inverse)?, GoldenBig::one());
        (low, high) = (high.clone(), low + high);
    }
    for wrong in [
        GoldenBig::zero(),
        GoldenBig::from(2),
        GoldenBig::new(-1, 2)?,
    ] {
        assert_eq!(wrong.inverse(), Err(ExactError::NotUnit { op: "inverse" }));
    }
    Ok(())
}

#[test]
fn what_is_too_large_or_has_no_quotient_is_an_error() -> Done {
    let large = |op| ExactError::TooLarge {
        op,
        bits: GoldenBig::BITS,
    };
    let two = GoldenBig::from(2);
    for exponent in [GoldenBig::BITS, 1 << 32, u64::MAX] {
        assert_eq!(two.power(exponent), Err(large("power")));
    }
    let most = two.power(GoldenBig::BITS - 1)?;
    assert_eq!(most.plus(&most), Err(large("plus")));
    assert_eq!(most.times(&two), Err(large("times")));
    assert_eq!(most.negated().minus(&most), Err(large("minus")));
    assert_eq!(GoldenBig::phi_power(i64::MIN), Err(large("power")));
    assert_eq!(GoldenBig::from(-1).power(u64::MAX)?, GoldenBig::from(-1));
    assert!(GoldenBig::new(BigInt::from(1) << GoldenBig::BITS, 0).is_err());
    let tiny = GoldenBigFraction::new(GoldenBig::one(), most.a().clone())?;
    assert_eq!(tiny.times(&tiny), Err(large("times")));
    assert!(tiny.power(i64::MIN).is_err() && tiny.power(2).is_err());
    let zero = GoldenBig::zero();
    assert_eq!(
        two.floor_over(&zero),
        Err(ExactError::ZeroDivisor { op: "floor_over" })
    );
    assert!(matches!(
        two.remainder(&zero),
        Err(ExactError::ZeroDivisor { .. })
    ));
    let (one, none) = (
        GoldenBigFraction::from(Golden::ONE),
        GoldenBigFraction::from(Golden::ZERO),
    );
    assert!(one.over(&none).is_err() && one.remainder(&none).is_err() && none.power(-1).is_err());
    assert_eq!(two.gcd(&zero)?, two);
    assert!(most.narrow().is_err() && tiny.narrow().is_err());
    assert_eq!(
        GoldenFraction::new(Golden::PHI, 3)?,
        GoldenBigFraction::new(Golden::PHI.into(), 3)?.narrow()?
    );
    Ok(())
}

#[test]
fn numbers_are_written_and_read() -> Done {
    for (_, [x, _]) in drawn(200, 300) {
        let text = serde_json::to_string(&x).expect("it is written");
        assert_eq!(
            serde_json::from_str::<GoldenBig>(&text).expect("it is read"),
            x
        );
    }
    assert!(serde_json::from_str::<GoldenBig>("{\"a\": 3}").is_err());
    Ok(())
}
