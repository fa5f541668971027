//! Comparing what two devices computed.

use anyhow::{Result, ensure};
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Tensor, cpu};

/// How close two results have to be.
#[derive(Clone, Copy, Debug)]
pub enum Exactness {
    /// The same value; every NaN equals every NaN, and 0 equals -0 only where both have its sign.
    Same,
    /// This many units in the last place of the result's type, by parts for complex numbers; a part of
    /// a complex number is measured against the whole number's magnitude.
    Ulps(f64),
    /// This many units in the last place of 1, or of the result where that is larger: for sums that cancel.
    UlpsOfOne(f64),
    /// This far apart as a part of `scale`, or absolutely where the scale is below 1.
    Within {
        /// The bound.
        relative: f64,
        /// What it is a part of, such as the sum of the magnitudes that were added.
        scale: f64,
    },
}

/// Compares a result of the GPU with the CPU's: dtype, shape, then every element.
///
/// # Errors
/// The first elements that differ, with their positions.
pub fn compare(gpu: &Tensor, expected: &Tensor, exactness: Exactness) -> Result<()> {
    let dtype = gpu.dtype();
    if dtype == DType::U64 {
        alike(gpu, expected)?;
        let got = gpu.to(&cpu())?.to_vec::<u64>()?;
        return differences(&got, &expected.to_vec()?, |_, a, b| a == b);
    }
    if dtype.is_complex() || dtype.is_float() {
        return numbers(gpu, expected, |_, a, b| near(a, b, dtype, exactness));
    }
    alike(gpu, expected)?;
    let got = gpu.to(&cpu())?.to_vec::<i64>()?;
    differences(&got, &expected.to_vec()?, |_, a, b| a == b)
}

/// As [`compare`] for floats, where the parts of element `i` may be `bounds[i]` apart.
///
/// # Errors
/// As [`compare`], and where there is not a bound for each element.
pub fn compare_each(gpu: &Tensor, expected: &Tensor, bounds: &[f64]) -> Result<()> {
    ensure!(
        bounds.len() == gpu.numel(),
        "{} bounds for {} elements",
        bounds.len(),
        gpu.numel()
    );
    let close = |a: f64, b: f64, bound: f64| (a - b).abs() <= bound || (a.is_nan() && b.is_nan());
    numbers(gpu, expected, |i, a, b| {
        close(a.re, b.re, bounds[i]) && close(a.im, b.im, bounds[i])
    })
}

fn alike(gpu: &Tensor, expected: &Tensor) -> Result<()> {
    let what = |x: &Tensor| format!("{}{:?}", x.dtype(), x.shape());
    ensure!(
        gpu.dtype() == expected.dtype() && gpu.shape() == expected.shape(),
        "{} instead of {}",
        what(gpu),
        what(expected)
    );
    Ok(())
}

fn numbers(
    gpu: &Tensor,
    expected: &Tensor,
    same: impl Fn(usize, Complex<f64>, Complex<f64>) -> bool,
) -> Result<()> {
    alike(gpu, expected)?;
    let got = gpu.to(&cpu())?.to_vec::<Complex<f64>>()?;
    differences(&got, &expected.to_vec()?, |i, a, b| same(i, *a, *b))
}

fn differences<T: std::fmt::Debug>(
    got: &[T],
    want: &[T],
    same: impl Fn(usize, &T, &T) -> bool,
) -> Result<()> {
    let wrong: Vec<usize> = (0..got.len())
        .filter(|&i| !same(i, &got[i], &want[i]))
        .collect();
    let shown: Vec<String> = wrong
        .iter()
        .take(3)
        .map(|&i| format!("[{i}] {:?} instead of {:?}", got[i], want[i]))
        .collect();
    ensure!(
        wrong.is_empty(),
        "{} of {} elements differ: {}",
        wrong.len(),
        got.len(),
        shown.join("; ")
    );
    Ok(())
}

