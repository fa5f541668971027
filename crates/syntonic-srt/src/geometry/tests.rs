//! Known values, computed with mpmath in 40 digits, and counts.

use super::*;
use std::collections::HashSet;
use syntonic_core::{DType, Error, Tensor};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// The roots in the golden cone, by their places.
#[rustfmt::skip]
const INSIDE: [usize; 36] = [
    7, 10, 27, 29, 34, 54, 58, 59, 66, 67, 71, 73, 76, 85, 99, 109, 111, 116, 117, 132, 133, 135, 140, 141,
    145, 148, 164, 165, 167, 173, 175, 180, 196, 197, 229, 237,
];
/// The form of each, in units of 1/√5.
#[rustfmt::skip]
const FORMS: [i32; 36] = [
    -2, -2, 0, -2, -2, -2, 0, 0, -4, 4, 0, 0, 0, -4, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, 0, 0, 0, 0, 4, 0,
    4, 0, 0,
];

#[test]
fn roots_are_those_of_e8() -> Tested {
    let roots = e8_roots()?.to_vec::<f64>()?;
    let roots: Vec<&[f64]> = roots.chunks(8).collect();
    assert_eq!(roots.len(), 240);
    let doubled = |x: &[f64]| x.iter().map(|v| (2.0 * v) as i64).collect::<Vec<_>>();
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>();
    let all: HashSet<Vec<i64>> = roots.iter().map(|root| doubled(root)).collect();
    assert_eq!(all.len(), 240);
    for root in &roots {
        let negated: Vec<f64> = root.iter().map(|v| -v).collect();
        assert!(all.contains(&doubled(&negated)));
        let mut counts = [0; 5];
        for other in &roots {
            counts[(product(root, other) + 2.0) as usize] += 1;
        }
        assert_eq!(counts, [1, 56, 126, 56, 1]);
    }
    // Simple roots: squares of 2, products of 0 and -1, and the seven lines of the diagram.
    let simple = e8_simple_roots()?.to_vec::<f64>()?;
    let simple: Vec<&[f64]> = simple.chunks(8).collect();
    let mut lines = 0;
    for (k, root) in simple.iter().enumerate() {
        assert!(all.contains(&doubled(root)) && product(root, root) == 2.0);
        for other in &simple[..k] {
            let product = product(root, other);
            assert!(product == 0.0 || product == -1.0);
            lines += usize::from(product == -1.0);
        }
    }
    assert_eq!(lines, 7);
    Ok(())
}

#[test]
fn projections_are_orthonormal_and_the_cone_has_its_roots() -> Tested {
    let roots = e8_roots()?;
    let made = project(&roots)?;
    let squares = |t: &Tensor| -> Result<Vec<f64>, Error> {
        let values = t.to_vec::<f64>()?;
        let rows = values.chunks(4);
        Ok(rows.map(|row| row.iter().map(|v| v * v).sum()).collect())
    };
    let (parallel, perpendicular) = (squares(&made.parallel)?, squares(&made.perpendicular)?);
    let form = made.form.to_vec::<f64>()?;
    let mut counts = [0; 5];
    for k in 0..240 {
        // Eight products of numbers up to 1, each off by a rounding or two.
        assert!((parallel[k] + perpendicular[k] - 2.0).abs() < 32.0 * f64::EPSILON);
        assert!((parallel[k] - perpendicular[k] - form[k]).abs() < 32.0 * f64::EPSILON);
        let units = form[k] * 5f64.sqrt();
        assert!((units - units.round()).abs() < 32.0 * f64::EPSILON);
        counts[(units.round() as i32 / 2 + 2) as usize] += 1;
    }
    assert_eq!(counts, [24, 24, 144, 24, 24]);
    for dtype in [DType::F64, DType::F32] {
        let mask = cone_mask(&roots.cast(dtype)?, 1e-10)?.to_vec::<bool>()?;
        let inside: Vec<usize> = (0..240).filter(|&k| mask[k]).collect();
        assert_eq!(inside, INSIDE);
    }
    for (k, units) in INSIDE.into_iter().zip(FORMS) {
        assert!((form[k] - f64::from(units) / 5f64.sqrt()).abs() < 1e-14);
    }
    let weights = cone_weights(&roots, 1e-10)?.to_vec::<f64>()?;
    let inside: f64 = INSIDE.iter().map(|&k| weights[k]).sum();
    assert!((inside - 42.472_406_66).abs() < 1e-7);
    assert_eq!(weights.iter().filter(|&&w| w == 1e-9).count(), 204);
    assert!(project(&Tensor::zeros(&[7], DType::F64)?).is_err());
    assert!(cone_mask(&Tensor::zeros(&[8], DType::I64)?, 0.0).is_err());
    Ok(())
}

