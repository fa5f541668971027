//! Products of small matrices that lie anywhere, for kernels that are more than a product.

use super::dense::{Multiply, packing};
use super::product::{Matrix, Product};
use crate::error::Result;
use crate::scalar::Element;
use num_traits::Float;

/// A matrix that lies somewhere: its first element, and the distances of rows and of columns in elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lies<T> {
    pub(crate) first: *mut T,
    pub(crate) row: isize,
    pub(crate) col: isize,
}

impl<T> Lies<T> {
    /// The matrix with rows for columns.
    pub(crate) fn turned(self) -> Lies<T> {
        Lies {
            row: self.col,
            col: self.row,
            ..self
        }
    }

    fn matrix(self) -> Matrix<T> {
        Matrix {
            first: self.first,
            row: self.row,
            col: self.col,
        }
    }
}

/// A type that products and functions of elements are computed in.
pub(crate) trait Real: Element + Float + Send + Sync {
    /// `c = alpha a b + beta c` on the calling thread, where `a` is `m` by `k` and `b` is `k` by `n`.
    ///
    /// # Safety
    /// The three matrices are live, fit their lengths, and `c` is apart from the others.
    unsafe fn multiply(
        lengths: [usize; 3],
        alpha: Self,
        factors: [Lies<Self>; 2],
        beta: Self,
        c: Lies<Self>,
    ) -> Result<()>;

    /// Bytes that one such product works in at most.
    fn working(m: usize, n: usize, k: usize) -> usize {
        packing(m, n, k, size_of::<Self>())
    }
}

macro_rules! real {
    ($($t:ty),*) => {$(
        impl Real for $t {
            unsafe fn multiply(
                [m, n, k]: [usize; 3],
                alpha: $t,
                [a, b]: [Lies<$t>; 2],
                beta: $t,
                c: Lies<$t>,
            ) -> Result<()> {
                let product = Product {
                    m,
                    n,
                    k,
                    a: a.matrix(),
                    b: b.matrix(),
                    c: c.matrix(),
                    alpha,
                    beta,
                    conj_a: false,
                    conj_b: false,
                };
                // SAFETY: the caller's promise.
                unsafe { <$t as Multiply>::multiply(&product) }
            }
        }
    )*};
}
real!(f32, f64);
