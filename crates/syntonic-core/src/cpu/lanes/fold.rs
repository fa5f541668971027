//! Reductions of contiguous elements to one partial value.
//!
//! Every fold keeps as many partial values as a line of memory has items, whatever the instruction set,
//! and joins them in one fixed tree: the same elements give the same bits on every processor, and in
//! however many pieces they come.

use super::begun::Begun;
use super::folding::{All, Any, Folding, Max, Min, NEAR, Prod, Sum};
use super::level::Level;
use super::moves::{LINE, fetch};
use super::terms::{
    Deviations, Multiples, Products, SquaredDeviations, SquaredDifferences, Term, Terms, Values,
};
use crate::dtype::DType;
use num_complex::Complex;

/// An associative reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The sum: `float64` of real floats, `complex128` of complex, `int64` of signed integers and
    /// `bool`, `uint64` of unsigned ones; integers wrap.
    Sum,
    /// The product, in the types of [`Fold::Sum`].
    Prod,
    /// The smallest, in the type itself; NaN wins. Not for complex numbers.
    Min,
    /// The largest, in the type itself; NaN wins. Not for complex numbers.
    Max,
    /// `bool`: whether any is not zero.
    Any,
    /// `bool`: whether none is zero.
    All,
}

/// A fold of the `n >= 1` terms of the operands `a` and `b` into one partial value at `out`.
///
/// # Safety
/// The operands that the [`Term`] reads must be valid for `n` elements, or for one where it reads no more, `n >= 1`,
/// and `out` for one partial value.
pub type FoldFn = unsafe fn(out: *mut u8, a: *const u8, b: *const u8, n: usize);

/// Takes `n >= 1` further terms into a [`Begun`] fold.
///
/// # Safety
/// As [`FoldFn`], and only this fold's kernels were given `begun` since it was new.
pub type FeedFn = unsafe fn(begun: &mut Begun, a: *const u8, b: *const u8, n: usize);

/// Writes the partial value of all terms that were taken, one at least.
///
/// # Safety
/// `out` must be valid for one partial value, and this fold's [`FeedFn`] has been given `begun` before.
pub type CloseFn = unsafe fn(begun: &Begun, out: *mut u8);

/// The kernels of a fold over one kind of terms.
#[derive(Clone, Copy, Debug)]
pub struct FoldKernel {
    /// All elements at once.
    pub whole: FoldFn,
    /// Some of them.
    pub feed: FeedFn,
    /// What all that were fed come to: the bits of `whole`.
    pub close: CloseFn,
}

/// How far in front of the reader memory is asked for, in bytes: what follows a long block is usually read
/// next, and the processor's own prefetching begins anew with every call.
const AHEAD: usize = 4 << 10;
/// A block of at least this many bytes is long.
const LONG: usize = 8 << 10;

/// `$body` with `$width` partial values: a line of memory is one row of items, so that lines are read in their order. What
/// runs ahead of the reader in the processor expects that.
macro_rules! in_lines {
    ($fold:ident, $width:ident => $body:expr) => {
        match size_of::<$fold::Item>() {
            0..=4 => {
                const $width: usize = 16;
                $body
            }
            5..=8 => {
                const $width: usize = 8;
                $body
            }
            _ => {
                const $width: usize = 4;
                $body
            }
        }
    };
}
pub(super) use in_lines;

/// # Safety
/// As [`FoldFn`].
#[inline(always)]
unsafe fn whole<F: Folding, S: Terms<Item = F::Item>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the caller promises `n >= 1` terms and room for one partial value.
    unsafe {
        let terms = S::over(a, b);
        let total = if F::EXACT {
            in_any_order::<F, S>(terms, F::start(terms.at(0)), n)
        } else {
            in_lines!(F, WIDTH => in_order::<F, S, WIDTH>(terms, n))
        };
        out.cast::<F::Acc>().write_unaligned(total);
    }
}

