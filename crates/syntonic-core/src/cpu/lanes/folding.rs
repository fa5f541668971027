//! What a fold does with one element, and with two partial values.

use super::number::{Real, Ring};
use num_complex::Complex;

/// Neighbours that are joined before they are widened, a power of two.
pub(super) const NEAR: usize = 8;

/// A fold of elements `Item` into a partial value `Acc`.
pub(super) trait Folding: 'static {
    type Item: Copy;
    type Acc: Copy;
    /// What neighbours come to before they are widened.
    type Near: Copy + Default;
    /// True if every order gives the same bits: then the compiler chooses one.
    const EXACT: bool;
    fn lift(item: Self::Item) -> Self::Acc;
    fn join(x: Self::Acc, y: Self::Acc) -> Self::Acc;
    /// A value that joins without effect.
    fn start(first: Self::Item) -> Self::Acc;
    /// Neighbours of one lane, joined as a tree.
    fn near(items: [Self::Item; NEAR]) -> Self::Near;
    /// Their partial value.
    fn widen(near: Self::Near) -> Self::Acc;
}

/// `items` joined in pairs, the results in pairs again, to the last.
#[inline(always)]
fn tree<T: Copy>(mut items: [T; NEAR], join: impl Fn(T, T) -> T) -> T {
    let mut width = NEAR;
    while width > 1 {
        width /= 2;
        for i in 0..width {
            items[i] = join(items[i], items[i + width]);
        }
    }
    items[0]
}

/// An element that sums and multiplies into `Acc`, and is zero or not.
pub(super) trait Item: Ring {
    type Acc: Ring + Default;
    /// What neighbours are summed in: narrow floats in their own type, which costs three roundings.
    type Near: Copy + Default;
    const ZERO: Self::Acc;
    const ONE: Self::Acc;
    /// True where sums and products are exact (they wrap).
    const INTEGER: bool;
    fn widen(self) -> Self::Acc;
    fn holds(self) -> bool;

    /// The sum of neighbours.
    fn total(items: [Self; NEAR]) -> Self::Near;
    fn widen_total(total: Self::Near) -> Self::Acc;
}

macro_rules! items {
    ($($t:ty => $acc:ty, $near:ty, $integer:literal, $zero:expr, $one:expr, |$x:ident| $widen:expr, $holds:expr);* $(;)?) => {$(
        impl Item for $t {
            type Acc = $acc;
            type Near = $near;
            const ZERO: $acc = $zero;
            const ONE: $acc = $one;
            const INTEGER: bool = $integer;
            #[inline(always)]
            fn widen(self) -> $acc {
                let $x = self;
                $widen
            }
            #[inline(always)]
            fn holds(self) -> bool {
                let $x = self;
                $holds
            }
            #[inline(always)]
            fn total(items: [$t; NEAR]) -> $near {
                tree(items.map(Into::into), |x: $near, y| x.plus(y))
            }
            #[inline(always)]
            fn widen_total(total: $near) -> $acc {
                total.widen()
            }
        }
    )*};
}
items!(
    bool => i64, i64, true, 0, 1, |x| i64::from(x), x;
    i8 => i64, i64, true, 0, 1, |x| i64::from(x), x != 0;
    i16 => i64, i64, true, 0, 1, |x| i64::from(x), x != 0;
    i32 => i64, i64, true, 0, 1, |x| i64::from(x), x != 0;
    i64 => i64, i64, true, 0, 1, |x| x, x != 0;
    u8 => u64, u64, true, 0, 1, |x| u64::from(x), x != 0;
    u16 => u64, u64, true, 0, 1, |x| u64::from(x), x != 0;
    u32 => u64, u64, true, 0, 1, |x| u64::from(x), x != 0;
    u64 => u64, u64, true, 0, 1, |x| x, x != 0;
    f32 => f64, f32, false, 0.0, 1.0, |x| f64::from(x), x != 0.0;
    f64 => f64, f64, false, 0.0, 1.0, |x| x, x != 0.0;
    Complex<f32> => Complex<f64>, Complex<f32>, false, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0),
        |x| Complex::new(f64::from(x.re), f64::from(x.im)), (x.re != 0.0) | (x.im != 0.0);
    Complex<f64> => Complex<f64>, Complex<f64>, false, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0),
        |x| x, (x.re != 0.0) | (x.im != 0.0);
);

macro_rules! foldings {
    ($($name:ident [$t:ident: $bound:path] -> $acc:ty, by $nt:ty, exact $exact:expr, |$item:ident| $lift:expr, |$x:ident, $y:ident| $join:expr, |$first:ident| $start:expr, |$near:ident| $together:expr, |$wide:ident| $widen:expr;)*) => {$(
        pub(super) struct $name<T>(std::marker::PhantomData<T>);
        impl<$t: $bound> Folding for $name<$t> {
            type Item = $t;
            type Acc = $acc;
            type Near = $nt;
            const EXACT: bool = $exact;
            #[inline(always)]
            fn lift($item: $t) -> $acc {
                $lift
            }
            #[inline(always)]
            fn join($x: $acc, $y: $acc) -> $acc {
                $join
            }
            #[inline(always)]
            fn start($first: $t) -> $acc {
                $start
            }
            #[inline(always)]
            fn near($near: [$t; NEAR]) -> $nt {
                $together
            }
            #[inline(always)]
            fn widen($wide: $nt) -> $acc {
                $widen
            }
        }
    )*};
}
foldings! {
    Sum [T: Item] -> T::Acc, by T::Near, exact T::INTEGER, |item| item.widen(), |x, y| x.plus(y), |_first| T::ZERO, |items| T::total(items), |near| T::widen_total(near);
    // Products may leave the range of a narrow type on the way.
    Prod [T: Item] -> T::Acc, by T::Acc, exact T::INTEGER, |item| item.widen(), |x, y| x.times(y), |_first| T::ONE, |items| tree(items.map(T::widen), |x, y| x.times(y)), |near| near;
    Min [T: Real] -> T, by T, exact <T as Real>::INTEGER, |item| item, |x, y| y.smaller(x), |first| first, |items| tree(items, |x, y| y.smaller(x)), |near| near;
    Max [T: Real] -> T, by T, exact <T as Real>::INTEGER, |item| item, |x, y| y.larger(x), |first| first, |items| tree(items, |x, y| y.larger(x)), |near| near;
    // Bytes, 0 or 1 as a `bool` is: vectors of single bits are slow.
    Any [T: Item] -> u8, by u8, exact true, |item| u8::from(item.holds()), |x, y| x | y, |_first| 0, |items| tree(items.map(|x| u8::from(x.holds())), |x, y| x | y), |near| near;
    All [T: Item] -> u8, by u8, exact true, |item| u8::from(item.holds()), |x, y| x & y, |_first| 1, |items| tree(items.map(|x| u8::from(x.holds())), |x, y| x & y), |near| near;
}
