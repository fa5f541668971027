//! Integer products, which wrap: a packed panel and one line of sums at a time, which the compiler
//! turns into vectors, once per instruction set.

use super::dense::Multiply;
use super::product::{Matrix, Product};
#[cfg(target_arch = "x86_64")]
use crate::cpu::lanes::Level;
use crate::error::Result;
use crate::room;
use crate::scalar::Element;

/// Columns of a panel. Sums of one line stay in registers; with 32 columns the compiler unrolls the
/// line into scalars, ten times slower.
const COLS: usize = 64;
/// Rows of a panel, which stays in the second-level cache.
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
            type Factor = $t;

            unsafe fn multiply(p: &Product<$t>) -> Result<()> {
                // SAFETY: the caller's promise.
                unsafe { at_level(p) }
            }

            unsafe fn sums(p: &Product<$t>, sums: Matrix<$t>) -> Result<()> {
                // SAFETY: the caller's promise.
                unsafe { at_level(&Product { c: sums, ..*p }) }
            }

            fn working(p: &Product<$t>) -> usize {
                (COLS + 1) * p.k.clamp(1, DEPTH) * size_of::<$t>()
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
unsafe fn at_level<T: Wrapping>(p: &Product<T>) -> Result<()> {
    // SAFETY: the caller's promise; each version runs only where its instructions exist.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        match Level::current() {
            Level::V4 => v4(p),
            Level::V3 => v3(p),
            Level::Base => blocked(p),
        }
        #[cfg(not(target_arch = "x86_64"))]
        blocked(p)
    }
}

/// # Safety
/// As [`Multiply::multiply`], on a processor of this level.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn v3<T: Wrapping>(p: &Product<T>) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { blocked(p) }
}

/// # Safety
/// As [`Multiply::multiply`], on a processor of this level.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn v4<T: Wrapping>(p: &Product<T>) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { blocked(p) }
}

/// # Safety
/// As [`Multiply::multiply`].
#[inline(always)]
unsafe fn blocked<T: Wrapping>(p: &Product<T>) -> Result<()> {
    let mut left = room::filled(p.k.clamp(1, DEPTH), T::ZERO)?;
    let mut panel = room::filled(p.k.clamp(1, DEPTH), [T::ZERO; COLS])?;
    for j in (0..p.n).step_by(COLS) {
        let mut depth = 0;
        // Once for `k` = 0 too, so that the result is written.
        while depth < p.k || depth == 0 {
            let d = DEPTH.min(p.k - depth);
            // SAFETY: rows `depth..depth + d` of `b` exist, and columns are checked there.
            unsafe { pack(p, depth, j, &mut panel[..d]) };
            for i in 0..p.m {
                for (l, x) in left[..d].iter_mut().enumerate() {
                    // SAFETY: `i < m` and `depth + l < k`.
                    *x = unsafe { *p.a.at(i, depth + l).first };
                }
                let sums = line(&left[..d], &panel[..d]);
                // SAFETY: row `i` and column `j` exist; columns beyond the edge are left out there.
                unsafe { store(p, i, j, depth == 0, &sums) };
            }
            depth += d.max(1);
        }
    }
    Ok(())
}

/// One row times a panel.
#[inline(always)]
fn line<T: Wrapping>(left: &[T], panel: &[[T; COLS]]) -> [T; COLS] {
    let mut sums = [T::ZERO; COLS];
    for (&a, b) in left.iter().zip(panel) {
        for c in 0..COLS {
            sums[c] = T::mul_add(a, b[c], sums[c]);
        }
    }
    sums
}

/// # Safety
/// As [`Multiply::multiply`]; `depth + to.len() <= k` and `j < n`.
#[inline(always)]
unsafe fn pack<T: Wrapping>(p: &Product<T>, depth: usize, j: usize, to: &mut [[T; COLS]]) {
    let cols = COLS.min(p.n - j);
    for (l, line) in to.iter_mut().enumerate() {
        for (c, x) in line.iter_mut().enumerate().take(cols) {
            // SAFETY: `depth + l < k` and `j + c < n`.
            *x = unsafe { *p.b.at(depth + l, j + c).first };
        }
    }
}

/// Adds a line of sums to `c`; the first time `beta c` stands for what was there.
///
/// # Safety
/// As [`Multiply::multiply`]; `i < m` and `j < n`.
#[inline(always)]
unsafe fn store<T: Wrapping>(p: &Product<T>, i: usize, j: usize, first: bool, sums: &[T; COLS]) {
    for (c, &sum) in sums.iter().enumerate().take(p.n - j) {
        let to = p.c.at(i, j + c).first;
        // SAFETY: `i < m` and `j + c < n`.
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
