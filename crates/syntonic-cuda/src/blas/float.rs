//! Products of floats through cuBLAS.
//!
//! cuBLAS counts columns first. A row-major matrix is the transpose of what it sees there, so it is asked
//! for `cᵀ = bᵀ aᵀ`.

use super::handle::status;
use super::pack::{self, Values};
use super::{Matrix, Product};
use crate::context::{Context, Scratch};
use cudarc::cublas::sys::{self, cublasOperation_t, cudaDataType};
use std::ffi::c_void;
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Result, Scalar};

/// An operand as cuBLAS takes it.
struct Operand<'a> {
    address: u64,
    operation: cublasOperation_t,
    leading: i64,
    batch: i64,
    /// The copy that it points into, if one was made.
    _copy: Option<Scratch<'a>>,
}

/// # Safety
/// As [`super::matmul`].
pub(super) unsafe fn multiply(context: &Context, p: &Product) -> Result<()> {
    // SAFETY: the caller's promise; a copy has the matrices' own sizes.
    unsafe {
        let a = operand(context, p.dtype, &p.a, p.batch, p.conj_a)?;
        let b = operand(context, p.dtype, &p.b, p.batch, p.conj_b)?;
        if row_major(&p.c).is_some() && (p.batch == 1 || p.c.batch != 0) {
            return gemm(context, p, &a, &b, &p.c);
        }
        let (target, _copy) = dense(context, p.dtype, &p.c, p.batch)?;
        if p.beta.to_bool() {
            pack::copy(context, p.dtype, &p.c, &target, p.batch, Values::Same)?;
        }
        gemm(context, p, &a, &b, &target)?;
        pack::copy(context, p.dtype, &target, &p.c, p.batch, Values::Same)
    }
}

/// The distance between rows where a matrix lies row-major.
fn row_major(m: &Matrix) -> Option<i64> {
    let fits = (m.cols <= 1 || m.col == 1) && (m.rows <= 1 || m.row >= m.cols.max(1) as isize);
    let stride = if m.rows <= 1 { m.cols as isize } else { m.row };
    fits.then(|| stride.max(m.cols as isize).max(1) as i64)
}

/// As [`row_major`], of the transpose.
fn column_major(m: &Matrix) -> Option<i64> {
    row_major(&Matrix {
        rows: m.cols,
        cols: m.rows,
        row: m.col,
        col: m.row,
        ..*m
    })
}

/// The matrix in a form that cuBLAS reads; a copy where it lies in none.
///
/// # Safety
/// The matrices are live and fit.
unsafe fn operand<'a>(
    context: &'a Context,
    dtype: DType,
    m: &Matrix,
    batch: usize,
    conjugate: bool,
) -> Result<Operand<'a>> {
    use cublasOperation_t::{CUBLAS_OP_C, CUBLAS_OP_N, CUBLAS_OP_T};
    let conjugate = conjugate && dtype.is_complex();
    let found = match (row_major(m), column_major(m)) {
        (Some(leading), _) if !conjugate => Some((CUBLAS_OP_N, leading)),
        (_, Some(leading)) => Some((if conjugate { CUBLAS_OP_C } else { CUBLAS_OP_T }, leading)),
        _ => None,
    };
    if let Some((operation, leading)) = found {
        return Ok(Operand {
            address: m.first,
            operation,
            leading,
            batch: m.batch as i64,
            _copy: None,
        });
    }
    let copies = if m.batch == 0 { 1 } else { batch };
    let (target, copy) = dense(context, dtype, m, copies)?;
    let values = if conjugate {
        Values::Conjugated
    } else {
        Values::Same
    };
    // SAFETY: the copy has room for the matrices.
    unsafe { pack::copy(context, dtype, m, &target, copies, values)? };
    Ok(Operand {
        address: target.first,
        operation: CUBLAS_OP_N,
        leading: target.cols.max(1) as i64,
        batch: if m.batch == 0 { 0 } else { target.batch as i64 },
        _copy: Some(copy),
    })
}

/// Memory for `batch` matrices of this size, row-major one after the other.
fn dense<'a>(
    context: &'a Context,
    dtype: DType,
    m: &Matrix,
    batch: usize,
) -> Result<(Matrix, Scratch<'a>)> {
    let size = m.rows * m.cols;
    let copy = context.scratch(size * batch * dtype.size())?;
    let matrix = Matrix {
        first: copy.address(),
        row: m.cols as isize,
        col: 1,
        batch: size as isize,
        ..*m
    };
    Ok((matrix, copy))
}

