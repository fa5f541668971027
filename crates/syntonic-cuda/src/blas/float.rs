//! Products of floats and of complex numbers through cuBLASLt.

use super::library::{Call, Factor, Launched};
use super::operand::{Operand, dense, row_major};
use super::pack::{self, Values};
use super::plan::{Finish, Form, Operation, Side, alignment};
use super::{Matrix, Product};
use crate::context::Context;
use cudarc::cublaslt::sys::{cublasComputeType_t, cudaDataType_t};
use syntonic_core::device::Arithmetic;
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Error, Result, Scalar};

/// The library's epilogue, with its operands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Epilogue {
    pub(super) finish: Finish,
    /// Address of the bias, of the result's type.
    pub(super) bias: u64,
    /// A row-major matrix of the result's type, added to the sums in place of `beta c`.
    pub(super) added: Option<Matrix>,
}

/// A product without an epilogue.
///
/// # Safety
/// As [`super::matmul`].
pub(super) unsafe fn multiply(context: &Context, p: &Product) -> Result<()> {
    // SAFETY: the caller's promise.
    match unsafe { finished(context, p, Epilogue::default())? } {
        Launched::Yes => Ok(()),
        Launched::NoWay => Err(Error::Fault {
            op: "matmul".to_owned(),
            device: context.device,
            what: format!(
                "cuBLAS has no product of {} for {} x {} x {}; hint: cast to float32",
                p.dtype, p.c.rows, p.a.cols, p.c.cols
            ),
        }),
    }
}

/// The most products of a batch per call, since algorithms number them along an axis of the grid.
const MOST_AT_ONCE: usize = 65_535;

/// A product with the library's epilogue `epilogue`, for a row-major result.
///
/// # Safety
/// As [`super::matmul`]; the bias is live and has a number for each column of the result.
pub(super) unsafe fn finished(
    context: &Context,
    p: &Product,
    epilogue: Epilogue,
) -> Result<Launched> {
    if p.a.cols == 0 {
        // SAFETY: the caller's promise.
        return unsafe { of_nothing(context, p, epilogue) };
    }
    for first in (0..p.batch).step_by(MOST_AT_ONCE) {
        let part = p.part(first, MOST_AT_ONCE.min(p.batch - first));
        // SAFETY: the caller's promise, for a part of the batch.
        if unsafe { in_one_call(context, &part, epilogue)? } == Launched::NoWay {
            return Ok(Launched::NoWay);
        }
    }
    Ok(Launched::Yes)
}

/// A product over no elements: what `beta` and the epilogue leave of `c`. The library rejects K = 0, so it multiplies by
/// zeros.
///
/// # Safety
/// As [`finished`].
unsafe fn of_nothing(context: &Context, p: &Product, epilogue: Epilogue) -> Result<Launched> {
    let len = p.c.rows.max(p.c.cols);
    let zeros = context.scratch(len * p.dtype.size())?;
    let line = |rows, cols| Matrix {
        first: zeros.address(),
        rows,
        cols,
        row: 1,
        col: 1,
        batch: 0,
    };
    let product = Product {
        a: line(p.c.rows, 1),
        b: line(1, p.c.cols),
        ..*p
    };
    // SAFETY: the scratch has room for the zeros; the rest is the caller's promise.
    unsafe {
        context.set_bytes(zeros.address(), 0, len * p.dtype.size())?;
        finished(context, &product, epilogue)
    }
}

/// # Safety
/// As [`finished`].
unsafe fn in_one_call(context: &Context, p: &Product, epilogue: Epilogue) -> Result<Launched> {
    // SAFETY: the caller's promise; a copy has the matrices' own sizes.
    unsafe {
        let a = Operand::new(context, p.dtype, &p.a, p.batch, p.conj_a)?;
        let b = Operand::new(context, p.dtype, &p.b, p.batch, p.conj_b)?;
        if row_major(&p.c).is_some() && (p.batch == 1 || p.c.batch != 0) {
            return gemm(context, p, &a, &b, &p.c, epilogue);
        }
        if epilogue.finish != Finish::None {
            return Ok(Launched::NoWay);
        }
        let (target, _copy) = dense(context, p.sums, &p.c, p.batch)?;
        if p.beta.to_bool() {
            pack::copy(context, p.sums, &p.c, &target, p.batch, Values::Same)?;
        }
        let launched = gemm(context, p, &a, &b, &target, epilogue)?;
        pack::copy(context, p.sums, &target, &p.c, p.batch, Values::Same)?;
        Ok(launched)
    }
}

