//! Tensors of points beside the points one by one.

use super::{GoldenTensor, GoldenTensorError, snap_tensor};
use crate::exact::tests::Draw;
use crate::exact::{ExactError, Golden, GoldenFraction, snap};
use syntonic_core::ops::reduce::Over;
use syntonic_core::run::Axes;
use syntonic_core::{DType, Error, Tensor};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn drawn(seed: u64, count: usize, width: u32) -> Vec<Golden> {
    let mut draw = Draw(seed);
    (0..count)
        .map(|_| Golden::new(draw.integer(width), draw.integer(width)))
        .collect()
}

/// Lengths of no elements, of one, of a piece and one more.
const LENGTHS: [usize; 5] = [0, 1, 31, 256, 40_001];

#[test]
fn operations_are_those_of_the_points() -> Tested {
    type Whole = fn(&GoldenTensor, &GoldenTensor) -> Result<GoldenTensor, GoldenTensorError>;
    type One = fn(Golden, Golden) -> Result<Golden, ExactError>;
    let all: [(Whole, One); 8] = [
        (GoldenTensor::plus, Golden::plus),
        (GoldenTensor::minus, Golden::minus),
        (GoldenTensor::times, Golden::times),
        (|x, _| x.negated(), |x, _| x.negated()),
        (|x, _| x.conjugate(), |x, _| x.conjugate()),
        (|x, _| x.times_phi(), |x, _| x.times_phi()),
        (|x, _| x.over_phi(), |x, _| x.over_phi()),
        (|x, _| x.magnitude(), |x, _| x.magnitude()),
    ];
    for length in LENGTHS {
        let (x, y) = (drawn(1, length, 30), drawn(2, length, 30));
        let shape = [length];
        let tensors = (
            GoldenTensor::from_points(&x, &shape)?,
            GoldenTensor::from_points(&y, &shape)?,
        );
        for (whole, one) in all {
            let got = whole(&tensors.0, &tensors.1)?.to_points()?;
            let want: Result<Vec<Golden>, _> = x.iter().zip(&y).map(|(&x, &y)| one(x, y)).collect();
            assert_eq!(got, want?);
        }
        let signs = tensors.0.compare(&tensors.1)?.to_vec::<i64>()?;
        let want: Vec<i64> = x.iter().zip(&y).map(|(x, y)| x.cmp(y) as i64).collect();
        assert_eq!(signs, want);
        let largest = tensors.0.maximum(&tensors.1)?.to_points()?;
        let smallest = tensors.0.minimum(&tensors.1)?.to_points()?;
        for (k, (&x, &y)) in x.iter().zip(&y).enumerate() {
            assert_eq!((largest[k], smallest[k]), (x.max(y), x.min(y)));
        }
        let norms = tensors.0.norms()?.to_vec::<i64>()?;
        let want: Vec<i64> = x.iter().map(|x| x.norm() as i64).collect();
        assert_eq!(norms, want);
        let floors = tensors.0.floor()?.to_vec::<i64>()?;
        let want: Vec<i64> = x.iter().map(|x| x.floor() as i64).collect();
        assert_eq!(floors, want);
        let values = tensors.0.to_floats()?.to_vec::<f64>()?;
        let want: Vec<f64> = x.iter().map(|x| x.to_f64()).collect();
        assert_eq!(values, want);
    }
    Ok(())
}

#[test]
fn what_broadcasts_and_what_is_a_view() -> Tested {
    let x = GoldenTensor::from_points(&drawn(3, 12, 20), &[3, 4])?;
    let row = GoldenTensor::from_points(&drawn(4, 4, 20), &[4])?;
    let sum = x.plus(&row)?;
    let turned = GoldenTensor::new(&x.a().transpose(0, 1)?, &x.b().transpose(0, 1)?)?;
    let other = turned.reshape(&[4, 3])?.plus(&row.reshape(&[4, 1])?)?;
    for (k, point) in sum.to_points()?.into_iter().enumerate() {
        assert_eq!(point, x.to_points()?[k].plus(row.to_points()?[k % 4])?);
        assert_eq!(point, other.to_points()?[k % 4 * 3 + k / 4]);
    }
    Ok(())
}

#[test]
fn products_of_matrices_are_sums_of_products() -> Tested {
    for [s, m, k, n] in [
        [1, 1, 1, 1],
        [2, 3, 5, 4],
        [1, 17, 33, 9],
        [3, 2, 0, 2],
        [1, 0, 3, 2],
    ] {
        let (x, y) = (drawn(5, s * m * k, 20), drawn(6, k * n, 20));
        let left = GoldenTensor::from_points(&x, &[s, m, k])?;
        let product = left.matmul(&GoldenTensor::from_points(&y, &[k, n])?)?;
        assert_eq!(product.shape(), [s, m, n]);
        for (i, got) in product.to_points()?.into_iter().enumerate() {
            let (row, column) = (i / n, i % n);
            let mut want = Golden::ZERO;
            for t in 0..k {
                want = want.plus(x[row * k + t].times(y[t * n + column])?)?;
            }
            assert_eq!(got, want);
        }
    }
    Ok(())
}

