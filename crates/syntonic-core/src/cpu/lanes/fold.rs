//! Reductions of one contiguous block to one partial value.
//!
//! Every fold keeps as many partial values as a line of memory has items, whatever the instruction set,
//! and joins them in one fixed tree: the same block gives the same bits on every processor.

use super::level::Level;
use super::moves::{LINE, fetch};
use super::number::{Real, Ring};
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

/// A fold of the `n >= 1` elements at `a` into one partial value at `out`.
///
/// # Safety
/// `a` must be valid for `n` elements, `n >= 1`, and `out` for one partial value.
pub type FoldFn = unsafe fn(out: *mut u8, a: *const u8, n: usize);

/// A fold of `steps` rows into `n` partial values, lane by lane: `out[i]` joined with `a[s][i]` for every
/// step `s`, where a row lies `stride` bytes behind the one before it.
///
/// # Safety
/// `out` must be valid for `n` partial values, and every row for `n` elements; no row overlaps `out`.
pub type AcrossFn = unsafe fn(out: *mut u8, a: *const u8, stride: isize, steps: usize, n: usize);

/// How far in front of the reader memory is asked for, in bytes: what follows a long block is usually read
/// next, and the processor's own prefetching begins anew with every call.
const AHEAD: usize = 4 << 10;
/// A block of at least this many bytes is long.
const LONG: usize = 8 << 10;
/// Neighbours that are joined before they are widened, a power of two.
const NEAR: usize = 8;

/// A fold of elements `Item` into a partial value `Acc`.
pub(super) trait Folding: 'static {
    type Item: Copy;
    type Acc: Copy;
    /// True if every order gives the same bits: then the compiler chooses one.
    const EXACT: bool;
    fn lift(item: Self::Item) -> Self::Acc;
    fn join(x: Self::Acc, y: Self::Acc) -> Self::Acc;
    /// A value that joins without effect.
    fn start(first: Self::Item) -> Self::Acc;
    /// Neighbours of one lane, joined as a tree.
    fn near(items: [Self::Item; NEAR]) -> Self::Acc;
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

/// # Safety
/// As [`FoldFn`].
#[inline(always)]
unsafe fn run<F: Folding>(out: *mut u8, a: *const u8, n: usize) {
    // SAFETY: the caller promises `n` elements at `a` and room for one partial value.
    unsafe {
        let items = std::slice::from_raw_parts(a.cast::<F::Item>(), n);
        let total = folded::<F>(items, |item| item);
        out.cast::<F::Acc>().write_unaligned(total);
    }
}

/// The fold of `change(item)` for one item or more.
#[inline(always)]
pub(super) fn folded<F: Folding>(items: &[F::Item], change: impl Fn(F::Item) -> F::Item) -> F::Acc {
    // A line of memory is one row, so that lines are read in their order: what runs ahead of the reader
    // in the processor expects that.
    match size_of::<F::Item>() {
        0..=4 => in_rows::<F, 16>(items, change),
        5..=8 => in_rows::<F, 8>(items, change),
        _ => in_rows::<F, 4>(items, change),
    }
}

/// As [`folded`], with `WIDTH` partial values, a power of two.
#[inline(always)]
fn in_rows<F: Folding, const WIDTH: usize>(
    items: &[F::Item],
    change: impl Fn(F::Item) -> F::Item,
) -> F::Acc {
    let lift = |item| F::lift(change(item));
    let start = F::start(change(items[0]));
    if F::EXACT {
        return items
            .iter()
            .fold(start, |total, &item| F::join(total, lift(item)));
    }
    let mut partial = [start; WIDTH];
    let (rows, rest) = items.as_chunks::<WIDTH>();
    let (groups, rows) = rows.as_chunks::<NEAR>();
    let long = size_of_val(items) >= LONG;
    for group in groups {
        if long {
            let ahead = group.as_ptr().cast::<u8>().wrapping_add(AHEAD);
            (0..size_of_val(group))
                .step_by(LINE)
                .for_each(|byte| fetch(ahead.wrapping_add(byte)));
        }
        for (i, lane) in partial.iter_mut().enumerate() {
            let near = F::near(std::array::from_fn(|k| change(group[k][i])));
            *lane = F::join(*lane, near);
        }
    }
    for row in rows {
        for (lane, &item) in partial.iter_mut().zip(row) {
            *lane = F::join(*lane, lift(item));
        }
    }
    for (lane, &item) in partial.iter_mut().zip(rest) {
        *lane = F::join(*lane, lift(item));
    }
    let mut width = WIDTH;
    while width > 1 {
        width /= 2;
        for i in 0..width {
            partial[i] = F::join(partial[i], partial[i + width]);
        }
    }
    partial[0]
}