/// # Safety
/// As [`FeedFn`].
#[inline(always)]
unsafe fn feed<F: Folding, S: Terms<Item = F::Item>>(
    begun: &mut Begun,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the caller promises `n >= 1` terms; the lanes of one type after another lie at the front.
    unsafe {
        let terms = S::over(a, b);
        if F::EXACT {
            let total = begun.lanes.as_mut_ptr().cast::<F::Acc>();
            let so_far = if begun.empty {
                F::start(terms.at(0))
            } else {
                total.read()
            };
            begun.empty = false;
            total.write(in_any_order::<F, S>(terms, so_far, n));
        } else {
            in_lines!(F, WIDTH => take::<F, S, WIDTH>(begun, terms, n));
        }
    }
}

/// # Safety
/// As [`CloseFn`].
unsafe fn close<F: Folding>(begun: &Begun, out: *mut u8) {
    // SAFETY: terms were taken, so the lanes are there; the caller promises room for the result.
    unsafe {
        let total = if F::EXACT {
            begun.lanes.as_ptr().cast::<F::Acc>().read()
        } else {
            in_lines!(F, WIDTH => joined::<F, WIDTH>(begun))
        };
        out.cast::<F::Acc>().write_unaligned(total);
    }
}

/// # Safety
/// There are `n` terms.
#[inline(always)]
unsafe fn in_any_order<F: Folding, S: Terms<Item = F::Item>>(
    terms: S,
    start: F::Acc,
    n: usize,
) -> F::Acc {
    let take = |total, i| {
        // SAFETY: the caller's promise.
        F::join(total, F::lift(unsafe { terms.at(i) }))
    };
    (0..n).fold(start, take)
}

/// All terms with `WIDTH` partial values, a power of two.
///
/// # Safety
/// There are `n >= 1` terms.
#[inline(always)]
unsafe fn in_order<F: Folding, S: Terms<Item = F::Item>, const WIDTH: usize>(
    terms: S,
    n: usize,
) -> F::Acc {
    // SAFETY: the caller's promise.
    unsafe {
        let mut lanes = [F::start(terms.at(0)); WIDTH];
        let done = groups::<F, S, WIDTH>(&mut lanes, terms, 0, n);
        end::<F, S, WIDTH>(lanes, terms, done, n)
    }
}

/// Takes whole groups of the terms `from..n` into the lanes; says where the first other one is.
///
/// # Safety
/// There are `n` terms.
#[inline(always)]
unsafe fn groups<F: Folding, S: Terms<Item = F::Item>, const WIDTH: usize>(
    lanes: &mut [F::Acc; WIDTH],
    terms: S,
    from: usize,
    n: usize,
) -> usize {
    let group = WIDTH * NEAR;
    let long = (n - from) * size_of::<F::Item>() >= LONG;
    let mut at = from;
    while n - at >= group {
        if long {
            let ahead = terms.address(at).wrapping_add(AHEAD);
            (0..NEAR).for_each(|line| fetch(ahead.wrapping_add(line * LINE)));
        }
        // Before any is widened, so that vectors hold as many as they can.
        let mut near = [F::Near::default(); WIDTH];
        for (i, near) in near.iter_mut().enumerate() {
            // SAFETY: a whole group is there.
            *near = F::near(std::array::from_fn(|k| unsafe {
                terms.at(at + k * WIDTH + i)
            }));
        }
        for (lane, near) in lanes.iter_mut().zip(near) {
            *lane = F::join(*lane, F::widen(near));
        }
        at += group;
    }
    at
}

