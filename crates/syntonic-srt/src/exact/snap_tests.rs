//! The nearest point beside a search through all of them.

use super::snap_oracle::{Sorted, slow};
use super::tests::{Draw, cases};
use super::{ExactError, Golden, snap, snap_tensor};
use crate::constants::PHI;
use std::f64::consts::{E, PI, SQRT_2};
use syntonic_core::Tensor;

/// A multiple of 2^-24 of the whole range: what is beyond `bound / φ`, too.
fn number(draw: &mut Draw, bound: u32) -> f64 {
    let unit = draw.bits() as f64 / 2f64.powi(63) - 1.0;
    let reach = f64::from(bound) * PHI * PHI;
    (unit * reach * f64::from(1 << 24)).trunc() / f64::from(1 << 24)
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
        let cases = if bound > 500 { 60 } else { cases(600) };
        for _ in 0..cases {
            let x = number(&mut draw, bound);
            let got = snap(x, bound)?;
            assert_eq!(got, slow(x, bound.into()), "{x} of {bound}");
            let mirrored = snap(-x, bound)?;
            assert_eq!(mirrored, got.negated()?, "-{x} of {bound}");
        }
        let reach = f64::from(bound) * PHI * PHI;
        for halves in -10..=10 {
            let x = f64::from(halves) / 2.0;
            if x.abs() <= reach {
                assert_eq!(snap(x, bound)?, slow(x, bound.into()), "{x} of {bound}");
            }
        }
    }
    Ok(())
}

/// One by one and in sorted order, the oracles say the same: over the whole range, at ties, and at the ends.
#[test]
fn the_sorted_oracle_is_the_slow_one() {
    let mut draw = Draw(12);
    for bound in [1u32, 30, 1500, 4000] {
        let sorted = Sorted::new(bound);
        let ends = [0.0, 0.5, -1.5, 2.5, 100.0, -2617.5, 2618.0];
        let ends = ends.map(|x: f64| x * f64::from(bound) / 1000.0);
        let ends = ends.map(|x| (x * f64::from(1 << 24)).trunc() / f64::from(1 << 24));
        let drawn: Vec<f64> = (0..300).map(|_| number(&mut draw, bound)).collect();
        for x in drawn.into_iter().chain(ends).chain([0.5, -1.5, 1.0]) {
            assert_eq!(sorted.nearest(x), slow(x, bound.into()), "{x} of {bound}");
        }
    }
}

/// Numbers and vectors alike, which have another way for eight numbers at once.
#[test]
fn the_nearest_of_many_is_found() -> Result<(), Box<dyn std::error::Error>> {
    let mut draw = Draw(13);
    for bound in [100u32, 1000, 10_000, 200_000] {
        nearest_of_many(&mut draw, bound, cases(2000))?;
    }
    if cases(0) > 0 {
        nearest_of_many(&mut draw, 1_000_000, cases(0))?;
    }
    Ok(())
}

fn nearest_of_many(
    draw: &mut Draw,
    bound: u32,
    count: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let sorted = Sorted::new(bound);
    // A quarter are halves, of which many are ties.
    let x: Vec<f64> = (0..count)
        .map(|k| match (k % 4, number(draw, bound)) {
            (3, x) => (x * 2.0).trunc() / 2.0,
            (_, x) => x,
        })
        .collect();
    let points = snap_tensor(&Tensor::from_slice(&x, &[x.len()])?, bound)?.points;
    let (a, b) = (points.a().to_vec::<i64>()?, points.b().to_vec::<i64>()?);
    for (&x, (a, b)) in x.iter().zip(a.into_iter().zip(b)) {
        let wanted = sorted.nearest(x);
        assert_eq!(Golden::new(a, b), wanted, "{x} of {bound}, in a vector");
        assert_eq!(snap(x, bound)?, wanted, "{x} of {bound}");
    }
    Ok(())
}

#[test]
fn points_of_the_lattice_stay() -> Result<(), ExactError> {
    let mut draw = Draw(8);
    for bound in [3u32, 100, 5000, 1_000_000, 10_000_000] {
        for _ in 0..cases(500) {
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
