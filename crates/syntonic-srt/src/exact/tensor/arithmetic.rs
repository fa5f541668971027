//! Operations by the element.

use super::error::refused;
use super::kernels::{
    COMPARE, FAULT, FLOOR, MAP, NORMS, Operands, checked, pairs, points, run_named,
};
use super::{GoldenTensor, Result};
use crate::exact::{ExactError, Golden};
use syntonic_core::device::NamedKernel;
use syntonic_core::fuse::Prim;
use syntonic_core::layout::broadcast_pair;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{DType, Error, Tensor, describe, same_device};

/// What [`MAP`] does to each element. Its number is what the kernel gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub(super) enum Operation {
    /// The sum of two.
    Plus = 0,
    /// Their difference.
    Minus = 1,
    /// Their product.
    Times = 2,
    /// One, negated.
    Negated = 3,
    /// The conjugate, by φ ↦ 1 - φ.
    Conjugate = 4,
    /// Times φ.
    TimesPhi = 5,
    /// Over φ.
    OverPhi = 6,
    /// The absolute value.
    Magnitude = 7,
}

impl Operation {
    /// Every operation, by its number.
    pub(super) const ALL: [Operation; 8] = [
        Operation::Plus,
        Operation::Minus,
        Operation::Times,
        Operation::Negated,
        Operation::Conjugate,
        Operation::TimesPhi,
        Operation::OverPhi,
        Operation::Magnitude,
    ];

    /// The name in errors.
    pub(super) fn name(self) -> &'static str {
        match self {
            Operation::Plus => "plus",
            Operation::Minus => "minus",
            Operation::Times => "times",
            Operation::Negated => "negated",
            Operation::Conjugate => "conjugate",
            Operation::TimesPhi => "times_phi",
            Operation::OverPhi => "over_phi",
            Operation::Magnitude => "magnitude",
        }
    }

    /// The slow and obvious definition.
    pub(super) fn of(self, x: Golden, y: Golden) -> std::result::Result<Golden, ExactError> {
        match self {
            Operation::Plus => x.plus(y),
            Operation::Minus => x.minus(y),
            Operation::Times => x.times(y),
            Operation::Negated => x.negated(),
            Operation::Conjugate => x.conjugate(),
            Operation::TimesPhi => x.times_phi(),
            Operation::OverPhi => x.over_phi(),
            Operation::Magnitude => x.magnitude(),
        }
    }
}

