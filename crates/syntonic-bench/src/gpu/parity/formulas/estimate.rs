//! Numbers that know how far a device may be from them.
//!
//! A running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, 3.3): beside each exact value goes a bound
//! of what its operands' errors make of it and of what its own rounding adds.

use std::ops::{Add, Div, Mul, Neg, Sub};

use syntonic_core::DType;

use crate::gpu::bounds::{own_error, smallest, sum_error};

/// A value of a formula in exact arithmetic, and a bound of its error where each step is rounded to an element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// What comes out without roundings.
    pub(super) value: f64,
    /// No device is further from it.
    pub(super) error: f64,
    dtype: DType,
}

impl Estimate {
    /// A number that a tensor of this type holds.
    pub(super) fn exact(value: f64, dtype: DType) -> Estimate {
        Estimate {
            value,
            error: 0.0,
            dtype,
        }
    }

    /// The element type that it is rounded to.
    pub(super) fn dtype(self) -> DType {
        self.dtype
    }

    /// A result whose operands' errors come to `passed`, of a function that errs by `ulp` units in the last place of the type
    /// that is computed in, rounded to the element type.
    fn rounded(self, value: f64, passed: f64, ulp: u32) -> Estimate {
        if !value.is_finite() {
            return Estimate { value, ..self };
        }
        let own = own_error(self.dtype, ulp);
        Estimate {
            value,
            error: passed + (value.abs() + passed) * own + smallest(self.dtype),
            ..self
        }
    }

    /// The same number in the type that its own type is computed in.
    pub(super) fn wide(self) -> Estimate {
        Estimate {
            dtype: self.dtype.compute(),
            ..self
        }
    }

    /// Rounded to a type.
    pub(super) fn cast(self, dtype: DType) -> Estimate {
        Estimate { dtype, ..self }.rounded(self.value, self.error, 0)
    }

    pub(super) fn exp(self) -> Estimate {
        let value = self.value.exp();
        self.rounded(value, value * self.error.exp_m1(), 2)
    }

    pub(super) fn ln(self) -> Estimate {
        let passed = self.error / (self.value - self.error).max(0.0);
        self.rounded(self.value.ln(), passed, 2)
    }

    pub(super) fn sqrt(self) -> Estimate {
        let low = (self.value - self.error).max(0.0);
        let passed = self.error / (low.sqrt() + self.value.sqrt());
        self.rounded(self.value.sqrt(), passed, 2)
    }

    pub(super) fn tanh(self) -> Estimate {
        self.rounded(self.value.tanh(), self.error, 4)
    }

    /// A number of a formula beside this one, which the type rounds.
    pub(super) fn number(self, value: f64) -> Estimate {
        self.rounded(value, 0.0, 0)
    }

    /// The largest of a row.
    pub(super) fn max(row: impl Iterator<Item = Estimate>) -> Option<Estimate> {
        row.reduce(|a, b| Estimate {
            value: a.value.max(b.value),
            error: a.error.max(b.error),
            dtype: a.dtype,
        })
    }

    /// The sum of a row and how many there are. Some neighbours are added up in their own type, the rest in double precision.
    fn total(row: impl Iterator<Item = Estimate>) -> Option<(Estimate, f64)> {
        let (mut value, mut passed, mut size, mut count) = (0.0, 0.0, 0.0, 0usize);
        let mut dtype = None;
        for x in row {
            value += x.value;
            passed += x.error;
            size += x.value.abs() + x.error;
            count += 1;
            dtype = Some(x.dtype);
        }
        let dtype = dtype?;
        let error = passed + size * sum_error(dtype, count);
        let total = Estimate {
            value,
            error,
            dtype,
        };
        Some((total, count as f64))
    }

    /// The sum of a row, rounded once.
    pub(super) fn sum(row: impl Iterator<Item = Estimate>) -> Option<Estimate> {
        let (total, _) = Estimate::total(row)?;
        Some(total.cast(total.dtype))
    }

    /// The mean of a row, rounded once.
    pub(super) fn mean(row: impl Iterator<Item = Estimate>) -> Option<Estimate> {
        let (total, count) = Estimate::total(row)?;
        Some(total.rounded(total.value / count, total.error / count, 4))
    }
}

impl Neg for Estimate {
    type Output = Estimate;

    fn neg(self) -> Estimate {
        Estimate {
            value: -self.value,
            ..self
        }
    }
}

impl Add for Estimate {
    type Output = Estimate;

    fn add(self, other: Estimate) -> Estimate {
        self.rounded(self.value + other.value, self.error + other.error, 0)
    }
}

impl Sub for Estimate {
    type Output = Estimate;

    fn sub(self, other: Estimate) -> Estimate {
        self + -other
    }
}

impl Mul for Estimate {
    type Output = Estimate;

    fn mul(self, other: Estimate) -> Estimate {
        let (a, b) = (self.value.abs(), other.value.abs());
        let passed = a * other.error + b * self.error + self.error * other.error;
        self.rounded(self.value * other.value, passed, 0)
    }
}

impl Div for Estimate {
    type Output = Estimate;

    fn div(self, other: Estimate) -> Estimate {
        let value = self.value / other.value;
        let least = (other.value.abs() - other.error).max(0.0);
        self.rounded(value, (self.error + value.abs() * other.error) / least, 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32(value: f64) -> Estimate {
        Estimate::exact(value, DType::F32)
    }

    #[test]
    fn roundings_add_up() {
        let u = 2f64.powi(-24);
        let third = f32(1.0) / f32(3.0);
        assert!(
            (third.error / (9.0 * u / 3.0) - 1.0).abs() < 1e-6,
            "{third:?}"
        );
        let twice = third + third;
        assert!((twice.error / (6.0 * u + 2.0 / 3.0 * u) - 1.0).abs() < 1e-5);
        // A half is computed in single precision and rounded once.
        let half = Estimate::exact(1.0, DType::BF16) + Estimate::exact(2.0, DType::BF16);
        assert!((half.error / (3.0 * 2f64.powi(-8)) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn what_cancels_keeps_the_error_of_what_went_in() {
        let x = f32(1.0) / f32(3.0);
        let d = x - x;
        assert!(d.value == 0.0 && d.error >= 2.0 * x.error);
        // A quotient by what may be zero may be anything.
        assert_eq!((f32(1.0) / d).error, 0.0, "an infinite value has no error");
        assert_eq!(
            (x / Estimate {
                value: x.error,
                ..x
            })
            .error,
            f64::INFINITY
        );
    }

    #[test]
    fn a_sum_in_a_bad_order_is_within_its_bound() {
        let values = [1e8f32, 1.0, -1e8, 3.0, 1e-3, 7.5];
        let exact = Estimate::sum(values.iter().map(|&v| f32(f64::from(v)))).unwrap();
        let rounded: f32 = values.iter().sum();
        assert!((f64::from(rounded) - exact.value).abs() <= exact.error);
        assert!(exact.error < 400.0, "{exact:?}");
        assert!(Estimate::mean(std::iter::empty()).is_none());
    }

    #[test]
    fn masked_elements_have_no_error() {
        let masked = (f32(f64::NEG_INFINITY) - f32(3.0)).exp();
        assert_eq!((masked.value, masked.error), (0.0, smallest(DType::F32)));
        let row = [f32(f64::NEG_INFINITY), f32(2.0)];
        assert_eq!(Estimate::max(row.into_iter()), Some(f32(2.0)));
    }
}
