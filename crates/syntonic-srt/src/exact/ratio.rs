//! The field Q(φ) over integers of any kind: each algorithm once.

use super::parts::Parts;
use super::whole::{Whole, sign};
use std::cmp::Ordering;

/// `(a + b φ) / d` with `d` other than 0, in lowest terms or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ratio<T> {
    pub(super) top: Parts<T>,
    pub(super) below: T,
}

impl<T: Whole> Ratio<T> {
    pub(super) fn new(top: Parts<T>, below: T) -> Ratio<T> {
        Ratio { top, below }
    }

    pub(super) fn whole(top: Parts<T>) -> Ratio<T> {
        Ratio::new(top, T::one())
    }

    /// In lowest terms, with a positive denominator.
    pub(super) fn lowest(&self) -> Option<Ratio<T>> {
        let divisor = T::divisor([&self.top.a, &self.top.b], &self.below);
        if divisor.is_one() {
            return Some(self.clone());
        }
        Some(Ratio {
            top: self.top.divided(&divisor)?,
            below: self.below.checked_div(&divisor)?,
        })
    }

    /// With a positive denominator.
    fn upright(self) -> Option<Ratio<T>> {
        match self.below.is_negative() {
            true => Some(Ratio::new(self.top.negated()?, self.below.opposite()?)),
            false => Some(self),
        }
    }

    /// Both numerators over the product of the denominators.
    fn crossed(&self, other: &Ratio<T>) -> Option<[Parts<T>; 2]> {
        Some([
            self.top.scaled(&other.below)?,
            other.top.scaled(&self.below)?,
        ])
    }

    pub(super) fn plus(&self, other: &Ratio<T>) -> Option<Ratio<T>> {
        let [x, y] = self.crossed(other)?;
        Some(Ratio::new(
            x.plus(&y)?,
            self.below.checked_mul(&other.below)?,
        ))
    }

    pub(super) fn minus(&self, other: &Ratio<T>) -> Option<Ratio<T>> {
        let [x, y] = self.crossed(other)?;
        Some(Ratio::new(
            x.minus(&y)?,
            self.below.checked_mul(&other.below)?,
        ))
    }

    pub(super) fn times(&self, other: &Ratio<T>) -> Option<Ratio<T>> {
        Some(Ratio::new(
            self.top.times(&other.top)?,
            self.below.checked_mul(&other.below)?,
        ))
    }

    /// The quotient. The divisor is not zero.
    pub(super) fn over(&self, other: &Ratio<T>) -> Option<Ratio<T>> {
        let (top, norm) = self.top.over(&other.top)?;
        // In lowest terms before the denominators come in, so that fewer steps leave 128 bits, and large numbers stay smaller.
        let first = Ratio::new(top, norm).lowest()?;
        Some(Ratio {
            top: first.top.scaled(&other.below)?,
            below: first.below.checked_mul(&self.below)?,
        })
    }

    /// The quotient rounded down. The divisor is not zero.
    pub(super) fn floor_over(&self, other: &Ratio<T>) -> Option<T> {
        let (top, norm) = self.top.over(&other.top)?;
        let quotient = Ratio {
            top: top.scaled(&other.below)?,
            below: norm.checked_mul(&self.below)?,
        };
        Some(quotient.upright()?.floor())
    }

    /// By value, where denominators are positive and the products with them fit.
    pub(super) fn compare(&self, other: &Ratio<T>) -> Ordering {
        let scaled = |x: &T, by: &T| x.clone() * by;
        let apart = |x: &T, y: &T| scaled(x, &other.below) - scaled(y, &self.below);
        sign(
            &apart(&self.top.a, &other.top.a),
            &apart(&self.top.b, &other.top.b),
        )
    }

    /// The largest integer that is at most the number, with a positive denominator.
    pub(super) fn floor(&self) -> T {
        // The numerator is at least n d exactly where its floor is.
        self.top.floor().div_floor(&self.below)
    }

    /// The least integer that is at least the number, which is in lowest terms.
    pub(super) fn ceil(&self) -> T {
        match self.is_integer() {
            true => self.floor(),
            false => self.floor() + T::one(),
        }
    }

    /// The integer next to the number on the side of 0. It is in lowest terms.
    pub(super) fn trunc(&self) -> T {
        match self.top.sign() {
            Ordering::Less => self.ceil(),
            _ => self.floor(),
        }
    }

    /// The nearest integer; of two that are equally near, the even one. The denominator is positive.
    pub(super) fn round_ties_even(&self) -> T {
        let floor = self.floor();
        let twice = |x: &T| x.clone() + x;
        // The sign of twice the distance from the floor, less 1, times the denominator: the parts of 64-bit numbers are below 2^67.
        let middle = (twice(&floor) + T::one()) * &self.below;
        let up = match sign(&(twice(&self.top.a) - &middle), &twice(&self.top.b)) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => floor.is_odd(),
        };
        match up {
            true => floor + T::one(),
            false => floor,
        }
    }

    /// Whether the number, in lowest terms, is an integer.
    pub(super) fn is_integer(&self) -> bool {
        self.top.b.is_zero() && self.below.is_one()
    }
}
