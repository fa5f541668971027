//! A golden integer of any size.

use crate::exact::parts::{Parts, power};
use crate::exact::{ExactError, Golden};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::fmt;

/// `a + b φ` with integers `a` and `b` of any size up to [`GoldenBig::BITS`] bits: [`Golden`] beyond 64 bits, with the same conventions.
///
/// Every operation is exact. A coefficient of a result with more bits is [`ExactError::TooLarge`], so that a large exponent is an
/// error before it takes all memory.
///
/// ```
/// use syntonic_srt::exact::{Golden, GoldenBig};
///
/// let large = GoldenBig::from(Golden::new(i64::MAX, 1));
/// let square = large.times(&large)?;
/// assert_eq!(square.a().to_string(), "85070591730234615847396907784232501250");
/// assert_eq!(square.floor_over(&large)?, large.floor());
/// assert!(GoldenBig::from(2).power(1 << 40).is_err());
/// # Ok::<(), syntonic_srt::exact::ExactError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct GoldenBig(pub(in crate::exact) Parts<BigInt>);

/// The form in files.
#[derive(serde::Serialize, serde::Deserialize)]
struct Written {
    a: BigInt,
    b: BigInt,
}

impl TryFrom<Written> for GoldenBig {
    type Error = ExactError;

    fn try_from(written: Written) -> Result<GoldenBig, ExactError> {
        GoldenBig::new(written.a, written.b)
    }
}

impl From<GoldenBig> for Written {
    fn from(x: GoldenBig) -> Written {
        Written { a: x.0.a, b: x.0.b }
    }
}

/// What was computed, if it is not too large.
pub(super) fn kept(op: &'static str, made: Option<Parts<BigInt>>) -> Result<GoldenBig, ExactError> {
    let large = ExactError::TooLarge {
        op,
        bits: GoldenBig::BITS,
    };
    let fits = |x: &BigInt| x.bits() <= GoldenBig::BITS;
    let made = made.filter(|made| fits(&made.a) && fits(&made.b));
    made.map(GoldenBig).ok_or(large)
}

impl GoldenBig {
    /// The most bits of a coefficient: some 315 thousand digits, of which a product takes milliseconds.
    pub const BITS: u64 = 1 << 20;

    /// `a + b φ`. Errors: [`ExactError::TooLarge`].
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// let x = GoldenBig::new(u128::MAX, -1)?;
    /// assert_eq!(x.to_string(), "340282366920938463463374607431768211455 - 1φ");
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn new(a: impl Into<BigInt>, b: impl Into<BigInt>) -> Result<GoldenBig, ExactError> {
        kept("golden integer", Some(Parts::new(a.into(), b.into())))
    }

    /// 0.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// assert_eq!(GoldenBig::zero(), Golden::ZERO.into());
    /// ```
    pub fn zero() -> GoldenBig {
        Golden::ZERO.into()
    }

    /// 1.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// assert_eq!(GoldenBig::one(), Golden::ONE.into());
    /// ```
    pub fn one() -> GoldenBig {
        GoldenBig(Parts::one())
    }

