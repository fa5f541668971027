//! Identities of the field, exactly.

use super::tests::{Draw, cases};
use super::{ExactError, Golden, GoldenFraction};

fn drawn(width: u32) -> impl Iterator<Item = Result<[GoldenFraction; 3], ExactError>> {
    (0..cases(3000)).map(move |seed| {
        let mut draw = Draw(seed);
        let mut one = || {
            let numerator = Golden::new(draw.integer(width), draw.integer(width));
            let denominator = draw.integer(width);
            GoldenFraction::new(numerator, if denominator == 0 { 1 } else { denominator })
        };
        Ok([one()?, one()?, one()?])
    })
}

#[test]
fn the_field_has_its_identities() -> Result<(), ExactError> {
    let one = GoldenFraction::from(Golden::ONE);
    for drawn in drawn(9) {
        let [x, y, z] = drawn?;
        assert_eq!(x.plus(y)?.minus(y)?, x);
        assert_eq!(x.plus(y)?, y.plus(x)?);
        assert_eq!(x.times(y)?, y.times(x)?);
        assert_eq!(x.times(y.plus(z)?)?, x.times(y)?.plus(x.times(z)?)?);
        if y != GoldenFraction::ZERO {
            assert_eq!(x.over(y)?.times(y)?, x);
            assert_eq!(y.times(one.over(y)?)?, one);
            assert_eq!(y.over(y)?, one);
        }
        let apart = x.minus(y)?.numerator().signum();
        assert_eq!(x.cmp(&y) as i32, apart);
        let (double, difference) = (x.to_f64() - y.to_f64(), x.minus(y)?.to_f64());
        let size = x.to_f64().abs() + y.to_f64().abs();
        assert!((double - difference).abs() <= 20.0 * f64::EPSILON * size);
    }
    Ok(())
}

#[test]
fn fractions_are_in_lowest_terms() -> Result<(), ExactError> {
    let half = GoldenFraction::new(Golden::new(6, -9), -12)?;
    assert_eq!(
        (half.numerator(), half.denominator()),
        (Golden::new(-2, 3), 4)
    );
    assert_eq!(GoldenFraction::new(Golden::ZERO, -7)?, GoldenFraction::ZERO);
    let least = Golden::new(i64::MIN, i64::MIN);
    assert_eq!(
        GoldenFraction::new(least, i64::MIN)?,
        GoldenFraction::from(Golden::new(1, 1))
    );
    Ok(())
}

#[test]
fn what_cannot_be_divided_is_an_error() -> Result<(), ExactError> {
    let one = GoldenFraction::from(Golden::ONE);
    let zero = ExactError::ZeroDivisor { op: "over" };
    assert_eq!(one.over(GoldenFraction::ZERO), Err(zero));
    assert!(GoldenFraction::new(Golden::ONE, 0).is_err());
    assert!(GoldenFraction::new(Golden::ONE, i64::MIN).is_err());
    let large = GoldenFraction::from(Golden::new(i64::MAX, i64::MAX));
    assert!(large.plus(one).is_err() && large.times(large).is_err());
    assert_eq!(large.over(large)?, one);
    // Extremes take part in every operation without a panic.
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX];
    for a in ends {
        for b in ends {
            for d in ends {
                let (Ok(x), Ok(y)) = (
                    GoldenFraction::new(Golden::new(a, b), d),
                    GoldenFraction::new(Golden::new(d, a), b),
                ) else {
                    continue;
                };
                _ = (x.plus(y), x.minus(y), x.times(y), x.over(y));
                assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
            }
        }
    }
    Ok(())
}

#[test]
fn powers_are_products_and_those_of_the_inverse() -> Result<(), ExactError> {
    let one = GoldenFraction::from(Golden::ONE);
    for x in [
        GoldenFraction::new(Golden::PHI, 3)?,
        GoldenFraction::new(Golden::new(2, -5), 7)?,
    ] {
        let mut product = one;
        for exponent in 0..6 {
            assert_eq!(x.power(exponent)?, product);
            assert_eq!(x.power(-exponent)?.times(product)?, one);
            product = product.times(x)?;
        }
    }
    assert_eq!(GoldenFraction::ZERO.power(0)?, one);
    let inverse = GoldenFraction::ZERO.power(-1);
    assert!(matches!(inverse, Err(ExactError::ZeroDivisor { .. })));
    Ok(())
}
