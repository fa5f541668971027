//! Operations by the element that give golden integers.

use super::{GoldenBigArray, OVERHEAD, Result, each};
use crate::exact::{ExactError, GoldenBig, GoldenTensorError};
use std::sync::Arc;
use syntonic_core::Tensor;

type Made = std::result::Result<GoldenBig, ExactError>;

impl GoldenBigArray {
    /// `self + other`, broadcast together. Errors: operands that do not broadcast, memory that there is not, and [`ExactError::TooLarge`] with
    /// the place of the first element.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(u64::MAX, 1)?; 2], &[2])?;
    /// assert_eq!(x.plus(&x)?.points()[1], GoldenBig::new(2 * u128::from(u64::MAX), 2)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plus(&self, other: &GoldenBigArray) -> Result<GoldenBigArray> {
        self.pairs("plus", other, GoldenBig::plus)
    }

    /// `self - other`. Errors as [`GoldenBigArray::plus`].
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(u64::MAX, 1)?; 2], &[2])?;
    /// assert_eq!(x.minus(&x)?.points(), [GoldenBig::zero(), GoldenBig::zero()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn minus(&self, other: &GoldenBigArray) -> Result<GoldenBigArray> {
        self.pairs("minus", other, GoldenBig::minus)
    }

    /// The product by the element. Errors as [`GoldenBigArray::plus`].
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(1u64 << 40, 0)?], &[1])?;
    /// assert_eq!(x.times(&x)?.points(), [GoldenBig::new(1u128 << 80, 0)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn times(&self, other: &GoldenBigArray) -> Result<GoldenBigArray> {
        self.pairs("times", other, GoldenBig::times)
    }

    /// The product of matrices `[.., m, k], [.., k, n] -> [.., m, n]`, stacks broadcast together. Errors: shapes that do not go together, and
    /// those of [`GoldenBigArray::plus`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let phi = GoldenBig::from(Golden::PHI);
    /// let row = GoldenBigArray::new(vec![phi.clone(), GoldenBig::one()], &[1, 2])?;
    /// let column = GoldenBigArray::new(vec![phi, GoldenBig::from(2)], &[2, 1])?;
    /// // φ² + 2 = 3 + φ.
    /// assert_eq!(row.matmul(&column)?.points(), [GoldenBig::new(3, 1)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matmul(&self, other: &GoldenBigArray) -> Result<GoldenBigArray> {
        let refuse = |hint| GoldenTensorError::Shape {
            op: "matmul",
            shapes: vec![self.shape.to_vec(), other.shape.to_vec()],
            hint,
        };
        let ([.., m, k], [.., inner, n]) = (self.shape(), other.shape()) else {
            return Err(refuse("takes matrices or stacks of them"));
        };
        if k != inner {
            return Err(refuse(
                "the last axis is as long as the other operand's last but one",
            ));
        }
        // Rows beside columns: `[.., m, 1, k]` and `[.., 1, n, k]`.
        let rows = self.placed(|t| t.expand_dims(&[-2]))?;
        let columns = other.placed(|t| t.transpose(-1, -2)?.expand_dims(&[-3]))?;
        let (x, y, mut shape) = rows.together("matmul", &columns)?;
        shape.pop();
        let numel = m * n * shape[..shape.len() - 2].iter().product::<usize>();
        let bytes = rows.bytes_of(numel).saturating_add(columns.bytes_of(numel));
        let points = each(numel, &shape, bytes, |place| {
            let terms = place * k..(place + 1) * k;
            terms.into_iter().try_fold(GoldenBig::zero(), |sum, at| {
                let (x, y) = (
                    &rows.points[x[at] as usize],
                    &columns.points[y[at] as usize],
                );
                sum.plus(&x.times(y)?)
            })
        })?;
        GoldenBigArray::new(points, &shape)
    }

    /// `-self`.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(2, -3)?], &[1])?;
    /// assert_eq!(x.negated()?.points(), [GoldenBig::new(-2, 3)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn negated(&self) -> Result<GoldenBigArray> {
        self.alone(|x| Ok(x.negated()))
    }

    /// The conjugates, by φ ↦ 1 - φ. Errors as [`GoldenBigArray::plus`].
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(0, 1)?], &[1])?;
    /// assert_eq!(x.conjugate()?.points(), [GoldenBig::new(1, -1)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conjugate(&self) -> Result<GoldenBigArray> {
        self.alone(GoldenBig::conjugate)
    }

    /// Times φ. Errors as [`GoldenBigArray::plus`].
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(3, 5)?], &[1])?;
    /// assert_eq!(x.times_phi()?.points(), [GoldenBig::new(5, 8)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn times_phi(&self) -> Result<GoldenBigArray> {
        self.alone(GoldenBig::times_phi)
    }

    /// Over φ. Errors as [`GoldenBigArray::plus`].
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(5, 8)?], &[1])?;
    /// assert_eq!(x.over_phi()?.points(), [GoldenBig::new(3, 5)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn over_phi(&self) -> Result<GoldenBigArray> {
        self.alone(GoldenBig::over_phi)
    }

    /// The absolute values.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(1, -1)?], &[1])?;
    /// assert_eq!(x.magnitude()?.points(), [GoldenBig::new(-1, 1)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn magnitude(&self) -> Result<GoldenBigArray> {
        self.alone(|x| Ok(x.magnitude()))
    }

    /// The power with one integer exponent for all; with a negative one that of the inverses. A power of 0 is 1.
    ///
    /// Errors: [`ExactError::TooLarge`] and [`ExactError::NotUnit`] with the place of the first element, and memory that there is not for
    /// results as large as they will be.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![Golden::PHI.into(), GoldenBig::from(-1)], &[2])?;
    /// assert_eq!(x.power(500)?.times(&x.power(-500)?)?.points(), [GoldenBig::one(), GoldenBig::one()]);
    /// assert!(x.power(i64::MAX).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn power(&self, exponent: i64) -> Result<GoldenBigArray> {
        let times = exponent.unsigned_abs();
        let base = match exponent < 0 {
            true => self.inverse()?,
            false => self.clone(),
        };
        // A power grows in bits as its exponent does, up to the most that is kept; those of 0, 1 and -1 stay.
        let bits = |x: &GoldenBig| match (x.a().bits(), x.b().bits()) {
            (0 | 1, 0) => 1,
            (a, b) => (a.max(b) + 2).saturating_mul(times).min(GoldenBig::BITS),
        };
        let bytes = base.points.iter().map(|x| bits(x) / 4 + 2 * OVERHEAD);
        base.each_of(bytes.sum(), |x| x.power(times))
    }

    /// The inverses of units `±φ^k`. Errors: [`ExactError::NotUnit`] with the place of the first element that is none.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![Golden::PHI.into(), GoldenBig::from(-1)], &[2])?;
    /// assert_eq!(x.inverse()?.points(), [GoldenBig::new(-1, 1)?, GoldenBig::from(-1)]);
    /// assert!(x.plus(&x)?.inverse().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inverse(&self) -> Result<GoldenBigArray> {
        self.alone(GoldenBig::inverse)
    }

    /// What the quotients rounded down leave, `x - y floor(x / y)`, with the sign of the divisor, broadcast together. Errors:
    /// [`ExactError::ZeroDivisor`] with the place of the first element, and those of [`GoldenBigArray::plus`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::from(10), GoldenBig::new(0, -7)?], &[2])?;
    /// let phi = GoldenBigArray::new(vec![Golden::PHI.into()], &[])?;
    /// assert_eq!(x.remainder(&phi)?.points(), [GoldenBig::new(10, -6)?, GoldenBig::zero()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remainder(&self, other: &GoldenBigArray) -> Result<GoldenBigArray> {
        self.pairs("remainder", other, GoldenBig::remainder)
    }

    /// The greatest common divisors, as of [`GoldenBig::gcd`], broadcast together. Errors as [`GoldenBigArray::plus`].
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::from(12)], &[1])?;
    /// let y = GoldenBigArray::new(vec![GoldenBig::from(-18)], &[1])?;
    /// assert_eq!(x.gcd(&y)?.points(), [GoldenBig::from(6)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gcd(&self, other: &GoldenBigArray) -> Result<GoldenBigArray> {
        self.pairs("gcd", other, GoldenBig::gcd)
    }

    /// The larger of each pair, by the exact order, broadcast together.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![Golden::PHI.into(), GoldenBig::zero()], &[2])?;
    /// let one = GoldenBigArray::new(vec![GoldenBig::one()], &[])?;
    /// assert_eq!(x.maximum(&one)?.points(), [Golden::PHI.into(), GoldenBig::one()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn maximum(&self, other: &GoldenBigArray) -> Result<GoldenBigArray> {
        self.pairs("maximum", other, |x, y| Ok(x.max(y).clone()))
    }

    /// The smaller of each pair, by the exact order, broadcast together.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![Golden::PHI.into(), GoldenBig::zero()], &[2])?;
    /// let one = GoldenBigArray::new(vec![GoldenBig::one()], &[])?;
    /// assert_eq!(x.minimum(&one)?.points(), [GoldenBig::one(), GoldenBig::zero()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn minimum(&self, other: &GoldenBigArray) -> Result<GoldenBigArray> {
        self.pairs("minimum", other, |x, y| Ok(x.min(y).clone()))
    }

    /// The exact order as `int64`: -1 where `self` is smaller, 0 where both are equal, 1 where it is larger, broadcast together.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(-8, 5)?, GoldenBig::zero(), GoldenBig::new(8, -5)?], &[3])?;
    /// let zero = GoldenBigArray::new(vec![GoldenBig::zero()], &[])?;
    /// assert_eq!(x.compare(&zero)?.to_vec::<i64>()?, [1, 0, -1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&self, other: &GoldenBigArray) -> Result<Tensor> {
        let (x, y, shape) = self.together("compare", other)?;
        let signs = each(x.len(), &shape, 0, |k| {
            let (x, y) = (&self.points[x[k] as usize], &other.points[y[k] as usize]);
            Ok(x.cmp(y) as i64)
        })?;
        Ok(Tensor::from_vec(signs, &shape)?)
    }

    /// What each number gives, which is about as long as the number.
    fn alone(&self, of: impl Fn(&GoldenBig) -> Made) -> Result<GoldenBigArray> {
        self.each_of(self.bytes(), of)
    }

    /// What each number gives, so many bytes for all.
    pub(super) fn each_of(
        &self,
        bytes: u64,
        of: impl Fn(&GoldenBig) -> Made,
    ) -> Result<GoldenBigArray> {
        let points = each(self.numel(), &self.shape, bytes, |k| of(&self.points[k]))?;
        Ok(GoldenBigArray {
            points: Arc::new(points),
            shape: self.shape.to_vec(), // few: axes.
        })
    }

    /// What pairs give, broadcast together. A result is as long as both of a pair at most.
    pub(super) fn pairs(
        &self,
        op: &'static str,
        other: &GoldenBigArray,
        of: impl Fn(&GoldenBig, &GoldenBig) -> Made,
    ) -> Result<GoldenBigArray> {
        let (x, y, shape) = self.together(op, other)?;
        let bytes = self
            .bytes_of(x.len())
            .saturating_add(other.bytes_of(x.len()));
        let points = each(x.len(), &shape, bytes, |k| {
            of(&self.points[x[k] as usize], &other.points[y[k] as usize])
        })?;
        GoldenBigArray::new(points, &shape)
    }
}
