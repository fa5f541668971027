//! Numbers that grow as Python's integers do: of 64 bits where these suffice, else of any size.

use super::refuse;
use crate::enter::enter;
use crate::errors::{Class, error};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::cmp::Ordering;
use syntonic_core::Error;
use syntonic_srt::exact::{
    BigInt, ExactError, Golden, GoldenBig, GoldenBigFraction, GoldenFraction,
};

/// A kind of numbers of 64 bits, and the same of any size.
pub(super) trait Width: Copy + Ord + Into<<Self as Width>::Big> {
    type Big: Clone + Ord + Send + Sync;

    /// The number in 64 bits, if it fits.
    fn narrowed(big: &Self::Big) -> Option<Self>;
    /// What work with the number is worth, in elements.
    fn size(big: &Self::Big) -> usize;
    fn to_f64(self) -> f64;
    fn nearest(big: &Self::Big) -> f64;
}

fn bits(x: &GoldenBig) -> usize {
    (x.a().bits() + x.b().bits()) as usize
}

impl Width for Golden {
    type Big = GoldenBig;

    fn narrowed(big: &GoldenBig) -> Option<Golden> {
        big.narrow().ok()
    }

    fn size(big: &GoldenBig) -> usize {
        bits(big)
    }

    fn to_f64(self) -> f64 {
        Golden::to_f64(self)
    }

    fn nearest(big: &GoldenBig) -> f64 {
        big.to_f64()
    }
}

impl Width for GoldenFraction {
    type Big = GoldenBigFraction;

    fn narrowed(big: &GoldenBigFraction) -> Option<GoldenFraction> {
        big.narrow().ok()
    }

    fn size(big: &GoldenBigFraction) -> usize {
        bits(&big.numerator()) + big.denominator().bits() as usize
    }

    fn to_f64(self) -> f64 {
        GoldenFraction::to_f64(self)
    }

    fn nearest(big: &GoldenBigFraction) -> f64 {
        big.to_f64()
    }
}

/// A number; what 64 bits hold is always small, so that equal numbers have equal forms.
#[derive(Clone)]
pub(super) enum Grown<S: Width> {
    Small(S),
    Big(Box<S::Big>),
}

/// An integer `a + b φ`.
pub(super) type Int = Grown<Golden>;
/// A fraction of one.
pub(super) type Ratio = Grown<GoldenFraction>;

/// Work that the interpreter is released for where it is long.
pub(super) fn work<T: Send>(
    py: Python<'_>,
    size: usize,
    work: impl FnOnce() -> Result<T, ExactError> + Send,
) -> PyResult<T> {
    enter(py, size, || Ok::<_, Error>(work()))?.map_err(refuse)
}

impl<S: Width> Grown<S> {
    pub(super) fn of(big: S::Big) -> Grown<S> {
        match S::narrowed(&big) {
            Some(small) => Grown::Small(small),
            None => Grown::Big(Box::new(big)),
        }
    }

