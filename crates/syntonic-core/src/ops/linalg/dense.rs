//! Real and complex products: plain loops where they are small, packed panels where they are not.

use super::product::{Matrix, Product};
use crate::error::Result;
use crate::fork::Lazy;
use crate::scalar::Element;
use gemm::Parallelism;
use num_complex::Complex;
use num_traits::{One, Zero};
use std::ops::{Add, Mul};

/// An element type with a matrix product.
pub(super) trait Multiply: Element {
    /// The type that sums are made in, and factors are rounded to.
    type Factor: Element;

    /// Computes one product on the calling thread. An error where there is no memory to work in; `c` is then arbitrary.
    ///
    /// # Safety
    /// The three matrices are live, fit their lengths, and `c` is apart from the others.
    unsafe fn multiply(p: &Product<Self, Self::Factor>) -> Result<()>;

    /// As [`Multiply::multiply`] into `sums` instead of `c`, before anything is rounded to this type.
    ///
    /// # Safety
    /// As [`Multiply::multiply`], with `sums` for `c`.
    unsafe fn sums(p: &Product<Self, Self::Factor>, sums: Matrix<Self::Factor>) -> Result<()>;

    /// Rows and columns of the pieces that a large product is cut into, by its shape alone.
    fn tile(p: &Product<Self, Self::Factor>) -> (usize, usize) {
        tile(p.m, p.n, p.k)
    }

    /// Bytes of memory that one product works in at most.
    fn working(p: &Product<Self, Self::Factor>) -> usize;

    /// The work in multiply-adds of real numbers.
    fn cost(p: &Product<Self, Self::Factor>) -> usize {
        p.m.saturating_mul(p.n).saturating_mul(p.k)
    }
}

/// Columns of a piece. A piece packs its share of both operands itself; that costs as much as one
/// column in every few hundred.
const TILE: usize = 512;

/// Pieces of about `TILE` squared, longer where the other axis is short.
pub(super) fn tile(m: usize, n: usize, k: usize) -> (usize, usize) {
    if m.min(n) <= 4 {
        // Bound by memory: about 2 MB of the matrix per piece.
        let long = ((256 << 10) / k.max(1)).max(64);
        return (long.max(1), long.max(1));
    }
    let side = |len: usize| {
        // At least two pieces along an axis that is worth cutting, all of nearly the same length.
        let pieces = len.div_ceil(TILE).max(if len >= 192 { 2 } else { 1 });
        len.div_ceil(pieces).next_multiple_of(16)
    };
    (side(m), side(n))
}

macro_rules! packed {
    ($($t:ty => $per:expr),* $(,)?) => {$(
        impl Multiply for $t {
            type Factor = $t;

            unsafe fn multiply(p: &Product<$t>) -> Result<()> {
                // SAFETY: the caller's promise is theirs.
                unsafe {
                    if p.m * p.n * p.k <= 64 {
                        loops(p, |z| conj(z));
                    } else {
                        panels(p);
                    }
                }
                Ok(())
            }

            unsafe fn sums(p: &Product<$t>, sums: Matrix<$t>) -> Result<()> {
                // SAFETY: the caller's promise.
                unsafe { Self::multiply(&Product { c: sums, ..*p }) }
            }

            fn working(p: &Product<$t>) -> usize {
                packing(p.m, p.n, p.k, size_of::<$t>())
            }

            fn cost(p: &Product<$t>) -> usize {
                p.m.saturating_mul(p.n).saturating_mul(p.k).saturating_mul($per)
            }
        }
    )*};
}
packed!(f32 => 1, f64 => 2, Complex<f32> => 4, Complex<f64> => 8);

/// The conjugate of an element; real numbers are their own.
fn conj<T: Conjugate>(z: T) -> T {
    z.conjugate()
}

/// Numbers with a conjugate.
pub(super) trait Conjugate: Copy {
    fn conjugate(self) -> Self;
}
impl Conjugate for f32 {
    fn conjugate(self) -> f32 {
        self
    }
}
impl Conjugate for f64 {
    fn conjugate(self) -> f64 {
        self
    }
}
impl<T: Copy + std::ops::Neg<Output = T> + num_traits::Num> Conjugate for Complex<T> {
    fn conjugate(self) -> Self {
        self.conj()
    }
}