/// # Safety
/// As [`AcrossFn`].
#[inline(always)]
unsafe fn across<F: Folding>(out: *mut u8, a: *const u8, stride: isize, steps: usize, n: usize) {
    let out = out.cast::<F::Acc>();
    let row = |step: usize| a.wrapping_offset(step as isize * stride).cast::<F::Item>();
    let whole = steps - steps % NEAR;
    for step in (0..whole).step_by(NEAR) {
        let rows: [_; NEAR] = std::array::from_fn(|k| row(step + k));
        let take = |i: usize| {
            // SAFETY: the caller promises `n` elements in every row and `n` partial values.
            unsafe {
                let near = F::near(rows.map(|r| r.add(i).read()));
                out.add(i).write(F::join(out.add(i).read(), near));
            }
        };
        let per_line = LINE / size_of::<F::Item>();
        for line in 0..n / per_line {
            // The same place of the rows that come next: they lie far apart, which the processor does not foresee.
            for k in NEAR..2 * NEAR {
                fetch(row(step + k).wrapping_add(line * per_line).cast());
            }
            (line * per_line..(line + 1) * per_line).for_each(take);
        }
        (n - n % per_line..n).for_each(take);
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

/// # Safety
/// As [`FoldFn`].
unsafe fn run_base<F: Folding>(out: *mut u8, a: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { run::<F>(out, a, n) }
}

/// # Safety
/// As [`FoldFn`], on a processor of [`Level::V3`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_v3<F: Folding>(out: *mut u8, a: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { run::<F>(out, a, n) }
}

/// # Safety
/// As [`FoldFn`], on a processor of [`Level::V4`].
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
unsafe fn run_v4<F: Folding>(out: *mut u8, a: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { run::<F>(out, a, n) }
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

fn vector<F: Folding>(level: Level) -> FoldFn {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::V4 => run_v4::<F>,
        #[cfg(target_arch = "x86_64")]
        Level::V3 => run_v3::<F>,
        _ => run_base::<F>,
    }
}

/// An element that sums and multiplies into `Acc`, and is zero or not.
pub(super) trait Item: Ring {
    type Acc: Ring;
    const ZERO: Self::Acc;
    const ONE: Self::Acc;
    /// True where sums and products are exact (they wrap).
    const INTEGER: bool;
    fn widen(self) -> Self::Acc;
    fn holds(self) -> bool;

    /// The sum of neighbours; of narrow floats in their own type, which costs three roundings.
    #[inline(always)]
    fn total(items: [Self; NEAR]) -> Self::Acc {
        if Self::INTEGER {
            tree(items.map(Self::widen), |x, y| x.plus(y))
        } else {
            tree(items, |x, y| x.plus(y)).widen()
        }
    }
}

macro_rules! items {
    ($($t:ty => $acc:ty, $integer:literal, $zero:expr, $one:expr, |$x:ident| $widen:expr, $holds:expr);* $(;)?) => {$(
        impl Item for $t {
            type Acc = $acc;
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
        }
    )*};
}
items!(
    bool => i64, true, 0, 1, |x| i64::from(x), x;
    i8 => i64, true, 0, 1, |x| i64::from(x), x != 0;
    i16 => i64, true, 0, 1, |x| i64::from(x), x != 0;
    i32 => i64, true, 0, 1, |x| i64::from(x), x != 0;
    i64 => i64, true, 0, 1, |x| x, x != 0;
    u8 => u64, true, 0, 1, |x| u64::from(x), x != 0;
    u16 => u64, true, 0, 1, |x| u64::from(x), x != 0;
    u32 => u64, true, 0, 1, |x| u64::from(x), x != 0;
    u64 => u64, true, 0, 1, |x| x, x != 0;
    f32 => f64, false, 0.0, 1.0, |x| f64::from(x), x != 0.0;
    f64 => f64, false, 0.0, 1.0, |x| x, x != 0.0;
    Complex<f32> => Complex<f64>, false, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0),
        |x| Complex::new(f64::from(x.re), f64::from(x.im)), (x.re != 0.0) | (x.im != 0.0);
    Complex<f64> => Complex<f64>, false, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0),
        |x| x, (x.re != 0.0) | (x.im != 0.0);
);

macro_rules! foldings {
    ($($name:ident [$t:ident: $bound:path] -> $acc:ty, exact $exact:expr, |$item:ident| $lift:expr, |$x:ident, $y:ident| $join:expr, |$first:ident| $start:expr, |$near:ident| $together:expr;)*) => {$(
        pub(super) struct $name<T>(std::marker::PhantomData<T>);
        impl<$t: $bound> Folding for $name<$t> {
            type Item = $t;
            type Acc = $acc;
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
            fn near($near: [$t; NEAR]) -> $acc {
                $together
            }
        }
    )*};
}
foldings! {
    Sum [T: Item] -> T::Acc, exact T::INTEGER, |item| item.widen(), |x, y| x.plus(y), |_first| T::ZERO, |items| T::total(items);
    // Products may leave the range of a narrow type on the way.
    Prod [T: Item] -> T::Acc, exact T::INTEGER, |item| item.widen(), |x, y| x.times(y), |_first| T::ONE, |items| tree(items.map(T::widen), |x, y| x.times(y));
    Min [T: Real] -> T, exact <T as Real>::INTEGER, |item| item, |x, y| y.smaller(x), |first| first, |items| tree(items, |x, y| y.smaller(x));
    Max [T: Real] -> T, exact <T as Real>::INTEGER, |item| item, |x, y| y.larger(x), |first| first, |items| tree(items, |x, y| y.larger(x));
    // Bytes, 0 or 1 as a `bool` is: vectors of single bits are slow.
    Any [T: Item] -> u8, exact true, |item| u8::from(item.holds()), |x, y| x | y, |_first| 0, |items| tree(items.map(|x| u8::from(x.holds())), |x, y| x | y);
    All [T: Item] -> u8, exact true, |item| u8::from(item.holds()), |x, y| x & y, |_first| 1, |items| tree(items.map(|x| u8::from(x.holds())), |x, y| x & y);
}