    /// As a number of any size.
    pub(super) fn big(&self) -> Cow<'_, S::Big> {
        match self {
            Grown::Small(small) => Cow::Owned((*small).into()),
            Grown::Big(big) => Cow::Borrowed(big),
        }
    }

    fn size(&self) -> usize {
        match self {
            Grown::Small(_) => 1,
            Grown::Big(big) => S::size(big),
        }
    }

    /// What a number gives: in 64 bits, or where that does not fit, in as many as it takes.
    pub(super) fn alone<R: Width>(
        &self,
        py: Python<'_>,
        small: impl FnOnce(S) -> Result<R, ExactError>,
        big: impl FnOnce(&S::Big) -> Result<R::Big, ExactError> + Send,
    ) -> PyResult<Grown<R>>
    where
        R::Big: Send,
    {
        if let Grown::Small(x) = self {
            match small(*x) {
                Err(ExactError::Overflow { .. }) => {}
                made => return made.map(Grown::Small).map_err(refuse),
            }
        }
        let x = self.big();
        work(py, self.size(), || big(&x)).map(Grown::of)
    }

    /// The same of two numbers.
    pub(super) fn with<R: Width>(
        &self,
        py: Python<'_>,
        other: &Grown<S>,
        small: impl FnOnce(S, S) -> Result<R, ExactError>,
        big: impl FnOnce(&S::Big, &S::Big) -> Result<R::Big, ExactError> + Send,
    ) -> PyResult<Grown<R>>
    where
        R::Big: Send,
    {
        if let (Grown::Small(x), Grown::Small(y)) = (self, other) {
            match small(*x, *y) {
                Err(ExactError::Overflow { .. }) => {}
                made => return made.map(Grown::Small).map_err(refuse),
            }
        }
        let (x, y) = (self.big(), other.big());
        work(py, self.size() + other.size(), || big(&x, &y)).map(Grown::of)
    }

    /// A Python integer that a number gives.
    pub(super) fn integer<'py>(
        &self,
        py: Python<'py>,
        small: impl FnOnce(S) -> i128,
        big: impl FnOnce(&S::Big) -> BigInt + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Grown::Small(x) => Ok(small(*x).into_pyobject(py)?.into_any()),
            Grown::Big(x) => {
                let made = work(py, self.size(), || Ok(big(x)))?;
                Ok(made.into_pyobject(py)?.into_any())
            }
        }
    }

    pub(super) fn order(&self, other: &Grown<S>) -> Ordering {
        match (self, other) {
            (Grown::Small(x), Grown::Small(y)) => x.cmp(y),
            _ => self.big().cmp(&other.big()),
        }
    }

    /// What is written of a number. Large ones have all their digits, other than those of `int`, so that nothing is too long to be shown.
    pub(super) fn text(
        &self,
        py: Python<'_>,
        small: impl FnOnce(S) -> String,
        big: impl FnOnce(&S::Big) -> String + Send,
    ) -> PyResult<String> {
        match self {
            Grown::Small(x) => Ok(small(*x)),
            Grown::Big(x) => work(py, self.size(), || Ok(big(x))),
        }
    }

    /// In double precision; an integer that is beyond is told as Python tells its own.
    pub(super) fn float(&self) -> PyResult<f64> {
        let value = match self {
            Grown::Small(x) => x.to_f64(),
            Grown::Big(x) => S::nearest(x),
        };
        match value.is_finite() {
            true => Ok(value),
            false => {
                let text = "float: the number is beyond all doubles; hint: compare it as it is";
                Err(error(Class::IntegerOverflow, text.to_owned()))
            }
        }
    }
}

impl Int {
    /// The number where 64 bits are held, as in arrays.
    pub(super) fn point(&self) -> PyResult<Golden> {
        match self {
            Grown::Small(point) => Ok(*point),
            Grown::Big(big) => big.narrow().map_err(refuse),
        }
    }

    pub(super) fn fraction(self) -> Ratio {
        match self {
            Grown::Small(x) => Grown::Small(x.into()),
            Grown::Big(x) => Grown::Big(Box::new((*x).into())),
        }
    }

    pub(super) fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Grown::Small(x) => x.a.into_pyobject(py)?.into_any(),
            Grown::Big(x) => x.a().into_pyobject(py)?.into_any(),
        })
    }

    pub(super) fn b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Grown::Small(x) => x.b.into_pyobject(py)?.into_any(),
            Grown::Big(x) => x.b().into_pyobject(py)?.into_any(),
        })
    }
}

impl Ratio {
    pub(super) fn numerator(&self) -> Int {
        match self {
            Grown::Small(x) => Grown::Small(x.numerator()),
            Grown::Big(x) => Grown::of(x.numerator()),
        }
    }

    pub(super) fn denominator<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Grown::Small(x) => x.denominator().into_pyobject(py)?.into_any(),
            Grown::Big(x) => x.denominator().into_pyobject(py)?.into_any(),
        })
    }

    /// The number where it is a golden integer.
    pub(super) fn whole(&self) -> Option<Int> {
        let whole = match self {
            Grown::Small(x) => x.denominator() == 1,
            Grown::Big(x) => x.denominator() == &BigInt::from(1),
        };
        whole.then(|| self.numerator())
    }
}
