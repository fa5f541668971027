//! The loop over lanes, compiled once per instruction set.

use super::LaneFn;
#[cfg(target_arch = "x86_64")]
use super::level::WithFma;
use super::level::{Base, Isa, Level};
use std::mem::MaybeUninit;

/// A primitive on one lane. Operands it does not have are `()`.
pub(super) trait Lane: 'static {
    /// First operand.
    type A: Copy;
    /// Second operand.
    type B: Copy;
    /// Third operand.
    type C: Copy;
    /// Result.
    type Out: Copy;

    /// Whether some lanes need [`Lane::rare`].
    const HAS_RARE: bool = false;

    /// The body: no branches, so that the loop becomes vectors.
    fn lane<L: Isa>(a: Self::A, b: Self::B, c: Self::C) -> Self::Out;

    /// True for the few operands the body does not serve.
    #[inline(always)]
    fn is_rare(_a: Self::A, _b: Self::B, _c: Self::C) -> bool {
        false
    }

    /// The result where [`Lane::is_rare`], one lane at a time.
    #[inline(always)]
    fn rare(a: Self::A, b: Self::B, c: Self::C) -> Self::Out {
        Self::lane::<Base>(a, b, c)
    }
}

/// Lanes computed before rare ones are mended, or before results replace operands.
const BLOCK: usize = 256;

/// Loops `O` over `n` lanes.
///
/// # Safety
/// As [`LaneFn`].
#[inline(always)]
unsafe fn run<O: Lane, L: Isa>(out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize) {
    // The compiler's vectors need results that overlap no operand: in place, go through a buffer.
    let in_place = (size_of::<O::A>() > 0 && out.cast_const() == a)
        || (size_of::<O::B>() > 0 && out.cast_const() == b)
        || (size_of::<O::C>() > 0 && out.cast_const() == c);
    let (out, a, b, c) = (
        out.cast::<O::Out>(),
        a.cast::<O::A>(),
        b.cast::<O::B>(),
        c.cast::<O::C>(),
    );
    let step = if in_place || O::HAS_RARE { BLOCK } else { n };
    let mut buffer = [const { MaybeUninit::<O::Out>::uninit() }; BLOCK];
    let mut start = 0;
    while start < n {
        let count = step.min(n - start);
        // SAFETY: `start + count <= n`, so the caller's promise covers every operand and `out`; a
        // buffer is used only with `count <= BLOCK`, and it is written before it is copied.
        unsafe {
            let (a, b, c) = (a.add(start), b.add(start), c.add(start));
            let results = if in_place {
                buffer.as_mut_ptr().cast()
            } else {
                out.add(start)
            };
            block::<O, L>(results, a, b, c, count);
            if in_place {
                out.add(start).copy_from_nonoverlapping(results, count);
            }
        }
        start += count;
    }
}

/// Loops `O` over one block.
///
/// # Safety
/// Every pointer is valid for `n` elements of its type, and `out` overlaps no operand.
#[inline(always)]
unsafe fn block<O: Lane, L: Isa>(
    out: *mut O::Out,
    a: *const O::A,
    b: *const O::B,
    c: *const O::C,
    n: usize,
) {
    let mut any_rare = false;
    for i in 0..n {
        // SAFETY: `i < n`, and the pointers are valid for `n` elements.
        unsafe {
            let (x, y, z) = (a.add(i).read(), b.add(i).read(), c.add(i).read());
            out.add(i).write(O::lane::<L>(x, y, z));
            if O::HAS_RARE {
                any_rare |= O::is_rare(x, y, z);
            }
        }
    }
    if any_rare {
        // SAFETY: as above, the same pointers and count.
        unsafe { mend::<O>(out, a, b, c, n) }
    }
}

/// Computes the rare lanes of a block again.
///
/// # Safety
/// As [`block`].
#[cold]
#[inline(never)]
unsafe fn mend<O: Lane>(
    out: *mut O::Out,
    a: *const O::A,
    b: *const O::B,
    c: *const O::C,
    n: usize,
) {
    for i in 0..n {
        // SAFETY: `i < n`, and the pointers are valid for `n` elements.
        unsafe {
            let (x, y, z) = (a.add(i).read(), b.add(i).read(), c.add(i).read());
            if O::is_rare(x, y, z) {
                out.add(i).write(O::rare(x, y, z));
            }
        }
    }
}

/// # Safety
/// As [`LaneFn`].
unsafe fn run_base<O: Lane>(out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { run::<O, Base>(out, a, b, c, n) }
}

/// # Safety
/// As [`LaneFn`], on a processor of [`Level::V3`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_v3<O: Lane>(out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { run::<O, WithFma>(out, a, b, c, n) }
}

/// # Safety
/// As [`LaneFn`], on a processor of [`Level::V4`].
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
unsafe fn run_v4<O: Lane>(out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize) {
    // SAFETY: the caller's promise is the same.
    unsafe { run::<O, WithFma>(out, a, b, c, n) }
}

/// The loop of `O` at `level`.
pub(super) fn vector<O: Lane>(level: Level) -> LaneFn {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::V4 => run_v4::<O>,
        #[cfg(target_arch = "x86_64")]
        Level::V3 => run_v3::<O>,
        _ => run_base::<O>,
    }
}

/// The loop of `O`, compiled once: for bodies that are calls or branches and gain nothing from vectors.
pub(super) fn scalar<O: Lane>() -> LaneFn {
    run_base::<O>
}