/// The terms `from..n`, fewer than a group, taken into the lanes, and these joined.
///
/// # Safety
/// There are `n` terms.
#[inline(always)]
unsafe fn end<F: Folding, S: Terms<Item = F::Item>, const WIDTH: usize>(
    mut lanes: [F::Acc; WIDTH],
    terms: S,
    from: usize,
    n: usize,
) -> F::Acc {
    let mut at = from;
    while at < n {
        let count = WIDTH.min(n - at);
        for (i, lane) in lanes.iter_mut().enumerate().take(count) {
            // SAFETY: `at + i < n`.
            *lane = F::join(*lane, F::lift(unsafe { terms.at(at + i) }));
        }
        at += count;
    }
    let mut width = WIDTH;
    while width > 1 {
        width /= 2;
        for i in 0..width {
            lanes[i] = F::join(lanes[i], lanes[i + width]);
        }
    }
    lanes[0]
}

/// Takes `n` further terms: whole groups into the lanes, and what is left to the others of its group.
///
/// # Safety
/// As [`FeedFn`].
#[inline(always)]
unsafe fn take<F: Folding, S: Terms<Item = F::Item>, const WIDTH: usize>(
    begun: &mut Begun,
    terms: S,
    n: usize,
) {
    let group = WIDTH * NEAR;
    let rest = begun.rest.as_mut_ptr().cast::<F::Item>();
    let kept = begun.lanes.as_mut_ptr().cast::<[F::Acc; WIDTH]>();
    let mut at = 0;
    // SAFETY: the caller promises `n >= 1` terms; `rest` has room for a group, and `held` of it are there.
    unsafe {
        let mut lanes = if begun.empty {
            [F::start(terms.at(0)); WIDTH]
        } else {
            kept.read()
        };
        begun.empty = false;
        if begun.held > 0 {
            at = n.min(group - begun.held);
            (0..at).for_each(|i| rest.add(begun.held + i).write(terms.at(i)));
            begun.held += at;
            if begun.held == group {
                let whole = Values::over(rest.cast_const().cast(), std::ptr::null());
                groups::<F, Values<F::Item>, WIDTH>(&mut lanes, whole, 0, group);
                begun.held = 0;
            }
        }
        if at < n {
            at = groups::<F, S, WIDTH>(&mut lanes, terms, at, n);
            (at..n).for_each(|i| rest.add(i - at).write(terms.at(i)));
            begun.held = n - at;
        }
        kept.write(lanes);
    }
}

/// # Safety
/// Terms were given to `begun`.
unsafe fn joined<F: Folding, const WIDTH: usize>(begun: &Begun) -> F::Acc {
    // SAFETY: lanes and the terms held are initialised, as the caller says.
    unsafe {
        let rest = Values::over(begun.rest.as_ptr().cast(), std::ptr::null());
        let lanes = begun.lanes.as_ptr().cast::<[F::Acc; WIDTH]>().read();
        end::<F, Values<F::Item>, WIDTH>(lanes, rest, 0, begun.held)
    }
}

/// # Safety
/// As [`FoldFn`].
unsafe fn whole_base<F: Folding, S: Terms<Item = F::Item>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { whole::<F, S>(out, a, b, n) }
}

/// # Safety
/// As [`FeedFn`].
unsafe fn feed_base<F: Folding, S: Terms<Item = F::Item>>(
    begun: &mut Begun,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { feed::<F, S>(begun, a, b, n) }
}

/// # Safety
/// As [`FoldFn`], on a processor of [`Level::V3`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn whole_v3<F: Folding, S: Terms<Item = F::Item>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { whole::<F, S>(out, a, b, n) }
}

/// # Safety
/// As [`FeedFn`], on a processor of [`Level::V3`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn feed_v3<F: Folding, S: Terms<Item = F::Item>>(
    begun: &mut Begun,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { feed::<F, S>(begun, a, b, n) }
}

/// # Safety
/// As [`FoldFn`], on a processor of [`Level::V4`].
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
unsafe fn whole_v4<F: Folding, S: Terms<Item = F::Item>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { whole::<F, S>(out, a, b, n) }
}

/// # Safety
/// As [`FeedFn`], on a processor of [`Level::V4`].
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
unsafe fn feed_v4<F: Folding, S: Terms<Item = F::Item>>(
    begun: &mut Begun,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
    // SAFETY: the caller's promise is the same.
    unsafe { feed::<F, S>(begun, a, b, n) }
}

