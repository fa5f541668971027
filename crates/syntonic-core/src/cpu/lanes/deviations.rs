//! Sums of squared distances from one number: a third of a variance's time goes by if the distances and
//! their squares are written down on the way.

use super::fold::{Item, Sum, folded};
use super::level::Level;
use super::number::Number;
use crate::dtype::DType;

/// The sum of `(a[i] - centre)^2` over the `n >= 1` elements at `a`, as one partial value of
/// [`super::Fold::Sum`] at `out`: the same bits as the difference, its square and the fold one after another.
///
/// # Safety
/// `a` must be valid for `n` elements, `n >= 1`, `centre` for one, and `out` for one partial value.
pub type DeviationsFn = unsafe fn(out: *mut u8, a: *const u8, centre: *const u8, n: usize);

/// # Safety
/// As [`DeviationsFn`].
#[inline(always)]
unsafe fn run<T: Item + Number>(out: *mut u8, a: *const u8, centre: *const u8, n: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let items = std::slice::from_raw_parts(a.cast::<T>(), n);
        let centre = centre.cast::<T>().read_unaligned();
        let square = |item: T| {
            let distance = item.minus(centre);
            distance.times(distance)
        };
        let total = folded::<Sum<T>>(items, square);
        out.cast::<T::Acc>().write_unaligned(total);
    }
}

/// # Safety
/// As [`DeviationsFn`].
unsafe fn run_base<T: Item + Number>(out: *mut u8, a: *const u8, centre: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { run::<T>(out, a, centre, n) }
}

/// # Safety
/// As [`DeviationsFn`], on a processor of [`Level::V3`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_v3<T: Item + Number>(out: *mut u8, a: *const u8, centre: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { run::<T>(out, a, centre, n) }
}

/// # Safety
/// As [`DeviationsFn`], on a processor of [`Level::V4`].
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
unsafe fn run_v4<T: Item + Number>(out: *mut u8, a: *const u8, centre: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { run::<T>(out, a, centre, n) }
}

fn vector<T: Item + Number>(level: Level) -> DeviationsFn {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::V4 => run_v4::<T>,
        #[cfg(target_arch = "x86_64")]
        Level::V3 => run_v3::<T>,
        _ => run_base::<T>,
    }
}

/// The kernel for a type, in the instructions of `level` or fewer; `None` for all but `float32` and
/// `float64`.
pub fn deviations_at(level: Level, dtype: DType) -> Option<DeviationsFn> {
    let level = level.min(Level::current());
    match dtype {
        DType::F32 => Some(vector::<f32>(level)),
        DType::F64 => Some(vector::<f64>(level)),
        _ => None,
    }
}
