//! What a result must be: values computed slowly in `float64`, and how far from them a result may lie.

use anyhow::{Result, bail, ensure};
use syntonic_core::half::bf16;
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Element, Tensor};

/// Which numbers of a result are compared.
#[derive(Clone, Debug)]
pub enum View {
    /// Every element.
    All,
    /// Elements at these places of the row-major result.
    Places(Vec<usize>),
    /// Sums of rows of this length.
    RowSums(usize),
}

/// Values and their tolerance: `|got - value| <= units * rounding * scale`, for each part of a complex number.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Which numbers.
    pub view: View,
    /// Their values; real and imaginary parts in turn where the result is complex.
    pub values: Vec<f64>,
    /// The magnitude that each error is a part of; one number stands for all.
    pub scale: Vec<f64>,
    /// How many roundings of the element type.
    pub units: f64,
}

/// A judge of its own: the numbers of a result to its error.
pub type Verify = Box<dyn Fn(&[f64]) -> Result<f64>>;

/// How a whole result is judged.
pub enum Oracle {
    /// By comparison with values.
    Values(Vec<Expected>),
    /// By a function that returns the error, or why the result is wrong.
    Verify(Verify),
}

/// How many elements of a timed result are looked at.
const LOOKED_AT: usize = 1009;

impl Oracle {
    /// Every element has its value and is a number of roundings of `scale` off at most.
    pub fn close(values: Vec<f64>, scale: Vec<f64>, units: f64) -> Oracle {
        Oracle::Values(vec![Expected {
            view: View::All,
            values,
            scale,
            units,
        }])
    }

    /// Every element is its value.
    pub fn exact(values: Vec<f64>) -> Oracle {
        Oracle::close(values, vec![1.0], 0.0)
    }

    /// Checks all of a result; the largest error as a part of its scale.
    pub fn whole(&self, got: &Tensor, rounding: f64) -> Result<f64> {
        match self {
            Oracle::Verify(verify) => verify(&numbers(got, None)?),
            Oracle::Values(all) => all.iter().try_fold(0.0f64, |worst, expected| {
                Ok(worst.max(expected.error(got, rounding)?))
            }),
        }
    }

    /// Checks some elements of a result, quickly.
    pub fn glance(&self, got: &Tensor, rounding: f64) -> Result<f64> {
        match self {
            Oracle::Verify(verify) => verify(&numbers(got, None)?),
            Oracle::Values(all) => all.first().map_or(Ok(0.0), |e| e.glance(got, rounding)),
        }
    }
}

impl Expected {
    /// The largest error as a part of its scale, or what is wrong.
    pub fn error(&self, got: &Tensor, rounding: f64) -> Result<f64> {
        let parts = if got.dtype().is_complex() { 2 } else { 1 };
        let found = match &self.view {
            View::All => numbers(got, None)?,
            View::Places(places) => numbers(got, Some(places))?,
            View::RowSums(width) => row_sums(&numbers(got, None)?, *width, parts),
        };
        ensure!(
            found.len() == self.values.len(),
            "{} numbers came instead of {}",
            found.len(),
            self.values.len()
        );
        self.compare(found.iter().copied().enumerate(), rounding)
    }

    fn glance(&self, got: &Tensor, rounding: f64) -> Result<f64> {
        let View::All = self.view else {
            return self.error(got, rounding);
        };
        if got.numel() <= LOOKED_AT {
            return self.error(got, rounding);
        }
        let parts = if got.dtype().is_complex() { 2 } else { 1 };
        ensure!(
            got.numel() * parts == self.values.len(),
            "the result has {} elements",
            got.numel()
        );
        let places = spread_places(got.numel());
        let found = numbers(got, Some(&places))?;
        let indices = places
            .iter()
            .flat_map(|&place| (0..parts).map(move |part| place * parts + part));
        self.compare(indices.zip(found), rounding)
    }

    fn compare(&self, found: impl Iterator<Item = (usize, f64)>, rounding: f64) -> Result<f64> {
        let mut worst = 0.0f64;
        for (at, got) in found {
            let scale = self.scale[if self.scale.len() == 1 { 0 } else { at }];
            let error = (got - self.values[at]).abs();
            // Equal infinities are equal; NaN fails every comparison.
            if got != self.values[at] {
                if error.is_nan() || error > self.units * rounding * scale {
                    bail!("number {at} is {got}, not {}", self.values[at]);
                }
                worst = worst.max(error / scale);
            }
        }
        Ok(worst)
    }
}