/// Sums of four squares: r₄(0..5) = 1, 8, 24, 32, 24, 48; 2041 up to 20, 49689 up to 100.
#[test]
fn windings_are_counted_and_weighed() -> Tested {
    let counts = [0, 1, 2, 3, 4, 5].map(winding_count);
    assert_eq!(counts, [1, 9, 33, 65, 89, 137]);
    assert_eq!((winding_count(20), winding_count(100)), (2041, 49_689));
    let few = windings(20)?;
    assert_eq!(few.shape(), [2041, 4]);
    let rows = few.to_vec::<i64>()?;
    let rows: Vec<&[i64]> = rows.chunks(4).collect();
    let norm = |n: &[i64]| n.iter().map(|x| x * x).sum::<i64>();
    assert!(rows.is_sorted() && rows.iter().all(|n| norm(n) <= 20));
    let total = |most| -> Result<f64, Error> {
        let weights = winding_weights(&windings(most)?)?.to_vec::<f64>()?;
        Ok(weights.iter().sum())
    };
    assert!((total(20)? - 25.837_751_621_037_232).abs() < 1e-12);
    assert!((total(100)? - 25.838_983_763_811_34).abs() < 1e-12);
    assert!(windings(3000).is_err());
    assert!(winding_weights(&Tensor::zeros(&[4], DType::F64)?).is_err());
    Ok(())
}

/// φ = 1.6, φ² = 2.6, φ³ = 4.2, φ⁴ = 6.9, φ^40 = 228826127 - 4e-9, φ^41 = 370248451 + 3e-9.
#[test]
fn generations_are_exact_at_powers() -> Tested {
    let n = [
        0,
        1,
        2,
        3,
        -4,
        5,
        7,
        228_826_126,
        228_826_127,
        370_248_451,
        370_248_452,
        i64::MAX / 4,
    ];
    let rows: Vec<i64> = n
        .iter()
        .flat_map(|&n| [0, n, -n.signum().abs(), 0])
        .collect();
    let got = golden_generations(&Tensor::from_slice(&rows, &[n.len(), 4])?)?;
    // ln(2^61) / ln φ = 87.87.
    assert_eq!(
        got.to_vec::<i64>()?,
        [0, 1, 2, 3, 3, 4, 5, 40, 41, 41, 42, 88]
    );
    Ok(())
}

#[test]
fn sums_have_their_known_values() -> Tested {
    let known = [
        (theta(1.0, Weighting::Plain)?, 1.393_203_929_685_676_8),
        (theta(1.0, Weighting::Golden)?, 1.199_772_175_784_484_6),
        (heat_kernel(0.1, Weighting::Plain)?, 1.163_540_137_132_206_6),
        (
            heat_kernel(0.1, Weighting::Golden)?,
            1.085_838_647_234_926_5,
        ),
        (winding_zeta(3.0)?, 2.410_213_835_343_203_4e-4),
    ];
    for (got, want) in known {
        assert!((got - want).abs() <= 4e-15 * want, "{got} is not {want}");
    }
    for t in [0.01, 0.3, 0.999, 1.0, 1.7, 40.0, 1e4] {
        let one = theta(t, Weighting::Plain)?;
        let other = t * t * theta(1.0 / t, Weighting::Plain)?;
        assert!((one - other).abs() <= 1e-13 * one, "{t}");
        for weights in [Weighting::Plain, Weighting::Golden] {
            let width = 1e-5 * t;
            let slope = (theta(t + width, weights)? - theta(t - width, weights)?) / (2.0 * width);
            let got = theta_derivative(t, weights)?;
            // Central differences are off by h² f'''/6, and by the rounding of f over h.
            let bound = 1e-7 * got.abs() + 1e-10 * theta(t, weights)? / t;
            assert!((got - slope).abs() <= bound, "{t}: {got} {slope}");
        }
    }
    // All windings of a squared norm up to 400, one after the other.
    let n = windings(400)?.to_vec::<i64>()?;
    let term = |n: &[i64]| {
        let norm = n.iter().map(|x| x * x).sum::<i64>() as f64;
        (-std::f64::consts::PI / 30.0 * norm).exp()
    };
    let direct: f64 = n.chunks(4).map(term).sum();
    assert!((theta(30.0, Weighting::Plain)? - direct).abs() < 1e-10 * direct);
    assert!(theta(0.0, Weighting::Plain).is_err() && winding_zeta(2.0).is_err());
    Ok(())
}
