//! Loops in which one of two operands is the same number for all lanes: what a row is scaled or shifted by need not be
//! written down once for each element first.

use super::LaneFn;
use super::lane::Lane;
#[cfg(target_arch = "x86_64")]
use super::level::WithFma;
use super::level::{Base, Isa, Level};

/// Which operand the number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The first.
    First,
    /// The second.
    Second,
}

/// # Safety
/// As [`LaneFn`], with one element of the second operand.
#[inline(always)]
unsafe fn second<O: Lane<C = ()>, L: Isa>(out: *mut u8, a: *const u8, b: *const u8, n: usize) {
    let (out, a) = (out.cast::<O::Out>(), a.cast::<O::A>());
    // SAFETY: the caller promises one number and `n` elements.
    unsafe {
        let number = b.cast::<O::B>().read_unaligned();
        for i in 0..n {
            out.add(i).write(O::lane::<L>(a.add(i).read(), number, ()));
        }
    }
}

/// # Safety
/// As [`LaneFn`], with one element of the first operand.
#[inline(always)]
unsafe fn first<O: Lane<C = ()>, L: Isa>(out: *mut u8, a: *const u8, b: *const u8, n: usize) {
    let (out, b) = (out.cast::<O::Out>(), b.cast::<O::B>());
    // SAFETY: the caller promises one number and `n` elements.
    unsafe {
        let number = a.cast::<O::A>().read_unaligned();
        for i in 0..n {
            out.add(i).write(O::lane::<L>(number, b.add(i).read(), ()));
        }
    }
}

/// # Safety
/// As [`first`].
unsafe fn first_base<O: Lane<C = ()>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    _c: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { first::<O, Base>(out, a, b, n) }
}

/// # Safety
/// As [`first`], on a processor of [`Level::V3`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn first_v3<O: Lane<C = ()>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    _c: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { first::<O, WithFma>(out, a, b, n) }
}

/// # Safety
/// As [`first`], on a processor of [`Level::V4`].
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
unsafe fn first_v4<O: Lane<C = ()>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    _c: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { first::<O, WithFma>(out, a, b, n) }
}

/// # Safety
/// As [`second`].
unsafe fn second_base<O: Lane<C = ()>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    _c: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { second::<O, Base>(out, a, b, n) }
}

/// # Safety
/// As [`second`], on a processor of [`Level::V3`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn second_v3<O: Lane<C = ()>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    _c: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { second::<O, WithFma>(out, a, b, n) }
}

/// # Safety
/// As [`second`], on a processor of [`Level::V4`].
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
unsafe fn second_v4<O: Lane<C = ()>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    _c: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { second::<O, WithFma>(out, a, b, n) }
}

/// The loop of `O` beside a number; `O` has no rare lanes.
pub(super) fn beside<O: Lane<C = ()>>(level: Level, place: Place) -> LaneFn {
    const { assert!(!O::HAS_RARE) };
    match (level, place) {
        #[cfg(target_arch = "x86_64")]
        (Level::V4, Place::First) => first_v4::<O>,
        #[cfg(target_arch = "x86_64")]
        (Level::V4, Place::Second) => second_v4::<O>,
        #[cfg(target_arch = "x86_64")]
        (Level::V3, Place::First) => first_v3::<O>,
        #[cfg(target_arch = "x86_64")]
        (Level::V3, Place::Second) => second_v3::<O>,
        (_, Place::First) => first_base::<O>,
        (_, Place::Second) => second_base::<O>,
    }
}
