//! Integer products, which wrap: packed panels and a register block that the compiler turns into
//! vectors, once per instruction set.

use super::dense::Multiply;
use super::product::Product;
use crate::cpu::lanes::Level;
use crate::scalar::Element;

/// Rows of the register block.
const ROWS: usize = 4;
/// Depth of a panel: a panel of 128 bytes by this many rows stays in the first-level cache.
const DEPTH: usize = 256;

/// Arithmetic modulo a power of two.
trait Wrapping: Element + Eq {
    const ZERO: Self;
    /// `a * b + c`.
    fn mul_add(a: Self, b: Self, c: Self) -> Self;
}

macro_rules! integers {
    ($($t:ty),* $(,)?) => {$(
        impl Wrapping for $t {
            const ZERO: $t = 0;
            #[inline(always)]
            fn mul_add(a: $t, b: $t, c: $t) -> $t {
                a.wrapping_mul(b).wrapping_add(c)
            }
        }

        impl Multiply for $t {
            unsafe fn multiply(p: &Product<$t>) {
                // SAFETY: the caller's promise.
                unsafe { at_level::<$t, { 128 / size_of::<$t>() }>(p) }
            }

            fn cost(p: &Product<$t>) -> usize {
                p.m.saturating_mul(p.n).saturating_mul(p.k).saturating_mul(size_of::<$t>())
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

/// # Safety
/// As [`Multiply::multiply`].
unsafe fn at_level<T: Wrapping, const COLS: usize>(p: &Product<T>) {
    // SAFETY: the caller's promise; each version runs only where its instructions exist.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        match Level::current() {
            Level::V4 => v4::<T, COLS>(p),
            Level::V3 => v3::<T, COLS>(p),
            Level::Base => blocked::<T, COLS>(p),
        }
        #[cfg(not(target_arch = "x86_64"))]
        blocked::<T, COLS>(p);
    }
}

/// # Safety
/// As [`Multiply::multiply`], on a processor of this level.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn v3<T: Wrapping, const COLS: usize>(p: &Product<T>) {
    // SAFETY: the caller's promise.
    unsafe { blocked::<T, COLS>(p) }
}

/// # Safety
/// As [`Multiply::multiply`], on a processor of this level.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn v4<T: Wrapping, const COLS: usize>(p: &Product<T>) {
    // SAFETY: the caller's promise.
    unsafe { blocked::<T, COLS>(p) }
}

/// # Safety
/// As [`Multiply::multiply`].
#[inline(always)]
unsafe fn blocked<T: Wrapping, const COLS: usize>(p: &Product<T>) {
    let mut left = vec![[T::ZERO; ROWS]; p.k.clamp(1, DEPTH)];
    let mut right = vec![[T::ZERO; COLS]; p.k.clamp(1, DEPTH)];
    for j in (0..p.n).step_by(COLS) {
        let mut depth = 0;
        // Once for `k` = 0 too, so that the result is written.
        while depth < p.k || depth == 0 {
            let d = DEPTH.min(p.k - depth);
            // SAFETY: rows `depth..depth + d` of `b` exist, and columns are checked there.
            unsafe { pack_right(p, depth, j, &mut right[..d]) };
            for i in (0..p.m).step_by(ROWS) {
                // SAFETY: the block begins inside `a` and `c`; its far edges are checked there.
                unsafe {
                    pack_left(p, i, depth, &mut left[..d]);
                    let sums = block(&left[..d], &right[..d]);
                    store(p, i, j, depth == 0, &sums);
                }
            }
            depth += d.max(1);
        }
    }
}

/// The products of one strip of rows with one strip of columns.
#[inline(always)]
fn block<T: Wrapping, const COLS: usize>(
    left: &[[T; ROWS]],
    right: &[[T; COLS]],
) -> [[T; COLS]; ROWS] {
    let mut sums = [[T::ZERO; COLS]; ROWS];
    for (a, b) in left.iter().zip(right) {
        for r in 0..ROWS {
            for c in 0..COLS {
                sums[r][c] = T::mul_add(a[r], b[c], sums[r][c]);
            }
        }
    }
    sums
}

/// # Safety
/// As [`Multiply::multiply`]; `depth + to.len() <= k` and `i < m`.
#[inline(always)]
unsafe fn pack_left<T: Wrapping>(p: &Product<T>, i: usize, depth: usize, to: &mut [[T; ROWS]]) {
    let rows = ROWS.min(p.m - i);
    for (l, line) in to.iter_mut().enumerate() {
        for (r, x) in line.iter_mut().enumerate().take(rows) {
            // SAFETY: `i + r < m` and `depth + l < k`.
            *x = unsafe { *p.a.at(i + r, depth + l).first };
        }
    }
}

/// # Safety
/// As [`Multiply::multiply`]; `depth + to.len() <= k` and `j < n`.
#[inline(always)]
unsafe fn pack_right<T: Wrapping, const COLS: usize>(
    p: &Product<T>,
    depth: usize,
    j: usize,
    to: &mut [[T; COLS]],
) {
    let cols = COLS.min(p.n - j);
    for (l, line) in to.iter_mut().enumerate() {
        for (c, x) in line.iter_mut().enumerate().take(cols) {
            // SAFETY: `depth + l < k` and `j + c < n`.
            *x = unsafe { *p.b.at(depth + l, j + c).first };
        }
    }
}

/// Adds a block of sums to `c`; the first time `beta c` stands for what was there.
///
/// # Safety
/// As [`Multiply::multiply`]; `i < m` and `j < n`.
#[inline(always)]
unsafe fn store<T: Wrapping, const COLS: usize>(
    p: &Product<T>,
    i: usize,
    j: usize,
    first: bool,
    sums: &[[T; COLS]; ROWS],
) {
    for (r, line) in sums.iter().enumerate().take(p.m - i) {
        for (c, &sum) in line.iter().enumerate().take(p.n - j) {
            let to = p.c.at(i + r, j + c).first;
            // SAFETY: `i + r < m` and `j + c < n`.
            unsafe {
                let old = match (first, p.beta == T::ZERO) {
                    (false, _) => *to,
                    (true, true) => T::ZERO,
                    (true, false) => T::mul_add(p.beta, *to, T::ZERO),
                };
                *to = T::mul_add(p.alpha, sum, old);
            }
        }
    }
}
