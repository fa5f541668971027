//! The matrix product as a kernel: its contract, and the matrices of one product.

use super::contraction::Contraction;
use super::stack;
use crate::device::{Arg, Kernel, Launch};
use crate::dtype::DType;
use crate::error::Result;
use num_complex::Complex;

/// `out = end(alpha op(a) op(b) + beta out)` for stacks of matrices, where `op` may conjugate.
///
/// Inputs `a: [.., m, k]` and `b: [.., k, n]` of one numeric dtype, output `out: [.., m, n]`, all
/// with the same leading lengths; any strides. Parameters: `alpha`, `beta` (with 0, `out` is not
/// read), two booleans, whether `a` and `b` are conjugated, and the [arithmetic](crate::device::Arithmetic) that is enough;
/// [`Contraction`] reads them. The half types accumulate in
/// `float32`, which `alpha` and `beta` are then too, and are rounded once; integers wrap. The order of summation depends on the shape and
/// the strides, not on the number of threads.
///
/// Without an [end](crate::device::End), `out` has the dtype of the others. An end gets the sums as they are, in `float32` for the half types, and
/// `out` has the dtype of its result; with `beta`, that is the dtype of the sums.
pub static MATMUL: Kernel = Kernel {
    name: "matmul",
    cpu: run,
};

/// A matrix in memory: its first element and the strides of rows and columns, in elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix<T> {
    pub(super) first: *mut T,
    pub(super) row: isize,
    pub(super) col: isize,
}

impl<T> Matrix<T> {
    /// The submatrix that begins at row `i` and column `j`.
    pub(super) fn at(self, i: usize, j: usize) -> Matrix<T> {
        let by = i as isize * self.row + j as isize * self.col;
        Matrix {
            first: self.first.wrapping_offset(by),
            ..self
        }
    }

    pub(super) fn shifted(self, by: isize) -> Matrix<T> {
        Matrix {
            first: self.first.wrapping_offset(by),
            ..self
        }
    }
}

/// One product `c = alpha op(a) op(b) + beta c`, with factors of the type that it is summed in.
#[derive(Clone, Copy)]
pub(super) struct Product<T, F = T> {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) a: Matrix<T>,
    pub(super) b: Matrix<T>,
    pub(super) c: Matrix<T>,
    pub(super) alpha: F,
    pub(super) beta: F,
    pub(super) conj_a: bool,
    pub(super) conj_b: bool,
}

// SAFETY: a product only names memory; the kernel's contract makes it valid for the whole launch, and
// tasks that run at the same time write disjoint parts of `c`.
unsafe impl<T: Send, F: Send> Send for Product<T, F> {}
// SAFETY: as above.
unsafe impl<T: Sync, F: Sync> Sync for Product<T, F> {}

/// # Safety
/// As [`MATMUL`] says: live memory that fits the layouts, the output apart from the inputs.
unsafe fn run(launch: &Launch) -> Result<()> {
    let product = Contraction::of(launch)?;
    // SAFETY: the caller's promise, for the element type that the operands have.
    unsafe {
        match product.dtype() {
            DType::I8 => stack::run::<i8>(&product),
            DType::I16 => stack::run::<i16>(&product),
            DType::I32 => stack::run::<i32>(&product),
            DType::I64 => stack::run::<i64>(&product),
            DType::U8 => stack::run::<u8>(&product),
            DType::U16 => stack::run::<u16>(&product),
            DType::U32 => stack::run::<u32>(&product),
            DType::U64 => stack::run::<u64>(&product),
            DType::F16 => stack::run::<::half::f16>(&product),
            DType::BF16 => stack::run::<::half::bf16>(&product),
            DType::F32 => stack::run::<f32>(&product),
            DType::F64 => stack::run::<f64>(&product),
            DType::C64 => stack::run::<Complex<f32>>(&product),
            DType::C128 => stack::run::<Complex<f64>>(&product),
            // No contraction has this type.
            DType::Bool | DType::F8E4M3 | DType::F8E5M2 => Ok(()),
        }
    }
}

/// The last two axes of an operand as a matrix.
pub(super) fn matrix<T>(arg: &Arg) -> Matrix<T> {
    let strides = arg.layout.strides();
    let lead = strides.len() - 2;
    Matrix {
        first: arg.address().cast(),
        row: strides[lead],
        col: strides[lead + 1],
    }
}
