//! Arrays are their numbers.

use super::GoldenBigArray;
use crate::exact::big::tests::number;
use crate::exact::tests::Draw;
use crate::exact::{ExactError, Golden, GoldenBig, GoldenTensor, GoldenTensorError};
use syntonic_core::Tensor;
use syntonic_core::ops::reduce::Over;

type Done = Result<(), GoldenTensorError>;

fn array(seed: u64, shape: &[usize]) -> GoldenBigArray {
    let mut draw = Draw(seed);
    let points = (0..shape.iter().product()).map(|_| number(&mut draw, 200));
    GoldenBigArray::new(points.collect(), shape).expect("there are as many")
}

#[test]
fn operations_are_those_of_the_numbers() -> Done {
    let (x, y) = (array(1, &[2, 3, 4]), array(2, &[3, 1]));
    type Pair = fn(&GoldenBig, &GoldenBig) -> Result<GoldenBig, ExactError>;
    type Whole = fn(&GoldenBigArray, &GoldenBigArray) -> Result<GoldenBigArray, GoldenTensorError>;
    let all: [(Whole, Pair); 8] = [
        (GoldenBigArray::plus, GoldenBig::plus),
        (GoldenBigArray::minus, GoldenBig::minus),
        (GoldenBigArray::times, GoldenBig::times),
        (GoldenBigArray::remainder, GoldenBig::remainder),
        (GoldenBigArray::gcd, GoldenBig::gcd),
        (GoldenBigArray::maximum, |x, y| Ok(x.max(y).clone())),
        (GoldenBigArray::minimum, |x, y| Ok(x.min(y).clone())),
        (GoldenBigArray::floor_over, |x, y| {
            GoldenBig::new(x.floor_over(y)?, 0)
        }),
    ];
    for (whole, pair) in all {
        let made = whole(&x, &y)?;
        assert_eq!(made.shape(), [2, 3, 4]);
        for (k, one) in made.points().iter().enumerate() {
            let wanted = pair(&x.points()[k], &y.points()[k / 4 % 3]).expect("it fits");
            assert_eq!(one, &wanted);
        }
    }
    let order = x.compare(&y)?.to_vec::<i64>()?;
    for (k, sign) in order.into_iter().enumerate() {
        assert_eq!(sign, x.points()[k].cmp(&y.points()[k / 4 % 3]) as i64);
    }
    assert_eq!(x.power(3)?.points(), x.times(&x)?.times(&x)?.points());
    assert_eq!(x.conjugate()?.times(&x)?.points(), x.norms()?.points());
    assert_eq!(x.magnitude()?.points(), x.maximum(&x.negated()?)?.points());
    for (k, one) in x.points().iter().enumerate() {
        let whole = |n| GoldenBig::new(n, 0).expect("it fits");
        assert_eq!(x.floor()?.points()[k], whole(one.floor()));
        assert_eq!(x.ceil()?.points()[k], whole(one.ceil()));
        assert_eq!(x.round()?.points()[k], whole(one.round()));
        assert_eq!(x.to_floats()?.to_vec::<f64>()?[k], one.to_f64());
    }
    Ok(())
}

/// What 64 bits hold is the same in both kinds of arrays.
#[test]
fn arrays_of_both_kinds_agree() -> Done {
    let mut draw = Draw(3);
    let points: Vec<Golden> = (0..24)
        .map(|_| Golden::new(draw.integer(6), draw.integer(6)))
        .collect();
    let x = GoldenTensor::from_points(&points, &[2, 3, 4])?;
    let wide = x.wide()?;
    assert_eq!(wide.narrow()?.to_points()?, points);
    for over in [
        Over::all(),
        Over::from(1),
        Over::from(-1).keep(),
        Over::from(0),
    ] {
        let (sum, wanted) = (wide.sum(&over)?, x.sum(&over)?);
        assert_eq!(sum.narrow()?.to_points()?, wanted.to_points()?);
        assert_eq!(sum.shape(), wanted.shape());
    }
    let over = Over::from(1);
    assert_eq!(
        wide.prod(&over)?.narrow()?.to_points()?,
        x.prod(&over)?.to_points()?
    );
    let y = x.placed(|t| t.transpose(1, 2))?;
    let (product, wanted) = (wide.matmul(&y.wide()?)?, x.matmul(&y)?);
    assert_eq!(product.shape(), wanted.shape());
    assert_eq!(product.narrow()?.to_points()?, wanted.to_points()?);
    let flipped = |t: &Tensor| t.permute(&[2, 0, 1])?.slice(0, None, None, -2);
    let (moved, wanted) = (wide.placed(flipped)?, x.placed(flipped)?);
    assert_eq!(moved.narrow()?.to_points()?, wanted.to_points()?);
    let joined = GoldenBigArray::concat(&[&wide, &wide], 1)?;
    assert_eq!(
        joined.narrow()?.to_points()?,
        GoldenTensor::concat(&[&x, &x], 1)?.to_points()?
    );
    let joined = GoldenBigArray::stack(&[&wide, &wide], -1)?;
    assert_eq!(
        joined.narrow()?.to_points()?,
        GoldenTensor::stack(&[&x, &x], -1)?.to_points()?
    );
    assert_eq!(wide.reshape(&[4, -1])?.shape(), [4, 6]);
    Ok(())
}