/// A small product, summed in order.
///
/// # Safety
/// As [`Multiply::multiply`].
unsafe fn loops<T>(p: &Product<T>, conj: impl Fn(T) -> T)
where
    T: Element + Zero + Add<Output = T> + Mul<Output = T>,
{
    for i in 0..p.m {
        for j in 0..p.n {
            let mut sum = T::zero();
            for l in 0..p.k {
                // SAFETY: `i`, `j` and `l` are below the lengths of the matrices.
                let (a, b) = unsafe { (*p.a.at(i, l).first, *p.b.at(l, j).first) };
                let a = if p.conj_a { conj(a) } else { a };
                let b = if p.conj_b { conj(b) } else { b };
                sum = sum + a * b;
            }
            let to = p.c.at(i, j).first;
            // SAFETY: as above; `c` is read only where `beta` asks for it.
            unsafe { *to = finish(sum, p.alpha, p.beta, || *to) };
        }
    }
}

/// `alpha sum + beta old`, where `old` is read only if `beta` is not 0.
fn finish<T>(sum: T, alpha: T, beta: T, old: impl FnOnce() -> T) -> T
where
    T: Copy + Zero + Add<Output = T> + Mul<Output = T>,
{
    let scaled = alpha * sum;
    if beta.is_zero() {
        scaled
    } else {
        scaled + beta * old()
    }
}

/// A large product on one thread: packed panels and vector instructions chosen at run time.
///
/// # Safety
/// As [`Multiply::multiply`]; `T` is one of `f32`, `f64` and their complex numbers.
unsafe fn panels<T: Element + Zero + One>(p: &Product<T>) {
    ready();
    let (a, b, c) = (p.a, p.b, p.c);
    // SAFETY: the caller vouches for the matrices. That library's `alpha` multiplies the destination
    // and its `beta` the product.
    unsafe {
        gemm::gemm(
            p.m,
            p.n,
            p.k,
            c.first,
            c.col,
            c.row,
            !p.beta.is_zero(),
            a.first,
            a.col,
            a.row,
            b.first,
            b.col,
            b.row,
            p.beta,
            p.alpha,
            false,
            p.conj_a,
            p.conj_b,
            Parallelism::None,
        );
    }
}

/// What the library finds out once, about the processor's caches, is there: a forked child does not find it half made.
pub(super) fn ready() {
    static READY: Lazy<()> = Lazy::new(|| {
        let (a, mut c) = ([1.0_f64; 9], [0.0_f64; 9]);
        // SAFETY: three matrices of 3 by 3 that nobody else knows.
        unsafe {
            gemm::gemm(
                3,
                3,
                3,
                c.as_mut_ptr(),
                3,
                1,
                false,
                a.as_ptr(),
                3,
                1,
                a.as_ptr(),
                3,
                1,
                0.0,
                1.0,
                false,
                false,
                false,
                Parallelism::None,
            );
        }
    });
    *READY
}

/// Bytes that the library packs operands into at most, for a product of these lengths on one thread. It asks for them in a
/// way that ends the process where they are refused. What bounds it is the size of a piece, of a panel's depth, and of the
/// second-level cache, of which each thread keeps a buffer.
pub(super) fn packing(m: usize, n: usize, k: usize, size: usize) -> usize {
    const DEPTH: usize = 1024;
    const ROWS: usize = 1024;
    const CACHE: usize = 2 << 20;
    // Few rows are multiplied as they lie.
    let cols = if m <= 4 { 0 } else { n };
    let panels = (m.min(ROWS) + cols + 64)
        .saturating_mul(k.min(DEPTH))
        .saturating_mul(size);
    panels.saturating_add(if m >= 128 { CACHE } else { 0 })
}

/// As [`Multiply::multiply`] for `f32` panels that another type was widened into.
///
/// # Safety
/// As [`Multiply::multiply`].
pub(super) unsafe fn multiply_f32(p: &Product<f32>) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { f32::multiply(p) }
}
