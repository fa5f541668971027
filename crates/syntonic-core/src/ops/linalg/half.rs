//! Products of the half types: panels widened to `float32`, the result rounded once.

use super::dense::{Multiply, multiply_f32, packing};
use super::product::{Matrix, Product};
use crate::cpu::lanes;
use crate::dtype::DType;
use crate::error::Result;
use crate::room;
use crate::scalar::Element;

impl Multiply for half::f16 {
    type Factor = f32;

    unsafe fn multiply(p: &Product<half::f16, f32>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { widened(p) }
    }

    unsafe fn sums(p: &Product<half::f16, f32>, sums: Matrix<f32>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { widened_into(p, sums) }
    }

    fn working(p: &Product<half::f16, f32>) -> usize {
        widening(p.m, p.n, p.k)
    }
}

impl Multiply for half::bf16 {
    type Factor = f32;

    unsafe fn multiply(p: &Product<half::bf16, f32>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { widened(p) }
    }

    unsafe fn sums(p: &Product<half::bf16, f32>, sums: Matrix<f32>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { widened_into(p, sums) }
    }

    fn working(p: &Product<half::bf16, f32>) -> usize {
        widening(p.m, p.n, p.k)
    }
}

/// Bytes of the three matrices as `float32`, of one line of a half type, and of the product itself.
fn widening(m: usize, n: usize, k: usize) -> usize {
    let wide = m * k + k * n + m * n;
    let line = m.max(n).max(k);
    (4 * wide + 2 * line).saturating_add(packing(m, n, k, 4))
}

/// # Safety
/// As [`Multiply::multiply`].
unsafe fn widened<T: Element>(p: &Product<T, f32>) -> Result<()> {
    // SAFETY: the caller vouches for the matrices and their lengths; `c` has room for `m` rows of `n`.
    unsafe {
        let mut c = if p.beta == 0.0 {
            Wide::zeros(p.m, p.n)?
        } else {
            Wide::read(p.c, p.m, p.n)?
        };
        widened_into(p, c.matrix())?;
        c.write(p.c, p.m, p.n)
    }
}

/// The product in `float32`, into `c`.
///
/// # Safety
/// As [`Multiply::sums`].
unsafe fn widened_into<T: Element>(p: &Product<T, f32>, c: Matrix<f32>) -> Result<()> {
    // SAFETY: the caller vouches for the matrices and their lengths.
    let (mut a, mut b) = unsafe { (Wide::read(p.a, p.m, p.k)?, Wide::read(p.b, p.k, p.n)?) };
    let wide = Product {
        m: p.m,
        n: p.n,
        k: p.k,
        a: a.matrix(),
        b: b.matrix(),
        c,
        alpha: p.alpha,
        beta: p.beta,
        conj_a: false,
        conj_b: false,
    };
    // SAFETY: the widened matrices have exactly these lengths and are apart.
    unsafe { multiply_f32(&wide) }
}

/// A matrix copied into `float32`, along whichever axis lies closer together.
struct Wide {
    values: Vec<f32>,
    row: isize,
    col: isize,
}

impl Wide {
    fn zeros(rows: usize, cols: usize) -> Result<Wide> {
        Ok(Wide {
            values: room::zeros(rows * cols)?,
            row: cols as isize,
            col: 1,
        })
    }

    /// # Safety
    /// `from` is live for `rows` by `cols` elements of a half type.
    unsafe fn read<T: Element>(from: Matrix<T>, rows: usize, cols: usize) -> Result<Wide> {
        let by_column = from.row.unsigned_abs() < from.col.unsigned_abs();
        let (lines, len, line, step) = if by_column {
            (cols, rows, from.col, from.row)
        } else {
            (rows, cols, from.row, from.col)
        };
        let mut values = room::zeros::<f32>(rows * cols)?;
        let mut narrow = room::filled(len, T::default())?;
        let convert = lanes::cast(T::DTYPE, DType::F32);
        for (i, out) in values.chunks_exact_mut(len.max(1)).take(lines).enumerate() {
            let first = from.first.wrapping_offset(i as isize * line).cast::<u8>();
            let size = size_of::<T>();
            // SAFETY: the line has `len` elements at this stride; the scratch and the output too.
            unsafe {
                lanes::gather(
                    narrow.as_mut_ptr().cast(),
                    first,
                    step * size as isize,
                    size,
                    len,
                );
                let none = std::ptr::null();
                convert(
                    out.as_mut_ptr().cast(),
                    narrow.as_ptr().cast(),
                    none,
                    none,
                    len,
                );
            }
        }
        let (row, col) = if by_column {
            (1, len as isize)
        } else {
            (len as isize, 1)
        };
        Ok(Wide { values, row, col })
    }

    fn matrix(&mut self) -> Matrix<f32> {
        Matrix {
            first: self.values.as_mut_ptr(),
            row: self.row,
            col: self.col,
        }
    }

    /// Rounds the values into `to`.
    ///
    /// # Safety
    /// `to` is live for `rows` by `cols` elements, which are the lengths of this matrix.
    unsafe fn write<T: Element>(&self, to: Matrix<T>, rows: usize, cols: usize) -> Result<()> {
        let convert = lanes::cast(DType::F32, T::DTYPE);
        let by_column = self.row == 1 && self.col != 1;
        let (len, line, step) = if by_column {
            (rows, to.col, to.row)
        } else {
            (cols, to.row, to.col)
        };
        let (mut narrow, size) = (room::filled(len, T::default())?, size_of::<T>());
        for (i, values) in self.values.chunks_exact(len.max(1)).enumerate() {
            let first = to.first.wrapping_offset(i as isize * line).cast::<u8>();
            let none = std::ptr::null();
            // SAFETY: the line has `len` elements at this stride; the scratch and the values too.
            unsafe {
                convert(
                    narrow.as_mut_ptr().cast(),
                    values.as_ptr().cast(),
                    none,
                    none,
                    len,
                );
                lanes::scatter(
                    first,
                    step * size as isize,
                    narrow.as_ptr().cast(),
                    size,
                    len,
                );
            }
        }
        Ok(())
    }
}
