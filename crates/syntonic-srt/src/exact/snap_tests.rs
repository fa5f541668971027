//! The nearest point beside a search through all of them.

use super::tests::Draw;
use super::{ExactError, Golden, snap};
use crate::constants::PHI;
use std::f64::consts::{E, PI, SQRT_2};

/// The distance in steps of 2^-80 of `x`, a multiple of 2^-24, from `a + b φ`: wrong by less than `|b| + 1` steps.
fn distance(x: f64, a: i64, b: i64) -> u128 {
    // φ 2^80.
    const STEPS: i128 = 1_956_083_066_013_794_310_681_500;
    let x = ((x * f64::from(1 << 24)) as i128) << 56;
    ((i128::from(a) << 80) + i128::from(b) * STEPS - x).unsigned_abs()
}

/// Every factor of φ with the integers around what is left.
fn slow(x: f64, bound: i64) -> Golden {
    let mut best = (u128::MAX, Golden::ZERO);
    for b in -bound..=bound {
        let near = (x - b as f64 * PHI).round() as i64;
        for a in near - 1..=near + 1 {
            let a = a.clamp(-bound, bound);
            let far = distance(x, a, b);
            let (least, size) = (best.0, |z: Golden| (z.b.abs(), z.a.abs()));
            let point = Golden::new(a, b);
            // Closer than the error of the oracle is a tie: points of this bound differ by more otherwise.
            let tie = far.abs_diff(least) < 1 << 20;
            if (!tie && far < least) || (tie && size(point) < size(best.1)) {
                best = (far, point);
            }
        }
    }
    best.1
}

#[test]
fn known_points_are_found() -> Result<(), ExactError> {
    let known = [
        (0.5, (-27, 17)),
        (-0.5, (27, -17)),
        (1.5, (-26, 17)),
        (2.5, (-25, 17)),
        (12.5, (-15, 17)),
        (PI, (-81, 52)),
        (E, (82, -49)),
        (1.0 / 3.0, (78, -48)),
        (-0.1, (-81, 50)),
        (SQRT_2, (-18, 12)),
        (100.3, (-34, 83)),
        (10.0, (10, 0)),
        (PHI, (0, 1)),
        (PHI * PHI, (1, 1)),
        (5.0, (5, 0)),
        (0.0, (0, 0)),
        (f64::MIN_POSITIVE, (0, 0)),
        (-1e-300, (0, 0)),
    ];
    for (x, (a, b)) in known {
        assert_eq!(snap(x, 100)?, Golden::new(a, b), "{x}");
    }
    assert_eq!(snap(PI, 1000)?, Golden::new(-835, 518));
    Ok(())
}

#[test]
fn the_nearest_of_all_is_found() -> Result<(), ExactError> {
    let mut draw = Draw(7);
    for bound in [0u32, 1, 2, 5, 12, 13, 20, 21, 33, 100, 259, 1000] {
        let reach = f64::from(bound) * PHI * PHI;
        for _ in 0..if bound > 500 { 60 } else { 600 } {
            let unit = draw.bits() as f64 / 2f64.powi(63) - 1.0;
            let x = (unit * reach * f64::from(1 << 24)).trunc() / f64::from(1 << 24);
            let got = snap(x, bound)?;
            assert_eq!(got, slow(x, bound.into()), "{x} of {bound}");
            let mirrored = snap(-x, bound)?;
            assert_eq!(mirrored, got.negated()?, "-{x} of {bound}");
        }
        for halves in -10..=10 {
            let x = f64::from(halves) / 2.0;
            if x.abs() <= reach {
                assert_eq!(snap(x, bound)?, slow(x, bound.into()), "{x} of {bound}");
            }
        }
    }
    Ok(())
}

#[test]
fn points_of_the_lattice_stay() -> Result<(), ExactError> {
    let mut draw = Draw(8);
    for bound in [3u32, 100, 5000, 1_000_000, 10_000_000] {
        for _ in 0..500 {
            let mut one = || draw.integer(40) % (i64::from(bound) + 1);
            let point = Golden::new(one(), one());
            assert_eq!(snap(point.to_f64(), bound)?, point, "{bound}");
        }
    }
    Ok(())
}

/// Half the largest gap of `2 ⌊N/φ⌋ + 1` multiples of φ, over integers.
#[test]
fn no_number_is_farther_than_the_bound_says() -> Result<(), ExactError> {
    let mut draw = Draw(9);
    for (bound, most) in [
        (100u32, 6.578e-3),
        (1000, 5.932e-4),
        (u32::MAX / 2, 3.6e-10),
    ] {
        for _ in 0..2000 {
            let unit = draw.bits() as f64 / 2f64.powi(63) - 1.0;
            let x = unit * f64::from(bound.min(1000)) / PHI;
            let far = (snap(x, bound)?.to_f64() - x).abs();
            assert!(far <= most + 1e-12, "{x}: {far}");
        }
    }
    Ok(())
}

#[test]
fn numbers_without_a_place_are_errors() {
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(snap(x, 100), Err(ExactError::NotFinite { .. })));
    }
    // No bound is too large, and no number of its range has no place.
    for x in [
        0.1,
        -1e-12,
        1e9 + 0.3,
        f64::from(u32::MAX),
        2.6 * f64::from(u32::MAX),
    ] {
        assert!(snap(x, u32::MAX).is_ok(), "{x}");
    }
    for (x, bound) in [(261.9, 100), (-300.0, 100), (0.1, 0), (f64::MAX, u32::MAX)] {
        let wanted = ExactError::OutOfRange { value: x, bound };
        assert_eq!(snap(x, bound), Err(wanted));
    }
}