/// A factor in the type that cuBLAS computes in, aligned as C aligns its complex numbers.
#[repr(C, align(16))]
union Factor {
    single: f32,
    double: f64,
    complex: Complex<f32>,
    double_complex: Complex<f64>,
}

impl Factor {
    fn new(x: Scalar, dtype: DType) -> Factor {
        let z = x.to_complex();
        match dtype {
            DType::F64 => Factor { double: z.re },
            DType::C64 => Factor {
                complex: Complex::new(z.re as f32, z.im as f32),
            },
            DType::C128 => Factor { double_complex: z },
            _ => Factor {
                single: z.re as f32,
            },
        }
    }

    fn address(&self) -> *const c_void {
        std::ptr::from_ref(self).cast()
    }
}

/// The element type's name in cuBLAS, and the type it computes in.
fn types(dtype: DType) -> (cudaDataType, sys::cublasComputeType_t) {
    use cudaDataType as D;
    use sys::cublasComputeType_t::{CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_64F};
    match dtype {
        DType::F16 => (D::CUDA_R_16F, CUBLAS_COMPUTE_32F),
        DType::BF16 => (D::CUDA_R_16BF, CUBLAS_COMPUTE_32F),
        DType::F64 => (D::CUDA_R_64F, CUBLAS_COMPUTE_64F),
        DType::C64 => (D::CUDA_C_32F, CUBLAS_COMPUTE_32F),
        DType::C128 => (D::CUDA_C_64F, CUBLAS_COMPUTE_64F),
        _ => (D::CUDA_R_32F, CUBLAS_COMPUTE_32F),
    }
}

/// # Safety
/// The operands are live and fit; `c` lies row-major and apart from them.
unsafe fn gemm(
    context: &Context,
    p: &Product,
    a: &Operand<'_>,
    b: &Operand<'_>,
    c: &Matrix,
) -> Result<()> {
    let held = context.blas.hold(context)?;
    let (kind, compute) = types(p.dtype);
    let (alpha, beta) = (Factor::new(p.alpha, p.dtype), Factor::new(p.beta, p.dtype));
    let (m, n, k) = (c.rows as i64, c.cols as i64, p.a.cols as i64);
    let at = |address: u64| address as *const c_void;
    let leading = row_major(c).unwrap_or(n);
    let (batch, step) = (p.batch as i64, c.batch as i64);
    let algorithm = sys::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT;
    // SAFETY: the handle is held, the factors live on the stack until the call returns, the rest is the caller's
    // promise.
    let code = unsafe {
        if batch == 1 {
            sys::cublasGemmEx_64(
                held.handle(),
                b.operation,
                a.operation,
                n,
                m,
                k,
                alpha.address(),
                at(b.address),
                kind,
                b.leading,
                at(a.address),
                kind,
                a.leading,
                beta.address(),
                at(c.first).cast_mut(),
                kind,
                leading,
                compute,
                algorithm,
            )
        } else {
            sys::cublasGemmStridedBatchedEx_64(
                held.handle(),
                b.operation,
                a.operation,
                n,
                m,
                k,
                alpha.address(),
                at(b.address),
                kind,
                b.leading,
                b.batch,
                at(a.address),
                kind,
                a.leading,
                a.batch,
                beta.address(),
                at(c.first).cast_mut(),
                kind,
                leading,
                step,
                batch,
                compute,
                algorithm,
            )
        }
    };
    status(context, code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, cols: usize, row: isize, col: isize) -> Matrix {
        Matrix {
            first: 0,
            rows,
            cols,
            row,
            col,
            batch: 0,
        }
    }

    #[test]
    fn forms_that_need_no_copy_are_found() {
        assert_eq!(row_major(&matrix(3, 4, 4, 1)), Some(4));
        assert_eq!(row_major(&matrix(3, 4, 9, 1)), Some(9));
        assert_eq!(column_major(&matrix(3, 4, 1, 3)), Some(3));
        assert_eq!(row_major(&matrix(1, 4, 0, 1)), Some(4));
        assert_eq!(column_major(&matrix(3, 1, 1, 0)), Some(3));
    }

    #[test]
    fn forms_that_need_a_copy_are_found() {
        for m in [
            matrix(3, 4, -4, 1),
            matrix(3, 4, 0, 1),
            matrix(3, 4, 8, 2),
            matrix(3, 4, 3, 1),
        ] {
            assert_eq!((row_major(&m), column_major(&m)), (None, None), "{m:?}");
        }
    }
}
