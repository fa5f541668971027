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
    /// `a[i]` of `float32` as `float64`.
    Widened,
    /// `(a[i] - b[0])^2`, where `a` is `float32` and all else `float64`.
    WidenedDeviation,
}

impl Term {
    /// Whether one number is read at `b`.
    pub(crate) fn beside_number(self) -> bool {
        match self {
            Term::SquaredDeviation | Term::Deviation | Term::Multiple => true,
            Term::WidenedDeviation => true,
            Term::Value | Term::Product | Term::SquaredDifference | Term::Widened => false,
        }
    }

    /// Whether making it anew costs no more than reading it.
    pub(crate) fn is_slight(self) -> bool {
        matches!(self, Term::Deviation | Term::Multiple | Term::Widened)
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

/// [`Term::Widened`].
#[derive(Clone, Copy)]
pub(super) struct WidenedValues(*const f32);

/// [`Term::WidenedDeviation`].
#[derive(Clone, Copy)]
pub(super) struct WidenedDeviations(*const f32, f64);

#[inline(always)]
fn squared_distance<T: Number>(x: T, y: T) -> T {
    let distance = x.minus(y);
    distance.times(distance)
}

macro_rules! terms {
    ($([$($t:ident: $bound:path)?] $name:ty => $item:ty, |$a:ident, $b:ident| $over:expr, |$of:ident, $i:ident| $at:expr;)*) => {$(
        impl$(<$t: $bound + Copy + 'static>)? Terms for $name {
            type Item = $item;
            #[inline(always)]
            unsafe fn over($a: *const u8, $b: *const u8) -> Self {
                $over
            }
            #[inline(always)]
            unsafe fn at(&self, $i: usize) -> $item {
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
    [T: Sized] Values<T> => T, |a, _b| Values(a.cast()), |of, i| of.0.add(i).read();
    [T: Number] Products<T> => T, |a, b| Products(a.cast(), b.cast()),
        |of, i| of.0.add(i).read().times(of.1.add(i).read());
    [T: Number] SquaredDifferences<T> => T, |a, b| SquaredDifferences(a.cast(), b.cast()),
        |of, i| squared_distance(of.0.add(i).read(), of.1.add(i).read());
    [T: Number] SquaredDeviations<T> => T, // SAFETY: the caller's promise.
        |a, b| SquaredDeviations(a.cast(), unsafe { b.cast::<T>().read_unaligned() }),
        |of, i| squared_distance(of.0.add(i).read(), of.1);
    [T: Number] Deviations<T> => T, // SAFETY: the caller's promise.
        |a, b| Deviations(a.cast(), unsafe { b.cast::<T>().read_unaligned() }),
        |of, i| of.0.add(i).read().minus(of.1);
    [T: Number] Multiples<T> => T, // SAFETY: the caller's promise.
        |a, b| Multiples(a.cast(), unsafe { b.cast::<T>().read_unaligned() }),
        |of, i| of.0.add(i).read().times(of.1);
    [] WidenedValues => f64, |a, _b| WidenedValues(a.cast()), |of, i| f64::from(of.0.add(i).read());
    [] WidenedDeviations => f64, // SAFETY: the caller's promise.
        |a, b| WidenedDeviations(a.cast(), unsafe { b.cast::<f64>().read_unaligned() }),
        |of, i| squared_distance(f64::from(of.0.add(i).read()), of.1);
}
