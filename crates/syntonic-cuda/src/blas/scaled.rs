//! Products of 8-bit numbers. Floats are multiplied by cuBLASLt where the card and the lengths allow it, else through `float16`; `int8` by a kernel
//! of ours, or as `int32`.

use super::Matrix;
use super::ended::{self, Asked};
use super::epilogue;
use super::float::kind;
use super::library::{Call, Factor, Launched};
use super::operand::{dense, row_major};
use super::pack::{self, Values};
use super::plan::{Finish, Form, Operation, Side, alignment};
use crate::context::{Context, Scratch};
use crate::kernel;
use cudarc::cublaslt::sys::{cublasComputeType_t, cudaDataType_t};
use syntonic_core::device::{Arg, Launch};
use syntonic_core::fuse::{Builder, Precision, Program, Role, Task, Typed, Yield, lower};
use syntonic_core::layout::Layout;
use syntonic_core::ops::linalg::{ScaledProduct, Width};
use syntonic_core::{DType, Result, Scalar};

/// The first cards whose tensor cores take 8-bit floats.
const CAPABILITY: (u32, u32) = (8, 9);
/// What `k` and `n`, addresses and rows in bytes have to be multiples of.
const MULTIPLE: usize = 16;

/// The GPU's version of core's `scaled_matmul`.
///
/// # Safety
/// As the kernel's contract says.
pub(crate) unsafe fn scaled_matmul(context: &Context, launch: &Launch) -> Result<()> {
    let product = ScaledProduct::of(launch)?;
    // SAFETY: the caller's promise.
    unsafe {
        if product.sums() == DType::I32 {
            return whole(context, &product);
        }
        if takes(context.capability(), &product) && by_library(context, &product)? == Launched::Yes
        {
            return Ok(());
        }
        by_halves(context, &product)
    }
}

/// The product of `int8`.
///
/// # Safety
/// As [`scaled_matmul`].
unsafe fn whole(context: &Context, p: &ScaledProduct<'_>) -> Result<()> {
    let end = p.end()?;
    let asked = Asked {
        a: p.a,
        b: p.b,
        out: p.out,
        alpha: Scalar::Int(1),
        end: &end,
    };
    // SAFETY: the caller's promise.
    if unsafe { ended::multiply(context, &asked)? } == Launched::Yes {
        return Ok(());
    }
    let room = |arg: &Arg| context.scratch(arg.layout.numel() * DType::I32.size());
    let (a, b, sums) = (room(p.a)?, room(p.b)?, room(p.out)?);
    let sums = dense_arg(DType::I32, p.out, &sums)?;
    let program = lower(&copied(), &[DType::I8])?;
    // SAFETY: the caller's promise; the scratch has room for the values and lives until the product is in the stream.
    unsafe {
        let a = widened(context, &program, p.a, DType::I32, &a)?;
        let b = widened(context, &program, p.b, DType::I32, &b)?;
        super::matmul(context, &p.whole(a, b, sums.clone()))?;
        epilogue::run(context, &end.program, &end.operands, &sums, p.out)
    }
}

/// Bytes as `int32`.
fn copied() -> Program {
    let mut builder = Builder::new();
    let x = builder.input("x", Role::Element);
    let y = builder.cast(DType::I32, x);
    builder.output(y, Yield::Element);
    builder.finish("scaled_matmul", Precision::Stepwise)
}

/// Whether the card multiplies codes of these lengths.
fn takes(capability: (u32, u32), p: &ScaledProduct<'_>) -> bool {
    let (k, n) = (p.b.layout.shape()[0], p.b.layout.shape()[1]);
    // The library has no product over no elements.
    let lengths = k > 0 && [k, n].iter().all(|len| len % MULTIPLE == 0);
    let address = (p.out.address() as usize).is_multiple_of(MULTIPLE);
    capability >= CAPABILITY && lengths && address
}

/// A factor as the library reads it: rows one after the other, aligned.
struct Rows<'a> {
    matrix: Matrix,
    /// The copy that it lies in, if one was made.
    _copy: Option<Scratch<'a>>,
}