macro_rules! by_dtype {
    ($run:ident, $level:expr, $dtype:expr, $fold:ident, $($t:ty),+) => {
        match $dtype {
            $(dtype if dtype == <$t as crate::Element>::DTYPE => Some($run::<$fold<$t>>($level)),)+
            _ => None,
        }
    };
}

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
        by_dtype!(
            $run, $level, $dtype, $fold, bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64,
            Complex<f32>, Complex<f64>
        )
    };
    (@real $run:ident, $level:expr, $dtype:expr, $fold:ident) => {
        by_dtype!($run, $level, $dtype, $fold, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64)
    };
}

/// The kernel of a fold; `None` for half types (cast them first) and for the extremes of `bool` and
/// complex numbers.
pub fn fold(fold: Fold, dtype: DType) -> Option<FoldFn> {
    fold_at(Level::current(), fold, dtype)
}

/// As [`fold`], in the instructions of `level` or fewer.
pub fn fold_at(level: Level, fold: Fold, dtype: DType) -> Option<FoldFn> {
    let level = level.min(Level::current());
    by_fold!(vector, level, fold, dtype)
}

/// The kernel of a fold over rows side by side; `None` where [`fold`] has none.
pub fn across_at(level: Level, fold: Fold, dtype: DType) -> Option<AcrossFn> {
    let level = level.min(Level::current());
    by_fold!(across_vector, level, fold, dtype)
}

/// Which extreme an [`ArgFoldFn`] looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArgFold {
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

/// Writes the extreme of the `n >= 1` elements at `a` and the index of its first occurrence; the first
/// NaN wins.
///
/// # Safety
/// `a` must be valid for `n` elements, `n >= 1`, `out_value` for one element and `out_index` for one `i64`.
pub type ArgFoldFn = unsafe fn(out_value: *mut u8, out_index: *mut i64, a: *const u8, n: usize);

/// # Safety
/// As [`ArgFoldFn`], with the fold of an extreme of the element type `T`.
#[inline(always)]
unsafe fn locate<T: Real>(
    extreme: FoldFn,
    out_value: *mut u8,
    out_index: *mut i64,
    a: *const u8,
    n: usize,
) {
    // SAFETY: the caller promises `n >= 1` elements at `a` and one value and one index of room; the
    // fold keeps the element type.
    unsafe {
        extreme(out_value, a, n);
        let best = out_value.cast::<T>().read_unaligned();
        let items = std::slice::from_raw_parts(a.cast::<T>(), n);
        let found = items.iter().position(|&x| x == best || x.is_nan());
        *out_index = found.unwrap_or(0) as i64;
    }
}

/// # Safety
/// As [`ArgFoldFn`].
unsafe fn locate_min<T: Real>(out_value: *mut u8, out_index: *mut i64, a: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe {
        locate::<T>(
            vector::<Min<T>>(Level::current()),
            out_value,
            out_index,
            a,
            n,
        )
    }
}

/// # Safety
/// As [`ArgFoldFn`].
unsafe fn locate_max<T: Real>(out_value: *mut u8, out_index: *mut i64, a: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe {
        locate::<T>(
            vector::<Max<T>>(Level::current()),
            out_value,
            out_index,
            a,
            n,
        )
    }
}

/// The kernel that finds an extreme and where it is; `None` for `bool`, half types and complex numbers.
pub fn arg_fold(kind: ArgFold, dtype: DType) -> Option<ArgFoldFn> {
    macro_rules! by_type {
        ($locate:ident) => {
            match dtype {
                DType::I8 => Some($locate::<i8>),
                DType::I16 => Some($locate::<i16>),
                DType::I32 => Some($locate::<i32>),
                DType::I64 => Some($locate::<i64>),
                DType::U8 => Some($locate::<u8>),
                DType::U16 => Some($locate::<u16>),
                DType::U32 => Some($locate::<u32>),
                DType::U64 => Some($locate::<u64>),
                DType::F32 => Some($locate::<f32>),
                DType::F64 => Some($locate::<f64>),
                _ => None,
            }
        };
    }
    match kind {
        ArgFold::Min => by_type!(locate_min),
        ArgFold::Max => by_type!(locate_max),
    }
}