    /// The rational part.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(3, 5)?.a(), &3.into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn a(&self) -> &BigInt {
        &self.0.a
    }

    /// The factor of φ.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(3, 5)?.b(), &5.into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn b(&self) -> &BigInt {
        &self.0.b
    }

    /// The number in 64 bits. Errors: [`ExactError::Overflow`] where a coefficient does not fit.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// assert_eq!(GoldenBig::new(3, 5)?.narrow()?, Golden::new(3, 5));
    /// assert!(GoldenBig::new(u64::MAX, 0)?.narrow().is_err());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn narrow(&self) -> Result<Golden, ExactError> {
        match (i64::try_from(&self.0.a), i64::try_from(&self.0.b)) {
            (Ok(a), Ok(b)) => Ok(Golden::new(a, b)),
            _ => Err(ExactError::Overflow { op: "narrow" }),
        }
    }

    /// `(a + c) + (b + d) φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(1, 2)?.plus(&GoldenBig::new(10, 20)?)?, GoldenBig::new(11, 22)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn plus(&self, other: &GoldenBig) -> Result<GoldenBig, ExactError> {
        kept("plus", self.0.plus(&other.0))
    }

    /// `(a - c) + (b - d) φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(1, 2)?.minus(&GoldenBig::new(10, 20)?)?, GoldenBig::new(-9, -18)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn minus(&self, other: &GoldenBig) -> Result<GoldenBig, ExactError> {
        kept("minus", self.0.minus(&other.0))
    }

    /// `-a - b φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(1, -2)?.negated(), GoldenBig::new(-1, 2)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn negated(&self) -> GoldenBig {
        GoldenBig(Parts::new(-&self.0.a, -&self.0.b))
    }

    /// `(a c + b d) + (a d + b c + b d) φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// let phi = GoldenBig::from(Golden::PHI);
    /// assert_eq!(phi.times(&phi)?, GoldenBig::new(1, 1)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn times(&self, other: &GoldenBig) -> Result<GoldenBig, ExactError> {
        kept("times", self.0.times(&other.0))
    }

    /// `a + b φ` times φ: `b + (a + b) φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(3, 5)?.times_phi()?, GoldenBig::new(5, 8)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn times_phi(&self) -> Result<GoldenBig, ExactError> {
        kept("times_phi", self.0.times_phi())
    }

    /// `a + b φ` over φ: `(b - a) + a φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(5, 8)?.over_phi()?, GoldenBig::new(3, 5)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn over_phi(&self) -> Result<GoldenBig, ExactError> {
        kept("over_phi", self.0.over_phi())
    }

    /// The conjugate, by φ ↦ 1 - φ: `(a + b) - b φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(0, 1)?.conjugate()?, GoldenBig::new(1, -1)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn conjugate(&self) -> Result<GoldenBig, ExactError> {
        kept("conjugate", self.0.conjugate())
    }

    /// The norm, the product with the conjugate: `a² + a b - b²`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(1u64 << 63, 0)?.norm(), (1u128 << 126).into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn norm(&self) -> BigInt {
        self.0.norm()
    }

    /// The trace, the sum with the conjugate: `2 a + b`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(3, 5)?.trace(), 11.into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn trace(&self) -> BigInt {
        self.0.trace()
    }

    /// -1, 0 or 1, as the real number `a + b φ` is.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!((GoldenBig::new(-8, 5)?.signum(), GoldenBig::new(8, -5)?.signum()), (1, -1));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn signum(&self) -> i32 {
        self.0.sign() as i32
    }

    /// The absolute value.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// // 1 - φ is negative.
    /// assert_eq!(GoldenBig::new(1, -1)?.magnitude(), GoldenBig::new(-1, 1)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn magnitude(&self) -> GoldenBig {
        match self.signum() {
            -1 => self.negated(),
            _ => self.clone(),
        }
    }

    /// The power with an exponent of 0 or more, by squaring; a power of 0 is 1. Errors: [`ExactError::TooLarge`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// let power = GoldenBig::from(Golden::PHI).power(100)?;
    /// assert_eq!(power.b().to_string(), "354224848179261915075");
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn power(&self, exponent: u64) -> Result<GoldenBig, ExactError> {
        let times = |x: &GoldenBig, y: &GoldenBig| kept("power", x.0.times(&y.0));
        power(GoldenBig::one(), self.clone(), exponent, times)
    }

    /// `φ^n = F_(n-1) + F_n φ`. Errors: [`ExactError::TooLarge`] beyond about a million and a half with either sign.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// let (up, down) = (GoldenBig::phi_power(1000)?, GoldenBig::phi_power(-1000)?);
    /// assert_eq!(up.times(&down)?, GoldenBig::one());
    /// assert!(GoldenBig::phi_power(i64::MIN).is_err());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn phi_power(n: i64) -> Result<GoldenBig, ExactError> {
        let step = match n < 0 {
            true => Golden::new(-1, 1),
            false => Golden::PHI,
        };
        GoldenBig::from(step).power(n.unsigned_abs())
    }
}

impl Default for GoldenBig {
    fn default() -> GoldenBig {
        GoldenBig::zero()
    }
}

impl From<Golden> for GoldenBig {
    fn from(x: Golden) -> GoldenBig {
        GoldenBig(Parts::new(x.a.into(), x.b.into()))
    }
}

impl From<i64> for GoldenBig {
    fn from(a: i64) -> GoldenBig {
        Golden::from(a).into()
    }
}

/// By value, as of [`Golden`].
impl Ord for GoldenBig {
    fn cmp(&self, other: &GoldenBig) -> Ordering {
        self.0.compare(&other.0)
    }
}

impl PartialOrd for GoldenBig {
    fn partial_cmp(&self, other: &GoldenBig) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for GoldenBig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0.b.sign() {
            num_bigint::Sign::Minus => '-',
            _ => '+',
        };
        write!(f, "{} {sign} {}φ", self.0.a, self.0.b.magnitude())
    }
}