impl GoldenTensor {
    /// `self + other`, broadcast together. Errors: operands that do not broadcast or are on different devices, and
    /// [`ExactError::Overflow`] with the place of the first coefficient that is too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::ONE, Golden::PHI], &[2])?;
    /// assert_eq!(x.plus(&x)?.to_points()?, [Golden::new(2, 0), Golden::new(0, 2)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn plus(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        self.map(Operation::Plus, other)
    }

    /// `self - other`. Errors as [`GoldenTensor::plus`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::ONE, Golden::PHI], &[2])?;
    /// let one = GoldenTensor::from_points(&[Golden::ONE], &[1])?;
    /// assert_eq!(x.minus(&one)?.to_points()?, [Golden::ZERO, Golden::new(-1, 1)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn minus(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        self.map(Operation::Minus, other)
    }

    /// The product by the element, `(a c + b d) + (a d + b c + b d) φ`. Errors as [`GoldenTensor::plus`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::new(2, 0), Golden::PHI], &[2])?;
    /// assert_eq!(x.times(&x)?.to_points()?, [Golden::new(4, 0), Golden::new(1, 1)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn times(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        self.map(Operation::Times, other)
    }

    /// `-self`. Errors where a coefficient is the least of all.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::new(2, -3)], &[1])?;
    /// assert_eq!(x.negated()?.to_points()?, [Golden::new(-2, 3)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn negated(&self) -> Result<GoldenTensor> {
        self.map(Operation::Negated, self)
    }

    /// The conjugates, by φ ↦ 1 - φ. Errors where a coefficient becomes too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI], &[1])?;
    /// assert_eq!(x.conjugate()?.to_points()?, [Golden::new(1, -1)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn conjugate(&self) -> Result<GoldenTensor> {
        self.map(Operation::Conjugate, self)
    }

    /// Times φ: `b + (a + b) φ`. Errors where a coefficient becomes too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::ONE, Golden::new(3, 5)], &[2])?;
    /// assert_eq!(x.times_phi()?.to_points()?, [Golden::PHI, Golden::new(5, 8)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn times_phi(&self) -> Result<GoldenTensor> {
        self.map(Operation::TimesPhi, self)
    }

    /// Over φ: `(b - a) + a φ`. Errors where a coefficient becomes too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI, Golden::new(5, 8)], &[2])?;
    /// assert_eq!(x.over_phi()?.to_points()?, [Golden::ONE, Golden::new(3, 5)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn over_phi(&self) -> Result<GoldenTensor> {
        self.map(Operation::OverPhi, self)
    }

    /// The absolute values. Errors where a coefficient is the least of all.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::new(1, -1), Golden::PHI], &[2])?;
    /// assert_eq!(x.magnitude()?.to_points()?, [Golden::new(-1, 1), Golden::PHI]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn magnitude(&self) -> Result<GoldenTensor> {
        self.map(Operation::Magnitude, self)
    }

    /// The exact order as `int64`: -1 where `self` is smaller, 0 where both are equal, 1 where it is larger, broadcast together.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::new(-8, 5), Golden::ZERO, Golden::new(8, -5)], &[3])?;
    /// let zero = GoldenTensor::from_points(&[Golden::ZERO], &[1])?;
    /// assert_eq!(x.compare(&zero)?.to_vec::<i64>()?, [1, 0, -1]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn compare(&self, other: &GoldenTensor) -> Result<Tensor> {
        let (x, y) = self.together("compare", other)?;
        let operands = Operands {
            inputs: &pairs(&x, &y),
            outputs: &[("signs", x.shape(), DType::I64)],
            ..Operands::default()
        };
        // SAFETY: four vectors of coefficients, and a sign for each element.
        let mut made = unsafe { run_named(&COMPARE, &operands)? };
        Ok(made.take("signs")?)
    }

    /// The larger of each pair, by the exact order.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI, Golden::ZERO], &[2])?;
    /// let one = GoldenTensor::from_points(&[Golden::ONE], &[1])?;
    /// assert_eq!(x.maximum(&one)?.to_points()?, [Golden::PHI, Golden::ONE]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn maximum(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        self.chosen(Prim::Ge, other)
    }

    /// The smaller of each pair, by the exact order.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI, Golden::ZERO], &[2])?;
    /// let one = GoldenTensor::from_points(&[Golden::ONE], &[1])?;
    /// assert_eq!(x.minimum(&one)?.to_points()?, [Golden::ONE, Golden::ZERO]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn minimum(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        self.chosen(Prim::Le, other)
    }

    /// The norms `a² + a b - b²` as `int64`. Errors where one is too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI, Golden::new(3, 0)], &[2])?;
    /// assert_eq!(x.norms()?.to_vec::<i64>()?, [-1, 9]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn norms(&self) -> Result<Tensor> {
        self.integers("norms", &NORMS)
    }

    /// The largest integers that are at most `a + b φ`, `int64`. Errors where one is too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI, Golden::new(0, -1)], &[2])?;
    /// assert_eq!(x.floor()?.to_vec::<i64>()?, [1, -2]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn floor(&self) -> Result<Tensor> {
        self.integers("floor", &FLOOR)
    }

    fn integers(&self, op: &'static str, kernel: &'static NamedKernel) -> Result<Tensor> {
        let x = self.spread(self.shape())?;
        let operands = Operands {
            inputs: &[("a", &x.a), ("b", &x.b)],
            outputs: &[("integers", self.shape(), DType::I64), FAULT],
            ..Operands::default()
        };
        // SAFETY: two vectors of coefficients, an integer for each element, and one place.
        let mut made = unsafe { run_named(kernel, &operands)? };
        refused(&made.take("fault")?, self.shape(), |_| {
            Ok(ExactError::Overflow { op })
        })?;
        Ok(made.take("integers")?)
    }

    fn map(&self, operation: Operation, other: &GoldenTensor) -> Result<GoldenTensor> {
        let (x, y) = self.together(operation.name(), other)?;
        let operands = Operands {
            inputs: &pairs(&x, &y),
            outputs: &points(x.shape()),
            numbers: &[("operation", (operation as usize).into())],
            ..Operands::default()
        };
        // SAFETY: four vectors of coefficients, two for the result, and one place.
        let made = unsafe { run_named(&MAP, &operands)? };
        checked(made, |_| {
            Ok(ExactError::Overflow {
                op: operation.name(),
            })
        })
    }

    fn chosen(&self, order: Prim, other: &GoldenTensor) -> Result<GoldenTensor> {
        let (x, y) = self.together("compare", other)?;
        let sign = x.compare(&y)?;
        let first = apply(order, &[Arg::Tensor(&sign), Arg::from(0i64)])?;
        let choose = |x: &Tensor, y: &Tensor| {
            let arguments = [Arg::Tensor(&first), Arg::Tensor(x), Arg::Tensor(y)];
            apply(Prim::Select, &arguments)?.eval()
        };
        Ok(GoldenTensor {
            a: choose(&x.a, &y.a)?,
            b: choose(&x.b, &y.b)?,
        })
    }

    /// Both, row-major and of one shape.
    pub(super) fn together(
        &self,
        op: &'static str,
        other: &GoldenTensor,
    ) -> Result<(GoldenTensor, GoldenTensor)> {
        same_device(op, &[&self.a, &other.a])?;
        let Some(shape) = broadcast_pair(self.shape(), other.shape()) else {
            return Err(Error::Shape {
                op,
                operands: describe(&[&self.a, &other.a]),
                hint: "lengths of an axis are equal, or one of them is 1".into(),
            }
            .into());
        };
        Ok((self.spread(&shape)?, other.spread(&shape)?))
    }
}
