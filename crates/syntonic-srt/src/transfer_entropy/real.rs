//! The types that distances are computed in.

use std::cmp::Ordering;
use syntonic_core::Element;

/// A type that distances are computed in.
pub(super) trait Real: Element + PartialOrd + std::ops::Sub<Output = Self> {
    const ZERO: Self;
    const INFINITY: Self;

    fn magnitude(self) -> Self;
    fn order(&self, other: &Self) -> Ordering;
}

macro_rules! real {
    ($($t:ident),*) => {$(
        impl Real for $t {
            const ZERO: $t = 0.0;
            const INFINITY: $t = $t::INFINITY;

            #[inline(always)]
            fn magnitude(self) -> $t {
                self.abs()
            }

            #[inline(always)]
            fn order(&self, other: &$t) -> Ordering {
                self.total_cmp(other)
            }
        }
    )*};
}
real!(f32, f64);

/// The larger of two distances.
#[inline(always)]
pub(super) fn larger<T: Real>(a: T, b: T) -> T {
    if b > a { b } else { a }
}