impl<'a> Rows<'a> {
    /// # Safety
    /// The matrix is live.
    unsafe fn new(context: &'a Context, m: Matrix) -> Result<Rows<'a>> {
        let aligned = |leading: i64| {
            (m.first as usize).is_multiple_of(MULTIPLE) && leading % MULTIPLE as i64 == 0
        };
        if row_major(&m).is_some_and(aligned) {
            return Ok(Rows {
                matrix: m,
                _copy: None,
            });
        }
        let (matrix, copy) = dense(context, DType::U8, &m, 1)?;
        // SAFETY: the copy has room for the matrix.
        unsafe { pack::copy(context, DType::U8, &m, &matrix, 1, Values::Same)? };
        Ok(Rows {
            matrix,
            _copy: Some(copy),
        })
    }

    fn side(&self, dtype: DType, operation: Operation) -> Side {
        Side {
            kind: kind(dtype),
            operation,
            leading: row_major(&self.matrix).unwrap_or(self.matrix.cols as i64),
            batch: 0,
            alignment: alignment(self.matrix.first),
        }
    }
}

/// One call of the library. It knows the product of a transposed and a plain matrix only, column-major: for `outᵀ = bᵀ aᵀ` that
/// is `a` and the transpose of `b`, both row-major.
///
/// # Safety
/// As [`scaled_matmul`]; the lengths are those that the library takes.
unsafe fn by_library(context: &Context, p: &ScaledProduct<'_>) -> Result<Launched> {
    // SAFETY: the caller's promise.
    let (a, b) = unsafe {
        (
            Rows::new(context, Matrix::new(p.a))?,
            Rows::new(context, Matrix::new(p.b).turned())?,
        )
    };
    let scales = match p.scales {
        Some([row, column]) => {
            // SAFETY: the caller's promise.
            let (rows, columns) = unsafe {
                (
                    side_by_side(context, row, 0)?,
                    side_by_side(context, column, 1)?,
                )
            };
            Some([columns, rows])
        }
        None => None,
    };
    let out = Matrix::new(p.out);
    let result = Side {
        kind: kind(p.out.dtype),
        operation: Operation::Plain,
        leading: out.cols as i64,
        batch: 0,
        alignment: alignment(out.first),
    };
    let form = Form {
        m: out.cols as u64,
        n: out.rows as u64,
        k: a.matrix.cols as u64,
        batch: 1,
        a: b.side(p.b.dtype, Operation::Transposed),
        b: a.side(p.a.dtype, Operation::Plain),
        c: result,
        d: result,
        compute: cublasComputeType_t::CUBLAS_COMPUTE_32F,
        scale: cudaDataType_t::CUDA_R_32F,
        finish: Finish::None,
        scales: scales.is_some(),
    };
    let call = Call {
        form,
        a: b.matrix.first,
        b: a.matrix.first,
        c: out.first,
        d: out.first,
        bias: 0,
        scales: scales.as_ref().map_or([0; 2], |all| [all[0].0, all[1].0]),
        alpha: &Factor { single: p.alpha },
        beta: &Factor { single: 0.0 },
    };
    // SAFETY: the caller's promise; the copies live until the call is in the stream.
    unsafe { context.blas.launch(context, &call) }
}

/// The product of the values as `float16`.
///
/// # Safety
/// As [`scaled_matmul`].
unsafe fn by_halves(context: &Context, p: &ScaledProduct<'_>) -> Result<()> {
    let room = |arg: &Arg| context.scratch(arg.layout.numel() * DType::F16.size());
    let (a, b) = (room(p.a)?, room(p.b)?);
    let program = |codes: &Arg| ScaledProduct::widening(codes.dtype, Width::Half);
    // SAFETY: the caller's promise; the scratch has room for the values and lives until the product is in the stream.
    unsafe {
        let a = widened(context, &program(p.a)?, p.a, DType::F16, &a)?;
        let b = widened(context, &program(p.b)?, p.b, DType::F16, &b)?;
        super::matmul(context, &p.widened(a, b)?)
    }
}

/// A row-major matrix of the operand's shape in `room`.
fn dense_arg(dtype: DType, of: &Arg, room: &Scratch<'_>) -> Result<Arg> {
    Ok(Arg {
        base: room.address() as *mut u8,
        dtype,
        layout: Layout::contiguous("scaled_matmul", of.layout.shape())?,
    })
}

/// The values of a factor, as the program makes them, row-major in `room`.
///
/// # Safety
/// The factor is live, and the room is for as many values.
unsafe fn widened(
    context: &Context,
    program: &Typed,
    codes: &Arg,
    wide: DType,
    room: &Scratch<'_>,
) -> Result<Arg> {
    let values = dense_arg(wide, codes, room)?;
    let task = Task::over(program, [codes], &values);
    if codes.layout.numel() > 0 {
        // SAFETY: the caller's promise.
        unsafe { kernel::run(context, &task)? };
    }
    Ok(values)
}

/// The scales of rows (axis 0) or columns (axis 1) of a result, side by side, and the copy that they are if one was made.
///
/// # Safety
/// They are live.
unsafe fn side_by_side<'a>(
    context: &'a Context,
    scales: &Arg,
    axis: usize,
) -> Result<(u64, Option<Scratch<'a>>)> {
    let (len, stride) = (scales.layout.shape()[axis], scales.layout.strides()[axis]);
    let first = scales.address() as u64;
    if (len == 1 || stride == 1) && first.is_multiple_of(MULTIPLE as u64) {
        return Ok((first, None));
    }
    let column = |first, row| Matrix {
        first,
        rows: len,
        cols: 1,
        row,
        col: 1,
        batch: 0,
    };
    let room = context.scratch(len * DType::F32.size())?;
    let (from, to) = (column(first, stride), column(room.address(), 1));
    // SAFETY: the caller's promise, and the copy has room.
    unsafe { pack::copy(context, DType::F32, &from, &to, 1, Values::Same)? };
    Ok((room.address(), Some(room)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_and_the_lengths_decide() {
        let arg = |dtype, shape: &[usize]| Arg {
            base: 256 as *mut u8,
            dtype,
            layout: Layout::contiguous("test", shape).unwrap(),
        };
        for (capability, k, n, want) in [
            ((9, 0), 32, 16, true),
            ((8, 9), 16, 48, true),
            ((8, 6), 32, 16, false),
            ((9, 0), 33, 16, false),
            ((9, 0), 32, 17, false),
            ((9, 0), 0, 16, false),
        ] {
            let (a, b) = (arg(DType::F8E4M3, &[3, k]), arg(DType::F8E5M2, &[k, n]));
            let out = arg(DType::F32, &[3, n]);
            let product = ScaledProduct {
                a: &a,
                b: &b,
                out: &out,
                alpha: 1.0,
                scales: None,
            };
            assert_eq!(takes(capability, &product), want, "{capability:?} {k} {n}");
        }
    }
}