fn factor(x: Scalar, dtype: DType) -> Factor {
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

/// An element type's name in the library.
pub(super) fn kind(dtype: DType) -> cudaDataType_t {
    use cudaDataType_t as D;
    match dtype {
        DType::F16 => D::CUDA_R_16F,
        DType::BF16 => D::CUDA_R_16BF,
        DType::F64 => D::CUDA_R_64F,
        DType::C64 => D::CUDA_C_32F,
        DType::C128 => D::CUDA_C_64F,
        DType::F8E4M3 => D::CUDA_R_8F_E4M3,
        DType::F8E5M2 => D::CUDA_R_8F_E5M2,
        _ => D::CUDA_R_32F,
    }
}

/// The arithmetic that a product of this type is computed in: the requested one where it is cheaper than the native one,
/// which takes a card of 8.0 or newer.
pub(super) fn arithmetic(dtype: DType, asked: Arithmetic, capability: (u32, u32)) -> Arithmetic {
    let shorter = matches!(asked, Arithmetic::Medium | Arithmetic::Low);
    if shorter && matches!(dtype, DType::F32 | DType::C64) && capability >= (8, 0) {
        asked
    } else {
        Arithmetic::Native
    }
}

/// The compute type, and that of the factors.
fn compute(dtype: DType, arithmetic: Arithmetic) -> (cublasComputeType_t, cudaDataType_t) {
    use cublasComputeType_t as C;
    let single = match arithmetic {
        Arithmetic::Medium => C::CUBLAS_COMPUTE_32F_FAST_TF32,
        Arithmetic::Low => C::CUBLAS_COMPUTE_32F_FAST_16BF,
        Arithmetic::High | Arithmetic::Native => C::CUBLAS_COMPUTE_32F,
    };
    match dtype {
        DType::F64 | DType::C128 => (C::CUBLAS_COMPUTE_64F, kind(dtype)),
        DType::C64 => (single, kind(dtype)),
        _ => (single, cudaDataType_t::CUDA_R_32F),
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
    epilogue: Epilogue,
) -> Result<Launched> {
    let side = |operand: &Operand<'_>| Side {
        kind: kind(p.dtype),
        operation: operand.operation,
        leading: operand.leading,
        batch: operand.batch,
        alignment: alignment(operand.address),
    };
    let arithmetic = arithmetic(p.dtype, p.arithmetic, context.capability());
    let (compute, scale) = compute(p.dtype, arithmetic);
    let (m, n) = (c.cols as u64, c.rows as u64);
    let added = epilogue.added.as_ref().unwrap_or(c);
    let output = |m: &Matrix| Side {
        kind: kind(p.sums),
        operation: Operation::Plain,
        leading: row_major(m).unwrap_or(c.cols as i64),
        batch: m.batch as i64,
        alignment: alignment(m.first),
    };
    let form = Form {
        m,
        n,
        k: p.a.cols as u64,
        batch: p.batch as i32,
        a: side(b),
        b: side(a),
        c: output(added),
        d: output(c),
        compute,
        scale,
        finish: epilogue.finish,
        scales: false,
    };
    let beta = if epilogue.added.is_some() {
        Scalar::Int(1)
    } else {
        p.beta
    };
    let (alpha, beta) = (factor(p.alpha, p.dtype), factor(beta, p.dtype));
    let call = Call {
        form,
        a: b.address,
        b: a.address,
        c: added.first,
        d: c.first,
        bias: epilogue.bias,
        scales: [0; 2],
        alpha: &alpha,
        beta: &beta,
    };
    // SAFETY: the caller's promise.
    unsafe { context.blas.launch(context, &call) }
}