#[test]
fn what_is_too_large_is_told_with_its_place() -> Tested {
    let mut points = vec![Golden::ONE; 6];
    points[4] = Golden::new(i64::MAX, 1);
    points[5] = Golden::new(i64::MIN, 0);
    let x = GoldenTensor::from_points(&points, &[2, 3])?;
    for result in [x.plus(&x), x.times(&x), x.matmul(&x.reshape(&[3, 2])?)] {
        match result {
            Err(GoldenTensorError::Element { error, at }) => {
                assert!(matches!(error, ExactError::Overflow { .. }));
                assert_eq!(at.len(), 2);
                assert!(at == [1, 1] || at == [0, 0], "{at:?}");
            }
            other => panic!("{other:?}"),
        }
    }
    let text = x.negated().map(|_| ()).unwrap_err().to_string();
    assert!(
        text.starts_with("negated: ") && text.ends_with("(at [1, 2])"),
        "{text}"
    );
    assert_eq!(x.to_points()?, points);
    Ok(())
}

#[test]
fn shapes_and_types_are_checked() -> Tested {
    let x = GoldenTensor::from_points(&[Golden::ONE; 6], &[2, 3])?;
    let y = GoldenTensor::from_points(&[Golden::ONE; 4], &[2, 2])?;
    for result in [x.plus(&y), x.matmul(&x), x.matmul(&x.reshape(&[6])?)] {
        assert!(matches!(
            result,
            Err(GoldenTensorError::Tensor(Error::Shape { .. }))
        ));
    }
    let floats = Tensor::zeros(&[2], DType::F64)?;
    assert!(matches!(
        GoldenTensor::new(&floats, &floats),
        Err(GoldenTensorError::Tensor(Error::DType { .. }))
    ));
    let whole = Tensor::zeros(&[2], DType::I64)?;
    assert!(matches!(
        snap_tensor(&whole, 100),
        Err(GoldenTensorError::Tensor(Error::DType { .. }))
    ));
    Ok(())
}

#[test]
fn snapped_tensors_are_snapped_numbers() -> Tested {
    let mut draw = Draw(11);
    for bound in [1u32, 5, 100, 1000, 1_000_000, u32::MAX] {
        for length in LENGTHS {
            let reach = f64::from(bound) * 2.618;
            let x: Vec<f64> = (0..length)
                .map(|_| (draw.bits() as f64 / 2f64.powi(63) - 1.0) * reach)
                .collect();
            let t = Tensor::from_slice(&x, &[length])?;
            let snapped = snap_tensor(&t, bound)?;
            let residual = snapped.residual.to_vec::<f64>()?;
            for (k, point) in snapped.points.to_points()?.into_iter().enumerate() {
                assert_eq!(point, snap(x[k], bound)?, "{} of {bound}", x[k]);
                assert_eq!(residual[k], x[k] - point.to_f64());
            }
            let narrow: Vec<f32> = x.iter().map(|&x| (x * 0.99) as f32).collect();
            let points = snap_tensor(&Tensor::from_slice(&narrow, &[length])?, bound)?.points;
            for (k, point) in points.to_points()?.into_iter().enumerate() {
                assert_eq!(point, snap(narrow[k].into(), bound)?);
            }
        }
    }
    Ok(())
}

#[test]
fn numbers_without_a_point_are_told_with_their_place() -> Tested {
    let mut x = vec![0.5; 100];
    x[77] = f64::NAN;
    x[99] = 1e9;
    let t = Tensor::from_slice(&x, &[10, 10])?;
    let Err(GoldenTensorError::Element { error, at }) = snap_tensor(&t, 100) else {
        panic!("NaN has a place");
    };
    assert!(matches!(error, ExactError::NotFinite { .. }));
    assert_eq!(at, [7, 7]);
    x[77] = 300.0;
    let error = snap_tensor(&Tensor::from_slice(&x, &[100])?, 100).unwrap_err();
    let out_of_range = ExactError::OutOfRange {
        value: 300.0,
        bound: 100,
    };
    assert!(matches!(error, GoldenTensorError::Element { error, .. } if error == out_of_range));
    Ok(())
}

