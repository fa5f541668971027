//! The ring Z\[φ\] and its division, over integers of any kind: each algorithm once.

use super::whole::{Whole, sign};
use std::cmp::Ordering;

/// `a + b φ` by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Parts<T> {
    pub(super) a: T,
    pub(super) b: T,
}

impl<T: Whole> Parts<T> {
    pub(super) fn new(a: T, b: T) -> Parts<T> {
        Parts { a, b }
    }

    pub(super) fn one() -> Parts<T> {
        Parts::new(T::one(), T::zero())
    }

    pub(super) fn is_zero(&self) -> bool {
        self.a.is_zero() && self.b.is_zero()
    }

    pub(super) fn plus(&self, other: &Parts<T>) -> Option<Parts<T>> {
        let (a, b) = (self.a.checked_add(&other.a)?, self.b.checked_add(&other.b)?);
        Some(Parts { a, b })
    }

    pub(super) fn minus(&self, other: &Parts<T>) -> Option<Parts<T>> {
        let (a, b) = (self.a.checked_sub(&other.a)?, self.b.checked_sub(&other.b)?);
        Some(Parts { a, b })
    }

    pub(super) fn negated(&self) -> Option<Parts<T>> {
        Some(Parts::new(self.a.opposite()?, self.b.opposite()?))
    }

    /// `(a c + b d) + (a d + b c + b d) φ`.
    pub(super) fn times(&self, other: &Parts<T>) -> Option<Parts<T>> {
        let last = self.b.checked_mul(&other.b)?;
        let (first, second) = (self.a.checked_mul(&other.b)?, self.b.checked_mul(&other.a)?);
        Some(Parts {
            a: self.a.checked_mul(&other.a)?.checked_add(&last)?,
            b: first.checked_add(&second)?.checked_add(&last)?,
        })
    }

    pub(super) fn scaled(&self, by: &T) -> Option<Parts<T>> {
        Some(Parts::new(self.a.checked_mul(by)?, self.b.checked_mul(by)?))
    }

    /// Both parts by a number that divides them.
    pub(super) fn divided(&self, by: &T) -> Option<Parts<T>> {
        Some(Parts::new(self.a.checked_div(by)?, self.b.checked_div(by)?))
    }

    pub(super) fn times_phi(&self) -> Option<Parts<T>> {
        Some(Parts::new(self.b.clone(), self.a.checked_add(&self.b)?))
    }

    pub(super) fn over_phi(&self) -> Option<Parts<T>> {
        Some(Parts::new(self.b.checked_sub(&self.a)?, self.a.clone()))
    }

    pub(super) fn conjugate(&self) -> Option<Parts<T>> {
        Some(Parts::new(self.a.checked_add(&self.b)?, self.b.opposite()?))
    }

    /// `a² + a b - b²`, which fits for parts of half as many bits: in this order no step leaves 128 bits.
    pub(super) fn norm(&self) -> T {
        self.a.clone() * &self.a + (self.a.clone() - &self.b) * &self.b
    }

    /// `2 a + b`, which fits for parts of two bits less.
    pub(super) fn trace(&self) -> T {
        self.a.clone() + &self.a + &self.b
    }

    pub(super) fn sign(&self) -> Ordering {
        sign(&self.a, &self.b)
    }

    /// By value, where the difference fits, as that of parts of one bit less does.
    pub(super) fn compare(&self, other: &Parts<T>) -> Ordering {
        let apart = |x: &T, y: &T| x.clone() - y;
        sign(&apart(&self.a, &other.a), &apart(&self.b, &other.b))
    }

    /// The largest integer that is at most the number.
    pub(super) fn floor(&self) -> T {
        self.b.times_phi_floor() + &self.a
    }

    /// The numerator and the denominator of a quotient, not in lowest terms: times the conjugate, over the norm. The divisor is not zero.
    pub(super) fn over(&self, other: &Parts<T>) -> Option<(Parts<T>, T)> {
        let conjugate = other.conjugate()?;
        // The norm is the product with the conjugate.
        let norm = other.times(&conjugate)?.a;
        Some((self.times(&conjugate)?, norm))
    }

    /// `x - q y` with the golden integer `q` whose parts are next to those of `x / y`: its norm is at most 5/16 of that of `y`.
    pub(super) fn rest(&self, other: &Parts<T>) -> Option<Parts<T>> {
        let (top, norm) = self.over(other)?;
        let quotient = Parts::new(nearest(&top.a, &norm)?, nearest(&top.b, &norm)?);
        self.minus(&quotient.times(other)?)
    }

    /// The one of a number's associates that stands for all: 0, or positive with `1 <= g / |g'| < φ²`.
    pub(super) fn associate(self) -> Option<Parts<T>> {
        let mut one = match self.sign() {
            Ordering::Equal => return Some(self),
            Ordering::Less => self.negated()?,
            Ordering::Greater => self,
        };
        // g >= |g'| exactly where g - g' = b √5 and g + g' = 2 a + b are 0 or more.
        let twice = |x: &T| x.checked_add(x);
        while one.b.is_negative() || twice(&one.a)?.checked_add(&one.b)?.is_negative() {
            one = one.times_phi()?;
        }
        // The same of g / φ = (b - a) + a φ.
        while !one.a.is_negative() && twice(&one.b)? >= one.a {
            one = one.over_phi()?;
        }
        Some(one)
    }
}

/// The integer nearest to `n / d`; of two, the larger.
fn nearest<T: Whole>(n: &T, d: &T) -> Option<T> {
    let (n, d) = match d.is_negative() {
        true => (n.opposite()?, d.opposite()?),
        false => (n.clone(), d.clone()),
    };
    let (floor, left) = n.div_mod_floor(&d);
    let up = left >= d - &left;
    Some(match up {
        true => floor + T::one(),
        false => floor,
    })
}

/// A power by squaring, from what stands for 1: no square is made that is not needed.
pub(super) fn power<X: Clone, E>(
    one: X,
    x: X,
    exponent: u64,
    times: impl Fn(&X, &X) -> Result<X, E>,
) -> Result<X, E> {
    let (mut result, mut square, mut left) = (one, x, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = times(&result, &square)?;
        }
        left /= 2;
        if left > 0 {
            square = times(&square, &square)?;
        }
    }
    Ok(result)
}