fn vector<F: Folding, S: Terms<Item = F::Item>>(level: Level) -> FoldKernel {
    let (whole, feed): (FoldFn, FeedFn) = match level {
        #[cfg(target_arch = "x86_64")]
        Level::V4 => (whole_v4::<F, S>, feed_v4::<F, S>),
        #[cfg(target_arch = "x86_64")]
        Level::V3 => (whole_v3::<F, S>, feed_v3::<F, S>),
        _ => (whole_base::<F, S>, feed_base::<F, S>),
    };
    FoldKernel {
        whole,
        feed,
        close: close::<F>,
    }
}

/// The kernels of a fold of elements.
pub(super) fn values<F: Folding>(level: Level) -> FoldKernel {
    vector::<F, Values<F::Item>>(level)
}

macro_rules! by_dtype {
    ($run:ident, $level:expr, $dtype:expr, $fold:ident, $($t:ty),+) => {
        match $dtype {
            $(dtype if dtype == <$t as $crate::Element>::DTYPE => Some($run::<$fold<$t>>($level)),)+
            _ => None,
        }
    };
}
pub(super) use by_dtype;

/// A loop for every fold and every type it is defined for.
macro_rules! by_fold {
    ($run:ident, $level:expr, $fold:expr, $dtype:expr) => {
        match $fold {
            Fold::Sum => by_fold!(@all $run, $level, $dtype, Sum),
            Fold::Prod => by_fold!(@all $run, $level, $dtype, Prod),
            Fold::Min => by_fold!(@real $run, $level, $dtype, Min),
            Fold::Max => by_fold!(@real $run, $level, $dtype, Max),
            Fold::Any => by_fold!(@all $run, $level, $dtype, Any),
            Fold::All => by_fold!(@all $run, $level, $dtype, All),
        }
    };
    (@all $run:ident, $level:expr, $dtype:expr, $fold:ident) => {
        $crate::cpu::lanes::fold::by_dtype!(
            $run, $level, $dtype, $fold, bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64,
            Complex<f32>, Complex<f64>
        )
    };
    (@real $run:ident, $level:expr, $dtype:expr, $fold:ident) => {
        $crate::cpu::lanes::fold::by_dtype!(
            $run, $level, $dtype, $fold, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64
        )
    };
}
pub(super) use by_fold;

/// The kernels of a fold of elements; `None` for half types (cast them first) and for the extremes of `bool` and
/// complex numbers.
pub fn fold(fold: Fold, dtype: DType) -> Option<FoldKernel> {
    fold_at(Level::current(), fold, dtype)
}

/// As [`fold`], in the instructions of `level` or fewer.
pub fn fold_at(level: Level, fold: Fold, dtype: DType) -> Option<FoldKernel> {
    let level = level.min(Level::current());
    by_fold!(values, level, fold, dtype)
}

/// The kernels of a sum over terms of operands of this type, with the bits of the terms one after another and their fold;
/// `None` for all but `float32` and `float64`, if terms are no elements.
pub fn sum_at(level: Level, term: Term, dtype: DType) -> Option<FoldKernel> {
    macro_rules! terms {
        ($terms:ident) => {
            match dtype {
                DType::F32 => Some(vector::<Sum<f32>, $terms<f32>>(level)),
                DType::F64 => Some(vector::<Sum<f64>, $terms<f64>>(level)),
                _ => None,
            }
        };
    }
    let level = level.min(Level::current());
    match term {
        Term::Value => fold_at(level, Fold::Sum, dtype),
        Term::Product => terms!(Products),
        Term::SquaredDifference => terms!(SquaredDifferences),
        Term::SquaredDeviation => terms!(SquaredDeviations),
        Term::Deviation => terms!(Deviations),
        Term::Multiple => terms!(Multiples),
    }
}