/// What moved: 2 - 1.5 and so on, unweighted and by golden weights.
#[test]
fn gradients_are_what_snapping_moved() -> Tested {
    let x = Tensor::from_slice(&[1.5, 2.5, 3.5], &[3])?;
    let snapped = snap_tensor(&x, 4)?;
    let moved = snapped.gradient(None)?.to_vec::<f64>()?;
    let weights = Tensor::from_slice(&[1.0, 0.5, 0.0], &[3])?;
    let weighted = snapped.gradient(Some(&weights))?.to_vec::<f64>()?;
    let values = snapped.points.to_floats()?.to_vec::<f64>()?;
    for (k, x) in [1.5, 2.5, 3.5].into_iter().enumerate() {
        assert_eq!(moved[k], values[k] - x);
        assert_eq!(weighted[k], moved[k] * [1.0, 0.5, 0.0][k]);
    }
    let norm: f64 = moved.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((snapped.distance()? - norm).abs() < 1e-15);
    Ok(())
}

#[test]
fn sums_products_powers_and_divisions_are_those_of_the_points() -> Tested {
    let (x, y) = (drawn(5, 100_000, 6), drawn(6, 100_000, 6));
    let shape = [100, 250, 4];
    let (tx, ty) = (
        GoldenTensor::from_points(&x, &shape)?,
        GoldenTensor::from_points(&y, &shape)?,
    );
    for keep in [Axes::Drop, Axes::Keep] {
        let over = |axes: &[isize]| Over {
            axes: Some(axes.to_vec()),
            keep,
        };
        let sums = tx.sum(&over(&[1, -1]))?;
        assert_eq!(sums.shape().len(), if keep == Axes::Keep { 3 } else { 1 });
        let fold = |row: &[Golden]| row.iter().try_fold(Golden::ZERO, |sum, &x| sum.plus(x));
        let want: Result<Vec<Golden>, _> = x.chunks(1000).map(fold).collect();
        assert_eq!(sums.to_points()?, want?);
        let products = tx.prod(&over(&[2]))?.to_points()?;
        let fold = |row: &[Golden]| row.iter().try_fold(Golden::ONE, |made, &x| made.times(x));
        let want: Result<Vec<Golden>, _> = x.chunks(4).map(fold).collect();
        assert_eq!(products, want?);
        // Along the first axis, which the rows are not.
        let first = tx
            .placed(|t| t.index(..3))?
            .prod(&over(&[0]))?
            .to_points()?;
        for (k, found) in first.into_iter().enumerate() {
            let both = x[k].times(x[1000 + k])?;
            assert_eq!(found, both.times(x[2000 + k])?);
        }
    }
    for exponent in 0..6 {
        let want: Result<Vec<Golden>, _> = x.iter().map(|x| x.power(exponent)).collect();
        assert_eq!(tx.power(exponent as i32)?.to_points()?, want?);
    }
    let gcd: Result<Vec<Golden>, _> = x.iter().zip(&y).map(|(&x, &y)| x.gcd(y)).collect();
    assert_eq!(tx.gcd(&ty)?.to_points()?, gcd?);
    let ty = ty
        .times(&ty)?
        .plus(&GoldenTensor::from_points(&[Golden::SQRT_5], &[])?)?;
    let (quotients, rests) = (tx.floor_over(&ty)?, tx.remainder(&ty)?.to_points()?);
    let quotients = quotients.to_vec::<i64>()?;
    for (k, (&x, y)) in x.iter().zip(ty.to_points()?).enumerate() {
        let (x, y) = (GoldenFraction::from(x), GoldenFraction::from(y));
        assert_eq!(i128::from(quotients[k]), x.floor_over(y)?);
        assert_eq!(GoldenFraction::from(rests[k]), x.remainder(y)?);
    }
    Ok(())
}

#[test]
fn units_alone_have_inverses() -> Tested {
    let units: Result<Vec<Golden>, _> = (-45..46).map(Golden::phi_power).collect();
    let units = GoldenTensor::from_points(&units?, &[91])?;
    let ones = units.times(&units.inverse()?)?.to_points()?;
    assert_eq!(ones, [Golden::ONE; 91]);
    assert_eq!(
        units.power(-2)?.to_points()?[45 + 3],
        Golden::phi_power(-6)?
    );
    for other in [Golden::ZERO, Golden::from(2), Golden::new(i64::MAX, 1)] {
        let mixed = GoldenTensor::from_points(&[Golden::ONE, other, Golden::ZERO], &[1, 3])?;
        match mixed.inverse() {
            Err(GoldenTensorError::Element { error, at }) => {
                assert_eq!(
                    (error, at),
                    (ExactError::NotUnit { op: "inverse" }, vec![0, 1])
                );
            }
            other => panic!("{other:?}"),
        }
    }
    Ok(())
}