/// Places all over a result of `n` elements: steps of the golden ratio fall nowhere twice.
pub fn spread_places(n: usize) -> Vec<usize> {
    let step = 0.618_033_988_749_894_9;
    let place = |k: usize| ((k as f64 * step).fract() * n as f64) as usize;
    (0..LOOKED_AT).map(|k| place(k).min(n - 1)).collect()
}

fn row_sums(numbers: &[f64], width: usize, parts: usize) -> Vec<f64> {
    let rows = numbers.chunks(width * parts);
    rows.flat_map(|row| (0..parts).map(move |part| row.iter().skip(part).step_by(parts).sum()))
        .collect()
}

/// Elements as `float64`, all or those at some places; complex ones as two numbers.
pub fn numbers(t: &Tensor, places: Option<&[usize]>) -> Result<Vec<f64>> {
    match t.dtype() {
        DType::F32 => pick::<f32>(t, places),
        DType::F64 => pick::<f64>(t, places),
        DType::BF16 => pick::<bf16>(t, places),
        DType::C64 => pick::<Complex<f32>>(t, places),
        DType::C128 => pick::<Complex<f64>>(t, places),
        DType::I32 => pick::<i32>(t, places),
        DType::I64 => pick::<i64>(t, places),
        DType::Bool => pick::<bool>(t, places),
        other => bail!("no row has results of {other}"),
    }
}

fn pick<T: Element>(t: &Tensor, places: Option<&[usize]>) -> Result<Vec<f64>> {
    let elements = t.host_slice::<T>()?;
    let complex = T::DTYPE.is_complex();
    let mut out = Vec::with_capacity(places.map_or(elements.len(), <[usize]>::len));
    let mut push = |element: T| {
        let value = element.to_scalar().to_complex();
        out.push(value.re);
        if complex {
            out.push(value.im);
        }
    };
    match places {
        Some(places) => places.iter().for_each(|&place| push(elements[place])),
        None => elements.iter().for_each(|&element| push(element)),
    }
    Ok(out)
}

/// Half the distance of 1 to the next number, the unit in which errors are counted.
pub fn rounding(dtype: DType) -> f64 {
    match dtype {
        DType::BF16 => 2f64.powi(-8),
        DType::F32 | DType::C64 => 2f64.powi(-24),
        DType::F64 | DType::C128 => 2f64.powi(-53),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(values: &[f32]) -> Tensor {
        Tensor::from_slice(values, &[values.len()]).unwrap()
    }

    #[test]
    fn a_wrong_element_is_found_and_a_rounding_is_not() {
        let values: Vec<f64> = (0..5000).map(|i| f64::from(i) * 0.5 + 1.0).collect();
        let oracle = Oracle::close(values.clone(), values.clone(), 2.0);
        let unit = rounding(DType::F32);
        let mut got: Vec<f32> = values.iter().map(|&v| v as f32).collect();
        got[17] *= 1.0 + f32::EPSILON;
        assert!(oracle.whole(&tensor(&got), unit).unwrap() > 0.0);
        got[17] *= 1.0 + 4.0 * f32::EPSILON;
        assert!(oracle.whole(&tensor(&got), unit).is_err());
        got[17] = f32::NAN;
        assert!(oracle.whole(&tensor(&got), unit).is_err());
    }

    #[test]
    fn a_glance_sees_a_result_that_is_wrong_in_one_part_in_fifty() {
        let oracle = Oracle::exact(vec![1.0; 100_000]);
        let mut got = vec![1.0f32; 100_000];
        assert_eq!(oracle.glance(&tensor(&got), 0.0).unwrap(), 0.0);
        got[40_000..42_000].fill(0.0);
        assert!(oracle.glance(&tensor(&got), 0.0).is_err());
        assert!(oracle.glance(&tensor(&got[..99_999]), 0.0).is_err());
    }

    #[test]
    fn row_sums_see_what_places_miss() {
        let expected = Expected {
            view: View::RowSums(3),
            values: vec![6.0, 15.0],
            scale: vec![1.0],
            units: 0.0,
        };
        let good = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).unwrap();
        assert_eq!(expected.error(&good, 0.0).unwrap(), 0.0);
        let bad = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0, 5.5, 6.0], &[2, 3]).unwrap();
        assert!(expected.error(&bad, 0.0).is_err());
    }

    #[test]
    fn parts_of_complex_numbers_are_compared_apart() {
        let t = Tensor::from_slice(&[Complex::new(1f32, 2.0)], &[1]).unwrap();
        let oracle = Oracle::exact(vec![1.0, 2.0]);
        assert_eq!(oracle.whole(&t, 0.0).unwrap(), 0.0);
        let oracle = Oracle::exact(vec![1.0, -2.0]);
        assert!(oracle.whole(&t, 0.0).is_err());
    }
}