/// Declares primitives as types `Name<T>` with a [`Lane`] body:
/// `Name [T: Bound] (operands) -> Result |Isa| body;`.
macro_rules! lanes {
    ($($name:ident [$t:ident: $bound:path] ($a:ident: $ta:ty) -> $out:ty |$l:ident| $body:expr;)*) => {$(
        lanes!(@one $name [$t: $bound] ($a: $ta, _unused: (), _unused2: ()) -> $out |$l| $body);
    )*};
    ($($name:ident [$t:ident: $bound:path] ($a:ident: $ta:ty, $b:ident: $tb:ty) -> $out:ty |$l:ident| $body:expr;)*) => {$(
        lanes!(@one $name [$t: $bound] ($a: $ta, $b: $tb, _unused: ()) -> $out |$l| $body);
    )*};
    ($($name:ident [$t:ident: $bound:path] ($a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty) -> $out:ty |$l:ident| $body:expr;)*) => {$(
        lanes!(@one $name [$t: $bound] ($a: $ta, $b: $tb, $c: $tc) -> $out |$l| $body);
    )*};
    (@one $name:ident [$t:ident: $bound:path] ($a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty) -> $out:ty |$l:ident| $body:expr) => {
        struct $name<T>(std::marker::PhantomData<T>);
        impl<$t: $bound> $crate::cpu::lanes::lane::Lane for $name<$t> {
            type A = $ta;
            type B = $tb;
            type C = $tc;
            type Out = $out;
            #[inline(always)]
            fn lane<$l: $crate::cpu::lanes::level::Isa>($a: $ta, $b: $tb, $c: $tc) -> $out {
                $body
            }
        }
    };
}
pub(super) use lanes;

/// As [`lanes`], for unary primitives with rare operands: `Name [T: Bound] |Isa, operand| body, rare condition => body;`.
macro_rules! lanes_with_rare {
    ($($name:ident [$t:ident: $bound:path] |$l:ident, $a:ident| $body:expr, rare $is_rare:expr => $rare:expr;)*) => {$(
        struct $name<T>(std::marker::PhantomData<T>);
        impl<$t: $bound> $crate::cpu::lanes::lane::Lane for $name<$t> {
            type A = $t;
            type B = ();
            type C = ();
            type Out = $t;
            const HAS_RARE: bool = true;
            #[inline(always)]
            fn lane<$l: $crate::cpu::lanes::level::Isa>($a: $t, _b: (), _c: ()) -> $t {
                $body
            }
            #[inline(always)]
            fn is_rare($a: $t, _b: (), _c: ()) -> bool {
                $is_rare
            }
            fn rare($a: $t, _b: (), _c: ()) -> $t {
                $rare
            }
        }
    )*};
    ($($name:ident [$t:ident: $bound:path] |$l:ident, $a:ident, $b:ident| $body:expr, rare $is_rare:expr => $rare:expr;)*) => {$(
        struct $name<T>(std::marker::PhantomData<T>);
        impl<$t: $bound> $crate::cpu::lanes::lane::Lane for $name<$t> {
            type A = $t;
            type B = $t;
            type C = ();
            type Out = $t;
            const HAS_RARE: bool = true;
            #[inline(always)]
            fn lane<$l: $crate::cpu::lanes::level::Isa>($a: $t, $b: $t, _c: ()) -> $t {
                $body
            }
            #[inline(always)]
            fn is_rare($a: $t, $b: $t, _c: ()) -> bool {
                $is_rare
            }
            fn rare($a: $t, $b: $t, _c: ()) -> $t {
                $rare
            }
        }
    )*};
}
pub(super) use lanes_with_rare;

/// The loops of `$op<T>` for the listed groups of element types, by `$dtype`.
macro_rules! offer {
    ($level:expr, $dtype:expr, $op:ident, $($group:ident)+) => {{
        let loops: Option<$crate::cpu::lanes::LaneFn> = None;
        $(let loops = loops.or_else(|| $crate::cpu::lanes::lane::offer!(@$group $level, $dtype, $op));)+
        loops
    }};
    (@bool $level:expr, $dtype:expr, $op:ident) => { offer!(@vector $level, $dtype, $op, bool) };
    (@signed $level:expr, $dtype:expr, $op:ident) => { offer!(@vector $level, $dtype, $op, i8, i16, i32, i64) };
    (@unsigned $level:expr, $dtype:expr, $op:ident) => { offer!(@vector $level, $dtype, $op, u8, u16, u32, u64) };
    (@integers_scalar $level:expr, $dtype:expr, $op:ident) => {
        offer!(@scalar $dtype, $op, i8, i16, i32, i64, u8, u16, u32, u64)
    };
    (@floats $level:expr, $dtype:expr, $op:ident) => { offer!(@vector $level, $dtype, $op, f32, f64) };
    (@floats_scalar $level:expr, $dtype:expr, $op:ident) => { offer!(@scalar $dtype, $op, f32, f64) };
    (@complex $level:expr, $dtype:expr, $op:ident) => {
        offer!(@vector $level, $dtype, $op, num_complex::Complex<f32>, num_complex::Complex<f64>)
    };
    (@complex_scalar $level:expr, $dtype:expr, $op:ident) => {
        offer!(@scalar $dtype, $op, num_complex::Complex<f32>, num_complex::Complex<f64>)
    };
    (@vector $level:expr, $dtype:expr, $op:ident, $($t:ty),+) => {
        match $dtype {
            $(dtype if dtype == <$t as $crate::Element>::DTYPE => {
                Some($crate::cpu::lanes::lane::vector::<$op<$t>>($level))
            })+
            _ => None,
        }
    };
    (@scalar $dtype:expr, $op:ident, $($t:ty),+) => {
        match $dtype {
            $(dtype if dtype == <$t as $crate::Element>::DTYPE => {
                Some($crate::cpu::lanes::lane::scalar::<$op<$t>>())
            })+
            _ => None,
        }
    };
}
pub(super) use offer;