#[test]
fn empty_arrays_have_sums_and_products() -> Done {
    let none = GoldenBigArray::new(Vec::new(), &[2, 0])?;
    assert_eq!(
        none.sum(&Over::from(1))?.points(),
        [GoldenBig::zero(), GoldenBig::zero()]
    );
    assert_eq!(none.prod(&Over::all())?.points(), [GoldenBig::one()]);
    assert_eq!(none.sum(&Over::from(0))?.shape(), [0]);
    assert_eq!(none.times(&none)?.power(-3)?.shape(), [2, 0]);
    let column = GoldenBigArray::new(Vec::new(), &[0, 2])?;
    assert_eq!(
        none.matmul(&column)?.points(),
        array(1, &[2, 2]).minus(&array(1, &[2, 2]))?.points()
    );
    assert_eq!(column.matmul(&none)?.shape(), [0, 0]);
    Ok(())
}

#[test]
fn what_cannot_be_is_told_with_its_place() -> Done {
    let at = |made: Result<GoldenBigArray, GoldenTensorError>| match made {
        Err(GoldenTensorError::Element { error, at }) => (error, at),
        other => panic!("{other:?}"),
    };
    let two = GoldenBig::from(2);
    let x = GoldenBigArray::new(
        vec![GoldenBig::one(), two, GoldenBig::zero(), Golden::PHI.into()],
        &[2, 2],
    )?;
    assert_eq!(
        at(x.inverse()),
        (ExactError::NotUnit { op: "inverse" }, vec![0, 1])
    );
    assert_eq!(at(x.power(-2)).1, [0, 1]);
    assert_eq!(
        at(x.remainder(&x)),
        (ExactError::ZeroDivisor { op: "floor_over" }, vec![1, 0])
    );
    assert_eq!(at(x.floor_over(&x)).1, [1, 0]);
    for exponent in [1 << 30, i64::MAX] {
        let (error, place) = at(x.power(exponent));
        assert!(matches!(error, ExactError::TooLarge { op: "power", .. }));
        assert_eq!(place, [0, 1]);
    }
    let large = GoldenBig::from(2)
        .power(GoldenBig::BITS - 1)
        .expect("it fits");
    let large = GoldenBigArray::new(vec![large; 4], &[2, 2])?;
    assert_eq!(at(large.sum(&Over::from(1))).1, [0]);
    assert_eq!(at(large.prod(&Over::from(1))).1, [0]);
    assert!(matches!(large.narrow(), Err(GoldenTensorError::Element { at, .. }) if at == [0, 0]));
    let other = array(1, &[3]);
    for wrong in [
        x.plus(&other),
        x.gcd(&other),
        x.matmul(&other),
        x.matmul(&array(1, &[3, 2])),
    ] {
        assert!(matches!(wrong, Err(GoldenTensorError::Shape { .. })));
    }
    assert!(x.sum(&Over::from(2)).is_err() && x.reshape(&[3, -1]).is_err());
    assert!(
        GoldenBigArray::concat(&[&x, &other], 0).is_err() && GoldenBigArray::stack(&[], 0).is_err()
    );
    assert!(x.placed(|t| t.try_mul(100i64)?.eval()).is_err());
    Ok(())
}