fn near(got: Complex<f64>, want: Complex<f64>, dtype: DType, exactness: Exactness) -> bool {
    let magnitude = want.re.abs().max(want.im.abs());
    part(got.re, want.re, magnitude, dtype, exactness)
        && part(got.im, want.im, magnitude, dtype, exactness)
}

fn part(got: f64, want: f64, magnitude: f64, dtype: DType, exactness: Exactness) -> bool {
    if got.is_nan() || want.is_nan() {
        return got.is_nan() && want.is_nan();
    }
    // Beside an infinite part the other one is measured against itself.
    let magnitude = if magnitude.is_finite() {
        magnitude
    } else {
        want.abs()
    };
    if got == want {
        return !matches!(exactness, Exactness::Same)
            || got.is_sign_negative() == want.is_sign_negative();
    }
    let bound = match exactness {
        Exactness::Same => return false,
        Exactness::Ulps(ulps) => ulps * unit(magnitude, dtype),
        Exactness::UlpsOfOne(ulps) => ulps * unit(magnitude.max(1.0), dtype),
        Exactness::Within { relative, scale } => relative * scale.max(1.0),
    };
    (got - want).abs() <= bound
}

/// One unit in the last place of a number of this magnitude.
pub(crate) fn unit(magnitude: f64, dtype: DType) -> f64 {
    let (digits, lowest) = match dtype.real() {
        DType::F16 => (10, -14),
        DType::BF16 => (7, -126),
        DType::F32 => (23, -126),
        _ => (52, -1022),
    };
    if !magnitude.is_finite() {
        return 0.0;
    }
    let exponent = if magnitude > 0.0 {
        (magnitude.log2().floor() as i32).max(lowest)
    } else {
        lowest
    };
    // Two factors, since the power itself may be below the smallest that `powi` reaches.
    2f64.powi(exponent) * 2f64.powi(-digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_type() {
        assert_eq!(unit(1.0, DType::F32), f64::from(f32::EPSILON));
        assert_eq!(unit(1.5, DType::C128), f64::EPSILON);
        assert_eq!(unit(0.0, DType::F16), 2f64.powi(-24));
    }

    #[test]
    fn signs_of_zero_count_only_where_results_must_be_the_same() {
        let (zero, minus) = (Complex::new(0.0, 0.0), Complex::new(-0.0, 0.0));
        assert!(!near(zero, minus, DType::F32, Exactness::Same));
        assert!(near(zero, minus, DType::F32, Exactness::Ulps(0.0)));
        let nan = Complex::new(f64::NAN, 0.0);
        assert!(near(nan, nan, DType::F32, Exactness::Same));
        assert!(!near(nan, zero, DType::F32, Exactness::Ulps(9.0)));
    }

    #[test]
    fn each_element_has_its_bound() {
        let x = Tensor::from_slice(&[1.0f32, 100.0], &[2]).unwrap();
        let y = Tensor::from_slice(&[1.0f32, 101.0], &[2]).unwrap();
        assert!(compare_each(&x, &y, &[0.0, 1.0]).is_ok());
        assert!(compare_each(&x, &y, &[1.0, 0.5]).is_err());
        assert!(compare_each(&x, &y, &[1.0]).is_err());
        let nan = Tensor::from_slice(&[1.0f32, f32::NAN], &[2]).unwrap();
        assert!(compare_each(&x, &nan, &[9.0, 9.0]).is_err());
        assert!(compare_each(&nan, &nan, &[0.0, 0.0]).is_ok());
    }

    #[test]
    fn a_wrong_element_is_named() {
        let x = Tensor::from_slice(&[1.0f32, 2.0], &[2]).unwrap();
        let y = Tensor::from_slice(&[1.0f32, 2.5], &[2]).unwrap();
        let text = compare(&x, &y, Exactness::Ulps(4.0))
            .unwrap_err()
            .to_string();
        assert!(text.contains("1 of 2") && text.contains("[1]"), "{text}");
    }
}
