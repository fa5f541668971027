//! What a sum takes for each element where that is a product or a square: a third of the time of a variance goes by if
//! distances and their squares are written down on the way.

use super::number::Number;

/// What a fold takes for each element, of the operands `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// `a[i]`.
    Value,
    /// `a[i] b[i]`.
    Product,
    /// `(a[i] - b[i])^2`.
    SquaredDifference,
    /// `(a[i] - b[0])^2`.
    SquaredDeviation,
    /// `a[i] - b[0]`.
    Deviation,
    /// `a[i] b[0]`.
    Multiple,
}

impl Term {
    /// Whether one number is read at `b`.
    pub(crate) fn beside_number(self) -> bool {
        match self {
            Term::SquaredDeviation | Term::Deviation | Term::Multiple => true,
            Term::Value | Term::Product | Term::SquaredDifference => false,
        }
    }

    /// Whether making it anew costs no more than reading it.
    pub(crate) fn is_slight(self) -> bool {
        matches!(self, Term::Deviation | Term::Multiple)
    }
}

/// The terms of elements that lie one after the other.
pub(super) trait Terms: Copy + 'static {
    type Item: Copy;
    /// Terms of operands that lie at `a` and `b`.
    ///
    /// # Safety
    /// A single number at `b` is readable.
    unsafe fn over(a: *const u8, b: *const u8) -> Self;
    /// Term `i`.
    ///
    /// # Safety
    /// The operands have an element `i`.
    unsafe fn at(&self, i: usize) -> Self::Item;
    /// Where the first operand's element `i` lies.
    fn address(&self, i: usize) -> *const u8;
}

/// [`Term::Value`].
#[derive(Clone, Copy)]
pub(super) struct Values<T>(*const T);

/// [`Term::Product`].
#[derive(Clone, Copy)]
pub(super) struct Products<T>(*const T, *const T);

/// [`Term::SquaredDifference`].
#[derive(Clone, Copy)]
pub(super) struct SquaredDifferences<T>(*const T, *const T);

/// [`Term::SquaredDeviation`].
#[derive(Clone, Copy)]
pub(super) struct SquaredDeviations<T>(*const T, T);

/// [`Term::Deviation`].
#[derive(Clone, Copy)]
pub(super) struct Deviations<T>(*const T, T);

/// [`Term::Multiple`].
#[derive(Clone, Copy)]
pub(super) struct Multiples<T>(*const T, T);

#[inline(always)]
fn squared_distance<T: Number>(x: T, y: T) -> T {
    let distance = x.minus(y);
    distance.times(distance)
}

macro_rules! terms {
    ($($name:ident [$bound:path] |$a:ident, $b:ident| $over:expr, |$of:ident, $i:ident| $at:expr;)*) => {$(
        impl<T: $bound + Copy + 'static> Terms for $name<T> {
            type Item = T;
            #[inline(always)]
            unsafe fn over($a: *const u8, $b: *const u8) -> Self {
                $over
            }
            #[inline(always)]
            unsafe fn at(&self, $i: usize) -> T {
                let $of = self;
                // SAFETY: the caller's promise.
                unsafe { $at }
            }
            #[inline(always)]
            fn address(&self, i: usize) -> *const u8 {
                self.0.wrapping_add(i).cast()
            }
        }
    )*};
}
terms! {
    Values [Sized] |a, _b| Values(a.cast()), |of, i| of.0.add(i).read();
    Products [Number] |a, b| Products(a.cast(), b.cast()), |of, i| of.0.add(i).read().times(of.1.add(i).read());
    SquaredDifferences [Number] |a, b| SquaredDifferences(a.cast(), b.cast()),
        |of, i| squared_distance(of.0.add(i).read(), of.1.add(i).read());
    SquaredDeviations [Number] // SAFETY: the caller's promise.
        |a, b| SquaredDeviations(a.cast(), unsafe { b.cast::<T>().read_unaligned() }),
        |of, i| squared_distance(of.0.add(i).read(), of.1);
    Deviations [Number] // SAFETY: the caller's promise.
        |a, b| Deviations(a.cast(), unsafe { b.cast::<T>().read_unaligned() }),
        |of, i| of.0.add(i).read().minus(of.1);
    Multiples [Number] // SAFETY: the caller's promise.
        |a, b| Multiples(a.cast(), unsafe { b.cast::<T>().read_unaligned() }),
        |of, i| of.0.add(i).read().times(of.1);
}
