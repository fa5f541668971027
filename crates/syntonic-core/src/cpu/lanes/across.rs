//! Folds of many rows side by side, lane by lane.

use super::fold::{Fold, by_fold, in_lines};
use super::folding::{All, Any, Folding, Max, Min, NEAR, Prod, Sum};
use super::level::Level;
use super::moves::fetch;
use crate::dtype::DType;
use num_complex::Complex;

/// A fold of `steps` rows into `n` partial values, lane by lane: `out[i]` joined with `a[s][i]` for every
/// step `s`, where a row lies `stride` bytes behind the one before it.
///
/// # Safety
/// `out` must be valid for `n` partial values, and every row for `n` elements; no row overlaps `out`.
pub type AcrossFn = unsafe fn(out: *mut u8, a: *const u8, stride: isize, steps: usize, n: usize);

/// # Safety
/// As [`AcrossFn`].
#[inline(always)]
unsafe fn across<F: Folding>(out: *mut u8, a: *const u8, stride: isize, steps: usize, n: usize) {
    let out = out.cast::<F::Acc>();
    let row = |step: usize| a.wrapping_offset(step as isize * stride).cast::<F::Item>();
    let whole = steps - steps % NEAR;
    for step in (0..whole).step_by(NEAR) {
        let rows: [_; NEAR] = std::array::from_fn(|k| row(step + k));
        let next: [_; NEAR] = std::array::from_fn(|k| row(step + NEAR + k));
        // SAFETY: the caller promises `n` elements in every row and `n` partial values.
        unsafe { in_lines!(F, WIDTH => near_rows::<F, WIDTH>(out, rows, next, n)) };
    }
    for step in whole..steps {
        let row = row(step);
        for i in 0..n {
            // SAFETY: as above.
            unsafe {
                let item = F::lift(row.add(i).read());
                out.add(i).write(F::join(out.add(i).read(), item));
            }
        }
    }
}

/// Joins the `n` elements of neighbouring rows with the partial values, a line at a time, and asks for the `next` rows.
///
/// # Safety
/// As [`AcrossFn`]; the next rows may be anywhere.
#[inline(always)]
unsafe fn near_rows<F: Folding, const WIDTH: usize>(
    out: *mut F::Acc,
    rows: [*const F::Item; NEAR],
    next: [*const F::Item; NEAR],
    n: usize,
) {
    // SAFETY: the caller promises `n` elements in every row.
    let near = |i: usize| F::near(rows.map(|r| unsafe { r.add(i).read() }));
    // SAFETY: the caller promises `n` partial values.
    let join = |i: usize, near: F::Near| unsafe {
        out.add(i).write(F::join(out.add(i).read(), F::widen(near)));
    };
    for line in 0..n / WIDTH {
        // They lie far apart, which the processor does not foresee.
        for row in next {
            fetch(row.wrapping_add(line * WIDTH).cast());
        }
        // All before any is widened, so that vectors hold as many as they can.
        let mut together = [F::Near::default(); WIDTH];
        for (i, to) in together.iter_mut().enumerate() {
            *to = near(line * WIDTH + i);
        }
        for (i, near) in together.into_iter().enumerate() {
            join(line * WIDTH + i, near);
        }
    }
    (n - n % WIDTH..n).for_each(|i| join(i, near(i)));
}

/// # Safety
/// As [`AcrossFn`].
unsafe fn across_base<F: Folding>(o: *mut u8, a: *const u8, stride: isize, steps: usize, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { across::<F>(o, a, stride, steps, n) }
}

/// # Safety
/// As [`AcrossFn`], on a processor of [`Level::V3`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn across_v3<F: Folding>(o: *mut u8, a: *const u8, stride: isize, steps: usize, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { across::<F>(o, a, stride, steps, n) }
}

/// # Safety
/// As [`AcrossFn`], on a processor of [`Level::V4`].
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
unsafe fn across_v4<F: Folding>(o: *mut u8, a: *const u8, stride: isize, steps: usize, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { across::<F>(o, a, stride, steps, n) }
}

fn across_vector<F: Folding>(level: Level) -> AcrossFn {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::V4 => across_v4::<F>,
        #[cfg(target_arch = "x86_64")]
        Level::V3 => across_v3::<F>,
        _ => across_base::<F>,
    }
}

/// The kernel of a fold over rows side by side; `None` where [`super::fold()`] has none.
pub fn across_at(level: Level, fold: Fold, dtype: DType) -> Option<AcrossFn> {
    let level = level.min(Level::current());
    by_fold!(across_vector, level, fold, dtype)
}
